/* A mutual exclusion protocol that does not work.
 *
 * Each process waits until the other one's flag is down and then raises its own.
 * Between the look and the raise there is room for the other one to look, too:
 * both find the way free, and the assertion fails. Raising the flag first does
 * not help either (-DRAISE_FIRST=1): now both may wait for each other for ever.
 * peterson.pml shows the cure.
 *
 * expect: safety violated assertion, states 49, transitions 91
 * expect -DRAISE_FIRST=1: safety violated invalid-end-state, states 33, transitions 57
 */
#ifndef RAISE_FIRST
#define RAISE_FIRST 0
#endif
#define other (1 - _pid)

bool flag[2];
byte inside;

active [2] proctype user()
{
    do
    :: if
       :: RAISE_FIRST -> flag[_pid] = true; !flag[other]
       :: !RAISE_FIRST -> !flag[other]; flag[_pid] = true
       fi;
       inside++;
       assert(inside == 1);
       inside--;
       flag[_pid] = false
    od
}
