"""Checks a recorded history: was anything lost, doubled, invented, or called synced too early?

Written apart from the product: it knows only what users were told and what they see in the end.

Each write has an identity of its own. `held` is what a device's folder, or the server, is known to
hold: a write that was acknowledged is in its folder; a sync that ended well brings folder and server to
each other's; a copy that is put back brings back what was held then. Whatever any of them holds at the
end must be shown by every device of the account, in its policy's sense:

- answers, notes: exactly once;
- steps of counters: exactly once. Step number i adds 4^i, so the digits of the total to base 4 say how
  often each step counts;
- texts of `stars`, `preferences` and fields of `profiles`: nothing that a held write had seen and
  replaced may be back;
- texts of `exams`: each held write was seen by whoever replaced it, step by step up to what is shown,
  or waits in an inbox.
"""

import collections

LATEST = ("stars", "preferences", "profiles")


class Checker:
    def __init__(self, events):
        self.events = events
        self.violations = []
        self.tried = {}
        self.held = collections.defaultdict(set)
        self.on_server = collections.defaultdict(set)
        self.copies, self.server_copies = {}, {}
        self.generation = 0
        self.syncs = {}
        self.waiting = collections.defaultdict(set)
        self.parents = collections.defaultdict(set)
        self.cursors = {}
        self.lives = collections.Counter()
        self.account_of = {}
        self.finals = collections.defaultdict(dict)
        self.checked = 0

    def violate(self, kind, account, text):
        self.violations.append({"kind": kind, "account": account, "text": text})

    def check(self):
        """Returns all violations, each with its kind, account and a sentence."""
        for event in self.events:
            handler = getattr(self, "on_" + event["kind"], None)
            if handler:
                handler(event)
        accounts = set(self.account_of.values())
        for account in sorted(accounts):
            self.check_account(account)
        return self.violations

    # Events

    def on_folder(self, event):
        self.account_of[event["folder"]] = event["account"]

    def on_try(self, event):
        self.tried[event["w"]] = event
        if event.get("saw") is not None:
            self.parents[event["w"]].add(event["saw"])

    def on_ack(self, event):
        write = self.tried[event["w"]]
        folder = write["folder"]
        self.held[folder].add(event["w"])
        if not any(sync["folder"] == folder for sync in self.syncs.values()):
            self.waiting[folder].add(event["w"])

    def on_settled(self, event):
        """The user saw both sides: what stays stands over what goes."""
        mine, theirs = event["mine"], event["theirs"]
        winner, loser = (mine, theirs) if event["how"] == "keepMine" else (theirs, mine)
        if winner is not None and loser is not None:
            self.parents[winner].add(loser)

    def on_syncStart(self, event):
        folder = event["folder"]
        self.waiting[folder] = set()
        self.syncs[event["s"]] = {
            "folder": folder, "held": set(self.held[folder]), "generation": self.generation,
            "server": set(self.on_server[self.account_of[folder]]),
        }

    def on_syncEnd(self, event):
        sync = self.syncs.pop(event["s"], None)
        if sync is None or not event["ok"] or sync["generation"] != self.generation:
            return
        folder, place = sync["folder"], event["place"]
        sent = sync["held"]
        if place["conflicts"] or place["refused"]:
            sent = {w for w in sent if self.tried[w]["collection"] != "exams"}
        self.on_server[self.account_of[folder]] |= sent
        self.held[folder] |= sync["server"]

    def on_killed(self, event):
        self.syncs = {s: sync for s, sync in self.syncs.items() if s not in event["syncs"]}

    def on_place(self, event):
        folder, place = event["folder"], event["place"]
        account = self.account_of[folder]
        if place["synced"] and self.waiting[folder]:
            self.violate(
                "saysSynced", account,
                f"{folder} says synced while {sorted(self.waiting[folder])[:3]} wait")
        for name in ("conflicts", "refused", "needsSignIn"):
            if place["synced"] and place.get(name):
                self.violate("saysSynced", account, f"{folder} says synced with {name}")
        if place["recovering"] or place["epoch"] is None:
            return
        # A server that went back twice may be in an earlier epoch again: one stay in it is compared.
        key = (folder, self.lives[folder], place["user"], place["client"])
        epoch, cursor = self.cursors.get(key, (None, 0))
        if epoch == place["epoch"] and place["cursor"] < cursor:
            self.violate(
                "cursorWentBack", account,
                f"{folder}: {cursor} to {place['cursor']} in epoch {epoch}")
            return
        self.cursors[key] = (place["epoch"], place["cursor"])

    def on_copied(self, event):
        self.copies[event["name"]] = set(self.held[event["folder"]])

    def on_putBack(self, event):
        folder = event["folder"]
        self.held[folder] = set(self.copies[event["name"]])
        self.waiting[folder] = set()
        self.lives[folder] += 1

    def on_erased(self, event):
        """Nothing unsent was there, says the SDK: so a server that never went back has everything."""
        folder = event["folder"]
        if not self.generation:
            self.on_server[self.account_of[folder]] |= self.held[folder]
        self.held[folder] = set()
        self.waiting[folder] = set()
        self.lives[folder] += 1

    def on_serverCopied(self, event):
        self.server_copies[event["name"]] = {
            account: set(held) for account, held in self.on_server.items()
        }

    def on_serverPutBack(self, event):
        self.generation += 1
        self.on_server = collections.defaultdict(set)
        for account, held in self.server_copies[event["name"]].items():
            self.on_server[account] = set(held)

    def on_stored(self, event):
        """The server said so to a client that stores nothing itself."""
        self.on_server[self.tried[event["w"]]["account"]].add(event["w"])

    def on_undrained(self, event):
        self.violate("undrained", event["account"], event["why"])

    def on_released(self, event):
        for name in ("files", "tables"):
            if event[name] > event[f"{name}Max"]:
                self.violate("slowRelease", None, f"{name} after {event[name]:.2f} s")

    def on_internalError(self, event):
        self.violate("internalError", None, f"500 for {event['request']}")

    def on_secondSelf(self, event):
        self.violate("secondSelf", None, f"{event['user']} is open, and no device is signed in to it")

    def on_unconverged(self, event):
        self.violate("unconverged", event["account"], event["why"])

    def on_ended(self, event):
        self.violate("deviceEnded", event["account"], event["why"])

    def on_final(self, event):
        self.finals[event["account"]][event["folder"]] = event["dump"]

    # The end

    def check_account(self, account):
        finals = self.finals[account]
        if not finals:
            return
        required = set(self.on_server[account])
        for folder, owner in self.account_of.items():
            if owner == account:
                required |= self.held[folder]
        for folder, dump in finals.items():
            self.check_dump(account, folder, dump, required)
        shown = {
            folder: (dump["records"], sorted(dump["answers"])) for folder, dump in finals.items()
        }
        first = min(shown)
        for folder in sorted(shown):
            if shown[folder] != shown[first]:
                self.violate("diverged", account, f"{folder} and {first}: "
                             + difference(shown[first], shown[folder]))

    def check_dump(self, account, folder, dump, required):
        exempt = {text for text in dump["setAside"] if text is not None}
        exempt |= {conflict["mine"] for conflict in dump["inbox"]}
        writes = [self.tried[w] for w in sorted(required)]
        self.checked += len(writes)
        self.check_sums(account, folder, dump)
        self.check_sets(account, folder, dump, writes, exempt)
        self.check_steps(account, folder, dump, writes)
        self.check_groups(account, folder, dump)
        self.check_texts(account, folder, dump, writes, exempt)

    def check_sums(self, account, folder, dump):
        for name, (stored, counted) in dump.get("sums", {}).items():
            if stored != counted:
                self.violate("miscounted", account, f"{folder}: {name}: {stored}, not {counted}")

    def check_sets(self, account, folder, dump, writes, exempt):
        shown = {
            "answers": collections.Counter(dump["answers"]),
            "notes": collections.Counter(dump["records"]["notes"].values()),
        }
        for write in writes:
            values = shown.get(write["collection"])
            if values is not None and write["w"] not in exempt and not values[write["w"]]:
                self.violate("lost", account, f"{folder}: {write['collection']} {write['w']}")
        for name, values in shown.items():
            for value, count in values.items():
                if count > 1:
                    self.violate("doubled", account, f"{folder}: {name} {value} {count} times")
                if self.tried.get(value, {}).get("account") != account:
                    self.violate("invented", account, f"{folder}: {name} {value}")

    def check_steps(self, account, folder, dump, writes):
        totals = dump["records"]["points"]
        steps = collections.defaultdict(dict)
        for write in self.tried.values():
            if write["collection"] == "points" and write["account"] == account:
                steps[write["record"]][write["step"]] = write["w"]
        required = {write["w"] for write in writes}
        for record, names in steps.items():
            total = totals.get(record, 0)
            for step in range(max(names) + 2):
                digit = total // 4**step % 4
                if digit and step not in names:
                    self.violate("invented", account, f"{folder}: step {step} of {record}")
                elif digit > 1:
                    self.violate("doubled", account, f"{folder}: {names[step]} of {record}")
                elif not digit and names.get(step) in required:
                    self.violate("lost", account, f"{folder}: {names[step]} of {record}")

    def check_groups(self, account, folder, dump):
        notes = set(dump["records"]["notes"].values())
        groups = collections.defaultdict(set)
        for write in self.tried.values():
            if write.get("group") and write["account"] == account:
                groups[write["group"]].add(write["w"])
        for group, members in groups.items():
            if members & notes and not members <= notes:
                self.violate("parted", account, f"{folder}: {group} {sorted(members - notes)}")

    def check_texts(self, account, folder, dump, writes, exempt):
        required, deleted = collections.defaultdict(set), set()
        for write in self.tried.values():
            if write["account"] == account and write.get("deletes"):
                deleted.add((write["collection"], write["record"], write.get("field")))
        for write in writes:
            if write["collection"] in LATEST + ("exams",) and not write.get("deletes"):
                key = (write["collection"], write["record"], write.get("field"))
                required[key].add(write["w"])
        for key, wanted in required.items():
            collection, record, field = key
            value = dump["records"][collection].get(record)
            if field is not None:
                value = (value or {}).get(field)
            if value is None:
                if key not in deleted and not wanted <= exempt:
                    self.violate("lost", account, f"{folder}: {key} shows nothing")
            elif value not in self.tried or self.tried[value]["account"] != account:
                self.violate("invented", account, f"{folder}: {key} shows {value}")
            elif collection == "exams":
                unseen = wanted - self.ancestors(value) - {value} - exempt
                if unseen:
                    self.violate(
                        "lost", account,
                        f"{folder}: {key} shows {value}, whose author never saw {sorted(unseen)}")
            else:
                newer = [w for w in wanted if value in self.ancestors(w)]
                if newer:
                    self.violate(
                        "lost", account, f"{folder}: {key} shows {value}, older than {newer}")

    def ancestors(self, value):
        """All values that were seen and replaced on the way to this one."""
        found, todo = set(), [value]
        while todo:
            for parent in self.parents.get(todo.pop(), ()):
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        found.discard(value)
        return found


def difference(one, other):
    """A few of the places where two devices show different things."""
    places = []
    for name in sorted(set(one[0]) | set(other[0])):
        left, right = one[0].get(name, {}), other[0].get(name, {})
        places += [
            f"{name}/{key}: {left.get(key)} and {right.get(key)}"
            for key in sorted(set(left) | set(right)) if left.get(key) != right.get(key)
        ]
    answers = set(one[1]) ^ set(other[1])
    if answers:
        places.append(f"answers {sorted(answers)[:3]}")
    return "; ".join(places[:4]) or "answers in other numbers"
