"""Stands in for systemctl: runs the ExecStart of the one unit that was installed."""

import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

root, port, verb = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
pid_file = root / "service.pid"


def await_true(condition):
    end = time.monotonic() + 40
    while not condition():
        if time.monotonic() > end:
            sys.exit("systemctl: waited too long")
        time.sleep(0.02)


def is_listening():
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


if verb in ("enable", "start"):
    unit = (root / "etc/systemd/system/underway.service").read_text()
    command = re.search(r"^ExecStart=((?:.*\\\n)*.*)$", unit, re.MULTILINE)[1]
    # StateDirectory=
    (root / "var/lib/underway").mkdir(mode=0o700, exist_ok=True)
    process = subprocess.Popen(
        shlex.split(command.replace("\\\n", " ")), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=open(root / "service.log", "a"))
    pid_file.write_text(str(process.pid))
    await_true(lambda: is_listening() or process.poll() is not None)
    if process.poll() is not None:
        sys.exit((root / "service.log").read_text())
elif verb == "stop" and pid_file.exists():
    pid = int(pid_file.read_text())
    pid_file.unlink()
    if not is_gone(pid):
        os.kill(pid, signal.SIGTERM)
        await_true(lambda: is_gone(pid))
