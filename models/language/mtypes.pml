/* mtype: symbolic names, also in sets of their own.
 *
 * Names are numbers from 1, counted from the end of the list. A second list without
 * a name goes on with the numbers; every named list counts anew. printm and %e
 * print the name instead of the number.
 *
 * expect: safety holds, states 17, transitions 17
 */
mtype = { red, amber, green };
mtype = { off };
mtype:fruit = { apple, pear };

mtype light = red;
mtype:fruit snack = pear;
mtype nothing;
chan basket = [2] of { mtype:fruit, mtype };

active proctype show_off()
{
    mtype:fruit f;
    mtype m;

    assert(green == 1 && amber == 2 && red == 3 && off == 4);
    assert(pear == 1 && apple == 2);
    assert(nothing == 0);

    printf("the light is %e, that is %d\n", light, light);
    printm(light);
    printm(snack);

    light = light - 1;                      /* arithmetic is allowed */
    assert(light == amber);

    basket!apple, off;
    basket!snack(green);                    /* another way to write snack, green */
    assert(basket?[apple, off] && basket??[pear, green] && !(basket?[pear, green]));
    basket?f, m;
    assert(f == apple && m == off);
    basket?pear(m);
    assert(m == green)
}
