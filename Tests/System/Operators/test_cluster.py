"""From one machine to three: the database, the move, two servers behind nginx, and what follows."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import unittest

from fleet import Fleet
from world import await_true, get


class Cluster(unittest.TestCase):
    def setUp(self):
        self.fleet = Fleet()
        self.addCleanup(self.fleet.close)
        self.one, self.two, self.db = self.fleet.one, self.fleet.two, self.fleet.db
        self.publisher = self.fleet.publisher
        self.site = f"http://127.0.0.1:{self.one.ports['plain']}"

    # The steps of the page.

    def serve_on_one_machine(self):
        """Where the section begins: one server with SQLite behind nginx."""
        shutil.copytree(self.publisher.here / "release", self.one.folder / "srv/content")
        self.one.run("install-service")
        self.one.start_nginx("server.conf", "upstream.conf")

    def make_database(self):
        migrator, server = self.fleet.passwords["migrator"], self.fleet.passwords["server"]
        self.db.run("database-install")
        self.db.run("database-create", input=f"{migrator}\n{migrator}\n")
        self.one.run("database-settings")
        self.write_password("migrator")
        self.assertIn("0.1.0", self.one.run("database-migrate"))
        self.db.run("database-server-login", input=f"{server}\n{server}\n")
        self.write_password("server")

    def write_password(self, name):
        file = self.one.folder / f"etc/underway/{name}.env"
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        file.write_text(file.read_text().replace("change-me", self.fleet.passwords[name]))

    def move(self):
        """From the one machine to all of the page."""
        self.make_database()
        self.one.run("copy-users")
        self.one.run("first-process")
        self.change_nginx("nginx-cluster")
        self.assertEqual(get(f"{self.site}/health/ready")[0], 200)
        self.publisher.run("push-machines")
        self.two.run("second-machine")

    def change_nginx(self, block):
        """Runs a block that reloads nginx, until no worker has the former configuration."""
        pid = int((self.one.folder / "nginx.pid").read_text())
        former = children(pid)
        self.one.run(block)
        await_true(lambda: not former & children(pid), "nginx")

    # What devices of Ada do.

    def sign_up(self):
        self.reserve("2026-12-24")
        self.publisher.tool(
            "account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.site,
            input="correct horse\n")

    def reserve(self, day):
        self.publisher.tool("reserve", "add", "int/swift", day, "--store", "phone")
        self.sync("phone")

    def sync(self, store):
        return self.publisher.sync(f"{self.site}/api/content/v2", store)

    def reservations_of_a_new_device(self, name):
        self.publisher.tool(
            "account", "sign-in", "ada@example.org", "--bring", "nothing", "--store", name, "--server", self.site,
            input="correct horse\n")
        self.sync(name)
        return self.publisher.tool("reserve", "--store", name)

    def release_at(self, machine):
        status, _, body = get(f"{self.fleet.address(machine)}/api/content/v2/manifest.json")
        return json.loads(body)["release"] if status == 200 else status

    # Tests.

    def test_users_go_there_and_back(self):
        self.serve_on_one_machine()
        self.sign_up()
        self.move()
        self.assertFalse((self.one.folder / "var/lib/underway/users").exists())
        self.assertIn("2026-12-24", self.reservations_of_a_new_device("tablet"))
        self.reserve("2026-12-26")
        self.one.run("stop-processes")
        self.two.run("stop-processes")
        self.change_nginx("copy-back")
        self.assertIn("2026-12-26", self.reservations_of_a_new_device("desk"))
        self.reserve("2026-12-28")

    def test_work_on_the_machines_stops_nobody(self):
        self.serve_on_one_machine()
        self.move()
        self.one.check_hardening("underway@.service")
        self.sign_up()
        with Reader(f"{self.site}/api/content/v2/manifest.json") as reader:
            self.one.run("upgrade-database")
            self.two.run("install-program")
            self.one.run("restart-process")
            self.two.run("restart-process")
            self.two.run("add-process")
            self.change_nginx("add-to-nginx")
            await_true(self.second_process_is_used, "the new process")
            self.change_nginx("remove-from-nginx")
            self.two.run("remove-process")
            self.assertIn("127.0.0.1", self.db.run("database-connections"))
            self.db.run("pgbouncer-install")
            for world in (self.one, self.two):
                world.run("use-pgbouncer")
                world.run("restart-process")
        self.assertEqual(reader.failures, [])
        self.reserve("2026-12-26")
        self.assertIn("2026-12-26", self.reservations_of_a_new_device("tablet"))

        # Without TLS nobody comes in.
        address = f"postgres://underway_server@localhost:{self.db.numbers['5432']}/underway?sslmode=disable"
        plain = subprocess.run(
            ["psql", address, "-c", "select 1"], capture_output=True, text=True,
            env=self.one.environment() | {"PGPASSWORD": self.fleet.passwords["server"]})
        self.assertIn("no encryption", plain.stderr)

        # A release reaches both machines and the tables.
        self.publisher.edit(2)
        self.publisher.run("push-machines")
        self.assertEqual([self.release_at("one"), self.release_at("two")], [2, 2])
        await_true(lambda: self.fleet.database.psql("select release from content.state") == ["2"], "the tables")

        # The database is away, and comes back.
        self.assertIn("underway_server", self.one.run("try-login"))
        ready = f"{self.fleet.address('one')}/health/ready"
        self.fleet.database.control("stop")
        await_true(lambda: get(ready)[0] == 503, "the process to notice")
        self.assertIn(b"The database of users does not answer.", get(ready)[2])
        self.assertEqual(self.release_at("one"), 2)
        log = next(self.one.folder.glob("underway@*.log"))
        await_true(lambda: "the content tables were not filled" in log.read_text(), "the log")
        self.fleet.database.control("start")
        await_true(lambda: get(ready)[0] == 200, "the process to go on")

        # A process is lost.
        os.kill(int(next(self.two.folder.glob("underway@*.pid")).read_text()), signal.SIGKILL)
        self.reserve("2026-12-28")
        self.assertIn("2026-12-28", self.reservations_of_a_new_device("desk"))

    def second_process_is_used(self):
        get(f"{self.site}/health/live")
        unit = f"underway@{self.two.numbers['8082']}"
        return "/health/live" in (self.two.folder / f"{unit}.access").read_text()

    def test_a_backup_of_the_database_comes_back(self):
        self.serve_on_one_machine()
        self.move()
        self.sign_up()
        self.reservations_of_a_new_device("tablet")
        self.db.run("backup-database")
        # Later than the backup: a session ends, whose tokens a thief has, and a reservation is made.
        shutil.copytree(self.publisher.here / "tablet", self.publisher.here / "thief")
        self.publisher.tool("account", "devices", "--store", "thief", "--server", self.site)
        self.publisher.tool("account", "sign-out", "--store", "tablet", "--server", self.site)
        for world in (self.one, self.two):
            world.run("backup-revocations")
        self.assertTrue([file for world in (self.one, self.two)
                         for file in (world.folder / "var/backups/underway").glob("*/revocations")])
        self.reserve("2026-12-31")
        for world in (self.one, self.two):
            world.run("stop-processes")
        self.db.run("restore-database")
        self.one.run("declare-restored")
        for world in (self.one, self.two):
            world.run("start-process")
        self.assertEqual(
            self.fleet.database.psql("select count(*) from underway.record where json::text like '%2026-12-31%'"), ["0"])
        self.publisher.tool("account", "devices", "--store", "thief", "--server", self.site, status=7)
        # The device brings back what the backup lacks.
        self.sync("phone")
        self.assertIn("2026-12-31", self.reservations_of_a_new_device("desk"))
        self.one.run("check-database")

        # The same on a machine that has nothing yet.
        spare = self.fleet.new_database_machine()
        spare.world.run("database-install")
        subprocess.run(["cp", "-a", self.db.folder / "var/backups/postgresql", spare.world.folder / "var/backups"],
                       check=True)
        spare.world.run("restore-new-machine")
        self.assertEqual(
            spare.psql("select count(*) from underway.record where json::text like '%2026-12-24%'"), ["1"])
        self.assertEqual(
            spare.psql("select rolname from pg_authid where rolpassword like 'SCRAM%' order by 1"),
            ["underway_migrator", "underway_server"])


class Reader:
    """Asks for an address all the time, and notes each reply that is not 200."""

    def __init__(self, address):
        self.address = address
        self.failures = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.read)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def read(self):
        while not self.ended.is_set():
            try:
                status = get(self.address)[0]
            except OSError as error:
                status = error
            if status != 200:
                self.failures.append(status)


def children(pid):
    """The processes that a process started."""
    found = set()
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                found.add(stat.parent.name)
        except OSError:
            continue
    return found


if __name__ == "__main__":
    unittest.main()
