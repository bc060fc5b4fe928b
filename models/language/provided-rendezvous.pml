/* provided and handshakes: a process that may not move cannot receive either.
 *
 * Two receivers wait at the same channel, but only the one on duty is a partner for
 * the handshake. While nobody is on duty the sender blocks, and `else` sees that.
 *
 * expect: safety holds, states 20, transitions 20
 */
#define NOBODY 9

chan counter = [0] of { byte };
byte on_duty = NOBODY, served[2], refused;

active [2] proctype clerk() provided (on_duty == _pid)
{
    byte job;

end:
    do
    :: counter?job ->
       assert(on_duty == _pid);
       served[_pid] = served[_pid] + job
    od
}

active proctype customer()
{
    if
    :: counter!7
    :: else -> refused++
    fi;
    assert(refused == 1 && served[0] == 0 && served[1] == 0);

    on_duty = 1;
    counter!3;
    served[1] == 3;
    on_duty = NOBODY;
    on_duty = 0;
    counter!4;
    counter!5;                              /* not before the clerk is back at the counter */
    served[0] == 9;
    assert(served[1] == 3)
}
