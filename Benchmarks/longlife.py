"""The benchmark of a long life: a million answers of one user, each figure with its baseline in the same run.

The answers are put into the database of a server as one that an older version wrote, so that what has to be
made up for once is measured, too. A device then pulls them all; `underway study` asks one question of
them; the dashboard's route is read. Times are those of whole processes, on the loopback, with real disks.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from common import await_port, free_port, table

TOOL, DEVICE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sample", "content")
QUESTIONS = 1000
WORK = tempfile.mkdtemp(prefix="underway-longlife-")
USERS, RELEASE, BUNDLE = f"{WORK}/users", f"{WORK}/release", f"{WORK}/bundle"
servers = []


def serve(port=None):
    port = port or free_port()
    process = subprocess.Popen(
        [TOOL, "serve", "--release", RELEASE, "--data", USERS, "--port", str(port), "--quiet", "--behind-proxy"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )
    servers.append(process)
    await_port(port)
    return process, port


def stop(process):
    os.killpg(process.pid, signal.SIGTERM)
    process.wait()
    servers.remove(process)


def timed(*command, input=None):
    """Seconds, seconds of processor time, peak memory in MB, and what was printed."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(input or b"")
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command}: {process.returncode} {output[:500]}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def processor_time(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# MARK: The data


def make_content():
    """One language of a thousand questions, made of those of the sample."""
    with open(f"{SAMPLE}/languages/es/blueprint.json") as file:
        blueprint = json.load(file)
    questions = []
    for number in range(QUESTIONS):
        question = dict(blueprint["questions"][number % len(blueprint["questions"])])
        question["id"] = f"xx-{number:04}"
        question["stem"] = f"{number}: {question['stem']}"
        questions.append(question)
    blueprint.update(id="xx", questions=questions)
    os.makedirs(f"{WORK}/content/languages/xx")
    with open(f"{WORK}/content/underway.yaml", "w") as file:
        file.write("name: Benchmark\n")
    with open(f"{WORK}/content/languages/xx/blueprint.json", "w") as file:
        json.dump(blueprint, file, ensure_ascii=False)
    for command in (
        [TOOL, "publish", "--content", f"{WORK}/content", "--release", RELEASE],
        [TOOL, "bundle", BUNDLE, "--release", RELEASE],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def answers(device):
    """As a learner gives them: a session of 20, a question every 20 seconds."""
    chance = random.Random(1)
    start = int(time.time() * 1000) - COUNT * 20_000
    for index in range(COUNT):
        question = chance.randrange(QUESTIONS)
        is_correct = int(chance.random() < 0.7)
        yield (
            device, index + 1, question + 1, index // 20 + 1, chance.randrange(4) + 1, is_correct, None, None,
            chance.randrange(1000, 60_000), index // QUESTIONS, 0,
            start + index * 20_000 + chance.randrange(10_000),
        )


def texts(database, account):
    """What the rows refer to by number."""
    database.executemany(
        "INSERT INTO answerQuestion VALUES (?, ?, 'xx', ?, ?, ?)",
        ((number + 1, account, f"xx-{number:04}", f"domain-{number % 5}", f"{number * 0x9E3779B9:016x}")
         for number in range(QUESTIONS)))
    database.executemany(
        "INSERT INTO answerSession VALUES (?, ?, ?, 'study')",
        ((number + 1, account, f"5f1e0c4e-0000-4000-8000-{100_000_000_000 + number}")
         for number in range((COUNT + 19) // 20)))
    database.executemany(
        "INSERT INTO answerResponse VALUES (?, ?, ?)",
        ((number + 1, account, json.dumps([letter])) for number, letter in enumerate("abcd")))


def fill():
    database = sqlite3.connect(f"{USERS}/users.sqlite")
    # The account that signed in; of its two devices the first is the one that answers.
    device, account = database.execute(
        "SELECT number, account FROM device WHERE account = (SELECT account FROM password) ORDER BY number"
    ).fetchone()
    texts(database, account)
    database.executemany(f"INSERT INTO answerRow VALUES ({', '.join('?' * 12)}, NULL)", answers(device))
    database.execute("UPDATE device SET last_answer = ? WHERE number = ?", (COUNT, device))
    database.execute("UPDATE account SET answer_count = ? WHERE number = ?", (COUNT, account))
    database.commit()
    database.close()


# MARK: What is measured


VIEWS = (
    "SELECT date(milliseconds / 1000, 'unixepoch') AS day, count(*), sum(isCorrect),"
    " count(DISTINCT question), sum(takenMilliseconds)"
    " FROM answer WHERE bank IS NOT NULL GROUP BY day ORDER BY day DESC LIMIT 366",
    "SELECT bank, domain, count(*), sum(isCorrect), count(DISTINCT question), max(milliseconds)"
    " FROM answer WHERE bank IS NOT NULL GROUP BY bank, domain LIMIT 1000",
)


def progress_route(server, port):
    """The first call and the median of nine more, each in seconds and seconds of processor time."""
    body = json.dumps({"email": "bench@example.org", "password": "correct horse"}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/accounts/v1/sign-in", body, {"Content-Type": "application/json"})
    token = json.load(urllib.request.urlopen(request))["access_token"]

    def read():
        begin, before = time.monotonic(), processor_time(server)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/progress", headers={"Authorization": "Bearer " + token})
        reply = json.load(urllib.request.urlopen(request))
        assert sum(row["answers"] for row in reply["domains"]) == COUNT
        return time.monotonic() - begin, processor_time(server) - before

    once = read()
    runs = [read() for _ in range(9)]
    return once, (statistics.median(run[0] for run in runs), sum(run[1] for run in runs) / len(runs))


def views():
    database = sqlite3.connect(f"{USERS}/users.sqlite")
    begin, before = time.monotonic(), time.process_time()
    for query in VIEWS:
        database.execute(query).fetchall()
    return time.monotonic() - begin, time.process_time() - before


def copy():
    """The floor of a pull: the same rows from one file into another, by SQL, 20,000 a transaction."""
    begin, before = time.monotonic(), time.process_time()
    database = sqlite3.connect(f"{WORK}/copy.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("ATTACH ? AS server", (f"{USERS}/users.sqlite",))
    database.execute("CREATE TABLE answer AS SELECT 'u' AS user, 'c' AS client, * FROM server.answer LIMIT 0")
    database.execute("CREATE UNIQUE INDEX answerByNumber ON answer (user, client, counter)")
    database.execute("CREATE INDEX answerByBank ON answer (user, bank, milliseconds)")
    for first in range(0, COUNT, 20_000):
        database.execute(
            "INSERT INTO answer SELECT 'user-with-a-long-name', 'device-with-a-long-name', *"
            " FROM server.answer WHERE counter > ? AND counter <= ?", (first, first + 20_000))
    return time.monotonic() - begin, time.process_time() - before


def study(store):
    return timed(
        TOOL, "study", "xx", "--mode", "study", "--limit", "1", "--fresh", "--store", store,
        "--bundle", BUNDLE, input=b"1\n")


def age(store):
    """Makes the store one of a version that kept answers only, in one wide table."""
    database = sqlite3.connect(f"{store}/user.sqlite")
    database.executescript(
        "PRAGMA foreign_keys = ON; CREATE TABLE wide AS SELECT * FROM answer; DROP VIEW answer;"
        + "".join(
            f"DROP TABLE {name};" for name in (
                "answerRow", "answerQuestion", "answerSession", "answerResponse", "answerDevice", "answerAccount",
                "review", "cardDomain", "card", "countedClient", "scheduling", "studyDay", "uncounted"))
        + """
        CREATE TABLE answer (
            user TEXT NOT NULL REFERENCES person (user) ON DELETE CASCADE ON UPDATE CASCADE,
            client TEXT NOT NULL, counter INTEGER NOT NULL CHECK (counter > 0),
            bank TEXT, session TEXT, question TEXT, domain TEXT, version TEXT, options TEXT,
            isCorrect INTEGER, credit REAL, rating INTEGER, takenMilliseconds INTEGER,
            exposuresBefore INTEGER, mode TEXT, isRandomlySelected INTEGER, milliseconds INTEGER,
            PRIMARY KEY (user, client, counter)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX answerByBank ON answer (user, bank, milliseconds);
        INSERT INTO answer SELECT * FROM wide;
        DROP TABLE wide;
        CREATE VIEW progressByDay AS SELECT 1; CREATE VIEW progressByDomain AS SELECT 1;
        DELETE FROM grdb_migrations WHERE identifier IN ('v2 schedules', 'v4 narrow answers', 'v8 learning days');
        """)
    database.close()


def main():
    make_content()
    server, port = serve()
    for device, more in (("a", ["new"]), ("b", [])):
        timed(DEVICE, "begin", f"http://127.0.0.1:{port}", f"{WORK}/{device}", *more)
    stop(server)
    fill()
    # Tokens are bound to the address that gave them.
    server, port = serve(port)
    once, route = progress_route(server, port)
    before = processor_time(server)
    pull = timed(DEVICE, "pull", f"http://127.0.0.1:{port}", f"{WORK}/b")
    server_time = processor_time(server) - before
    assert json.loads(pull[3])["pulled"] == COUNT
    stop(server)
    store = f"{WORK}/b"
    study(store)
    runs = [study(store) for _ in range(5)]
    question = (
        statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs),
        max(run[2] for run in runs),
    )
    replay = timed(DEVICE, "replay", "-", store, "xx")
    check = timed(TOOL, "study", "xx", "--verify-schedules", "--store", store)[3].decode().strip()
    age(store)
    upgrade = study(store)

    def row(name, figures, more=""):
        seconds, processor = (f"{1000 * value:,.0f} ms" for value in figures[:2])
        return [name, seconds, processor + more, f"{figures[2]:.0f} MB" if len(figures) > 2 else ""]

    table(
        f"A long life: {COUNT:,} answers to {QUESTIONS:,} questions",
        ["", "time", "processor", "peak memory"],
        [
            row("a question in study (median of 5)", question),
            row("the same by replaying all answers", replay),
            row("the first in a store of an older version", upgrade),
            row("the progress route (median of 9)", route),
            row("the same by views over all answers", views()),
            row("the first in a database of an older server", once),
            row("a new device's first pull", pull, f" + {1000 * server_time:,.0f} ms in the server"),
            row("the same rows by SQL from file to file", copy()),
        ],
    )
    print(f"\n{check}")


try:
    main()
finally:
    for process in list(servers):
        os.killpg(process.pid, signal.SIGKILL)
    shutil.rmtree(WORK, ignore_errors=True)
