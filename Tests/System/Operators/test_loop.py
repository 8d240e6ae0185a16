"""The whole loop: a class answers a bank with wrong keys, the commands of the page find and fix them, devices get the fix."""

import hashlib
import json
import math
import random
import subprocess
import sys
import time
import unittest
import urllib.request

from world import ROOT, TOOL, World, await_true

sys.path.insert(0, str(ROOT / "Tests/OtherLanguages"))
from client import Device

BANK, QUESTIONS, LEARNERS, SEED = "int/made", 60, 120, 18
WRONG = {"q05", "q25", "q45"}


def right(number):
    return "abcd"[number * 7 % 4]


def source():
    """The bank as an author writes it, with a comment that must stay."""
    lines = []
    for number in range(QUESTIONS):
        key = "abcd".index(right(number))
        name = f"q{number:02}"
        lines += [
            f"- id: {name} # number {number}", "  type: single-choice", f"  difficulty: {1 + number % 5}",
            f"  stem: Which is right of {number}?",
            "  options: [" + ", ".join(f"{{ id: {id}, text: {id} of {number} }}" for id in "abcd") + "]",
            f"  correct: [{(key + 1) % 4 if name in WRONG else key}]"]
    return "\n".join(lines) + "\n"


class Learner(Device):
    """A device whose answers have a version and an option each."""

    def run(self, id, first, rows):
        run = super().run(id, first, [row[0] for row in rows])
        run["bank"] = [BANK, len(rows)]
        run["question"]["names"] = [[name, version] for name, version, _ in rows]
        run["options"] = {"names": [[id] for id in "abcd"], "at": ["abcd".index(row[2]) for row in rows]}
        return run


class Loop(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.content, self.release = self.world.here / "content", self.world.here / "release"
        exam = self.content / "exams/int/made"
        exam.mkdir(parents=True)
        exam.joinpath("exam.yaml").write_text('title: Made\nversion: "1.0.0"\n')
        self.file = exam / "questions.yaml"
        self.file.write_text(source())
        self.world.tool("publish")
        self.random = random.Random(SEED)

    def serve(self):
        port = self.world.numbers["8080"]
        process = subprocess.Popen(
            [TOOL, "serve", "--release", self.release, "--data", "users",
             "--port", str(port), "--behind-proxy", "--quiet"],
            cwd=self.world.here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.world.processes.append(process)
        self.url = f"http://127.0.0.1:{port}"
        await_true(lambda: self.is_live(), "the server")

    def is_live(self):
        try:
            return urllib.request.urlopen(self.url + "/health/live").status == 200
        except OSError:
            return False

    def versions(self):
        """The version of each question, as a device computes it: the checksum of its canonical JSON."""
        manifest = json.loads(self.release.joinpath("manifest.json").read_text())
        hex = manifest["exams"][BANK]["blueprint"]["checksum"].split(":")[1]
        bank = json.loads(self.release.joinpath("objects", hex[:2], hex).read_text())
        return {
            question["id"]: "sha256:" + hashlib.sha256(json.dumps(
                question, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
            for question in bank["questions"]}

    def devices(self, number):
        """Two devices of a new learner, who agreed to the analysis."""
        request = urllib.request.Request(
            self.url + "/api/accounts/v1/anonymous", method="POST", data=b"{}",
            headers={"Content-Type": "application/json", "X-Forwarded-For": f"192.0.2.{number}"})
        tokens = json.loads(urllib.request.urlopen(request).read())
        phone, tablet = Learner(self.url, tokens), Learner(self.url, dict(tokens))
        phone.write("consents", "answer-analysis", put={"isGiven": True})
        return phone, tablet

    def answers(self, versions):
        """What a learner of some ability chooses at first sight, by a logistic curve above a guessing share."""
        ability = self.random.gauss(0, 1)
        for number in range(QUESTIONS):
            chance = 0.2 + 0.8 / (1 + math.exp(-1.4 * (ability - (number % 5 - 2) * 0.6)))
            choice = right(number)
            if self.random.random() >= chance:
                choice = self.random.choice([id for id in "abcd" if id != choice])
            name = f"q{number:02}"
            yield name, versions[name], choice

    def tool(self, *words):
        return json.loads(self.world.tool(*words, "--json"))

    def test_a_class_finds_three_wrong_keys(self):
        print(f"seed {SEED}")
        self.serve()
        versions = self.versions()
        late = []
        for number in range(1, LEARNERS + 1):
            phone, tablet = self.devices(number)
            rows = list(self.answers(versions))
            phone.answers, tablet.answers = rows[:30], rows[30:]
            for device in (phone, tablet):
                device.held[device.id] = len(device.answers)
            phone.sync()
            (tablet.sync if number < LEARNERS else lambda: late.append(tablet))()
        # One who did not agree is never counted.
        stranger = self.devices(200)[0]
        stranger.outbox, stranger.answers = [], list(self.answers(versions))
        stranger.held[stranger.id] = len(stranger.answers)
        stranger.sync()
        late[0].sync()
        answered = time.monotonic()
        data = str(self.world.here / "users")

        def suspects():
            return {one["question"]: one for one in self.tool("proposals", "list", "--data", data)
                    if one["evidence"].get("outcome") == "act"}
        await_true(lambda: WRONG <= set(suspects()), "the proposals", seconds=120)
        flagged = time.monotonic()
        # All answers of those who agreed, and no other, are in what the command reviews at once.
        reviewed = self.tool("proposals", "review", "--data", data)
        self.assertEqual(reviewed["answers"], LEARNERS * QUESTIONS)
        # Nothing that is right is said to be wrong for certain, and each proposal names the right key.
        self.assertEqual(set(suspects()), WRONG)
        self.assertEqual(
            {name: one["proposedKey"] for name, one in suspects().items()},
            {name: right(int(name[1:])) for name in WRONG})
        numbers = [suspects()[name]["number"] for name in sorted(WRONG)]
        shown = self.world.tool("proposals", "show", str(numbers[0]), "--data", data)
        self.assertRegex(shown, r"\d+ first answers, of 100 such keys about \d+ are wrong")

        # A publish that fails says what became of the file all the same, and the next one goes on from there.
        broken = self.content / "exams/int/broken"
        broken.mkdir()
        broken.joinpath("exam.yaml").write_text("title: [\n")
        said = self.world.tool("proposals", "confirm", str(numbers[0]), "--publish", "--data", data, status=1)
        self.assertRegex(said, r'questions.yaml: the key of q05 is "." \(. of 5\) now, it was "." \(. of 5\)\.')
        self.assertIn("nothing was published", said)
        broken.joinpath("exam.yaml").unlink()
        broken.rmdir()

        began = time.monotonic()
        for number in numbers:
            self.world.tool("proposals", "confirm", str(number), "--publish", "--data", data)
        published = time.monotonic()
        fixed = source()
        for name in WRONG:
            number = int(name[1:])
            key = "abcd".index(right(number))
            before = fixed.index(f"- id: {name} ")
            fixed = fixed[:before] + fixed[before:].replace(f"correct: [{(key + 1) % 4}]", f"correct: [{key}]", 1)
        self.assertEqual(self.file.read_text(), fixed)

        def status():
            return self.tool("loop", "status", "--data", data)
        await_true(lambda: len(status()["shipped"]) == 3, "the release", seconds=60)
        self.assertEqual({one["question"] for one in status()["shipped"]}, WRONG)
        # A second person finds that it is done; what waits for others is untouched.
        again = subprocess.run(
            [TOOL, "proposals", "confirm", str(numbers[0]), "--data", data],
            cwd=self.world.here, capture_output=True, text=True)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("shipped", again.stderr)
        print(f"from the last answer to the flag {flagged - answered:.1f} s, from the first confirmation to the third "
              f"release {published - began:.1f} s")

        # A device takes the fix, and its release is counted.
        self.world.tool("sync", self.url + "/api/content/v2", "--store", "phone")
        manifest = json.loads(self.release.joinpath("manifest.json").read_text())
        self.assertGreaterEqual(manifest["release"], 5)


if __name__ == "__main__":
    unittest.main()
