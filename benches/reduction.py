#!/usr/bin/env python3
"""What `--reduce` leaves to explore and what it costs, beside SPIN's default reduction, on any Promela models.

    python3 benches/reduction.py                        SPIN's own examples (Debian's package `spin` has them)
    python3 benches/reduction.py --models DIRECTORY     every model in a directory, such as tests/ of utwente-fmt/spins
    python3 benches/reduction.py --live                 formulas that hold in our own models, and in brp.prm of --models

SPIN's side is `spin -a` with all its defaults, built with `-O2 -DSAFETY` (formulas: without it) and run with `-c0`, that is to the end
whatever it finds. A model counts if pan ends within --time CPU seconds. Both sides must agree on whether there is an error at all. Our side
is `--search bfs` (formulas: `--search indfs`) with `--reduce`, with `--reduce=order` alone, and without reduction; their times are user
time, from source to verdict. What pan refuses, cannot finish or finds no process in is listed at the end, with the reason.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from liveness import BENCHES, write_model
from versus_pan import REPOSITORY, Failure, Run, first_line, geometric_mean, head, macros, row, run

GCC = ['gcc', '-w', '-O2', '-DMEMLIM=12000', '-o', 'pan', 'pan.c']
SAFETY = ['-DSAFETY', '-DNOCLAIM']
VECTORS = ['', '-DVECTORSZ=65536']
# Room on the stack costs nothing until it is used.
DEPTH = 20_000_000
# Rates of states per second mean something from here on.
MEASURABLE = 100_000


class Task(NamedTuple):
    """A model and what is asked of it."""
    name: str
    file: str
    defines: str
    # a formula by its name in the file, or nothing for safety
    formula: str | None
    search: str


class Result(NamedTuple):
    task: Task
    pan_states: int
    pan: Run
    ours: dict  # by the value of --reduce: the answer and the run, or nothing if it did not end in time


class Skipped(Exception):
    """pan has no answer for this model; the message says why."""


def limited(command, directory, seconds):
    """Run with a limit of CPU seconds; `None` if it was reached."""
    try:
        return run(['prlimit', f'--cpu={seconds}', *command], directory)
    except Failure as failure:
        if 'signal 24' in str(failure) or 'signal 9' in str(failure):
            return None
        raise


def ask_pan(task, directory, seconds):
    """What pan says with SPIN's defaults: the number of states, and whether there is an error."""
    generate = ['spin', '-a', *macros(task.defines), task.file]
    generated = subprocess.run(generate, cwd=directory, capture_output=True, text=True, errors='replace', timeout=600)
    if generated.returncode != 0 or not (Path(directory) / 'pan.c').exists():
        said = (generated.stdout + generated.stderr).strip().splitlines()
        raise Skipped('spin refuses it' + (f': {said[0][:100]}' if said else ''))
    for vector in VECTORS:
        flags = ([] if task.formula else SAFETY) + ([vector] if vector else [])
        if subprocess.run(GCC + flags, cwd=directory, capture_output=True, timeout=600).returncode != 0:
            raise Skipped('gcc refuses what spin generates')
        command = ['./pan', '-c0', '-n', f'-m{DEPTH}'] + (['-a', '-N', task.formula] if task.formula else [])
        result = limited(command, directory, seconds)
        if result is None:
            raise Skipped(f'pan does not end in {seconds} s')
        if 'VECTORSZ' not in result.output:
            break
    states = re.search(r'(\S+) states, stored', result.output)
    errors = re.search(r'errors: (\d+)', result.output)
    if not states or not errors or 'Search not completed' in result.output or 'depth too small' in result.output:
        raise Skipped('pan gives up')
    if 'partial order reduction invalid' in result.output:
        raise Skipped('pan says that its reduction is invalid')
    return int(float(states[1])), int(errors[1]) > 0, result


def ask_ours(task, binary, reduce, directory, seconds):
    """What swarmgp says with one value of `--reduce`; `None` if it did not end in time."""
    command = [binary, 'verify', task.file, '--json', '--no-trail', '--search', task.search, f'--reduce={reduce}', '--memory', '8G',
               *macros(task.defines)]
    # the trails of a breadth-first search are shortest ones if nothing is reduced
    if (task.search, reduce) != ('bfs', 'off'):
        command += ['--shorten', 'off']
    command += ['--property', f'ltl:{task.formula}'] if task.formula else ['--property', 'safety', '--continue']
    result = limited(command, directory, 2 * seconds if reduce == 'all' else seconds)
    if result is None:
        return None
    try:
        results = json.loads(result.output)['results']
    except ValueError as error:
        raise Failure(f'not the JSON that was promised: {result.output[:200]}') from error
    if not results:
        raise Failure(f'exit status {result.code}, no result')
    return (results[0], result) if results[0]['complete'] else None


def measure(task, binary, seconds):
    with tempfile.TemporaryDirectory() as directory:
        states, errors, pan = ask_pan(task, directory, seconds)
        if states == 0:
            raise Skipped('pan stores no state')
        ours = {reduce: ask_ours(task, binary, reduce, directory, seconds) for reduce in ['all', 'order', 'off']}
        if ours['all'] is None:
            raise Failure('no answer with --reduce')
        for reduce, found in ours.items():
            if found and (found[0]['verdict'] == 'violated') != errors:
                raise Failure(f'--reduce={reduce}: {found[0]["verdict"]}, pan: {"errors" if errors else "no error"}')
        return Result(task, states, pan, ours)


def models_in(directory):
    """Every file that declares a process."""
    for file in sorted(Path(directory).rglob('*')):
        if file.is_file() and re.search(rb'\b(proctype|init)\b', file.read_bytes()):
            yield Task(str(file.relative_to(directory)), str(file), '', None, 'bfs')


def formulas(directory, folder):
    for bench in BENCHES:
        (Path(folder) / bench.model).mkdir()
        file = write_model(bench, Path(folder) / bench.model)
        yield Task(f'{bench.model} {bench.quick}', file, bench.quick, 'bench', 'indfs')
        yield Task(f'{bench.model} {bench.full}', file, bench.full, 'bench', 'indfs')
    if directory:
        file = next(Path(directory).rglob('brp.prm'), None)
        if file:
            yield Task(str(file.relative_to(directory)), str(file), '', 'p', 'indfs')


def states(found):
    return f'{found[0]["states_stored"]:,}' if found else '–'


def seconds(found):
    return f'{found[1].user_s:.2f}' if found else '–'


def rate(result):
    """Time per stored state with `order` alone, as a multiple of the search of everything."""
    order, off = result.ours['order'], result.ours['off']
    if not order or not off or order[0]['states_stored'] < MEASURABLE:
        return None
    per_state = [found[1].user_s / found[0]['states_stored'] for found in (order, off)]
    return per_state[0] / max(per_state[1], 1e-9)


def speed(result):
    """Time with all reductions, as a multiple of the search of everything, where fewer than half of the states are left."""
    everything, off = result.ours['all'], result.ours['off']
    if not off or 2 * everything[0]['states_stored'] >= off[0]['states_stored'] or off[0]['states_stored'] < MEASURABLE:
        return None
    return everything[1].user_s / max(off[1].user_s, 1e-3)


def show(result):
    ours = result.ours
    ratio = ours['all'][0]['states_stored'] / result.pan_states
    cost = rate(result)
    row([f'{result.task.name}', states(ours['off']), f'{result.pan_states:,}', states(ours['all']), f'{ratio:.2f}', states(ours['order']),
         f'{result.pan.user_s:.2f}', seconds(ours['off']), seconds(ours['all']), f'{cost:.2f}' if cost else ''])


def summary(results):
    ratios = [result.ours['all'][0]['states_stored'] / result.pan_states for result in results]
    fewer = sum(ratio <= 1 for ratio in ratios)
    print(f'\n{len(ratios)} models: at most SPIN\'s states on {fewer} ({100 * fewer / len(ratios):.0f} %), geometric mean '
          f'{geometric_mean(ratios):.2f} × SPIN\'s')
    large = [ratio for ratio, result in zip(ratios, results) if result.pan_states >= 1000]
    if large:
        fewer = sum(ratio <= 1 for ratio in large)
        print(f'of these {len(large)} with at least 1,000 states in pan: {fewer} ({100 * fewer / len(large):.0f} %), '
              f'{geometric_mean(large):.2f} ×')
    costs = [cost for cost in map(rate, results) if cost]
    if costs:
        print(f'time per stored state with `order` alone: {geometric_mean(costs):.2f} × that of the search of everything ({len(costs)} models with '
              f'{MEASURABLE:,} states or more)')
    gains = [gain for gain in map(speed, results) if gain]
    if gains:
        print(f'where fewer than half of the states are left: {geometric_mean(gains):.2f} × the time of the search of everything, at worst '
              f'{max(gains):.2f} × ({len(gains)} models)')


def main():
    parser = argparse.ArgumentParser(description='swarmgp --reduce beside the default reduction of SPIN')
    parser.add_argument('--models', metavar='DIRECTORY', help='where the models are (default: the examples of the package spin)')
    parser.add_argument('--live', action='store_true', help='formulas instead of safety')
    parser.add_argument('--only', default='', metavar='REGEX', help='only the models whose name matches')
    parser.add_argument('--time', type=int, default=60, metavar='SECONDS', help='CPU seconds for pan (default 60)')
    parser.add_argument('--jobs', type=int, default=1, help='models at once (default 1; more for counts alone)')
    parser.add_argument('--bin', default=str(REPOSITORY / 'target' / 'release' / 'swarmgp'), metavar='FILE',
                        help='the swarmgp to measure (default target/release/swarmgp)')
    args = parser.parse_args()
    if not shutil.which('spin') or not shutil.which('gcc') or not shutil.which('prlimit'):
        parser.error('spin, gcc and prlimit are needed')
    binary = os.path.abspath(args.bin)
    directory = args.models
    if not directory and not args.live:
        files = subprocess.run(['dpkg', '-L', 'spin'], capture_output=True, text=True).stdout.split()
        directory = next((file for file in files if file.endswith('/Examples')), None)
        if not directory:
            parser.error('the examples of the package spin are not installed; name a directory with --models')
    print(f'{first_line(["spin", "-V"])}; {first_line(["gcc", "--version"])}; {first_line([binary, "--version"])}\n')
    head(['model', 'full', 'SPIN', 'ours', 'ours / SPIN', '`order` alone', 'pan s', 'full s', 'ours s', 'time per state, `order` / full'], 1)
    results, skipped, failures = [], Counter(), []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        tasks = list(formulas(directory, folder) if args.live else models_in(directory))
        tasks = [task for task in tasks if re.search(args.only, task.name)]
        for task, future in [(task, pool.submit(measure, task, binary, args.time)) for task in tasks]:
            try:
                results.append(future.result())
                show(results[-1])
            except Skipped as skip:
                skipped[str(skip).split(':')[0]] += 1
                print(f'{task.name}: {skip}', file=sys.stderr, flush=True)
            except (Failure, subprocess.TimeoutExpired) as failure:
                failures.append(f'{task.name}: {failure}')
    if results:
        summary(results)
    for why, times in skipped.most_common():
        print(f'not compared: {times} × {why}')
    for failure in failures:
        print(f'FAILED {failure}')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
