"""One process of `underway serve`, which has the same port whenever it runs."""

import os
import pathlib
import re
import signal
import time

from programs import STARTING_SECONDS_MAX, require_running

# The declarations of the collections that are played.
DECLARED = pathlib.Path(__file__).parent / "content"

# The exit code of a server whose database cannot be reached; the unit of systemd starts it again.
NETWORK = 3


class Serving:
    def __init__(self, programs, binary, log_path, options, environment=None):
        self.programs, self.log_path = programs, log_path
        self.words = [str(binary), "serve", "--quiet", "--declared", str(DECLARED), *options]
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})}
        self.port, self.process = 0, None

    def start(self):
        """Starts the process, again and again while it cannot reach its database, as systemd does.

        It listens when this returns.
        """
        end = time.monotonic() + STARTING_SECONDS_MAX
        while not self.try_to_start(end):
            self.programs.end(self.process)
            time.sleep(0.1)

    def try_to_start(self, end):
        """Starts the process; False when it ended because nobody answered it."""
        with open(self.log_path, "ab") as log:
            begin = log.tell()
            self.process = self.programs.start(
                [*self.words, "--port", str(self.port)], log, env=self.environment)
        text = ""
        while time.monotonic() < end:
            text = self.log_path.read_bytes()[begin:].decode(errors="replace")
            if match := re.search(r"Serving http://127\.0\.0\.1:(\d+)/", text):
                self.port = int(match[1])
                return True
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        if self.process.poll() == NETWORK:
            return False
        raise RuntimeError("the server did not start: " + text)

    def kill(self):
        require_running(self.process, "the server", self.log_path)
        self.programs.end(self.process)

    def terminate(self):
        """Asks the process to finish what it has begun, and to end."""
        require_running(self.process, "the server", self.log_path)
        self.process.send_signal(signal.SIGTERM)

    def ended(self):
        """Waits for the end of a process that was asked to end, and returns its exit code."""
        return self.programs.end(self.process, 0)

    def require_good_end(self):
        if code := self.ended():
            raise RuntimeError(f"the server ended with {code}, see {self.log_path}")
