/* Dining philosophers: how to starve together.
 *
 * N philosophers sit around a table with N forks, and one needs two forks to
 * eat. A fork is a channel with room for one message: to take the fork is to put
 * one's name into it, which blocks while somebody else's name is there. All take
 * their left fork, and nobody ever eats again. The shortest way into the deadlock
 * has N steps; a depth-first search usually finds a much longer one.
 *
 * expect: safety violated invalid-end-state, states 118, transitions 341
 * expect -DN=2: safety violated invalid-end-state, states 10, transitions 15
 * expect -DN=10: safety violated invalid-end-state, states 154450, transitions 1116131
 */
#ifndef N
#define N 4
#endif

chan fork[N] = [1] of { pid };

active [N] proctype philosopher()
{
    pid right = (_pid + 1) % N;

    do
    :: fork[_pid]!_pid;
       fork[right]!_pid;
progress_eating:
       fork[right]?eval(_pid);
       fork[_pid]?eval(_pid)
    od
}
