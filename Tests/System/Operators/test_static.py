"""The static host: rsync in its three runs, killed at any moment, and nginx over what it made."""

import fcntl
import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import ssl
import time
import unittest

from world import World, get

SEED = int(os.environ.get("UNDERWAY_SEED", "0")) or random.SystemRandom().randrange(1 << 32)
KILLS = int(os.environ.get("UNDERWAY_RSYNC_KILLS", "15"))


def objects(value):
    """Every checksum that a manifest names."""
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "checksum":
                yield child.removeprefix("sha256:")
            else:
                yield from objects(child)
    elif isinstance(value, list):
        for child in value:
            yield from objects(child)


class StaticHost(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.served = self.world.folder / "srv/content"
        self.base = f"http://127.0.0.1:{self.world.ports['plain']}/api/content/v2"

    def expect_whole(self):
        """What is served is one release: all objects there, and each sibling of the manifest its own."""
        plain = (self.served / "manifest.json").read_bytes()
        for name in objects(json.loads(plain)):
            body = (self.served / "objects" / name[:2] / name).read_bytes()
            self.assertEqual(hashlib.sha256(body).hexdigest(), name)
        packed = self.served / "manifest.json.gz"
        if packed.exists():
            self.assertEqual(gzip.decompress(packed.read_bytes()), plain)
        if (self.served / "manifest.json.br").exists():
            self.assertTrue(packed.exists() or self.is_alone("manifest.json.br"))
        return json.loads(plain)["release"]

    def is_alone(self, name):
        """brotli is not in Python's library; its bytes are those of the release that was pushed."""
        ours = self.world.here / "release" / name
        return ours.read_bytes() == (self.served / name).read_bytes()

    def test_a_device_follows_what_rsync_brings(self):
        world = self.world
        world.run("push-rsync")
        world.start_nginx("static.conf")
        self.assertIn("Installed release 1", world.sync(self.base))
        world.edit(2)
        world.run("push-rsync")
        self.assertIn("Installed release 2", world.sync(self.base))
        self.assertEqual(self.expect_whole(), 2)
        links = (self.served / "blueprints/en.json").stat()
        self.assertEqual(links.st_nlink, (world.here / "release/blueprints/en.json").stat().st_nlink)
        self.assertFalse((self.served / ".underway").exists())

    def test_nginx_answers_as_the_page_says(self):
        world = self.world
        world.run("push-rsync")
        world.make_certificate()
        self.assertIn("successful", world.run("install-nginx"))
        world.start_nginx("static.conf")
        context = ssl.create_default_context(cafile=world.certificate)
        base = f"https://127.0.0.1:{world.ports['https']}/api/content/v2"
        plain = (self.served / "manifest.json").read_bytes()
        status, headers, body = get(f"{base}/manifest.json", context=context)
        self.assertEqual((status, body), (200, plain))
        self.assertEqual(headers["Cache-Control"], "no-cache")
        self.assertEqual(headers["Vary"], "Accept-Encoding")
        status, headers, body = get(
            f"{base}/manifest.json", {"Accept-Encoding": "gzip"}, context=context)
        self.assertEqual((headers["Content-Encoding"], gzip.decompress(body)), ("gzip", plain))
        self.assertEqual(headers["Vary"], "Accept-Encoding")
        name = next(objects(json.loads(plain)))
        status, headers, body = get(f"{base}/objects/{name[:2]}/{name}", context=context)
        self.assertEqual(hashlib.sha256(body).hexdigest(), name)
        self.assertIn("immutable", headers["Cache-Control"])
        (self.served / ".underway").mkdir()
        (self.served / ".underway/index").write_text("ours")
        self.assertEqual(get(f"{base}/.underway/index", context=context)[0], 404)
        status, headers, _ = get(f"http://127.0.0.1:{world.ports['http']}/api/content/v2/manifest.json")
        self.assertEqual(status, 301)
        self.assertTrue(headers["Location"].startswith("https://"))

    def test_a_killed_push_leaves_one_whole_release(self):
        world, chance = self.world, random.Random(SEED)
        start = time.monotonic()
        world.run("push-rsync")
        length = time.monotonic() - start
        last = self.expect_whole()
        for number in range(KILLS):
            world.edit(100 + number)
            process = world.start("push-rsync")
            time.sleep(chance.random() * length)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            release = self.expect_whole()
            self.assertIn(release, (last, last + 1, number + 2), f"seed {SEED}")
            self.assertGreaterEqual(release, last, f"seed {SEED}")
            last = release
        world.run("push-rsync")
        self.assertEqual(self.expect_whole(), KILLS + 1)
        self.assertTrue((self.served / "manifest.json.gz").exists())

    def test_a_killed_push_of_a_signed_release_leaves_what_devices_take(self):
        world, chance = self.world, random.Random(SEED)
        world.run("trust-init")
        root = world.here / "release/metadata/1.root.json"
        start = time.monotonic()
        world.run("push-rsync")
        length = time.monotonic() - start
        world.start_nginx("static.conf")
        self.assertIn("Installed release 1", world.sync(self.base, root=root))
        for number in range(KILLS // 3 + 1):
            world.edit(100 + number, keys="underway-keys")
            process = world.start("push-rsync")
            time.sleep(chance.random() * length)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            # Ends with 0: whatever has arrived, the timestamp names what is there.
            world.sync(self.base, root=root)
        world.run("push-rsync")
        self.assertRegex(world.sync(self.base, root=root), r"Installed release|Up to date")
        self.assertIn(f"Installed release {KILLS // 3 + 2}", world.sync(self.base, "tablet", root))

    def test_nothing_is_pushed_while_something_is_published(self):
        with open(self.world.here / "release/.underway/lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.world.run("push-rsync", status=1)
        self.assertFalse((self.served / "manifest.json").exists())

    def test_a_release_that_was_just_fetched_is_pushed(self):
        world, release = self.world, self.world.here / "release"
        world.run("push-rsync")
        shutil.rmtree(release)
        world.run("fetch-release")
        self.assertFalse((release / ".underway").exists())
        world.run("push-rsync")
        world.edit(2)
        world.run("push-rsync")
        self.assertEqual(self.expect_whole(), 2)

    def test_an_empty_folder_never_replaces_what_is_served(self):
        world, release = self.world, self.world.here / "release"
        world.run("push-rsync")
        shutil.rmtree(release)
        release.mkdir()
        for name in ("push-rsync", "prune-rsync"):
            world.run(name, status=1)
        self.assertEqual(self.expect_whole(), 1)

    def test_what_prune_removed_goes_from_the_host_too(self):
        for number in range(2, 9):
            self.world.edit(number)
        self.world.run("push-rsync")
        before = sum(1 for _ in self.served.rglob("objects/*/*"))
        self.world.run("prune-rsync")
        ours = {p.name for p in (self.world.here / "release").rglob("objects/*/*")}
        theirs = {p.name for p in self.served.rglob("objects/*/*")}
        self.assertEqual(ours, theirs)
        self.assertLess(len(theirs), before)
        self.assertEqual(self.expect_whole(), 8)

    def test_the_release_directory_comes_back_with_its_number(self):
        world = self.world
        world.edit(2)
        world.run("push-rsync")
        world.run("backup-release")
        release = world.here / "release"
        shutil.rmtree(release)
        world.run("fetch-release")
        world.edit(3)
        self.assertEqual(json.loads((release / "manifest.json").read_bytes())["release"], 3)
        shutil.rmtree(release)
        shutil.copytree(world.folder / "var/backups/underway/release", release)
        world.edit(4)
        self.assertEqual(json.loads((release / "manifest.json").read_bytes())["release"], 3)


if __name__ == "__main__":
    unittest.main()
