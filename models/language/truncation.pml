/* What fits into a variable: numbers are cut when they are stored, never before.
 *
 * An expression is computed with 32-bit integers. Storing keeps the lowest bits:
 * 1 of a bit or bool, 8 of a byte, 16 of a short (with sign), n of an unsigned : n.
 * The same happens to message fields and to parameters.
 *
 * expect: safety holds, states 50, transitions 50
 */
bit b;
bool t;
byte small;
short medium;
int large;
unsigned three : 3;
unsigned one : 1;
chan c = [2] of { byte, short, bool };

proctype given(byte x; bit y)
{
    assert(x == 44 && y == 0)
}

init
{
    b = 2;                  assert(b == 0);
    t = 5;                  assert(t);
    small = 300;            assert(small == 44);
    small = 0;
    small--;                assert(small == 255);
    assert(small + 1 == 256 && small + small == 510);
    small++;                assert(small == 0);
    small = 0 - 1;          assert(small == 255 && small != -1);

    medium = 40000;         assert(medium == -25536);
    medium = 32767;
    medium++;               assert(medium == -32768);

    large = 2147483647;
    large++;                assert(large < 0 && large == -2147483647 - 1);
    large = 65536 * 65536;  assert(large == 0);

    three = 9;              assert(three == 1);
    three = 0;
    three--;                assert(three == 7 && three > -1);
    one = 6;                assert(one == 0);
    one++;                  assert(one == 1);

    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3);
    assert((small & 15) == 15 && (small >> 4) == 15 && (small << 1) == 510);
    assert(~0 == -1 && (5 ^ 3) == 6 && (5 | 3) == 7);
    assert((medium < small) && (medium < three));   /* all are compared as integers */

    c!300, 70000, 2;
    c?small, medium, t;     assert(small == 44 && medium == 4464 && !t);
    c!7, 300, 1;
    c?_, small, b;          assert(small == 44 && b);   /* cut again on arrival */

    c!300, 0, 0;
    assert(!(c?[300, 0, 0]) && c?[44, 0, 0]);       /* the pattern is not cut */

    run given(300, 2)
}
