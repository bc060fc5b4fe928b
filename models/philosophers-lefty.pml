/* Dining philosophers: one left-handed guest saves the party.
 *
 * Here a fork is a process of its own, which is taken and put back by handshakes.
 * Philosopher 0 takes the forks in the other order than everybody else. So there
 * is always an order among the forks in which all hands reach for them, and a
 * circle of waiting cannot close. That nobody starves is not promised: if the
 * neighbours are quick, philosopher 0 stays hungry.
 *
 * expect: safety holds, states 1413, transitions 5005
 * expect -DN=6: safety holds, states 50229, transitions 268315
 * expect: progress holds
 * expect: ltl everybody_eats violated
 */
#ifndef N
#define N 4
#endif

chan take[N] = [0] of { pid };
chan put[N]  = [0] of { pid };

active [N] proctype philosopher()
{
    pid first = _pid, second = (_pid + 1) % N;

    if
    :: _pid == 0 -> first = 1; second = 0
    :: else
    fi;
    do
    :: take[first]!_pid;
       take[second]!_pid;
progress_eating:
       put[second]!_pid;
       put[first]!_pid
    od
}

active [N] proctype fork()
{
    pid me = _pid - N, owner;

end_on_table:
    do
    :: take[me]?owner;
       put[me]?eval(owner)
    od
}

ltl everybody_eats { [] <> philosopher[0]@progress_eating }
