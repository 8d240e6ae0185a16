"""Stands in for systemctl: runs the ExecStart of the units that were installed, each as the user with the number that
is given and with what the unit leaves it (sandbox.sh); `-` runs them as they are. For the units of other programs it
runs unit-NAME, if there is one."""

import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

ROOT, USER, VERB = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
UNITS = [word for word in sys.argv[4:] if word != "--now"]


def await_true(condition):
    end = time.monotonic() + 40
    while not condition():
        if time.monotonic() > end:
            sys.exit("systemctl: waited too long")
        time.sleep(0.02)


def is_listening(place):
    with socket.socket() as client:
        return client.connect_ex(place) == 0


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


class Unit:
    """A unit of ours, as `underway` or `underway@8081`."""

    def __init__(self, name):
        self.name, self.instance = name, name.partition("@")[2]
        self.pid_file, self.log = ROOT / f"{name}.pid", ROOT / f"{name}.log"

    @property
    def text(self):
        template = self.name.partition("@")[0] + ("@" if self.instance else "")
        return (ROOT / f"etc/systemd/system/{template}.service").read_text().replace("%i", self.instance)

    def setting(self, key):
        found = re.search(rf"^{key}=((?:.*\\\n)*.*)$", self.text, re.MULTILINE)
        return found and found[1].replace("\\\n", " ")

    def environment(self):
        file = self.setting("EnvironmentFile")
        lines = pathlib.Path(file).read_text().splitlines() if file else []
        pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
        # Nothing of the caller's; the home is the one that install-service gives the user.
        own = {key: os.environ[key] for key in ("PATH", "SWIFT_BACKTRACE", "TZ") if key in os.environ}
        return own | {"HOME": str(ROOT / "var/lib/underway")} | {
            key: "".join(shlex.split(value)) for key, _, value in pairs}

    def run_once(self, words, more):
        """Runs a oneshot to its end, with the folders that it may write to."""
        folders = shlex.split(self.setting("ReadWritePaths") or "")
        if USER != "-":
            words = [pathlib.Path(__file__).with_name("sandbox.sh"), USER, *folders, "--", *words]
        result = subprocess.run(words, env=more, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            sys.exit(result.stdout)

    def start(self):
        more = self.environment()
        words = [re.sub(r"\$\{(\w+)\}", lambda name: more[name[1]], word)
                 for word in shlex.split(self.setting("ExecStart"))]
        if self.setting("Type") == "oneshot":
            return self.run_once(words, more)
        place = (words[words.index("--host") + 1], int(words[words.index("--port") + 1]))
        state = ROOT / "var/lib" / self.setting("StateDirectory")
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        if USER != "-":
            subprocess.run(["chown", "-R", f"{USER}:{USER}", state], check=True)
            words = [pathlib.Path(__file__).with_name("sandbox.sh"), USER, state, "--", *words]
        process = subprocess.Popen(
            words, start_new_session=True, env=more,
            stdout=open(self.log.with_suffix(".access"), "a"), stderr=open(self.log, "a"))
        self.pid_file.write_text(str(process.pid))
        await_true(lambda: is_listening(place) or process.poll() is not None)
        if process.poll() is not None:
            sys.exit(self.log.read_text())

    def stop(self):
        if not self.pid_file.exists():
            return
        pid = int(self.pid_file.read_text())
        self.pid_file.unlink()
        if not is_gone(pid):
            os.kill(pid, signal.SIGTERM)
            await_true(lambda: is_gone(pid))


def running(pattern):
    return [Unit(file.stem) for file in ROOT.glob(f"{pattern}.pid")]


for name in UNITS or ["underway*"]:
    program = ROOT / f"bin/unit-{name}"
    if program.exists():
        subprocess.run([program, VERB], check=True)
    elif name.endswith(".timer"):
        # Time does not pass here; a test starts the service as the timer would.
        if not (ROOT / "etc/systemd/system" / name).exists():
            sys.exit(f"There is no timer {name}.")
    elif name.startswith("underway"):
        for unit in running(name) if "*" in name else [Unit(name)]:
            if VERB in ("stop", "disable", "restart"):
                unit.stop()
            if VERB in ("enable", "start", "restart"):
                unit.start()
