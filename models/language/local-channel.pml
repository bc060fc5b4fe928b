/* Local channels live and die with their process.
 *
 * Each process has channels of its own, also two processes of the same type. When it
 * dies, they are gone, with the messages in them, and the next process gets fresh
 * ones.
 *
 * expect: safety holds, states 196, transitions 342
 */
byte round;
chan meeting = [0] of { chan };

proctype visitor(byte n)
{
    chan bag = [2] of { byte };
    chan pockets[2] = [1] of { byte };

    assert(empty(bag) && empty(pockets[0]) && empty(pockets[1]));
    bag!n;
    pockets[1]!n + 10;
    assert(pockets[0] != pockets[1] && len(pockets[0]) == 0);
    meeting!bag;                            /* the host may look into the bag */
    bag?eval(n + 1);                        /* and has changed it */
    bag!99                                  /* left behind: gone with the process */
}

init
{
    chan theirs;
    byte n;

    for (round : 1 .. 2) {
        run visitor(round);
        meeting?theirs;
        theirs?n;
        assert(n == round && empty(theirs));
        theirs!n + 1;
        (_nr_pr == 1)
    };

    /* Two at once: their bags are different ones. */
    atomic { run visitor(5); run visitor(6) };
    meeting?theirs;
    theirs?n;
    theirs!n + 1;
    assert(n == 5 || n == 6);
    meeting?theirs;
    assert(theirs?[eval(11 - n)])           /* the other visitor's, untouched */
    theirs?n;
    theirs!n + 1
}
