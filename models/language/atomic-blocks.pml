/* atomic: uninterrupted, as long as it does not block.
 *
 * If a statement in the middle cannot be executed, the sequence is interrupted like
 * any other and the rest is atomic again once it goes on. So nobody ever sees
 * x == 1 or x == 3, but x == 2 is there for everybody to see.
 *
 * expect: safety holds, states 39, transitions 63
 * expect: ltl only_even holds
 */
byte x;
bool open;

active proctype sequence()
{
    atomic {
        x = 1;
        x = 2;
        open;                               /* blocks: the others move on */
        x = 3;
        x = 4
    }
}

active proctype opener()
{
    x == 2;
    assert(x == 2 && !open);
    open = true
}

active proctype observer()
{
    byte seen;

    seen = x;
    assert(seen == 0 || seen == 2 || seen == 4)
}

ltl only_even { [] (x == 0 || x == 2 || x == 4) }
