/* The Needham-Schroeder protocol, and an intruder who is the whole network.
 *
 * Two parties who know each other's public keys want to be sure whom they speak with.
 * {x}K is x, encrypted for the owner of K; Na and Nb are nonces, fresh random numbers.
 *
 *     1. hello    A to B: {Na, A}Kb
 *     2. answer   B to A: {Na, Nb}Ka           with -DLOWE=1: {Na, Nb, B}Ka
 *     3. confirm  A to B: {Nb}Kb
 *
 * Alice opens one session, with Bob or with Carol; Bob answers one. Carol takes part as
 * well, but is not honest, and every packet goes through her hands. She reads what is
 * encrypted for her and learns the nonces in it; of the other packets she keeps the last
 * one (with -DSLOTS=2, two of them). She sends what she likes, when she likes: a
 * packet that she has kept, under whatever sender's name, or one that she puts together
 * field by field from what she knows. Alice and Bob check each packet field by field, too.
 * They ignore PATIENCE wrong ones; at the next one they hang up.
 *
 * When Bob gets the third message, he believes that he speaks with whoever was named in
 * the first. If this is Alice, she must have opened a session with him: the assertion.
 * It fails (Lowe, An attack on the Needham-Schroeder public-key authentication protocol,
 * 1995), because Alice, who speaks with Carol, decrypts for her what Bob has sent:
 *
 *     1. Alice to Carol: {Na, Alice}Kc         4. Carol to Alice: the same, as her own
 *     2. Carol to Bob: {Na, Alice}Kb           5. Alice to Carol: {Nb}Kc
 *     3. Bob to Alice: {Na, Nb}Ka, caught      6. Carol to Bob: {Nb}Kb
 *
 * The shortest run of this kind has 58 moves, 68 steps if both sides of a handshake
 * count. With -DLOWE=1 the answer names who gives it, and Alice sees that this is not
 * Carol.
 *
 * By default Carol composes only what Alice or Bob could take for a message of the
 * protocol. With -DWILD=1 she writes anything anywhere: wrong addressees, kinds and
 * keys, names in place of nonces; with -DOTHERS=1 or 2 also names of people who are not
 * there. The shortest attack stays the same, but nearly everything that can be done is
 * useless: if each move is chosen at random, with equal chances, three in ten billion
 * runs of 110 moves find the attack (with -DWILD=1). With -DFIXED_START=1 the first two
 * packets are those of the attack, and it is five in a million.
 *
 * The shape is that of AUTH (with FIXED_START, of AUTH2) in Godefroid and Khurshid
 * (Exploring very large state spaces using genetic algorithms, 2004).
 *
 * expect: safety violated assertion, states 138657, transitions 313347
 * expect -DPATIENCE=0 -DSLOTS=2: safety violated assertion, states 58750, transitions 128386
 * expect -DFIXED_START=1: safety violated assertion, states 20176, transitions 44439
 * expect -DLOWE=1: safety holds, states 188661, transitions 428505
 * expect -DLOWE=1 -DPATIENCE=0: safety holds, states 49263, transitions 109212
 */
#ifndef WILD
#define WILD 0
#endif
#ifndef OTHERS
#define OTHERS 0
#endif
#ifndef PATIENCE
#define PATIENCE 1
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef LOWE
#define LOWE 0
#endif
#ifndef FIXED_START
#define FIXED_START 0
#endif

/* What a field can contain. */
#define BLANK 0
#define ALICE 1
#define BOB   2
#define CAROL 3
#define DAVE  4
#define ERIN  5
#define NA    6
#define NB    7
#define NC    8
#define is_name(x)  ((x) >= ALICE && (x) <= ERIN)
#define is_nonce(x) ((x) >= NA)

mtype = { hello, answer, confirm };

typedef Packet {
    byte from;
    mtype kind;
    byte key;                       /* whose key the rest is encrypted with */
    byte field[3]
}

/* From Alice and Bob, to whomever: Carol gets it. */
chan net = [0] of { byte, mtype, byte, byte, byte, byte };

/* Carol presents a packet to Alice or Bob, who looks at it and then says so. */
chan present[3] = [0] of { bit };
chan seen = [0] of { bit };
Packet p;                           /* on Carol's desk */

byte partner;                       /* with whom Alice has opened a session */

#define check(condition) if :: condition :: else -> goto wrong fi

active proctype Alice()
{
    byte bad, nb;

    if
#if !FIXED_START
    :: partner = BOB
#endif
    :: partner = CAROL
    fi;
    net!ALICE, hello, partner, NA, ALICE, BLANK;
waits:
    present[ALICE]?0;
    check(p.from == partner);
    check(p.kind == answer);
    check(p.key == ALICE);
    check(p.field[0] == NA);
    check(is_nonce(p.field[1]));
    check(p.field[2] == (LOWE -> partner : BLANK));
    nb = p.field[1];
    seen!0;
    net!ALICE, confirm, partner, nb, BLANK, BLANK;
    goto done;
wrong:
    seen!0;
    if
    :: bad < PATIENCE -> bad++; goto waits
    :: else
    fi;
done:
    nb = 0
}

active proctype Bob()
{
    byte bad, who, na;

waits:
    present[BOB]?0;
    if
    :: who == BLANK ->
       check(p.kind == hello);
       check(p.key == BOB);
       check(is_nonce(p.field[0]));
       check(is_name(p.field[1]) && p.field[1] == p.from);
       d_step { na = p.field[0]; who = p.field[1] }
       seen!0;
       net!BOB, answer, who, na, NB, (LOWE -> BOB : BLANK);
       goto waits
    :: else ->
       check(p.from == who);
       check(p.kind == confirm);
       check(p.key == BOB);
       check(p.field[0] == NB);
       check(p.field[1] == BLANK);
       seen!0;
       assert(who != ALICE || partner == BOB);
       goto done
    fi;
wrong:
    seen!0;
    if
    :: bad < PATIENCE -> bad++; goto waits
    :: else
    fi;
done:
    na = 0
}

/* One step: Carol writes this there, if the condition holds. */
#define may(condition, place, what) d_step { condition -> place = what }

#if OTHERS > 1
#define strangers(place) :: place = DAVE :: place = ERIN
#elif OTHERS > 0
#define strangers(place) :: place = DAVE
#else
#define strangers(place)
#endif

inline copy(here, there)
{
    d_step {
        there.kind = here.kind;
        there.key = here.key;
        there.field[0] = here.field[0];
        there.field[1] = here.field[1];
        there.field[2] = here.field[2]
    }
}

inline clear_desk()
{
    d_step {
        p.from = 0;
        p.kind = 0;
        p.key = 0;
        p.field[0] = 0;
        p.field[1] = 0;
        p.field[2] = 0;
        to = 0;
        i = 0
    }
}

active proctype Carol()
{
    bool knows_na, knows_nb;
    byte to, i;
    Packet kept[SLOTS];

#if FIXED_START
    net?p.from, p.kind, p.key, p.field[0], p.field[1], p.field[2];
    knows_na = true;
    p.kind = hello;
    p.key = BOB;
    p.field[0] = NA;
    p.field[1] = ALICE;
    to = BOB;
    p.from = ALICE;
    present[to]!0;
    seen?0;
    clear_desk();
#endif
idle:
    if
    :: net?p.from, p.kind, p.key, p.field[0], p.field[1], p.field[2] ->
       if
       :: p.key == CAROL ->
          d_step {
              knows_na = knows_na || p.field[0] == NA || p.field[1] == NA;
              knows_nb = knows_nb || p.field[0] == NB || p.field[1] == NB
          }
       :: else ->
          if
          :: i = 0
#if SLOTS > 1
          :: i = 1
#endif
          fi;
          copy(p, kept[i])
       fi;
       clear_desk();
       goto idle
    :: p.kind = hello
    :: p.kind = answer
    :: p.kind = confirm
    :: kept[0].key != BLANK -> i = 0; goto replay
#if SLOTS > 1
    :: kept[1].key != BLANK -> i = 1; goto replay
#endif
    fi;
    if                                      /* a new packet */
    :: may(WILD || p.kind == answer, p.key, ALICE)
    :: may(WILD || p.kind != answer, p.key, BOB)
#if WILD
    :: p.key = CAROL
    strangers(p.key)
#endif
    fi;
    if
    :: p.field[0] = NC
    :: may(knows_na, p.field[0], NA)
    :: may(knows_nb, p.field[0], NB)
#if WILD
    :: p.field[0] = BLANK
    :: p.field[0] = ALICE
    :: p.field[0] = BOB
    :: p.field[0] = CAROL
    strangers(p.field[0])
#endif
    fi;
    if
    :: may(WILD || p.kind == answer, p.field[1], NC)
    :: may((WILD || p.kind == answer) && knows_na, p.field[1], NA)
    :: may((WILD || p.kind == answer) && knows_nb, p.field[1], NB)
    :: may(WILD || p.kind == hello, p.field[1], ALICE)
    :: may(WILD || p.kind == hello, p.field[1], CAROL)
    :: may(WILD || p.kind == confirm, p.field[1], BLANK)
#if WILD
    :: p.field[1] = BOB
    strangers(p.field[1])
#endif
    fi;
#if LOWE
    if
    :: may(WILD || p.kind == answer, p.field[2], BOB)
    :: may(WILD || p.kind == answer, p.field[2], CAROL)
    :: may(WILD || p.kind != answer, p.field[2], BLANK)
#if WILD
    :: p.field[2] = ALICE
    :: p.field[2] = NC
    :: may(knows_na, p.field[2], NA)
    :: may(knows_nb, p.field[2], NB)
    strangers(p.field[2])
#endif
    fi;
#endif
    goto address;
replay:
    copy(kept[i], p);                       /* one that she has kept */
address:
    if
    :: may(WILD || p.key == ALICE, to, ALICE)
    :: may(WILD || p.key == BOB, to, BOB)
    fi;
    if
    :: may(WILD || to == BOB, p.from, ALICE)
    :: may(WILD || to == ALICE, p.from, BOB)
    :: p.from = CAROL
#if WILD
    strangers(p.from)
#endif
    fi;
    if
    :: present[to]!0 -> seen?0
    :: skip                                 /* she thinks better of it */
    fi;
    clear_desk();
    goto idle
}
