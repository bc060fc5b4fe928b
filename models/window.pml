/* Sliding window, "go back n": up to WINDOW messages are under way at once.
 *
 * Messages are numbered modulo NUMBERS. The receiver takes them strictly in order
 * and always answers with the number it waits for, which acknowledges everything
 * before. If nothing comes back the sender starts again with the oldest message
 * not acknowledged. The line and the way back both lose messages but keep
 * their order, and then WINDOW + 1 different numbers are enough. One fewer
 * (-DNUMBERS=2) and an old message is taken for a new one.
 *
 * expect: safety holds, states 31628, transitions 88470
 * expect -DNUMBERS=2: safety violated assertion, states 25572, transitions 71954
 * expect -DWINDOW=3: safety holds, states 147974, transitions 420688
 */
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef NUMBERS
#define NUMBERS (WINDOW + 1)
#endif
#ifndef ROOM
#define ROOM 1                      /* messages that fit on the line */
#endif
#define VALUES (2 * NUMBERS)        /* what messages carry: 0, 1, ... again and again */

chan line = [ROOM] of { byte, byte };       /* number, value */
chan back = [ROOM] of { byte };             /* the number waited for */

active proctype sender()
{
    byte oldest;                    /* the value of the oldest message not acknowledged */
    byte flying;                    /* how many messages are sent and not acknowledged */
    byte wanted, known;

    do
    :: flying < WINDOW ->
       line!(oldest + flying) % NUMBERS, (oldest + flying) % VALUES;
       flying++
    :: back?wanted ->
       known = (wanted + NUMBERS - oldest % NUMBERS) % NUMBERS;
       if
       :: known <= flying ->
          atomic { oldest = (oldest + known) % VALUES; flying = flying - known }
       :: else                              /* an answer from long ago */
       fi
    :: flying > 0 -> flying = 0             /* patience is over: go back */
    od
}

active proctype receiver()
{
    byte number, value, due;

    do
    :: line?number, value ->
       if
       :: number == due % NUMBERS ->
          assert(value == due);
          due = (due + 1) % VALUES
       :: else
       fi;
       back!due % NUMBERS
    od
}

active proctype noise()
{
    do
    :: line?_, _
    :: back?_
    od
}
