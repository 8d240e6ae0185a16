"""A device as a process, and the folder that outlives its processes."""

import json
import os
import queue
import shutil
import subprocess
import threading

REPLY_SECONDS_MAX = 120


class Process:
    """One running DeviceDriver; None as a reply means that the process ended first."""

    def __init__(self, binary, url, path, offset, mistake):
        arguments = [binary, url, path, str(offset)] + ([mistake] if mistake else [])
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            stderr=open(str(path) + ".log", "a", encoding="utf-8"),
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        self.replies, self.next, self.was_killed = {0: queue.Queue()}, 1, False
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        self.greeting = self.wait(0)

    def _read(self):
        for line in self.process.stdout:
            try:
                reply = json.loads(line)
            except ValueError:
                break  # Cut by a kill: the user never saw it.
            self._queue(reply["id"]).put(reply)
        with self._lock:
            self.has_ended = True
            for waiting in self.replies.values():
                waiting.put(None)

    has_ended = False

    def _queue(self, number):
        with self._lock:
            return self.replies.setdefault(number, queue.Queue())

    def send(self, action, **members):
        number, self.next = self.next, self.next + 1
        waiting = self._queue(number)
        try:
            self.process.stdin.write(
                json.dumps({"id": number, "action": action, **members}) + "\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            waiting.put(None)
        if self.has_ended:
            waiting.put(None)
        return number

    def wait(self, number):
        try:
            reply = self._queue(number).get(timeout=REPLY_SECONDS_MAX)
        except queue.Empty:
            return {"error": "no reply", "hung": True}
        with self._lock:
            self.replies.pop(number, None)
        return reply

    def kill(self):
        self.was_killed = True
        self.process.kill()

    def close(self):
        """Ends the process and returns how it ended: killed by the test, or its exit code."""
        if not self.was_killed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self.process.wait(timeout=REPLY_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "hung"
        return "killed" if self.was_killed else self.process.returncode


class Folder:
    """A device's folder, with its clock and up to two processes."""

    def __init__(self, world, account, name):
        self.world, self.account, self.name = world, account, name
        self.path = world.folder / name.replace(".", "-")
        self.offset, self.processes, self.copies = 0, [], []
        self.went_back = False
        # True for an image that has not entered its account yet.
        self.is_apart = False
        world.history.note("folder", account=account, folder=name)

    def process(self, index=0):
        """The running process, started when there is none."""
        while len(self.processes) <= index:
            self.processes.append(None)
        running = self.processes[index]
        if running is None:
            running = Process(
                self.world.driver, self.world.proxy.url, self.path, self.offset,
                self.world.mistake)
            self.processes[index] = running
            if running.greeting and "user" in running.greeting:
                self.world.history.note("place", folder=self.name, place=running.greeting)
        return running

    def close(self, index):
        running = self.processes[index]
        self.processes[index] = None
        if running is None:
            return
        how = running.close()
        if how not in ("killed", 0):
            log = open(str(self.path) + ".log", encoding="utf-8").read()[-300:]
            self.world.history.note(
                "ended", account=self.account, why=f"{self.name} ended by itself: {how} {log}")

    def close_all(self):
        for index in range(len(self.processes)):
            self.close(index)

    def copy(self):
        """Copies the closed folder, as a backup of the device does."""
        self.close_all()
        name = f"{self.name}-copy-{len(self.copies) + 1}"
        self.world.history.note("copied", folder=self.name, name=name)
        shutil.copytree(self.path, self.world.folder / name.replace(".", "-"))
        self.copies.append(name)
        return name

    def put_back(self, name):
        self.close_all()
        self.went_back = True
        if self.path.exists():
            shutil.rmtree(self.path)
        shutil.copytree(self.world.folder / name.replace(".", "-"), self.path)
        self.world.history.note("putBack", folder=self.name, name=name)
