"""A release directory that several servers share, and when each serves what is published there."""

import http.client
import json
import subprocess
import threading
import time

from programs import STARTING_SECONDS_MAX

MANIFEST = "/api/content/v2/manifest.json"
QUESTIONS = "/api/v1/exams/int/sample/questions"
STEM = "What does this print?"


class Releases:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.content = binary, folder / "release", folder / "content"
        self.number, self.stem = 0, STEM
        self.run("init", self.content)
        self.publish()

    def run(self, *words):
        subprocess.run(
            [self.binary, *words], check=True, cwd=self.folder.parent, stdout=subprocess.DEVNULL)

    def publish(self):
        self.number += 1
        questions = self.content / "exams/int/sample/questions.yaml"
        text, stem = questions.read_text(), f"{STEM} ({self.number})"
        questions.write_text(text.replace(f"stem: {self.stem}", f"stem: {stem}"))
        self.stem = stem
        self.run("publish")

    def measure(self, ports):
        """Publishes, and returns the seconds until the slowest server had the files and the tables."""
        self.publish()
        begin, files, tables = time.monotonic(), [], []
        threads = [
            threading.Thread(target=self.watch, args=[port, path, body, begin, seconds])
            for port in ports for path, body, seconds in (
                (MANIFEST, self.has_manifest, files), (QUESTIONS, self.has_question, tables))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return max(files), max(tables)

    def watch(self, port, path, is_there, begin, seconds):
        """Asks one server until it has the release."""
        while not is_there(get(port, path)):
            if time.monotonic() - begin > STARTING_SECONDS_MAX:
                break
            time.sleep(0.02)
        seconds.append(time.monotonic() - begin)

    def has_manifest(self, manifest):
        return manifest.get("release") == self.number

    def has_question(self, page):
        return any(question["stem"] == self.stem for question in page.get("questions", []))


def get(port, path):
    """A document; empty while it is not there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        body = reply.read()
        return json.loads(body) if reply.status == 200 else {}
    finally:
        connection.close()
