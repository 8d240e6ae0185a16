"""The machines of the page: a publisher's, two servers and one with PostgreSQL, each a `World` of its own.

The addresses of the page are some of the loopback, and `db.internal` is `localhost`, which has a certificate as on the
page. PostgreSQL has the folders and files that Debian gives it, and runs as the user `postgres` where this is root.
"""

import atexit
import os
import pathlib
import secrets
import shutil
import subprocess

from world import World, free_port

NAMES = {"db.internal": "localhost", "10.0.0.0/24": "127.0.0.0/24", "10.0.0.10": "127.0.0.1",
         "10.0.0.11": "127.0.0.1", "10.0.0.12": "127.0.0.2"}
NUMBERS = ("8080", "8081", "8082", "5432", "6432")


def programs():
    """The folder of PostgreSQL's own programs."""
    return max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


class Fleet:
    def __init__(self):
        ports = {number: free_port() for number in NUMBERS}
        self.publisher = World(ports, NAMES)
        self.db, self.one, self.two = (World(ports, NAMES, publishes=False) for _ in range(3))
        self.worlds = {"content.example.org": self.one, "one.internal": self.one, "two.internal": self.two,
                       "db.internal": self.db}
        for world in (self.publisher, self.one, self.two):
            world.name_hosts(self.worlds)
        self.databases = []
        self.passwords = {name: secrets.token_hex(12) for name in ("migrator", "server")}
        self.is_open = True
        # A test that is interrupted does not clean up.
        atexit.register(self.close)
        self.database = self.install_database(self.db)

    def close(self):
        if self.is_open:
            self.is_open = False
            for database in self.databases:
                database.close()
            for world in (self.one, self.two, self.publisher):
                world.close()

    def install_database(self, world):
        database = DatabaseMachine(world)
        self.databases.append(database)
        database.install()
        return database

    def new_database_machine(self):
        """Another machine with PostgreSQL, which has a port of its own here."""
        ports = self.db.numbers | {number: free_port() for number in ("5432", "6432")}
        return self.install_database(World(ports, NAMES, publishes=False))

    def address(self, machine, port="8081"):
        """The address of a process, without the proxy."""
        host = {"one": "127.0.0.1", "two": "127.0.0.2"}[machine]
        return f"http://{host}:{self.one.numbers[port]}"


class DatabaseMachine:
    """PostgreSQL and PgBouncer as Debian installs them, without anything of the page."""

    def __init__(self, world):
        self.world = world
        self.configuration = world.folder / "etc/postgresql/15/main"
        self.data = world.folder / "var/lib/postgresql/15/main"
        self.run = world.folder / "var/run/postgresql"

    def install(self):
        folder = self.world.folder
        for path in (self.configuration / "conf.d", self.data, self.run, folder / "etc/pgbouncer",
                     folder / "var/log/postgresql"):
            path.mkdir(parents=True)
            if os.geteuid() == 0:
                shutil.chown(path, "postgres", "postgres")
        self.put_stand_ins()
        self.as_postgres(
            programs() / "initdb", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres",
            "--auth-local=trust", "--auth-host=scram-sha-256", f"--pgdata={self.data}")
        (self.configuration / "postgresql.conf").write_text(
            f"data_directory = '{self.data}'\nhba_file = '{self.configuration}/pg_hba.conf'\n"
            f"unix_socket_directories = '{self.run}'\nport = {self.world.numbers['5432']}\n"
            "fsync = off\ninclude_dir = 'conf.d'\n")
        # Debian's first lines, with `trust` for `peer`: who runs the tests has another name.
        (self.configuration / "pg_hba.conf").write_text("local all all trust\n")
        self.control("start")

    def close(self):
        for name in ("pgbouncer", "postgresql"):
            subprocess.run([self.world.folder / f"bin/unit-{name}", "stop"], env=self.world.environment())
        self.world.close()

    def psql(self, sql):
        """Runs SQL as the superuser, and returns the rows."""
        result = subprocess.run(
            [self.world.folder / "bin/sudo", "-u", "postgres", "psql", "-X", "-At", "-v", "ON_ERROR_STOP=1",
             "underway"], input=sql, env=self.world.environment(), text=True, capture_output=True)
        assert result.returncode == 0, result.stderr
        return result.stdout.split("\n")[:-1]

    def control(self, verb):
        subprocess.run(
            [self.world.folder / "bin/systemctl", verb, "postgresql"], env=self.world.environment(), check=True)

    def as_postgres(self, *words):
        subprocess.run(
            [self.world.folder / "bin/sudo", "-u", "postgres", *words], cwd=self.world.folder,
            env=self.world.environment(), check=True, stdout=subprocess.DEVNULL)

    def put_stand_ins(self):
        folder, numbers = self.world.folder, self.world.numbers
        sudo = folder / "bin/sudo"
        text = sudo.read_text().partition("\n")[2]
        # Where Debian's programs find the socket by themselves.
        self.world.put_script("sudo", f"export PGHOST={self.run} PGPORT={numbers['5432']} PGUSER=postgres\n{text}")
        control = f"{sudo} -u postgres {programs()}/pg_ctl -D {self.configuration} -s -w -m fast"
        self.world.put_script(
            "unit-postgresql",
            f'[ "$1" != stop ] || [ -e {self.data}/postmaster.pid ] || exit 0\n'
            f'cd {folder} && exec {control} -l {folder}/var/log/postgresql/log "$1"')
        pid = self.run / "pgbouncer.pid"
        self.world.put_script(
            "unit-pgbouncer",
            f'if [ -s {pid} ]; then number=$(cat {pid}); kill $number;'
            ' timeout 20 tail --pid=$number -s 0.1 -f /dev/null; fi\n'
            f'[ "$1" = stop ] || exec {sudo} -u postgres pgbouncer --daemon {folder}/etc/pgbouncer/pgbouncer.ini')
