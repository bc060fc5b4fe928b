/* unless: a way out that is tried before every step.
 *
 * `{ work } unless { way out }`: as soon as the first statement of the way out is
 * executable, the work is given up. When the work is finished first, the way out is
 * closed. If one unless stands inside of another, the outer way out has priority.
 *
 * expect: safety holds, states 6306, transitions 18327
 */
byte work, inner, outer, alarm, left;

active proctype worker()
{
    {
        {
            do
            :: work < 3 -> work++
            :: else -> break
            od
        } unless {
            alarm >= 1 -> inner++
        };
        work = work + 10
    } unless {
        alarm >= 2 -> outer++
    };

    assert(inner <= 1 && outer <= 1);
    /* with neither way out taken everything was done */
    assert(inner || outer || work == 13);
    /* the inner way out leads to the rest of the outer work */
    assert(!inner || outer || work >= 10)
}

/* With both alarms up before it starts, only the outer way out is open. */
active proctype late()
{
    byte way;

    alarm == 2;
    {
        { way = 1 } unless { alarm >= 1 -> way = 2 }
    } unless { alarm >= 2 -> way = 3 };
    assert(way == 3)
}

/* The way out may have choices, and all of them are tried. */
active proctype choosy()
{
    do
    :: alarm < 3
    od unless {
        if
        :: alarm == 2 -> left = 1
        :: alarm == 2 -> left = 2
        fi
    };
    assert(left == 1 || left == 2)
}

active proctype ringer()
{
    alarm++;
    alarm++
}
