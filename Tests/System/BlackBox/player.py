"""Plays the devices of one account at random, and writes down what they were told."""

import json
import random
import threading
import time

from device import Folder
from rows import dump_of_export

STEPS_PER_COUNTER = 24
YEAR = 365 * 86_400
OFFSETS = (0, 0, 0, YEAR, -YEAR, 3 * 86_400, -3_600, 40)
KILL_SECONDS_MAX = 0.15
SIGN_IN_PAUSE_SECONDS = 0.3
CLONES_MAX, PUT_BACKS_MAX, IMAGES = 1, 3, 2
FINAL_ROUNDS_MAX = 60
# What two processes may write at once: nothing that the user must have looked at first.
UNSEEN = ("answer", "note", "step", "star", "preference", "group")
# What an image may have: of `preferences` the first that arrives wins, and each copy sends it as its own.
IMAGED = ("answer", "note", "step", "star", "group")
ALL = UNSEEN + ("exam", "exam", "profile", "profile", "deletion")
TEXTS = {"star": ("stars", 4), "exam": ("exams", 3), "preference": ("preferences", 2)}


class Player:
    def __init__(self, world, account, seed, devices, has_email=True):
        self.world, self.account, self.has_email = world, account, has_email
        self.history, self.random = world.history, random.Random(seed)
        self.email = f"{account}@example.org"
        self.writes = self.steps = self.syncs = self.clones = self.put_backs = 0
        self.has_image = False
        self.users = set()
        self.in_flight, self.kinds = {}, ALL
        self.folders = [
            Folder(world, account, f"{account}.d{number}") for number in range(devices)
        ]

    def set_up(self):
        """Each device writes before it has an account, and brings that along."""
        for number, folder in enumerate(self.folders):
            for _ in range(3):
                self.write(folder, 0, self.random.choice(UNSEEN))
            if not self.has_email:
                continue
            action = "upgrade" if number == 0 else "signIn"
            reply = self.ask(folder, 0, action, email=self.email)
            if reply is None or "error" in reply:
                raise RuntimeError(f"{folder.name}: {action} failed: {reply}")

    def play(self, is_over):
        actions = [
            (self.play_writes, 6), (self.play_sync, 6), (self.play_together, 4),
            (self.play_settling, 3), (self.play_clock, 1),
        ]
        for story, action, weight in (
            ("processes", self.play_two_processes, 3), ("signOut", self.play_sign_out, 1),
            ("copies", self.play_copy, 2), ("copies", self.play_put_back, 2),
            ("clones", self.play_clone, 2), ("images", self.play_image, 2),
        ):
            # Who has no email cannot sign in again, after signing out or with a copy's old tokens.
            if story in self.world.stories and (self.has_email or story == "processes"):
                actions.append((action, weight))
        chosen, weights = zip(*actions)
        left_out = set()
        if "fields" not in self.world.stories:
            left_out.add("profile")
        self.kinds = [kind for kind in ALL if kind not in left_out]
        while not is_over():
            self.random.choices(chosen, weights)[0](self.random.choice(self.folders))

    # Asking a device

    def ask(self, folder, index, action, **members):
        """Sends a command and waits; None when the process was killed first."""
        process = folder.process(index)
        reply = process.wait(process.send(action, **members))
        if reply is None:
            self.buried(folder, index)
        elif reply.get("hung"):
            self.history.note(
                "ended", account=self.account, why=f"{folder.name}: no reply to {action}")
            process.kill()
            self.buried(folder, index)
        return reply

    def buried(self, folder, index):
        """A process ended: what it had on its way has no end."""
        ended = [s for s, place in self.in_flight.items() if place == (folder, index)]
        for s in ended:
            del self.in_flight[s]
        self.history.note("killed", folder=folder.name, syncs=ended)
        folder.close(index)

    def is_ready(self, folder, index=0):
        """Signs in where nobody is signed in; False when that failed."""
        place = self.ask(folder, index, "status")
        if place is None:
            return False
        is_in = place["user"] != "local" and not folder.is_apart
        return not self.has_email or is_in or self.sign_in(folder, index)

    def sign_in(self, folder, index):
        if not self.has_email:
            return False
        self.history.count("signIns")
        reply = self.ask(folder, index, "signIn", email=self.email)
        if reply is not None and "error" in reply:
            time.sleep(SIGN_IN_PAUSE_SECONDS)
        is_in = reply is not None and "error" not in reply
        if is_in:
            folder.is_apart = False
        return is_in

    def killing(self, folder, index):
        """Kills the process in a moment, wherever it is by then."""
        process = folder.process(index)
        timer = threading.Timer(self.random.uniform(0, KILL_SECONDS_MAX), process.kill)
        timer.start()
        self.history.count("deviceKills")
        return timer

    # Writing

    def write(self, folder, index, kind):
        tried = [self.tried(folder, kind) for _ in range(3 if kind == "group" else 1)]
        if kind == "group":
            for write in tried:
                write["group"] = tried[0]["w"]
        action, members = self.command(kind, tried)
        if action == "put":
            # Before the write, since a write that is killed may have been kept all the same.
            seen = self.ask(folder, index, "see", **members)
            if seen is None or "error" in seen:
                return False
            tried[0]["saw"] = seen["saw"]
        for write in tried:
            self.history.note("try", **write)
        reply = self.ask(folder, index, action, **members)
        if reply is None or "error" in reply:
            if reply:
                self.history.note("failed", w=tried[0]["w"], why=reply["error"])
                self.history.count("failedWrites")
            return reply is not None
        for write in tried:
            self.history.note("ack", w=write["w"])
            self.history.count("acknowledgedWrites")
        return True

    def tried(self, folder, kind):
        self.writes += 1
        name = f"{self.account}w{self.writes}"
        write = {"w": name, "account": self.account, "folder": folder.name, "record": name}
        if kind == "answer":
            write["collection"] = "answers"
        elif kind in ("note", "group"):
            write["collection"] = "notes"
        elif kind == "step":
            record, step = divmod(self.steps, STEPS_PER_COUNTER)
            self.steps += 1
            write.update(collection="points", record=f"c{record}", step=step)
        elif kind == "profile":
            write.update(collection="profiles", record=f"f{self.random.randint(1, 2)}",
                         field=self.random.choice("abc"))
        elif kind == "deletion":
            write.update(collection="stars", record="s4", deletes=True)
        else:
            collection, count = TEXTS[kind]
            write.update(
                collection=collection, record=f"{kind[0]}{self.random.randint(1, count)}")
        return write

    def command(self, kind, tried):
        write = tried[0]
        if kind == "answer":
            return "answer", {"names": [write["w"]]}
        if kind == "group":
            return "together", {
                "notes": [{"record": item["record"], "value": item["w"]} for item in tried]}
        if kind == "step":
            return "count", {"record": write["record"], "by": 4 ** write["step"]}
        members = {name: write[name] for name in ("collection", "record", "field")
                   if name in write}
        if kind == "deletion":
            return "delete", members
        return "put", {**members, "value": write["w"]}

    # Syncing

    def begin_sync(self, folder, index):
        self.syncs += 1
        s = f"{self.account}s{self.syncs}"
        process = folder.process(index)
        self.in_flight[s] = (folder, index)
        self.history.note("syncStart", s=s, folder=folder.name)
        return s, process, process.send("sync")

    def end_sync(self, begun):
        """Waits for the end of a sync; its reply, or None when it was killed."""
        s, process, number = begun
        if s not in self.in_flight:
            return None
        folder, index = self.in_flight[s]
        reply = process.wait(number)
        if reply is None or reply.get("hung"):
            if reply:
                self.history.note(
                    "ended", account=self.account, why=f"{folder.name}: no end of a sync")
                process.kill()
            self.buried(folder, index)
            return None
        del self.in_flight[s]
        is_ok = reply.get("problem", reply.get("error", "")) is None
        self.history.count("syncsThatEndedWell" if is_ok else "syncsThatFailed")
        self.history.note("syncEnd", s=s, ok=is_ok, place=reply)
        if "cursor" in reply:
            self.history.note("place", folder=folder.name, place=reply)
        if reply.get("needsSignIn"):
            self.sign_in(folder, index)
        return reply

    def sync(self, folder, index=0):
        return self.end_sync(self.begin_sync(folder, index))

    # What is played

    def play_writes(self, folder):
        if not self.is_ready(folder):
            return
        timer = self.killing(folder, 0) if self.random.random() < 0.3 else None
        for _ in range(self.random.randint(1, 5)):
            if not self.write(folder, 0, self.random.choice(self.kinds)):
                break
        if timer:
            timer.join()
            self.ask(folder, 0, "status")

    def play_sync(self, folder):
        if not self.is_ready(folder):
            return
        timer = self.killing(folder, 0) if self.random.random() < 0.4 else None
        self.sync(folder)
        if timer:
            timer.join()
            self.ask(folder, 0, "status")

    def play_together(self, _):
        """All devices sync at once, and write meanwhile."""
        ready = [folder for folder in self.folders if self.is_ready(folder)]
        begun = [self.begin_sync(folder, 0) for folder in ready]
        for _ in range(self.random.randint(0, 4) if ready else 0):
            self.write(self.random.choice(ready), 0, self.random.choice(UNSEEN))
        for sync in begun:
            self.end_sync(sync)

    def play_settling(self, folder):
        if self.is_ready(folder):
            self.settle(folder)

    def settle(self, folder, how=None):
        """Settles what the inbox shows; True when there was something."""
        inbox = (self.ask(folder, 0, "conflicts") or {}).get("inbox", [])
        for conflict in inbox:
            choice = how or self.random.choice(("keepMine", "useServer"))
            reply = self.ask(folder, 0, "settle", how=choice, collection=conflict["collection"],
                             record=conflict["record"], shown=conflict.get("shown"))
            # A kill leaves open whether it was settled; a refusal does not.
            if reply is None or "error" not in reply:
                self.history.note("settled", folder=folder.name, how=choice, **conflict)
                self.history.count("settled")
        return bool(inbox)

    def play_clock(self, folder):
        folder.offset = self.random.choice(OFFSETS)
        self.history.count("clockJumps")
        self.ask(folder, 0, "clock", offset=folder.offset)

    def play_two_processes(self, folder):
        """One process writes while another syncs, both on one store."""
        if not self.is_ready(folder):
            return
        folder.process(1)
        self.history.count("twoProcesses")
        for syncing, writing in ((0, 1), (1, 0)):
            timer = self.killing(folder, syncing) if self.random.random() < 0.2 else None
            begun = self.begin_sync(folder, syncing)
            for _ in range(self.random.randint(1, 4)):
                self.write(folder, writing, self.random.choice(UNSEEN))
            self.end_sync(begun)
            if timer:
                timer.join()
                self.ask(folder, syncing, "status")
        folder.close(1)

    def play_sign_out(self, folder):
        """Signs out, with or without erasing, and in again; writes meanwhile where that is asked."""
        if not self.is_ready(folder):
            return
        erase = self.random.random() < 0.5
        reply = self.ask(folder, 0, "signOut", erase=erase)
        if reply is None or "error" in reply:
            return
        self.history.count("signOuts")
        if erase:
            self.history.note("erased", folder=folder.name)
        if "bringing" in self.world.stories:
            for _ in range(self.random.randint(0, 3)):
                self.write(folder, 0, self.random.choice(UNSEEN))
        self.is_ready(folder)

    def play_copy(self, folder):
        if len(folder.copies) < 6:
            folder.copy()

    def play_put_back(self, folder):
        # Once: an operation that was sent again under a new identity which another copy then erased
        # cannot be recognised.
        if folder.copies and not folder.went_back and self.put_backs < PUT_BACKS_MAX:
            self.put_backs += 1
            self.history.count("deviceRestores")
            folder.put_back(self.random.choice(folder.copies[-2:]))

    def play_clone(self, folder):
        """A copy runs beside the original: two phones from one backup."""
        if not folder.went_back and self.clones < CLONES_MAX:
            self.clones += 1
            folder.went_back = True
            self.history.count("deviceClones")
            name = folder.copy()
            clone = Folder(self.world, self.account, f"{folder.name}c{self.clones}")
            clone.put_back(name)
            self.folders.append(clone)

    def play_image(self, _):
        """A store without an account on two devices: each writes on, some as an account of their own, and then joins."""
        if self.has_image:
            return
        self.has_image = True
        self.history.count("images")
        folders = [Folder(self.world, self.account, f"{self.account}.i{number}") for number in range(IMAGES)]
        for _ in range(self.random.randint(1, 4)):
            self.write(folders[0], 0, self.random.choice(IMAGED))
        image = folders[0].copy()
        for folder in folders:
            folder.is_apart = folder.went_back = True
            folder.put_back(image)
        for folder in self.random.sample(folders, IMAGES):
            for _ in range(self.random.randint(0, 3)):
                self.write(folder, 0, self.random.choice(UNSEEN))
            if self.random.random() < 0.6:
                self.sync(folder)
                for _ in range(self.random.randint(0, 2)):
                    self.write(folder, 0, self.random.choice(UNSEEN))
        self.folders += folders
        for folder in folders:
            self.is_ready(folder)

    # The end

    def finish(self):
        """Syncs until nothing waits anywhere, and writes down what each device shows."""
        quiet, problems = 0, {}
        for number in range(FINAL_ROUNDS_MAX):
            problems = {folder.name: self.finish_round(folder) for folder in self.folders}
            quiet = quiet + 1 if not any(problems.values()) else 0
            if quiet == 2:
                break
            if quiet == 0:
                time.sleep(min(0.2 * number, 3))
        if quiet < 2:
            self.history.note("unconverged", account=self.account, why=str(problems)[:600])
        dumps = {}
        for folder in self.folders:
            dump = self.ask(folder, 0, "dump")
            if dump and "records" in dump:
                dumps[folder.name] = dump
        self.users = {dump["user"] for dump in dumps.values()}
        if dumps:
            dumps.update(self.stored(dumps))
        for name, dump in dumps.items():
            self.history.note("final", account=self.account, folder=name, dump=dump)
        for folder in self.folders:
            folder.close_all()

    def stored(self, dumps):
        """What the server has of the account: its export, and its rows where they can be read."""
        views = {}
        export = self.ask(self.folders[0], 0, "export")
        if export and "export" in export:
            views["export"] = dump_of_export(json.loads(export["export"]))
        else:
            self.history.note("ended", account=self.account, why=f"no export: {export}")
        users = {dump["user"] for dump in dumps.values()}
        if len(users) == 1:
            views["rows"] = self.world.server.rows(users.pop())
        # What the server refused is on devices alone.
        refused = sorted({text for dump in dumps.values() for text in dump["setAside"] if text})
        return {f"{self.account}.{name}": {**view, "setAside": refused}
                for name, view in views.items() if view}

    def finish_round(self, folder):
        """What is in the way of a device; None when everything is on the server."""
        if not self.is_ready(folder):
            return "cannot sign in"
        if self.settle(folder, "keepMine"):
            self.sync(folder)
            return "had conflicts"
        reply = self.sync(folder)
        if reply is None:
            return "ended"
        if reply.get("problem") or "error" in reply:
            return reply.get("problem") or reply["error"]
        return None if reply["synced"] else str(reply)
