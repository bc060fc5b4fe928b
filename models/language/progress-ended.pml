/* np_ in a run that has ended.
 *
 * np_ is true while no process is at a progress label. A run that stops is no
 * non-progress cycle, wherever it stops, because np_ is false while its last state
 * repeats: nothing could make progress there. A loop without progress (-DLOOP=1) is
 * one. Weak fairness makes no difference, for there is one process only. (Under weak
 * fairness SPIN 6.5.2 takes np_ for true in the last state, if it is part of a
 * formula: it says that `stops_working` holds and `works_again` is violated.)
 *
 * expect: safety holds, states 6, transitions 6
 * expect: progress holds
 * expect: fair progress holds
 * expect: ltl stops_working violated
 * expect: ltl works_again holds
 * expect: fair ltl stops_working violated
 * expect: fair ltl works_again holds
 * expect -DLOOP=1: safety holds, states 6, transitions 7
 * expect -DLOOP=1: progress violated
 * expect -DLOOP=1: fair progress violated
 * expect -DLOOP=1: ltl stops_working holds
 * expect -DLOOP=1: ltl works_again violated
 */
#ifndef LOOP
#define LOOP 0
#endif

byte x;

active proctype worker()
{
    x = 1;
progress_here:
    x = 2;
    do
    :: LOOP -> x = 5 - x
    :: !LOOP -> break
    od;
    x = 4
}

ltl stops_working { <> [] np_ }
ltl works_again   { [] <> !np_ }
