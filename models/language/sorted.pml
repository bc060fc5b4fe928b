/* Sorted send and random receive.
 *
 * `c!!m` does not put m at the end but in front of the first message that is larger;
 * messages are compared field by field. `c??m` takes the first message that matches,
 * wherever it stands. Together they make a channel a priority queue or a set.
 *
 * expect: safety holds, states 38, transitions 38
 */
mtype = { low, high };                      /* high is 1, low is 2 */

chan c = [4] of { byte, byte };
chan jobs = [4] of { mtype, byte };

active proctype order()
{
    byte x, y;

    c!!5, 1;
    c!!3, 9;
    c!!5, 0;
    c!!3, 9;
    assert(full(c));
    c?x, y;       assert(x == 3 && y == 9);
    c?x, y;       assert(x == 3 && y == 9);
    c?x, y;       assert(x == 5 && y == 0);
    c?x, y;       assert(x == 5 && y == 1);

    c!7, 1;                                 /* a plain send does not sort ... */
    c!2, 1;
    c!!4, 1;                                /* ... and this goes before the 7 */
    c?x, _;       assert(x == 4);
    c?x, _;       assert(x == 7);
    c?x, _;       assert(x == 2);

    jobs!low(1);
    jobs!low(2);
    jobs!high(3);
    jobs!high(4);
    assert(!(jobs?[high, _]) && jobs??[high, _] && jobs??[low, 2] && !(jobs??[low, 3]));
    jobs??high(x);            assert(x == 3);
    jobs??eval(low), 2;       assert(len(jobs) == 2);
    jobs?low(x);              assert(x == 1);
    if
    :: jobs??low(x) -> assert(false)
    :: jobs??high(x) -> assert(x == 4)
    fi;
    assert(empty(jobs))
}
