/* Two-phase commit: all or nothing, decided by vote.
 *
 * The coordinator asks every participant; one no is enough to abort. Nobody commits
 * what another one aborts. If the coordinator can crash between the phases
 * (-DCRASH=1), agreement still holds, but those who voted yes wait for ever: they
 * must not decide alone. That is the well known weakness of the protocol, and it
 * shows as an invalid end state.
 *
 * expect: safety holds, states 838, transitions 1870
 * expect: ltl decided holds
 * expect -DCRASH=1: safety violated invalid-end-state, states 873, transitions 1931
 * expect -DN=4: safety holds, states 41544, transitions 150984
 */
#ifndef N
#define N 2
#endif
#ifndef CRASH
#define CRASH 0
#endif

mtype = { ask, yes, no, commit, abort };

chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };
byte committed, aborted;

active [N] proctype participant()
{
    to[_pid]?ask;
    if
    :: votes!yes ->
       if
       :: to[_pid]?commit -> committed++
       :: to[_pid]?abort -> aborted++
       fi
    :: votes!no ->
       aborted++;                           /* who says no knows the result */
       to[_pid]?abort
    fi;
    assert(committed == 0 || aborted == 0)
}

active proctype coordinator()
{
    byte i;
    mtype vote, decision = commit;

    for (i : 0 .. N - 1) {
        to[i]!ask
    }
    for (i : 0 .. N - 1) {
        votes?vote;
        if
        :: vote == no -> decision = abort
        :: else
        fi
    }
    if
    :: CRASH -> goto crashed
    :: true
    fi;
    for (i : 0 .. N - 1) {
        to[i]!decision
    }
crashed:
    skip
}

ltl decided { <> (committed == N || aborted == N) }
