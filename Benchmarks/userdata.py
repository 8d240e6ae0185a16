"""The benchmark of user data: answers pushed and pulled, against Anki's own sync server and Kinto.

The same rows go to each in the same run: ours as answers, Anki's as reviews, Kinto's as records of its
batch endpoint. A relay between client and server counts requests and bytes and looks at nothing else;
times are without it, on the loopback, with new stores each.
"""

import asyncio
import base64
import http.client
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from common import Relay, await_port, free_port, table

TOOL, DEVICE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WORK = tempfile.mkdtemp(prefix="underway-userdata-")
running = []


def start(port, *command, **environment):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=dict(os.environ, **environment),
    )
    running.append(process)
    await_port(port)
    return process


def relayed(kind, counts):
    """Puts a relay that counts before a server; a client is bound to the address that it signed in at."""
    if counts:
        kind.relay = Relay(kind.port)
        kind.port = kind.relay.port


# MARK: Ours


class Ours:
    name = "underway"

    def __init__(self, counts=False):
        folder = tempfile.mkdtemp(dir=WORK)
        os.makedirs(f"{folder}/release")
        self.folder, self.port = folder, free_port()
        self.process = start(
            self.port, TOOL, "serve", "--release", f"{folder}/release", "--data", f"{folder}/users",
            "--port", str(self.port), "--quiet", "--behind-proxy",
        )
        relayed(self, counts)
        self.call("begin", "a", "new")
        self.call("begin", "b")

    def call(self, what, device, *more):
        address = f"http://127.0.0.1:{self.port}"
        output = subprocess.run(
            [DEVICE, what, address, f"{self.folder}/{device}", *more],
            check=True, stdout=subprocess.PIPE, text=True,
        ).stdout
        return json.loads(output) if output else None

    def add(self, count):
        self.call("add", "a", str(count))

    def push(self):
        return self.call("push", "a")["seconds"]

    def pull(self):
        return self.call("pull", "b")["seconds"]

    def schedules(self):
        """The first reading of schedules after a pull, which counts the answers of long runs."""
        return self.call("schedules", "b", "int/swift")["schedules"]


# MARK: Anki


class Anki:
    name = "Anki 26.9.3"

    def __init__(self, counts=False):
        from anki.collection import Collection

        folder = tempfile.mkdtemp(dir=WORK)
        self.port = free_port()
        self.process = start(
            self.port, sys.executable, "-m", "anki.syncserver", SYNC_USER1="u:p",
            SYNC_BASE=f"{folder}/server", SYNC_HOST="127.0.0.1", SYNC_PORT=str(self.port),
            RUST_LOG="error",
        )
        relayed(self, counts)
        self.a, self.b = (Collection(f"{folder}/{name}.anki2") for name in "ab")
        self.auth = self.a.sync_login("u", "p", f"http://127.0.0.1:{self.port}/")
        for collection, is_upload in ((self.a, True), (self.b, False)):
            collection.sync_collection(self.auth, False)
            collection.close_for_full_sync()
            collection.full_upload_or_download(auth=self.auth, server_usn=None, upload=is_upload)
            collection.reopen(after_full_sync=True)
        self.next = 1_700_000_000_000

    def add(self, count):
        rows = []
        for _ in range(count):
            self.next += 10_000 + random.randrange(20_000)
            card = 1_600_000_000_000 + random.randrange(1000)
            rows.append(
                (self.next, card, -1, random.choice([1, 3, 3, 3]), random.randrange(1, 200),
                 random.randrange(1, 100), 2500, random.randrange(1000, 60_000), 1))
        self.a.db.executemany("insert into revlog values (?,?,?,?,?,?,?,?,?)", rows)
        self.a.db.execute("update col set mod=?", int(time.time() * 1000))
        self.count = self.a.db.scalar("select count() from revlog")

    def sync(self, collection):
        begin = time.monotonic()
        collection.sync_collection(self.auth, False)
        return time.monotonic() - begin

    def push(self):
        return self.sync(self.a)

    def pull(self):
        seconds = self.sync(self.b)
        assert self.b.db.scalar("select count() from revlog") == self.count
        return seconds


# MARK: Kinto


class Kinto:
    """Its batch endpoint takes 25 requests at most; the memory backend keeps nothing on the disk."""

    name = "Kinto 26.5 (memory)"

    def __init__(self, counts=False):
        self.port = free_port()
        config = f"{WORK}/kinto-{self.port}.ini"
        with open(config, "w") as file:
            file.write(
                f"""[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = {self.port}
[app:main]
use = egg:kinto
kinto.userid_hmac_secret = bench
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
kinto.storage_backend = kinto.core.storage.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.includes = kinto.plugins.default_bucket
kinto.paginate_by = 10000
kinto.storage_max_fetch_size = 100000
""")
        kinto = os.path.join(os.path.dirname(sys.executable), "kinto")
        self.process = start(self.port, kinto, "start", "--ini", config, "--port", str(self.port))
        relayed(self, counts)
        self.path = "/v1/buckets/default/collections/answers/records"
        self.headers = {
            "Authorization": "Basic " + base64.b64encode(b"u:p").decode(),
            "Content-Type": "application/json",
        }
        self.call(http.client.HTTPConnection("127.0.0.1", self.port), "GET", self.path)
        self.waiting, self.since = [], None

    def call(self, connection, method, path, body=None):
        connection.request(method, path, body=json.dumps(body) if body else None, headers=self.headers)
        response = connection.getresponse()
        data = response.read()
        if response.status >= 400:
            raise SystemExit(f"Kinto: {response.status} {data[:200]}")
        return response, json.loads(data)

    def add(self, count):
        for index in range(count):
            self.waiting.append({
                "session": f"5f1e0c4e-{index // 20}", "question": f"swift-{random.randrange(1000)}",
                "options": [random.choice("abcd")], "correct": random.random() < 0.7,
                "taken": random.randrange(1000, 60_000), "date": 1_700_000_000_000 + index * 20_000,
            })

    def push(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        begin = time.monotonic()
        for start_index in range(0, len(self.waiting), 25):
            requests = [
                {"method": "POST", "path": self.path[3:], "body": {"data": row}}
                for row in self.waiting[start_index:start_index + 25]
            ]
            self.call(connection, "POST", "/v1/batch", {"requests": requests})
        self.waiting = []
        return time.monotonic() - begin

    def pull(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        path = self.path + (f"?_since={self.since}" if self.since else "")
        begin = time.monotonic()
        while path:
            response, _ = self.call(connection, "GET", path)
            self.since = response.headers.get("ETag", self.since)
            following = response.headers.get("Next-Page")
            path = following[following.index("/v1"):] if following else None
        return time.monotonic() - begin


def stop(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    running.remove(process)


def measured(kind, count):
    """Counts in one run, with the relay; times in three more, without."""
    counted = kind(counts=True)
    counted.add(count)
    counts = []
    for step in (counted.push, counted.pull):
        counted.relay.reset()
        step()
        counts.append((counted.relay.requests, counted.relay.up, counted.relay.down))
    stop(counted.process)
    times = []
    for _ in range(3 if count > 1 else 5):
        timed = kind()
        timed.add(count)
        first = getattr(timed, "schedules", float)
        times.append((timed.push(), timed.pull(), first()))
        stop(timed.process)
    return counts, *(statistics.median(column) for column in zip(*times))


def section_rows():
    for count in (10_000, 50_000, 1):
        rows = []
        for kind in (Ours, Anki, Kinto):
            if kind is Kinto and count == 50_000:
                rows.append([kind.name] + ["not run"] + [""] * 8)
                continue
            (up, down), push, pull, schedules = measured(kind, count)
            rows.append([
                kind.name, f"{1000 * push:.1f} ms", f"{count / push:,.0f}/s", up[0],
                f"{up[1] / count:.1f}", f"{1000 * pull:.1f} ms", f"{count / pull:,.0f}/s",
                down[0], f"{down[2] / count:.1f}",
                f"{1000 * schedules:.1f} ms" if schedules else "",
            ])
        table(
            f"{count:,} answers from one device to the server and to another (median of 3 or 5)",
            ["", "push", "rows", "requests", "bytes up/row", "pull", "rows", "requests", "bytes down/row",
             "first schedules"],
            rows,
        )


# MARK: Many users


async def call(port, method, path, body, headers):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    writer.write((head + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n").encode() + body)
    data = await reader.read()
    writer.close()
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), body


def answers(number):
    return {
        "client": f"d{number}", "first": 1, "count": 10, "bank": ["int/swift", 10],
        "session": [f"s{number}", 10], "mode": ["study", 10],
        "question": {"names": [[f"q{i}", "v"] for i in range(10)], "at": list(range(10))},
        "options": {"names": [["a"]], "at": [0] * 10}, "correct": "1" * 10, "random": "0" * 10,
        "taken": [5000] * 10, "exposures": [0] * 10, "date": [1_700_000_000_000] + [20_000] * 9,
    }


def resident(process):
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024


async def many(port, count):
    users = []
    for number in range(count):
        status, body = await call(
            port, "POST", "/api/accounts/v1/anonymous", b"", {"X-Forwarded-For": f"10.0.{number >> 8}.{number & 255}"})
        assert status == 201, body
        users.append(json.loads(body))

    async def push(number):
        user = users[number]
        body = json.dumps({
            "version": 1, "user": user["user"], "client": f"d{number}", "request": 1,
            "answers": [answers(number)]}).encode()
        headers = {"Authorization": "Bearer " + user["access_token"], "Content-Type": "application/json"}
        begin = time.monotonic()
        status, body = await call(port, "POST", "/api/sync/v1/exchange", body, headers)
        assert status == 200, body
        return time.monotonic() - begin

    begin = time.monotonic()
    times = sorted(await asyncio.gather(*(push(number) for number in range(count))))
    seconds = time.monotonic() - begin

    async def kept(number):
        # Each user from an address of its own, as when the account was made: addresses have a rate.
        headers = {
            "Authorization": "Bearer " + users[number]["access_token"],
            "X-Forwarded-For": f"10.0.{number >> 8}.{number & 255}"}
        status, body = await call(port, "GET", "/api/accounts/v1/export", b"", headers)
        assert status == 200, body
        return body.replace(b"\r\n", b"").count(b'"question":')
    lost = sum([10 - await kept(number) for number in range(count)])
    return times, seconds, lost


def section_users():
    ours = Ours()
    before = resident(ours.process)
    times, seconds, lost = asyncio.run(many(ours.port, 1000))
    after = resident(ours.process)
    table(
        "1,000 users push 10 answers each at once, each on a connection of its own",
        ["", "all", "requests", "p50", "p99", "answers lost", "memory per idle user"],
        [["underway", f"{seconds:.2f} s", f"{1000 / seconds:,.0f}/s", f"{1000 * times[500]:.0f} ms",
          f"{1000 * times[990]:.0f} ms", lost, f"{(after - before):.1f} kB"]],
    )
    stop(ours.process)


try:
    random.seed(1)
    section_rows()
    section_users()
finally:
    for process in list(running):
        os.killpg(process.pid, signal.SIGKILL)
    shutil.rmtree(WORK, ignore_errors=True)
