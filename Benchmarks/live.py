"""The benchmark of live events: updates of the ranking beside bare Redis, staleness under load, and many watchers.

Usage: live.py <underway> <RankingBenchmark> [watchers]
Baselines of the same run: `redis-benchmark`, and a bare server in Python that writes the same bytes to as many sockets.
"""

import asyncio
import datetime
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from common import await_port, free_port, table

UPDATES, MEMBERS, TASKS = 200_000, 100_000, 64
LEARNERS, SECONDS, PROBES, SEED = 200, 30, 60, 17


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(seconds):
    return f"{seconds * 1000:.0f}"


class Redis:
    def __init__(self, work):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", work], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        await_port(self.port)

    def benchmark(self, *words):
        text = subprocess.run(
            ["redis-benchmark", "-p", str(self.port), "-q", "-c", str(TASKS), "-n", str(UPDATES), "-r", str(MEMBERS),
             *words], stdout=subprocess.PIPE, check=True, text=True).stdout
        return float(re.search(r"([\d.]+) requests per second", text).group(1))


class Server:
    """The program with users on SQLite, places on Redis, and an event named `bench`."""

    def __init__(self, tool, work, redis):
        self.tool, self.work = tool, work
        self.data, release = work + "/users", work + "/release"
        os.makedirs(release)
        self.port = free_port()
        self.process = subprocess.Popen(
            [tool, "serve", "--release", release, "--data", self.data, "--port", str(self.port), "--quiet",
             "--behind-proxy", "--redis", f"redis://127.0.0.1:{redis.port}"], stderr=subprocess.DEVNULL)
        await_port(self.port)
        now = datetime.datetime.now(datetime.timezone.utc)
        text = lambda hours: (now + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
        subprocess.run(
            [tool, "event", "define", "bench", "--bank", "es", "--start", text(-1), "--end", text(9), "--points-max",
             "10000", "--submissions-max", "10000", "--data", self.data], check=True, stdout=subprocess.DEVNULL)

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def account(self, number, connection):
        # Each from an address of its own, as in life: those of one are limited.
        connection.request("POST", "/api/accounts/v1/anonymous", headers={
            "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"})
        return json.loads(connection.getresponse().read())

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) * 1024

    def processor(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Learner:
    def __init__(self, server, number, connection):
        account = server.account(number, connection)
        self.user, self.headers = account["user"], {"Authorization": "Bearer " + account["access_token"]}
        self.connection, self.sent, self.score = None, 0, 0
        self.server = server

    def submit(self, points):
        if self.connection is None:
            self.connection = self.server.connection()
        self.sent += 1
        body = json.dumps({"id": f"s{self.sent}", "points": points})
        self.connection.request(
            "POST", "/api/v1/events/bench/submissions", body, {**self.headers, "Content-Type": "application/json"})
        reply = self.connection.getresponse()
        receipt = json.loads(reply.read())
        if reply.status == 429:
            return None
        assert receipt["result"] == "counted", receipt
        self.score = receipt["score"]
        return receipt

    def rank(self):
        self.connection = self.connection or self.server.connection()
        self.connection.request("GET", "/api/v1/events/bench?top=0", headers=self.headers)
        return json.loads(self.connection.getresponse().read())


class Watcher:
    """A stream that notes when it saw each score of the first place."""

    def __init__(self):
        self.seen, self.frames, self.text = {}, 0, b""

    async def open(self, port, headers, limit=2**16):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.writer.write(f"GET /api/v1/events/bench/stream HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode())
        await self.writer.drain()
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n")[0], head

    async def read(self):
        try:
            while piece := await self.reader.read(65536):
                now = time.monotonic()
                self.text = (self.text + piece)[-16384:]
                if match := re.search(rb'"top":\[\{[^}]*"score":(\d+)', piece):
                    self.frames += 1
                    self.seen.setdefault(int(match.group(1)), now)
        except (ConnectionError, asyncio.CancelledError):
            pass

    def close(self):
        self.writer.close()


def run_loop(coroutine):
    return asyncio.run(coroutine)


# Updates


def measure_updates(redis, benchmark):
    zadd = redis.benchmark("zadd", "plainest", "__rand_int__", "__rand_int__")
    pipelined = redis.benchmark("-P", "16", "zadd", "plainest", "__rand_int__", "__rand_int__")
    ours = json.loads(subprocess.run(
        [benchmark, f"redis://127.0.0.1:{redis.port}", str(UPDATES), str(MEMBERS), str(TASKS)],
        stdout=subprocess.PIPE, check=True).stdout)
    share = lambda value, base: f"{value / base:.2f}"
    table(f"Updates of a ranking a second ({UPDATES:,} of {MEMBERS:,} learners, {TASKS} at once)",
          ["", "a second", "of redis-benchmark"],
          [["redis-benchmark ZADD, 64 connections (baseline)", f"{zadd:,.0f}", "1"],
           ["redis-benchmark ZADD, 64 connections, 16 in a pipeline", f"{pipelined:,.0f}", share(pipelined, zadd)],
           ["RedisDriver ZADD, one connection", f"{ours['plain']:,}", share(ours["plain"], zadd)],
           ["a standing at a time: compare, set, rank in one script", f"{ours['single']:,}", share(ours["single"], zadd)],
           ["500 standings in a script, as after a loss", f"{ours['batched']:,}", share(ours["batched"], zadd)]])


# Staleness


def measure_staleness(server, learners, probe):
    chance, stop, counts = random.Random(SEED), threading.Event(), [0, 0]
    lock = threading.Lock()

    def play(mine, seed):
        own = random.Random(seed)
        while not stop.is_set():
            learner = own.choice(mine)
            receipt = learner.submit(own.randrange(10))
            with lock:
                counts[0 if receipt else 1] += 1

    threads = [threading.Thread(target=play, args=(learners[part::8], chance.random())) for part in range(8)]

    async def watch():
        watcher = Watcher()
        await watcher.open(server.port, probe.headers)
        reading = asyncio.create_task(watcher.read())
        sent = {}
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        while time.monotonic() - begin < SECONDS:
            receipt = await asyncio.to_thread(probe.submit, 10_000)
            if receipt:
                sent[receipt["score"]] = time.monotonic()
            await asyncio.sleep(0.31 + chance.random() * 0.1)
        took = time.monotonic() - begin
        stop.set()
        await asyncio.sleep(2)
        watcher.close()
        reading.cancel()
        # A score is seen with the first frame that has it or a later one.
        ages = []
        for score, at in sent.items():
            later = [seen for value, seen in watcher.seen.items() if value >= score]
            assert later, "a score was never shown"
            ages.append(max(0, min(later) - at))
        return ages, took, watcher.frames

    ages, took, frames = run_loop(watch())
    for thread in threads:
        thread.join()
    everybody = learners + [probe]
    database = sqlite3.connect(f"file:{server.data}/users.sqlite?mode=ro", uri=True)
    expected = {user: place for user, place in database.execute(
        "select a.id, row_number() over (order by score desc, second, account) from event_score s"
        " join account a on a.number = s.account")}
    database.close()
    # Each has asked often: the limit of requests is a minute's.
    wrong, asked = 0, 0
    for learner in everybody:
        page = learner.rank()
        if "own" in page:
            asked += 1
            wrong += page["own"]["rank"] != expected[learner.user] or page["own"]["score"] != learner.score
    table(f"A live event under load (SQLite and Redis, {len(everybody)} learners, 8 submit at once for {took:.0f} s)",
          ["", ""],
          [["submissions stored and placed, a second", f"{counts[0] / took:,.0f}"],
           ["from a submission's reply to a watcher, p50 ms", milliseconds(percentile(ages, .5))],
           ["the same, p99 ms", milliseconds(percentile(ages, .99))],
           ["frames that the watcher got, a second", f"{frames / took:.1f}"],
           ["wrong ranks or scores at rest", f"{wrong} of {asked}"]])


# Watchers


async def fan_out(port, headers, count, submit, probes, silent=0):
    """Opens streams, of which some never read, and returns how long each update took to the others."""
    watchers = []
    for number in range(count):
        watcher = Watcher()
        await watcher.open(port, headers(number))
        watchers.append(watcher)
    tasks = [asyncio.create_task(watcher.read()) for watcher in watchers[silent:]]
    await asyncio.sleep(2)
    latencies, last = [], []
    for _ in range(probes):
        score, begin = await submit()
        for _ in range(400):
            if all(score in watcher.seen for watcher in watchers[silent:]):
                break
            await asyncio.sleep(0.01)
        arrived = [watcher.seen[score] - begin for watcher in watchers[silent:] if score in watcher.seen]
        assert len(arrived) == count - silent, f"{len(arrived)} of {count - silent} saw it"
        first = min(arrived)
        latencies += [value - first for value in arrived]
        last.append(max(arrived) - first)
    return watchers, tasks, latencies, last


async def bare_server(frame):
    """Writes the same bytes to all sockets, and nothing else."""
    writers = []

    async def accept(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        writers.append(writer)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, backlog=1024)
    return server, server.sockets[0].getsockname()[1], lambda score: [
        writer.write(frame.replace(b"SCORE", str(score).encode())) for writer in writers]


def measure_watchers(server, watchers_max, learners, probe):
    rows = []
    for count, silent in ((watchers_max, 0), (5 * watchers_max // 2, 5 * watchers_max // 4)):
        async def ours():
            async def submit():
                receipt = await asyncio.to_thread(probe.submit, 10_000)
                return receipt["score"], time.monotonic()

            before = server.memory()
            busy = server.processor()
            result = await fan_out(
                server.port, lambda number: learners[number // 5].headers, count, submit, 10, silent)
            memory, busy = server.memory(), server.processor() - busy
            for task in result[1]:
                task.cancel()
            for watcher in result[0]:
                watcher.close()
            return (*result[2:], (memory - before) / count, memory)

        latencies, last, each, memory = run_loop(ours())
        name = f"{count:,} watchers" + (f", {silent:,} of whom never read" if silent else "")
        rows.append([name, milliseconds(percentile(latencies, .5)), milliseconds(percentile(latencies, .99)),
                     milliseconds(max(last)), f"{each / 1024:.0f}", f"{memory / 2**20:.0f}"])
        time.sleep(2)

    async def bare():
        score = 0
        places = ",".join('{"name":"Somebody","rank":1,"reachedAt":1790000000,"score":1}' for _ in range(9))
        frame = b'event: places\nid: 0\ndata: {"top":[{"rank":1,"score":SCORE},' + places.encode() + b"]}\n\n"
        listener, port, send = await bare_server(frame)

        async def submit():
            nonlocal score
            score += 1
            send(score)
            return score, time.monotonic()

        result = await fan_out(port, lambda _: {}, watchers_max, submit, 10)
        for watcher in result[0]:
            watcher.close()
        listener.close()
        return result[2:]

    latencies, last = run_loop(bare())
    rows.append([f"baseline: {watchers_max:,} sockets of a bare server in the client's own process",
                 milliseconds(percentile(latencies, .5)), milliseconds(percentile(latencies, .99)),
                 milliseconds(max(last)), "–", "–"])
    table("From the first watcher who has a frame to the others (10 frames; server and watchers on one machine)",
          ["", "p50 ms", "p99 ms", "last ms", "kB each", "MB in all"], rows)


def main(tool, benchmark, watchers="2000"):
    watchers = int(watchers)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    work = tempfile.mkdtemp(prefix="underway-live-")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    processes = []
    try:
        redis = Redis(work)
        processes.append(redis.process)
        measure_updates(redis, os.path.abspath(benchmark))
        server = Server(os.path.abspath(tool), work, redis)
        processes.append(server.process)
        connection = server.connection()
        learners = [Learner(server, number, connection) for number in range(max(LEARNERS, watchers // 2 + 1))]
        probe = Learner(server, 1 << 20, connection)
        measure_staleness(server, learners[:LEARNERS], probe)
        # The limit of requests of the one who submits is a minute's.
        time.sleep(60)
        for learner in learners:
            if learner.connection:
                learner.connection.close()
        measure_watchers(server, watchers, learners, probe)
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()
        shutil.rmtree(work, ignore_errors=True)


main(*sys.argv[1:])
