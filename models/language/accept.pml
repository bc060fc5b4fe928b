/* Accept labels: a run that comes by here again and again is an error.
 *
 * They mark what must not go on for ever. A polite pair in a corridor step aside for
 * each other without end; with a rule (-DRULE=1, number 0 stands still) it
 * ends at once.
 *
 * expect: safety holds, states 44, transitions 65
 * expect: acceptance violated
 * expect -DRULE=1: safety holds, states 9, transitions 11
 * expect -DRULE=1: acceptance holds
 */
#ifndef RULE
#define RULE 0
#endif

bit side[2];

active [2] proctype walker()
{
    do
    :: side[_pid] != side[1 - _pid] -> break        /* passed */
    :: side[_pid] == side[1 - _pid] && (!RULE || _pid == 1) ->
accept_dodging:
       side[_pid] = 1 - side[_pid]
    od
}
