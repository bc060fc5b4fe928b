/* Dining philosophers with an observer, who writes down who is hungry.
 *
 * Every philosopher says when he gets hungry and when he eats; the observer hears
 * it by handshake, so that his notes are never late. All take their left fork
 * first. `fed`: whoever is noted as hungry will be noted as eating. It fails in
 * three ways: all starve together, some others eat for ever, or nobody but the
 * others ever moves; weak fairness rules out the last one only. The shape (N
 * philosophers, one process more, this property) is that of phi in Chicano and
 * Alba (Searching for liveness property violations in concurrent systems with ACO,
 * 2008).
 *
 * expect: safety violated invalid-end-state, states 111, transitions 274
 * expect: ltl fed violated
 * expect: fair ltl fed violated
 * expect -DN=2: safety violated invalid-end-state, states 23, transitions 39
 * expect -DN=5: safety violated invalid-end-state, states 2623, transitions 10796
 * expect -DN=5: ltl fed violated
 */
#ifndef N
#define N 3
#endif
#define left  (_pid)
#define right ((_pid + 1) % N)
#define p (hungry[0])
#define q (!hungry[0])

chan tell = [0] of { pid, bool };
bool taken[N];
bool hungry[N];                     /* the observer's notes */

active [N] proctype philosopher()
{
    do
    :: tell!_pid, true;
       atomic { !taken[left] -> taken[left] = true };
       atomic { !taken[right] -> taken[right] = true };
       tell!_pid, false;                    /* eats */
       taken[right] = false;
       taken[left] = false
    od
}

active proctype observer()
{
    pid who;
    bool is;

end_listening:
    do
    :: atomic { tell?who, is -> hungry[who] = is; who = 0; is = false }
    od
}

ltl fed { [] (p -> <> q) }
