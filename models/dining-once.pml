/* Dining philosophers for one meal: a deadlock that one cannot come back to.
 *
 * As in dining-philosophers.pml a fork is a lock, and all reach for their left fork
 * first, but everybody eats once and goes home. As soon as one has eaten there is
 * always somebody who can get both forks, so the only deadlock is the one in which all
 * take their left fork before anybody has both. Each philosopher makes the same
 * steps on every way there (he starts, reaches, takes, reaches), so all of them have
 * 4 N steps, and a run that has let one philosopher eat is lost.
 *
 * The shape is that of DiningPhil in Alba, Chicano, Ferreira and Gómez-Pulido (Finding
 * deadlocks in large concurrent Java programs using genetic algorithms, 2008).
 *
 * expect: safety violated invalid-end-state, states 547, transitions 1275
 * expect -DN=2: safety violated invalid-end-state, states 70, transitions 111
 * expect -DN=5: safety violated invalid-end-state, states 33145, transitions 128028
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
    wants = left;
    fork[wants]!_pid;
    wants = right;
    fork[wants]!_pid;
    wants = 0;                              /* eats */
    fork[left]?eval(_pid);
    fork[right]?eval(_pid)
}
