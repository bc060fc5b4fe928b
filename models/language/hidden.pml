/* hidden: a variable that is no part of the state.
 *
 * It can be used like any other, but two states that differ only there are the same
 * state. That is right for scratch variables whose value does not matter any more,
 * and a trap for everything else. As an ordinary variable (-DVISIBLE=1) it makes
 * the state space of this model 250 times as large.
 *
 * expect: safety holds, states 5, transitions 11
 * expect -DVISIBLE=1: safety holds, states 1250, transitions 2501
 */
#ifndef VISIBLE
#define VISIBLE 0
#endif

byte place;
#if VISIBLE
byte spare;
#else
hidden byte spare;
#endif

active proctype walker()
{
    do
    :: d_step { spare = (spare + 1) % 250; place = (place + 1) % 5 }
    :: d_step { spare = place; place = 4 - spare }
    od
}
