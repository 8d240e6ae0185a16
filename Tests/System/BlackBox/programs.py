"""The programs that a test runs. They end with the test, however it ends."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time

STARTING_SECONDS_MAX = 60
# A server finishes what it has begun within 30 s.
ENDING_SECONDS_MAX = 40

# Its input ends when the test ends: then it ends what still runs, and removes the folders.
GUARD = """
trap "" INT TERM HUP
running=
while read -r what process; do
    rest=
    for one in $running; do [ "$one" = "$process" ] || rest="$rest $one"; done
    running=$rest
    [ "$what" = - ] || running="$running $process"
done
if [ -n "$running" ]; then
    kill -TERM $running 2>/dev/null
    for try in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 $running 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL $running 2>/dev/null
fi
for try in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf "$@" 2>/dev/null && exit 0
    sleep 0.2
done
"""


class Programs:
    """Starts programs, and sees to their end by their process ids."""

    def __init__(self, *folders):
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", GUARD, "sh", *folders], stdin=subprocess.PIPE, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self._running, self._lock = {}, threading.Lock()

    def start(self, words, log, **more):
        """Starts a program whose output goes to the end of a file."""
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True, **more)
        self._tell("+", process)
        return process

    def end(self, process, number=signal.SIGKILL):
        """Ends a program by a signal, and by another one if that takes too long; returns its exit code."""
        if process.poll() is None:
            process.send_signal(number)
        try:
            code = process.wait(timeout=ENDING_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._tell("-", process)
        return code

    def close(self):
        """Ends what still runs, the last first."""
        for process in reversed(list(self._running.values())):
            self.end(process, signal.SIGINT)

    def _tell(self, what, process):
        with self._lock:
            if what == "+":
                self._running[process.pid] = process
            else:
                self._running.pop(process.pid, None)
            self._guard.stdin.write(f"{what} {process.pid}\n")
            self._guard.stdin.flush()


def require_running(process, name, log):
    """Raises an error when a program ended by itself."""
    if process.poll() is not None:
        end = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")[-1_000:]
        raise RuntimeError(f"{name} ended by itself ({process.returncode}): {end}")


def await_true(condition, what, seconds=STARTING_SECONDS_MAX):
    """Asks again and again until the answer is yes."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {seconds} s: {what}")
        time.sleep(0.005)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def find(name):
    """The path of a program, also of those that only administrators have in their PATH."""
    newest = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"),
                    key=lambda path: int(path.parent.name), reverse=True)
    places = [str(path) for path in newest] + [os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"]
    path = shutil.which(name, path=":".join(places))
    if path is None:
        raise RuntimeError(f"{name} is not installed; `script/bootstrap test` installs it")
    return path


def other_user():
    """The user for programs that refuse to run as root; None when this is not root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def as_other_user(words):
    """The words of a command that runs as that user."""
    user = other_user()
    if user is None:
        return words
    return ["setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups",
            *words]


def give(path):
    """Gives a file or a folder to that user."""
    user = other_user()
    if user is not None:
        os.chown(path, user.pw_uid, user.pw_gid)
