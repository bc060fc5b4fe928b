/* d_step: a sequence that is one single step, and without choice.
 *
 * Loops and selections are fine. If several options are executable the first one in
 * the text is taken, always. Nothing inside may block. Here the largest number of a
 * list is moved to its end in one step; the only states are before and after.
 *
 * expect: safety holds, states 17, transitions 25
 */
#define N 5

byte list[N] = { 4, 9, 2, 9, 1 };
byte first, count;
bool ready;

active proctype bubble()
{
    byte i, aside;

    ready;
    d_step {
        if                                  /* both are true: the first one it is */
        :: true -> first = 1
        :: true -> first = 2
        fi;
        do
        :: count < 3 -> count++             /* comes first: no early end */
        :: count > 0 -> break
        od;
        for (i : 0 .. N - 2) {
            if
            :: list[i] > list[i + 1] ->
               aside = list[i];
               list[i] = list[i + 1];
               list[i + 1] = aside
            :: else
            fi
        }
    };
    assert(first == 1 && count == 3 && i == N - 1);
    assert(list[0] == 4 && list[1] == 2 && list[2] == 9 && list[3] == 1 && list[4] == 9)
}

active proctype starter()
{
    ready = true;                           /* the guard of a d_step may block */
    assert((first == 0 && list[1] == 9) || (first == 1 && list[4] == 9))
}
