#!/usr/bin/env python3
"""What a step of a walk costs, beside a step of exhaustive search on the same model.

A step is the expansion of one state: the time of a breadth-first search divided by its states (which are stored, too), and
that of a walk divided by the states it expands; ants, whose paths grow with every stage, have a hundred runs of a hundred
steps. All models are correct, so that nothing ends a walk early.

    python3 benches/walk_speed.py
"""
import json
import statistics
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
BINARY = REPOSITORY / 'target' / 'release' / 'swarmgp'
MODELS = [('leader', 'N=5'), ('two-phase-commit', 'N=6'), ('filter', 'N=4'), ('token-ring', 'N=5'), ('philosophers-lefty', 'N=8'),
          ('producer-consumer', 'PRODUCERS=3'), ('coherence', 'N=5'), ('readers-writers', 'READERS=7'), ('window', 'WINDOW=3'),
          ('bakery', 'N=3')]
ENOUGH = '1000000000'
WALKS = {'random-walk': ['--set', f'walks={ENOUGH}'], 'gega': ['--set', f'generations={ENOUGH}'],
         'path-ga': ['--set', f'generations={ENOUGH}'], 'aco': ['--runs', '100']}


def nanoseconds(model, define, search, options, steps):
    command = [str(BINARY), 'verify', str(REPOSITORY / 'models' / f'{model}.pml'), f'-D{define}', '--property', 'safety',
               '--search', search, '--json', '--no-trail', *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in (0, 3):
        sys.exit(f'{" ".join(command)}: exit status {result.returncode}: {result.stderr.strip()}')
    answer = json.loads(result.stdout)['results'][0]
    runs = answer.get('runs', [answer])
    return 1e9 * sum(run['time_s'] for run in runs) / sum(run[steps] for run in runs)


def main():
    print('| model | bfs: ns a step |' + ''.join(f' {walk} × |' for walk in WALKS))
    print('| --- | --: |' + ' --: |' * len(WALKS), flush=True)
    ratios = {walk: [] for walk in WALKS}
    for model, define in MODELS:
        exhaustive = nanoseconds(model, define, 'bfs', [], 'states_stored')
        for walk, options in WALKS.items():
            cost = nanoseconds(model, define, walk, ['--evaluations', '1000000', *options], 'evaluations')
            ratios[walk].append(cost / exhaustive)
        cells = ''.join(f' {ratios[walk][-1]:.2f} |' for walk in WALKS)
        print(f'| {model} {define} | {exhaustive:.0f} |{cells}', flush=True)
    means = ''.join(f' **{statistics.geometric_mean(values):.2f}** |' for values in ratios.values())
    print(f'| **geometric mean of {len(MODELS)}** | |{means}')


if __name__ == '__main__':
    main()
