/* else: if nothing else in this selection can be done.
 *
 * The other options may be sends and receives. `else` is possible when a buffered
 * channel is full or empty, or no message matches; with a handshake it is possible
 * when nobody is there to shake hands. SPIN warns about this use, with good reason:
 * who asks for a handshake with `else` behind it may always find nobody. And to be
 * ready to receive a handshake does not count: `else` beside it is always open.
 *
 * expect: safety holds, states 1432, transitions 4091
 * expect: ltl never_met violated
 * expect: ltl never_heard violated
 * expect: ltl never_left violated
 */
chan box = [1] of { byte };
chan hand = [0] of { byte };
byte sent, met, missed;
bool waiting;
chan phone = [0] of { byte };
bool heard, gone;

active proctype buffered()
{
    do
    :: box!sent + 1 -> sent++
    :: else -> break                        /* full */
    od;
    assert(sent == 1 && full(box));
    if
    :: box?2 -> assert(false)
    :: else                                 /* there is a message, but not this one */
    fi;
    box?1;
    if
    :: box?_ -> assert(false)
    :: else -> assert(empty(box))
    fi
}

active proctype greeter()
{
    bool there;

    there = waiting;
    if
    :: hand!1 -> met++
    :: else -> missed++; assert(!there)     /* nobody was waiting */
    fi;
    assert(met + missed == 1)
}

active proctype waiter()
{
    waiting = true;
end:
    hand?_
}

active proctype caller()
{
end:
    phone!1
}

active proctype callee()
{
    if
    :: phone?_ -> heard = true
    :: else -> gone = true                  /* even if the caller is waiting */
    fi
}

ltl never_met   { [] (met == 0) }
ltl never_heard { [] !heard }
ltl never_left  { [] (gone -> heard) }
