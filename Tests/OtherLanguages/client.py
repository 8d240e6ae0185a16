"""A client in another language, written from docs/sync.md: two devices of one user and a server.

Usage: client.py http://127.0.0.1:PORT. Exits 1 when anything is not as the page says.
"""

import json
import struct
import sys
import time
import urllib.request
import uuid

SERVER = sys.argv[1]
MASK = (1 << 64) - 1


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


# The digest


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


class Device:
    def __init__(self, tokens):
        self.tokens, self.id = tokens, str(uuid.uuid4())
        self.counter = self.request = self.on_server = 0
        self.place, self.records, self.outbox, self.conflicts = {}, {}, [], []
        self.answers, self.held = [], {}

    def write(self, collection, id, **change):
        self.counter += 1
        operation = {
            "n": self.counter, "collection": collection, "id": id,
            "time": [int(time.time() * 1000), 0], **change,
        }
        if record := self.records.get((collection, id)):
            operation.update(seen=record["revision"], follows=record["by"])
        self.outbox.append(operation)

    def answer(self, question):
        self.answers.append(question)
        self.held[self.id] = len(self.answers)

    def run(self, questions):
        count = len(questions)
        return {
            "client": self.id, "first": len(self.answers) - count + 1, "count": count,
            "bank": ["int/swift", count], "session": ["s", count], "mode": ["study", count],
            "question": {"names": [[name, "v1"] for name in questions], "at": list(range(count))},
            "options": {"names": [["a"]], "at": [0] * count}, "correct": "1" * count,
            "random": "0" * count, "taken": [900] * count, "exposures": [0] * count,
            "date": [1_700_000_000_000] + [5_000] * (count - 1),
        }

    def take(self, record):
        key = (record["collection"], record["id"])
        if record["revision"] > self.records.get(key, {"revision": 0})["revision"]:
            self.records[key] = record

    def sync(self):
        self.request += 1
        counters = [operation["n"] for operation in self.outbox]
        body = {
            "version": 1, "user": self.tokens["user"], "client": self.id, "request": self.request,
            "settledBefore": min(counters, default=self.counter + 1),
            "operations": self.outbox, "held": self.held, **self.place,
        }
        if new := self.answers[self.on_server:]:
            body["answers"] = [self.run(new)]
        reply = call("POST", "/api/sync/v1/exchange", body, self.tokens["access_token"])
        assert reply["request"] == self.request
        for result in reply.get("results", []):
            self.outbox = [item for item in self.outbox if item["n"] != result["n"]]
            for kind in ("accepted", "merged", "conflict"):
                if kind in result:
                    self.take(result[kind])
            if "conflict" in result:
                self.conflicts.append(result["conflict"])
        for record in reply.get("records", []):
            self.take(record)
        self.place = {key: reply[key] for key in ("epoch", "cursor", "head") if key in reply}
        self.on_server = reply.get("held", {}).get(self.id, 0)
        for run in reply.get("answers", []):
            self.held[run["client"]] = run["first"] + run["count"] - 1
        if reply.get("more"):
            return self.sync()
        assert reply["digest"] == digest(self.records.values()), "the digests differ"

    def shows(self, collection, id):
        record = self.records.get((collection, id), {"deleted": True})
        return None if record.get("deleted") else values(record)


def exam(day):
    return {"exam": "int/swift", "date": day, "status": "planned"}


tokens = call("POST", "/api/accounts/v1/anonymous")
phone, tablet = Device(tokens), Device(tokens)
phone.write("favourites", "q1", put={"bank": "int/swift", "note": "é 日 🚢"})
phone.write("reservations", "swift", put=exam("2026-12-24"))
for number in range(5):
    phone.answer(f"q{number}")
phone.sync()
tablet.sync()
assert tablet.shows("favourites", "q1")["note"] == "é 日 🚢"
assert tablet.held == {phone.id: 5}
tablet.write("reservations", "swift", put=exam("2026-12-25"))
phone.write("reservations", "swift", put=exam("2026-12-26"))
tablet.sync()
phone.sync()
assert values(phone.conflicts[0])["date"] == "2026-12-25"
phone.write("reservations", "swift", put=exam("2026-12-26"))
phone.write("favourites", "q1", delete=True)
phone.sync()
tablet.sync()
assert tablet.shows("reservations", "swift")["date"] == "2026-12-26"
assert tablet.shows("favourites", "q1") is None
assert not phone.outbox and not tablet.outbox
print("client.py: two devices in Python agree with the server")
