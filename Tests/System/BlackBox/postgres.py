"""A real PostgreSQL and a real PgBouncer, in a folder of their own and on free ports."""

import os
import pathlib
import secrets
import signal
import subprocess

from processes import children_of, is_running
from programs import (
    as_other_user, await_true, find, free_port, give, listens, require_running)

DATABASE = "underway"
LOGIN = "underway_server"
# The test kills processes and not the machine: what was written outlives them without a flush.
SETTINGS = {
    "listen_addresses": "'127.0.0.1'", "max_connections": "60", "shared_buffers": "32MB",
    "timezone": "'UTC'", "fsync": "off", "full_page_writes": "off",
}


def write(path, text):
    """Writes a file that nobody but the database's user reads."""
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    give(path)


class Postgres:
    """The database server. Its superuser and the program's login have random passwords."""

    def __init__(self, programs, folder, logs):
        self.programs, self.folder = programs, pathlib.Path(folder)
        self.data, self.log_path = self.folder / "data", logs / "postgres.log"
        self.port, self.process = free_port(), None
        self.password, self.login_password = secrets.token_hex(16), secrets.token_hex(16)
        give(self.folder)
        write(self.folder / "password", self.password)
        self.run_as_user(
            "initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres",
            "--auth-local=reject", "--auth-host=scram-sha-256",
            f"--pwfile={self.folder}/password", f"--pgdata={self.data}")
        settings = {**SETTINGS, "port": self.port, "unix_socket_directories": f"'{self.folder}'"}
        write(self.data / "postgresql.auto.conf",
              "".join(f"{name} = {value}\n" for name, value in settings.items()))
        self.start()
        self.run("createdb", DATABASE)

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = self.programs.start(
                as_other_user([find("postgres"), "-D", str(self.data)]), log, cwd=self.folder)
        await_true(self.is_ready, "PostgreSQL")

    def is_ready(self):
        require_running(self.process, "PostgreSQL", self.log_path)
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready"

    def kill(self):
        """Kills all processes of the server at once, as a crash does; the next start recovers."""
        require_running(self.process, "PostgreSQL", self.log_path)
        # While it stands still it starts no others.
        os.kill(self.process.pid, signal.SIGSTOP)
        children = children_of(self.process.pid)
        for child in children:
            os.kill(child, signal.SIGKILL)
        self.programs.end(self.process)
        await_true(lambda: not any(map(is_running, children)), "the end of PostgreSQL")
        for path in (self.data / "postmaster.pid", self.folder / f".s.PGSQL.{self.port}.lock"):
            path.unlink(missing_ok=True)

    # Its commands

    def address(self, user, port=None):
        return f"postgres://{user}@127.0.0.1:{port or self.port}/{DATABASE}"

    def environment(self, database=DATABASE):
        return {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "postgres",
                "PGPASSWORD": self.password, "PGDATABASE": database}

    def run(self, name, *arguments, database="postgres", **more):
        """Runs a program of PostgreSQL as the superuser, and returns its output."""
        result = subprocess.run(
            [find(name), *arguments], env=self.environment(database), capture_output=True,
            text=True, check=False, **more)
        if result.returncode:
            raise RuntimeError(f"{name} failed: {result.stderr[-1_000:]}")
        return result.stdout

    def run_as_user(self, name, *arguments):
        subprocess.run(
            as_other_user([find(name), *arguments]), cwd=self.folder, check=True,
            stdout=subprocess.DEVNULL)

    def query(self, sql, **variables):
        """Runs statements, which have `:'name'` for a variable, and returns what they print."""
        words = [f"--set={name}={value}" for name, value in variables.items()]
        return self.run(
            "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
            "--set=ON_ERROR_STOP=1", *words, database=DATABASE, input=sql).strip()

    def backup(self, path):
        """Takes a backup of the running database."""
        self.run("pg_dump", "--format=custom", f"--file={path}", database=DATABASE)

    def restore(self, path):
        """Puts a backup in the place of the database."""
        self.run("dropdb", "--force", DATABASE)
        self.run("createdb", DATABASE)
        self.run("pg_restore", "--exit-on-error", f"--dbname={DATABASE}", path)


class Pooler:
    """PgBouncer in transaction mode before a `Postgres`."""

    CONNECTIONS_MAX = 8

    def __init__(self, programs, postgres, logs):
        self.programs, self.port, self.process = programs, free_port(), None
        self.folder, self.log_path = postgres.folder, logs / "pgbouncer.log"
        write(self.folder / "users", f'"{LOGIN}" "{postgres.login_password}"\n')
        write(self.folder / "pgbouncer.ini", f"""
[databases]
{DATABASE} = host=127.0.0.1 port={postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {self.folder}/users
pool_mode = transaction
default_pool_size = {self.CONNECTIONS_MAX}
max_client_conn = 500
server_login_retry = 1
""")
        self.start()

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = self.programs.start(
                as_other_user([find("pgbouncer"), f"{self.folder}/pgbouncer.ini"]), log,
                cwd=self.folder)
        await_true(self.is_ready, "PgBouncer")

    def is_ready(self):
        require_running(self.process, "PgBouncer", self.log_path)
        return listens(self.port)

    def kill(self):
        require_running(self.process, "PgBouncer", self.log_path)
        self.programs.end(self.process)
