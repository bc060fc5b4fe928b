/* Remote references: where is another process, and what are its local variables?
 *
 * `worker[1]@resting` is true while process 1 is at that label, `worker[1]:done` is
 * its variable. Without a number it is the first living process of that name. They
 * are made for properties, but a process may look, too.
 *
 * expect: safety holds, states 60, transitions 103
 * expect: ltl rests holds
 * expect: ltl never_both violated
 */
active [2] proctype worker()
{
    byte done;

    do
    :: done < 2 ->
working:
       done++
    :: else -> break
    od;
end_of_work:
resting:
    false                                   /* stays here for ever */
}

active proctype watcher()
{
    worker[0]@resting;
    assert(worker[0]:done == 2 && !worker[0]@working);
    assert(worker:done == 2 && worker@resting);     /* process 0 is the first worker */
    worker[1]:done == 2;
    assert(!worker[1]@working)
}

ltl rests      { <> [] (worker[0]@resting && worker[1]@resting) }
ltl never_both { [] !(worker[0]@working && worker[1]@working) }
