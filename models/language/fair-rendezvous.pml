/* Weak fairness and handshakes.
 *
 * A handshake is a step of both sides. While the receiver waits the sender can move
 * all the time, so he does it at some time, and with that the receiver does.
 *
 * expect: safety holds, states 12, transitions 25
 * expect: ltl comes_in violated
 * expect: fair ltl comes_in holds
 * expect: ltl looks_out violated
 * expect: fair ltl looks_out holds
 */
chan door = [0] of { bit };
chan window = [0] of { bit };
bit bird;
bool in_door, in_window;

active proctype singer()
{
    do
    :: bird = 1 - bird
    od
}

active proctype sender()
{
    door!0;
    in_door = true;
    do
    :: window!0
    od
}

active proctype receiver()
{
    door?_;
    do
    :: window?_ -> in_window = true
    od
}

ltl comes_in  { <> in_door }
ltl looks_out { <> in_window }
