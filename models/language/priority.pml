/* Priorities: of all processes that could move, only the most important ones do.
 *
 * The high process always goes first, until it blocks; then the others may take a
 * step, and as soon as that step wakes it up it has the processor again. A process
 * can change its own priority, or that of another one.
 *
 * expect: safety holds, states 26, transitions 26
 */
byte x, order;
bool go;

active proctype high() priority 10
{
    assert(x == 0);                         /* nobody moved before */
    x = 1;
    go;                                     /* blocks: middle and low may run */
    assert(x == 3 && order == 0);           /* back before middle's next step */
    x = 4
}

active proctype middle() priority 5
{
    assert(x == 1);
    x = 3;
    go = true;
    assert(x == 4);                         /* high is done */
    order = 1
}

active proctype low()
{
    assert(order == 1 && _priority == 1);   /* the default */
    assert(get_priority(_pid) == 1);
    order = 2;
    set_priority(_pid, 7);
    assert(get_priority(_pid) == 7 && _priority == 7);
    order = 3;
    run helper() priority 20;
    assert(order == 4);                     /* the helper overtook */
    _priority = 1
}

proctype helper()
{
    assert(_priority == 20);
    order = 4
}
