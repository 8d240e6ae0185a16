"""The benchmark of boards: ranks and refreshes at a million learners, on both databases, against a rank column.

Usage: boards.py <underway> [learners]
The learners and five sessions each are written by SQL; all that is timed goes through the program: its command for
refreshes, its routes for pages. Baselines of the same run: `count(*)` over the index, and a materialized view with
`row_number()`, refreshed concurrently, on the same tables.
"""

import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from common import table
from postgres_changes import make_content
from postgres_servers import PASSWORD, Postgres, Underway, processor_seconds, stop_all

BANK, SESSIONS, READERS, PAGES = "de/driving", 5, 100, 4_000
SEED = 17


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Store:
    """The data of a server, which the program refreshes."""

    def __init__(self, tool, work):
        self.tool, self.work = tool, work
        self.folder = tempfile.mkdtemp(dir=work)
        # The server wants something to serve.
        self.content, self.release = tempfile.mkdtemp(dir=work) + "/content", tempfile.mkdtemp(dir=work)
        make_content(self)

    def command(self, *words):
        begin = time.monotonic()
        result = subprocess.run(
            [self.tool, "board", *words, *self.place, "--json"], stdout=subprocess.PIPE, check=True,
            env=dict(os.environ, PGPASSWORD=PASSWORD))
        return time.monotonic() - begin, json.loads(result.stdout)


class OnPostgres(Store):
    name = "PostgreSQL"

    def __init__(self, tool, work):
        super().__init__(tool, work)
        self.postgres = Postgres(work)
        self.postgres.migrate(tool)
        self.place = ["--database", self.postgres.address("underway_server")]

    def serve(self):
        return Underway(self.work, self.tool, self.release, [self.folder], self.postgres.address("underway_server"))

    def fill(self, learners):
        self.postgres.sql(f"""
            insert into underway.account (id, user_id, created_at, last_used_at)
            select 'learner ' || n, gen_random_uuid(), 0, {int(time.time() * 1000)}
            from generate_series(1, {learners}) n;
            select setseed({SEED / 100});
            insert into underway.session_score
            select a.number, '{BANK}', s, 'exam', 30, (random() * 300)::int, 30, 0,
                1790000000000 + (random() * 1000000000)::bigint
            from underway.account a, generate_series(1, {SESSIONS}) s where a.id like 'learner %'""")
        self.postgres.sql("vacuum analyze underway.session_score")
        self.postgres.sql("vacuum analyze underway.account")

    def give(self, user, points):
        self.postgres.sql(f"""
            insert into underway.session_score
            select number, '{BANK}', 1, 'exam', 30, {points}, 30, 0, 1790000000000
            from underway.account where id = '{user}';
            insert into underway.board_change (member) select number from underway.account where id = '{user}'""")

    def change(self, count):
        """Adds a session to learners; returns when the change is settled."""
        self.postgres.sql(f"""
            with chosen as (select number from underway.account where id like 'learner %' order by random() limit {count}),
            added as (insert into underway.session_score
                select number, '{BANK}', (random() * 1e15)::bigint, 'exam', 30, (random() * 300)::int, 30, 0,
                    1791000000000 from chosen)
            insert into underway.board_change (member) select number from chosen""")

    def log_position(self):
        return self.postgres.number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")

    def settle(self):
        self.postgres.sql("checkpoint")
        self.postgres.sql("vacuum analyze underway.board_score")

    def wrong_ranks(self, ranks):
        """Counts the ranks that are not those of row_number()."""
        rows = self.postgres.sql("""
            select a.id, r.rank from (select member, row_number() over (order by key, member) as rank
                from underway.board_score) r join underway.account a on a.number = r.member
            where a.id not like 'learner %'""")
        known = dict(line.split("|") for line in rows.splitlines())
        return sum(int(known[user]) != rank for user, rank in ranks.items())

    def baseline_ranks(self, users):
        times = []
        for user in users:
            begin = time.monotonic()
            self.postgres.sql(f"""
                select count(*) from underway.board_score s, (select s.* from underway.board_score s
                    join underway.account a on a.number = s.member where a.id = '{user}') me
                where s.board = me.board and (s.key, s.member) < (me.key, me.member)""")
            times.append(time.monotonic() - begin)
        return times

    def baseline_refresh(self):
        """A materialized view with a rank column over the same sessions, refreshed after the same change."""
        self.postgres.sql(f"""
            create materialized view ranked as
            select account, sum(points) as score, max(ended_at) / 1000 as second,
                row_number() over (order by sum(points) desc, max(ended_at) / 1000, account) as rank
            from underway.session_score where bank = '{BANK}' group by account""")
        self.postgres.sql("create unique index on ranked (account)")
        self.postgres.sql("create unique index on ranked (rank)")
        self.change(self.changed)
        self.postgres.sql("checkpoint")
        before, begin = self.log_position(), time.monotonic()
        self.postgres.sql("refresh materialized view concurrently ranked")
        took, grown = time.monotonic() - begin, self.log_position() - before
        self.postgres.sql("drop materialized view ranked")
        return took, grown


class OnSQLite(Store):
    name = "SQLite"

    def __init__(self, tool, work):
        super().__init__(tool, work)
        self.place = ["--data", self.folder]

    def serve(self):
        return Underway(self.work, self.tool, self.release, [self.folder])

    def connect(self):
        return sqlite3.connect(f"{self.folder}/users.sqlite", isolation_level=None, timeout=30)

    def fill(self, learners):
        chance, database = random.Random(SEED), self.connect()
        database.execute("begin")
        database.executemany(
            "insert into account (id, created_at, last_used_at) values (?, 0, ?)",
            ((f"learner {n}", int(time.time() * 1000)) for n in range(learners)))
        numbers = [row[0] for row in database.execute("select number from account where id like 'learner %'")]
        database.executemany(
            f"insert into session_score values (?, '{BANK}', ?, 'exam', 30, ?, 30, 0, ?)",
            ((n, s, int(chance.random() * 300), 1790000000000 + int(chance.random() * 1e9))
             for n in numbers for s in range(SESSIONS)))
        database.execute("commit")
        database.close()

    def give(self, user, points):
        database = self.connect()
        number = database.execute("select number from account where id = ?", (user,)).fetchone()[0]
        database.execute(
            f"insert into session_score values (?, '{BANK}', 1, 'exam', 30, ?, 30, 0, 1790000000000)", (number, points))
        database.execute("insert into board_change (member) values (?)", (number,))
        database.close()

    def change(self, count):
        database = self.connect()
        numbers = [row[0] for row in database.execute(
            "select number from account where id like 'learner %' order by random() limit ?", (count,))]
        database.execute("begin")
        database.executemany(
            f"insert into session_score values (?, '{BANK}', random(), 'exam', 30, 150, 30, 0, 1791000000000)",
            ((n,) for n in numbers))
        database.executemany("insert into board_change (member) values (?)", ((n,) for n in numbers))
        database.execute("commit")
        database.close()

    def log_position(self):
        # The file of the log is written again from its beginning: its size says nothing.
        return None

    def settle(self):
        database = self.connect()
        database.execute("pragma wal_checkpoint(truncate)").fetchall()
        database.execute("analyze")
        database.close()

    def wrong_ranks(self, ranks):
        database = self.connect()
        known = dict(database.execute("""
            select account.id, rank from (select member, row_number() over (order by key, member) as rank from board_score)
            join account on account.number = member where account.id not like 'learner %'"""))
        database.close()
        return sum(known[user] != rank for user, rank in ranks.items())

    def baseline_ranks(self, users):
        times, database = [], self.connect()
        for user in users:
            begin = time.monotonic()
            database.execute("""
                select count(*) from board_score s, (select board_score.* from board_score
                    join account on account.number = member where account.id = ?) me
                where s.board = me.board and (s.key, s.member) < (me.key, me.member)""", (user,)).fetchall()
            times.append(time.monotonic() - begin)
        database.close()
        return times

    def baseline_refresh(self):
        return None


class Reader:
    """An account with a token, which reads pages over one connection."""

    def __init__(self, port, number):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        reply = self.request("POST", "/api/accounts/v1/anonymous", {"X-Forwarded-For": f"198.18.{number // 250}.{number % 250}"})
        self.user = reply["user_id"] if "user_id" in reply else reply["user"]
        self.fields = {"Authorization": f"Bearer {reply['access_token']}"}

    def request(self, method, path, fields):
        self.connection.request(method, path, headers=fields)
        reply = self.connection.getresponse()
        body = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"{method} {path}: {reply.status} {body[:200]}")
        return json.loads(body)

    def page(self):
        begin = time.monotonic()
        page = self.request("GET", "/api/v1/boards/driving/all?top=10", self.fields)
        return time.monotonic() - begin, page


def measure(store, learners):
    store.changed = max(1, learners // 1000)
    server = store.serve()
    chance = random.Random(SEED)
    readers = [Reader(server.ports[0], number) for number in range(READERS)]
    server.stop()
    store.fill(learners)
    for reader in readers:
        store.give(reader.user, int(chance.random() * 300 * SESSIONS))
    store.command("define", "driving", "--bank", BANK, "--period", "all")
    filling, _ = store.command("refresh")
    store.settle()
    refreshes = []
    for _ in range(3):
        store.change(store.changed)
        before = store.log_position()
        took, report = store.command("refresh")
        grown = None if before is None else store.log_position() - before
        refreshes.append((took, grown, report["places"]))
    idle, _ = store.command("refresh")
    baseline = store.baseline_refresh()
    store.command("refresh")
    server = store.serve()
    times, ranks = [], {}
    # What a server does at its start is not measured.
    time.sleep(5)
    for reader in readers:
        reader.connection.close()
        reader.connection = http.client.HTTPConnection("127.0.0.1", server.ports[0])
    roots = server.pids() + ([store.postgres.process.pid] if store.name == "PostgreSQL" else [])
    busy = processor_seconds(*roots)
    for number in range(PAGES):
        reader = readers[number % READERS]
        took, page = reader.page()
        times.append(took)
        ranks[reader.user] = page["own"]["rank"]
        assert len(page["neighbours"]) >= 6 and len(page["top"]) == 10
    busy = processor_seconds(*roots) - busy
    wrong = store.wrong_ranks(ranks)
    counts = store.baseline_ranks([reader.user for reader in readers[:20]])
    server.stop()
    milliseconds = lambda seconds: f"{seconds * 1000:.1f}"
    table(
        f"A page of a board over HTTP on {store.name}, {learners:,} learners, {learners * SESSIONS:,} sessions"
        f" ({PAGES:,} pages one after the other, seed {SEED})",
        ["", "p50 ms", "p99 ms", "CPU ms", "wrong ranks"],
        [["top 10, own rank, neighbours (all of the request)", milliseconds(percentile(times, .5)),
          milliseconds(percentile(times, .99)), milliseconds(busy / PAGES), f"{wrong} of {len(ranks)}"],
         ["baseline: count(*) of the better places, alone", milliseconds(percentile(counts, .5)),
          milliseconds(percentile(counts, .99)), "–", "–"]])
    rows = [["filling the board", f"{filling:.1f}", "–", f"{learners + READERS:,}"],
            ["nothing to do (start and end of the command)", f"{idle:.2f}", "–", "0"]]
    for took, grown, places in refreshes:
        rows.append([f"{store.changed:,} learners changed", f"{took:.2f}",
                     "–" if grown is None else f"{grown / 1e6:.1f}", f"{places:,}"])
    if baseline:
        rows.append(["baseline: materialized view with a rank, the same change", f"{baseline[0]:.1f}",
                     f"{baseline[1] / 1e6:.0f}", "all"])
    table(f"A refresh on {store.name} (`underway board refresh`, seconds of the whole command)",
          ["", "s", "MB of log", "places"], rows)


def main(tool, learners=1_000_000):
    work = tempfile.mkdtemp(prefix="underway-boards-")
    os.chmod(work, 0o711)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for kind in (OnSQLite, OnPostgres):
            measure(kind(os.path.abspath(tool), work), int(learners))
    finally:
        stop_all()
        shutil.rmtree(work, ignore_errors=True)


main(*sys.argv[1:])
