/* Division by zero is a run-time error.
 *
 * SPIN's verifier dies here with a signal. A model checker should say what is wrong
 * and how to get there.
 *
 * expect: safety violated runtime-error
 */
byte parts, share = 12;

active proctype divide()
{
    assert(parts == 0 || 12 / parts > 0);   /* lazy: no division if parts is 0 */
    parts = 2;
    share = share / parts;
    assert(share == 6);
    parts = parts - 2;
    share = share % parts
}
