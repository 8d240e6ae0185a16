#!/usr/bin/env python3
"""Kills publishes and fills the disk under them, and lets an independent checker judge what clients see.

Usage: run.py [--seed N] [--kills N] [--steps N|all] [--mistake NAME] [--program PATH]
  --kills N        kills at random moments (20)
  --steps N        how many steps of a publish are killed at, and the disk full at; `all` for each (8)
  --mistake NAME   makes the program seem to err, and expects that to be found: failsAndIsLive, succeedsAndIsNot,
                   staleGzip, staleBrotli, staleName, wrongObject, numberBack, leftover, or all
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from checker import SUFFIX, Judge, fetch, object_path
from library import LANGUAGES, Library

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parents[2] / ".build/debug/underway"
FAULTS_PER_PUBLISH_MAX = 1_000


class Failure(Exception):
    """The release is wrong, or a word of the program is not true."""


def live_marks(library):
    """The mark of each placement test that devices get now."""
    manifest = json.loads(fetch(library.release, "manifest.json", "plain"))
    marks = {}
    for language in LANGUAGES:
        checksum = manifest["languages"][language]["blueprint"]["checksum"]
        text = fetch(library.release, object_path(checksum), "plain").decode()
        marks[language] = re.search("<(.*?)>", text).group(1)
    return marks, manifest["release"]


class Reader(threading.Thread):
    """A client that never stops asking: what is served while a publish runs is the same for all."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.problems, self.ended, self.rounds = root, [], threading.Event(), 0

    def run(self):
        while not self.ended.wait(0.001):
            for client in ("gzip", "brotli"):
                try:
                    before = fetch(self.root, "manifest.json", "plain")
                    seen = fetch(self.root, "manifest.json", client)
                    after = fetch(self.root, "manifest.json", "plain")
                except ValueError as error:
                    self.problems.append(f"while it ran, the {client} client read garbage: {error}")
                    continue
                self.rounds += 1
                if before == after and seen != before:
                    self.problems.append(f"while it ran, the {client} client got another manifest")

    def end(self):
        self.ended.set()
        self.join()
        if self.problems:
            raise Failure(self.problems[0])


class Play:
    """One library, published again and again."""

    def __init__(self, folder, seed, program):
        self.random = random.Random(seed)
        self.library = Library(folder, program)
        self.judge = Judge(self.library.release)
        self.number = 0
        self.mistake = None
        self.publish("the first publish")
        self.marks = dict.fromkeys(LANGUAGES, "begin")

    def expect(self, problems, moment):
        if problems:
            raise Failure(moment + ":\n  " + "\n  ".join(problems[:10]))

    def publish(self, moment):
        """A publish that nothing disturbs: it succeeds, and everything is as it should be."""
        status, said = self.library.run("publish")
        if status != 0:
            raise Failure(f"{moment}: a publish failed with {status}:\n{said}")
        if self.mistake == "leftover":
            (self.library.release / ".underway-manifest.json.1").write_text("left")
        self.expect(self.judge.judge(settled=True), moment)

    def edit(self):
        """Edits some placement tests; what they should say after a publish."""
        self.number += 1
        languages = self.random.sample(LANGUAGES, 2)
        self.library.edit(languages, f"mark {self.number}")
        return {**self.marks, **dict.fromkeys(languages, f"mark {self.number}")}

    def prune(self):
        """Killed too, at a random moment: it removes nothing of what is live."""
        self.library.run("prune", "--keep", "1", killed_after=self.random.uniform(0.05, 0.2))
        self.expect(self.judge.judge(), "a killed prune")

    def revert(self):
        for language, mark in self.marks.items():
            self.library.edit([language], mark)

    def hold_to_its_word(self, status, said, before, wanted, moment):
        """Success means that the new content is live, failure that the old one is or that it said so."""
        self.expect(self.judge.judge(), moment)
        marks, release = live_marks(self.library)
        is_new = marks == wanted
        if not is_new and marks != self.marks:
            raise Failure(f"{moment}: a mixture is live: {marks}")
        if status == 0 and not is_new:
            raise Failure(f"{moment}: success was reported, and the old content is live")
        if status > 0:
            claims_live = f"release {release} is live" in said.lower()
            if is_new and not claims_live:
                raise Failure(f"{moment}: failure was reported, and the new content is live:\n{said}")
            if "untouched" in said and self.judge.manifest_bytes() != before:
                raise Failure(f"{moment}: \"untouched\" is not true:\n{said}")
            if not is_new and "untouched" not in said and "still" not in said:
                raise Failure(f"{moment}: it does not say what is live:\n{said}")
        return is_new

    def round(self, moment, disturb):
        """One edit, one disturbed publish, and a publish after it, sometimes of the edit taken back."""
        before = self.judge.manifest_bytes()
        spoil = MISTAKES[self.mistake](self.library) if self.mistake else None
        wanted = self.edit()
        reader = Reader(self.library.release)
        reader.start()
        status, said, was_hit = disturb()
        reader.end()
        if spoil:
            status, said = spoil(status, said)
        self.hold_to_its_word(status, said, before, wanted, moment)
        if self.random.random() < 0.5:
            self.revert()
            wanted = self.marks
        if self.random.random() < 0.1:
            self.prune()
        self.publish(moment + ", and the publish after it")
        marks, _ = live_marks(self.library)
        if marks != wanted:
            raise Failure(f"{moment}: the next publish left {marks} live, not {wanted}")
        self.marks = wanted
        return was_hit

    def kills(self, wanted):
        """Kills at random moments; later after one that hit, earlier after one that came too late."""
        start = time.monotonic()
        self.publish("a measured publish")
        window = time.monotonic() - start
        killed = runs = 0
        while killed < wanted and runs < 4 * wanted + 20:
            runs += 1
            after = self.random.uniform(0, window)
            options = self.random.choice([[], [], [], ["--verify"]])

            def disturb():
                status, said = self.library.run("publish", *options, killed_after=after)
                return status, said, status == -9

            if self.round(f"kill {killed + 1} after {after:.4f} s", disturb):
                killed += 1
                window *= 1.05
            else:
                window = max(0.005, window * 0.88)
        print(f"releases: {killed} of {runs} publishes were killed at random")
        if killed < wanted:
            raise Failure(f"only {killed} of {wanted} kills hit")

    def order(self, shim):
        """Between the steps of a commit the disk is waited for: what a loss of power leaves is in this order."""
        log = self.library.folder / "log"
        self.edit()
        status, said = self.library.run("publish", environment={
            "LD_PRELOAD": str(shim), "FAULT_ROOT": str(self.library.release), "FAULT_LOG": str(log)})
        if status != 0:
            raise Failure(f"a publish failed with {status}:\n{said}")
        root = str(self.library.release)
        lines = log.read_text().splitlines()
        wanted = [
            f"syncfs {root}", f"unlink {root}/manifest.json.gz", f"fsync {root}", f"rename {root}/manifest.json",
            f"fsync {root}", f"rename {root}/manifest.json.gz"]
        position = -1
        for line in wanted:
            if line not in lines[position + 1:]:
                raise Failure(f"no \"{line}\" where it belongs; the order was:\n" + "\n".join(lines))
            position = lines.index(line, position + 1)
        early = lines[: lines.index(wanted[0])]
        if any("/manifest.json" in line and "/releases/" not in line for line in early):
            raise Failure("the manifest was touched before all else was on the disk:\n" + "\n".join(early))
        if any(line.startswith("write") and "/objects/" in line for line in lines[len(early):]):
            raise Failure("an object was written after the disk was waited for")
        print("releases: the disk is waited for before, between and after the steps of a commit")
        self.marks = live_marks(self.library)[0]
        self.publish("the publish whose order was seen")

    def steps(self, kind, shim, wanted):
        """Disturbs a publish at its steps: at each, or at a random choice of them."""
        hit_file = self.library.folder / "hit"

        def disturbed(step):
            def disturb():
                hit_file.unlink(missing_ok=True)
                status, said = self.library.run("publish", environment={
                    "LD_PRELOAD": str(shim), "FAULT_ROOT": str(self.library.release),
                    "FAULT_KIND": kind, "FAULT_AT": str(step), "FAULT_HIT": str(hit_file)})
                return status, said, hit_file.exists()
            return disturb

        count, step = 0, 0
        if wanted is None:
            while self.round(f"{kind} at step {step + 1}", disturbed(step + 1)):
                step += 1
                count += 1
                if step > FAULTS_PER_PUBLISH_MAX:
                    raise Failure("a publish has more steps than expected")
        else:
            # How many steps there are, found by doubling; then a choice of them.
            total = 8
            while self.round(f"{kind} at step {total}", disturbed(total)):
                total *= 2
                count += 1
            for step in sorted(self.random.sample(range(1, total), min(wanted, total - 1))):
                count += self.round(f"{kind} at step {step}", disturbed(step))
        print(f"releases: {count} publishes met '{kind}' at a step of theirs")
        if count == 0:
            raise Failure("no fault was met: is the program linked without the C library?")


def first_publishes(folder, options, shim, kind, wanted):
    """Disturbs the first publish of a library: there is no release or a whole one, and the next publish makes it."""
    steps = range(1, FAULTS_PER_PUBLISH_MAX) if wanted is None else sorted(
        random.Random(options.seed).sample(range(1, 120), min(wanted, 100)))
    count = 0
    for step in steps:
        library = Library(pathlib.Path(folder, f"first-{kind}-{step}"), options.program)
        judge = Judge(library.release)
        hit = library.folder / "hit"
        status, said = library.run("publish", environment={
            "LD_PRELOAD": str(shim), "FAULT_ROOT": str(library.release), "FAULT_KIND": kind,
            "FAULT_AT": str(step), "FAULT_HIT": str(hit)})
        was_hit = hit.exists()
        moment = f"{kind} at step {step} of a first publish"
        problems = judge.judge() if judge.manifest_bytes() is not None else []
        if status > 0 and ("Nothing was published" in said) != (judge.manifest_bytes() is None):
            problems.append(f"it does not say what is live:\n{said}")
        if status == 0 and judge.manifest_bytes() is None:
            problems.append("success was reported, and there is no release")
        status, said = library.run("publish")
        problems += judge.judge(settled=True) if status == 0 else [f"the next publish failed:\n{said}"]
        if problems:
            raise Failure(moment + ":\n  " + "\n  ".join(problems[:10]))
        shutil.rmtree(library.folder)
        if not was_hit:
            break
        count += 1
    print(f"releases: {count} first publishes met '{kind}' at a step of theirs")


def put_back(*paths):
    """A mistake: files are as they were before the publish."""
    def prepare(library):
        files = [library.release / path for path in paths]
        kept = [file.read_bytes() for file in files]

        def spoil(status, said):
            for file, data in zip(files, kept):
                file.unlink(missing_ok=True)
                file.write_bytes(data)
            return status, said
        return spoil
    return prepare


def wrong_object(library):
    def spoil(status, said):
        manifest = json.loads(fetch(library.release, "manifest.json", "plain"))
        file = library.release / object_path(manifest["languages"]["es"]["blueprint"]["checksum"])
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.unlink()
        file.write_bytes(data)
        return status, said
    return spoil


def put_manifest_back(library, said, which):
    """An older manifest is current again, alone and whole; and success is reported."""
    numbers = sorted(int(folder.name) for folder in (library.release / "releases").iterdir())
    number = numbers[which] if which < 0 else which
    data = (library.release / f"releases/{number}/manifest.json").read_bytes()
    for suffix in SUFFIX.values():
        (library.release / f"manifest.json{suffix}").unlink(missing_ok=True)
    (library.release / "manifest.json").write_bytes(data)
    return 0, said


MISTAKES = {
    "failsAndIsLive": lambda library: lambda status, said: (6, "The disk is full. Release 1 is untouched."),
    "succeedsAndIsNot": lambda library: lambda status, said: put_manifest_back(library, said, -2),
    "staleGzip": put_back("manifest.json.gz"),
    "staleBrotli": put_back("manifest.json.br"),
    "staleName": put_back(*(f"blueprints/{language}.json.gz" for language in LANGUAGES)),
    "wrongObject": wrong_object,
    "numberBack": lambda library: lambda status, said: put_manifest_back(library, said, 1),
    "leftover": lambda library: lambda status, said: (status, said),
}


def find(play, mistake):
    """Expects that a mistake is found; fails where it is not."""
    play.marks = play.edit()
    play.publish("a publish before the mistake")
    play.mistake = mistake
    for run in range(3):
        try:
            play.round(f"a publish with the mistake {mistake}", lambda: (*play.library.run("publish"), False))
        except Failure as failure:
            print(f"releases: found {mistake}: {str(failure).splitlines()[0]}")
            return
    raise Failure(f"the mistake {mistake} was not found")


def compile_shim(folder):
    """The library that stands before the C library, by whichever compiler Swift or the system has."""
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / "clang" if swift else None
    for compiler in filter(None, [shutil.which("cc"), shutil.which("clang"), beside]):
        shim = pathlib.Path(folder, "faults.so")
        done = subprocess.run(
            [str(compiler), "-shared", "-fPIC", "-O1", "-Wall", "-o", str(shim), str(HERE / "faults.c"), "-ldl"],
            capture_output=True, text=True)
        if done.returncode == 0:
            return shim
        print(done.stderr, file=sys.stderr)
    raise Failure("there is no C compiler; Swift brings clang")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--steps", default="8")
    parser.add_argument("--mistake", choices=[*MISTAKES, "all"])
    parser.add_argument("--program", default=str(PROGRAM))
    options = parser.parse_args()
    wanted = None if options.steps == "all" else int(options.steps)
    print(f"releases: seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="underway-releases-") as folder:
        try:
            if options.mistake:
                for mistake in MISTAKES if options.mistake == "all" else [options.mistake]:
                    find(Play(pathlib.Path(folder, mistake), options.seed, options.program), mistake)
                return 0
            play = Play(folder, options.seed, options.program)
            if options.kills:
                play.kills(options.kills)
            if wanted != 0:
                shim = compile_shim(folder)
                play.order(shim)
                for kind in ("full", "kill"):
                    play.steps(kind, shim, wanted)
                    first_publishes(folder, options, shim, kind, wanted)
        except Failure as failure:
            print(f"releases: FAILED (seed {options.seed}): {failure}", file=sys.stderr)
            return 1
    print(f"releases: all clients of {', '.join(SUFFIX)} saw one whole release at every moment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
