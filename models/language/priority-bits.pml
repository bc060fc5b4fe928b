/* A process started with a priority keeps all its variables.
 *
 * pan takes the last byte of such a process for padding and does not compare it:
 * it finds 8 states, and 9 if it is compiled with -DNOCOMP.
 *
 * expect: safety holds, states 9, transitions 11
 */
unsigned turn : 2;

active proctype first()
{
    run second() priority 1;
    turn++
}

proctype second()
{
    bool seen;
    seen = turn
}
