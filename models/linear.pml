/* A relay on one long track: no state has more than one successor.
 *
 * The baton goes from stage to stage, and each stage counts how far it has carried it. Only the foremost stage that has the
 * baton counts; whatever stages behind it may still show is cleared. So the states form one line, of STAGES * LAST + 3 states, and
 * there is nothing that two threads could share from its beginning: whoever wants to be faster has to begin somewhere else. Any
 * value of any stage is that of a state on the line once the stages behind it are cleared, which takes one step.
 *
 * After Renault, Improving swarming using genetic algorithms, 2020, section 6.3: many variables with bounds that are known.
 *
 * expect: safety holds, states 1533, transitions 1533
 * expect -DSTAGES=20: safety holds, states 5103, transitions 5103
 */
#ifndef STAGES
#define STAGES 6
#endif
#define LAST 255

byte stage[STAGES] = 0;

active proctype relay()
{
	int foremost, behind;

	do
	:: d_step {
		stage[STAGES - 1] < LAST ->
		foremost = STAGES - 1;
		do
		:: foremost > 0 && stage[foremost] == 0 -> foremost--
		:: else -> break
		od;
		behind = 0;
		do
		:: behind < foremost -> stage[behind] = 0; behind++
		:: else -> break
		od;
		if
		:: stage[foremost] < LAST -> stage[foremost]++
		:: else -> stage[foremost + 1] = 1; stage[foremost] = 0
		fi;
		foremost = 0;
		behind = 0
	   }
	:: stage[STAGES - 1] == LAST -> break
	od
}
