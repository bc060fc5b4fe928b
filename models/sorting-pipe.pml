/* A pipe that sorts: N cells in a row, each of which keeps the smallest it has seen.
 *
 * A cell keeps its first number; of every further one it keeps the smaller and
 * hands the larger on to the right. When all have passed it gives up what it kept.
 * All sequences of N numbers up to RANGE are fed in, and what comes out is sorted
 * and has the right sum. The cells work at the same time, connected by handshakes.
 *
 * expect: safety holds, states 2440, transitions 6250
 * expect -DN=5: safety holds, states 33540, transitions 114662
 */
#ifndef N
#define N 3
#endif
#ifndef RANGE
#define RANGE 2
#endif

chan pipe[N + 1] = [0] of { byte };
chan sorted[N] = [0] of { byte };
byte total;

active [N] proctype cell()
{
    byte kept, next, rest = N - 1 - _pid;

    pipe[_pid]?kept;
    do
    :: rest > 0 ->
       pipe[_pid]?next;
       d_step {
           if
           :: next < kept -> next = next + kept; kept = next - kept; next = next - kept
           :: else
           fi;
           rest--
       };
       pipe[_pid + 1]!next
    :: rest == 0 -> break
    od;
    sorted[_pid]!kept
}

active proctype feeder()
{
    byte number, i;

    for (i : 1 .. N) {
        select (number : 1 .. RANGE);
        total = total + number;
        pipe[0]!number
    }
}

active proctype collector()
{
    byte number, last, sum, i;

    for (i : 0 .. N - 1) {
        sorted[i]?number;
        assert(number >= last);
        last = number;
        sum = sum + number
    }
    assert(sum == total)
}
