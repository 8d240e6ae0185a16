"""Answers in through the API against COPY of the same rows, and the statistics of who has many."""

import glob
import http.client
import os
import sqlite3
import statistics as numbers
import subprocess
import time

from common import table
from postgres_devices import call, devices, variants
from postgres_load import Store, drive, send_all
from postgres_servers import PASSWORD

COLUMNS = "account, at, device, counter, question, session, options, taken, exposures, flags, credit, response"
VIEWS = ("answers_by_day", "answers_by_domain", "answers_by_difficulty", "study_streak", "retention")
HEAVY_USERS, HEAVY_ANSWERS = 4, 100_000


def milliseconds(seconds):
    return f"{1000 * seconds:,.1f} ms"


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def small_batches(bench, server, store, connections=16, seconds=4):
    users = devices(server.ports, 400)
    result = drive(bench.work, store, server.ports, users, 20, seconds, connections, 16_000)
    return result["rows"] / result["seconds"], result["rows"]


def large_batches(server, store, size, count, users):
    for _ in users:
        variants(size)
    messages = [(user, user.body(size)) for _ in range(count // len(users)) for user in users]
    before = store.answers()
    seconds, _ = send_all(server.ports, messages, connections=4)
    rows = store.settled_answers() - before
    if rows != size * len(messages):
        raise SystemExit(f"{rows} of {size * len(messages)} answers were taken.")
    return rows / seconds, rows


def ingest_rates(bench, server, store):
    """Rows a second and rows of each size; the users of the largest have 100,000 answers each."""
    rates = {20: small_batches(bench, server, store)}
    rates[1_000] = large_batches(server, store, 1_000, 400, devices(server.ports, 16, 500))
    heavy = devices(server.ports, HEAVY_USERS, 600)
    rates[10_000] = large_batches(server, store, 10_000, HEAVY_USERS * HEAVY_ANSWERS // 10_000, heavy)
    return rates, heavy


def copy_rate(bench, size, rows, connections):
    """COPY of stored rows by psql into a table without keys, so many rows a transaction."""
    postgres = bench.postgres
    postgres.sql("drop table bare" if postgres.sql("select to_regclass('bare')") else "select")
    postgres.sql("create table bare (like underway.answer)")
    text = subprocess.run(
        postgres.psql() + ["-c", f"copy (select {COLUMNS} from underway.answer limit {rows}) to stdout"],
        check=True, stdout=subprocess.PIPE).stdout
    lines = text.splitlines(keepends=True)
    scripts = [[] for _ in range(connections)]
    for number, start in enumerate(range(0, len(lines), size)):
        scripts[number % connections] += [
            f"copy bare ({COLUMNS}) from stdin;\n".encode(), *lines[start:start + size], b"\\.\n"]
    paths = []
    for number, script in enumerate(scripts):
        paths.append(f"{bench.work}/copy-{number}.sql")
        with open(paths[-1], "wb") as file:
            file.write(b"".join(script))
    begin = time.monotonic()
    running = [subprocess.Popen(postgres.psql() + ["-f", path], stdout=subprocess.DEVNULL) for path in paths]
    if any([process.wait() for process in running]):
        raise SystemExit("COPY failed.")
    seconds = time.monotonic() - begin
    if int(postgres.number("select count(*) from bare")) != len(lines):
        raise SystemExit("COPY lost rows.")
    return len(lines) / seconds


def section(bench):
    sqlite = bench.serve_sqlite()
    sqlite_store = Store(folder=sqlite.folders[0])
    on_sqlite, sqlite_users = ingest_rates(bench, sqlite, sqlite_store)
    bench.heavy["SQLite"] = progress_times(sqlite, sqlite_users)
    sqlite.stop()
    sqlite_views = {view: sqlite_view(sqlite, view) for view in VIEWS}

    server = bench.serve()
    store = Store(postgres=bench.postgres)
    on_postgres, users = ingest_rates(bench, server, store)
    bench.heavy["PostgreSQL"] = progress_times(server, users)
    server.stop()
    whole = copy_rate(bench, 10**9, 400_000, 1)
    rows = []
    for size, connections in ((20, 16), (1_000, 4), (10_000, 4)):
        rate, count = on_postgres[size]
        copied = copy_rate(bench, size, count, connections)
        bench.results[f"ingest {size}"] = rate / copied
        rows.append([
            f"{size:,} ({connections})", f"{rate:,.0f}", f"{on_sqlite[size][0]:,.0f}",
            f"{rate / on_sqlite[size][0]:.2f}", f"{copied:,.0f}", f"{rate / copied:.2f}", f"{whole:,.0f}",
            f"{rate / whole:.2f}"])
    table(
        "Ingest of answers through the API, one process (aim: 0.25 of COPY)",
        ["answers a request (connections)", "PostgreSQL rows/s", "SQLite rows/s", "to SQLite", "COPY, same batches",
         "ratio", "one COPY", "ratio"], rows)
    progress_table(bench, sqlite_views)


# MARK: Statistics


def progress_times(server, users):
    """The progress route, one request after the other; a user may ask 60 times a minute."""
    connection, times = http.client.HTTPConnection("127.0.0.1", server.ports[0]), []
    for _ in range(50):
        for user in users:
            begin = time.monotonic()
            data = call(connection, "GET", "/api/v1/progress", headers={"Authorization": f"Bearer {user.token}"})
            times.append(time.monotonic() - begin)
    if b'"answers"' not in data:
        raise SystemExit(f"No progress: {data[:200]}")
    return users, times, len(data)


def sqlite_view(server, view):
    """The median seconds of a view for the user with most answers, of at most 12 runs within two seconds."""
    connection = sqlite3.connect(f"file:{server.folders[0]}/users.sqlite?mode=ro", uri=True)
    account = connection.execute("select number from account order by answer_count desc").fetchone()[0]
    times = []
    while not times or (len(times) < 12 and sum(times) < 2):
        begin = time.monotonic()
        connection.execute(f"select * from {view} where account = ?", (account,)).fetchall()
        times.append(time.monotonic() - begin)
    connection.close()
    return numbers.median(times)


def postgres_view(bench, view):
    """The median transaction of a user's claims and a view, by pgbench as the program's login."""
    postgres = bench.postgres
    subject = postgres.sql("select user_id from underway.account order by answer_count desc limit 1")
    script = f"{bench.work}/{view}.sql"
    with open(script, "w") as file:
        file.write(
            "begin; select set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{\"sub\":\""
            + subject + f"\"}}', true); select underway.enter_1(false); select * from underway.{view}; commit;\n")
    output = f"{bench.work}/{view}.log"
    subprocess.run(
        ["pgbench", "-n", "-f", script, "-t", "12", "-l", f"--log-prefix={output}", "-h", "127.0.0.1", "-p",
         str(postgres.port), "-U", "underway_server", "underway"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=dict(os.environ, PGPASSWORD=PASSWORD))
    with open(glob.glob(f"{output}.*")[0]) as file:
        return numbers.median(int(line.split()[2]) / 1e6 for line in file)


def progress_table(bench, sqlite_views):
    bench.postgres.sql(
        "insert into content.regions (id) values ('int') on conflict do nothing;"
        " insert into content.exams (region, id, title, version, checksum, content_updated_at, revision)"
        " values ('int', 'swift', 'Swift', '1', '1', now(), 1) on conflict do nothing;"
        " insert into content.questions (region, exam, id, type, difficulty, stem, options, correct, bytes,"
        " checksum, content_updated_at, revision)"
        " select 'int', 'swift', 'swift-' || n, 'single-choice', 1 + n % 5, 'Which?',"
        " '[{\"id\": \"a\", \"text\": \"A\"}, {\"id\": \"b\", \"text\": \"B\"}]', '[0]', 1, '1', now(), 1"
        " from generate_series(0, 999) n on conflict do nothing; analyze")
    rows = []
    for name, (_, times, size) in bench.heavy.items():
        p99 = percentile(times, 0.99)
        bench.results[f"progress p99 {name}"] = p99
        rows.append([f"progress route, {name}", milliseconds(percentile(times, 0.5)), milliseconds(p99),
                     f"{size:,} B"])
    table(
        f"Statistics of a user with {HEAVY_ANSWERS:,} answers, {len(times)} requests (aim: p99 < 20 ms)",
        ["", "p50", "p99", "reply"], rows)
    table(
        "The views by SQL for that user, median", ["", "PostgreSQL, with claims", "SQLite"],
        [[view, milliseconds(postgres_view(bench, view)), milliseconds(sqlite_views[view])] for view in VIEWS])
