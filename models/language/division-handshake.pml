/* The index of a channel is evaluated before anybody is looked for who might receive: a division by zero there is a run-time
 * error, and no deadlock.
 *
 * expect: safety violated runtime-error
 */
chan ring[2] = [0] of { byte };

active proctype sender()
{
    byte none;

    ring[1 % none]!1
}

active proctype receiver()
{
    byte got;

    ring[_pid]?got
}
