/* timeout under the eyes of a claim.
 *
 * A claim can nearly always move, but it is no process: timeout is true if no process
 * can do anything else. The sleeper wakes when the talker has nothing more to say.
 *
 * expect: safety holds, states 13, transitions 14
 * expect: ltl wakes holds
 * expect: ltl late holds
 * expect: ltl silent holds
 */
byte said;
bool awake;

active proctype talker()
{
    do
    :: said < 3 -> said++
    :: awake -> break
    od
}

active proctype sleeper()
{
    timeout -> awake = true
}

ltl wakes  { <> awake }
ltl late   { [] (awake -> said == 3) }
ltl silent { [] (said == 3 -> <> awake) }
