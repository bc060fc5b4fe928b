/* A poll is a value, 1 or 0, in arithmetic as anywhere else.
 *
 * SPIN's simulator agrees. In a model with a rendezvous channel pan forgets the
 * parentheses around a poll and computes (free - 1) && ..., so that the
 * assertion fails there.
 *
 * expect: safety holds, states 5, transitions 5
 */
chan handshake = [0] of { bit };
chan q = [1] of { byte };
byte free = 3;

init
{
    q!7;
    free = free - q?[7];
    assert(free == 2)
}
