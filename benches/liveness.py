#!/usr/bin/env python3
"""swarmgp against pan -a: the same model and the same formula, which holds, side by side.

Each property is checked to the end by pan and by four searches of swarmgp in turn. All must say that it holds. Both tools
translate the formula themselves, so the products may differ in size; the table shows both. See README.md beside
this file for what the columns mean.

    python3 benches/liveness.py                 everything, three rounds
    python3 benches/liveness.py --quick         small instances: does it work at all?
    python3 benches/liveness.py --only 'leader' --rounds 5
"""
import argparse
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from versus_pan import (MODELS, REPOSITORY, SPIN, Failure, first_line, geometric_mean, head, macros, must, read_pan, row,
                        run)

GCC = ['gcc', '-w', '-O2', '-DNOREDUCE', '-DMEMLIM=16000', '-o', 'pan', 'pan.c']
SEARCHES = ['default', 'indfs', 'ndfs', 'scc']
# more than any of them needs; a first run tells how much is enough
DEPTH = 20_000_000


class Bench(NamedTuple):
    """A model, a formula that holds, and values for the model's macros."""
    model: str
    formula: str
    full: str
    quick: str


BENCHES = [
    Bench('leader', '<> (leaders == 1 && informed == N)', 'N=5', 'N=4'),
    Bench('two-phase-commit', '<> (committed == N || aborted == N)', 'N=6', 'N=4'),
    Bench('fork-join', '<> (finished == 2 * LEAVES - 1)', 'LEAVES=6', 'LEAVES=5'),
    Bench('philosophers-lefty', '[] !(philosopher[0]@progress_eating && philosopher[1]@progress_eating)', 'N=8', 'N=6'),
    Bench('coherence', '[] (copy[0] == modified -> copy[1] != modified)', 'N=5', 'N=4'),
    Bench('producer-consumer', '<> [] (consumed == PRODUCERS * ITEMS)', 'PRODUCERS=3 CONSUMERS=2', 'PRODUCERS=3'),
    Bench('filter', '[] <> (level[0] == 0) && [] <> (level[0] == N - 1) -> [] <> (level[0] == 1)', 'N=4', 'N=3'),
    Bench('token-ring', '[] <> station[0]@pass -> [] <> station[1]@pass', 'N=5', 'N=4'),
    Bench('readers-writers', '[] <> (writing == 1) -> [] <> (waiting > 0)', 'READERS=7 WRITERS=2',
          'READERS=4 WRITERS=2'),
    Bench('window', '[] <> (len(back) > 0) -> [] <> (len(line) > 0)', 'WINDOW=3 ROOM=3', 'WINDOW=2'),
]


def write_model(bench, directory):
    """The model with this formula as its only one."""
    text = (MODELS / (bench.model + '.pml')).read_text()
    text = re.sub(r'(?m)^ltl .*$', '', text) + f'\nltl bench {{ {bench.formula} }}\n'
    path = Path(directory) / 'model.pml'
    path.write_text(text)
    return str(path)


def pan_command(depth):
    return ['./pan', '-a', '-n', f'-m{depth}']


def swarmgp_command(binary, model, defines, search):
    command = [binary, 'verify', model, '--property', 'ltl:bench', '--json', '--no-trail']
    for define in defines.split():
        command += ['-D', define]
    return command + ([] if search == 'default' else ['--search', search])


def pan_states(result):
    if not re.search(r'errors: 0\b', result.output):
        raise Failure('pan: the property does not hold')
    return read_pan(result).states


def swarmgp_answer(result):
    try:
        answer = json.loads(result.output)['results'][0]
    except (ValueError, LookupError) as error:
        raise Failure(f'swarmgp: not the JSON that was promised: {result.output.strip()[:300]}') from error
    if answer['verdict'] != 'holds':
        raise Failure(f'swarmgp: {answer["verdict"]}: {answer["message"]}')
    return answer


def measure(bench, defines, binary, rounds):
    """Programs take turns, so that a slow minute of the machine hits all alike."""
    with tempfile.TemporaryDirectory() as directory:
        model = write_model(bench, directory)
        must(SPIN + macros(defines) + [model], directory)
        must(GCC, directory)
        depth = int(re.search(r'depth reached (\d+)', run(pan_command(DEPTH), directory).output)[1])
        commands = {'pan': pan_command(depth + 100)}
        for search in SEARCHES:
            commands[search] = swarmgp_command(binary, model, defines, search)
        times, pan, ours, chosen = {}, None, set(), None
        for _ in range(rounds):
            for who, command in commands.items():
                result = run(command, directory)
                times.setdefault(who, []).append(result.user_s)
                if who == 'pan':
                    pan = pan_states(result)
                    continue
                answer = swarmgp_answer(result)
                ours.add(answer['states_stored'])
                if who == 'default':
                    chosen = answer['search']
        if len(ours) > 1:
            raise Failure(f'the searches disagree about the number of states: {sorted(ours)}')
    return pan, ours.pop(), chosen, {who: max(min(seconds), 1e-3) for who, seconds in times.items()}


def compare(args):
    head(['model', 'formula', 'pan states', 'our states', 'pan s', 'default'] + [f'{s} ×' for s in SEARCHES]
         + ['indfs / ndfs'], 2)
    failures, ratios = [], {s: [] for s in SEARCHES}
    for bench in BENCHES:
        defines = bench.quick if args.quick else bench.full
        name = f'{bench.model} {defines}'
        if not re.search(args.only, name):
            continue
        try:
            pan, ours, chosen, times = measure(bench, defines, args.bin, args.rounds)
        except Failure as failure:
            failures.append(f'{name}: {failure}')
            row([name, 'FAILED, see below'])
            continue
        for search in SEARCHES:
            ratios[search].append(times['pan'] / times[search])
        formula = bench.formula.replace('|', '\\|')
        row([name, f'`{formula}`', f'{pan:,}', f'{ours:,}', f'{times["pan"]:.2f}', chosen]
            + [f'{ratios[s][-1]:.2f}' for s in SEARCHES] + [f'{times["indfs"] / times["ndfs"]:.2f}'])
    if ratios['indfs']:
        relative = [n / i for n, i in zip(ratios['ndfs'], ratios['indfs'])]
        row([f'**geometric mean of {len(relative)}**', '', '', '', '', '']
            + [f'**{geometric_mean(ratios[s]):.2f}**' for s in SEARCHES] + [f'**{geometric_mean(relative):.2f}**'])
    return failures


def main():
    parser = argparse.ArgumentParser(description='swarmgp against pan -a on properties that hold')
    parser.add_argument('--only', default='', metavar='REGEX', help='only the models whose name and macros match')
    parser.add_argument('--rounds', type=int, default=3, help='runs of each program; the fastest counts (default 3)')
    parser.add_argument('--quick', action='store_true', help='small instances, to see that everything works')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE',
                        help='the swarmgp to measure (default target/release/swarmgp)')
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)
    if args.rounds < 1:
        parser.error('--rounds must be at least 1')
    print(f'{first_line(["spin", "-V"])}; {first_line(["gcc", "--version"])}; {first_line([args.bin, "--version"])}; '
          f'{args.rounds} rounds\n')
    failures = compare(args)
    for failure in failures:
        print(f'\nFAILED {failure}')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
