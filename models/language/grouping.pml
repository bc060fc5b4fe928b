/* Operators of formulas group to the left, as in SPIN.
 *
 * `swarmgp ltl` and textbooks group them to the right. In the initial state nothing
 * holds, so that (p -> q) -> r is violated there, and p -> (q -> r) is not.
 *
 * expect: safety holds, states 8
 * expect: ltl chain violated claim-completed
 * expect: ltl left violated claim-completed
 * expect: ltl right holds
 * expect: ltl mixed violated claim-completed
 * expect: ltl until violated
 * expect: ltl until_right holds
 */
bool p, q, r;

active proctype toggle()
{
    do
    :: p = !p
    :: q = !q
    :: r = !r
    od
}

ltl chain { p -> q -> r }
ltl left { (p -> q) -> r }
ltl right { p -> (q -> r) }
ltl mixed { p <-> q -> r }
ltl until { !p U !p U r }
ltl until_right { !p U (!p U !r) }
