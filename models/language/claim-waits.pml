/* A claim that has to wait in one state while what it waits for is put off.
 *
 * The automaton of the negation may move on, whenever it sees a and c, to a state in which c must stay until d comes. The first time
 * c does not stay; the second time d comes. So it has to wait through the first time, and while it waits, only the turner moves in the
 * reduced state space: somewhere on that circle everything must be explored with the claim in the state in which it waits, not
 * only in the other one.
 *
 * expect: safety holds, states 8
 * expect: ltl never_again violated claim-completed
 */
bit a = 1, c = 1, d;

active proctype turner()
{
	bit x;

	do
	:: x = 1; x = 0
	od
}

active proctype setter()
{
	c = 0;
	atomic { c = 1; d = 1 }
}

ltl never_again { [] (a -> !(c U d)) }
