#!/usr/bin/env python3
"""swarmgp against pan, SPIN's verifier: the same state spaces, side by side.

Every model is explored completely by three programs in turn: pan (depth-first), `swarmgp --search bfs` and
`swarmgp --search dfs`. All three must report the numbers of states and transitions that stand in the table below; a
speed counts only if they do. See README.md beside this file for what the columns mean.

    python3 benches/versus_pan.py                 everything, three rounds
    python3 benches/versus_pan.py --quick         small instances: does it work at all?
    python3 benches/versus_pan.py --only 'loyd|filter' --rounds 5
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
MODELS = REPOSITORY / 'models'

# No optimisation that changes the state space: no dead-variable reset, no hiding of write-only variables, no statement
# merging, no partial-order reduction. Hash table and everything else as pan has it by default (-w24).
SPIN = ['spin', '-a', '-o1', '-o2', '-o3']
GCC = ['gcc', '-w', '-DSAFETY', '-DNOREDUCE', '-DNOCLAIM', '-DMEMLIM=16000', '-o', 'pan', 'pan.c']
SEARCHES = ['bfs', 'dfs']


class Instance(NamedTuple):
    """A model with values for its macros, and what pan counts in it."""
    defines: str
    states: int
    transitions: int
    depth: int


class Bench(NamedTuple):
    model: str
    features: str
    full: Instance
    quick: Instance


BENCHES = [
    Bench('bakery', 'shared variables',
          Instance('N=3 TICKETS=20', 9679166, 27639952, 632022),
          Instance('N=3 TICKETS=1', 79703, 231721, 14863)),
    Bench('filter', 'shared variables, short atomics',
          Instance('N=4', 1500925, 5461839, 230630),
          Instance('N=3', 18964, 52741, 4553)),
    Bench('loyd', 'd_step, one process',
          Instance('WIDTH=5', 1814401, 4717442, 1651076),
          Instance('WIDTH=4', 20161, 50402, 17511)),
    Bench('readers-writers', 'atomic, shared counters',
          Instance('READERS=8 WRITERS=2', 3125024, 24375045, 546881),
          Instance('READERS=5 WRITERS=2', 25024, 131295, 4381)),
    Bench('coherence', 'atomic, d_step, channels of both kinds',
          Instance('N=5', 2833030, 7180991, 391807),
          Instance('N=4', 143328, 361041, 29858)),
    Bench('window', 'buffered channels, few processes',
          Instance('WINDOW=3 ROOM=3', 2725504, 10170326, 658489),
          Instance('WINDOW=3', 147974, 420688, 30605)),
    Bench('alter-chain', 'buffered channels, inlines',
          Instance('HOPS=3', 686700, 3935264, 109130),
          Instance('HOPS=2', 18184, 75558, 2999)),
    Bench('producer-consumer', 'buffered channel, local arrays',
          Instance('PRODUCERS=3 CONSUMERS=2', 1187446, 4759291, 57),
          Instance('PRODUCERS=3', 33925, 109621, 54)),
    Bench('two-phase-commit', 'buffered channels, processes that end',
          Instance('N=6', 1979622, 9863708, 106),
          Instance('N=4', 41544, 150984, 74)),
    Bench('leader', 'large buffered channels',
          Instance('N=5', 1333497, 4344231, 130),
          Instance('N=4', 41502, 108221, 98)),
    Bench('philosophers', 'many channels, a deadlock',
          Instance('N=12', 1684801, 14610253, 1545921),
          Instance('N=9', 46763, 304138, 39926)),
    Bench('token-ring', 'rendezvous',
          Instance('N=5', 1374683, 5627187, 180024),
          Instance('N=4', 97905, 324282, 19964)),
    Bench('philosophers-lefty', 'rendezvous, many processes',
          Instance('N=8', 1776317, 12687005, 113869),
          Instance('N=6', 50229, 268315, 6539)),
    Bench('sorting-pipe', 'rendezvous, d_step, processes that end',
          Instance('N=6 RANGE=4', 2402622, 9333979, 157),
          Instance('N=5 RANGE=3', 151889, 523564, 122)),
    Bench('fork-join', 'dynamic processes with channels of their own',
          Instance('LEAVES=6', 1876830, 9164063, 92),
          Instance('LEAVES=5', 126737, 519024, 76)),
]

# For "from source to verdict": models/NAME.pml as it is, all below 10,000 states.
SMALL = ['peterson', 'dekker', 'alter', 'leader', 'coherence', 'token-ring', 'philosophers-lefty', 'two-phase-commit']


class Failure(Exception):
    """Something that makes a measurement worthless; the message is for the user."""


class Run(NamedTuple):
    """One run of one program."""
    output: str
    code: int
    user_s: float
    wall_s: float
    peak_bytes: int


class Explored(NamedTuple):
    """What a run says about the state space."""
    states: int
    transitions: int


def run(command, directory):
    """Run to the end; resources are those of this child alone, from wait4."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode('utf-8', 'replace'))
    if child.returncode < 0:
        raise Failure(f'{command[0]} was killed by signal {-child.returncode}: {texts[1].strip()[-200:]}')
    unit = 1 if sys.platform == 'darwin' else 1024
    return Run(texts[0], child.returncode, usage.ru_utime, wall, usage.ru_maxrss * unit)


def must(command, directory):
    result = run(command, directory)
    if result.code != 0:
        raise Failure(f'{" ".join(command)} failed with exit status {result.code}: {result.output.strip()[-300:]}')
    return result


def macros(defines):
    return ['-D' + d for d in defines.split()]


def build_pan(model, defines, optimise, directory):
    must(SPIN + macros(defines) + [str(MODELS / (model + '.pml'))], directory)
    must(GCC + [optimise], directory)


def pan_command(depth):
    return ['./pan', '-c0', '-n', f'-m{depth + 100}']


def swarmgp_command(binary, model, defines, search):
    command = [binary, 'verify', str(MODELS / (model + '.pml')), '--property', 'safety', '--continue', '--json']
    for define in defines.split():
        command += ['-D', define]
    return command + (['--search', search] if search else [])


def read_pan(result):
    """pan prints at most eight digits, so more than that is compared rounded."""
    if 'max search depth too small' in result.output:
        raise Failure('pan: max search depth too small; the depth in the table is out of date')
    stored = re.search(r'(\S+) states, stored', result.output)
    transitions = re.search(r'(\S+) transitions \(', result.output)
    if not stored or not transitions or 'Search not completed' in result.output:
        raise Failure(f'pan did not complete: {result.output.strip()[:300]}')
    return Explored(int(float(stored[1])), int(float(transitions[1])))


def read_swarmgp(result):
    if result.code not in (0, 1):
        raise Failure(f'swarmgp: exit status {result.code}: {result.output.strip()[:300]}')
    try:
        report = json.loads(result.output)['results'][0]
        if not report.get('complete', True):
            raise Failure(f'swarmgp: not complete: {report.get("reason")}')
        return Explored(report['states_stored'], report['transitions'])
    except (ValueError, LookupError) as error:
        raise Failure(f'swarmgp: not the JSON that was promised ({error!r}): {result.output.strip()[:300]}') from error


def eight_digits(number):
    return int(float('%.8g' % number))


def check(who, seen, instance):
    for what in ('states', 'transitions'):
        got, expected = getattr(seen, what), getattr(instance, what)
        if eight_digits(got) != eight_digits(expected):
            raise Failure(f'{who}: {got:,} {what}, expected {expected:,}')


def measure(bench, instance, binary, rounds):
    """Rows of runs in turn, A B C A B C …, so that a slow minute of the machine hits all alike."""
    runs = {}
    with tempfile.TemporaryDirectory() as directory:
        build_pan(bench.model, instance.defines, '-O2', directory)
        commands = {'pan': pan_command(instance.depth)}
        for search in SEARCHES:
            commands[search] = swarmgp_command(binary, bench.model, instance.defines, search)
        for _ in range(rounds):
            for who, command in commands.items():
                result = run(command, directory)
                check(who, read_pan(result) if who == 'pan' else read_swarmgp(result), instance)
                runs.setdefault(who, []).append(result)
        vector = re.search(r'State-vector (\d+) byte', runs['pan'][0].output)
    return int(vector[1]), runs


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def row(cells):
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def head(cells, left):
    row(cells)
    row(['---' if i < left else '--:' for i in range(len(cells))])


def compare(args):
    """The main table. Returns the failures."""
    print('\n## Speed and memory on large state spaces\n')
    head(['model', 'features', 'states', 'vector', 'pan states/s'] + [f'{s} ×' for s in SEARCHES]
         + [f'{who} bytes/state' for who in ['pan'] + SEARCHES], 2)
    failures, ratios, densities = [], {s: [] for s in SEARCHES}, {w: [] for w in ['pan'] + SEARCHES}
    for bench in BENCHES:
        instance = bench.quick if args.quick else bench.full
        name = f'{bench.model} {instance.defines}'
        if not re.search(args.only, name):
            continue
        try:
            vector, runs = measure(bench, instance, args.bin, args.rounds)
        except Failure as failure:
            failures.append(f'{name}: {failure}')
            row([name, bench.features, f'{instance.states:,}', 'FAILED, see below'])
            continue
        best = {who: max(min(r.user_s for r in rs), 1e-3) for who, rs in runs.items()}
        density = {who: min(r.peak_bytes for r in rs) / instance.states for who, rs in runs.items()}
        for search in SEARCHES:
            ratios[search].append(best['pan'] / best[search])
        for who in density:
            densities[who].append(density[who])
        row([name, bench.features, f'{instance.states:,}', str(vector), f'{instance.states / best["pan"]:,.0f}']
            + [f'{ratios[s][-1]:.2f}' for s in SEARCHES] + [f'{density[w]:.0f}' for w in ['pan'] + SEARCHES])
    if ratios[SEARCHES[0]]:
        row([f'**geometric mean of {len(densities["pan"])}**', '', '', '', '']
            + [f'**{geometric_mean(ratios[s]):.2f}**' for s in SEARCHES]
            + [f'**{geometric_mean(densities[w]):.0f}**' for w in ['pan'] + SEARCHES])
    return failures


def wall(step):
    start = time.perf_counter()
    result = step()
    return time.perf_counter() - start, result


def spin_gcc_pan(model, optimise):
    with tempfile.TemporaryDirectory() as directory:
        build_pan(model, '', optimise, directory)
        return read_pan(run(pan_command(100000), directory))


def from_source(args):
    """Wall time from the text of a small model to the verdict, compilation included. Returns the failures."""
    print('\n## From source to verdict, small models\n')
    head(['model', 'states', 'spin + gcc -O0 + pan', 'spin + gcc -O2 + pan', 'swarmgp', '× -O0', '× -O2'], 1)
    failures, ratios = [], {'-O0': [], '-O2': []}
    for model in SMALL:
        if not re.search(args.only, model):
            continue
        ways = {
            '-O0': lambda: spin_gcc_pan(model, '-O0'),
            '-O2': lambda: spin_gcc_pan(model, '-O2'),
            'swarmgp': lambda: read_swarmgp(run(swarmgp_command(args.bin, model, '', None), '.')),
        }
        times, seen = {}, set()
        try:
            for _ in range(args.rounds):
                for way, step in ways.items():
                    seconds, explored = wall(step)
                    times.setdefault(way, []).append(seconds)
                    seen.add(explored)
            if len(seen) > 1:
                raise Failure(f'not the same state space: {sorted(seen)}')
        except Failure as failure:
            failures.append(f'{model}: {failure}')
            row([model, 'FAILED, see below'])
            continue
        best = {way: min(ts) for way, ts in times.items()}
        for way in ratios:
            ratios[way].append(best[way] / best['swarmgp'])
        row([model, f'{seen.pop().states:,}'] + [f'{best[w] * 1000:,.0f} ms' for w in ways]
            + [f'{ratios[w][-1]:.0f}' for w in ratios])
    if ratios['-O2']:
        row([f'**geometric mean of {len(ratios["-O2"])}**', '', '', '', '']
            + [f'**{geometric_mean(ratios[w]):.0f}**' for w in ratios])
    return failures


def first_line(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.split('\n')[0]
    except FileNotFoundError:
        sys.exit(f'{command[0]}: not found')


def main():
    parser = argparse.ArgumentParser(description='swarmgp against pan on the same state spaces')
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
          f'{args.rounds} rounds')
    failures = compare(args) + from_source(args)
    for failure in failures:
        print(f'\nFAILED {failure}')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
