/* Fork and join: processes that split their work among new processes.
 *
 * To count the leaves of a range, a worker that has more than one splits the range
 * and starts a worker for each half. The children answer through a channel that
 * belongs to their parent. Nobody knows beforehand how many processes there will
 * be at once, or which pid will be whose: both depend on the order of events.
 *
 * expect: safety holds, states 640, transitions 1608
 * expect -DLEAVES=4: safety holds, states 11241, transitions 37400
 */
#ifndef LEAVES
#define LEAVES 3
#endif

byte born, finished;

proctype worker(byte leaves; chan result)
{
    chan answers = [2] of { byte };
    byte first, second;

    born++;
    if
    :: leaves == 1 -> skip
    :: leaves > 1 ->
       atomic {
           run worker(leaves / 2, answers);
           run worker(leaves - leaves / 2, answers)
       };
       answers?first;
       answers?second;
       assert(first + second == leaves)
    fi;
    finished++;
    result!leaves
}

init
{
    chan result = [0] of { byte };
    byte leaves;

    run worker(LEAVES, result);
    result?leaves;
    assert(leaves == LEAVES);
    assert(born == 2 * LEAVES - 1 && finished == born);
    (_nr_pr == 1)                           /* all children are gone */
}
