#!/usr/bin/env python3
"""Stories of the client in Python and a server of its own, which is killed and put back to a backup.

Usage: stories.py PROGRAM. Exits 1 when anything is not as docs/sync.md says.
"""

import copy
import pathlib
import sys
import tempfile
import types

from client import Device, Problem, call, digest, values

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "System" / "BlackBox"))
from programs import Programs
from server import Server

POLICIES = {"points": "counter", "profiles": "fieldMerge"}
# More writes than the server keeps marks of.
WRITES_BEYOND_MARKS = 205


def exam(day):
    return {"exam": "int/swift", "date": day, "status": "planned"}


class Stories:
    def __init__(self, server):
        self.server = server

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.port}"

    def devices(self, count=2):
        tokens = call(self.url, "POST", "/api/accounts/v1/anonymous")
        return [Device(self.url, dict(tokens), POLICIES) for _ in range(count)]

    def a_conflict_is_settled(self):
        phone, tablet = self.devices()
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
        # On top of the change that will be in conflict: a part of the same one.
        phone.write("reservations", "swift", put=exam("2026-12-27"))
        tablet.sync()
        phone.sync()
        assert not phone.outbox and len(phone.conflicts) == 1
        conflict = phone.conflicts["reservations", "swift"]
        assert values(conflict["theirs"])["date"] == "2026-12-25"
        assert conflict["mine"]["put"]["date"] == "2026-12-27"
        # The other device goes on: what is shown as theirs does, too.
        tablet.write("reservations", "swift", put=exam("2026-12-28"))
        tablet.sync()
        phone.sync()
        assert values(conflict["theirs"])["date"] == "2026-12-28"
        phone.settle("reservations", "swift", keeps_mine=True)
        phone.write("favourites", "q1", delete=True)
        phone.sync()
        tablet.sync()
        assert tablet.shows("reservations", "swift")["date"] == "2026-12-27"
        assert tablet.shows("favourites", "q1") is None
        assert not phone.outbox and not tablet.outbox

    def counters_add_up(self):
        phone, tablet = self.devices()
        for device, steps in ((phone, (3, -1)), (tablet, (5,))):
            for step in steps:
                device.count("points", "all", "total", step)
        phone.sync()
        tablet.sync()
        phone.count("points", "all", "total", 10)
        phone.sync()
        tablet.sync()
        assert phone.shows("points", "all") == tablet.shows("points", "all") == {"total": 17}

    def fields_merge(self):
        phone, tablet = self.devices()
        phone.write("profiles", "me", put={"a": "1", "b": "1"})
        phone.sync()
        tablet.sync()
        phone.write("profiles", "me", put={"a": "2"})
        tablet.write("profiles", "me", put={"b": "2"})
        for device in (phone, tablet, phone):
            device.sync()
        assert phone.shows("profiles", "me") == tablet.shows("profiles", "me")
        assert phone.shows("profiles", "me") == {"a": "2", "b": "2"}

    def an_answer_is_taken_back(self):
        phone, tablet = self.devices()
        for number in range(2):
            phone.answer(f"q{number}")
        phone.sync()
        tablet.sync()
        tablet.retract(phone.id, 1, "q0")
        tablet.sync()
        export = phone.call("GET", "/api/accounts/v1/export")
        marks = {(answer["device"], answer["number"]): answer.get("retractedBy")
                 for answer in export["answers"]}
        assert marks == {
            (phone.id, 1): {"device": tablet.id, "number": 1}, (phone.id, 2): None,
            (tablet.id, 1): None}

    def tokens_are_renewed(self):
        phone, = self.devices(1)
        old = dict(phone.tokens)
        phone.tokens["access_token"] += "x"
        phone.write("favourites", "q1", put={"bank": "es"})
        phone.sync()
        assert phone.tokens["refresh_token"] != old["refresh_token"]
        # Once its successor was used, the old one is a copy's: without a sign-in method both go on.
        phone.tokens["access_token"] = "x"
        phone.sync()
        copy = call(self.url, "POST", "/api/accounts/v1/refresh",
                    {"refresh_token": old["refresh_token"]})
        assert copy["copied"] is True and copy["user"] == old["user"], copy
        phone.sync()
        # An email opens the account: the copy's session ends, and a used token is a thief's.
        phone.call("POST", "/api/accounts/v1/upgrade",
                   {"email": "renewed@example.org", "password": "12345678"})
        for token, code in ((copy["refresh_token"], "unauthorized"),
                            (old["refresh_token"], "reusedToken")):
            try:
                call(self.url, "POST", "/api/accounts/v1/refresh", {"refresh_token": token})
                raise AssertionError("a used token was renewed")
            except Problem as problem:
                assert (problem.status, problem.code) == (401, code), problem

    def a_device_that_slept_too_long_reads_anew(self):
        phone, tablet = self.devices()
        for id in ("gone", "kept"):
            phone.write("favourites", id, put={"bank": "es"})
        phone.sync()
        tablet.sync()
        phone.write("favourites", "gone", delete=True)
        for number in range(WRITES_BEYOND_MARKS):
            phone.write("favourites", "kept", put={"bank": "es", "note": str(number)})
            phone.sync()
        tablet.write("favourites", "new", put={"bank": "es"})
        tablet.sync()
        assert tablet.recoveries == 1
        assert tablet.shows("favourites", "gone") is None
        assert tablet.shows("favourites", "kept")["note"] == str(WRITES_BEYOND_MARKS - 1)
        phone.sync()
        assert phone.shows("favourites", "new") == {"bank": "es"}

    def a_server_that_went_back_gets_everything_again(self):
        phone, tablet = self.devices()
        phone.write("favourites", "old", put={"bank": "es"})
        phone.write("favourites", "gone", put={"bank": "es"})
        phone.count("points", "all", "total", 1)
        phone.write("profiles", "me", put={"a": "1", "b": "1"})
        phone.answer("q1")
        phone.sync()
        tablet.sync()
        backup = self.server.copy()
        phone.write("favourites", "new", put={"bank": "es"})
        phone.write("favourites", "gone", delete=True)
        phone.write("profiles", "me", put={"a": "2"})
        phone.count("points", "all", "total", 2)
        phone.answer("q2")
        phone.sync()
        tablet.count("points", "all", "total", 4)
        tablet.write("profiles", "me", put={"b": "2"})
        tablet.sync()
        # This one has seen what the server is about to forget.
        tablet.write("favourites", "new", put={"bank": "es", "note": "seen"})
        self.server.go_back(backup, is_said=False)
        tablet.sync()
        phone.sync()
        tablet.sync()
        assert tablet.recoveries and phone.recoveries
        fresh = Device(self.url, dict(phone.tokens), POLICIES)
        fresh.sync()
        for device in (phone, tablet, fresh):
            assert device.shows("favourites", "old") == {"bank": "es"}
            assert device.shows("favourites", "new") == {"bank": "es", "note": "seen"}
            assert device.shows("favourites", "gone") is None
            assert device.shows("points", "all") == {"total": 7}
            assert device.shows("profiles", "me") == {"a": "2", "b": "2"}
            assert device.held == {phone.id: 2}, device.held
            assert not device.outbox and not device.refused

    def a_device_that_was_put_back_goes_on_under_another_name(self):
        phone, tablet = self.devices()
        phone.write("favourites", "old", put={"bank": "es"})
        phone.answer("q1")
        phone.count("points", "all", "total", 1)
        phone.sync()
        old = phone.id
        # Both copies have these and have not sent them.
        phone.write("favourites", "both", put={"bank": "es"})
        phone.answer("q2")
        phone.count("points", "all", "total", 2)
        copied = copy.deepcopy(phone)
        phone.count("points", "all", "total", 4)
        copied.count("points", "all", "total", 8)
        phone.write("favourites", "new", put={"bank": "es"})
        phone.sync()
        # The copy knows nothing of that, and gives its next operation and answer the same numbers.
        copied.write("reservations", "swift", put=exam("2026-12-24"))
        copied.answer("q3")
        copied.sync()
        phone.sync()
        for device in (tablet, phone, copied):
            device.sync()
            assert device.shows("points", "all") == {"total": 15}
            for id in ("old", "both", "new"):
                assert device.shows("favourites", id) == {"bank": "es"}
            assert device.shows("reservations", "swift") == exam("2026-12-24")
            assert device.held == {old: 3}, device.held
            assert not device.outbox and not device.refused
        # Steps of the copy were counted under the old name, so the original left it, too.
        assert old not in (phone.id, copied.id)

    def the_digests_of_the_page(self):
        """The examples that docs/sync.md gives."""
        one = {"collection": "favourites", "id": "q1", "revision": 7,
               "fields": {"note": "é", "bank": "es"}}
        two = {"collection": "points", "id": "p", "revision": 12,
               "counts": {"n": {"d1": [3, 1], "d2": [2, 0]}}}
        page = (pathlib.Path(__file__).parents[2] / "docs" / "sync.md").read_text("utf-8")
        for records in ([], [one], [two], [one, two]):
            assert f"`{digest(records)}`" in page, digest(records)

    def tell(self):
        names = [name for name, value in vars(Stories).items()
                 if callable(value) and name not in ("__init__", "devices", "tell")]
        for name in names:
            getattr(self, name)()
        print(f"stories.py: {len(names)} stories of a client in Python are as docs/sync.md says")


def main():
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(folder)
        history = types.SimpleNamespace(
            note=lambda *kind, **members: None, count=lambda *kind: None)
        server = Server(types.SimpleNamespace(
            history=history, folder=pathlib.Path(folder), programs=programs,
            binaries=pathlib.Path(sys.argv[1]).resolve().parent))
        try:
            Stories(server).tell()
        finally:
            server.kill()
            programs.close()


if __name__ == "__main__":
    main()
