"""The real server as a process: started, killed, copied and put back."""

import os
import pathlib
import re
import sqlite3
import subprocess
import time

STARTING_SECONDS_MAX = 60


class Server:
    def __init__(self, binary, folder, history):
        self.binary, self.history = binary, history
        self.data = pathlib.Path(folder, "users")
        self.release = pathlib.Path(folder, "release")
        self.release.mkdir()
        self.log_path = pathlib.Path(folder, "server.log")
        self.content = pathlib.Path(__file__).parent / "content"
        self.port, self.process, self.copies = 0, None, 0
        self.folder = pathlib.Path(folder)
        self.start()

    @property
    def database(self):
        return self.data / "users.sqlite"

    def start(self):
        with open(self.log_path, "a+", encoding="utf-8") as log:
            begin = log.seek(0, os.SEEK_END)
            self.process = subprocess.Popen(
                [self.binary, "serve", "--quiet", "--behind-proxy", "--release", self.release,
                 "--data", self.data, "--declared", self.content, "--port", str(self.port)],
                stdout=subprocess.DEVNULL, stderr=log,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        end = time.monotonic() + STARTING_SECONDS_MAX
        while time.monotonic() < end:
            text = self.log_path.read_text(encoding="utf-8")[begin:]
            if match := re.search(r"127\.0\.0\.1:(\d+)", text):
                self.port = int(match[1])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise RuntimeError("the server did not start: " + text)

    def kill(self):
        if self.process.poll() is not None:
            raise RuntimeError(
                f"the server ended by itself ({self.process.returncode}), see {self.log_path}")
        self.process.kill()
        self.process.wait()

    def copy(self):
        """Takes a backup of the running database, as an operator does."""
        self.copies += 1
        name = f"backup-{self.copies}.sqlite"
        self.history.note("serverCopied", name=name)
        source = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)
        target = sqlite3.connect(self.folder / name)
        with target:
            source.backup(target)
        source.close()
        target.close()
        return name

    def put_back(self, name, is_said):
        """Puts a backup in the place of the database of a server that was killed."""
        for suffix in ("", "-wal", "-shm"):
            pathlib.Path(str(self.database) + suffix).unlink(missing_ok=True)
        source = sqlite3.connect(self.folder / name)
        target = sqlite3.connect(self.database)
        with target:
            source.backup(target)
        source.close()
        target.close()
        self.history.note("serverPutBack", name=name)
        if is_said:
            subprocess.run(
                [self.binary, "db", "restored", "--data", self.data], check=True,
                stdout=subprocess.DEVNULL)

    def knows_restores(self):
        """True when the program has the command that says that a backup was put back."""
        result = subprocess.run(
            [self.binary, "db", "restored", "--help"], capture_output=True, check=False)
        return result.returncode == 0 and b"restored" in result.stdout
