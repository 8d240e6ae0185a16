"""The benchmark of a corrected key: stored answers are graded again, against counting all of them anew.

Each figure is of a copy of one store, read by a process of its own; the baseline is what the store does when
all that was counted is discarded. 100 finished exams of 45 questions are among the answers.
"""

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

from common import table

DEVICE = os.path.abspath(sys.argv[1])
COUNTS = [int(count) for count in sys.argv[2:]] or [100_000, 1_000_000]
WORK = tempfile.mkdtemp(prefix="underway-regrading-")
RUNS = 3


def step(name, count, store):
    output = subprocess.run(
        [DEVICE, name, str(count), store], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output) if output else None


def copied(store, change=""):
    copy = f"{WORK}/copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(store, copy)
    with sqlite3.connect(f"{copy}/user.sqlite") as database:
        database.executescript(change)
    database.close()
    return copy


def milliseconds(values):
    return f"{1000 * statistics.median(values):,.0f} ms"


def measure(count):
    store = f"{WORK}/store"
    shutil.rmtree(store, ignore_errors=True)
    step("fill", count, store)
    rows = []
    recounts = [
        step("recount", 0, copied(store, "INSERT INTO uncounted SELECT user FROM person"))["seconds"]
        for _ in range(RUNS)
    ]
    for questions in (10, 100, 1000):
        runs = [step("regrade", questions, copied(store)) for _ in range(RUNS)]
        rows.append([
            f"{questions} of 1,000", runs[0]["results"], milliseconds([run["apply"] for run in runs]),
            milliseconds([run["read"] for run in runs]), milliseconds([run["again"] for run in runs]),
        ])
    rows.append(["counting all anew", "", "", milliseconds(recounts), ""])
    table(
        f"{count:,} stored answers",
        ["corrected questions", "changed results", "apply", "read schedules, days and domains", "apply again"],
        rows)


try:
    for count in COUNTS:
        measure(count)
finally:
    shutil.rmtree(WORK)
