/* Processes that ask each other whether they can move, and so themselves: pan says "used: enabled(pid=thisproc)".
 *
 * expect: safety violated runtime-error
 */
active [2] proctype user()
{
    do
    :: enabled(0) || enabled(1)
    od
}
