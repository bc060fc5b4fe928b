/* inline: the text of the body is put in place of the call.
 *
 * Parameters are replaced as text, so an inline can assign to its arguments, and an
 * argument without parentheses may fall apart. Each call has its own local
 * variables and its own labels. `x = f(...)` works if f says `return`.
 *
 * expect: safety holds, states 47, transitions 47
 */
byte a = 3, b = 8, r;
byte list[3];

inline swap(x, y)
{
    byte aside = x;
    x = y;
    y = aside
}

inline twice(e, result)
{
    result = e * 2
}

inline larger(x, y)
{
    if
    :: x > y -> return x
    :: else -> return y
    fi
}

inline gcd(x, y, result)
{
    byte m, n;
    m = x;
    n = y;
again:
    if
    :: m > n -> m = m - n; goto again
    :: m < n -> n = n - m; goto again
    :: else -> result = m
    fi
}

inline outer(x)
{
    swap(x, list[2]);
    twice(x, r)
}

active proctype caller()
{
    swap(a, b);
    assert(a == 8 && b == 3);

    twice(1 + 2, r);
    assert(r == 5);                         /* 1 + 2 * 2 */
    twice((1 + 2), r);
    assert(r == 6);

    r = larger(a, b);
    assert(r == 8);
    list[1] = larger(list[0], b);
    assert(list[1] == 3);

    gcd(12, 18, r);
    assert(r == 6);
    gcd(a, b, list[0]);
    assert(list[0] == 1);

    outer(list[1]);                         /* an inline that calls others */
    assert(list[1] == 0 && list[2] == 3 && r == 0)
}
