"""Stands in for systemctl: runs the ExecStart of the one unit that was installed, as the user with the number
that is given and with what the unit leaves it (sandbox.sh); `-` runs it as it is."""

import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

root, port, user, verb = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
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
    state = root / "var/lib/underway"
    state.mkdir(mode=0o700, exist_ok=True)
    words = shlex.split(command.replace("\\\n", " "))
    if user != "-":
        subprocess.run(["chown", "-R", f"{user}:{user}", state], check=True)
        words = [pathlib.Path(__file__).with_name("sandbox.sh"), user, state, "--", *words]
    process = subprocess.Popen(
        words, start_new_session=True,
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
