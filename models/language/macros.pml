/* Macros in ltl blocks.
 *
 * A macro is one operand, with or without parentheses, and it may be a whole formula.
 * SPIN puts its text in place of the name and then reads `<> ! low` as
 * `(<> ! x) == 0`, so that `leaves` is violated there; and `[] ready` is
 * `([] x) == 0 -> ...`. With parentheses around every macro both say the same.
 *
 * expect: safety holds, states 10, transitions 11
 * expect: ltl rises holds
 * expect: ltl falls holds
 * expect: ltl leaves holds
 * expect: ltl stays violated
 * expect: ltl formula holds
 * expect: ltl bare holds
 */
#define low    x == 0
#define high   (x > 2)
#define mid(a) (a > 0 && a < 3)
#define safe   (low || mid(x))
#define ready  low -> <> high       /* a whole formula */

byte x;

active proctype counter()
{
    do
    :: x < 4 -> x++
    :: x == 4 -> x = 0
    od
}

ltl rises   { [] (low -> <> high) }
ltl falls   { [] (high -> <> safe) }
ltl leaves  { <> ! low }
ltl stays   { [] low }
ltl formula { [] (ready) }
ltl bare    { [] ready }
