/* Weak fairness and processes that die.
 *
 * To die is a step, too, and nobody waits for the dead: the guest leaves at some
 * time, because he can all the time, and the clock goes on alone. (SPIN 6.5.2 counts
 * a claim as one more process in _nr_pr, so that for SPIN `alone` never comes true.)
 *
 * expect: safety holds, states 9, transitions 16
 * expect: ltl leaves violated
 * expect: fair ltl leaves holds
 * expect: ltl ticks holds
 * expect: fair ltl ticks holds
 * expect: ltl alone violated
 * expect: fair ltl alone holds
 */
byte hour;
bool gone;

active proctype clock()
{
    do
    :: hour = (hour + 1) % 3
    od
}

active proctype guest()
{
    gone = true
}

ltl leaves { <> gone }
ltl ticks  { [] <> (hour == 0) }
ltl alone  { <> [] (_nr_pr == 1) }
