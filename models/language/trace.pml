/* trace: the order in which messages must be sent and received.
 *
 * It is an automaton that runs along with the model and moves at every operation on
 * a channel that it mentions (sends if it mentions a send, receives if a receive);
 * if it cannot, that is an error. Here a request is answered before the next one is
 * sent. A client that asks twice (-DHASTY=1) breaks the rule. One that leaves before
 * the answer (-DRUDE=1) leaves the automaton in the middle, which is no valid end.
 *
 * expect: safety holds, states 27, transitions 33
 * expect -DHASTY=1: safety violated trace, states 19, transitions 25
 * expect -DRUDE=1: safety violated invalid-end-state, states 6, transitions 6
 */
#ifndef HASTY
#define HASTY 0
#endif
#ifndef RUDE
#define RUDE 0
#endif

mtype = { ask, answer };
chan up   = [2] of { mtype, byte };
chan down = [2] of { mtype };
chan side = [2] of { byte };                /* not mentioned: free */

trace {
end:
    do
    :: up!ask, _;                           /* `_` stands for any value */
       up?ask, _;
       down!answer;
       down?answer
    od
}

active proctype client()
{
    bit i;

    do
    :: !HASTY && !RUDE -> up!ask, i; side!i; down?answer; side?i; i = 1 - i
    :: HASTY -> up!ask, 1; up!ask, 2; down?answer; down?answer
    :: RUDE -> up!ask, i; break
    :: break
    od
}

active proctype server()
{
    byte i;

end:
    do
    :: up?ask, i -> down!answer
    od
}
