/* A value that does not fit: the sum of two numbers is stored in a byte.
 *
 * 200 + 100 is 300, of which a byte keeps 44. pan does so silently, the simulator of
 * SPIN says it. The run goes on with 44.
 *
 * expect: safety holds, states 5, transitions 5
 */
byte level;

active proctype tank()
{
    level = 200;
    level = level + 100;
    assert(level == 44)
}
