"""The benchmark of assets: from a save to the value in an app, a refresh that finds nothing, memory.

Beside ours in the same run: the floor (a watcher and a read in one process), the development server
livereload (which tells a browser to load a page anew), curl with the same conditional request, and the bare
values.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import websockets

from common import Relay, await_port, free_port, table

TOOL, APP = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = tempfile.mkdtemp(prefix="underway-assets-")
SAVES, REFRESHES, ASSETS = 300, 500, 1_000
running = []


def start(*command, port=None):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True
    )
    running.append(process)
    if port:
        await_port(port)
    return process


def stop(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    running.remove(process)


def app(*arguments):
    output = subprocess.run([APP, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout
    return json.loads(output.splitlines()[-1])


def percentile(samples, share):
    return sorted(samples)[min(len(samples) - 1, int(share * len(samples)))]


def times(samples):
    return [f"{percentile(samples, share):.1f}" for share in (0.5, 0.99)] + [f"{max(samples):.1f}"]


# MARK: From a save to a value


def ours(content, name):
    """Saves a setting again and again while an app follows `underway dev`."""
    folder = f"{WORK}/{name}"
    for step in (("publish", "--content", content, "--release", f"{folder}/release"),
                 ("bundle", f"{folder}/bundle", "--release", f"{folder}/release")):
        subprocess.run([TOOL, *step], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    server = start(TOOL, "dev", "--content", content, "--release", f"{folder}/dev", "--port", str(port), port=port)
    result = app(
        "latency", f"http://127.0.0.1:{port}", f"{folder}/bundle", f"{folder}/app", f"{content}/assets/features.json",
        SAVES)
    stop(server)
    return result["milliseconds"]


async def reloads(port, file):
    samples = []
    async with websockets.connect(f"ws://127.0.0.1:{port}/livereload") as browser:
        protocols = ["http://livereload.com/protocols/official-7"]
        await browser.send(json.dumps({"command": "hello", "protocols": protocols}))
        await browser.recv()
        await browser.send(json.dumps({"command": "info", "url": f"http://127.0.0.1:{port}/"}))
        for number in range(8):
            # It tells of one change in three seconds at most.
            await asyncio.sleep(3.1 + 0.137 * number)
            begin = time.monotonic()
            with open(file, "w") as out:
                out.write('{ "dailyGoal": %d }' % number)
            while json.loads(await asyncio.wait_for(browser.recv(), 10))["command"] != "reload":
                pass
            samples.append((time.monotonic() - begin) * 1_000)
    return samples


def livereload():
    """A save until the browser is told; it then still has to fetch the file."""
    folder = f"{WORK}/livereload"
    os.makedirs(folder)
    file = f"{folder}/features.json"
    with open(file, "w") as out:
        out.write("{}")
    port = free_port()
    program = f"from livereload import Server; s = Server(); s.watch({file!r}); s.serve(port={port}, root={folder!r})"
    server = start(sys.executable, "-c", program, port=port)
    samples = asyncio.run(reloads(port, file))
    stop(server)
    return samples


def small_content():
    folder = f"{WORK}/small-content"
    os.makedirs(f"{folder}/assets", exist_ok=True)
    with open(f"{folder}/underway.yaml", "w") as out:
        out.write("name: Small\n")
    with open(f"{folder}/assets/features.json", "w") as out:
        out.write('{ "dailyGoal": 1 }')
    return folder


def section_latency():
    sample = f"{WORK}/sample-content"
    shutil.copytree(f"{ROOT}/Sample/content", sample)
    os.makedirs(f"{WORK}/floor")
    floor = app("floor", f"{WORK}/floor/features.json", SAVES)["milliseconds"]
    table(
        f"From a save to the value in an app, milliseconds ({SAVES} saves; livereload 8)",
        ["", "p50", "p99", "max"],
        [
            ["underway dev, sample (47 blueprints)", *times(ours(sample, "sample"))],
            ["underway dev, one asset", *times(ours(small_content(), "small"))],
            ["floor: watch and read in one process", *times(floor)],
            ["livereload 2.7.1, until it tells a browser", *times(livereload())],
        ],
    )


# MARK: Nothing new


def section_idle():
    content, release = small_content(), f"{WORK}/idle"
    subprocess.run([TOOL, "publish", "--content", content, "--release", release], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    server = start(TOOL, "serve", "--release", release, "--port", str(port), "--quiet", port=port)
    relay = Relay(port)
    path = "/api/content/v2/assets/features.json"
    process = subprocess.Popen(
        [APP, "idle", f"http://127.0.0.1:{relay.port}{path}", f"{WORK}/idle-kept", str(REFRESHES)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    relay.reset()
    output, _ = process.communicate("\n")
    samples = json.loads(output.splitlines()[-1])["milliseconds"]
    counted = (relay.requests / REFRESHES, (relay.up + relay.down) / REFRESHES)
    head = subprocess.run(["curl", "-sI", f"http://127.0.0.1:{port}{path}"], check=True, stdout=subprocess.PIPE, text=True)
    tag = re.search(r"(?i)etag: (\S+)", head.stdout)[1]
    relay.reset()
    # One process and one connection for all, as the app has them.
    urls = [f"http://127.0.0.1:{relay.port}{path}"] * REFRESHES
    arguments = ["curl", "-s", "-H", f"If-None-Match: {tag}", "-w", "%{time_total}\n", "-o", "/dev/null", *urls]
    curl = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True)
    curl_samples = [float(line) * 1_000 for line in curl.stdout.split()]
    stop(server)
    table(
        f"A refresh that finds nothing new ({REFRESHES} in a row, one connection)",
        ["", "requests", "bytes", "p50 ms", "p99 ms"],
        [
            ["RemoteAsset over URLSession", f"{counted[0]:.2f}", f"{counted[1]:.0f}", *times(samples)[:2]],
            ["curl, the same condition", f"{relay.requests / REFRESHES:.2f}",
             f"{(relay.up + relay.down) / REFRESHES:.0f}", *times(curl_samples)[:2]],
        ],
    )


# MARK: Memory


def section_memory():
    live = app("memory", f"{WORK}/memory", ASSETS, "live")["kilobytes"]
    bare = app("memory", f"{WORK}/memory-bare", ASSETS, "bare")["kilobytes"]
    table(
        f"Memory of {ASSETS:,} assets of 1 kB of JSON, each watched and waiting for its next refresh",
        ["", "MB", "kB each"],
        [
            ["live assets", f"{live / 1024:.1f}", f"{live / ASSETS:.1f}"],
            ["their values alone", f"{bare / 1024:.1f}", f"{bare / ASSETS:.1f}"],
        ],
    )


SECTIONS = {"latency": section_latency, "idle": section_idle, "memory": section_memory}
try:
    for name in sys.argv[3:] or SECTIONS:
        SECTIONS[name]()
finally:
    for process in list(running):
        stop(process)
    shutil.rmtree(WORK, ignore_errors=True)
