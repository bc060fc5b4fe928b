/* Producers and consumers around a buffer of SLOTS places.
 *
 * A channel is all the synchronisation that is needed: a producer blocks while it
 * is full, a consumer while it is empty. Every producer makes ITEMS items and
 * numbers them. Each consumer sees the items of one producer in rising order,
 * although it does not see all of them, and at the end nothing is missing.
 *
 * expect: safety holds, states 1480, transitions 3673
 * expect -DCONSUMERS=2: safety holds, states 19291, transitions 60700
 * expect -DPRODUCERS=3: safety holds, states 33925, transitions 109621
 * expect: ltl all_consumed holds
 */
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

chan buffer = [SLOTS] of { pid, byte };     /* who made it, its number */
byte consumed;

active [PRODUCERS] proctype producer()
{
    byte item;

    for (item : 1 .. ITEMS) {
        buffer!_pid, item
    }
}

active [CONSUMERS] proctype consumer()
{
    pid maker;
    byte item;
    byte seen[PRODUCERS];

    do
    :: buffer?maker, item ->
       assert(item > seen[maker]);
       seen[maker] = item;
       consumed++
    :: consumed == PRODUCERS * ITEMS -> break
    od;
    assert(empty(buffer))
}

ltl all_consumed { <> [] (consumed == PRODUCERS * ITEMS) }
