/* Dining philosophers who take either fork first, as they like.
 *
 * When a philosopher has thought enough, he decides with which fork to begin: the
 * left one and then the right one, or the right one and then the left one. He eats,
 * drops the left fork, drops the right fork, and thinks again. A fork is a channel
 * with room for the name of who has it. There are two deadlocks: all have decided for
 * the left fork and taken it, or all for the right one. If only two differ, somebody
 * can eat. The shortest way into a deadlock has 2 N steps (each one decides and takes
 * one fork), and a run that chooses its steps at random has to make all N decisions
 * alike at the right moment.
 *
 * The shape is that of PHIL (there with 17 philosophers) in Godefroid and Khurshid
 * (Exploring very large state spaces using genetic algorithms, 2004).
 *
 * expect: safety violated invalid-end-state, states 287, transitions 814
 * expect -DN=2: safety violated invalid-end-state, states 43, transitions 83
 * expect -DN=6: safety violated invalid-end-state, states 83071, transitions 471163
 */
#ifndef N
#define N 3
#endif
#define left  (_pid)
#define right ((_pid + 1) % N)

chan fork[N] = [1] of { pid };

active [N] proctype philosopher()
{
    do
    :: if                                   /* thinks, then decides */
       :: skip -> fork[left]!_pid; fork[right]!_pid
       :: skip -> fork[right]!_pid; fork[left]!_pid
       fi;
       skip;                                /* eats */
       fork[left]?eval(_pid);
       fork[right]?eval(_pid)
    od
}
