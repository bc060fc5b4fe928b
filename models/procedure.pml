/* An operator's procedure: a checklist that has to be worked through in order.
 *
 * To start the plant, the operator opens N valves, one after the other: he reads
 * that the valve is closed, orders it to be opened, reads that it is open and ticks
 * the line on his list. If there is an alarm before a line, he acknowledges it. The
 * list says "after an alarm close everything and begin anew", and there may be
 * alarms again and again, so `started` (in the end the plant runs) fails, even under
 * weak fairness. With -DRESUME=1 he goes on where he was, and it holds. The shape of
 * the property is that of sgc in Chicano and Alba (Searching for liveness property
 * violations in concurrent systems with ACO, 2008), a procedure for the operators of
 * a power plant.
 *
 * expect: safety holds, states 635, transitions 1768
 * expect: ltl started violated
 * expect: fair ltl started violated
 * expect -DRESUME=1: safety holds, states 121, transitions 196
 * expect -DRESUME=1: ltl started holds
 * expect -DN=8: safety holds, states 50315, transitions 274144
 * expect -DN=8: ltl started violated
 */
#ifndef N
#define N 4
#endif
#ifndef RESUME
#define RESUME 0
#endif
#define p (running)

chan order[N] = [1] of { bit };
bool is_open[N];
bool alarm, running;

active [N] proctype valve()         /* numbered from 0 */
{
    bit what;

end_as_it_is:
    do
    :: order[_pid]?what -> is_open[_pid] = what
    od
}

active proctype operator()
{
    byte line;                      /* of the list */

    do
    :: line < N ->
       if
       :: alarm ->
          alarm = false;                    /* acknowledged */
          do
          :: !RESUME && line > 0 -> line--; order[line]!0
          :: else -> break
          od
       :: else
       fi;
       !is_open[line];
       order[line]!1;
       is_open[line];
       line++
    :: else -> break
    od;
    running = true
}

active proctype plant()
{
end_quiet:
    do
    :: !alarm && !running -> alarm = true
    od
}

ltl started { <> p }
