/* A cycle that pan closes too early, where a run has ended.
 *
 * Both processes raise and lower g; then both are blocked, and g is 0 forever. The claim accepts runs in which g goes up
 * and down again and again: from `accept` it must see g raised once more. No run does that.
 *
 * pan -a reports an acceptance cycle that consists of one move of the claim, from `high` to `accept`, in the last state of a
 * run. It does not lead back to `high`: from `accept` the claim goes to `wait`, and stays there.
 *
 * expect: safety violated invalid-end-state
 * expect: never holds
 * expect: ltl not_forever holds
 */
bit g;
chan q = [1] of { bit };

active [2] proctype p()
{
    g = 1;
    g = 0;
    q!0;
    false
}

ltl not_forever { !([] <> g && [] <> !g) }

never
{
wait:
    do
    :: true
    :: g -> goto high
    od;
high:
    do
    :: !g -> goto accept
    :: true
    od;
accept:
    do
    :: true -> goto wait
    od
}
