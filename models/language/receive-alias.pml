/* A receive into the variable that names its channel.
 *
 * k?k,x takes one message of the channel that k names when the receive starts: a. SPIN's
 * simulator does the same; pan reads k again for every field, so that it takes the second
 * one out of the channel that the first one has named.
 *
 * expect: safety holds, states 7, transitions 7
 */
chan a = [2] of { chan, byte };
chan b = [2] of { chan, byte };

active proctype P()
{
    chan k;
    byte x;
    k = a;
    b!a,1;
    a!b,7;
    k?k,x;
    assert(x == 7 && k == b && len(a) == 0 && len(b) == 1)
}
