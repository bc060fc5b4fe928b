/* The alternating bit protocol: reliable delivery over a line that loses messages.
 *
 * The sender repeats a message until its acknowledgement comes back; one bit in
 * both tells a new message from a repeated one. That every message arrives at most
 * once and in order is a safety property (the assertion in the receiver). That it
 * arrives at all depends on the line: `delivered` fails, because the noise may eat
 * everything for ever. `delivered_if_heard` says: if the receiver hears something
 * again and again, every message sent is received. It holds under weak fairness
 * only: an unfair scheduler lets the receiver hear once and then never move again.
 * `both_ways` asks the same of the way back: an acknowledgement sent is heard. It
 * is the property that Chicano and Alba (Searching for liveness property violations
 * in concurrent systems with ACO, 2008) check of a model of this protocol. Try also
 *
 *     swarmgp verify alter.pml --ltl "[](p -> <>q)"
 *
 * expect: safety holds, states 800, transitions 2068
 * expect: ltl delivered violated
 * expect: ltl delivered_if_heard violated
 * expect: fair ltl delivered_if_heard holds
 * expect: ltl both_ways violated
 * expect: fair ltl both_ways violated
 * expect: progress violated
 */
#define p (sent)                    /* a message was sent and is not yet there */
#define q (received)                /* ... and now it is */
#define r (receiver@answering)      /* an acknowledgement is on its way */
#define s (sender@answered)         /* ... and has come back */
#define heard (receiver@listening)

#define VALUES 3                    /* messages carry 0, 1, 2, 0, 1, ... */

chan data = [1] of { byte, bit };
chan acks = [1] of { bit };

bool sent, received;

active proctype sender()
{
    byte value;
    bit tag, echo;

    do
    :: atomic { sent = true; received = false };
       data!value, tag;
       do
       :: acks?echo ->
answered:
          if
          :: echo == tag -> break
          :: else                           /* a late echo of the message before */
          fi
       :: data!value, tag                   /* once more */
       od;
       value = (value + 1) % VALUES;
       tag = 1 - tag
    od
}

active proctype receiver()
{
    byte value, due;
    bit tag, next;

end_waiting:
    do
    :: data?value, tag ->
listening:
       if
       :: tag == next ->
          assert(value == due);
          atomic { received = true; sent = false };
progress_new:
          due = (due + 1) % VALUES;
          next = 1 - next
       :: else                              /* a repetition */
       fi;
answering:
       acks!tag
    od
}

active proctype noise()
{
end_quiet:
    do
    :: data?_, _
    :: acks?_
    od
}

ltl delivered          { [] (p -> <> q) }
ltl delivered_if_heard { [] <> heard -> [] (p -> <> q) }
ltl both_ways          { [] (p -> <> q) && [] (r -> <> s) }
