/* notrace: a sequence of channel operations that must not happen.
 *
 * If the described sequence can be followed to its end, that is an error. Forbidden
 * here: two requests in a row without an answer in between. The client that may
 * send twice (-DPATIENT=0) does it.
 *
 * expect: safety holds, states 6, transitions 7
 * expect -DPATIENT=0: safety violated trace, states 30, transitions 47
 */
#ifndef PATIENT
#define PATIENT 1
#endif

chan request = [2] of { byte };
chan answer  = [2] of { byte };

notrace {
    do
    :: request!_;
       if
       :: answer?_
       :: request!_ -> break
       fi
    od
}

active proctype client()
{
    do
    :: request!1;
       if
       :: answer?_
       :: !PATIENT -> request!2; answer?_; answer?_
       fi
    od
}

active proctype server()
{
    byte r;

    do
    :: request?r; answer!r
    od
}
