"""The built program: the study app as a process over content that the same program published."""

import datetime
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
# What a session draws follows from this number, so that a page or a question is met in every run or in none.
SEED = int(os.environ.get("UNDERWAY_STUDY_SEED", 1))


def run(*arguments):
    """The output of a command that ends well."""
    ended = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS_MAX * 4)
    if ended.returncode != 0:
        raise AssertionError(f"underway {arguments[0]} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


class Content:
    """A content folder, published and bundled in a folder of its own; `end` removes it. The sheet of an announcement
    would lie over the first page, so the sample's are left out; one of them is there on all days if it is wanted."""

    def __init__(self, change=lambda folder: None, source=SAMPLE, has_announcements=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="study-"))
        self.authored = self.folder / "content"
        self.release = self.folder / "release"
        self.bundle = self.folder / "bundle"
        shutil.copytree(source, self.authored, ignore=shutil.ignore_patterns(".underway-published"))
        announcements = self.authored / "announcements"
        for file in announcements.glob("*.yaml"):
            if not has_announcements or file.name != "2-website.yaml":
                file.unlink()
                continue
            lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
            file.write_text("".join(line for line in lines if not line.startswith(("start:", "end:"))), encoding="utf-8")
        self.publish(change)
        run("bundle", self.bundle, "--release", self.release)

    def publish(self, change=lambda folder: None):
        """Publishes the folder after a change; the bundle stays that of the first release."""
        change(self.authored)
        run("publish", "--content", self.authored, "--release", self.release)

    def end(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def clock(moment):
    """The environment of a process whose wall clock is at noon some days from now, the real one for 0 days, or begins at a
    moment such as `2027-01-18 20:00:00 Europe/Berlin`; its clock of durations is the real one."""
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    fields = {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1"}
    if isinstance(moment, int):
        # A day of a learner ends at four in the morning: at noon none ends during a test, at whatever hour it runs.
        now = datetime.datetime.now()
        noon = now.replace(hour=12, minute=0, second=0) + datetime.timedelta(days=moment)
        return fields | {"FAKETIME": f"{round((noon - now).total_seconds()) if moment else 0:+}"}
    time, _, zone = moment.rpartition(" ")
    return fields | {"FAKETIME": f"@{time}", "TZ": zone}


class Process:
    """The program as a process that prints its address; `kill` and `start` again keep its folder, `stop` removes it."""

    printed = r"(http://\S+)"

    def __init__(self, prefix):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=prefix))
        self.process = None
        self.start()

    def command(self):
        """The arguments of the program."""
        raise NotImplementedError

    def start(self, days=0):
        """Starts the program, with a clock that is some days from now or begins at a moment."""
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        # libfaketime changes the environment of the first process that loads it, in which Swift then finds no
        # arguments; `env` is that process, and becomes the program.
        self.process = subprocess.Popen(
            [*(["env"] if days else []), PROGRAM, *map(str, self.command())], stdout=self.log,
            stderr=subprocess.STDOUT, env=os.environ | (clock(days) if days else {}))
        self.entrance = self.printed_address()
        parts = urllib.parse.urlsplit(self.entrance)
        self.host, self.port = parts.netloc, parts.port  # found by browsers; sockets connect to 127.0.0.1
        self.address = f"http://{self.host}"

    def printed_address(self):
        # The demo plays all its scenes first.
        end = time.monotonic() + SECONDS_MAX * 8
        while time.monotonic() < end:
            text = (self.folder / "log").read_text(encoding="utf-8")
            if found := re.search(self.printed + r"\s", text):
                return found[1]
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended: {text}")
            time.sleep(0.02)
        raise AssertionError("the program printed no address")

    def kill(self):
        """Ends the process as the system does when memory is short: nothing of it runs any more."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def sleep_until(self, days):
        """Ends the process, and starts it on another day."""
        self.kill()
        self.start(days)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class App(Process):
    """The study app of a new device, with a server or alone."""

    def __init__(self, content, server=None, seed=SEED):
        self.content = content
        self.server = server
        self.seed = seed
        super().__init__("device-")

    def start(self, days=0):
        super().start(days)
        self.token = urllib.parse.parse_qs(urllib.parse.urlsplit(self.entrance).query)["token"][0]

    def command(self):
        server = [f"{self.server.address}/api/content/v2"] if self.server else []
        return ["app", *server, "--store", self.folder / "store", "--bundle", self.content.bundle, "--seed", self.seed]


class Server(Process):
    """`underway serve` with accounts, on the loopback."""

    def __init__(self, content):
        self.content = content
        super().__init__("server-")

    def command(self):
        return ["serve", "--release", self.content.release, "--data", self.folder / "data", "--port", 0, "--quiet"]


class Demo(Process):
    """What `script/demo` runs once it is built: author, server and device, then the study app of that device."""

    printed = r"study app is at (http://\S+)"

    def __init__(self):
        super().__init__("demo-")

    def command(self):
        return ["demo", "--content", SAMPLE, "--folder", self.folder / "demo"]
