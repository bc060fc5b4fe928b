/* X, the next state: the next one in which the scheduler is free.
 *
 * An atomic sequence is one step, and the last state of a run that ends is followed
 * by itself. SPIN 6.5.2 refuses X in ltl blocks, so these verdicts are not SPIN's.
 *
 * expect: safety holds, states 6, transitions 6
 * expect: ltl one_by_one holds
 * expect: ltl at_once holds
 * expect: ltl unseen holds
 * expect: ltl stays holds
 * expect: ltl moves_on violated
 */
byte x;

active proctype stepper()
{
    x = 1;
    atomic { x = 2; x = 3 };
    d_step { x = 4; x = 5 };
    x = 6
}

ltl one_by_one { [] (x == 1 -> X (x == 1 || x == 3)) }
ltl at_once    { X (x == 1) && X X (x == 3) && X X X (x == 5) }
ltl unseen     { [] (x != 2 && x != 4) }
ltl stays      { [] (x == 6 -> X (x == 6)) }
ltl moves_on   { [] (x == 1 -> X (x == 2)) }
