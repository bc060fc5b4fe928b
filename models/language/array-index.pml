/* An index outside of its array is an error at the moment it is used.
 *
 * Conditions are evaluated from left to right and only as far as necessary, so the
 * guard protects the first two uses, but not the last.
 *
 * expect: safety violated array-index
 */
byte list[3], i;

active proctype walk()
{
    do
    :: i < 3 && list[i] == 0 -> list[i] = i + 1; i++
    :: i >= 3 -> break
    od;
    assert((i < 3 -> list[i] : 7) == 7);
    i = list[i]                             /* i is 3 */
}
