/* A receive that changes what it has compared.
 *
 * q?eval(a),a compares the first field with a, and then stores the second one there.
 * When pan goes back over that receive, it puts the message into the channel again, with
 * the value that a has by then as its first field: (1, 1) instead of (0, 1). It reports
 * an assertion as violated that holds in every run.
 *
 * expect: safety holds, states 11, transitions 11
 */
byte a;
chan q = [1] of { byte, byte };

active proctype reader()
{
    byte x, y;
    if
    :: q?x,y -> assert(x == 0 && y == 1)
    :: timeout
    fi
}

active proctype writer()
{
    q!0,1;
    if
    :: q?eval(a),a
    :: timeout
    fi
}
