/* Looking into a channel: copy, poll, eval.
 *
 * `c?<x>` receives without taking the message out. `c?[1,x]` only asks if a receive
 * would be possible and changes nothing, so it can be part of an expression. In a
 * pattern a constant must match and a variable takes what comes; eval(x) makes the
 * value of x the thing to match.
 * (`c??<5>` is right, too, but the C preprocessor warns: it is a trigraph.)
 *
 * expect: safety holds, states 31, transitions 31
 */
chan c = [3] of { byte, byte };

active proctype peek()
{
    byte x, y, at[10];

    assert(!(c?[_, _]) && len(c) == 0);
    c!4, 7;
    c!5, 8;

    c?<x, y>;     assert(x == 4 && y == 7 && len(c) == 2);
    c?<_, y>;     assert(y == 7 && len(c) == 2);
    c?? <5, y>;   assert(y == 8 && len(c) == 2);
    c?? <x, 8>;   assert(x == 5 && len(c) == 2);

    x = 9;
    assert(c?[x, y]);                       /* a variable matches anything ... */
    assert(!(c?[eval(x), _]));              /* ... its value does not */
    assert(c?[eval(x - 5), 7] && c??[5, eval(y)] && !(c?[5, _]));
    assert(x == 9);

    x = 5;
    c??eval(x), y;
    assert(len(c) == 1 && y == 8);
    if
    :: c?5, y -> assert(false)
    :: c?eval(y - 4), y -> assert(y == 7)   /* matched with the old y */
    fi;

    c!3, 6;
    c?x, at[x];                             /* assigned from left to right */
    assert(x == 3 && at[3] == 6 && at[5] == 0);

    c!2, 2;
    x = 1;
    if
    :: c?x, eval(x) -> assert(false)        /* compared with x before it changes */
    :: else -> c?_, _
    fi;
    assert(empty(c) && nfull(c) && x == 1)
}
