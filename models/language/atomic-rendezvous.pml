/* Handshakes inside of atomic sequences: control goes to the receiver.
 *
 * A sender gives up its atomicity with the handshake. If the receiver is in the
 * middle of an atomic sequence of its own, it runs on alone up to its end; then the
 * scheduler is free, and when the sender's turn comes it goes on atomically. So a
 * thing received and put away in one atomic sequence is never seen in between.
 *
 * expect: safety holds, states 8, transitions 10
 * expect: ltl put_away holds
 * expect: ltl sender_first violated
 */
chan door = [0] of { byte };
byte in_hand, shelf, log;
bool noted;

active proctype sender()
{
    atomic {
        log = 1;
        door!5;                             /* from here on the receiver has control */
        noted = true;
        log = 2;
        log = 3
    }
}

active proctype receiver()
{
    atomic {
        door?in_hand;
        assert(!noted && log == 1);         /* the sender has not gone on */
        shelf = in_hand;
        in_hand = 0
    };
    assert(log == 1 || log == 3)            /* 2 is inside of the sender's rest */
}

ltl put_away     { [] (in_hand == 0) }
ltl sender_first { [] (shelf == 5 -> noted) }
