"""A client of the exchange protocol in another language, written from docs/sync.md alone."""

import hashlib
import json
import struct
import time
import typing
import urllib.error
import urllib.request
import uuid

MASK = (1 << 64) - 1
AHEAD_MILLISECONDS_MAX = 5 * 60 * 1000
OPERATIONS_MAX = 500


class Problem(Exception):
    """The server's problem document."""

    def __init__(self, status, code):
        super().__init__(f"{status} {code}")
        self.status, self.code = status, code


def call(server, method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server + path, method=method, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return json.loads(reply.read() or b"null")
    except urllib.error.HTTPError as error:
        raise Problem(error.code, json.loads(error.read() or b"{}").get("code")) from None


def digest_text(value):
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "b1" if value else "b0"
    if isinstance(value, float) and value == int(value) and abs(value) <= 2**53:
        value = int(value)
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "d%x" % struct.unpack(">Q", struct.pack(">d", value))[0]
    if isinstance(value, str):
        return "t" + value
    return "[" + ",".join(digest_text(item) for item in value) + "]"


def fnv(texts):
    hash = 0xCBF29CE484222325
    for text in texts:
        for byte in text.encode() + b"\xff":
            hash = ((hash ^ byte) * 0x100000001B3) & MASK
    return hash


def values(record):
    result = dict(record.get("fields", {}))
    for field, devices in record.get("counts", {}).items():
        result[field] = sum(added - removed for added, removed in devices.values())
    return result


def digest(records):
    count = total = cross = 0
    for record in records:
        if record.get("deleted"):
            continue
        texts = [record["collection"], record["id"], str(record["revision"])]
        for name, value in sorted(values(record).items(), key=lambda item: item[0].encode()):
            texts += [name, digest_text(value)]
        hash = fnv(texts)
        count, total = count + 1, (total + hash) & MASK
        cross ^= (hash * 0x9E3779B97F4A7C15) & MASK
    return f"{count:x}.{total:x}.{cross:x}"


def order(record):
    """The order of writes that did not see each other."""
    return record["time"], record["by"][0].encode(), record["by"][1]


def mark(record, field):
    time, _, writer = record.get("marks", {}).get(field, (record["time"], 0, record["by"]))
    return time, writer[0].encode(), writer[1]


def history(record):
    """Of each device the greatest number of a write that is in the record or was replaced in it."""
    known = dict(record.get("replaced", {}))
    writers = [writer for _, _, writer in record.get("marks", {}).values()]
    for device, number in [record["by"], *writers]:
        known[device] = max(number, known.get(device, 0))
    return known


def includes(record, write):
    return history(record).get(write[0], -1) >= write[1]


def is_later(one, mine, other, theirs, by_time):
    """By who replaced whom, else by time."""
    knows, is_known = includes(one, theirs), includes(other, mine)
    return by_time if knows == is_known else knows


def writer(record, field):
    return record.get("marks", {}).get(field, (None, None, record["by"]))[2]


def joined(one, other, policy):
    """What two copies of a record know together."""
    is_first = is_later(one, one["by"], other, other["by"], order(one) > order(other))
    later, earlier = (one, other) if is_first else (other, one)
    result = json.loads(json.dumps(later))
    if policy == "fieldMerge" and not later.get("deleted"):
        for name, value in earlier.get("fields", {}).items():
            if name not in later.get("fields", {}) or is_later(
                earlier, writer(earlier, name), later, writer(later, name),
                mark(earlier, name) > mark(later, name)):
                result.setdefault("fields", {})[name] = value
    if policy not in ("appendOnly", "counter"):
        known = history(earlier)
        result["replaced"] = {
            device: max(number, known.get(device, 0))
            for device, number in (known | history(later)).items()}
    for field, devices in earlier.get("counts", {}).items():
        known = result.setdefault("counts", {}).setdefault(field, {})
        for device, totals in devices.items():
            known[device] = [max(pair) for pair in zip(totals, known.get(device, [0, 0]))]
    return result


def shows_the_same(one, other):
    return bool(one.get("deleted")) == bool(other.get("deleted")) and (
        one.get("deleted") or values(one) == values(other))


def branch(id, step):
    """The id under which the steps that begin with this one are counted."""
    content = {key: step[key] for key in step if key not in ("seen", "follows", "saw", "from")}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    hash = hashlib.sha256(text.encode()).hexdigest()[:16]
    parts = [id, "o", str(step["n"]), hash]
    whole = b"".join(part.encode() + b"\xff" for part in parts)
    return "b" + hashlib.sha256(whole).hexdigest()[:32]


class Retraction(typing.NamedTuple):
    """An answer row that takes another one back."""

    client: str
    number: int
    question: str

    @property
    def options(self):
        return ["#retract", self.client, str(self.number)]


class Device:
    """A device of a user: what the page asks of one, with its state in memory."""

    def __init__(self, server, tokens, policies=None):
        self.server, self.tokens, self.id = server, tokens, str(uuid.uuid4())
        self.policies = policies or {}
        self.counter = self.request = 0
        self.latest = [0, 0]
        self.place, self.records, self.former = {}, {}, {}
        self.outbox, self.conflicts, self.refused = [], {}, []
        # None, or why the log is read from its start: "serverWentBack" or "sleptTooLong".
        self.recovery, self.recoveries = None, 0
        self.answers, self.held, self.on_server = [], {}, 0
        # The id that this device had, and answers that wait to be compared with the server's, by their numbers.
        self.detached = (None, {})
        # Answers that go on under that id.
        self.rest = None

    # What the user does

    def now(self):
        wall = int(time.time() * 1000)
        latest = min(self.latest, [wall + AHEAD_MILLISECONDS_MAX, 0])
        self.latest = [wall, 0] if [wall, 0] > latest else [latest[0], latest[1] + 1]
        return self.latest

    def write(self, collection, id, **change):
        key = (collection, id)
        if key in self.conflicts:
            self.conflicts[key]["mine"] = change
            return
        self.counter += 1
        operation = {
            "n": self.counter, "collection": collection, "id": id, "time": self.now(), **change,
        }
        here = [item for item in self.outbox if (item["collection"], item["id"]) == key]
        waiting = [item for item in here if "restore" not in item]
        record, policy = self.records.get(key), self.policies.get(collection)
        shown = record
        offers = [item["restore"] for item in here if "restore" in item]
        for offer in offers + ([self.former[key]] if key in self.former else []):
            shown = joined(shown, offer, policy) if shown else offer
        if waiting:
            operation["follows"] = [self.id, waiting[-1]["n"]]
            if "seen" in waiting[-1]:
                operation["seen"] = waiting[-1]["seen"]
            if "saw" in waiting[-1]:
                operation["saw"] = waiting[-1]["saw"]
        elif shown and (not record or shown["by"] != record["by"]):
            operation.update(follows=shown["by"], saw=history(shown))
        elif record:
            operation.update(seen=record["revision"], follows=record["by"])
        self.outbox.append(operation)

    def count(self, collection, id, field, step):
        key = (collection, id)
        totals = self.records.get(key, {}).get("counts", {}).get(field, {}).get(self.id, [0, 0])
        for item in self.outbox:
            if (item["collection"], item["id"]) == key and "count" in item:
                totals = item["count"][1:]
        added, removed = totals[0] + max(step, 0), totals[1] + max(-step, 0)
        self.write(collection, id, count=[field, added, removed], **{"from": totals})

    def settle(self, collection, id, keeps_mine):
        conflict = self.conflicts.pop((collection, id))
        if keeps_mine:
            self.counter += 1
            self.outbox.append({
                "n": self.counter, "collection": collection, "id": id, "time": self.now(),
                "seen": conflict["theirs"]["revision"], **conflict["mine"]})

    def answer(self, question):
        self.answers.append(question)
        self.held[self.id] = len(self.answers)

    def retract(self, client, number, question):
        """Takes back an answer to a question, of this device or another one."""
        self.answer(Retraction(client, number, question))

    def shows(self, collection, id):
        key = (collection, id)
        record = self.records.get(key) or self.former.get(key) or {"deleted": True}
        return None if record.get("deleted") else values(record)

    # The exchange

    def call(self, method, path, body=None):
        """Sends a request, and renews the access token once where it is not valid any more."""
        try:
            return call(self.server, method, path, body, self.tokens["access_token"])
        except Problem as problem:
            if problem.status != 401:
                raise
        self.tokens.update(call(
            self.server, "POST", "/api/accounts/v1/refresh",
            {"refresh_token": self.tokens["refresh_token"]}))
        return call(self.server, method, path, body, self.tokens["access_token"])

    def run(self, id, first, questions):
        count = len(questions)
        undone = [isinstance(name, Retraction) for name in questions]
        names = [name.question if undo else name for name, undo in zip(questions, undone)]
        options = [["a"]] + [name.options for name in questions if isinstance(name, Retraction)]
        return {
            "client": id, "first": first, "count": count,
            "bank": ["int/swift", count], "session": ["s", count], "mode": ["study", count],
            "question": {"names": [[name, "v1"] for name in names], "at": list(range(count))},
            "options": {
                "names": options,
                "at": [sum(undone[:place + 1]) if undo else 0 for place, undo in enumerate(undone)],
            },
            "correct": "".join("0" if undo else "1" for undo in undone), "random": "0" * count,
            "taken": [0 if undo else 900 for undo in undone], "exposures": [0] * count,
            # A retraction is not older than its answer.
            "date": [1_700_000_000_000 + 3_600_000 * undone[0]] + [5_000] * (count - 1),
        }

    def body(self):
        self.request += 1
        operations = [] if self.recovery else self.outbox[:OPERATIONS_MAX]
        body = {
            "version": 1, "user": self.tokens["user"], "client": self.id, "request": self.request,
            "processedBefore": min((item["n"] for item in self.outbox), default=self.counter + 1),
            "operations": operations, "held": self.held, **self.place,
        }
        if self.recovery:
            body["anew"] = True
        runs = [self.run(*self.rest)] if self.rest else []
        if new := self.answers[self.on_server:]:
            runs.append(self.run(self.id, self.on_server + 1, new))
        if runs:
            body["answers"] = runs
        return body

    def sync(self):
        """Exchanges until both sides have the same; returns the number of requests."""
        for number in range(1, 50):
            body = self.body()
            reply = self.call("POST", "/api/sync/v1/exchange", body)
            assert reply["request"] == body["request"]
            if self.take_reply(body, reply):
                return number
        raise AssertionError("no end of requests")

    def take_reply(self, body, reply):
        """True when there is nothing more to ask."""
        if reply.get("staleDevice"):
            return self.take_new_identity(reply)
        self.on_server = reply.get("held", {}).get(self.id, 0)
        if self.rest and reply.get("held", {}).get(self.rest[0], 0) >= self.held[self.rest[0]]:
            self.rest = None
        if body.get("epoch", reply["epoch"]) != reply["epoch"]:
            return self.read_anew(reply, "serverWentBack")
        if reply.get("tooOld"):
            return self.read_anew(reply, "sleptTooLong")
        for result in reply.get("results", []):
            self.take_result(result)
        for record in reply.get("records", []):
            self.take(record)
        self.place = {key: reply[key] for key in ("epoch", "cursor", "head") if key in reply}
        for run in reply.get("answers", []):
            self.held[run["client"]] = run["first"] + run["count"] - 1
            self.compare(run)
        if reply.get("more"):
            return False
        if self.recovery:
            self.end_recovery()
            return False
        if reply["digest"] != digest(self.records.values()):
            return self.read_anew(reply, "serverWentBack")
        return not self.outbox and not self.rest and self.on_server == len(self.answers)

    def take_result(self, result):
        operation = next(
            (item for item in self.outbox if item["n"] == result["n"]), None)
        if operation is None or "retryLater" in result:
            return
        self.outbox.remove(operation)
        if "refused" in result:
            self.refused.append((operation, result["refused"]))
            return
        record = result.get("accepted") or result.get("merged") or result["conflict"]
        self.take(record)
        if "accepted" in result:
            for item in self.outbox:
                follows = item.get("follows") == [self.id, operation["n"]]
                if follows and self.has_seen_all(record, item, operation):
                    item["seen"] = record["revision"]
                    del item["follows"]
        elif "conflict" in result:
            self.take_conflict(operation, record)

    def has_seen_all(self, record, item, operation):
        """Of fieldMerge whether the author of a change had seen each field, or had set it to the same value."""
        if self.policies.get(record["collection"]) != "fieldMerge":
            return True
        for name, value in record.get("fields", {}).items():
            _, revision, by = record.get("marks", {}).get(name, (0, record["revision"], record["by"]))
            saw = item.get("saw", {}).get(by[0], -1) >= by[1]
            own = by[0] == self.id or operation.get("put", {}).get(name, ...) == value
            if not (own or saw or revision <= item.get("seen", 0)):
                return False
        return True

    def take_conflict(self, operation, record):
        chain = operation
        for item in list(self.outbox):
            if item.get("follows") == chain.get("restore", {"by": [self.id, chain["n"]]})["by"]:
                self.outbox.remove(item)
                chain = item
        mine = {name: chain[name] for name in ("put", "delete") if name in chain}
        if offered := chain.get("restore"):
            mine = {"delete": True} if offered.get("deleted") else {"put": values(offered)}
        key = (record["collection"], record["id"])
        self.conflicts[key] = {"mine": mine, "theirs": record}

    def take(self, record):
        key = (record["collection"], record["id"])
        if record["revision"] <= self.records.get(key, {"revision": 0})["revision"]:
            return
        ahead = [int(time.time() * 1000) + AHEAD_MILLISECONDS_MAX, 0]
        self.latest = max(self.latest, min(record["time"], ahead))
        self.records[key] = record
        if key in self.conflicts:
            self.conflicts[key]["theirs"] = record

    # Going back

    def ask(self, id, operations):
        """Settles operations under an id, in order; returns the results by `n`."""
        results, waiting = {}, list(operations)
        while waiting:
            self.request += 1
            reply = self.call("POST", "/api/sync/v1/exchange", {
                "version": 1, "user": self.tokens["user"], "client": id, "request": self.request,
                "copied": True, "operations": waiting[:OPERATIONS_MAX], **self.place})
            assert reply["staleDevice"], reply
            found = {result["n"]: result for result in reply.get("results", [])}
            later = [item for item in waiting if "retryLater" in found.get(item["n"], {})]
            results |= {n: result for n, result in found.items() if "retryLater" not in result}
            asked, waiting = waiting[:OPERATIONS_MAX], later + waiting[OPERATIONS_MAX:]
            if any("count" in item and item["n"] not in found for item in asked):
                # What was written on top of a step that differs contains it.
                break
        return results

    def settle_steps(self):
        """Lets the server count the steps that another copy may send, too: under this id, or under a branch."""
        for result in self.ask(self.id, self.outbox).values():
            self.take_result(result)
        id, rest = self.id, [(item, item) for item in self.outbox if "count" in item]
        while rest:
            id, said, totals = branch(id, rest[0][1]), [], {}
            for number, (item, _) in enumerate(rest, 1):
                field, *step = self.step(item)
                key = (item["collection"], item["id"], field)
                before = totals.get(key, [0, 0])
                totals[key] = [sum(pair) for pair in zip(step, before)]
                said.append((item, {
                    "n": number, "collection": key[0], "id": key[1], "time": item["time"],
                    "count": [field, *totals[key]], "from": before}))
            results = self.ask(id, [step for _, step in said])
            for item, step in said:
                if step["n"] in results:
                    self.take_result({**results[step["n"]], "n": item["n"]})
            left = [pair for pair in said if pair[1]["n"] not in results]
            # A server that takes no step of a branch takes none of the next one either.
            rest = left if len(left) < len(rest) else []

    def take_new_identity(self, reply):
        """This device was put back to a copy: what was not applied goes out under another name."""
        old, known = self.id, self.on_server
        for result in reply.get("results", []):
            self.take_result(result)
        self.settle_steps()
        self.id, self.counter, self.request = str(uuid.uuid4()), 0, 0
        names, totals = {}, {}
        for item in self.outbox:
            self.counter += 1
            if "count" in item:
                field, *step = self.step(item)
                key = (item["collection"], item["id"], field)
                before = totals.get(key, [0, 0])
                totals[key] = [sum(pair) for pair in zip(step, before)]
                item["count"], item["from"] = [field, *totals[key]], before
            names[item["n"]], item["n"] = self.counter, self.counter
            follows = item.get("follows", [None, None])
            if follows[0] == old and follows[1] in names:
                item["follows"] = [self.id, names[follows[1]]]
        # Asking for the rows that the server has beyond those that this copy knows to be there.
        self.held[old] = known
        self.detached = (old, dict(enumerate(self.answers[known:], known + 1)))
        self.answers, self.on_server = [], 0
        return self.read_anew(reply, "sleptTooLong")

    def step(self, item):
        """What a waiting operation adds to a counter."""
        field, *total = item["count"]
        return [field, *(now - then for now, then in zip(total, item["from"]))]

    def compare(self, run):
        """Drops what the server has under the old id; whole rows where they are not all alike."""
        old, answers = self.detached
        if run["client"] == old:
            known = [run["question"]["names"][place][0] for place in run["question"]["at"]]
            self.detached = (
                old, {number: name for number, name in answers.items() if name not in known})

    # Reading anew

    def read_anew(self, reply, reason):
        """Goes back to the start of the log, with what is known kept aside; never the end of a sync."""
        self.recoveries += 1
        if reason == "serverWentBack":
            for item in self.outbox:
                base = self.records.get((item["collection"], item["id"]))
                if base and base["revision"] == item.get("seen"):
                    item.setdefault("follows", base["by"])
                    item["saw"] = history(base)
                item.pop("seen", None)
            self.recovery = reason
        self.recovery = self.recovery or reason
        for key, record in self.records.items():
            known = self.former.get(key)
            policy = self.policies.get(key[0])
            self.former[key] = joined(known, record, policy) if known else record
        self.records = {}
        self.place = {key: reply[key] for key in ("epoch", "head") if key in reply}
        return False

    def is_missing(self, key, record, base, both):
        if self.policies.get(key[0]) == "askUser" and not shows_the_same(base, record):
            waiting = any((item["collection"], item["id"]) == key for item in self.outbox)
            return not waiting and not includes(base, record["by"])
        return not shows_the_same(both, base) or both["by"] != base["by"]

    def end_recovery(self):
        if self.recovery == "serverWentBack":
            offers = []
            for key, record in sorted(self.former.items()):
                base = self.records.get(key)
                both = joined(base, record, self.policies.get(key[0])) if base else None
                if both and not self.is_missing(key, record, base, both):
                    continue
                self.counter += 1
                offers.append({
                    "n": self.counter, "collection": key[0], "id": key[1],
                    "time": record["time"], "restore": record})
            self.outbox[:0] = offers
        self.former, self.recovery = {}, None
        old, answers = self.detached
        first = min(answers, default=0)
        if answers and first == self.held.get(old, 0) + 1:
            # The original may send the same under the id that it has.
            self.rest = (old, first, list(answers.values()))
            self.held[old] = first + len(answers) - 1
        else:
            for question in answers.values():
                self.answer(question)
        self.detached = (None, {})
