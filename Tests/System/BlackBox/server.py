"""The server as one process on SQLite: killed, copied and put back."""

import pathlib
import sqlite3
import subprocess

from serving import Serving


class Server:
    def __init__(self, world):
        self.history, self.folder, self.copies = world.history, world.folder, 0
        self.binary, self.data = world.binaries / "underway", world.folder / "users"
        release = world.folder / "release"
        release.mkdir()
        self.serving = Serving(
            world.programs, self.binary, world.folder / "server.log",
            ["--behind-proxy", "--release", str(release), "--data", str(self.data)])
        self.serving.start()

    @property
    def port(self):
        return self.serving.port

    @property
    def database(self):
        return self.data / "users.sqlite"

    def disturb(self, _):
        """Kills the server at whatever it does, and starts it."""
        self.kill()
        self.serving.start()

    def kill(self):
        self.serving.kill()
        self.history.count("serverKills")

    def stop(self):
        self.serving.kill()

    def finish(self):
        """Nothing but devices knows what is stored."""

    def second_selves(self, known):
        """Accounts with answers or records that are open beside those that devices are signed in to."""
        database = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)
        rows = database.execute(
            "SELECT id FROM account WHERE account.deleted_at IS NULL AND (answer_count > 0 OR EXISTS ("
            "SELECT 1 FROM record WHERE record.account = account.number AND record.deleted_at IS NULL))").fetchall()
        database.close()
        return sorted({user for user, in rows} - known)

    def rows(self, _):
        """No rows: the file is the server's own."""

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

    def go_back(self, name, is_said):
        """Kills the server, puts a backup in the place of its database, and starts it."""
        self.kill()
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
        self.serving.start()
