/* typedef: records, with arrays and records inside.
 *
 * This is the only way to two-dimensional arrays. A record is no value: it cannot
 * be assigned or compared as a whole. But it can be sent, received and passed to a
 * process, which means: its fields in order.
 *
 * expect: safety holds, states 55, transitions 55
 */
typedef Row    { byte cell[3]; byte sum }
typedef Matrix { Row row[2]; bool done }
typedef Point  { short x, y; mtype colour }
typedef Line   { Point from; Point to }
typedef Preset { byte plain; byte seven = 7 }

mtype = { red, green };

Matrix m;
Line line;
Preset p;
chan points = [2] of { Point };
chan lines  = [1] of { byte, Line };

proctype moved(Point at)
{
    assert(at.x == -1 && at.y == 300 && at.colour == green)
}

init
{
    byte r, c;

    assert(p.plain == 0 && p.seven == 7);

    for (r : 0 .. 1) {
        for (c : 0 .. 2) {
            m.row[r].cell[c] = 10 * r + c;
            m.row[r].sum = m.row[r].sum + m.row[r].cell[c]
        }
    }
    assert(m.row[0].sum == 3 && m.row[1].sum == 33);
    assert(m.row[m.row[0].cell[1]].cell[m.row[0].cell[2]] == 12 && !m.done);

    line.from.x = -1; line.from.y = 300; line.from.colour = green;
    points!line.from;
    points!5, 6, red;                       /* the same thing, field by field */
    points?line.to;
    assert(line.to.x == -1 && line.to.y == 300 && line.to.colour == green);
    points?line.to;
    assert(line.to.x == 5 && line.to.colour == red);

    lines!9, line;
    line.from.x = 0;
    lines?eval(9), line;
    assert(line.from.x == -1 && line.to.y == 6);

    run moved(line.from)
}
