/* The message of a rendezvous is evaluated before anybody is looked for who might receive: an index outside of its array is
 * an error there, whether somebody waits for the message or not.
 *
 * expect: safety violated array-index
 */
chan ring = [0] of { byte };
byte list[3];

active proctype sender()
{
    byte i = 3;

end:
    ring!list[i] + 1
}
