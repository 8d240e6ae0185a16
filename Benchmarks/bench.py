"""The benchmarks: our program against standard tools, in the same run.

Every figure is counted: bytes and requests by a relay between client and server that looks at
nothing else, processor time by the kernel's accounts of the processes, time by the wall clock.
Everything runs on the loopback, in a temporary folder, and is stopped at the end.
"""

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from common import Relay, await_port, end_cooldown, free_port, table
from content import SAMPLE, edit, make_content

TOOL = os.path.abspath(sys.argv[1])
SECTIONS = sys.argv[2:] or ["edit", "publish", "poll", "server", "device"]
WORK = tempfile.mkdtemp(prefix="underway-bench-")
PREFIX = "/api/content/v2"
running = []


def run(*command, **options):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    ).stdout


def start(*command):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    running.append(process)
    return process


def stop(process):
    process.terminate()
    process.wait(timeout=20)
    running.remove(process)


def publish(content, release):
    run(TOOL, "publish", "--content", content, "--release", release)


def serve(release, threads=1):
    port = free_port()
    process = start(
        TOOL, "serve", "--release", release, "--port", str(port), "--threads", str(threads), "--quiet"
    )
    await_port(port)
    return process, port


def nginx(release):
    port = free_port()
    folder = tempfile.mkdtemp(dir=WORK)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(
            f"daemon off; pid {folder}/pid; error_log /dev/null; worker_processes 1;"
            f"user root;"
            f"events {{ worker_connections 1024; }} http {{ access_log off; {paths}"
            "sendfile on; tcp_nopush on; keepalive_requests 100000000;"
            "open_file_cache max=20000; gzip_static on; types { application/json json; }"
            f"server {{ listen 127.0.0.1:{port}; location {PREFIX}/ {{ alias {release}/;"
            " add_header Cache-Control no-cache; } } }"
        )
    process = start("nginx", "-c", f"{folder}/nginx.conf", "-p", folder)
    await_port(port)
    return process, port


def rsync_daemon(release):
    port = free_port()
    folder = tempfile.mkdtemp(dir=WORK)
    with open(f"{folder}/rsyncd.conf", "w") as file:
        file.write(f"use chroot = no\nlock file = {folder}/lock\n[release]\npath = {release}\n")
    process = start(
        "rsync", "--daemon", "--no-detach", f"--config={folder}/rsyncd.conf",
        "--address=127.0.0.1", f"--port={port}",
    )
    await_port(port)
    return process, port


def kilobytes(count):
    return f"{count / 1000:.1f} kB"


# One edited blueprint


def plain_approach(port, folder):
    """curl the manifest, compare checksums with what is here, curl what differs."""
    base = f"http://127.0.0.1:{port}{PREFIX}"
    run("curl", "-sf", "--compressed", "-o", f"{folder}/manifest.json", f"{base}/manifest.json")
    with open(f"{folder}/manifest.json") as file:
        manifest = json.load(file)
    for language, entry in manifest["languages"].items():
        path = f"{folder}/{language}.json"
        want = entry["blueprint"]["checksum"][7:]
        if os.path.exists(path):
            with open(path, "rb") as file:
                if hashlib.sha256(file.read()).hexdigest() == want:
                    continue
        run(
            "curl", "-sf", "--compressed", "-o", path, f"{base}/blueprints/{language}.json"
        )


def section_edit():
    for count in (45, 5000):
        content, release = f"{WORK}/edit{count}", f"{WORK}/edit{count}-release"
        make_content(content, count)
        publish(content, release)
        server, port = serve(release)
        daemon, rsync_port = rsync_daemon(release)
        web, sync = Relay(port), Relay(rsync_port)
        plain, mirror = f"{WORK}/plain{count}", f"{WORK}/mirror{count}"
        os.makedirs(plain)
        # What the plain approach has before: everything, brought here by copying.
        for number in range(count):
            shutil.copy(f"{release}/blueprints/x{number:05d}.json", f"{plain}/x{number:05d}.json")
        store = f"{WORK}/store{count}"

        def ours():
            run(TOOL, "sync", f"http://127.0.0.1:{web.port}{PREFIX}", "--force", "--store", store)

        def with_rsync():
            run(
                "rsync", "-az", "--delete", f"rsync://127.0.0.1:{sync.port}/release/blueprints/",
                f"{mirror}/", "--exclude=*.gz", "--exclude=*.br",
            )

        ours()
        with_rsync()
        results = {"underway sync": [], "curl + sha256": [], "rsync daemon": []}
        for attempt in range(3):
            edit(content, 7 + attempt, f"day {attempt}")
            publish(content, release)
            for name, relay, work in (
                ("underway sync", web, ours),
                ("curl + sha256", web, lambda: plain_approach(web.port, plain)),
                ("rsync daemon", sync, with_rsync),
            ):
                relay.reset()
                begin = time.monotonic()
                work()
                took = time.monotonic() - begin
                time.sleep(0.05)
                results[name].append((relay.requests, relay.up + relay.down, took))
        rows = []
        for name, values in results.items():
            requests = values[-1][0] if name != "rsync daemon" else "—"
            total = statistics.median(value[1] for value in values)
            took = statistics.median(value[2] for value in values)
            rows.append([name, requests, kilobytes(total), f"{1000 * took:.0f} ms"])
        table(
            f"One edited blueprint of {count} (whole processes, bytes both ways, median of 3)",
            ["", "requests", "on the wire", "time"], rows,
        )
        stop(server)
        stop(daemon)


# Signed releases


def section_signed():
    """One edit and one poll on a device that pins a root, against one that believes the host, from one directory."""
    for count in (45, 5000):
        content, keys = f"{WORK}/signed{count}", f"{WORK}/keys{count}"
        releases = {name: f"{WORK}/signed{count}-{name}" for name in ("unsigned", "signed")}
        make_content(content, count)
        for release in releases.values():
            publish(content, release)
        run(TOOL, "trust", "init", "--keys", keys, "--content", content, "--release", releases["signed"])
        root = f"{releases['signed']}/metadata/1.root.json"
        relays, servers = {}, []
        for name, release in releases.items():
            server, port = serve(release)
            servers.append(server)
            relays[name] = Relay(port)

        def sync(name):
            store = f"{WORK}/signed{count}-{name}-store"
            if os.path.exists(store):
                end_cooldown(store)
            run(TOOL, "sync", f"http://127.0.0.1:{relays[name].port}{PREFIX}", "--store", store,
                *(["--root", root] if name == "signed" else []))

        def publishing(name):
            begin = time.monotonic()
            run(TOOL, "publish", "--content", content, "--release", releases[name],
                *(["--keys", keys] if name == "signed" else []))
            return time.monotonic() - begin

        rows = {name: [] for name in releases}
        for name in releases:
            sync(name)
            sync(name)
        # As many releases as changesets lead on from.
        for attempt in range(34):
            edit(content, 7 + attempt, f"day {attempt}")
            for name, relay in relays.items():
                took = publishing(name)
                relay.reset()
                begin = time.monotonic()
                sync(name)
                synced = time.monotonic() - begin
                time.sleep(0.05)
                rows[name].append((relay.requests, relay.up + relay.down, synced, took))
        polls = {}
        for name, relay in relays.items():
            relay.reset()
            sync(name)
            time.sleep(0.05)
            polls[name] = relay.up + relay.down
        begin = time.monotonic()
        run(TOOL, "trust", "refresh", "--keys", keys, "--release", releases["signed"])
        refreshed = time.monotonic() - begin
        lines = []
        for name, values in rows.items():
            last = values[-10:]
            middle = [statistics.median(value[index] for value in last) for index in range(4)]
            lines.append([
                name, int(middle[0]), f"{int(middle[1])} B", f"{1000 * middle[2]:.0f} ms", f"{polls[name]} B",
                f"{1000 * middle[3]:.0f} ms",
            ])
        table(
            f"One edited stem in one of {count} blueprints (whole processes, bytes both ways, median of the last 10 of 34)",
            ["release", "requests", "on the wire", "sync", "poll without news", "publish"], lines,
        )
        body = os.path.getsize(f"{releases['signed']}/changes/34")
        print(f"The changeset from the release before: {body} B. `trust refresh`: {1000 * refreshed:.0f} ms.\n")
        for server in servers:
            stop(server)


# Publishing


def section_publish():
    content = f"{WORK}/publish"
    make_content(content, 5000)
    listing = f"find {content}/languages -type f | xargs sha256sum > /dev/null"

    def timed(*command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        run(*command)
        took = time.monotonic() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    timed("sh", "-c", listing)
    hashing, first, incremental, unchanged = [], [], [], []
    for attempt in range(5):
        hashing.append(timed("sh", "-c", listing))
        if attempt < 3:
            # A new folder each time: a file system that has just deleted much is slower.
            release = f"{WORK}/publish-release{attempt}"
            os.sync()
            first.append(timed(TOOL, "publish", "--content", content, "--release", release))
        time.sleep(2.1)
        edit(content, attempt, f"day {attempt}")
        incremental.append(timed(TOOL, "publish", "--content", content, "--release", release))
        time.sleep(2.1)
        timed(TOOL, "publish", "--content", content, "--release", release)
        unchanged.append(timed(TOOL, "publish", "--content", content, "--release", release))
    base, base_cpu = (statistics.median(value[i] for value in hashing) for i in (0, 1))
    rows = []
    for name, values in (
        ("sha256sum over all sources", hashing), ("first publish", first),
        ("publish with one edit", incremental), ("publish with nothing new", unchanged),
    ):
        took = statistics.median(value[0] for value in values)
        cpu = statistics.median(value[1] for value in values)
        rows.append([
            name, f"{1000 * took:.0f} ms", f"{1000 * cpu:.0f} ms", f"{took / base:.2f}",
            f"{cpu / base_cpu:.2f}",
        ])
    size = int(run("du", "-sb", content).split()[0])
    table(
        f"Publishing 5,000 blueprints, {size / 1e6:.0f} MB of sources (median)",
        ["", "time", "CPU", "time of sha256sum", "CPU of sha256sum"], rows,
    )


# The poll that finds nothing new


def plain_poll(port, tag):
    """A client that sends nothing but what the request needs, on an open connection."""
    request = (
        f"GET {PREFIX}/manifest.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Accept-Encoding: gzip\r\nIf-None-Match: {tag}\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        sizes = []
        for _ in range(3):
            connection.sendall(request)
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 304"), answer
            sizes.append(len(request) + len(answer))
    return sizes[-1]


def tag_of(port):
    head = run(
        "curl", "-sI", "-H", "Accept-Encoding: gzip", f"http://127.0.0.1:{port}{PREFIX}/manifest.json"
    )
    return re.search(r"(?i)^etag: (\S+)", head, re.MULTILINE)[1]


def section_poll():
    rows = []
    for count in (45, 5000):
        content, release = f"{WORK}/poll{count}", f"{WORK}/poll{count}-release"
        make_content(content, count)
        publish(content, release)
        ours, port = serve(release)
        theirs, nginx_port = nginx(release)
        relay = Relay(port)
        store = f"{WORK}/poll-store{count}"
        command = [TOOL, "sync", f"http://127.0.0.1:{relay.port}{PREFIX}", "--store", store]
        run(*command)
        end_cooldown(store)
        relay.reset()
        run(*command)
        time.sleep(0.05)
        rows.append([f"{count}: our server, plain client", 1, plain_poll(port, tag_of(port))])
        rows.append([f"{count}: nginx, plain client", 1, plain_poll(nginx_port, tag_of(nginx_port))])
        rows.append([f"{count}: our server, our SDK on Linux", relay.requests, relay.up + relay.down])
        stop(ours)
        stop(theirs)
    table("A poll that finds nothing new", ["", "requests", "bytes up and down"], rows)


# The server


def processor_seconds(process):
    """Of a process and its children, user and system."""
    total = 0
    for pid in [process.pid] + [int(c) for c in run("sh", "-c", f"pgrep -P {process.pid} || true").split()]:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def resident(process):
    total = 0
    for pid in [process.pid] + [int(c) for c in run("sh", "-c", f"pgrep -P {process.pid} || true").split()]:
        with open(f"/proc/{pid}/status") as file:
            total += int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
    return total / 1024


def load(port, process, path, headers):
    before = processor_seconds(process)
    arguments = ["taskset", "-c", "1", "wrk", "-t1", "-c64", "-d3s"]
    for header in headers:
        arguments += ["-H", header]
    out = run(*arguments, f"http://127.0.0.1:{port}{PREFIX}/{path}")
    used = processor_seconds(process) - before
    count = int(re.search(r"(\d+) requests in", out)[1])
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    if failed:
        raise SystemExit(f"{path}: {failed[0]}")
    return count / 3, 1e6 * used / count


def section_server():
    content, release = f"{WORK}/server", f"{WORK}/server-release"
    make_content(content, 45)
    os.makedirs(f"{content}/assets")
    for size in (2048, 20480):
        with open(f"{content}/assets/{size}.bin", "wb") as file:
            file.write(os.urandom(size))
    publish(content, release)
    ours, port = serve(release)
    theirs, nginx_port = nginx(release)
    for process in (ours, theirs):
        for pid in [process.pid] + [int(c) for c in run("sh", "-c", f"pgrep -P {process.pid} || true").split()]:
            run("taskset", "-a", "-p", "-c", "0", str(pid))
    kinds = [
        ("304", "manifest.json", True), ("2 KB", "assets/2048.bin", False),
        ("20 KB", "assets/20480.bin", False),
    ]
    for _, path, _ in kinds:
        run("curl", "-sf", "-o", "/dev/null", f"http://127.0.0.1:{port}{PREFIX}/{path}")
    rows = []
    for name, path, conditional in kinds:
        figures = {"ours": [], "nginx": []}
        for _ in range(3):
            for who, its_port, process in (("ours", port, ours), ("nginx", nginx_port, theirs)):
                headers = ["Accept-Encoding: gzip", f"If-None-Match: {tag_of(its_port)}"] if conditional else []
                figures[who].append(load(its_port, process, path, headers))
        our_rate, our_cpu = (statistics.median(f[i] for f in figures["ours"]) for i in (0, 1))
        rate, cpu = (statistics.median(f[i] for f in figures["nginx"]) for i in (0, 1))
        rows.append([
            name, f"{our_rate:,.0f}", f"{rate:,.0f}", f"{our_rate / rate:.2f}",
            f"{our_cpu:.1f}", f"{cpu:.1f}", f"{cpu / our_cpu:.2f}",
        ])
    table(
        "Server on one core, wrk with 64 connections on the other (median of 3 rounds of 3 s)",
        ["", "ours /s", "nginx /s", "ratio", "our µs CPU", "nginx µs CPU", "nginx / ours"], rows,
    )
    print(f"  resident memory after it: ours {resident(ours):.0f} MB, nginx {resident(theirs):.0f} MB")
    stop(ours)
    stop(theirs)


# The device


def section_device():
    release, bundle, store = f"{WORK}/device-release", f"{WORK}/device-bundle", f"{WORK}/device"
    publish(SAMPLE, release)
    run(TOOL, "bundle", bundle, "--release", release)
    run(TOOL, "study", "es", "--store", store, "--bundle", bundle, stdin=subprocess.DEVNULL)
    query = (
        "SELECT q.json FROM generation g JOIN entry e ON e.generation = g.id"
        " JOIN question q ON q.blueprint = e.checksum"
        " WHERE g.state = 'current' AND e.kind = 'blueprint' AND e.key = 'es'"
    )
    commands = {
        "underway study es": [TOOL, "study", "es", "--store", store],
        "sqlite3, the same rows": ["sqlite3", f"{store}/content.sqlite", query],
        "an empty program (true)": ["true"],
    }
    rows = []
    for name, command in commands.items():
        times, memory = [], 0
        for _ in range(21):
            begin = time.monotonic()
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            times.append(time.monotonic() - begin)
            memory = max(memory, usage.ru_maxrss / 1024)
        rows.append([name, f"{1000 * statistics.median(times[1:]):.1f} ms", f"{memory:.0f} MB"])
    table(
        "Process start to first question offline, 45 languages installed (median of 20)",
        ["", "time", "peak memory"], rows,
    )
    first_sync()


def first_sync():
    """5,000 small objects, by the requests in flight, from both servers, on lines with a delay."""
    content, release = f"{WORK}/many", f"{WORK}/many-release"
    os.makedirs(f"{content}/assets/many")
    with open(f"{content}/underway.yaml", "w") as file:
        file.write("name: Benchmark\n")
    for number in range(5000):
        with open(f"{content}/assets/many/{number}.txt", "wb") as file:
            file.write(os.urandom(1000))
    publish(content, release)
    ours, port = serve(release)
    theirs, nginx_port = nginx(release)
    rows = []
    for name, its_port in (("ours", port), ("nginx", nginx_port)):
        for milliseconds in (0, 10, 50):
            relay = Relay(its_port, milliseconds / 2000)
            cells = [f"{name}, {milliseconds} ms there and back"]
            for count in (4, 8, 16, 32):
                store = f"{WORK}/many-store"
                shutil.rmtree(store, ignore_errors=True)
                begin = time.monotonic()
                process = subprocess.Popen(
                    [TOOL, "sync", f"http://127.0.0.1:{relay.port}{PREFIX}", "--store", store,
                     "--requests-in-flight", str(count)],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                )
                _, status, usage = os.wait4(process.pid, 0)
                assert status == 0, status
                took = time.monotonic() - begin
                cells.append(f"{took:.1f} s, {usage.ru_maxrss / 1024:.0f} MB")
            rows.append(cells)
    table(
        "First sync of 5,000 objects of 1 kB, by the requests in flight (time, peak memory)",
        ["", "4", "8", "16", "32"], rows,
    )
    stop(ours)
    stop(theirs)


def main():
    try:
        for section in SECTIONS:
            if f"section_{section}" not in globals():
                raise SystemExit(f"unknown section {section}: edit, signed, publish, poll, server, device")
            globals()[f"section_{section}"]()
    finally:
        for process in list(running):
            os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(WORK, ignore_errors=True)


main()
