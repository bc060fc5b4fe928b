/* A process that stands at an accept label for ever accepts, even if nothing moves.
 *
 * The last state of a run repeats for ever, so it is a cycle of its own. The guard
 * waits at his label; whoever waits elsewhere (-DAT_LABEL=0) has left it behind.
 *
 * expect: safety holds, states 1, transitions 1
 * expect: acceptance violated
 * expect: fair acceptance violated
 * expect -DAT_LABEL=0: safety holds, states 2, transitions 2
 * expect -DAT_LABEL=0: acceptance holds
 */
#ifndef AT_LABEL
#define AT_LABEL 1
#endif

bool bell;

active proctype guard()
{
#if AT_LABEL
end_waiting:
accept_waiting:
    bell
#else
accept_before:
    bell = false;
end_waiting:
    bell
#endif
}
