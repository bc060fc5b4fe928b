/* Dining philosophers who think, in as many steps as a Java program would take.
 *
 * A fork is a lock: to take it is to put one's name into the channel, which blocks
 * while somebody else's name is there. A philosopher thinks, reaches for his left
 * fork, takes it, reaches for his right fork, takes it, eats, drops the left and then
 * the right fork, for ever. Each of these is a step, because a thread that waits for a
 * lock is in another state than one that is just about to ask for it; that the thread
 * starts is a step as well. All hold their left fork and reach for the right one: this
 * is the only deadlock. The shortest way there has 5 N steps (each one starts, thinks,
 * reaches, takes, reaches); the others are longer by a number of meals.
 *
 * The shape is that of DiningPhilosophers in Alba, Chicano, Ferreira and Gómez-Pulido
 * (Finding deadlocks in large concurrent Java programs using genetic algorithms,
 * 2008).
 *
 * expect: safety violated invalid-end-state, states 468, transitions 1282
 * expect -DN=2: safety violated invalid-end-state, states 60, transitions 111
 * expect -DN=5: safety violated invalid-end-state, states 28356, transitions 129456
 */
#ifndef N
#define N 3
#endif
#define left  (_pid)
#define right ((_pid + 1) % N)

chan fork[N] = [1] of { pid };

active [N] proctype philosopher()
{
    byte wants;                     /* the fork he reaches for */

    skip;                                   /* starts */
    do
    :: skip;                                /* thinks */
       wants = left;
       fork[wants]!_pid;
       wants = right;
       fork[wants]!_pid;
       wants = 0;                           /* eats */
       fork[left]?eval(_pid);
       fork[right]?eval(_pid)
    od
}
