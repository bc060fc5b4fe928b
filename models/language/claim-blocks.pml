/* A never claim that cannot move loses interest in the run.
 *
 * It accepts nothing that goes on from there, and nobody looks any further. A run
 * that begins with x == 1 is not what this claim is about, so the assertion that
 * fails behind it is not even reached. Nor does it accept a run in which x changes
 * once more (-DFLIP=1).
 *
 * expect: safety violated assertion, states 8, transitions 8
 * expect: never violated acceptance-cycle
 * expect -DFLIP=1: safety violated assertion, states 10, transitions 12
 * expect -DFLIP=1: never holds, states 5
 */
#ifndef FLIP
#define FLIP 0
#endif

byte x;

active proctype chooser()
{
    if
    :: x = 1; assert(false)
    :: x = 2
    fi;
    do
    :: FLIP -> x = 5 - x
    :: !FLIP -> break
    od
}

never {
    x == 0;
accept:
    do
    :: x == 2
    od
}
