/* select: any value of a range.
 *
 * Between two numbers it is one step with a choice; with anything else as a bound it
 * counts up from the lower bound and may stop anywhere, which takes several steps.
 * No other value is possible (the assertions), and each value is: whoever claims
 * that one of them never comes is refuted.
 *
 * expect: safety holds, states 268, transitions 484
 * expect: ltl not_four_and_one violated
 * expect: ltl not_one_and_four violated
 * expect: ltl not_both_at_once holds
 */
byte fixed, free, bound = 3;
bool hit[4];

active proctype literal()
{
    select (fixed : 1 .. 4);
    assert(fixed >= 1 && fixed <= 4)
}

active proctype computed()
{
    select (free : bound - 2 .. bound + 1);
    assert(free >= 1 && free <= 4);
    hit[free - 1] = true;
    assert(hit[0] + hit[1] + hit[2] + hit[3] == 1)
}

ltl not_four_and_one { [] !(fixed == 4 && hit[0]) }
ltl not_one_and_four { [] !(fixed == 1 && hit[3]) }
ltl not_both_at_once { [] !(hit[1] && hit[2]) }
