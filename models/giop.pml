/* GIOP, the protocol by which CORBA objects are called over a network.
 *
 * N users call one object. Their agent sends each request over one of two
 * connections, to the server agent where it believes the object to be. A server
 * agent hands the request to the object, which replies; if the object has moved to
 * the other side (MOVES times at most), it says so, and the agent sends the request
 * there. A user may lose patience once and cancel: the request is dropped
 * if it is still in the queue, and a late reply is ignored, which a bit in every
 * request and reply makes possible. A server agent may close its connection (CLOSES
 * times at most): what is in the queue is lost, and whoever waits for a reply has to
 * ask again. Our agent forgets to, so a user may wait for ever: `answered` fails
 * even under weak fairness. With -DRESEND=1 it sends all open requests again.
 *
 * The shape (N clients, one server, this property) is that of giop in Chicano and
 * Alba (Searching for liveness property violations in concurrent systems with ACO,
 * 2008); the original is Kamel and Leue, Validation of a remote object invocation
 * and object migration in CORBA GIOP using Promela/SPIN, 1998.
 *
 * expect: safety violated invalid-end-state, states 5196, transitions 15519
 * expect: ltl answered violated
 * expect: fair ltl answered violated
 * expect -DRESEND=1: safety holds, states 13162, transitions 38553
 * expect -DRESEND=1: ltl answered holds
 * expect -DN=2 -DMOVES=0: safety violated invalid-end-state, states 670359, transitions 2576893
 * expect -DN=2: ltl answered violated
 * expect -DN=2: fair ltl answered violated
 */
#ifndef N
#define N 1
#endif
#ifndef CLOSES
#define CLOSES 1
#endif
#ifndef MOVES
#define MOVES 1
#endif
#ifndef RESEND
#define RESEND 0
#endif
#define NOWHERE 2
#define ROOM (2 * N + 1)
#define p (user[0]@waiting)
#define q (user[0]@content)

mtype = { request, reply, cancel, moved, close };

/* A message says what it is, whom it concerns, and which of his requests. */
chan asks = [ROOM] of { mtype, byte, bit };         /* users to their agent */
chan answers[N] = [2] of { bit };                   /* the agent to each user */
chan there[2] = [ROOM] of { mtype, byte, bit };     /* the agent to the server agents */
chan back[2] = [ROOM] of { mtype, byte, bit };
chan call[2] = [0] of { byte, bit };                /* a server agent to the object */

bit place;                          /* where the object is */
byte closes;                        /* how often a connection was closed */

active [N] proctype user()          /* numbered from 0 */
{
    bit tag, got;
    bool patient = true;

    do
    :: asks!request, _pid, tag;
waiting:
       do
       :: answers[_pid]?got ->
          if
          :: got == tag -> break
          :: else                           /* to a request that was cancelled */
          fi
       :: patient -> patient = false; asks!cancel, _pid, tag; break
       od;
content:
       atomic { tag = 1 - tag; got = 0 }
    od
}

active proctype agent()
{
    byte at[N] = NOWHERE;           /* where each user's request was sent to */
    bit tags[N];
    bit home;                       /* where it believes the object to be */
    bit side, tag;
    byte who;

end_idle:
    do
    :: atomic {
           asks?request, who, tag ->
           at[who] = home;
           tags[who] = tag;
           there[home]!request, who, tag;
           who = 0; tag = 0
       }
    :: atomic {
           asks?cancel, who, tag ->
           if
           :: at[who] != NOWHERE -> there[at[who]]!cancel, who, tag; at[who] = NOWHERE
           :: else
           fi;
           who = 0; tag = 0
       }
    :: atomic {
           if
           :: nempty(back[0]) -> side = 0
           :: nempty(back[1]) -> side = 1
           fi;
           if
           :: back[side]?reply, who, tag ->
              if
              :: at[who] == side && tags[who] == tag -> at[who] = NOWHERE; answers[who]!tag
              :: else                       /* too late */
              fi
           :: back[side]?moved, who, tag ->
              home = 1 - side;
              if
              :: at[who] == side && tags[who] == tag -> at[who] = home; there[home]!request, who, tag
              :: else
              fi
           :: back[side]?close, _, _ ->
              for (who : 0 .. N - 1) {
                  if
                  :: at[who] == side && RESEND -> there[side]!request, who, tags[who]
                  :: at[who] == side && !RESEND -> at[who] = NOWHERE
                  :: else
                  fi
              }
           fi;
           side = 0; who = 0; tag = 0
       }
    od
}

proctype server_agent(bit side)
{
    byte who;
    bit tag;

end_idle:
    do
    :: there[side]?request, who, tag ->
       atomic {
           if
           :: there[side]??[cancel, eval(who), eval(tag)] -> there[side]??cancel, eval(who), eval(tag)
           :: else ->
              if
              :: call[side]!who, tag
              :: place != side -> back[side]!moved, who, tag
              fi
           fi;
           who = 0; tag = 0
       }
    :: there[side]?cancel, _, _             /* too late */
    :: atomic {
           closes < CLOSES ->
           closes++;
           do
           :: there[side]?_, _, _
           :: empty(there[side]) -> break
           od;
           back[side]!close, 0, 0
       }
    od
}

active proctype object()
{
    byte who, moves;
    bit tag;

end_idle:
    do
    :: call[place]?who, tag -> atomic { back[place]!reply, who, tag; who = 0; tag = 0 }
    :: atomic { moves < MOVES -> moves++; place = 1 - place }
    od
}

init {
    atomic { run server_agent(0); run server_agent(1) }
}

ltl answered { [] (p -> <> q) }
