#!/usr/bin/env python3
"""Compares the searches by components and many threads, rdkp and ufscc, with scc: the same verdict of every liveness property.

    python3 tests/components.py                                     the models of this repository and what their heads expect
    python3 tests/components.py --expected rows.jsonl --models DIR  recorded rows: {"model": PATH, "mode": ltl | claim | acc | np,
                                                                    "ltl": NAME, "fair": true, "verdict": SPIN's}

Each property is searched with 1, 2, 4 and 8 threads, with and without --reduce, --repetitions times. A property that scc cannot answer in
--time seconds, or within --memory, is skipped; a search that then has no answer differs from one that has. The trails of the first
repetition are given to SPIN with --replay. Prints each difference and ends with 'N passed, N failed, N skipped': properties, then runs.
"""
import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
SEARCHES = ['rdkp', 'ufscc']
VIOLATED = {'assertion', 'invalid-end-state', 'acceptance-cycle', 'non-progress', 'claim-violated', 'array-bounds', 'runtime-error'}
UNREPLAYABLE = ['transition failed', 'no matching stmnt', 'invalid statement', 'stop error', '(?)', 'cannot find']
# other searches may take so many times as long as scc, and a minute more
PATIENCE = 10


class Property(NamedTuple):
    """A liveness property of a model. `expected` is the recorded verdict, if there is one."""
    model: Path
    name: str
    options: tuple
    expected: str | None

    def __str__(self):
        return ' '.join([self.model.name, self.name, *self.options])


class Answer(NamedTuple):
    """`verdict` is None where there is none; `why` says why."""
    verdict: str | None
    why: str
    seconds: float


def recorded(rows, folder):
    """The liveness properties among recorded rows."""
    for row in map(json.loads, Path(rows).read_text().splitlines()):
        if row['mode'] == 'safety':
            continue
        name = {'ltl': f'ltl:{row.get("ltl")}', 'claim': 'never', 'acc': 'acceptance', 'np': 'progress'}[row['mode']]
        verdict = 'violated' if row['verdict'] in VIOLATED else 'holds' if row['verdict'] == 'ok' else None
        # pan's limit on processes under fairness is no error of the model
        if row.get('fair') and row['verdict'] == 'runtime-error':
            verdict = None
        yield Property(folder / row['model'], name, ('--weak-fairness',) if row.get('fair') else (), verdict)


def stated(folder):
    """The liveness properties in the heads of models, in the form of models/README.md."""
    line = re.compile(r'expect((?: -D\S+)*): (fair )?(ltl|never|acceptance|progress)(?: (\w+))? (holds|violated)\b')
    for model in sorted(folder.rglob('*.pml')):
        for defines, fair, kind, name, verdict in line.findall(model.read_text()):
            name = f'{kind}:{name}' if name else kind
            yield Property(model, name, (*defines.split(), *(['--weak-fairness'] if fair else [])), verdict)


def verify(args, wanted, search, options, limit):
    command = [args.bin, 'verify', str(wanted.model), '--property', wanted.name, *wanted.options, '--search', search, '--memory',
               args.memory, '--json', *options]
    started = time.monotonic()
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return Answer(None, f'no answer in {limit:.0f} s', limit)
    seconds = time.monotonic() - started
    try:
        result = json.loads(run.stdout)['results'][0]
    except (ValueError, LookupError):
        return Answer(None, f'exit {run.returncode}: {run.stderr.strip()[:300]}', seconds)
    if {'holds': 0, 'violated': 1}.get(result['verdict']) != run.returncode:
        return Answer(None, f'{result["verdict"]}, exit {run.returncode}: {result["reason"]}', seconds)
    return Answer(result['verdict'], '', seconds)


def replayed(wanted, trail):
    """Why SPIN cannot follow the trail, or None. SPIN leaves files behind where it runs."""
    defines = [option for option in wanted.options if option.startswith('-D')]
    command = ['spin', *defines, '-p', '-k', str(trail), str(wanted.model)]
    spin = subprocess.run(command, cwd=trail.parent, capture_output=True, text=True, timeout=60)
    text = spin.stdout + spin.stderr
    for line in text.splitlines():
        if any(failure in line for failure in UNREPLAYABLE):
            return line.strip()
    return None if 'trail ends after' in text else 'the trail does not end'


def ways(args):
    reduced = [[], ['--reduce']]
    return itertools.product(range(args.repetitions), SEARCHES, args.threads, reduced)


def examine(args, wanted, runs, trail):
    """Compares all searches of a property; whether it 'passed', 'failed' or was 'skipped'."""
    def differs(what):
        print(f'{wanted}: {what}', flush=True)
        return 'failed'

    whole = verify(args, wanted, 'scc', ['--no-trail'], args.time)
    if whole.verdict is None:
        print(f'{wanted}: skipped: scc: {whole.why}', flush=True)
        return 'skipped'
    verdict = 'passed'
    if wanted.expected not in (None, whole.verdict):
        verdict = differs(f'scc {whole.verdict}, recorded {wanted.expected}')
    limit = args.time + PATIENCE * whole.seconds
    for repetition, search, threads, reduce in ways(args):
        show = args.replay and repetition == 0 and whole.verdict == 'violated'
        keep = ['--trail', str(trail)] if show else ['--no-trail']
        answer = verify(args, wanted, search, ['--threads', str(threads), *reduce, *keep], limit)
        what = ' '.join([search, f'by {threads}', *reduce])
        why = None
        if answer.verdict != whole.verdict:
            why = f'scc {whole.verdict}, {what}: {answer.verdict or answer.why}'
        elif show:
            runs['trails replayed'] += 1
            if unplayable := replayed(wanted, trail):
                runs['trails that SPIN cannot follow'] += 1
                why = f'{what}: SPIN cannot follow the trail: {unplayable}'
        runs['failed' if why else 'passed'] += 1
        verdict = differs(why) if why else verdict
    return verdict


def main():
    parser = argparse.ArgumentParser(description='rdkp and ufscc against scc on liveness properties')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE')
    parser.add_argument('--expected', metavar='FILE', help='recorded rows, one JSON object per line')
    parser.add_argument('--models', default=str(REPOSITORY / 'models'), metavar='DIR')
    parser.add_argument('--only', default='', metavar='REGEX', help='only the properties whose model and name match')
    parser.add_argument('--threads', default='1,2,4,8', help='numbers of threads (default 1,2,4,8)')
    parser.add_argument('--repetitions', type=int, default=1, metavar='N')
    parser.add_argument('--time', type=float, default=60, metavar='SECONDS', help='for scc; others may take longer (default 60)')
    parser.add_argument('--memory', default='6G')
    parser.add_argument('--replay', action='store_true', help='trails go to SPIN, which must be installed')
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)
    args.threads = [int(number) for number in args.threads.split(',')]
    folder = Path(args.models).resolve()
    found = recorded(args.expected, folder) if args.expected else stated(folder)
    properties, runs = Counter(), Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for wanted in found:
            if re.search(args.only, str(wanted)):
                properties[examine(args, wanted, runs, Path(scratch) / 'swarmgp.trail')] += 1
    if runs['trails replayed']:
        print(f'{runs["trails replayed"]} trails shown to SPIN, {runs["trails that SPIN cannot follow"]} that it cannot follow')
    print('properties: {0[passed]} passed, {0[failed]} failed, {0[skipped]} skipped'.format(properties))
    print('runs: {0[passed]} passed, {0[failed]} failed'.format(runs))
    sys.exit(1 if properties['failed'] or not properties['passed'] else 0)


if __name__ == '__main__':
    main()
