/* A never claim that comes to its end has seen what must never happen.
 *
 * There is no cycle: the beginning of a run is enough. This claim wants to see the
 * light on, then off, then on again, in three states that follow each other. With a
 * rest in between (-DREST=1) that is not possible.
 *
 * expect: safety holds, states 2, transitions 3
 * expect: never violated claim-completed
 * expect -DREST=1: safety holds, states 3, transitions 4
 * expect -DREST=1: never holds, states 5
 */
#ifndef REST
#define REST 0
#endif

bool light;

active proctype hand()
{
    do
    :: light = true;
       light = false;
#if REST
       skip
#endif
    od
}

never {
    do
    :: true
    :: light -> break
    od;
    !light;
    light
}
