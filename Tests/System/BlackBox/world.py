"""A server, a bad network, and accounts with devices: played, ended, and recorded."""

import pathlib
import random
import tempfile
import threading
import time

from cluster import Cluster
from history import History
from player import Player
from programs import Programs
from proxy import LATE_SECONDS, Proxy
from server import Server

# Each is a story of its own, so that one can be left out.
STORIES = (
    "faults", "serverKills", "fields", "processes", "signOut", "bringing", "copies", "clones",
    "images", "serverRestores", "drains", "poolerKills", "databaseKills",
)
SERVER_RESTORES_MAX = 12


class World:
    def __init__(self, binaries, folder, options):
        self.folder = pathlib.Path(folder)
        self.binaries, self.driver = binaries, binaries / "DeviceDriver"
        self.stories, self.mistake = options.stories, options.mistake
        self.options = options
        self.history = History(self.folder / "history.jsonl")
        self.history.note("begin", seed=options.seed, stories=sorted(self.stories))
        self.random = random.Random(options.seed)
        self.database_folder = tempfile.mkdtemp(prefix="blackbox-database-")
        self.programs = Programs(folder, self.database_folder)
        self.server = Cluster(self) if options.cluster else Server(self)
        self.proxy = Proxy(self.history, options.seed)
        self.proxy.upstream = self.server.port
        self.failures = []
        self.is_over = threading.Event()

    def run(self):
        """Plays until the time is over, and brings all devices to rest."""
        seeds = [self.random.getrandbits(32) for _ in range(self.options.accounts)]
        players = [
            Player(self, f"a{number}", seed, self.options.devices)
            for number, seed in enumerate(seeds)
        ]
        # Somebody who never gave an email, and could not sign in again.
        players.append(Player(self, "anonymous", self.random.getrandbits(32), 1, has_email=False))
        try:
            self.on_threads([player.set_up for player in players])
            self.proxy.is_calm = "faults" not in self.stories
            clock = threading.Thread(target=self.watch_time)
            clock.start()
            self.on_threads(
                [lambda player=player: player.play(self.is_over.is_set) for player in players]
                + [self.disturb_server])
            clock.join()
            self.proxy.is_calm = True
            time.sleep(LATE_SECONDS[1] + 0.5)
            self.server.finish()
            self.on_threads([player.finish for player in players])
            # A server that went back has accounts again whose devices have left them.
            if not self.history.counts["serverRestores"]:
                known = set().union(*(player.users for player in players))
                for user in self.server.second_selves(known):
                    self.history.note("secondSelf", user=user)
            self.server.stop()
        finally:
            self.is_over.set()
            for player in players:
                for folder in player.folders:
                    folder.close_all()
            self.proxy.close()
            self.programs.close()
            self.history.close()
        return self.failures

    def on_threads(self, bodies):
        # An interrupted test does not wait for them.
        threads = [
            threading.Thread(target=self.guarded, args=[body], daemon=True) for body in bodies
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failures:
            raise self.failures[0]

    def guarded(self, body):
        try:
            body()
        except Exception as failure:
            self.failures.append(failure)
            self.is_over.set()

    def watch_time(self):
        """Ends the play when its time is over and enough was killed, at last after ten times that."""
        start = time.monotonic()
        while not self.is_over.wait(0.2):
            seconds = time.monotonic() - start
            counts = self.history.counts
            kills = min(
                counts["deviceKills"],
                counts["serverKills"] if "serverKills" in self.stories else counts["deviceKills"])
            if seconds > self.options.seconds and (
                kills >= self.options.kills or seconds > 10 * self.options.seconds
            ):
                self.is_over.set()

    def disturb_server(self):
        """Kills parts of the server now and then, and puts backups back."""
        if "serverKills" not in self.stories:
            return
        copies = []
        while not self.is_over.wait(self.random.uniform(0.3, 2.0)):
            restores = "serverRestores" in self.stories
            if restores and (not copies or self.random.random() < 0.2):
                copies.append(self.server.copy())
            if (restores and self.random.random() < 0.3 and
                    self.history.counts["serverRestores"] < SERVER_RESTORES_MAX):
                self.history.count("serverRestores")
                self.server.go_back(
                    self.random.choice(copies[-2:]), is_said=self.random.random() < 0.5)
            else:
                self.server.disturb(self.random)
