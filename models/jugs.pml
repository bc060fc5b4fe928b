/* A puzzle: measure 4 litres with a jug of 5 and a jug of 3.
 *
 * A model checker solves puzzles if we claim that there is no solution: the way to
 * the violated assertion is the answer, and a breadth-first search gives the
 * shortest. With jugs of 6 and 3 litres there is none; the assertion holds.
 *
 * expect: safety violated assertion, states 62, transitions 107
 * expect -DBIG=6 -DGOAL=4: safety holds, states 20, transitions 33
 */
#ifndef BIG
#define BIG 5
#endif
#ifndef SMALL
#define SMALL 3
#endif
#ifndef GOAL
#define GOAL 4
#endif
#define min(a, b) ((a) < (b) -> (a) : (b))

byte big, small;

active proctype measure()
{
    byte poured;

    do
    :: big < BIG     -> big = BIG
    :: small < SMALL -> small = SMALL
    :: big > 0       -> big = 0
    :: small > 0     -> small = 0
    :: d_step {
           big > 0 && small < SMALL ->
           poured = min(big, SMALL - small);
           big = big - poured;
           small = small + poured;
           poured = 0
       }
    :: d_step {
           small > 0 && big < BIG ->
           poured = min(small, BIG - big);
           small = small - poured;
           big = big + poured;
           poured = 0
       }
    :: big == GOAL || small == GOAL ->
       assert(false)
    od
}
