"""A machine of an operator in a temporary folder, for the commands of docs/operators.md.

What the page says is run as it stands there, but for what a test may not touch: absolute folders
(/srv, /var, /etc, /usr/local) are put into the temporary one, the ports 80, 443 and 8080 are free ones
of the loopback, and `content.example.org` is this machine, which rsync reaches by a remote shell that
runs the command here. sudo, useradd and systemctl are stand-ins; the last one runs the ExecStart of the
installed units.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

SANDBOX = pathlib.Path(__file__).with_name("sandbox.sh")
# The number of the user `underway`, who need not exist.
USER = 61234
ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/operators.md").read_text()
RUNBOOK = (ROOT / "docs/runbook.md").read_text()
TOOL = ROOT / ".build/debug/underway"
BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# The blocks of both pages by name: {name: text}.
BLOCKS = {name: text for _, name, text in BLOCK.findall(PAGE + RUNBOOK)}
# Those that were run, held against BLOCKS in the end.
RUN = set()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def await_true(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


def answers(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def can_sandbox():
    """Root may take from a process what the unit takes from it."""
    return os.geteuid() == 0 and shutil.which("setpriv") and subprocess.run(
        ["unshare", "--mount", "true"], capture_output=True).returncode == 0


class World:
    def __init__(self, ports=None, names=None, publishes=True):
        """A machine; with others it has their ports ({number on the page: number here}) and names."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="underway-operator-"))
        # The service's user must get at what is in it.
        self.folder.chmod(0o755)
        self.is_sandboxed = can_sandbox()
        self.here = self.folder / "home"
        self.ports = {name: free_port() for name in ("http", "https", "plain")}
        self.numbers = ports or {"8080": free_port(), "9464": free_port(), "4318": free_port()}
        self.ports["server"] = self.numbers["8080"]
        self.names = names or {}
        self.processes = []
        self.blocks = []
        for name in ("home", "bin", "srv", "var/lib", "var/backups/underway", "usr/local/bin",
                     "etc/systemd/system", "etc/nginx/conf.d"):
            (self.folder / name).mkdir(parents=True)
        for file in (ROOT / "deploy").rglob("*"):
            if file.is_file():
                copy = self.here / file.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(self.placed(file.read_text()))
        (self.here / ".build/release").mkdir(parents=True)
        (self.here / ".build/release/underway").symlink_to(TOOL)
        self.put_stand_ins()
        self.name_hosts({"content.example.org": self})
        if publishes:
            self.tool("init", "content")
            self.tool("publish")

    def close(self):
        for block in self.blocks:
            if block.poll() is None:
                os.killpg(block.pid, signal.SIGKILL)
                block.communicate()
        for process in self.processes:
            process.terminate()
            process.wait()
        self.service("stop")
        shutil.rmtree(self.folder)

    # The page, as it runs here.

    def placed(self, text):
        """The text with this world's folders and ports."""
        ports = self.ports
        for name, here in self.names.items():
            text = text.replace(name, here)
        text = re.sub(r"\b(" + "|".join(self.numbers) + r")\b", lambda port: str(self.numbers[port[0]]), text)
        text = re.sub(r"(?<![\w./])/(srv|var|etc|usr/local)/", rf"{self.folder}/\1/", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{ports['http']};")
        # Devices come by the plain port: they would not believe a certificate that a test made.
        text = text.replace(
            "listen 443 ssl;",
            f"listen 127.0.0.1:{ports['https']} ssl; listen 127.0.0.1:{ports['plain']};")
        return text.replace("0.0.0.0", "127.0.0.1")

    def environment(self):
        return dict(
            os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", SWIFT_BACKTRACE="enable=no",
            RSYNC_RSH=f"{self.folder}/bin/remote-shell", TZ="UTC")

    def name_hosts(self, worlds):
        """Says which machines rsync reaches by which names."""
        (self.folder / "hosts").write_text(
            "".join(f"{self.placed(name)} {world.folder}\n" for name, world in worlds.items()))

    def in_sandbox(self, words, folders):
        """The words of a command that runs as the service's user, who gets the folders and no others."""
        for folder in folders:
            subprocess.run(["chown", "-R", f"{USER}:{USER}", folder], check=True)
        return [SANDBOX, str(USER), *folders, "--", *words]

    def start(self, name, folders=None, input=None, **more):
        """Starts a block of the page, in a group of processes of its own; in a sandbox, where folders are
        named that it may write to. Without a terminal, programs that ask for a password read the input."""
        RUN.add(name)
        words = ["sh", "-c", self.placed(BLOCKS[name])]
        process = subprocess.Popen(
            words if folders is None else self.in_sandbox(words, folders), cwd=self.here, start_new_session=True,
            env=self.environment() | more, text=True, stdout=subprocess.PIPE,
            stdin=None if input is None else subprocess.PIPE, stderr=subprocess.STDOUT)
        self.blocks.append(process)
        return process

    def run(self, name, status=0, folders=None, input=None, **more):
        """Runs a block of the page to its end."""
        process = self.start(name, folders, input, **more)
        output, _ = process.communicate(input, timeout=60)
        assert (process.returncode == 0) == (status == 0), f"{name}: {process.returncode} {output}"
        return output

    # The program.

    def tool(self, *words, status=0, input=""):
        result = subprocess.run(
            [TOOL, *words], cwd=self.here, env=self.environment(), input=input, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        assert result.returncode == status, f"{words}: {result.returncode} {result.stdout}"
        return result.stdout

    def edit(self, number, keys=None):
        """Changes one document and publishes it, signed with the keys of a folder."""
        path = self.here / "content/languages/en/localization.json"
        path.write_text('{"start": "%d"}\n' % number)
        self.tool("publish", *(["--keys", keys] if keys else []))

    def sync(self, address, store="phone", root=None):
        """Syncs a device, which takes signed releases alone where it pins a root."""
        return self.tool("sync", address, "--force", "--store", store, *(["--root", root] if root else []))

    # What runs beside it.

    def check_hardening(self, unit):
        """Fails when a unit leaves the service more than the page says."""
        if shutil.which("systemd-analyze"):
            result = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", "--threshold=16",
                 self.folder / "etc/systemd/system" / unit], capture_output=True, text=True)
            assert result.returncode == 0, result.stdout[-300:] + result.stderr

    def service(self, verb, *units):
        subprocess.run(
            [self.folder / "bin/systemctl", verb, *units], env=self.environment(), check=True, timeout=60)

    def start_nginx(self, conf, upstream=None):
        """nginx as Debian configures it, with one or two files in conf.d."""
        for source, name in ((conf, "underway.conf"), (upstream, "underway-upstream.conf")):
            if source:
                shutil.copy(self.here / "deploy/nginx" / source, self.folder / "etc/nginx/conf.d" / name)
        self.make_certificate()
        process = subprocess.Popen(
            [self.folder / "bin/nginx", "-g", "daemon off;"], env=self.environment(),
            stderr=subprocess.DEVNULL)
        self.processes.append(process)
        await_true(lambda: answers(self.ports["plain"]), "nginx")

    def make_certificate(self):
        live = self.folder / "etc/letsencrypt/live/content.example.org"
        live.mkdir(parents=True, exist_ok=True)
        self.certificate = live / "fullchain.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", live / "privkey.pem", "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)

    def put_stand_ins(self):
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "etc/nginx/nginx.conf").write_text(
            f"{user} pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;\n"
            "events {} http { include /etc/nginx/mime.types; access_log off;\n"
            + "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                      for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            + f"include {self.folder}/etc/nginx/conf.d/*.conf; }}\n")
        real_nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        scripts = {
            "underway": f'exec {TOOL} "$@"',
            "nginx": f'exec {real_nginx} -p {self.folder} -c {self.folder}/etc/nginx/nginx.conf "$@"',
            # rsync gives the host's name, and then what is to be run there.
            "remote-shell": 'there=; until [ "$there" ]; do [ $# -gt 1 ] || exit 1;'
                            f' there=$(awk -v name="$1" \'$1 == name {{ print $2 }}\' {self.folder}/hosts);'
                            ' shift; done;'
                            f' here={self.folder}; exec "${{@//$here/$there}}"',
            "sudo": f'user=${{2/underway/{USER}}}; shift 2;'
                    ' exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"'
                    if self.is_sandboxed else 'shift 2; exec "$@"',
            "useradd": "exit 0",
            "unit-nginx": f'[ "$1" != reload ] || [ ! -s {self.folder}/nginx.pid ] || nginx -s reload',
            # Only root may give files away.
            "install": 'a=(); while [ $# -gt 0 ]; do case $1 in'
                       + (f' -o|-g) a+=("$1" "${{2/underway/{USER}}}"); shift 2 ;;' if self.is_sandboxed
                          else ' -o|-g) shift 2 ;;') +
                       f' *) a+=("$1"); shift ;; esac; done; exec {shutil.which("install")} "${{a[@]}}"',
            "systemctl": f'exec {sys.executable} {pathlib.Path(__file__).parent}/systemctl.py'
                         f' {self.folder} {USER if self.is_sandboxed else "-"} "$@"',
        }
        owner = USER if self.is_sandboxed else 0
        scripts["chown"] = "exit 0" if os.geteuid() != 0 else (
            f'exec {shutil.which("chown")} "${{@/#underway:underway/{owner}:{owner}}}"')
        for name, text in scripts.items():
            self.put_script(name, text)

    def put_script(self, name, text):
        """Puts a program before those of the machine."""
        file = self.folder / "bin" / name
        file.write_text(f"#!/usr/bin/env bash\n{text}\n")
        file.chmod(0o755)


def get(url, headers=None, context=None):
    """A request without redirects: (status, headers, body)."""
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    handlers = [Stay] + ([urllib.request.HTTPSHandler(context=context)] if context else [])
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=20) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def end(process):
    """Asks a started block to end, and returns its exit code."""
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=40)
    return process.returncode
