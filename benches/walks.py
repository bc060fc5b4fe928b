#!/usr/bin/env python3
"""Ants and genes on the models of their papers: how often they find the violation, and how short its trail is.

Each row is a model, a property, and a search with the parameters of the paper (or those given here), repeated with
different seeds. The paper's figures stand beside ours; models and machines differ, so only hit rates and lengths compare,
and lengths only roughly.

    python3 benches/walks.py                 100 runs of ants, 50 of genes: some minutes
    python3 benches/walks.py --runs 5        fewer
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

GEGA = '--set population=50 --set mutation=0.01'
MEMORY = f'{GEGA} --set length=50 --memory-operator --set slots=50 --set generations=2000'
ROWS += [
    Row('dining-philosophers', 'N=4', 'safety', 'gega', f'{GEGA} --set length=50', '50/50, 20.0'),
    Row('dining-philosophers', 'N=8', 'safety', 'gega', f'{GEGA} --set length=60', '50/50, 41.7'),
    Row('dining-philosophers', 'N=16', 'safety', 'gega', f'{GEGA} --set length=120', '50/50, 95.7'),
    Row('dining-philosophers', 'N=16', 'safety', 'gega', f'{MEMORY} --set frequency=20', '50/50, 114.9'),
    Row('dining-philosophers', 'N=32', 'safety', 'gega', f'{MEMORY} --set frequency=20', '50/50, 248.1'),
    Row('dining-once', 'N=4', 'safety', 'gega', f'{GEGA} --set length=25 --set generations=100', '45/50, 16.0'),
    Row('dining-once', 'N=8', 'safety', 'gega', f'{GEGA} --set length=50 --set generations=100', '45/50, 33.0'),
    Row('dining-once', 'N=16', 'safety', 'gega',
        '--set population=200 --set length=100 --set generations=150', '48/50, 65.0'),
    Row('dining-once', 'N=16', 'safety', 'gega', f'{MEMORY} --set frequency=20', '35/50, 65.0'),
    Row('marriage', 'N=3', 'safety', 'gega', f'{GEGA} --set length=50', '50/50, 23.0'),
    Row('marriage', 'N=4', 'safety', 'gega', f'{GEGA} --set length=60', '50/50, 34.4'),
    Row('marriage', 'N=5', 'safety', 'gega', f'{GEGA} --set length=60', '47/50, 49.6'),
    Row('marriage', 'N=8', 'safety', 'gega', f'{GEGA} --set length=140 --set generations=100', '50/50, 104.1'),
    Row('marriage', 'N=8', 'safety', 'gega', f'{MEMORY} --set frequency=10', '38/50, 122.3'),
    Row('dining-choice', 'N=17', 'safety', 'path-ga', '', '26/50, at most 65'),
    Row('dining-choice', 'N=17', 'safety', 'path-ga', '--crossover off', '26/50, at most 65'),
    Row('dining-choice', 'N=17', 'safety', 'random-walk',
        '--set walks=1000000000 --set length=100 --evaluations 35000000', '0/1 in 8 hours'),
    Row('needham-schroeder', 'WILD=1 FIXED_START=1', 'safety', 'path-ga',
        '--set depth=150 --set generations=100', '16/50, at most 60'),
    Row('needham-schroeder', 'WILD=1 FIXED_START=1', 'safety', 'path-ga',
        '--set depth=150 --set generations=100 --crossover off', '3/50, at most 60'),
    Row('needham-schroeder', 'WILD=1', 'safety', 'path-ga', '--set depth=200 --set generations=100', '3/100, at most 110'),
    Row('needham-schroeder', 'WILD=1', 'safety', 'random-walk',
        '--set walks=1000000000 --set length=200 --evaluations 100000000', '0/1 in 8 hours'),
]


def measure(row, binary, runs):
    command = [binary, 'verify', str(MODELS / f'{row.model}.pml'), '--property', row.property, '--search', row.search,
               '--runs', str(runs), '--json', '--no-trail', *row.options.split()]
    for define in row.defines.split():
        command += ['-D', define]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (1, 3):
        sys.exit(f'{" ".join(command)}: exit status {result.returncode}: {result.stderr.strip()}')
    answer = json.loads(result.stdout)
    return answer.get('runs') or [{**answer, 'length': (answer['trail'] or {}).get('length')}]


def mean(values):
    values = [value for value in values if value is not None]
    return f'{statistics.fmean(values):.1f}' if values else '–'


def main():
    parser = argparse.ArgumentParser(description='ants and genes on the models of their papers')
    parser.add_argument('--only', default='', metavar='REGEX', help='only rows whose model, macros and search match')
    parser.add_argument('--runs', type=int, help='runs of each (default: 100 for ants, 50 for genes, 1 for random walks)')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE')
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)
    print('| model | search | found | steps as found | steps | states expanded | ms | KiB | paper: found, steps |')
    print('| --- | --- | --: | --: | --: | --: | --: | --: | --- |', flush=True)
    for row in ROWS:
        name = f'{row.model} {row.defines}'.strip()
        search = f'{row.search} {row.options}'.strip()
        if not re.search(args.only, f'{name} {search}'):
            continue
        runs = args.runs or {'aco-live': 100, 'random-walk': 1}.get(row.search, 50)
        figures = measure(row, args.bin, runs)
        hits = sum(figure['length'] is not None for figure in figures)
        cells = [name, f'`{search}`', f'{hits}/{len(figures)}', mean(f.get('found_length') for f in figures),
                 mean(f['length'] for f in figures), mean(f['evaluations'] for f in figures),
                 mean(1000 * f['time_s'] for f in figures), mean(f['memory_bytes'] / 1024 for f in figures), row.paper]
        print('| ' + ' | '.join(cells) + ' |', flush=True)


if __name__ == '__main__':
    main()
