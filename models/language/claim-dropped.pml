/* An error that must be found before the claim drops the run.
 *
 * The claim sees a run only until a is lost, and the prover's assertion fails on a run that it sees. The turner and the setter
 * depend on each other, so that both may move while the prover is put off; but only the moves of the turner keep a.
 *
 * expect: safety violated assertion, states 30
 * expect: ltl until violated assertion
 */
bit a = 1, d, g;

active proctype prover()
{
	byte y;

	if
	:: y = 1; assert(false)
	:: y = 2
	:: y = 3
	fi
}

active proctype turner()
{
	bit x;

	do
	:: d_step { g == 0 -> x = 1 - x }
	od
}

active proctype setter()
{
	atomic { a = 0; g = 1 }
}

ltl until { !(a U d) }
