"""The runbook: each trouble is caused, and its entry is followed by its own commands.

A PostgreSQL that stops and comes back is played by test_cluster.
"""

import json
import os
import pathlib
import shutil
import subprocess
import unittest
import urllib.request

from world import TOOL, USER, World, await_true, end, get


def clock(days):
    """The environment of a process whose wall clock is ahead. The command `faketime` fails where a killed one of its
    process number left a semaphore; libfaketime changes what the first process finds, so that one is `env`."""
    library = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    return os.environ | {
        "LD_PRELOAD": str(library), "FAKETIME": f"+{days}d", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_RESET": "1"}


class Runbook(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        shutil.copytree(self.world.here / "release", self.world.folder / "srv/content")
        self.server = f"http://127.0.0.1:{self.world.ports['server']}"
        self.users = self.world.folder / "var/lib/underway/users"

    def install(self):
        self.world.run("install-service")
        await_true(lambda: self.ready() == 200, "the server")

    def ready(self):
        try:
            return get(self.server + "/health/ready")[0]
        except OSError:
            return 0

    def reserve(self, date, device="phone"):
        # One reservation for each exam.
        self.world.tool("reserve", "add", f"int/exam-{date[-2:]}", date, "--store", device)

    def sync(self, device="phone"):
        return self.world.sync(f"{self.server}/api/content/v2", store=device)

    def give(self, *paths):
        if self.world.is_sandboxed:
            subprocess.run(["chown", "-R", f"{USER}:{USER}", *paths], check=True)

    def test_the_disk_is_full(self):
        state = self.users.parent
        state.mkdir(parents=True, exist_ok=True)
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", state], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("only root can make a small disk")
        self.addCleanup(subprocess.run, ["umount", "--lazy", state])
        self.install()
        self.reserve("2026-12-24")
        self.sync()
        self.assertEqual(self.ready(), 200)
        ballast = self.users / "ballast"
        try:
            with open(ballast, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(65536))
        except OSError:
            # Also the file's end, which a page that was begun has no room for.
            self.assertGreater(ballast.stat().st_size, 1 << 20)
        await_true(lambda: self.ready() == 503, "the server to see it", 30)
        self.assertIn("503", self.world.run("look"))
        self.assertIn("100%", self.world.run("find-what-is-big"))
        self.world.run("make-room")
        # Content is served meanwhile.
        self.assertEqual(get(self.server + "/api/content/v2/manifest.json")[0], 200)
        self.reserve("2026-12-31")
        self.world.tool("sync", f"{self.server}/api/content/v2", "--store", "phone", status=3)
        ballast.unlink()
        await_true(lambda: self.ready() == 200, "the server to see the room", 30)
        self.sync()
        export = json.loads(self.world.tool("account", "export", "--store", "phone", "--server", self.server))
        self.assertEqual(
            {"2026-12-24", "2026-12-31"} - {word for word in json.dumps(export).split('"')}, set())

    def test_the_file_of_the_database_goes_under_the_server(self):
        self.install()
        self.reserve("2026-12-24")
        self.sync()
        (self.users / "users.sqlite").unlink()
        await_true(lambda: self.ready() == 503, "the server to see it")
        self.assertIn("removed or replaced", self.world.run("look"))
        # Nothing is promised that would be lost.
        self.reserve("2026-12-31")
        self.world.tool("sync", f"{self.server}/api/content/v2", "--store", "phone", status=3)
        self.assertEqual(get(self.server + "/api/content/v2/manifest.json")[0], 200)

    def test_the_file_of_the_database_is_damaged(self):
        self.install()
        world = self.world
        self.reserve("2026-12-24")
        self.sync()
        world.run("backup-users")
        self.reserve("2026-12-31")
        self.sync()
        world.service("stop")
        file = self.users / "users.sqlite"
        bytes_ = bytearray(file.read_bytes())
        bytes_[4096:] = bytes(len(bytes_) - 4096)
        file.write_bytes(bytes_)
        for name in ("-wal", "-shm"):
            (self.users / ("users.sqlite" + name)).unlink(missing_ok=True)
        world.run("is-it-whole", status=1)
        world.run("bring-back-users")
        await_true(lambda: self.ready() == 200, "the server")
        # The device brings back what the backup lacks, and another one gets it.
        self.sync()
        for verb, device in (("upgrade", "phone"), ("sign-in", "tablet")):
            world.tool("account", verb, "ada@example.org", "--store", device, "--server", self.server,
                       input="correct horse\n")
        self.sync("tablet")
        self.assertIn("2026-12-31", world.tool("reserve", "--store", "tablet"))

    def test_a_release_is_wrong(self):
        world = self.world
        world.edit(1)
        world.run("which-release")
        before = json.loads((world.here / "release/manifest.json").read_text())
        output = world.run("back-to-the-good-one")
        after = json.loads((world.here / "release/manifest.json").read_text())
        self.assertGreater(after["release"], before["release"], output)
        first = json.loads((world.here / "release/releases/1/manifest.json").read_text())
        strip = lambda manifest: {name: value for name, value in manifest.items() if name != "release"}
        self.assertEqual(
            {name: strip(after).get(name) for name in ("languages", "blueprints")},
            {name: strip(first).get(name) for name in ("languages", "blueprints")})
        self.assertNotEqual(strip(after), strip(before))

    def test_the_key_leaked(self):
        self.install()
        self.reserve("2026-12-24")
        self.sync()
        account = json.loads(urllib.request.urlopen(urllib.request.Request(
            self.server + "/api/accounts/v1/anonymous", method="POST")).read())
        bearer = {"Authorization": "Bearer " + account["access_token"]}
        self.assertEqual(get(self.server + "/api/v1/boards", bearer)[0], 200)
        self.world.run("replace-key")
        await_true(lambda: self.ready() == 200, "the server")
        self.assertEqual(get(self.server + "/api/v1/boards", bearer)[0], 401)
        keys = self.world.folder / "var/lib/underway/keys"
        self.assertNotEqual((keys / "token-key").read_bytes(), (keys / "token-key.leaked").read_bytes())
        # Users notice nothing.
        self.reserve("2026-12-31")
        self.sync()
        self.world.tool("account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.server,
                        input="correct horse\n")

    def test_a_user_wants_their_data(self):
        self.install()
        world = self.world
        self.reserve("2026-12-24")
        self.sync()
        world.tool("account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.server,
                   input="correct horse\n")
        world.run("export-user")
        file = world.here / "ada.json"
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        export = json.loads(file.read_text())
        self.assertEqual(export["account"]["email"], "ada@example.org")
        self.assertIn("2026-12-24", file.read_text())
        # The same as the user's own export.
        own = json.loads(world.tool("account", "export", "--store", "phone", "--server", self.server))
        self.assertEqual(own, export)
        # A file that is there stays, and nobody else is found.
        world.run("export-user", status=1)
        self.assertEqual(json.loads(file.read_text()), export)
        world.tool("db", "export", "nobody@example.org", "--output", "x.json", "--data", str(self.users), status=4)
        self.assertFalse((world.here / "x.json").exists())

    def test_a_clock_that_is_years_ahead_deletes_nothing(self):
        self.install()
        self.reserve("2026-12-24")
        self.sync()
        check = ["db", "check", "--data", str(self.users)]
        before = [self.world.tool(*check), self.world.tool("audit", "--data", str(self.users))]
        self.assertIn("release.served", before[1])
        self.world.service("stop")
        process = subprocess.Popen(
            ["env", TOOL, "serve", "--release", self.world.folder / "srv/content", "--port",
             str(self.world.ports["server"]), "--data", self.users, "--keys",
             self.world.folder / "var/lib/underway/keys"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=clock(800), start_new_session=True)
        try:
            # Said once upkeep was over.
            self.assertIn(b"nothing old is deleted", next(
                line for line in process.stderr if b"daysAheadOfTheLastUpkeep" in line))
        finally:
            end(process)
        self.give(self.users.parent)
        self.assertEqual(
            [self.world.tool(*check), self.world.tool("audit", "--data", str(self.users))], before)

    def test_the_clock_is_wrong(self):
        self.world.run("install-service")
        self.world.service("stop")
        # A day ahead, as a machine whose clock was set by hand.
        process = subprocess.Popen(
            ["env", TOOL, "serve", "--release", self.world.folder / "srv/content", "--port",
             str(self.world.ports["server"]), "--quiet", "--data", self.users, "--keys",
             self.world.folder / "var/lib/underway/keys"], stderr=subprocess.DEVNULL, env=clock(1),
            start_new_session=True)
        try:
            await_true(lambda: self.ready() == 200, "the server")
            self.world.tool("board", "define", "b", "--bank", "int/sample", "--data", str(self.users))
            self.reserve("2026-12-24")
            self.sync()
        finally:
            end(process)
        self.give(self.users.parent)
        self.world.put_script("timedatectl", "echo NTPSynchronized=no")
        self.assertIn("UTC", self.world.run("compare-clocks"))
        self.world.run("after-the-clock")
        await_true(lambda: self.ready() == 200, "the server")
        # Nobody is signed out, and nothing is lost.
        self.reserve("2026-12-31")
        self.sync()
        self.world.tool("account", "upgrade", "ada@example.org", "--store", "phone", "--server", self.server,
                        input="correct horse\n")
        self.world.tool("account", "sign-in", "ada@example.org", "--bring", "nothing", "--store", "tablet",
                        "--server", self.server, input="correct horse\n")
        self.sync("tablet")
        seen = self.world.tool("reserve", "--store", "tablet")
        self.assertIn("2026-12-24", seen)
        self.assertIn("2026-12-31", seen)


if __name__ == "__main__":
    unittest.main()
