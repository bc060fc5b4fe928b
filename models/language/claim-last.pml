/* _last in a claim: who has just moved.
 *
 * In the initial state nobody has, and _last is 0. The claim forbids that one of the
 * two players moves three times in a row; the two take turns unless -DTURNS=0.
 *
 * expect: safety holds, states 3, transitions 4
 * expect: never holds, states 4
 * expect -DTURNS=0: safety holds, states 4, transitions 9
 * expect -DTURNS=0: never violated claim-completed
 */
#ifndef TURNS
#define TURNS 1
#endif

bit turn;

active [2] proctype player()
{
    do
    :: atomic { (turn == _pid || !TURNS) -> turn = 1 - turn }
    od
}

never {
    do
    :: true
    :: _last == 1 -> break
    od;
    _last == 1;
    _last == 1
}
