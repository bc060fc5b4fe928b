/* Claims and enabled(): it tells whether a process, by its number, has an executable statement. The claim is no process.
 *
 * expect: safety holds
 * expect: ltl somebody holds
 * expect: ltl both violated
 * expect: ltl first violated
 * expect: never violated acceptance-cycle
 */
byte turn;

active [2] proctype user()
{
    do
    :: turn == _pid -> turn = 1 - turn
    od
}

ltl somebody { [] (enabled(0) || enabled(1)) }
ltl both     { <> (enabled(0) && enabled(1)) }
ltl first    { [] enabled(0) }

never
{
accept:
    do
    :: enabled(0) || enabled(1)
    od
}
