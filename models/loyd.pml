/* Sam Loyd's prize: the sliding tiles that cannot be put in order.
 *
 * He offered $1,000 for the fifteen puzzle with two neighbouring tiles exchanged
 * and all others in place. The money was safe: half of all positions cannot be
 * reached, and this is one of them. Here the board has WIDTH x HEIGHT fields; we
 * start from order and never get there, in any of the (WIDTH * HEIGHT)! / 2 states.
 * With -DLOOK_FOR=1 the model looks for the tiles 1 and 2 in front of the blank
 * instead, which is easy; the error trail is a list of moves.
 *
 * expect: safety holds, states 361, transitions 842
 * expect -DLOOK_FOR=1: safety violated assertion, states 361, transitions 842
 * expect -DWIDTH=4: safety holds, states 20161, transitions 50402
 */
#ifndef WIDTH
#define WIDTH 3
#endif
#ifndef HEIGHT
#define HEIGHT 2
#endif
#ifndef LOOK_FOR
#define LOOK_FOR 0
#endif
#define FIELDS (WIDTH * HEIGHT)

byte tile[FIELDS];                  /* 0 is the blank */
byte blank, in_place;

/* One move: the tile at `from` slides into the blank. */
inline slide(from)
{
    in_place = in_place - (tile[from] == from) - (blank == 0);
    tile[blank] = tile[from];
    in_place = in_place + (tile[blank] == blank) + (from == 0);
    tile[from] = 0;
    blank = from;
    assert(LOOK_FOR || !(in_place == FIELDS - 2 && tile[1] == 2 && tile[2] == 1));
    assert(!LOOK_FOR || !(tile[0] == 1 && tile[1] == 2 && blank == 2))
}

init
{
    d_step {
        byte i;
        for (i : 0 .. FIELDS - 1) { tile[i] = i }
        i = 0;
        in_place = FIELDS
    };
    do
    :: d_step { blank % WIDTH > 0          -> slide(blank - 1) }
    :: d_step { blank % WIDTH < WIDTH - 1  -> slide(blank + 1) }
    :: d_step { blank >= WIDTH             -> slide(blank - WIDTH) }
    :: d_step { blank < FIELDS - WIDTH     -> slide(blank + WIDTH) }
    od
}
