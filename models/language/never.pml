/* A never claim: a behaviour that must not be possible, written as an automaton.
 *
 * The claim looks at every state. If it can go round through its accept state for
 * ever, the forbidden behaviour exists. This one says: the light is switched on at
 * some time and then stays on. With a timer (the default) it always goes off again;
 * without (-DTIMER=0) it may burn for ever.
 *
 * expect: safety holds, states 13, transitions 17
 * expect: never holds
 * expect -DTIMER=0: safety holds, states 14, transitions 19
 * expect -DTIMER=0: never violated
 */
#ifndef TIMER
#define TIMER 1
#endif
#define on (light == 1)

bit light;
byte burning;

active proctype lamp()
{
    do
    :: !light -> light = 1
    :: light && (!TIMER || burning < 3) -> burning = (burning + 1) % 4
    :: light -> d_step { light = 0; burning = 0 }
    od
}

never {
    do
    :: true
    :: on -> break
    od;
accept:
    do
    :: on
    od
}
