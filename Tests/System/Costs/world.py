"""A server of its own, and accounts that are filled through its interface."""

import http.client
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("UNDERWAY", str(ROOT / ".build/debug/underway"))
#: The sizes of what grows: n and 4n.
SIZES = (1_000, 4_000)


class Refused(RuntimeError):
    """A reply that says no."""

    def __init__(self, what, reply):
        super().__init__(f"{what}: {reply.status} {reply.body[:500]}")
        self.status = reply.status


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class World:
    """A server on SQLite with a release of two banks, one four times as long as the other."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="underway-costs-")
        self.path = pathlib.Path(self.folder.name)
        self.data = self.path / "users"
        self.address = self.sent = 0
        for index, size in enumerate(SIZES):
            self.write_bank(f"bank{index}", size // 10)
        (self.path / "content/underway.yaml").write_text("name: Costs\n")
        self.tool("publish", "--content", self.path / "content", "--release", self.path / "release")
        self.log = open(self.path / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--release", self.path / "release", "--data", self.data, "--port", "0", "--quiet",
             "--behind-proxy"], stdout=self.log, stderr=self.log)
        self.port = self.await_port()

    def await_port(self):
        while self.process.poll() is None:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", (self.path / "log").read_text(encoding="utf-8"))
            if found:
                return int(found[1])
            time.sleep(0.05)
        raise RuntimeError((self.path / "log").read_text(encoding="utf-8"))

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.log.close()
        self.folder.cleanup()

    def write_bank(self, name, count):
        folder = self.path / "content/exams/int" / name
        folder.mkdir(parents=True)
        (folder / "exam.yaml").write_text(
            f'title: {name}\nversion: "1"\nlevels: {{ 1: all }}\n'
            "domains:\n  - { id: all, title: All, weight: 100 }\nscoring: { pass: 0.5 }\n")
        questions = "".join(
            f"- id: {name}-{number}\n  type: single-choice\n  domain: all\n  difficulty: 1\n"
            f"  stem: What is the right answer to question {number}?\n"
            f"  options:\n    - {{ id: a, text: This one }}\n    - {{ id: b, text: Another one }}\n  correct: [0]\n"
            for number in range(count))
        (folder / "questions.yaml").write_text(questions)

    def tool(self, *arguments):
        result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(f"{arguments}: {result.stdout[-1000:]}{result.stderr[-1000:]}")
        return result.stdout

    def operate(self, *arguments):
        return self.tool(*arguments, "--data", self.data)

    # What it costs

    @property
    def processor(self):
        """The processor time of all threads of the server since its start, in seconds (clock_getcpuclockid)."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    @property
    def written(self):
        """The bytes that the server made the disk write."""
        text = pathlib.Path(f"/proc/{self.process.pid}/io").read_text()
        return int(re.search(r"^write_bytes: (\d+)", text, re.M)[1])

    # Requests

    def new_address(self):
        """An address from which nobody has asked yet."""
        self.address += 1
        return f"198.{self.address >> 16 & 255}.{self.address >> 8 & 255}.{self.address & 255}"

    def send(self, method, path, body=None, token=None, headers=None, address=None):
        data = None if body is None else json.dumps(body).encode()
        fields = {"X-Forwarded-For": address or self.new_address(), **(headers or {})}
        if data is not None:
            fields["Content-Type"] = "application/json"
        if token:
            fields["Authorization"] = "Bearer " + token
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, data, fields)
        self.sent += len(data or b"")
        reply = connection.getresponse()
        result = Reply(reply.status, dict(reply.getheaders()), reply.read())
        connection.close()
        return result

    def first_bytes(self, path, token):
        """The head of a stream and what comes first; the client leaves then."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", path, headers={"Authorization": "Bearer " + token})
        reply = connection.getresponse()
        result = Reply(reply.status, dict(reply.getheaders()), reply.read1(65_536))
        connection.close()
        return result

    def account(self):
        """A new account without anything in it."""
        return Account(self)

    def expect(self, *arguments, **named):
        reply = self.send(*arguments, **named)
        if reply.status >= 400:
            raise Refused(arguments[:2], reply)
        return reply


class Account:
    """An account, filled with what a learner has."""

    #: Records for each thousand answers, and devices.
    RECORDS, DEVICES = 100, 10

    def __init__(self, world):
        self.world = world
        self.tokens = world.expect("POST", "/api/accounts/v1/anonymous").json
        self.device, self.requests, self.operations, self.answers = str(uuid.uuid4()), 0, 0, 0
        self.place = {}
        self.email = None

    @property
    def user(self):
        return self.tokens["user"]

    @property
    def token(self):
        return self.tokens["access_token"]

    def send(self, method, path, body=None, **named):
        return self.world.expect(method, path, body, token=self.token, **named)

    def fill(self, size):
        """Fills the account with answers, records and devices in the proportion of its size."""
        self.exchange(answers=self.run(size))
        count = size * self.RECORDS // 1000
        for start in range(0, count, 100):
            self.exchange(operations=[self.put(f"r{start + number}") for number in range(min(100, count - start))])
        for _ in range(size * self.DEVICES // 1000):
            self.another_device().exchange()
        return self

    def another_device(self):
        other = Account.__new__(Account)
        other.__dict__.update(
            self.__dict__, device=str(uuid.uuid4()), requests=0, operations=0, answers=0, place={})
        return other

    def sign_up(self):
        self.email = f"{uuid.uuid4().hex}@example.org"
        self.send("POST", "/api/accounts/v1/upgrade", {"email": self.email, "password": "correct horse battery"})
        return self

    def put(self, name):
        self.operations += 1
        return {"n": self.operations, "collection": "favourites", "id": name,
                "time": [int(time.time() * 1000), 0], "put": {"bank": "int/bank0", "note": name}, "seen": 0}

    def run(self, count):
        """A run of new answers, in sessions of 20."""
        first, self.answers = self.answers + 1, self.answers + count
        sessions = sum(([f"{self.device}-{first + start}", min(20, count - start)] for start in range(0, count, 20)), [])
        now = int(time.time() * 1000) - 1_000_000
        return [{
            "client": self.device, "first": first, "count": count, "bank": ["int/bank0", count],
            "session": sessions, "mode": ["study", count],
            "question": {"names": [[f"bank0-{number}", "1", "all"] for number in range(100)],
                         "at": [number % 100 for number in range(count)]},
            "options": {"names": [["a"], ["b"]], "at": [number % 2 for number in range(count)]},
            "correct": "10" * (count // 2) + "1" * (count % 2), "random": "0" * count,
            "taken": [4200] * count, "exposures": [0] * count, "date": [now] + [1] * (count - 1)}]

    def exchange(self, operations=(), answers=()):
        self.requests += 1
        held = {self.device: self.answers} if self.answers else {}
        body = {"version": 1, "user": self.user, "client": self.device, "request": self.requests,
                "processedBefore": self.operations + 1 - len(operations), "operations": list(operations),
                "held": held, "answers": list(answers), **self.place}
        reply = self.send("POST", "/api/sync/v1/exchange", body)
        self.place = {key: reply.json[key] for key in ("epoch", "cursor", "head") if key in reply.json}
        return reply
