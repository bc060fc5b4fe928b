/* A number that does not fit into the variable that receives it.
 *
 * The message is 3, of which a bool keeps 1. When pan goes back over that receive, it
 * puts the 1 of the variable into the channel again, and then lets the other process
 * receive 1: it reports an assertion as violated that holds in every run.
 *
 * expect: safety holds, states 11, transitions 11
 */
bool narrow;
chan q = [1] of { byte };

active proctype reader()
{
    byte x;
    if
    :: q?x -> assert(x == 3)
    :: timeout
    fi
}

active proctype writer()
{
    q!3;
    if
    :: q?narrow
    :: timeout
    fi
}
