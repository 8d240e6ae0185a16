"""The server: its unit, nginx before it, backup and restore, and each way to start it."""

import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import unittest
import urllib.request

from world import ROOT, TOOL, USER, World, answers, await_true, end, free_port, get


def series(text):
    """The names of exported numbers, each with its labels; those of a histogram by its own name."""
    found = {}
    for line in text.splitlines():
        if match := re.match(r"([a-z_]+)(?:\{(.*)\})? ", line):
            name = re.sub("_(bucket|sum|count)$", "", match[1])
            found.setdefault(name, set()).update(re.findall(r'([a-z_]+)="', match[2] or ""))
    return found


def dashboard_queries(value):
    """Every query of a dashboard, wherever it is."""
    if isinstance(value, dict):
        if "expr" in value:
            yield value["expr"]
        for inner in value.values():
            yield from dashboard_queries(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from dashboard_queries(inner)


def selectors(query):
    """The names in a query, each with the labels that it selects by and those that the query groups by."""
    grouping = {label.strip() for text in re.findall(r"by \(([^)]*)\)", query) for label in text.split(",")}
    for name, labels in re.findall(r"([a-z_]+)\{([^}]*)\}", query):
        yield name, set(re.findall(r"([a-z_]+)=", labels)), grouping


class Server(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.served = self.world.folder / "srv/content"
        shutil.copytree(self.world.here / "release", self.served)
        shutil.copytree(self.world.here / "content", self.world.folder / "srv/content-folder")
        self.server = f"http://127.0.0.1:{self.world.ports['server']}"

    def install(self):
        self.world.run("install-service")

    def sign_in(self, email, address=None, status=0, password="correct horse"):
        return self.world.tool(
            "account", "sign-in", email, "--bring", "nothing", "--store", "tablet", "--server",
            address or self.server, input=password + "\n", status=status)

    def test_the_unit_is_valid_and_hardened_and_runs(self):
        self.install()
        self.assertEqual(get(f"{self.server}/health/ready")[0], 200)
        self.assertTrue((self.world.folder / "var/lib/underway/keys/token-key").exists())
        self.world.check_hardening("underway.service")

    def test_a_new_machine_waits_for_its_first_release(self):
        shutil.rmtree(self.served)
        self.install()
        status, _, body = get(f"{self.server}/health/ready")
        self.assertEqual(status, 503)
        self.assertIn(b"There is no release to serve yet", body)
        shutil.copytree(self.world.here / "release", self.served, dirs_exist_ok=True)
        await_true(lambda: get(f"{self.server}/health/ready")[0] == 200, "the server to see the release")
        self.assertIn("Installed release 1", self.world.sync(f"{self.server}/api/content/v2"))

    def test_it_works_with_what_the_unit_leaves_it(self):
        if not self.world.is_sandboxed:
            self.skipTest("only root with unshare and setpriv can take away what the unit takes")
        world, home = self.world, self.world.here
        self.install()
        pid = (world.folder / "underway.pid").read_text()
        status = (pathlib.Path("/proc") / pid / "status").read_text()
        for line in ("NoNewPrivs:\t1", "CapEff:\t" + "0" * 16, "CapBnd:\t" + "0" * 16, f"Uid:\t{USER}"):
            self.assertIn(line, status)
        state, backups = world.folder / "var/lib/underway", world.folder / "var/backups/underway"
        for folder, code in ((self.served, 1), (world.folder, 1), (state, 0)):
            words = world.in_sandbox(["touch", folder / "mark"], [state])
            self.assertEqual(subprocess.run(words, capture_output=True).returncode, code, folder)
        # Users' data is written, a release is published, and both are read.
        world.tool("reserve", "add", "int/swift", "2026-12-24", "--store", "phone")
        self.assertIn("Installed release 1", world.sync(f"{self.server}/api/content/v2"))
        world.tool("account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.server,
                   input="correct horse\n")
        (home / "content/languages/en/localization.json").write_text('{"start": "again"}\n')
        publish = world.in_sandbox(
            [TOOL, "publish", "--release", self.served], [home / "content", self.served])
        result = subprocess.run(publish, cwd=home, env=world.environment(), capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Published release 2", result.stdout)
        self.assertEqual(get(f"{self.server}/health/ready")[0], 200)
        self.assertIn("Installed release 2", world.sync(f"{self.server}/api/content/v2"))
        world.run("backup-users", folders=[state, backups])
        check = subprocess.run(
            ["sqlite3", backups / "users.sqlite", "PRAGMA integrity_check"], capture_output=True, text=True)
        self.assertEqual(check.stdout, "ok\n")
        world.service("stop")
        self.assertNotIn("error", (world.folder / "underway.log").read_text())

    def test_a_timer_signs_the_timestamp_with_its_key_alone(self):
        world = self.world
        world.run("trust-init")
        root = world.here / "release/metadata/1.root.json"
        shutil.copytree(world.here / "release", self.served, dirs_exist_ok=True)
        self.install()
        world.run("give-timestamp-key")
        world.run("install-refresh")
        world.check_hardening("underway-refresh.service")
        timestamp = self.served / "metadata/timestamp.json"
        before = json.loads(timestamp.read_text())["signed"]["version"]
        world.service("start", "underway-refresh")
        self.assertEqual(json.loads(timestamp.read_text())["signed"]["version"], before + 1)
        self.assertIn("timestamp", world.run("trust-status"))
        self.assertIn("Installed release 1", world.sync(f"{self.server}/api/content/v2", root=root))
        # Without its key nothing is signed, and the failure is the unit's.
        next((world.folder / "var/lib/underway/signing").glob("timestamp-*.pem")).unlink()
        with self.assertRaises(subprocess.CalledProcessError):
            world.service("start", "underway-refresh")

    def test_each_way_to_start_it_serves_and_ends_well(self):
        for name in ("serve", "serve-users", "serve-behind-proxy"):
            process = self.world.start(name)
            await_true(
                lambda: answers(self.world.ports["server"]) or process.poll() is not None, name)
            if process.poll() is not None:
                self.fail(f"{name}: {process.communicate()[0]}")
            self.assertEqual(get(f"{self.server}/health/live")[0], 200)
            self.assertIn(end(process), (0, -15))

    def start_with_numbers(self):
        """Starts the server of the page, and makes some requests."""
        process = self.world.start("serve-with-numbers")
        await_true(
            lambda: answers(self.world.numbers["9464"]) and answers(self.world.ports["server"])
            or process.poll() is not None, "numbers")
        for path in ("/health/live", "/none", "/api/content/v2/manifest.json"):
            get(self.server + path)
        return process

    def test_it_says_how_it_is_configured(self):
        output = self.world.run("print-config")
        self.assertRegex(output, r"(?m)^port +8080  \(default\)$".replace("8080", "(8080|[0-9]+)"))
        self.assertRegex(output, r"(?m)^release .*/srv/content  \(option\)$")

    def test_roles_log_and_devices_are_seen(self):
        self.install()
        self.world.tool("reserve", "add", "int/swift", "2026-12-24", "--store", "phone")
        self.world.sync(f"{self.server}/api/content/v2")
        self.world.tool(
            "account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.server,
            input="a long enough password\n")
        self.assertEqual(self.world.run("uptake"), "release 1: 1 device\n")
        # Nobody has proved to own the email.
        self.assertIn("stranger", self.world.run("grant-role", status=1))
        users = self.world.folder / "var/lib/underway/users/users.sqlite"
        subprocess.run(["sqlite3", users, "update password set verified_at = 1"], check=True)
        roles = self.world.run("grant-role").splitlines()
        self.assertRegex(roles[1], "^administrator  [^ ]+  ada@example.org  since ")
        log = self.world.run("read-audit")
        self.assertRegex(log, "(?m)  server:[^ ]+  release.served  1$")
        self.assertRegex(log, "(?m)  operator:[^ ]+  role.revoked  [^ ]+  administrator$")
        self.assertNotIn("example.org", log)
        self.assertRegex(self.world.run("history"), "(?m)^1  [^ ]+  [^ ]+@[^ ]+$")

    def test_its_numbers_are_those_of_the_page(self):
        process = self.start_with_numbers()
        text = self.world.run("look-at-numbers")
        self.assertIn("underway_release 1\n", text)
        self.assertIn('underway_http_requests_total{method="GET",route="other",status="404"} 1\n', text)
        page = (ROOT / "docs/operators.md").read_text()
        for line in text.splitlines():
            if line.startswith("# TYPE "):
                self.assertIn(f"`{line.split()[2]}`", page)
        self.assertEqual(get(self.server + "/metrics")[0], 404)
        self.assertIn(end(process), (0, -15))

    def test_silent_connections_do_not_keep_others_from_the_numbers(self):
        process = self.start_with_numbers()
        silent = [socket.create_connection(("127.0.0.1", self.world.numbers["9464"])) for _ in range(40)]
        try:
            for connection in silent[::2]:
                connection.send(b"GET /metrics HTTP/1.1\r\nHost: x\r\n")
            text = urllib.request.urlopen(
                f"http://127.0.0.1:{self.world.numbers['9464']}/metrics", timeout=45).read()
            self.assertIn(b"underway_release 1\n", text)
        finally:
            for connection in silent:
                connection.close()
        self.assertIn(end(process), (0, -15))

    def numbers_of_a_day(self):
        """The numbers of a server whose user synced a change, and which refused something."""
        port, numbers, folder = free_port(), free_port(), self.world.folder
        process = subprocess.Popen(
            [TOOL, "serve", "--release", self.served, "--data", folder / "day", "--port", str(port),
             "--metrics", str(numbers), "--quiet"], start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            await_true(lambda: answers(port) and answers(numbers), "the server of a day")
            self.world.tool("reserve", "add", "int/swift", "2026-12-24", "--store", "phone")
            self.world.sync(f"http://127.0.0.1:{port}/api/content/v2")
            self.assertEqual(get(f"http://127.0.0.1:{port}/api/v1/progress")[0], 401)
            return urllib.request.urlopen(f"http://127.0.0.1:{numbers}/metrics", timeout=20).read().decode()
        finally:
            self.assertIn(end(process), (0, -15))

    def test_the_dashboard_asks_for_numbers_that_there_are(self):
        exported = series(self.numbers_of_a_day())
        page = (ROOT / "docs/operators.md").read_text()
        asked = set()
        for text in dashboard_queries(json.loads((ROOT / "deploy/grafana/underway.json").read_text())):
            for name, labels, grouping in selectors(text):
                asked.add(name)
                base = re.sub("_(bucket|sum|count)$", "", name)
                self.assertIn(f"`{base}`", page, text)
                if base not in exported:
                    # Only with a database, a Redis or a collector, or after a client opened too many connections.
                    self.assertRegex(base, "^underway_(database|redis|trace|connections_refused)_", text)
                    continue
                known = exported[base] | {"instance", "le"}
                self.assertLessEqual(labels | grouping, known, text)
        missing = {name for name in exported if not any(one.startswith(name) for one in asked)}
        self.assertEqual(missing, set())

    def test_nginx_before_it_keeps_the_limits(self):
        self.install()
        world = self.world
        world.start_nginx("server.conf", "upstream.conf")
        context = ssl.create_default_context(cafile=world.certificate)
        base = f"https://127.0.0.1:{world.ports['https']}"
        status, headers, _ = get(
            f"{base}/api/content/v2/manifest.json", {"Accept-Encoding": "gzip"}, context)
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        plain = f"http://127.0.0.1:{world.ports['plain']}"
        self.assertIn("Installed release 1", world.sync(f"{plain}/api/content/v2"))
        # The server says what is too long, not nginx.
        sync = urllib.request.Request(
            f"{base}/api/sync/v1/exchange", data=b"x" * (2 * 1024 * 1024 + 1), method="POST")
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(sync, context=context, timeout=20)
        with caught.exception as refused:
            self.assertIn(refused.code, (401, 413))
            self.assertEqual(refused.headers.get_content_type(), "application/problem+json")
        self.check_invented_addresses(context)

    def check_invented_addresses(self, context):
        """A client that invents other addresses is still one client: a burst of ten tries, then 429. Three tries are
        under way at a time, because a busy machine that takes seconds for each would earn new ones meanwhile. The
        client comes from 127.0.0.2, since the proxy's own 127.0.0.1 is trusted."""
        body = json.dumps({"email": "eve@example.org", "password": "wrong horse"})
        codes = []

        def attempt(number):
            if 429 in codes:
                return
            client = http.client.HTTPSConnection(
                "127.0.0.1", self.world.ports["https"], context=context, timeout=60,
                source_address=("127.0.0.2", 0))
            with contextlib.closing(client):
                client.request(
                    "POST", "/api/accounts/v1/sign-in", body,
                    {"Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{number}"})
                codes.append(client.getresponse().status)

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            list(pool.map(attempt, range(60)))
        self.assertEqual(set(codes), {401, 429}, codes)
        self.assertGreaterEqual(codes.count(401), 10, codes)

    def test_haproxy_before_it_keeps_the_limits(self):
        self.install()
        world = self.world
        world.make_certificate()
        pem = world.folder / "etc/haproxy/content.example.org.pem"
        pem.parent.mkdir()
        pem.write_bytes(world.certificate.read_bytes() + world.certificate.with_name("privkey.pem").read_bytes())
        text = (world.here / "deploy/haproxy/haproxy.cfg").read_text()
        text = text.replace("bind :80\n", f"bind 127.0.0.1:{world.ports['http']}\n")
        text = text.replace("bind :443 ", f"bind 127.0.0.1:{world.ports['https']} ")
        file = world.folder / "etc/haproxy/haproxy.cfg"
        file.write_text(text)
        subprocess.run(["haproxy", "-c", "-q", "-f", file], check=True)
        process = subprocess.Popen(["haproxy", "-db", "-q", "-f", file], stderr=subprocess.DEVNULL)
        world.processes.append(process)
        await_true(lambda: answers(world.ports["https"]), "HAProxy")
        context = ssl.create_default_context(cafile=world.certificate)
        base = f"https://127.0.0.1:{world.ports['https']}"
        manifest = f"{base}/api/content/v2/manifest.json"
        await_true(lambda: get(manifest, context=context)[0] == 200, "the server behind it")
        status, headers, _ = get(manifest, {"Accept-Encoding": "gzip"}, context)
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        status, headers, _ = get(f"http://127.0.0.1:{world.ports['http']}/health/live")
        self.assertEqual(status, 302)
        self.assertTrue(headers["Location"].startswith("https://"))
        self.check_invented_addresses(context)
        # Content is served while the users' database is away, and users are told so by the server.
        users = world.folder / "var/lib/underway/users/users.sqlite"
        users.rename(users.with_name("away"))
        await_true(lambda: get(self.server + "/health/ready")[0] == 503, "the server to see it")
        self.assertEqual(get(manifest, context=context)[0], 200)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(urllib.request.Request(
                f"{base}/api/accounts/v1/anonymous", method="POST"), context=context, timeout=20)
        with caught.exception as refused:
            self.assertEqual((refused.code, refused.headers.get_content_type()), (503, "application/problem+json"))
        users.with_name("away").rename(users)
        await_true(lambda: get(self.server + "/health/ready")[0] == 200, "the server to see it again")
        # Without a server it says so, and goes on by itself.
        world.service("stop")
        self.assertEqual(get(manifest, context=context)[0], 503)
        world.service("start", "underway")
        await_true(lambda: get(manifest, context=context)[0] == 200, "the server to be used again")

    def test_the_image_starts_the_program_as_it_must(self):
        """No Docker builds it here: its packages and its command are checked without one."""
        text = (ROOT / "deploy/docker/Dockerfile").read_text()
        bootstrap = (ROOT / "script/bootstrap").read_text()
        needed = set(re.search(r"packages=\(\n(.*?)\n\)", bootstrap, re.DOTALL)[1].split()) - {"git"}
        build, final = text.split("FROM debian")
        self.assertEqual(needed - set(build.split()), set())
        if shutil.which("apt-cache"):
            packages = re.search(r"recommends \\\n(.*?)\\\n", final, re.DOTALL)[1].split()
            for package in packages:
                self.assertEqual(subprocess.run(
                    ["apt-cache", "show", package], capture_output=True).returncode, 0, package)
        words = json.loads(re.search("^ENTRYPOINT (.*)$", final, re.MULTILINE)[1])
        words += json.loads(re.search("^CMD (.*)$", final, re.MULTILINE)[1])
        # It believes nobody's X-Forwarded-For.
        self.assertNotIn("--behind-proxy", words)
        health = json.loads(re.search("HEALTHCHECK .* CMD (.*)$", final, re.MULTILINE)[1])
        world = self.world
        (world.folder / "usr/local/bin/underway").symlink_to(TOOL)
        process = subprocess.Popen(
            [world.placed(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        world.processes.append(process)
        await_true(lambda: subprocess.run(
            [world.placed(word) for word in health], capture_output=True).returncode == 0, "the image's program")

    def test_a_backup_comes_back(self):
        self.install()
        world = self.world
        phone = ["--store", "phone"]
        world.tool("reserve", "add", "int/swift", "2026-12-24", *phone)
        world.sync(f"{self.server}/api/content/v2")
        world.tool("account", "upgrade", "ada@example.org", *phone, "--server", self.server,
                   input="correct horse\n")
        # Something to revoke, so that the second line of the block has a file to copy.
        self.sign_in("ada@example.org")
        world.tool("account", "sign-out", "--store", "tablet", "--server", self.server)
        world.run("backup-users")
        world.tool("reserve", "add", "int/swift", "2026-12-31", *phone)
        world.sync(f"{self.server}/api/content/v2")
        output = world.run("restore-users")
        self.assertIn("Generation", output)
        # The device brings back what the backup lacks.
        world.sync(f"{self.server}/api/content/v2")
        self.sign_in("ada@example.org")
        world.sync(f"{self.server}/api/content/v2", store="tablet")
        self.assertIn("2026-12-31", world.tool("reserve", "--store", "tablet"))

    def test_what_is_missing_costs_no_backup_and_no_database(self):
        self.install()
        world = self.world
        users = world.folder / "var/lib/underway/users"
        backup = world.folder / "var/backups/underway/users.sqlite"
        # Without a backup nothing is restored, and the server goes on.
        before = (users / "users.sqlite").stat().st_ino
        world.run("restore-users", status=1)
        self.assertEqual((users / "users.sqlite").stat().st_ino, before)
        self.assertEqual(get(f"{self.server}/health/ready")[0], 200)
        world.run("backup-users")
        held = backup.read_bytes()
        # Without a database the last backup stays.
        world.service("stop")
        for file in users.glob("users.sqlite*"):
            file.rename(world.folder / file.name)
        world.run("backup-users", status=1)
        self.assertEqual(backup.read_bytes(), held)


if __name__ == "__main__":
    unittest.main()
