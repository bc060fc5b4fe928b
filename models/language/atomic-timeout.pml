/* An atomic sequence that waits for `timeout` loses control there: a claim sees the state in its middle, although the same process
 * goes on, because nobody else can move.
 *
 * expect: safety holds, states 2
 * expect: ltl left violated
 * expect: ltl stays violated
 */
bool inside;

active proctype looper()
{
	do
	:: atomic { inside = true; timeout; inside = false }
	od
}

ltl left { <> [] !inside }
ltl stays { <> [] inside }
