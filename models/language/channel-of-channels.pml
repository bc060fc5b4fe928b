/* Channels are values: a request can carry the channel for the answer.
 *
 * The server knows none of its clients. What travels in a message is the number of
 * a channel, so channels can also be compared, stored in variables, and passed to
 * processes as parameters. A variable without a channel is 0.
 *
 * expect: safety holds, states 51, transitions 76
 */
chan requests = [1] of { byte, chan };
chan other;

proctype client(byte question; chan to)
{
    chan mine = [0] of { byte };
    byte answer;

    assert(to == requests && mine != requests && other == 0);
    to!question, mine;
    mine?answer;
    assert(answer == question * question)
}

active proctype server()
{
    chan reply;
    byte number;

end:
    do
    :: requests?number, reply -> reply!number * number
    od
}

init
{
    atomic {
        run client(3, requests);
        run client(4, requests)
    }
}
