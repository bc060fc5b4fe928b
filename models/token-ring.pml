/* A token ring: one frame circles, and who finds it empty may fill it.
 *
 * A station that has something to say waits for the empty frame, writes sender
 * and receiver on it and sends it round. The receiver ticks it off; when it comes
 * back, the sender makes sure that it was read, empties it and passes it on, so
 * that nobody can keep it. Neighbours pass the frame by a handshake.
 *
 * expect: safety holds, states 6139, transitions 15357
 * expect: fair ltl heard holds
 * expect -DN=4: safety holds, states 97905, transitions 324282
 */
#ifndef N
#define N 3
#endif
#ifndef BACKLOG
#define BACKLOG 1                   /* how much a station may have to say at once */
#endif
#define NOBODY N

chan ring[N] = [0] of { byte, byte, bool };     /* from, to, read */

active [N] proctype station()
{
    byte from = NOBODY, to, backlog;
    bool read;

    if
    :: _pid == 0 -> goto pass
    :: else
    fi;
    do
    :: backlog < BACKLOG -> backlog++
    :: ring[_pid]?from, to, read;
       if
       :: from == NOBODY && backlog > 0 ->
          backlog--;
          from = _pid;
          select (to : 0 .. N - 1);
          read = (to == _pid)
       :: from == NOBODY && backlog == 0
       :: from == _pid ->
          assert(read);
          d_step { from = NOBODY; to = 0; read = false }
       :: from != _pid && from != NOBODY && to == _pid -> read = true
       :: from != _pid && from != NOBODY && to != _pid
       fi;
pass:
       ring[(_pid + 1) % N]!from, to, read;
       d_step { from = NOBODY; to = 0; read = false }
    od
}

ltl heard { [] (station[0]:backlog > 0 -> <> (station[0]:backlog == 0)) }
