/* Peterson's algorithm: mutual exclusion for two processes.
 *
 * A process says that it wants to enter and then gives the turn away. It waits
 * only while the other one wants to enter, too, and has the turn. Both cannot
 * wait, because there is one turn; both cannot enter, because the one who wrote
 * `turn` last has given it away.
 *
 * expect: safety holds, states 38, transitions 65
 * expect: ltl exclusive holds
 * expect: ltl served holds
 * expect: progress holds
 */
#define other (1 - _pid)

bool want[2];
bit turn;
byte inside;            /* how many processes are in the critical section */

active [2] proctype user()
{
    do
    :: want[_pid] = true;
       turn = other;
waiting:
       (!want[other] || turn == _pid);
       inside++;
progress_inside:
       assert(inside == 1);
       inside--;
       want[_pid] = false
    od
}

ltl exclusive { [] (inside <= 1) }
ltl served    { [] (user[0]@waiting -> <> user[0]@progress_inside) }
