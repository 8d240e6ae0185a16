"""The built program: the study app as a process over content that the same program published."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse

import templates

PROGRAM = pathlib.Path(os.environ.get("UNDERWAY_PROGRAM", templates.ROOT / ".build/debug/underway"))
SAMPLE = templates.ROOT / "Sample/content"
SECONDS_MAX = 30


def run(*arguments):
    """The output of a command that ends well."""
    ended = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS_MAX * 4)
    if ended.returncode != 0:
        raise AssertionError(f"underway {arguments[0]} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


class Content:
    """A content folder, published and bundled in a folder of its own; `end` removes it. Without the sample's
    announcements, whose sheet would lie over the first page."""

    def __init__(self, change=lambda folder: None, source=SAMPLE):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="study-"))
        content = self.folder / "content"
        shutil.copytree(source, content, ignore=shutil.ignore_patterns(".underway-published"))
        shutil.rmtree(content / "announcements", ignore_errors=True)
        change(content)
        self.bundle = self.folder / "bundle"
        run("publish", "--content", content, "--release", self.folder / "release")
        run("bundle", self.bundle, "--release", self.folder / "release")

    def end(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class App:
    """The study app of a new device; `kill` and `start` again keep its store, `stop` removes it."""

    def __init__(self, content):
        self.content = content
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="device-"))
        self.process = None
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [PROGRAM, "app", "--store", self.folder / "store", "--bundle", self.content.bundle],
            stdout=self.log, stderr=subprocess.STDOUT)
        self.entrance = self.printed_address()
        parts = urllib.parse.urlsplit(self.entrance)
        self.host, self.port = parts.netloc, parts.port  # found by browsers; sockets connect to 127.0.0.1
        self.address = f"http://{self.host}"
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    def printed_address(self):
        end = time.monotonic() + SECONDS_MAX
        while time.monotonic() < end:
            printed = (self.folder / "log").read_text(encoding="utf-8")
            if found := re.search(r"http://\S+", printed):
                return found[0]
            if self.process.poll() is not None:
                raise AssertionError(f"the app ended: {printed}")
            time.sleep(0.02)
        raise AssertionError("the app printed no address")

    def kill(self):
        """Ends the process as the system does when memory is short: nothing of it runs any more."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
