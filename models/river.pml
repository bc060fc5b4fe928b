/* A puzzle: the farmer, the wolf, the goat and the cabbage cross the river.
 *
 * The boat carries the farmer and at most one more. The wolf eats the goat and the
 * goat eats the cabbage as soon as the farmer is on the other side. Moves that end
 * badly are not executable, so all that remains is to claim that the cabbage and
 * the others never arrive; the error trail shows how they do.
 *
 * expect: safety violated assertion, states 13, transitions 24
 * expect: ltl never_over violated
 */
bit farmer, wolf, goat, cabbage;    /* 0: this side, 1: the other side */

#define arrived (farmer && wolf && goat && cabbage)

/* Is all well on the shore that the farmer leaves, with wolf, goat and cabbage at w, g, c? */
#define peaceful(w, g, c) ((g) != farmer || ((g) != (w) && (g) != (c)))

inline cross(load, allowed)
{
    atomic {
        farmer == load && allowed ->
        load = 1 - load;
        farmer = 1 - farmer
    }
}

active proctype ferry()
{
    do
    :: cross(wolf,    peaceful(1 - farmer, goat, cabbage))
    :: cross(goat,    peaceful(wolf, 1 - farmer, cabbage))
    :: cross(cabbage, peaceful(wolf, goat, 1 - farmer))
    :: atomic { peaceful(wolf, goat, cabbage) -> farmer = 1 - farmer }      /* alone */
    :: arrived -> break
    od;
    assert(!arrived)
}

ltl never_over { [] !arrived }
