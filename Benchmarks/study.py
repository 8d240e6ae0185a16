#!/usr/bin/env python3
"""First loads of the study app's pages: bytes and time on loopback, on a device with two finished sessions.

Each page is asked for with its style and script, as a browser with an empty cache does. The baseline is a
file of the same server, which needs neither store nor template.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from common import table
from content import make_content

SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "Sample/content"
ROUNDS = 200


class Learner:
    """A browser without a cache: one connection, the cookie, and the forms of the pages."""

    def __init__(self, address):
        match = re.fullmatch(r"http://([a-z0-9.]+):(\d+)(/.*)", address)
        self.host, self.port = match.group(1), int(match.group(2))
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        self.cookie = ""
        reply, _ = self.ask("GET", match.group(3))
        self.cookie = reply.headers["Set-Cookie"].split(";")[0]

    def ask(self, method, path, form=None):
        fields = {"Cookie": self.cookie, "Host": f"{self.host}:{self.port}"}
        if form is not None:
            fields["Origin"] = f"http://{self.host}:{self.port}"
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, form, fields)
        reply = self.connection.getresponse()
        return reply, reply.read()

    def get(self, path):
        for _ in range(5):
            reply, body = self.ask("GET", path)
            if reply.status != 303:
                break
            path = reply.headers["Location"]
        if reply.status != 200:
            sys.exit(f"study: {path} replied {reply.status}")
        return path, body

    def send(self, path, body, *pairs):
        secret = re.search(rb'name="csrf" value="([^"]+)"', body).group(1).decode()
        form = "&".join(f"{name}={value}" for name, value in (("csrf", secret), *pairs))
        reply, _ = self.ask("POST", path, form)
        if reply.status != 303:
            sys.exit(f"study: {path} replied {reply.status} to a form")
        return reply.headers["Location"]

    def study(self, bank, mode):
        """Answers a whole session by the first option, and returns its address."""
        _, page = self.get("/library/" + bank)
        path = self.send("/session", page, ("bank", bank.replace("/", "%2F")), ("mode", mode))
        session = path
        while True:
            path, page = self.get(session)
            if path.endswith("/result"):
                return session
            options = re.findall(rb'name="option" value="([^"]+)"', page)
            if b"data-ordering" in page:
                pairs = [("option", option.decode()) for option in options]
            elif options:
                pairs = [("option", options[0].decode())]
            else:
                pairs = [("number", "1")]
            self.send(path.rstrip("?"), page, *pairs)


def measure(learner, path):
    """The bytes of a first load, and the times of the page alone in milliseconds."""
    _, page = learner.get(path)
    files = re.findall(rb'(?:href|src)="(/files/[^"#]+)', page)
    size = len(page) + sum(len(learner.get(file.decode())[1]) for file in set(files))
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        learner.get(path)
        times.append(1_000 * (time.perf_counter() - start))
    cuts = statistics.quantiles(times, n=100)
    return size, statistics.median(times), cuts[94]


@contextlib.contextmanager
def learner_of(program, content, folder):
    """A learner of the published content, and the process of their study app."""
    for arguments in (
        ["publish", "--content", str(content), "--release", f"{folder}/release"],
        ["bundle", f"{folder}/bundle", "--release", f"{folder}/release"],
    ):
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)
    app = subprocess.Popen(
        [program, "app", "--json", "--store", f"{folder}/store", "--bundle",
         f"{folder}/bundle"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield Learner(json.loads(app.stdout.readline())["address"]), app.pid
    finally:
        app.terminate()
        app.wait()


def processor_milliseconds(process):
    """The processor time of a process, with all its threads (proc(5))."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1_000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(program):
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        with learner_of(program, SAMPLE, folder) as (learner, _):
            session = learner.study("es", "placement")
            learner.study("int/swift", "study")
            rows = [
                [name, f"{size / 1_000:.1f} kB", f"{middle:.1f} ms", f"{high:.1f} ms"]
                for name, (size, middle, high) in (
                    (name, measure(learner, path)) for name, path in (
                        ("a file (baseline)", "/files/icons.svg"), ("Today", "/"),
                        ("Library", "/library"), ("a language", "/library/es"),
                        ("an exam", "/library/int/swift"), ("Result", f"{session}/result"),
                        ("Review", f"{session}/review"), ("Progress", "/progress"),
                        ("Inbox", "/inbox"), ("Settings", "/settings"),
                    ))
            ]
    table(
        f"Pages of the study app, {ROUNDS} requests each (aim: under 100 kB and 100 ms at p95)",
        ["page", "first load", "p50", "p95"], rows)


def run_banks(program):
    """Today's processor time on devices with one bank and with twenty, each with a session of study."""
    rows = []
    for banks in (1, 20):
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            make_content(f"{folder}/content", banks)
            with learner_of(program, f"{folder}/content", folder) as (learner, process):
                for number in range(banks):
                    learner.study(f"x{number:05d}", "study")
                learner.get("/")
                start = processor_milliseconds(process)
                for _ in range(ROUNDS):
                    learner.get("/")
                spent = (processor_milliseconds(process) - start) / ROUNDS
                rows.append([f"{banks} banks" if banks > 1 else "1 bank (baseline)", f"{spent:.1f} ms"])
    table("Today by the number of banks (aim: at most 30 ms of processor time with 20)", ["", "processor time"], rows)


if __name__ == "__main__":
    run(sys.argv[1])
    run_banks(sys.argv[1])
