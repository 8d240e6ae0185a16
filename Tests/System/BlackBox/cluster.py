"""The server as several processes on one PostgreSQL, through PgBouncer and behind nginx."""

import json
import os
import shutil
import subprocess
import time

from balancer import Balancer
from drain import Drain
from postgres import LOGIN, Pooler, Postgres
from releases import Releases
from rows import ROWS, dump
from serving import Serving

# What a release may take to be served by all: files are read anew for each request; the tables are
# filled by one process, and each looks once a second.
FILE_SECONDS_MAX, TABLE_SECONDS_MAX = 1, 2
RELEASES = 3
CONNECTIONS = 4


class Cluster:
    def __init__(self, world):
        self.world, self.history, self.folder = world, world.history, world.folder
        self.binary, self.programs = world.binaries / "underway", world.programs
        self.copies = 0
        self.postgres = Postgres(self.programs, world.database_folder, self.folder)
        self.pooler = Pooler(self.programs, self.postgres, self.folder)
        self.run("migrate", "postgres", self.postgres.password)
        self.postgres.query(f"ALTER ROLE {LOGIN} PASSWORD '{self.postgres.login_password}'")
        self.releases = Releases(self.binary, self.folder)
        self.servings = self.make_servings(world.options.cluster)
        self.balancer = Balancer(
            self.programs, self.folder, [serving.port for serving in self.servings])
        self.drain = Drain(self.history, self.balancer.port)
        self.measure_releases()

    def make_servings(self, count):
        servings = []
        for number in range(count):
            data = self.folder / f"data-{number}"
            data.mkdir(mode=0o700)
            if servings:
                # The key is the same for all, and each has its own mark and revocations.
                shutil.copy(self.folder / "data-0/token-key", data)
            servings.append(Serving(
                self.programs, self.binary, self.folder / f"server-{number}.log",
                ["--trusted-proxy", "127.0.0.1", "--release", str(self.releases.folder),
                 "--data", str(data), "--database-connections", str(CONNECTIONS),
                 "--database", self.postgres.address(LOGIN, self.pooler.port)],
                {"PGPASSWORD": self.postgres.login_password}))
            servings[-1].start()
        return servings

    def run(self, verb, user, password):
        """Runs a command of the program about the database."""
        subprocess.run(
            [self.binary, "db", verb, "--database", self.postgres.address(user)], check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PGPASSWORD": password, "SWIFT_BACKTRACE": "enable=no"})

    @property
    def port(self):
        return self.balancer.port

    def stop(self):
        """Ends the servers as an operator does."""
        for serving in self.servings:
            serving.terminate()
        for serving in self.servings:
            serving.require_good_end()

    def measure_releases(self):
        """Publishes, and writes down when the last process served the release.

        The quickest of some releases is judged: others on this machine may delay one.
        """
        ports = [serving.port for serving in self.servings]
        files, tables = zip(*[self.releases.measure(ports) for _ in range(RELEASES)])
        self.history.note("released", files=min(files), tables=min(tables),
                          filesMax=FILE_SECONDS_MAX, tablesMax=TABLE_SECONDS_MAX)
        for name, seconds in (("slowestFile", files), ("slowestTable", tables)):
            self.history.raise_to(f"{name}Milliseconds", round(1_000 * max(seconds)))

    # Disturbances

    def disturb(self, chance):
        """Does something at random to one of the programs, and brings it back."""
        actions, weights = [self.kill_serving], [12]
        for story, action, weight in (
            ("drains", self.drain_serving, 3), ("poolerKills", self.kill_pooler, 2),
            ("databaseKills", self.kill_database, 2),
        ):
            if story in self.world.stories:
                actions.append(action)
                weights.append(weight)
        chance.choices(actions, weights)[0](chance)

    def kill_serving(self, chance):
        """Kills one process; sometimes two, and never all."""
        count = min(chance.choice((1, 1, 2)), len(self.servings) - 1)
        killed = chance.sample(self.servings, max(1, count))
        for serving in killed:
            serving.kill()
            self.count_kill("servingKills")
        for serving in killed:
            serving.start()

    def drain_serving(self, chance):
        before = self.history.counts["replies502"]
        self.drain.play(chance.choice(self.servings), chance)
        # nginx sent a request on a connection that the server closed at this moment.
        self.history.count("replies502InDrains", self.history.counts["replies502"] - before)

    def kill_pooler(self, chance):
        self.pooler.kill()
        self.count_kill("poolerKills")
        time.sleep(chance.uniform(0, 0.3))
        self.pooler.start()

    def kill_database(self, chance):
        self.postgres.kill()
        self.count_kill("databaseKills")
        time.sleep(chance.uniform(0, 0.3))
        self.postgres.start()

    def count_kill(self, kind):
        self.history.count(kind)
        self.history.count("serverKills")

    # Backups

    def copy(self):
        """Takes a backup while devices write, as an operator does."""
        self.copies += 1
        name = f"backup-{self.copies}"
        self.history.note("serverCopied", name=name)
        self.postgres.backup(self.folder / name)
        return name

    def go_back(self, name, is_said):
        """Kills all processes, restores a backup, and starts them."""
        for serving in self.servings:
            serving.kill()
            self.count_kill("servingKills")
        self.postgres.restore(self.folder / name)
        self.history.note("serverPutBack", name=name)
        if is_said:
            self.declare_restored()
        for serving in self.servings:
            serving.start()

    def declare_restored(self):
        """Begins a generation, so that all devices compare what they have."""
        self.run("restored", LOGIN, self.postgres.login_password)

    # The end

    def finish(self):
        """Reads what the drained processes replied to."""
        self.drain.finish(self)
        if self.world.mistake == "loseRow":
            self.postgres.query("""
                DELETE FROM underway.answer WHERE (account, device, counter) = (
                    SELECT account, device, counter FROM underway.answer
                    WHERE question IS NOT NULL ORDER BY account, device, counter LIMIT 1)""")

    def second_selves(self, known):
        """Accounts with answers or records that are open beside those that devices are signed in to."""
        found = self.postgres.query("""
            SELECT id FROM underway.account AS one WHERE deleted_at IS NULL AND (
                EXISTS (SELECT FROM underway.answer WHERE account = one.number)
                OR EXISTS (SELECT FROM underway.record WHERE account = one.number AND deleted_at IS NULL))""")
        return sorted(set(found.split()) - known - {self.drain.tokens["user"]})

    def rows(self, user):
        """An account as its rows show it."""
        found = json.loads(self.postgres.query(ROWS, user=user))
        return {**dump(found["records"], found["answers"]), "sums": found["sums"]}
