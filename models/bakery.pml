/* Lamport's bakery: take a ticket higher than all you see, wait for the lower ones.
 *
 * Tickets are not drawn atomically, so two customers may get the same one; then
 * the smaller name goes first. As long as the shop is never empty the tickets keep
 * rising, so a customer who would draw one above TICKETS turns around at the door
 * and tries later. That cuts the behaviour down to a finite part of the real one.
 *
 * expect: safety holds, states 3812, transitions 7365
 * expect -DN=3 -DTICKETS=1: safety holds, states 79703, transitions 231721
 * expect -DTICKETS=8: safety holds, states 10752, transitions 20655
 */
#ifndef N
#define N 2
#endif
#ifndef TICKETS
#define TICKETS 3
#endif

bool choosing[N];
byte ticket[N];                     /* 0: not waiting */
byte inside;

active [N] proctype customer()
{
    byte highest, other;

    do
    :: choosing[_pid] = true;
       highest = 0;
       other = 0;
       do
       :: other < N ->
          if
          :: ticket[other] > highest -> highest = ticket[other]
          :: else
          fi;
          other++
       :: else -> break
       od;
       if
       :: highest < TICKETS -> ticket[_pid] = highest + 1
       :: else
       fi;
       choosing[_pid] = false;
       if
       :: ticket[_pid] > 0 ->
          other = 0;
          do
          :: other < N ->
             !choosing[other];
             (ticket[other] == 0 || ticket[other] > ticket[_pid] ||
                 (ticket[other] == ticket[_pid] && other >= _pid));
             other++
          :: else -> break
          od;
          inside++;
          assert(inside == 1);
          inside--;
          ticket[_pid] = 0
       :: else
       fi
    od
}
