"""The desk: a publish of 5,000 blueprints from its page, and its pages over a bank of 5,000 questions.

Usage: desk.py <underway>
The baselines of the same run: `underway publish` after an edit of the same size, and a file of the same server. Times are
those of whole requests on loopback; a publish is the page that shows the change, and the press that ships it.
"""

import contextlib
import html
import http.client
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

from common import await_port, free_port, table
from content import edit, make_content

ROUNDS = 5
QUESTIONS = 5000
PASSWORD = "a long password"


class Desk:
    """A server with a desk, and an author who may publish, signed in."""

    def __init__(self, tool, folder, content, release):
        self.tool, self.folder, self.port = tool, folder, free_port()
        self.process = subprocess.Popen(
            [tool, "serve", "--release", release, "--data", f"{folder}/users", "--port", str(self.port), "--quiet",
             "--desk", content], cwd=folder)
        await_port(self.port)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        tokens = self.call("/api/accounts/v1/anonymous", {})
        self.call("/api/accounts/v1/upgrade", {"email": "ada@example.org", "password": PASSWORD}, tokens["access_token"])
        for role in ("author", "publisher"):
            subprocess.run([tool, "role", "grant", tokens["user"], role, "--data", f"{folder}/users"],
                           check=True, stdout=subprocess.DEVNULL)
        self.cookie = ""
        reply, _ = self.ask("POST", "/desk/sign-in", {"email": "ada@example.org", "password": PASSWORD})
        self.cookie = reply.headers["Set-Cookie"].split(";")[0]

    def call(self, path, body, token=None):
        fields = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
        self.connection.request("POST", path, json.dumps(body), fields)
        return json.loads(self.connection.getresponse().read() or b"null")

    def ask(self, method, path, form=None):
        address = f"127.0.0.1:{self.port}"
        fields = {"Host": address, "Cookie": self.cookie}
        if form is not None:
            fields |= {"Origin": f"http://{address}", "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, path, form and urllib.parse.urlencode(form), fields)
        reply = self.connection.getresponse()
        return reply, reply.read()

    def timed(self, method, path, form=None, status=200):
        begin = time.monotonic()
        reply, body = self.ask(method, path, form)
        took = time.monotonic() - begin
        if reply.status != status:
            sys.exit(f"desk: {method} {path} replied {reply.status}: {body[-2000:].decode(errors='replace')}")
        return took, body

    def resident(self):
        """Megabytes of memory."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) / 1000

    def close(self):
        self.process.terminate()
        self.process.wait()


def shown(times):
    ordered = sorted(1000 * one for one in times)
    digits = 0 if ordered[-1] >= 100 else 1
    return f"{statistics.median(ordered):.{digits}f} ms ({ordered[0]:.{digits}f}–{ordered[-1]:.{digits}f})"


def fields(body):
    """The hidden fields of the form that publishes."""
    form = re.search(rb'<form method="post" action="/desk/publish">.*?</form>', body, re.S).group(0)
    return {name.decode(): value.decode()
            for name, value in re.findall(rb'<input type="hidden" name="([^"]+)" value="([^"]*)">', form)}


def section_publish(tool, folder):
    content, release = f"{folder}/content", f"{folder}/release"
    make_content(content, 5000)
    subprocess.run([tool, "publish", "--content", content, "--release", release], check=True, stdout=subprocess.DEVNULL)
    with contextlib.closing(Desk(tool, folder, content, release)) as desk:
        time_publishes(tool, content, release, desk)


def time_publishes(tool, content, release, desk):
    command, page, press = [], [], []
    for number in range(2 * ROUNDS):
        time.sleep(2.1)
        edit(content, number, f"day {number}")
        if number % 2:
            begin = time.monotonic()
            subprocess.run([tool, "publish", "--content", content, "--release", release], check=True,
                           stdout=subprocess.DEVNULL)
            command.append(time.monotonic() - begin)
            continue
        took, body = desk.timed("GET", "/desk/publish")
        page.append(took)
        press.append(desk.timed("POST", "/desk/publish", fields(body), status=303)[0])
    base = statistics.median(command)
    rows = [[name, shown(times), f"{statistics.median(times) / base:.2f}"] for name, times in (
        ("`underway publish` (baseline)", command), ("the page that shows the edit", page),
        ("the press that ships it", press), ("both", [one + other for one, other in zip(page, press)]))]
    table("One edit among 5,000 blueprints, from the desk", ["", "time", "of the command"], rows)
    print(f"memory of the server afterwards: {desk.resident():.0f} MB")


def make_bank(content):
    exam = pathlib.Path(content) / "exams/int/large"
    exam.mkdir(parents=True)
    (pathlib.Path(content) / "underway.yaml").write_text("name: Large\n")
    (exam / "exam.yaml").write_text('title: Large\nversion: "1.0.0"\n')
    lines = []
    for number in range(QUESTIONS):
        lines += [
            f"- id: q{number:05d}", "  type: single-choice", f"  difficulty: {1 + number % 5}",
            f"  stem: Which of these words is number {number} of the list that learners get in week {number % 52}?",
            "  options:", *(f"    - {{ id: {letter}, text: word {number} {letter} }}" for letter in "abcd"),
            f"  correct: [{number % 4}]", f"  explanation: It is the word {number}.", f"  tags: [week-{number % 52}]"]
    (exam / "questions.yaml").write_text("\n".join(lines) + "\n")


def section_pages(tool, folder):
    content, release = f"{folder}/content", f"{folder}/release"
    make_bank(content)
    subprocess.run([tool, "publish", "--content", content, "--release", release], check=True, stdout=subprocess.DEVNULL)
    with contextlib.closing(Desk(tool, folder, content, release)) as desk:
        time_pages(desk)


def time_pages(desk):
    one = "/desk/questions/int~large/q02500"
    first, _ = desk.timed("GET", "/desk/questions")
    _, body = desk.timed("GET", one)
    form = {name.decode(): html.unescape(value.decode()) for name, value in
            re.findall(rb'<input type="hidden" name="([^"]+)" value="([^"]*)">', body)}
    form |= {"stem": "Which of these words is another?", "difficulty": "2", "explanation": "", "tags": "", "shuffle": "on", "right": "0"}
    rows = [["the list when nothing was read yet", shown([first]), ""]]
    for name, method, path, body in (
        ("a style sheet (baseline)", "GET", "/desk/files/desk.css", None), ("the list", "GET", "/desk/questions", None),
        ("the last page of it", "GET", "/desk/questions?page=50", None),
        ("a search", "GET", "/desk/questions?q=week+17", None), ("a question", "GET", one, None),
        ("a check while it is typed", "POST", one + "/check", form), ("its history", "GET", one + "/history", None),
    ):
        times, size = [], 0
        for _ in range(20):
            took, reply = desk.timed(method, path, body)
            times.append(took)
            size = len(reply)
        rows.append([name, shown(times), f"{size / 1000:.0f} kB"])
    table(f"Pages of the desk over a bank of {QUESTIONS:,} questions", ["", "time", "bytes"], rows)
    print(f"memory of the server afterwards: {desk.resident():.0f} MB")


def main(tool):
    tool = os.path.abspath(tool)
    for section in (section_pages, section_publish):
        folder = tempfile.mkdtemp(prefix="underway-desk-bench-")
        try:
            section(tool, folder)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
