/* Processes come and go: run, _pid, _nr_pr, and the order of death.
 *
 * `run` gives the number of the new process, which is the smallest one that is free.
 * A process that has reached its end is still there until all younger ones are
 * gone; processes die in the reverse order of their birth. `_nr_pr` counts those
 * who are not gone yet.
 *
 * expect: safety holds, states 80, transitions 128
 */
byte ended;
pid first, second;

proctype child(pid parent)
{
    assert(parent == 0 && _pid > parent && _pid < _nr_pr);
    ended++
}

init
{
    assert(_pid == 0 && _nr_pr == 1);

    first = run child(_pid);
    assert(first == 1);
    (_nr_pr == 1);                          /* wait until it is gone */
    assert(ended == 1);

    first = run child(_pid);
    assert(first == 1);                     /* the number is free again */
    second = run child(_pid);
    assert(second == 2 || ended >= 2);      /* 1 only if the other one is gone already */
    (_nr_pr == 1);

    atomic {
        first = run child(_pid);
        second = run child(_pid);
        assert(first == 1 && second == 2 && _nr_pr == 3)
    };
    (_nr_pr <= 2);                          /* the younger one goes first ... */
    assert(ended >= 4);
    (_nr_pr == 1);                          /* ... although the older one may have ended before */
    assert(ended == 5)
}
