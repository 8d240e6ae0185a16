"""The servers of the benchmark of PostgreSQL: PostgreSQL, PgBouncer and our own, each ended with this process."""

import glob
import http.client
import os
import pwd
import shutil
import subprocess
import tempfile
import time

from common import await_port, free_port

TICK = os.sysconf("SC_CLK_TCK")
PASSWORD = "benchmark"
running = []


def newest(program):
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{program}"), key=lambda path: int(path.split("/")[4]))
    if not found and not (found := [shutil.which(program)])[0]:
        raise SystemExit(f"{program} is missing; run script/bootstrap bench")
    return found[-1]


def as_database_user():
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    user = pwd.getpwnam("postgres")
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def start(command, log, **environment):
    """Starts a program that is killed with this process, whatever ends that."""
    with open(log, "ab") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
    running.append(process)
    return process


def stop(process, signal="terminate"):
    getattr(process, signal)()
    process.wait(timeout=40)
    running.remove(process)


def stop_all(but=None):
    for process in reversed(list(running)):
        if process is but:
            continue
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        running.remove(process)


def processor_seconds(*roots):
    """The processor time of processes, of those that they started, and of those of these that ended."""
    parents = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                text = file.read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()
        parents[int(path.split("/")[2])] = (int(fields[1]), fields)
    wanted, total = set(roots), 0
    while more := {pid for pid, (parent, _) in parents.items() if parent in wanted} - wanted:
        wanted |= more
    for pid in wanted & parents.keys():
        total += sum(int(value) for value in parents[pid][1][11:15])
    return total / TICK


def resident_megabytes(pid, kind="VmRSS"):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(kind)) / 1024


class Postgres:
    """A cluster of its own in a temporary folder; commits are synced to the disk, as the operators' page has it."""

    def __init__(self, work):
        self.folder, self.port = tempfile.mkdtemp(dir=work), free_port()
        password = f"{self.folder}/password"
        with open(password, "w") as file:
            file.write(PASSWORD)
        if os.geteuid() == 0:
            for path in (self.folder, password):
                shutil.chown(path, "postgres", "postgres")
        subprocess.run(
            as_database_user() + [
                newest("initdb"), "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres",
                "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={password}",
                f"--pgdata={self.folder}/data"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        settings = {
            "listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder,
            "max_connections": 100, "shared_buffers": "512MB", "max_wal_size": "2GB", "timezone": "UTC",
            "logging_collector": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        setpriv = as_database_user() or ["setpriv"]
        self.process = start(
            setpriv + ["--pdeathsig=INT", newest("postgres"), "-D", f"{self.folder}/data"] + options,
            f"{work}/postgres.log")
        await_port(self.port)
        while "1" not in self.sql("select 1", database="postgres", check=False):
            time.sleep(0.05)
        self.sql("create database underway", database="postgres")

    def psql(self, database="underway"):
        return ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port),
                "-U", "postgres", "-d", database]

    def sql(self, text, database="underway", check=True):
        return subprocess.run(
            self.psql(database) + ["-c", text], check=check, stdout=subprocess.PIPE,
            stderr=None if check else subprocess.DEVNULL, text=True).stdout.strip()

    def number(self, text):
        return float(self.sql(text) or 0)

    def address(self, user, port=None):
        return f"postgres://{user}@127.0.0.1:{port or self.port}/underway"

    def migrate(self, tool):
        subprocess.run(
            [tool, "db", "migrate", "--database", self.address("postgres")], check=True,
            stdout=subprocess.DEVNULL, env=dict(os.environ, PGPASSWORD=PASSWORD))
        self.sql(f"alter role underway_server password '{PASSWORD}'")


class PgBouncer:
    """PgBouncer in transaction mode."""

    def __init__(self, work, postgres, connections):
        self.folder, self.port = tempfile.mkdtemp(dir=work), free_port()
        with open(f"{self.folder}/users", "w") as file:
            file.write(f'"underway_server" "{PASSWORD}"\n')
        with open(f"{self.folder}/pgbouncer.ini", "w") as file:
            file.write(
                f"[databases]\n* = host=127.0.0.1 port={postgres.port}\n[pgbouncer]\n"
                f"listen_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
                f"auth_type = scram-sha-256\nauth_file = {self.folder}/users\npool_mode = transaction\n"
                f"default_pool_size = {connections}\nmax_client_conn = 1000\n")
        if os.geteuid() == 0:
            for path in (self.folder, f"{self.folder}/users", f"{self.folder}/pgbouncer.ini"):
                shutil.chown(path, "postgres", "postgres")
        setpriv = as_database_user() or ["setpriv"]
        program = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
        self.process = start(
            setpriv + ["--pdeathsig=INT", program, f"{self.folder}/pgbouncer.ini"], f"{work}/pgbouncer.log")
        await_port(self.port)


class Underway:
    """Our server as one or several processes, on PostgreSQL when there is an address, else on SQLite.

    Each process has a folder of its own, and all have the key of the first.
    """

    def __init__(self, work, tool, release, folders, database=None, connections=8, prepared=False):
        self.processes, self.ports, self.folders = [], [], folders
        for folder in folders:
            port = free_port()
            command = ["setpriv", "--pdeathsig=KILL", tool, "serve", "--release", release, "--port", str(port),
                       "--quiet", "--behind-proxy"]
            if folder:
                command += ["--data", folder]
            if database:
                command += ["--database", database, "--database-connections", str(connections)]
            if prepared:
                command.append("--prepared-statements")
            key = f"{folders[0]}/token-key"
            if folder != folders[0] and not os.path.exists(f"{folder}/token-key"):
                shutil.copy(key, folder)
            self.processes.append(start(command, f"{work}/underway.log", PGPASSWORD=PASSWORD))
            self.ports.append(port)
            await_ready(port)

    def pids(self):
        return [process.pid for process in self.processes]

    def stop(self):
        for process in self.processes:
            stop(process)


def await_ready(port):
    """Waits until the server serves; returns the time."""
    await_port(port)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/health/ready")
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        if reply.status == 200:
            return time.monotonic()
        time.sleep(0.01)
    raise SystemExit(f"The server is not ready: {text}")
