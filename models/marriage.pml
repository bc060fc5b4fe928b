/* Stable marriage: N men propose, N women accept or trade up, and there is one bug.
 *
 * Each man has a list of all women. He proposes to the first one, and whenever he is
 * refused, be it at once or later, to the next one. A woman accepts the first man
 * who comes; to a later one she says yes if she likes him better, and then the man
 * she had before gets a letter. When every woman is engaged, the registrar writes to all
 * men that they are married, and checks that the marriages are stable: no man and woman
 * like each other better than those they got. A woman is a monitor: who proposes
 * holds her lock while he looks whether she is free and until she has answered.
 *
 * With -DSPLIT=1 (the default) this critical section is split in two: a man who has
 * seen that she is free lets go of her lock, and takes it again to become her fiancé.
 * If another one comes in between, both believe that they are engaged to her, and the
 * first one waits for a letter that nobody will ever write. So one woman at least stays
 * without a man, and the registrar waits for ever. The shortest way into a deadlock has
 * 7 N + 2 steps: 7 for each man, who proposes only once, and 2 for the registrar. With
 * -DSPLIT=0 safety holds.
 *
 * The lists: man m likes woman m / 2 best and then goes on in circles; woman w likes man
 * w + 1 best, and so on. So the men come to the same woman in pairs, and one who is
 * refused comes to where the next pair is.
 *
 * The shape (N couples, a split critical section) is that of SMP in Alba, Chicano,
 * Ferreira and Gómez-Pulido (Finding deadlocks in large concurrent Java programs using
 * genetic algorithms, 2008).
 *
 * expect: safety violated invalid-end-state, states 357, transitions 738
 * expect -DSPLIT=0: safety holds, states 270, transitions 572
 * expect -DN=3: safety violated invalid-end-state, states 2413, transitions 6739
 * expect -DN=3 -DSPLIT=0: safety holds, states 1429, transitions 4031
 * expect -DN=4: safety violated invalid-end-state, states 22325, transitions 72687
 */
#ifndef N
#define N 2
#endif
#ifndef SPLIT
#define SPLIT 1
#endif
#define NOBODY N
#define choice(m, k) (((m) / 2 + (k)) % N)          /* the one on place k of his list */
#define place(m, w)  (((w) + N - (m) / 2) % N)      /* of w on m's list */
#define rank(w, m)   (((m) + 2 * N - (w) - 1) % N)  /* of m on w's list */

mtype = { refused, married };

chan lock[N] = [1] of { byte };     /* of each woman */
chan letter[N] = [1] of { mtype };  /* to each man */
byte fiance[N] = NOBODY;            /* of each woman */

active [N] proctype man()           /* numbered from 0 */
{
    byte next, whom;
    mtype what;

    do
    :: whom = choice(_pid, next);
       lock[whom]!_pid;
       if
       :: fiance[whom] == NOBODY ->
#if SPLIT
          lock[whom]?eval(_pid);
          lock[whom]!_pid;
#endif
          fiance[whom] = _pid
       :: else ->
          if
          :: rank(whom, _pid) < rank(whom, fiance[whom]) ->
             d_step { letter[fiance[whom]]!refused; fiance[whom] = _pid }
          :: else -> letter[_pid]!refused
          fi
       fi;
       lock[whom]?eval(_pid);
       letter[_pid]?what;
       if
       :: what == refused -> next++; what = 0
       :: what == married -> break
       fi
    od
}

active proctype registrar()
{
    byte m, w;
    byte wife[N];

    w = N;
    do
    :: w > 0 -> fiance[w - 1] != NOBODY; w--
    :: else -> break
    od;
    skip;                                   /* the day of the wedding */
    d_step {
        for (w : 0 .. N - 1) {
            wife[fiance[w]] = w
        }
        for (m : 0 .. N - 1) {
            assert(fiance[wife[m]] == m);
            for (w : 0 .. N - 1) {
                assert(place(m, w) >= place(m, wife[m]) || rank(w, m) >= rank(w, fiance[w]))
            }
        }
        m = 0
    }
    do
    :: m < N -> letter[m]!married; m++
    :: else -> break
    od
}
