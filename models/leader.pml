/* Leader election in a one-way ring, after Chang and Roberts.
 *
 * Every node has a number and knows nothing else but its right neighbour. A node
 * that wakes up sends its number; a node that hears a higher number than its own
 * passes it on, and swallows a lower one. Only the highest number can come back
 * to its owner, who then tells everybody. The numbers are dealt out in every
 * possible way, so all rings of size N are checked at once.
 *
 * expect: safety holds, states 1676, transitions 3268
 * expect: ltl elected holds
 * expect -DN=4: safety holds, states 41502, transitions 108221
 */
#ifndef N
#define N 3
#endif

mtype = { candidate, leader };

chan link[N] = [N] of { mtype, byte };
byte leaders, informed;

proctype node(byte place; byte number)
{
    byte other, chief;
    bool awake;

    do
    :: !awake && empty(link[place]) ->
       awake = true;
       link[(place + 1) % N]!candidate, number
    :: link[place]?candidate, other ->
       if
       :: other > number ->
          awake = true;                     /* no chance for me any more */
          link[(place + 1) % N]!candidate, other
       :: other < number && !awake ->
          awake = true;
          link[(place + 1) % N]!candidate, number
       :: other < number && awake           /* swallowed */
       :: other == number ->
          leaders++;
          assert(leaders == 1 && number == N);
          link[(place + 1) % N]!leader, number
       fi
    :: link[place]?leader, chief ->
       assert(chief == N);
       informed++;
       if
       :: chief != number -> link[(place + 1) % N]!leader, chief
       :: else
       fi;
       break
    od
}

init
{
    byte place, number;
    bool taken[N];

    atomic {
        for (number : 1 .. N) {
            select (place : 0 .. N - 1);
            do                              /* from there, the next free one */
            :: taken[place] -> place = (place + 1) % N
            :: else -> break
            od;
            taken[place] = true;
            run node(place, number)
        }
    }
}

ltl elected { <> (leaders == 1 && informed == N) }
