/* The value of a random poll is the position of the message in the channel,
 * counted from 1; that of a poll of the head is 1 or 0. (SPIN's simulator says 1
 * in both cases, pan does as we do.)
 *
 * expect: safety holds, states 7, transitions 7
 */
chan q = [2] of { byte };

init
{
    q!5;
    q!7;
    assert(q??[7] == 2 && q??[5] == 1);
    assert(q?[5] == 1 && q?[7] == 0);
    assert(q??[6] == 0)
}
