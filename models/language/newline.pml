/* The end of a line separates statements, so most semicolons may be left out.
 *
 * A line end counts as `;` after a name, a number, ++, --, a closing bracket, fi, od,
 * else and break, and not inside of parentheses. An operator at the end of a line
 * continues the expression on the next. Superfluous semicolons do no harm.
 *
 * expect: safety holds, states 31, transitions 31
 */
byte x
byte y[2]
chan c = [1] of { byte, byte }

active proctype terse()
{
    x = 1
    x++
    y[1] = x
    c!x, y[1]
    c?x,
      y[0]
    assert(x == 2 && y[0] == 2)
    x = 1 +
        2 *
        3
    assert(x == 7)
    if
    :: x > 3
       x--
       x = x / 2
    :: else
       x = 0
    fi
    assert(x == 3)
    do
    :: x > 0
       x--
    :: x == 0
       break
    od
    atomic {
        x = 5
        y[0] = x
    }
    (x == 5 &&
        y[0] == 5)
    x = (x == 5 ->
        50
        : 60)
    assert(x == 50);;
    if :: x == 50 -> x = 1;; :: else -> x = 2; fi;
    { x++ } atomic { x++ } d_step { x++ }
    assert(x == 4)
}
