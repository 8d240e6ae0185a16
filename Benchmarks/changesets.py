"""Changesets against what they replace: catching up after an absence, the bytes of one edit by several clients, and
what a device pays for one.

Everything runs on the loopback, in a temporary folder, and is stopped at the end.
"""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from common import Relay, await_port, end_cooldown, free_port, table
from content import make_content

TOOL = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="underway-changesets-")
PREFIX = "/api/content/v2"
COUNT = 5000
RELEASES = 104
WORDS = "which means day never always word house green train seven open letter".split()
running = []


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def measured(*command):
    """The processor time in seconds and the greatest memory in bytes of one command."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def start(*command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    running.append(process)
    return process


def serve(release):
    port = free_port()
    start(TOOL, "serve", "--release", release, "--port", str(port), "--threads", "1", "--quiet")
    await_port(port)
    return port


def nginx(release):
    """nginx as it comes, for HTTP/1.1 and for HTTP/2 without TLS."""
    ports = free_port(), free_port()
    folder = tempfile.mkdtemp(dir=WORK)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(
            f"daemon off; pid {folder}/pid; error_log /dev/null; user root;"
            f"events {{ worker_connections 64; }} http {{ access_log off; {paths}"
            f"server {{ listen 127.0.0.1:{ports[0]}; listen 127.0.0.1:{ports[1]} http2;"
            f" location {PREFIX}/ {{ alias {release}/; add_header Cache-Control no-cache; }} }} }}"
        )
    start("nginx", "-c", f"{folder}/nginx.conf", "-p", folder)
    for port in ports:
        await_port(port)
    return ports


def rsync_daemon(release):
    port = free_port()
    folder = tempfile.mkdtemp(dir=WORK)
    with open(f"{folder}/rsyncd.conf", "w") as file:
        file.write(f"use chroot = no\nlock file = {folder}/lock\n[release]\npath = {release}\n")
    start("rsync", "--daemon", "--no-detach", f"--config={folder}/rsyncd.conf", "--address=127.0.0.1", f"--port={port}")
    await_port(port)
    return port


def change(chance, content):
    """One release's edits: mostly a word in one file, sometimes several files, now and then many."""
    kind = chance.random()
    files = 1 if kind < 0.8 else chance.randint(2, 5) if kind < 0.95 else chance.randint(20, 100)
    for _ in range(files):
        path = f"{content}/languages/x{chance.randrange(COUNT):05d}/blueprint.json"
        with open(path) as file:
            blueprint = json.load(file)
        for _ in range(1 if files == 1 else chance.randint(1, 10)):
            question = chance.choice(blueprint["questions"])
            words = question["stem"].split(" ")
            words[chance.randrange(len(words))] = chance.choice(WORDS) + str(chance.randrange(1000))
            question["stem"] = " ".join(words)
        with open(path, "w") as file:
            json.dump(blueprint, file, ensure_ascii=False, indent=2)


def sync(store, port, *more):
    if os.path.exists(store):
        end_cooldown(store)
    return (TOOL, "sync", f"http://127.0.0.1:{port}{PREFIX}", "--store", store, "--json", *more)


def main():
    chance = random.Random(19)
    content, release, keys = f"{WORK}/content", f"{WORK}/release", f"{WORK}/keys"
    make_content(content, COUNT)
    run(TOOL, "publish", "--content", content, "--release", release)
    run(TOOL, "trust", "init", "--keys", keys, "--content", content, "--release", release)
    root = ("--root", f"{release}/metadata/1.root.json")
    server = Relay(serve(release))
    daemon = Relay(rsync_daemon(release))
    devices = {}
    run(*sync(f"{WORK}/first", server.port, *root))
    run(*sync(f"{WORK}/first", server.port, *root))
    behind = (100, 32, 10, 3, 1)
    for number in range(2, RELEASES + 1):
        distance = RELEASES - number + 1
        if distance in behind:
            # A device, and a mirror for rsync, that see nothing from now on.
            run(*sync(f"{WORK}/first", server.port, *root))
            for name in ("changeset", "plain"):
                shutil.copytree(f"{WORK}/first", f"{WORK}/{name}-{distance}")
            shutil.copytree(f"{release}/blueprints", f"{WORK}/mirror-{distance}")
            with open(f"{release}/manifest.json") as file:
                devices[distance] = json.load(file)["release"]
        change(chance, content)
        run(TOOL, "publish", "--content", content, "--release", release, "--keys", keys)

    # A host without changesets: what any client of The Update Framework does.
    without = f"{WORK}/without"
    shutil.copytree(release, without, ignore=shutil.ignore_patterns("changes", ".underway"), copy_function=os.link)
    plain = Relay(serve(without))
    rows, rejected = [], 0
    for distance in sorted(behind):
        row = [distance]
        for name, relay in (("changeset", server), ("plain", plain)):
            relay.reset()
            report = json.loads(run(*sync(f"{WORK}/{name}-{distance}", relay.port, *root)))
            if report["outcome"] != "installed":
                raise SystemExit(f"{name}, {distance} behind: {report}")
            rejected += report.get("changesetProblem") is not None
            time.sleep(0.05)
            row += [relay.requests, f"{relay.up + relay.down:,} B"]
        daemon.reset()
        run("rsync", "-az", "--delete", "--exclude=*.gz", "--exclude=*.br",
            f"rsync://127.0.0.1:{daemon.port}/release/blueprints/", f"{WORK}/mirror-{distance}/")
        time.sleep(0.05)
        row.append(f"{daemon.up + daemon.down:,} B")
        rows.append(row)
    table(f"Catching up in {COUNT} blueprints (bytes both ways; seed 19)",
          ["releases behind", "requests", "changeset", "requests", "plain TUF", "rsync daemon"], rows)
    print(f"Rejected changesets: {rejected}.\n")

    edits(content, release, keys, server, chance)
    costs(content, release, keys, server, plain, without, root, chance)


def edits(content, release, keys, server, chance):
    """The bytes of one edit, with the least that a client can send."""
    path = f"{content}/languages/x00007/blueprint.json"
    with open(path) as file:
        blueprint = json.load(file)
    blueprint["questions"][0]["stem"] += "!"
    with open(path, "w") as file:
        json.dump(blueprint, file, ensure_ascii=False, indent=2)
    run(TOOL, "publish", "--content", content, "--release", release, "--keys", keys)
    with open(f"{release}/manifest.json") as file:
        base = json.load(file)["release"] - 1
    body = os.path.getsize(f"{release}/changes/{base}")
    web, web2 = nginx(release)
    rows = []
    for name, port in (("underway serve", server.target), ("nginx", web)):
        rows.append([name, "HTTP/1.1, plain socket", body, *exchange(port, base)])
    relay = Relay(web2)
    url = f"http://127.0.0.1:{relay.port}{PREFIX}/changes/{base}"
    # curl 7.88 opens a connection without TLS for each request, so what opens it is counted too.
    run("curl", "-sf", "--http2-prior-knowledge", "-o", "/dev/null", "-H", "User-Agent:", "-H", "Accept:", url)
    time.sleep(0.05)
    rows.append(["nginx", "HTTP/2, with the opening of the connection", body, relay.up, relay.down,
                 relay.up + relay.down])
    table(f"One letter in one of {COUNT} blueprints (bytes; HTTP/1.1 on an open connection)",
          ["server", "client", "body", "up", "down", "sum"], rows)


def exchange(port, base):
    """Sends the shortest request and counts its reply; then the poll."""
    path = f"{PREFIX}/changes/{base}"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(5)
        request = f'GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: "1"\r\n\r\n'.encode()
        for _ in range(2):
            connection.sendall(request)
            reply = b""
            while b"\r\n\r\n" not in reply:
                reply += connection.recv(65536)
            head, _, rest = reply.partition(b"\r\n\r\n")
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n")
                          if line.lower().startswith(b"content-length"))
            while len(rest) < length:
                more = connection.recv(65536)
                reply, rest = reply + more, rest + more
        return len(request), len(reply), len(request) + len(reply)


def costs(content, release, keys, server, plain, without, root, chance):
    """What a device pays for one edit: processor time of the process, and its greatest memory."""
    rows = []
    for name, relay in (("changeset", server), ("plain TUF", plain)):
        store = f"{WORK}/cost-{name[:5]}"
        run(*sync(store, relay.port, *root))
        run(*sync(store, relay.port, *root))
        idle = min(measured(*sync(store, relay.port, *root)) for _ in range(5))
        spent = []
        for _ in range(5):
            path = f"{content}/languages/x{chance.randrange(COUNT):05d}/blueprint.json"
            with open(path) as file:
                blueprint = json.load(file)
            blueprint["questions"][0]["stem"] += "?"
            with open(path, "w") as file:
                json.dump(blueprint, file, ensure_ascii=False, indent=2)
            time.sleep(2.1)
            run(TOOL, "publish", "--content", content, "--release", release, "--keys", keys)
            if relay is plain:
                run("rsync", "-a", "--exclude=/changes", "--exclude=/.underway", f"{release}/", f"{without}/")
                time.sleep(2.1)
            spent.append(measured(*sync(store, relay.port, *root)))
        seconds, memory = (sorted(value[i] for value in spent)[2] for i in (0, 1))
        rows.append([name, f"{1000 * idle[0]:.0f} ms", f"{1000 * seconds:.0f} ms", f"{memory / 1e6:.0f} MB"])
    table(f"One edit of {COUNT} on the device (whole process, median of 5)",
          ["", "processor time of a poll", "of the edit", "greatest memory"], rows)


try:
    main()
finally:
    for process in running:
        process.terminate()
    for process in running:
        process.wait(timeout=20)
    shutil.rmtree(WORK, ignore_errors=True)
