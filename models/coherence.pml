/* Cache coherence: N processors with a cache each, one word of memory, one bus.
 *
 * A cached copy is Invalid, Shared or Modified. A processor loads from a valid
 * copy and stores into a Modified one without asking; for everything else it posts
 * a request, and the bus serves one request after the other while all caches
 * listen. The promise: whoever loads gets what was stored last, and a Modified
 * copy is the only one. A bus that forgets to invalidate breaks it.
 *
 * expect: safety holds, states 540, transitions 1209
 * expect -DFORGETFUL=1: safety violated assertion, states 820, transitions 1969
 * expect -DN=3: safety holds, states 8358, transitions 20647
 */
#ifndef N
#define N 2
#endif
#ifndef FORGETFUL
#define FORGETFUL 0
#endif

mtype = { invalid, shared, modified };          /* of a copy */
mtype = { load, own, flush };                   /* requests */

mtype copy[N] = invalid;
bit word[N];
bit memory, newest;

chan bus = [N] of { mtype, pid };
chan done[N] = [0] of { bit };

active [N] proctype processor()
{
    do
    :: atomic { copy[_pid] != invalid -> assert(word[_pid] == newest) }
    :: atomic { copy[_pid] == modified -> newest = 1 - newest; word[_pid] = newest }
    :: atomic { copy[_pid] == shared -> copy[_pid] = invalid; word[_pid] = 0 }
    :: atomic { copy[_pid] == invalid -> bus!load, _pid }; done[_pid]?_
    :: atomic { copy[_pid] != modified -> bus!own, _pid }; done[_pid]?_
    :: atomic { copy[_pid] == modified -> bus!flush, _pid }; done[_pid]?_
    od
}

/* A modified copy somewhere goes back to memory; then all copies get the state `then`. */
inline snoop(then)
{
    for (other : 0 .. N - 1) {
        if
        :: copy[other] == modified -> memory = word[other]; copy[other] = then
        :: copy[other] == shared && !FORGETFUL -> copy[other] = then
        :: else
        fi;
        if
        :: copy[other] == invalid -> word[other] = 0
        :: else
        fi
    }
}

active proctype controller()
{
    mtype request;
    pid who;
    byte other;

    do
    :: bus?request, who ->
       d_step {
           if
           :: request == load -> snoop(shared); copy[who] = shared; word[who] = memory
           :: request == own -> snoop(invalid); copy[who] = modified; word[who] = memory
           :: request == flush && copy[who] == modified ->
              memory = word[who];
              copy[who] = invalid;
              word[who] = 0
           :: else                          /* somebody else made me flush already */
           fi;
           request = 0;
           other = 0
       };
       done[who]!0
    od
}
