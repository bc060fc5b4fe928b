/* The filter lock: Peterson's idea for N processes.
 *
 * There are N - 1 levels, and of several processes that enter a level at least
 * one has to wait there: the last to arrive. A process looks at the others one by
 * one. It may pass another one who is below this level, or anybody as soon as
 * somebody else has arrived later. Shared variables are all that it takes.
 *
 * expect: safety holds, states 333, transitions 641
 * expect: fair ltl served holds
 * expect -DN=3: safety holds, states 18964, transitions 52741
 */
#ifndef N
#define N 2
#endif

byte level[N];                      /* 0: not interested */
byte last[N];                       /* who came last to this level */
byte inside;

#define may_pass(k) (k == _pid || level[k] < at || last[at] != _pid)

active [N] proctype user()
{
    byte at, other;

    do
    :: at = 1;
       do
       :: at < N ->
          level[_pid] = at;
          last[at] = _pid;
waiting:
          other = 0;
          do
          :: other == N -> break
          :: atomic { other < N && may_pass(other) -> other++ }
          od;
          at++
       :: at == N -> break
       od;
inside_now:
       inside++;
       assert(inside == 1);
       inside--;
       level[_pid] = 0
    od
}

ltl served { [] (user[0]@waiting -> <> user[0]@inside_now) }
