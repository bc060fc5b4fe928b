/* for: over a range, over an array, over the messages in a channel.
 *
 * The upper bound is computed anew in every round, and after the loop the variable
 * is one above it. The loop over a channel takes every message out and puts it in
 * again at the end, so that afterwards the channel looks as before.
 *
 * expect: safety holds, states 184, transitions 184
 */
#define N 3

typedef Parcel { byte weight; bool fragile }

byte square[N + 1] = { 9, 9, 0 };
chan belt = [4] of { Parcel };
byte total, rounds;

active proctype looper()
{
    byte i, j, last = 2;
    Parcel it;

    assert(square[0] == 9 && square[1] == 9 && square[2] == 0 && square[3] == 0);
    for (i : 0 .. N) {
        square[i] = i * i
    }
    assert(i == N + 1);

    for (i in square) {
        total = total + square[i]
    }
    assert(total == 14 && i == N + 1);

    for (i : 5 .. last) {
        assert(false)                       /* an empty range */
    }
    assert(i == 5);

    for (i : 1 .. last) {
        rounds++;
        if
        :: rounds == 1 -> last = 4
        :: else
        fi
    }
    assert(rounds == 4 && i == 5);

    rounds = 0;
    for (i : 0 .. 9) {
        for (j : i .. 9) {
            if
            :: i + j == 7 -> break
            :: else -> rounds++
            fi
        }
        if
        :: i == 2 -> break                  /* leaves the for as it leaves a do */
        :: else
        fi
    }
    assert(i == 2 && rounds == 7 + 5 + 3);

    total = 0;
    belt!5, true;
    belt!7, false;
    for (it in belt) {
        total = total + it.weight;
        assert(it.fragile == (it.weight == 5))
    }
    assert(total == 12 && len(belt) == 2 && belt?[5, true]);

    total = 0;
    for (it in belt) {
        if
        :: len(belt) < 4 -> belt!1, false   /* the loop gets longer while it runs */
        :: else
        fi;
        total = total + it.weight
    }
    assert(total == 5 + 7 + 5 + 1 && len(belt) == 4)
}
