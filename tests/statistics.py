#!/usr/bin/env python3
"""Prints the checks that the tests of src/lab/stats record, from NumPy, SciPy, statsmodels and R.

    pip install numpy scipy statsmodels         # and R, for Wilcoxon and Holm
    python3 tests/statistics.py
"""
import re
import subprocess
from pathlib import Path

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.proportion import tost_proportions_2indep

SAMPLES = Path(__file__).resolve().parent.parent / 'src/lab/stats/samples.rs'


def samples():
    """The arrays of samples.rs by their names."""
    found = re.findall(r'const (\w+): \[f64; \d+\] =\s*\[(.*?)\];', SAMPLES.read_text(), re.DOTALL)
    return {name: [float(value) for value in values.split(',') if value.strip()] for name, values in found}


DATA = samples()


def value(text):
    """The sample that an expression of Rust stands for: `NAME`, `NAME[..5]` or a list."""
    if text.startswith('['):
        return [float(number) for number in text[1:-1].split(',')]
    name, _, end = text.partition('[..')
    return DATA[name][:int(end[:-1])] if end else DATA[name]


def number(x):
    return repr(float(x))


def r(expression):
    """The numbers that an expression of R gives."""
    script = f'cat(format({expression}, digits = 17), sep = "\\n")'
    out = subprocess.run(['Rscript', '-e', script], capture_output=True, text=True, check=True).stdout
    return [float(line) for line in out.split()]


def vector(values):
    return 'c(' + ', '.join(map(number, values)) + ')'


def numbers(values):
    return ', '.join(map(number, values))


def summary():
    for name in ['TRAILS_A', 'TIMES_B', 'SPRAY_C', 'CLEARANCE_OBSTRUCTED', '[3.0, 0.5]']:
        x = value(name)
        quartiles = numpy.quantile(x, [0, 0.25, 0.5, 0.75, 1])
        yield f'check(&{name}, [{numbers([numpy.mean(x), numpy.std(x, ddof=1), *quartiles])}]);'


def kruskal_wallis():
    sprays = [f'SPRAY_{letter}' for letter in 'ABCDEF']
    for names in [sprays, sprays[:2], ['TRAILS_A', 'TRAILS_B'], ['TIMES_A', 'TIMES_B', 'TIMES_C'],
                  ['PERMEABILITY_TERM', 'PERMEABILITY_EARLY']]:
        h, p = stats.kruskal(*map(value, names))
        slices = ', '.join(f'&{name}[..]' for name in names)
        yield f'check(kruskal_wallis(&[{slices}]), {number(h)}, {number(p)});'


def mann_whitney():
    for a, b in [('TRAILS_A', 'TRAILS_B'), ('TIMES_A', 'TIMES_B'), ('TIMES_A', 'TIMES_C'), ('SPRAY_A', 'SPRAY_B'),
                 ('TIMES_B[..9]', 'TIMES_A[..9]'), ('TIMES_B[..8]', 'TIMES_A[..9]'), ('SPRAY_C', 'SPRAY_F'),
                 ('PERMEABILITY_TERM', 'PERMEABILITY_EARLY'), ('SPRAY_D[..5]', 'SPRAY_E[..6]'),
                 ('CLEARANCE_OBSTRUCTED', 'CLEARANCE_ASBESTOSIS'), ('SPRAY_A', 'SPRAY_A')]:
        u, p = stats.mannwhitneyu(value(a), value(b), alternative='two-sided', method='auto')
        yield f'check(mann_whitney(&{a}, &{b}), {number(u)}, {number(p)});'


def wilcoxon():
    for name, fixed in [('DEPRESSION', 0.0), ('MAIZE', 0.0), ('MAIZE', 8.0), ('TRAILS_A', 66.0), ('TRAILS_B', 70.0),
                        ('TIMES_A', 800.0), ('TIMES_B', 1500.0), ('SPRAY_C', 3.5), ('FIFTY[..49]', 0.0),
                        ('FIFTY', 0.0), ('TIMES_C', 400.0)]:
        test = f'suppressWarnings(wilcox.test({vector(value(name))}, mu = {fixed}))'
        v, p = r(f'with({test}, c(statistic, p.value))')
        yield f'check(wilcoxon(&{name}, {fixed}), {number(v)}, {number(p)});'


def holm():
    for p in [[0.01, 0.04, 0.03, 0.005], [0.05, 0.05, 0.05], [0.9, 0.001, 0.6, 0.02, 0.021],
              [0.0001, 0.2, 0.013, 0.013, 0.5, 1.0, 0.04]]:
        corrected = r(f'p.adjust({vector(p)}, "holm")')
        yield f'check(&[{numbers(p)}], &[{numbers(corrected)}]);'


def effect():
    for a, b in [('TRAILS_A', 'TRAILS_B'), ('TIMES_A', 'TIMES_B'), ('SPRAY_A', 'SPRAY_B'), ('SPRAY_C', 'SPRAY_D'),
                 ('PERMEABILITY_TERM', 'PERMEABILITY_EARLY')]:
        pairs = [(x > y) + 0.5 * (x == y) for x in value(a) for y in value(b)]
        yield f'assert_near(a12(&{a}, &{b}).unwrap(), {number(sum(pairs) / len(pairs))});'


def equivalence():
    for a, n, b, m, margin in [(46, 100, 57, 100, 0.25), (14, 100, 30, 100, 0.25), (98, 100, 97, 100, 0.1),
                               (30, 30, 30, 30, 0.1), (0, 40, 0, 50, 0.2), (0, 30, 30, 30, 0.25),
                               (29, 30, 95, 100, 0.15)]:
        found = tost_proportions_2indep(a, n, b, m, -margin, margin, method='agresti-caffo')
        z = min(found.results_larger.statistic, -found.results_smaller.statistic)
        call = f'equivalent(rate({a}, {n}), rate({b}, {m}), margin({margin}))'
        yield f'check({call}, {number(z)}, {number(found.pvalue)});'


def wilson():
    for hits, runs, confidence in [(30, 100, 0.95), (0, 30, 0.95), (30, 30, 0.95), (1, 1, 0.95), (97, 100, 0.99),
                                   (46, 100, 0.9)]:
        low, high = stats.binomtest(hits, runs).proportion_ci(confidence, method='wilson')
        yield f'check({hits}, {runs}, {confidence}, {number(low)}, {number(high)});'


def bootstrap():
    """Of whole numbers the distribution of the sum of a draw can be had by convolution."""
    for name in ['SPRAY_A', 'TRAILS_A', 'TRAILS_B', 'FIFTY']:
        x = value(name)
        least = min(x)
        one = numpy.bincount([int(v - least) for v in x]) / len(x)
        sums = numpy.ones(1)
        for _ in x:
            sums = numpy.convolve(sums, one)
        below = numpy.cumsum(sums)
        error = 5 * (0.025 * 0.975 / 10_000) ** 0.5
        ends = [(numpy.searchsorted(below, q) + least * len(x)) / len(x)
                for q in [0.025 - error, 0.025 + error, 0.975 - error, 0.975 + error]]
        yield f'check(&{name}, [{numbers(ends)}]);'


print('numpy', numpy.__version__, 'scipy', scipy.__version__, 'statsmodels', statsmodels.__version__)
for part in [summary, kruskal_wallis, mann_whitney, wilcoxon, holm, effect, equivalence, wilson, bootstrap]:
    print(f'\n{part.__name__}')
    for line in part():
        print(f'        {line}')
