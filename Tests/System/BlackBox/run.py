#!/usr/bin/env python3
"""Real devices, a real server and a bad network: is anything lost or doubled?

Devices are processes of their own around the real SDK (DeviceDriver), the server is the real program
(with --cluster several processes on one PostgreSQL, through PgBouncer and behind nginx), and a proxy between them loses, cuts, doubles and delays. Devices and server are killed at random
moments and put back to copies, clocks jump by a year, users sign out and in. What was acknowledged is
recorded; `checker.py`, written apart from the product, holds the record against what is shown in the end.
"""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile

from checker import Checker
from history import read
from world import STORIES, World

NUMBERS = (
    "deviceKills", "serverKills", "deviceRestores", "deviceClones", "images", "serverRestores",
    "lostRequests", "lostReplies", "cutReplies", "doubled", "delayed", "late", "clockJumps",
    "twoProcesses", "signOuts", "signIns", "settled", "syncsThatEndedWell", "syncsThatFailed",
    "acknowledgedWrites", "failedWrites", "requests", "replies502", "replies503", "replies504",
)
CLUSTER_NUMBERS = (
    "servingKills", "poolerKills", "databaseKills", "drains", "drainedRequests", "drainedRefusals",
    "replies502InDrains", "slowestFileMilliseconds", "slowestTableMilliseconds",
)
# By which violations a planted mistake shows.
MISTAKES = {
    "dropWrite": {"lost"}, "doubleAnswer": {"doubled"}, "doubleCount": {"doubled"},
    "oldValueBack": {"lost"}, "silentSettle": {"lost"}, "alwaysSynced": {"saysSynced"},
    "hideRecord": {"diverged", "lost"}, "cursorBack": {"cursorWentBack"}, "partGroup": {"parted"},
    # Of the server's: a row that PostgreSQL had, and that the servers still count.
    "loseRow": {"lost"},
}


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--kills", type=int, default=0, help="go on until so many of each side")
    parser.add_argument("--accounts", type=int, default=2)
    parser.add_argument("--devices", type=int, default=3, help="of each account")
    parser.add_argument("--cluster", type=int, default=0, metavar="N",
                        help="N server processes on one PostgreSQL, behind nginx")
    parser.add_argument("--stories", default=",".join(STORIES), help="by commas; without it all")
    parser.add_argument("--mistake", choices=MISTAKES, help="plant one, and expect to find it")
    parser.add_argument("--binaries", type=pathlib.Path, default=".build/debug")
    parser.add_argument("--keep", type=pathlib.Path, help="where the record is kept")
    chosen = parser.parse_args()
    chosen.stories = set(filter(None, chosen.stories.split(",")))
    if unknown := chosen.stories - set(STORIES):
        parser.error(f"no such story: {', '.join(sorted(unknown))}")
    if chosen.mistake == "loseRow" and not chosen.cluster:
        parser.error("--mistake loseRow needs --cluster")
    return chosen


def report(history, checker, chosen):
    violations = checker.violations
    names = NUMBERS + (CLUSTER_NUMBERS if chosen.cluster else ())
    numbers = ", ".join(f"{name} {history.counts[name]}" for name in names)
    lost = sum(violation["kind"] == "lost" for violation in violations)
    doubled = sum(violation["kind"] == "doubled" for violation in violations)
    print(f"black box: seed {chosen.seed}: {numbers}; checked {checker.checked}, lost {lost}, doubled {doubled},"
          f" violations {len(violations)}")
    for violation in violations[:12]:
        print(f"  {violation['kind']} ({violation['account']}): {violation['text'][:400]}")


def main():
    chosen = options()
    print(f"black box: seed {chosen.seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="blackbox-")
    try:
        world = World(chosen.binaries.resolve(), folder, chosen)
        world.run()
        checker = Checker(read(world.folder / "history.jsonl"))
        violations = checker.check()
        report(world.history, checker, chosen)
    finally:
        if chosen.keep:
            shutil.copytree(folder, chosen.keep, dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
    if chosen.mistake:
        found = {violation["kind"] for violation in violations}
        is_found = bool(found & MISTAKES[chosen.mistake])
        print(f"black box: the planted mistake {chosen.mistake} was"
              f" {'found' if is_found else 'NOT found'}")
        return 0 if is_found else 1
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
