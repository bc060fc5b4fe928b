#!/usr/bin/env python3
"""Ants and genes on the models of their papers: how often they find the violation, and how short its trail is.

Each row is a model, a property, and a search with the parameters of the paper (or those given here), repeated with
different seeds. The paper's figures stand beside ours; models and machines differ, so only hit rates and lengths compare,
and lengths only roughly.

    python3 benches/walks.py                 100 runs of ants, 50 of genes: an hour
    python3 benches/walks.py --runs 5        at most so many: some minutes
    python3 benches/walks.py --only 'phi|gega'
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
MODELS = REPOSITORY / 'models'


class Row(NamedTuple):
    model: str
    defines: str
    property: str
    search: str
    options: str
    """Hit rate and length in the paper."""
    paper: str


ANTS = [('alter', '', 'both_ways', ('100/100, 10.0', '100/100, 15.8')),
        ('giop', 'N=10', 'answered', ('84/100, 68.6', '89/100, 67.6')),
        ('giop', 'N=15', 'answered', ('46/100, 81.3', '57/100, 78.3')),
        ('giop', 'N=20', 'answered', ('14/100, 93.3', '30/100, 88.5')),
        ('phi', 'N=20', 'fed', ('98/100, 88.3', '97/100, 108.7')),
        ('phi', 'N=30', 'fed', ('94/100, 122.6', '95/100, 139.2')),
        ('phi', 'N=40', 'fed', ('77/100, 154.7', '81/100, 166.8')),
        ('elev', 'N=10', 'served', ('100/100, 126.6', '100/100, 127.8')),
        ('elev', 'N=15', 'served', ('100/100, 182.0', '100/100, 180.0')),
        ('elev', 'N=20', 'served', ('100/100, 233.0', '100/100, 231.6')),
        ('procedure', '', 'started', ('32/100, 24.0', '100/100, 24.0'))]

ROWS = [Row(model, defines, f'ltl:{formula}', 'aco-live', f'--scc {scc}', paper[scc == 'on'])
        for scc in ('on', 'off') for model, defines, formula, paper in ANTS]

EXHAUSTIVE = {'alter': '1/1, 64', 'phi N=20': '1/1, 10001', 'elev N=10': '1/1, 629 and 619', 'elev N=15': '1/1, 849 and 839',
              'elev N=20': '1/1, 1069 and 1059', 'procedure': '1/1, 9999 and 46'}
ROWS += [Row(model, defines, f'ltl:{formula}', search, '--memory 512M',
             EXHAUSTIVE.get(f'{model} {defines}'.strip(), '0/1'))
         for search in ('ndfs', 'indfs') for model, defines, formula, _ in ANTS]

MEMORY = '--memory-operator --set frequency=20'
ROWS += [
    Row('dining-philosophers', 'N=4', 'safety', 'gega', '--set length=50', '50/50, 20.0'),
    Row('dining-philosophers', 'N=8', 'safety', 'gega', '--set length=60', '50/50, 41.7'),
    Row('dining-philosophers', 'N=16', 'safety', 'gega', '--set length=120', '50/50, 95.7'),
    Row('dining-philosophers', 'N=16', 'safety', 'gega', MEMORY, '50/50, 114.9'),
    Row('dining-philosophers', 'N=32', 'safety', 'gega', MEMORY, '50/50, 248.1'),
    Row('dining-once', 'N=4', 'safety', 'gega', '--set length=25 --set generations=100', '45/50, 16.0'),
    Row('dining-once', 'N=8', 'safety', 'gega', '--set length=50 --set generations=100', '45/50, 33.0'),
    Row('dining-once', 'N=16', 'safety', 'gega',
        '--set population=200 --set length=100 --set generations=150', '48/50, 65.0'),
    Row('dining-once', 'N=16', 'safety', 'gega', MEMORY, '35/50, 65.0'),
    Row('marriage', 'N=3', 'safety', 'gega', '--set length=50', '50/50, 23.0'),
    Row('marriage', 'N=4', 'safety', 'gega', '--set length=60', '50/50, 34.4'),
    Row('marriage', 'N=5', 'safety', 'gega', '--set length=60', '47/50, 49.6'),
    Row('marriage', 'N=8', 'safety', 'gega', '--set length=140 --set generations=100', '50/50, 104.1'),
    Row('marriage', 'N=8', 'safety', 'gega', '--memory-operator --set frequency=10', '38/50, 122.3'),
    Row('dining-choice', 'N=17', 'safety', 'gega', '--set length=170', '48/50, 170'),
    Row('dining-choice', 'N=17', 'safety', 'path-ga', '', '26/50, at most 65'),
    Row('dining-choice', 'N=17', 'safety', 'path-ga', '--crossover off', '26/50, at most 65'),
    Row('dining-choice', 'N=17', 'safety', 'path-ga', '--set depth=65', '26/50, at most 65'),
    Row('dining-choice', 'N=17', 'safety', 'random-walk',
        '--set walks=1000000000 --set length=65 --evaluations 50000000', '0/1 in 8 hours'),
    Row('dining-choice', 'N=17', 'safety', 'dfs', '--max-depth 34 --max-states 50000000', '0/1 in 8 hours'),
]
AUTH = '--set generations=100'
ROWS += [
    Row('needham-schroeder', 'FIXED_START=1', 'safety', 'path-ga', AUTH, '16/50, at most 60'),
    Row('needham-schroeder', 'FIXED_START=1', 'safety', 'path-ga', f'{AUTH} --crossover off', '3/50, at most 60'),
    Row('needham-schroeder', '', 'safety', 'path-ga', AUTH, '3/100, at most 110'),
    Row('needham-schroeder', 'WILD=1 FIXED_START=1', 'safety', 'path-ga', AUTH, '16/50, at most 60'),
    Row('needham-schroeder', 'WILD=1 FIXED_START=1', 'safety', 'path-ga', f'{AUTH} --crossover off', '3/50, at most 60'),
    Row('needham-schroeder', 'WILD=1', 'safety', 'path-ga', AUTH, '3/100, at most 110'),
    Row('needham-schroeder', 'WILD=1', 'safety', 'random-walk',
        '--set walks=1000000000 --set length=110 --evaluations 200000000', '0/1 in 8 hours'),
]

"""How often each search is repeated; those that do not depend on chance are run once."""
RUNS = {'aco-live': 100, 'gega': 50, 'path-ga': 50, 'random-walk': 1}


def measure(row, binary, runs):
    command = [binary, 'verify', str(MODELS / f'{row.model}.pml'), '--property', row.property, '--search', row.search,
               '--json', '--no-trail', *row.options.split()]
    if row.search in RUNS:
        command += ['--runs', str(runs)]
    for define in row.defines.split():
        command += ['-D', define]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (1, 3):
        sys.exit(f'{" ".join(command)}: exit status {result.returncode}: {result.stderr.strip()}')
    answer = json.loads(result.stdout)['results'][0]
    one = {**answer, 'length': (answer['trail'] or {}).get('length')}
    return answer.get('runs') or [{'evaluations': answer['states_stored'], **one}]


def mean(values):
    values = [value for value in values if value is not None]
    return f'{statistics.fmean(values):.1f}' if values else '–'


def main():
    parser = argparse.ArgumentParser(description='ants and genes on the models of their papers')
    parser.add_argument('--only', default='', metavar='REGEX', help='only rows whose model, macros and search match')
    parser.add_argument('--runs', type=int, help='runs of each at most (default: 100 for ants, 50 for genes, 1 for random walks)')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE')
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)
    print('| model | search | found | steps as found | steps | at most | states expanded | ms | KiB | paper: found, steps |')
    print('| --- | --- | --: | --: | --: | --: | --: | --: | --: | --- |', flush=True)
    for row in ROWS:
        name = f'{row.model} {row.defines}'.strip()
        search = f'{row.search} {row.options}'.strip()
        if not re.search(args.only, f'{name} {search}'):
            continue
        runs = min(args.runs, RUNS.get(row.search, 1)) if args.runs else RUNS.get(row.search, 1)
        figures = measure(row, args.bin, runs)
        hits = sum(figure['length'] is not None for figure in figures)
        longest = max((f['length'] for f in figures if f['length'] is not None), default='–')
        cells = [name, f'`{search}`', f'{hits}/{len(figures)}', mean(f.get('found_length') for f in figures),
                 mean(f['length'] for f in figures), str(longest), mean(f['evaluations'] for f in figures),
                 mean(1000 * f['time_s'] for f in figures), mean(f['memory_bytes'] / 1024 for f in figures), row.paper]
        print('| ' + ' | '.join(cells) + ' |', flush=True)


if __name__ == '__main__':
    main()
