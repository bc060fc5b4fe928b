/* Readers and writers: many may read at once, a writer must be alone.
 *
 * The two counters are only touched in guarded atomic steps, which is how a
 * monitor is written in Promela: the guard blocks the whole atomic sequence. A
 * writer first announces itself, and no new reader enters while a writer waits.
 * With -DPOLITE=0 readers do not care, and may keep a writer out for ever.
 *
 * expect: safety holds, states 106, transitions 239
 * expect: fair ltl written holds
 * expect -DPOLITE=0: safety holds, states 106, transitions 259
 * expect -DPOLITE=0: fair ltl written violated
 * expect -DREADERS=5 -DWRITERS=2: safety holds, states 25024, transitions 131295
 */
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef POLITE
#define POLITE 1
#endif

byte reading, writing, waiting;
byte version;                       /* what the writers write */

active [READERS] proctype reader()
{
    byte seen;

    do
    :: atomic { (writing == 0 && (!POLITE || waiting == 0)) -> reading++ };
       seen = version;
       assert(writing == 0);
       assert(seen == version);             /* nobody wrote meanwhile */
       atomic { reading--; seen = 0 }
    od
}

active [WRITERS] proctype writer()
{
    do
    :: waiting++;
announced:
       atomic { (reading == 0 && writing == 0) -> writing++; waiting-- };
alone:
       version = 1 - version;
       assert(reading == 0 && writing == 1);
       writing--
    od
}

ltl written { [] (writer[READERS]@announced -> <> writer[READERS]@alone) }
