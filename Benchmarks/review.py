"""The benchmark of the review of keys: what new first answers cost beside those that are there.

Usage: review.py <ReviewBenchmark> [answers] [new] [rounds]
The answers are written by SQL into a server's SQLite; all that is timed is `KeyReviewer.run`, from reading to the stored
proposals. The baseline of the same run is a full scan: a reviewer that begins with nothing.
"""

import json
import subprocess
import sys

from common import table


def shown(times):
    """The median, with the extremes where they differ."""
    ordered = sorted(times)
    median = ordered[len(ordered) // 2]
    digits = 0 if median >= 100 else 1
    return f"{median:.{digits}f} ms ({ordered[0]:.{digits}f}–{ordered[-1]:.{digits}f})"


def main(tool, answers="1000000", new="1000", rounds="5"):
    result = subprocess.run([tool, answers, new, rounds], stdout=subprocess.PIPE, check=True)
    figures = json.loads(result.stdout)
    base = sorted(figures["fromNothing"])[len(figures["fromNothing"]) // 2]
    more = f"{int(new):,} new answers"
    rows = [("a reviewer that begins with nothing: all answers read, all banks reviewed (baseline)", "fromNothing"),
            (f"{more} to one bank of 200 questions", "smallBank"), (f"{more} to the bank of 5,000", "largeBank"),
            (f"{more} to all banks, read; none is due", "spread"), ("a minute later: all banks reviewed", "spreadLater"),
            (f"{more} to all banks, all reviewed at once", "allBanks"), ("nothing new", "nothing")]
    table(f"The review of keys: {figures['answers']:,} first answers to {figures['questions']:,} questions in 51 banks",
          ["", "time", "of the baseline"],
          [[name, shown(figures[key]), f"{sorted(figures[key])[len(figures[key]) // 2] / base:.4f}"] for name, key in rows])
    grown = figures["bytesWith"] - figures["bytesBefore"]
    print(f"memory: {figures['bytesBefore'] / 1e6:.0f} MB before, {grown / 1e6:.0f} MB more with all answers,"
          f" {grown / figures['answers']:.0f} bytes each; {figures['flagged']} flagged, {figures['wrongKeys']} keys are wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])
