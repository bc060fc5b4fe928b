/* A run that ends goes on: its last state is there for ever.
 *
 * LTL speaks of runs without end, so the last state of a finite one is taken to
 * repeat. That goes for runs in which all processes are gone, for those that stop
 * where they may, and for deadlocks (-DSTUCK=1). It is a fair run: nobody could move
 * and did not. (With weak fairness SPIN 6.5.2 follows the last state of this model to
 * its depth limit and overlooks that `stays_on_way` is violated.)
 *
 * expect: safety holds, states 5, transitions 5
 * expect: ltl arrives holds
 * expect: ltl stays_on_way violated
 * expect: ltl comes_again violated
 * expect: ltl until_there holds
 * expect: ltl once_more violated
 * expect: fair ltl arrives holds
 * expect: fair ltl stays_on_way violated
 * expect: fair ltl comes_again violated
 * expect -DSTUCK=1: safety violated invalid-end-state, states 3, transitions 3
 * expect -DSTUCK=1: ltl arrives holds
 * expect -DSTUCK=1: ltl stays_on_way violated
 * expect -DSTUCK=1: fair ltl stays_on_way violated
 * expect -DSTUCK=1: fair ltl comes_again violated
 */
#ifndef STUCK
#define STUCK 0
#endif

byte x;

active proctype walker()
{
    x = 1;
    x = 2;
    !STUCK
}

ltl arrives      { <> [] (x == 2) }
ltl stays_on_way { <> [] (x == 1) }
ltl comes_again  { [] <> (x == 1) }
ltl until_there  { (x <= 1) U (x == 2) }
ltl once_more    { [] (x == 2 -> <> (x == 1)) }
