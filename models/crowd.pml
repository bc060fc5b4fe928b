/* A crowd that waits for a door and then does as it likes: N processes with a
 * few private steps each, in any order.
 *
 * Without reduction the state space has about 4^N states. With --reduce one
 * order of the private steps stands for all of them.
 *
 * expect: safety holds, states 150, transitions 402
 * expect -DN=6: safety holds, states 9558, transitions 47106
 */
#ifndef N
#define N 3
#endif

bool open;

active [N] proctype visitor()
{
    byte steps;

    open;
    steps++;
    steps = 0
}

active proctype door()
{
    open = true
}
