/* Two receivers who wait for the same sender: weak fairness is not about them.
 *
 * A process that can only receive by handshake cannot move by itself, so nobody owes
 * it anything: the sender, who moves, may always serve the same one.
 *
 * expect: safety holds, states 16, transitions 33
 * expect: ltl first violated
 * expect: fair ltl first violated
 * expect: ltl either holds
 */
chan hand = [0] of { bit };
bool served[2];

active [2] proctype receiver()
{
    do
    :: hand?_ -> served[_pid] = true
    od
}

active proctype sender()
{
    do
    :: hand!0
    od
}

ltl first  { <> served[0] }
ltl either { <> (served[0] || served[1]) }
