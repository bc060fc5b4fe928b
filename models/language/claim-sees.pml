/* What a claim sees: the states in which the scheduler is free.
 *
 * An atomic sequence, a d_step and a handshake are one step for it. This claim is
 * completed if two states that follow each other are x == 0 and x == 2.
 *
 * expect: safety holds, states 3, transitions 3
 * expect: never holds, states 3
 * expect -DAS=1: safety holds, states 2, transitions 2
 * expect -DAS=1: never violated claim-completed
 * expect -DAS=2: safety holds, states 2, transitions 2
 * expect -DAS=2: never violated claim-completed
 * expect -DAS=3: safety holds, states 4, transitions 4
 * expect -DAS=3: never violated claim-completed
 */
#ifndef AS
#define AS 0                        /* 0 two steps, 1 atomic, 2 d_step, 3 handshake */
#endif

byte x;
chan hand = [0] of { byte };

active proctype mover()
{
#if AS == 0
    x = 1; x = 2
#endif
#if AS == 1
    atomic { x = 1; x = 2 }
#endif
#if AS == 2
    d_step { x = 1; x = 2 }
#endif
#if AS == 3
    hand!2
#endif
}

active proctype taker()
{
end:
    hand?x
}

never {
    do
    :: x == 0
    :: x == 0 -> break
    od;
    x == 2
}
