/* Progress labels: a run that does not come by here again and again is an error.
 *
 * The gardener waters the flowers, and a bird sings. If only the bird ever moves,
 * no flower is watered; weak fairness rules that out. It does not help against a
 * gardener who may chat instead (-DCHATTY=1): he does move.
 *
 * expect: safety holds, states 6, transitions 13
 * expect: progress violated
 * expect: fair progress holds
 * expect -DCHATTY=1: fair progress violated
 */
#ifndef CHATTY
#define CHATTY 0
#endif

byte tune, words;

active proctype bird()
{
    do
    :: tune = (tune + 1) % 3
    od
}

active proctype gardener()
{
    do
    :: skip;
progress_watered:
       words = 0
    :: CHATTY -> words = 1
    od
}
