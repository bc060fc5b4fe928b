/* Remote references in a never claim: places and variables of processes.
 *
 * worker[1] is process 1, worker alone the first worker who is alive, here process 0.
 * The claim looks for a run in which process 0 rests while process 1 works, and after
 * that both rest. If the first one waits for the second (-DWAIT=1), there is none.
 *
 * expect: safety holds, states 21, transitions 33
 * expect: never violated claim-completed
 * expect -DWAIT=1: safety holds, states 12, transitions 15
 * expect -DWAIT=1: never holds, states 12
 */
#ifndef WAIT
#define WAIT 0
#endif

bool free = !WAIT;

active [2] proctype worker()
{
    byte done;

    (_pid == 1 || free);
working:
    done = 1 + _pid;
rest:
    free = true
}

never {
    do
    :: true
    :: worker[0]@rest && worker[1]@working && worker[1]:done == 0 -> break
    od;
    do
    :: true
    :: worker@rest && worker:done == 1 && worker[1]@rest && worker[1]:done == 2 -> break
    od
}
