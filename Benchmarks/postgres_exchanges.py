"""Exchanges by processes, poolers and policies; connections of many devices; what grouping could gain."""

import statistics as numbers
import time

from common import table
from postgres_devices import devices
from postgres_load import Store, drive
from postgres_servers import PgBouncer, stop

ROWS, SECONDS, ROUNDS, CONNECTIONS, USERS = 20, 3, 3, 32, 600
# About what the server can take in that time at most.
REQUESTS_PREPARED = 8_000
DEVICES, PAUSE_SECONDS = 2_000, 10


class Arrangement:
    """A way to run the server, and its rounds."""

    def __init__(self, name, processes=1, connections=8, pooled=False, setting=None, prepared=False):
        self.name, self.processes, self.connections = name, processes, connections
        self.pooled, self.setting, self.prepared, self.rounds = pooled, setting, prepared, []

    def median(self, name):
        return numbers.median(one[name] for one in self.rounds)

    def round(self, bench, server, store, users, pooler=None):
        postgres = store.postgres
        roots = [server.pids(), [postgres.process.pid] if postgres else []]
        result = drive(
            bench.work, store, server.ports, users, ROWS, SECONDS, CONNECTIONS, REQUESTS_PREPARED,
            with_operation=True, roots=roots + [[pooler.process.pid] if pooler else []])
        count = result["requests"]
        names = ("server", "database", "pooler")
        self.rounds.append({
            "rate": count / result["seconds"], "p50": result["p50"], "p99": result["p99"], "count": count,
            "up": result["up"], "down": result["down"],
            **{name: 1000 * seconds / count for name, seconds in zip(names, result["processor"])}})

    def on_postgres(self, bench, store, users, pooler):
        server = bench.serve(self.processes, self.connections, pooler if self.pooled else None, self.prepared)
        before = written(bench.postgres)
        self.round(bench, server, store, users, pooler if self.pooled else None)
        server.stop()
        # Connections report what they did when they end.
        time.sleep(0.2)
        for name, after, earlier in zip(("syncs", "WAL"), written(bench.postgres), before):
            self.rounds[-1][name] = (after - earlier) / self.rounds[-1]["count"]

    def on_sqlite(self, bench, users=None):
        server = bench.serve_sqlite()
        store = Store(folder=server.folders[0])
        users = users or devices(server.ports, USERS, 1000)
        self.round(bench, server, store, users)
        server.stop()
        return users


def written(postgres):
    """The number of syncs of the log and its bytes so far."""
    return [float(value) for value in postgres.sql("select wal_sync, wal_bytes from pg_stat_wal").split("|")]


def fresh_users(bench, count, offset):
    server = bench.serve()
    users = devices(server.ports, count, offset)
    server.stop()
    return users


def section(bench):
    store = Store(postgres=bench.postgres)
    users, sqlite_users = fresh_users(bench, USERS, 1000), None
    pooler = PgBouncer(bench.work, bench.postgres, 16)
    sqlite = Arrangement("SQLite, 1 process")
    all_postgres = [
        Arrangement(f"{via}, {count} process{'es' if count > 1 else ''} of {connections}", count, connections, pooled)
        for via, pooled in (("PostgreSQL", False), ("PgBouncer", True))
        for count, connections in ((1, 8), (2, 8), (4, 4))]
    for _ in range(ROUNDS):
        sqlite_users = sqlite.on_sqlite(bench, sqlite_users)
        for arrangement in all_postgres:
            arrangement.on_postgres(bench, store, users, pooler)
    rows = []
    for one in [sqlite] + all_postgres:
        rows.append([
            one.name, f"{one.median('rate'):,.0f}", f"{one.median('rate') / sqlite.median('rate'):.2f}",
            f"{one.median('p50'):.0f} ms", f"{one.median('p99'):.0f} ms", f"{one.median('server'):.2f} ms",
            "" if one is sqlite else f"{one.median('database'):.2f} ms",
            f"{one.median('pooler'):.2f} ms" if one.pooled else ""])
    table(
        f"Exchanges of {ROWS} answers and one record, {CONNECTIONS} connections of wrk on the same cores,"
        f" median of {ROUNDS}",
        ["", "exchanges/s", "to SQLite", "p50", "p99", "CPU of the server", "of PostgreSQL", "of PgBouncer"], rows)
    best = max((one for one in all_postgres if not one.pooled), key=lambda one: one.median("rate"))
    pooled = next(one for one in all_postgres if one.pooled and one.processes == best.processes)
    print(f"  PgBouncer to direct, {best.processes} process(es): {pooled.median('rate') / best.median('rate'):.2f}"
          " (aim 0.8)")
    bench.results |= {
        "exchange server CPU": best.median("server"), "exchange database CPU": best.median("database"),
        "bytes up": best.median("up"), "bytes down": best.median("down"), "WAL bytes": best.median("WAL")}
    stop(pooler.process)
    switches(bench, store, users)


def switches(bench, store, users):
    """The same load with one thing changed."""
    plain = Arrangement("as it is")
    prepared = Arrangement("--prepared-statements", prepared=True)
    free = Arrangement("no policies (BYPASSRLS)", setting=("alter role authenticated bypassrls",
                                                            "alter role authenticated nobypassrls"))
    loose = Arrangement("synchronous_commit off", setting=(
        "alter role underway_server set synchronous_commit = off",
        "alter role underway_server reset synchronous_commit"))
    packed = Arrangement("wal_compression lz4", setting=(
        "alter role underway_server set wal_compression = lz4", "alter role underway_server reset wal_compression"))
    for _ in range(ROUNDS):
        for one in (plain, prepared, free, loose, packed):
            # Pages are written whole to the log after a checkpoint, so each round begins with one.
            bench.postgres.sql("checkpoint")
            if one.setting:
                bench.postgres.sql(one.setting[0])
            one.on_postgres(bench, store, users, None)
            if one.setting:
                bench.postgres.sql(one.setting[1])
    rows = [
        [one.name, f"{one.median('rate'):,.0f}", f"{one.median('rate') / plain.median('rate'):.2f}",
         f"{one.median('p99'):.0f} ms", f"{one.median('database'):.2f} ms",
         f"{plain.median('database') / one.median('database'):.2f}", f"{1 / max(1e-6, one.median('syncs')):.1f}",
         f"{one.median('WAL'):,.0f}"]
        for one in (plain, prepared, free, loose, packed)]
    table(
        "One process: what parsing, policies (aim: CPU at most 1.15), waiting for the disk and whole pages cost",
        ["", "exchanges/s", "ratio", "p99", "CPU of PostgreSQL", "as it is / this", "exchanges a disk sync",
         "WAL bytes an exchange"], rows)


def established(port):
    """The number of connections that are open at a port of this machine."""
    with open("/proc/net/tcp") as file:
        lines = [line.split() for line in file]
    return sum(1 for line in lines if line[1].endswith(f":{port:04X}") and line[3] == "01")


def section_devices(bench):
    store = Store(postgres=bench.postgres)
    users = fresh_users(bench, DEVICES, 4000)
    pooler = PgBouncer(bench.work, bench.postgres, 16)
    rows = []
    for name, via in (("direct", None), ("through PgBouncer", pooler)):
        server = bench.serve(4, 8, via)
        seen = {"devices": 0, "database": 0, "pooler": 0}

        def watch():
            counts = {
                "devices": sum(established(port) for port in server.ports),
                "database": int(bench.postgres.number(
                    "select count(*) from pg_stat_activity where usename = 'underway_server'")),
                "pooler": established(pooler.port)}
            for key, count in counts.items():
                seen[key] = max(seen[key], count)
            time.sleep(0.1)

        result = drive(
            bench.work, store, server.ports, users, ROWS, 15, DEVICES, 6000, with_operation=True,
            pause=1000 * PAUSE_SECONDS, during=watch)
        server.stop()
        bench.results[f"connections {name}"] = seen["database"]
        rows.append([
            name, f"{seen['devices']:,}", f"{result['requests'] / result['seconds']:,.0f}", f"{result['p50']:.0f} ms",
            f"{result['p99']:.0f} ms", result["status"], result["failed"], seen["database"],
            seen["pooler"] if via else ""])
    table(
        f"{DEVICES:,} connected devices, an exchange each {PAUSE_SECONDS} s, 4 processes of at most 8 connections",
        ["", "open connections of devices", "exchanges/s", "p50", "p99", "told to wait", "without reply",
         "connections at PostgreSQL", "at PgBouncer"],
        rows)
