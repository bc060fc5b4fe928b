/* _last inside a statement names the process that moved before it, not the one that moves.
 *
 * expect: safety holds, states 10, transitions 12
 */
active proctype reader()
{
    unsigned seen : 2;
    seen = _last
}

init
{
    short other;
    other = 0
}
