/* _last: the number of the process that made the last step.
 *
 * To mention it is enough to make it part of every state. It is there for
 * properties about scheduling, such as: the two runners, who pass a baton, never
 * move twice in a row. Of a handshake the receiver counts as the last to move.
 *
 * expect: safety holds, states 8, transitions 12
 * expect: ltl alternating holds
 * expect: ltl only_runners violated
 */
bit baton;
bool started;
chan hand = [0] of { bit };

active [2] proctype runner()
{
    do
    :: atomic {
           baton == _pid ->
           assert(_last == _pid);           /* counted already */
           started = true;
           baton = 1 - baton
       }
    od
}

active proctype giver()
{
    hand!0
}

active proctype taker()
{
    atomic {
        hand?_ ->
        assert(_last == _pid)
    };
end:
    false
}

ltl alternating  { [] (started && _last < 2 -> _last == 1 - baton) }
ltl only_runners { [] (_last < 2) }
