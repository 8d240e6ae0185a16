"""One changed question of one exam: its changes against the whole bank."""

import gzip
import http.client
import json
import os
import statistics as numbers
import subprocess
import time

from common import Relay, table
from postgres_devices import call

EXAMS, QUESTIONS = 10, 10_000
WORDS = ("route", "table", "gateway", "policy", "queue", "shard", "lease", "snapshot", "bucket", "tenant", "replica",
         "cursor", "commit", "index", "token", "region")


def question(exam, number, mark=""):
    def words(count, seed):
        return " ".join(WORDS[(number * 7 + seed * 5 + place * (seed + 3)) % len(WORDS)] for place in range(count))

    return {
        "id": f"q-{number:05d}", "type": "single-choice", "domain": f"d{number % 8}", "difficulty": 1 + number % 5,
        "stem": f"Case {exam}-{number}{mark}: which {words(9, exam)} does the {words(4, 2)} need?",
        "options": [{"id": letter, "text": f"{words(6, place + 3)} {number % 97 + place}"}
                    for place, letter in enumerate("abcd")],
        "correct": [number % 4], "explanation": f"Because the {words(12, 9)} of case {number} says so."}


def write_exam(bench, name, questions):
    folder = f"{bench.content}/exams/de/{name}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/exam.yaml", "w") as file:
        file.write(f"title: {name}\nversion: '1.0.0'\ndomains:\n")
        file.writelines(f"  - {{ id: d{number}, title: Domain {number}, weight: 12.5 }}\n" for number in range(8))
        file.write("scoring: { pass: 0.8 }\n")
    with open(f"{folder}/questions.json", "w") as file:
        json.dump(questions, file)


def publish(bench):
    subprocess.run(
        [bench.tool, "publish", "--content", bench.content, "--release", bench.release], check=True,
        stdout=subprocess.DEVNULL)


def make_content(bench):
    """A release of one small exam, so that the other sections wait for no filling."""
    os.makedirs(bench.content)
    with open(f"{bench.content}/underway.yaml", "w") as file:
        file.write("name: Benchmark\n")
    write_exam(bench, "small", [question(99, number) for number in range(8)])
    publish(bench)


class Reader:
    """A client of one exam. Each request comes from another address, since addresses have a rate."""

    def __init__(self, port):
        self.connection, self.count = http.client.HTTPConnection("127.0.0.1", port), 0

    def get(self, path):
        self.count += 1
        return call(self.connection, "GET", path, headers={
            "X-Forwarded-For": f"10.9.{self.count >> 8}.{self.count & 255}", "Accept-Encoding": "gzip"}
            if "objects" not in path else {"Accept-Encoding": "br, gzip"})

    def changes(self, since=None):
        """All pages; returns the number of questions, where to go on, and the requests."""
        found, requests, more = 0, 0, True
        while more:
            path = "/api/v1/exams/de/exam-3/changes" + (f"?since={since}" if since else "")
            data = self.get(path)
            page = json.loads(gunzip(data))
            found, since, more = found + len(page["questions"]), page["next"], page.get("more", False)
            requests += 1
        return found, since, requests


def gunzip(data):
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def timed(work, count=1):
    times = []
    for _ in range(count):
        begin = time.monotonic()
        result = work()
        times.append(time.monotonic() - begin)
    return result, numbers.median(times), sorted(times)[int(len(times) * 0.99)]


def wait_for(reader, since, end):
    while reader.changes(since)[0] == 0:
        if time.monotonic() > end:
            raise SystemExit("The change did not arrive.")
        time.sleep(0.01)


def section(bench):
    exams = {f"exam-{exam}": [question(exam, number) for number in range(QUESTIONS)] for exam in range(EXAMS)}
    for name, questions in exams.items():
        write_exam(bench, name, questions)
    publish(bench)
    begin = time.monotonic()
    server = bench.serve()
    while bench.postgres.number("select count(*) from content.questions") < EXAMS * QUESTIONS:
        if time.monotonic() - begin > 240:
            raise SystemExit("The tables were not filled.")
        time.sleep(0.2)
    filled = time.monotonic() - begin

    relay = Relay(server.ports[0])
    direct = Reader(server.ports[0])

    def bytes_down(work):
        # On a connection of its own: one that is idle for long is closed.
        relay.reset()
        work(Reader(relay.port))
        return relay.down

    (found, since, pages), all_seconds, _ = timed(direct.changes)
    all_bytes = bytes_down(lambda reader: reader.changes())
    if found != QUESTIONS:
        raise SystemExit(f"{found} questions instead of {QUESTIONS}")

    exams["exam-3"][4711] = question(3, 4711, " (corrected)")
    write_exam(bench, "exam-3", exams["exam-3"])
    direct = Reader(server.ports[0])
    _, publish_seconds, _ = timed(lambda: publish(bench))
    begin = time.monotonic()
    wait_for(direct, since, begin + 30)
    visible = time.monotonic() - begin
    _, change_seconds, change_p99 = timed(lambda: direct.changes(since), 200)
    change_bytes = bytes_down(lambda reader: reader.changes(since))

    with open(f"{bench.release}/manifest.json") as file:
        digits = json.load(file)["exams"]["de/exam-3"]["blueprint"]["checksum"][7:]
    path = f"/api/content/v2/objects/{digits[:2]}/{digits}"
    _, bank_seconds, _ = timed(lambda: direct.get(path), 9)
    bank_bytes = bytes_down(lambda reader: reader.get(path))
    server.stop()
    table(
        f"One changed question of one exam of {QUESTIONS:,}, among {EXAMS * QUESTIONS:,} questions",
        ["", "requests", "bytes down", "time", "p99"],
        [["its changes", 1, f"{change_bytes:,}", f"{1000 * change_seconds:.1f} ms", f"{1000 * change_p99:.1f} ms"],
         ["the bank as a file (brotli)", 1, f"{bank_bytes:,}", f"{1000 * bank_seconds:.1f} ms", ""],
         ["all changes from the start", pages, f"{all_bytes:,}", f"{1000 * all_seconds:.0f} ms", ""]])
    print(f"  The change was readable {1000 * visible:.0f} ms after the publish, which took"
          f" {1000 * publish_seconds:.0f} ms; filling {EXAMS * QUESTIONS:,} questions took {filled:.0f} s.")
