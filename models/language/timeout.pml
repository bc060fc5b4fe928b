/* timeout: true only when nothing else in the whole system can move.
 *
 * It is no clock; it is the way out of what would be a deadlock otherwise. Here the
 * receiver waits for three messages, of which the line may lose some. The sender
 * repeats a lost one on a timeout, and never without need.
 *
 * expect: safety holds, states 90, transitions 121
 * expect: ltl all_there violated
 */
chan line = [1] of { byte };
byte got, lost;
bool bell;

active proctype sender()
{
    byte n = 1;

    do
    :: got < 3 && n == got + 1 -> line!n; n++
    :: timeout ->
       assert(empty(line));                 /* nobody could move: so it is lost, or done */
       if
       :: got == 3 -> break
       :: else -> assert(lost > 0); n = got + 1
       fi
    od;
    bell = true
}

active proctype receiver()
{
    do
    :: line?eval(got + 1) -> got++
    :: bell -> break
    od;
    assert(got == 3)
}

active proctype noise()
{
    do
    :: atomic { line?_ -> lost = 1 }
    :: bell -> break
    od
}

ltl all_there { <> (got == 3) }
