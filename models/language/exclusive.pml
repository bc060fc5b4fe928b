/* xr and xs: only this process receives, only this process sends.
 *
 * They change no behaviour. They are a promise that lets partial-order reduction
 * leave out more interleavings; the numbers below are those without reduction.
 *
 * expect: safety holds, states 303, transitions 691
 */
chan a = [2] of { byte };
chan b = [2] of { byte };
byte last;

active proctype source()
{
    byte n;
    xs a;

    for (n : 1 .. 4) {
        a!n
    }
}

active proctype adder()
{
    byte n;
    xr a;
    xs b;

end:
    do
    :: a?n -> b!n + 1
    od
}

active proctype sink()
{
    byte n;
    xr b;

end:
    do
    :: b?n -> assert(n == last + 1 || last == 0); last = n
    od
}
