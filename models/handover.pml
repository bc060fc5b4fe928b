/* Producer, middleman and consumer who hand over from hand to hand.
 *
 * A channel of length 0 stores nothing: sending and receiving are one step of two
 * processes. So what the producer counts as sent has really been taken, and as
 * the middleman has one pair of hands, the counters differ by one at most.
 * No message is ever part of a state, which keeps the state space small.
 *
 * expect: safety holds, states 35, transitions 53
 * expect: ltl close_together holds
 * expect: progress holds
 */
#define ROUND 4

chan in  = [0] of { byte };
chan out = [0] of { byte };
byte sent, taken;

active proctype producer()
{
    do
    :: atomic { in!sent -> sent = (sent + 1) % ROUND }
    od
}

active proctype middleman()
{
    byte hand;

    do
    :: in?hand;
       out!hand
    od
}

active proctype consumer()
{
    byte hand;

    do
    :: atomic {
           out?hand ->
           assert(hand == taken);
           taken = (taken + 1) % ROUND
       };
progress:
       skip
    od
}

/* As `sent` is counted a moment after the handover, the consumer may be ahead by one. */
#define ahead ((sent + ROUND - taken) % ROUND)

ltl close_together { [] (ahead <= 1 || ahead == ROUND - 1) }
