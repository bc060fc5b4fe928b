/* An elevator in a house with N floors.
 *
 * On every floor there is a button with a light that burns until somebody has been
 * served. The controller picks a floor and sends the motor; the motor moves floor by
 * floor, then the door opens and closes. The controller picks the lowest call, so
 * that the ground floor can keep it busy for ever, and `served` fails for the top
 * floor even under weak fairness. With -DROUND=1 it goes on upwards, and from the
 * top to the ground, and everybody is served. The shape (N floors, three processes
 * more, this property) is that of elev in Chicano and Alba (Searching for liveness
 * property violations in concurrent systems with ACO, 2008).
 *
 * expect: safety holds, states 288, transitions 670
 * expect: ltl served violated
 * expect: fair ltl served violated
 * expect -DROUND=1: safety holds, states 288, transitions 670
 * expect -DROUND=1: ltl served holds
 * expect -DN=2: safety holds, states 76, transitions 137
 * expect -DN=5: safety holds, states 2720, transitions 9116
 * expect -DN=5: fair ltl served violated
 */
#ifndef N
#define N 3
#endif
#ifndef ROUND
#define ROUND 0
#endif
#define TOP (N - 1)
#define p (call[TOP])
#define q (open && cabin == TOP)

bool call[N];                       /* the lights of the buttons */
byte calls;                         /* how many burn */
byte cabin;                         /* the floor at which it is */
bool open;

chan go = [0] of { byte };          /* to the motor: a floor */
chan arrived = [0] of { bit };
chan stop = [0] of { bit };         /* to the door: open for a while */
chan closed = [0] of { bit };

active [N] proctype button()        /* one on each floor, numbered from 0 */
{
end_unpressed:
    do
    :: atomic { !call[_pid] -> call[_pid] = true; calls++ }
    od
}

active proctype controller()
{
    byte next;

    do
    :: d_step {
           calls > 0;
           next = (ROUND -> (cabin + 1) % N : 0);
           do
           :: call[next] -> break
           :: else -> next = (next + 1) % N
           od
       };
       atomic { go!next; next = 0 };
       arrived?_;
       stop!0;
       closed?_
    od
}

active proctype motor()
{
    byte target;

end_standing:
    do
    :: go?target ->
       do
       :: cabin < target -> cabin++
       :: cabin > target -> cabin--
       :: else -> break
       od;
       target = 0;
       arrived!0
    od
}

active proctype door()
{
end_shut:
    do
    :: stop?_ ->
       open = true;
       d_step { open = false; call[cabin] = false; calls-- };
       closed!0
    od
}

ltl served { [] (p -> <> q) }
