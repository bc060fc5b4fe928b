/* Several never claims: each is a property of its own.
 *
 * The first one comes to its end, the second one waits for what never happens. SPIN
 * checks one of them, the first unless `pan -N` names another. A claim without a name
 * gets one from its place among the claims, here never_2.
 *
 * expect: safety holds, states 2, transitions 3
 * expect: never seen violated claim-completed
 * expect: never unseen holds
 * expect: never never_2 violated acceptance-cycle
 */
byte x;

active proctype toggle()
{
    do
    :: x = 1 - x
    od
}

never seen {
    do
    :: x == 0
    :: x == 1 -> break
    od
}

never unseen {
    do
    :: x == 5 -> break
    :: else
    od
}

never {
accept:
    do
    :: x < 2
    od
}
