/* A chain of alternating bit protocols: a message travels over HOPS lossy lines.
 *
 * Every relay is a receiver towards the left and a sender towards the right. It
 * acknowledges a message when it has taken it over, and it takes over the next
 * one only when the right neighbour has acknowledged the last. The far end checks
 * that the messages come in order. (alter.pml explains one such line.)
 *
 * expect: safety holds, states 18184, transitions 75558
 * expect -DHOPS=1: safety holds, states 480, transitions 1231
 */
#ifndef HOPS
#define HOPS 2
#endif
#ifndef VALUES
#define VALUES 2                    /* messages carry 0, 1, 0, 1, ... */
#endif

chan data[HOPS] = [1] of { byte, bit };
chan acks[HOPS] = [1] of { bit };

/* Say it until it is understood. */
inline deliver(line, value, tag)
{
    bit echo;

    data[line]!value, tag;
    do
    :: acks[line]?echo ->
       if
       :: echo == tag -> break
       :: else
       fi
    :: data[line]!value, tag
    od;
    tag = 1 - tag
}

/* Listen until something new comes. */
inline fetch(line, value, tag)
{
    bit seen;

    do
    :: data[line]?value, seen;
       acks[line]!seen;
       if
       :: seen == tag -> break
       :: else
       fi
    od;
    tag = 1 - tag
}

active proctype source()
{
    byte value;
    bit tag;

    do
    :: deliver(0, value, tag);
       value = (value + 1) % VALUES
    od
}

active [HOPS - 1] proctype relay()
{
    byte value, left = _pid - 1, right = _pid;
    bit tag_in, tag_out;

end_idle:
    do
    :: fetch(left, value, tag_in);
       deliver(right, value, tag_out)
    od
}

active proctype sink()
{
    byte value, due;
    bit tag;

    do
    :: fetch(HOPS - 1, value, tag);
       assert(value == due);
       due = (due + 1) % VALUES
    od
}

active [HOPS] proctype noise()
{
    byte line = _pid - HOPS - 1;

    do
    :: data[line]?_, _
    :: acks[line]?_
    od
}
