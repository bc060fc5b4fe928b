/* Jumps and atomic: what decides is where the jump ends.
 *
 * A jump out of an atomic sequence ends it. A jump from one atomic sequence into the
 * middle of another goes on without interruption. A jump to a whole atomic
 * sequence (its label stands in front of it) is a place where others can step in.
 * The observer counts what it can see.
 *
 * expect: safety holds, states 56, transitions 92
 * expect: ltl unseen holds
 * expect: ltl seen violated
 */
byte x;

active proctype jumper()
{
    atomic {
        x = 1;
        x = 2;
        goto middle                         /* no interruption: 2 cannot be seen */
    };
    assert(false);
    atomic {
        x = 99;
middle:
        x = 3;
        x = 4;
        goto whole                          /* an interruption: 4 can be seen */
    };
    assert(false);
whole:
    atomic {
        x = 5;
        if
        :: goto out                         /* leaves: 5 can be seen */
        :: x = 6
        fi
    };
    goto last;
out:
    x = 7;
last:
    skip
}

active proctype observer()
{
    byte seen = x;

    seen = x;
    assert(seen == 0 || seen == 4 || seen >= 5)
}

ltl unseen { [] (x != 1 && x != 2 && x != 3 && x != 99) }
ltl seen   { [] (x != 4 && x != 5) }
