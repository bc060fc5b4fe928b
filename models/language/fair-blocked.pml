/* Weak fairness and a process that can never move: nobody waits for it.
 *
 * The walker may go round for ever, although the sleeper does not move, because the
 * sleeper cannot. That the walker may also stop changes nothing about it. (With weak
 * fairness SPIN 6.5.2 overlooks both cycles here; it finds them without `break`.)
 *
 * expect: safety holds, states 6, transitions 7
 * expect: acceptance violated
 * expect: fair acceptance violated
 * expect: progress violated
 * expect: fair progress violated
 */
byte x;

active proctype sleeper()
{
end_asleep:
    false
}

active proctype walker()
{
accept_walking:
    do
    :: x = 1
    :: break
    od
}
