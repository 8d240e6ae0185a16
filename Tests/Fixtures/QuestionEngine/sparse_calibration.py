"""Writes sparse_calibration.json: two-parameter models of answers of which 40 % are missing.

By girth, and by scipy, which maximises the marginal likelihood itself. girth finds difficulties from the fraction
right of each question alone, which is not the maximum where answers are missing; hence the log likelihood of both.
Usage: pip install girth==0.8.0 && python3 sparse_calibration.py > sparse_calibration.json
"""

import json

import girth
import numpy
from scipy.optimize import minimize

QUESTIONS, PEOPLE, MISSING = 8, 600, 0.4

chance = numpy.random.default_rng(16)
slopes = chance.uniform(0.7, 1.8, QUESTIONS)
difficulties = chance.uniform(-1.5, 1.5, QUESTIONS)
abilities = chance.standard_normal(PEOPLE)
recall = 1 / (1 + numpy.exp(-slopes[:, None] * (abilities - difficulties[:, None])))
answers = (chance.random((QUESTIONS, PEOPLE)) < recall).astype(int)
answers[chance.random((QUESTIONS, PEOPLE)) < MISSING] = -1

# The grid of AbilityGrid.calibration.
grid = numpy.linspace(-6, 6, 61)
weights = numpy.exp(-grid**2 / 2)
weights /= weights.sum()


def log_likelihood(slopes, difficulties):
    logits = slopes[:, None] * (grid - difficulties[:, None])
    right, wrong = -numpy.logaddexp(0, -logits), -numpy.logaddexp(0, logits)
    logs = (answers == 1).T.astype(float) @ right + (answers == 0).T.astype(float) @ wrong
    return float(numpy.log(numpy.exp(logs) @ weights).sum())


options = {"max_iteration": 3000, "quadrature_bounds": (-6, 6), "quadrature_n": 61}
theirs = girth.twopl_mml(girth.tag_missing_data(answers, [0, 1]), options=options)
start = numpy.concatenate([theirs["Discrimination"], theirs["Difficulty"]])
best = minimize(
    lambda x: -log_likelihood(x[:QUESTIONS], x[QUESTIONS:]), start, method="BFGS", options={"gtol": 1e-4}).x


def numbers(values):
    return [round(float(one), 5) for one in values]


def model(slopes, difficulties):
    return {
        "slopes": numbers(slopes), "difficulties": numbers(difficulties),
        "log_likelihood": round(log_likelihood(slopes, difficulties), 4),
    }


print(json.dumps({
    "source": "girth 0.8.0 twopl_mml and scipy 1.17.1 (PyPI); answers by numpy.random.default_rng(16)",
    "command": "pip install girth==0.8.0 && python3 sparse_calibration.py > sparse_calibration.json",
    "girth": model(theirs["Discrimination"], theirs["Difficulty"]),
    "maximum": model(best[:QUESTIONS], best[QUESTIONS:]),
    "rows": ["".join("." if one < 0 else str(one) for one in answers[:, person]) for person in range(PEOPLE)],
}, indent=0))
