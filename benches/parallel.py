#!/usr/bin/env python3
"""Searches by many threads, beside those by one, on the same models.

    python3 benches/parallel.py                     # all tables, some minutes
    python3 benches/parallel.py --only swarm        # one of: pbfs, swarm, cndfs, linear, reduced
    python3 benches/parallel.py --beem DIRECTORY    # models of others, such as BEEM in Promela: every .pm, .prm and .pml there

The programs take turns, and of the rounds the fastest counts. States and verdicts must be equal, or the row says so; what a reduced
search stores may depend on its threads.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
LARGE = [('bakery', 'N=3', 'TICKETS=20'), ('readers-writers', 'READERS=8', 'WRITERS=2'), ('coherence', 'N=5'),
         ('window', 'WINDOW=3', 'ROOM=3'), ('sorting-pipe', 'N=6', 'RANGE=4'), ('two-phase-commit', 'N=7'),
         ('philosophers', 'N=12'), ('token-ring', 'N=5'), ('leader', 'N=5')]
LIVE = [('leader', '<> (leaders == 1 && informed == N)', 'N=5'),
        ('two-phase-commit', '<> (committed == N || aborted == N)', 'N=6'),
        ('filter', '[] <> (level[0] == 0) && [] <> (level[0] == N - 1) -> [] <> (level[0] == 1)', 'N=4'),
        ('token-ring', '[] <> station[0]@pass -> [] <> station[1]@pass', 'N=5'),
        ('window', '[] <> (len(back) > 0) -> [] <> (len(line) > 0)', 'WINDOW=3', 'ROOM=3'),
        ('readers-writers', '[] <> (writing == 1) -> [] <> (waiting > 0)', 'READERS=7', 'WRITERS=2')]

# more than two million states are left of these by `--reduce=order`
REDUCED = [('bakery', 'N=3', 'TICKETS=20'), ('readers-writers', 'READERS=8', 'WRITERS=2'), ('coherence', 'N=5'),
           ('window', 'WINDOW=4', 'ROOM=3'), ('needham-schroeder', 'WILD=1')]
PARALLEL = ['pbfs', 'swarm', 'rdkp', 'ufscc']


def run(options, model, macros, search, *more):
    command = [options.bin, 'verify', str(model), *(f'-D{macro}' for macro in macros), '--json', '--no-trail',
               '--time', str(options.time), *search.split(), *more]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (0, 1, 3):
        return {'failed': result.stderr.strip().splitlines()[-1] if result.stderr.strip() else 'failed'}
    return json.loads(result.stdout)['results'][0]


def race(options, model, macros, searches, *more):
    """The fastest of some rounds of each search, by turns."""
    best = {}
    for _ in range(options.rounds):
        for search in searches:
            answer = run(options, model, macros, search, *more)
            if 'failed' in answer:
                return answer['failed']
            if search not in best or answer['time_s'] < best[search]['time_s']:
                best[search] = answer
    first = best[searches[0]]
    counts_differ = any('--reduce' in search for search in searches)
    for search in searches[1:]:
        if best[search]['verdict'] != first['verdict']:
            return f'{search}: {best[search]["verdict"]}, not {first["verdict"]}'
        if not counts_differ and first['verdict'] == 'holds' and best[search]['states_stored'] != first['states_stored']:
            return f'{search}: {best[search]["states_stored"]} states, not {first["states_stored"]}'
    return [best[search] for search in searches]


def table(titles, rows, means):
    print('| ' + ' | '.join(titles) + ' |')
    print('|' + ' --- |' + ' --: |' * (len(titles) - 1), flush=True)
    columns = []
    for row in rows:
        print('| ' + ' | '.join(f'{cell:.2f}' if isinstance(cell, float) else str(cell) for cell in row) + ' |', flush=True)
        if len(row) == len(titles):
            columns.append(row)
    if columns and means:
        cells = [f'**geometric mean of {len(columns)}**']
        for number in range(1, len(titles)):
            values = [row[number] for row in columns]
            shown = number in means and all(isinstance(value, float) for value in values)
            cells.append(f'**{statistics.geometric_mean(values):.2f}**' if shown else '')
        print('| ' + ' | '.join(cells) + ' |')
    print(flush=True)


def name(model, macros):
    return ' '.join([Path(model).stem, *macros])


def breadth_rows(options):
    for entry in LARGE:
        model, macros = REPOSITORY / 'models' / f'{entry[0]}.pml', entry[1:]
        searches = ['--search bfs', '--search pbfs --threads 1', '--search pbfs --threads 2', '--search swarm --threads 2 --shorten off']
        more = ['--property', 'safety', '--no-end-states', '--no-assertions']
        answers = race(options, model, macros, searches, *more)
        if isinstance(answers, str):
            yield [name(model, macros), answers]
            continue
        time = [answer['time_s'] for answer in answers]
        yield [name(model, macros), f'{answers[0]["states_stored"]:,}', time[0], time[1] / time[0], time[1] / time[2], time[0] / time[2],
               time[3] / time[2]]


def swarm_rows(options):
    for entry in LARGE:
        model, macros = REPOSITORY / 'models' / f'{entry[0]}.pml', entry[1:]
        searches = ['--search dfs --shorten off', '--search swarm --threads 1 --shorten off',
                    '--search swarm --threads 2 --shorten off', '--search swarm-gp --threads 2 --shorten off']
        more = ['--property', 'safety', '--no-end-states', '--no-assertions']
        answers = race(options, model, macros, searches, *more)
        if isinstance(answers, str):
            yield [name(model, macros), answers]
            continue
        dfs, one, two, genetic = answers
        time = [answer['time_s'] for answer in answers]
        artificial = genetic['artificial']
        share = 100 * artificial['reachable'] / artificial['states'] if artificial['states'] else '–'
        yield [name(model, macros), f'{dfs["states_stored"]:,}', time[0], time[1] / time[0], time[1] / time[2],
               time[2] / time[3], share]


def live_rows(options):
    for entry in LIVE:
        model, formula, macros = REPOSITORY / 'models' / f'{entry[0]}.pml', entry[1], entry[2:]
        searches = ['--search indfs', '--search cndfs --threads 1', '--search cndfs --threads 2',
                    '--search cndfs-gp --threads 2']
        answers = race(options, model, macros, searches, '--ltl', formula)
        if isinstance(answers, str):
            yield [name(model, macros), answers]
            continue
        time = [answer['time_s'] for answer in answers]
        yield [name(model, macros), f'{answers[0]["states_stored"]:,}', time[0], time[1] / time[0], time[1] / time[2],
               time[2] / time[3]]


def linear_rows(options):
    model = REPOSITORY / 'models' / 'linear.pml'
    for stages in (100, 200, 300):
        macros = [f'STAGES={stages}']
        swarm = race(options, model, macros, ['--search swarm --threads 1', '--search swarm --threads 2'], '--property', 'safety')
        if isinstance(swarm, str):
            yield [name(model, macros), swarm]
            continue
        ratios, shares = [], []
        for seed in range(1, 11):
            answer = run(options, model, macros, '--search swarm-gp --threads 2', '--property', 'safety', '--seed', str(seed))
            if 'failed' in answer or answer['states_stored'] != swarm[0]['states_stored']:
                sys.exit(f'linear, seed {seed}: {answer}')
            ratios.append(swarm[1]['time_s'] / answer['time_s'])
            shares.append(100 * answer['artificial']['reachable'] / max(1, answer['artificial']['states']))
        yield [name(model, macros), f'{swarm[0]["states_stored"]:,}', swarm[0]['time_s'] / swarm[1]['time_s'],
               statistics.geometric_mean(ratios), min(ratios), max(ratios), statistics.mean(shares)]


def reduced_rows(options):
    for entry in REDUCED:
        model, macros = REPOSITORY / 'models' / f'{entry[0]}.pml', entry[1:]
        searches = [f'--search {search} --threads {threads} --reduce=order' for search in PARALLEL for threads in (1, 2)]
        answers = race(options, model, macros, searches, '--property', 'safety', '--no-end-states', '--no-assertions')
        if isinstance(answers, str):
            yield [name(model, macros), answers]
            continue
        states = [answer['states_stored'] for answer in answers]
        gains = [one['time_s'] / two['time_s'] for one, two in zip(answers[::2], answers[1::2])]
        yield [name(model, macros), f'{min(states):,} to {max(states):,}', *gains, statistics.geometric_mean(gains)]


def beem_rows(options):
    files = sorted(file for file in Path(options.beem).rglob('*') if file.suffix in ('.pm', '.prm', '.pml', '.promela'))
    for file in files:
        searches = ['--search swarm --threads 1 --shorten off', '--search swarm --threads 2 --shorten off',
                    '--search swarm-gp --threads 2 --shorten off']
        more = ['--property', 'safety', '--no-end-states', '--no-assertions']
        answers = race(options, file, [], searches, *more)
        if isinstance(answers, str):
            yield [file.stem, answers]
            continue
        one, two, genetic = answers
        if one['verdict'] != 'holds' or one['states_stored'] < options.least:
            continue
        artificial = genetic['artificial']
        share = 100 * artificial['reachable'] / artificial['states'] if artificial['states'] else '–'
        yield [file.stem, f'{one["states_stored"]:,}', one['time_s'], one['time_s'] / two['time_s'],
               two['time_s'] / genetic['time_s'], share]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--only', choices=['pbfs', 'swarm', 'cndfs', 'linear', 'reduced'])
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--time', type=float, default=120, help='seconds for each run')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE')
    parser.add_argument('--beem', metavar='DIRECTORY')
    parser.add_argument('--least', type=int, default=100_000, help='states of a model that is worth a row (with --beem)')
    options = parser.parse_args()
    print(f'{os.cpu_count()} cores, {options.rounds} rounds\n')
    if options.beem:
        table(['model', 'states', 'swarm, 1 thread: s', '2 threads ×', 'swarm-gp ×', 'reachable %'], beem_rows(options), {3, 4})
        return
    if options.only in (None, 'pbfs'):
        table(['model', 'states', 'bfs s', 'pbfs, 1 thread / bfs', '2 threads ×', '2 threads: bfs ×', 'swarm ×'], breadth_rows(options),
              {3, 4, 5, 6})
    if options.only in (None, 'swarm'):
        table(['model', 'states', 'dfs s', 'swarm, 1 thread / dfs', '2 threads ×', 'swarm-gp ×', 'reachable %'],
              swarm_rows(options), {3, 4, 5})
    if options.only in (None, 'cndfs'):
        table(['model', 'states', 'indfs s', 'cndfs, 1 thread / indfs', '2 threads ×', 'cndfs-gp ×'], live_rows(options), {3, 4, 5})
    if options.only in (None, 'linear'):
        table(['model', 'states', 'swarm, 2 threads ×', 'swarm-gp × (10 seeds)', 'least', 'most', 'reachable %'],
              linear_rows(options), set())
    if options.only in (None, 'reduced'):
        table(['model', 'states', *(f'{search}, 2 threads ×' for search in PARALLEL), 'mean'], reduced_rows(options), {2, 3, 4, 5, 6})


if __name__ == '__main__':
    main()
