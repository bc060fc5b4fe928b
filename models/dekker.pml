/* Dekker's algorithm, the oldest one, and a life outside of the critical section.
 *
 * If both want to enter, the one without the turn steps back until it gets the
 * turn. Whether a waiting process is served is a question about the scheduler:
 * `served` fails if the other process alone may run for ever (say, at home), and
 * holds under weak fairness, where every process that can always run does run.
 *
 * expect: safety holds, states 292, transitions 617
 * expect: ltl served violated
 * expect: fair ltl served holds
 * expect: progress violated
 */
#define other (1 - _pid)

bool want[2];
bit turn;
byte inside, naps;

active [2] proctype user()
{
    do
    :: naps = 1 - naps                      /* at home */
    :: want[_pid] = true;
waiting:
       do
       :: want[other] ->
          if
          :: turn == other ->
             want[_pid] = false;
             (turn == _pid);
             want[_pid] = true
          :: else                           /* my turn: insist */
          fi
       :: else -> break
       od;
       inside++;
progress_inside:
       assert(inside == 1);
       inside--;
       turn = other;
       want[_pid] = false
    od
}

ltl served { [] (user[0]@waiting -> <> user[0]@progress_inside) }
