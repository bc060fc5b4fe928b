/* A long arrow, -->, is an arrow, too.
 *
 * `x-- >` is not: there the blank ends the decrement.
 *
 * expect: safety holds, states 8, transitions 8
 */
byte x;

active proctype A()
{
    if
    :: x == 0 --> x = 2
    fi;
    x > 0 --> x = (x == 2 --> 5 : 6);
    x-- --> assert(x == 4)
}
