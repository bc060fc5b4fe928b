/* provided: a process that may only move while a condition holds.
 *
 * The condition is looked at before every step of the process, even in the middle of
 * an atomic sequence, which therefore can be interrupted. Two tasks take turns, and
 * whoever clears its own condition stands still from then on.
 *
 * expect: safety holds, states 261, transitions 514
 */
bit turn;
byte steps[2];
bool on = true, frozen;

active [2] proctype task() provided (turn == _pid)
{
    do
    :: steps[_pid] < 3 ->
       assert(turn == _pid);
       atomic {
           steps[_pid]++;
           turn = 1 - turn;                 /* switches itself off: the other one goes on */
           assert(turn == _pid)             /* only when it is on again */
       }
    :: else -> break
    od;
    turn = 1 - _pid
}

active proctype sleeper() provided (on)
{
    atomic {
        frozen = true;
        on = false;
        frozen = false                      /* does not happen before it is on again */
    }
}

active proctype waker()
{
    frozen;
    assert(!on);                            /* in the middle of sleeper's atomic sequence */
    on = true
}
