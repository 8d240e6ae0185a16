#!/usr/bin/env python3
"""Holds what the cluster's black box adds against faults made by hand: each must be found."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from checker import Checker
from drain import ACCOUNT, FOLDER, Request, judge
from processes import is_running
from programs import await_true
from rows import dump, dump_of_export
from selftest import ONE, Story


def record(collection, name, **members):
    return {"collection": collection, "id": name, **members}


class ViewTests(unittest.TestCase):
    """The rows and the export against what devices show."""

    def setUp(self):
        self.story = Story()
        for number in (1, 2):
            self.story.write(ONE, f"w{number}", "answers")
        self.story.shown["answers"] = ["w1", "w2"]

    def kinds(self, view, **members):
        self.story.note("final", account="a", folder="a.rows", dump={**view, **members})
        return self.story.kinds()

    def test_the_same_in_another_order_is_well(self):
        self.assertEqual(self.kinds(dump([], ["w2", "w1"])), set())

    def test_an_answer_without_a_row_is_found(self):
        self.assertEqual(self.kinds(dump([], ["w1"])), {"lost", "diverged"})

    def test_an_answer_with_two_rows_is_found(self):
        self.assertEqual(self.kinds(dump([], ["w1", "w1", "w2"])), {"doubled", "diverged"})

    def test_a_row_that_no_device_shows_is_found(self):
        self.story.write(ONE, "w3", "answers", is_acknowledged=False)
        self.assertEqual(self.kinds(dump([], ["w1", "w2", "w3"])), {"diverged"})

    def test_a_sum_that_is_not_that_of_its_rows_is_found(self):
        rows = dump([], ["w1", "w2"])
        self.assertEqual(self.kinds(rows, sums={"answers": [2, 2]}), set())
        self.assertEqual(self.kinds(rows, sums={"answers": [3, 2]}), {"miscounted"})

    def test_records_are_shown_as_devices_show_them(self):
        view = dump_of_export({
            "account": {"records": [
                record("notes", "n", fields={"text": "w1"}),
                record("profiles", "p", fields={"a": "w2", "b": None}),
                record("points", "c", counts={"total": {"d1": [5, 1], "d2": [16, 0]}}),
            ]}, "answers": [{"question": "w3", "device": "d1"}]})
        self.assertEqual(view["records"]["notes"], {"n": "w1"})
        self.assertEqual(view["records"]["profiles"], {"p": {"a": "w2"}})
        self.assertEqual(view["records"]["points"], {"c": 20})
        self.assertEqual(view["answers"], ["w3"])


class ReplyTests(unittest.TestCase):
    def test_an_internal_error_is_found(self):
        event = {"kind": "internalError", "request": "POST /api/sync/v1/exchange"}
        self.assertEqual([found["kind"] for found in Checker([event]).check()], ["internalError"])


class ReleaseTests(unittest.TestCase):
    def test_a_release_that_one_server_has_late_is_found(self):
        for files, kinds in ((0.9, set()), (1.1, {"slowRelease"})):
            event = {"kind": "released", "files": files, "tables": 1, "filesMax": 1, "tablesMax": 5}
            self.assertEqual({found["kind"] for found in Checker([event]).check()}, kinds)


class Notes:
    """A history in memory."""

    def __init__(self):
        self.events = []

    def note(self, kind, **members):
        self.events.append({"kind": kind, **members})

    def count(self, name, by=1):
        pass


class DrainTests(unittest.TestCase):
    """A server that is asked to end in the middle of a request."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        self.history = Notes()
        self.history.note("folder", account=ACCOUNT, folder=FOLDER)
        self.history.note("try", w="w1", account=ACCOUNT, folder=FOLDER, collection="notes",
                          record="w1", saw=None)
        self.request = Request(self.listener.getsockname()[1], "token", "w1")
        self.addCleanup(self.request.socket.close)

    def begin(self):
        server, _ = self.listener.accept()
        self.addCleanup(server.close)
        self.assertIn(b"PUT /api/v1/collections/notes/w1", server.recv(65_536))
        return server

    def kinds(self, shown):
        judge(self.history, self.request)
        self.history.note("final", account=ACCOUNT, folder=FOLDER, dump=shown)
        return {found["kind"] for found in Checker(self.history.events).check()}

    def test_a_request_has_begun_once_it_was_read(self):
        self.assertFalse(self.request.is_begun())
        self.begin()
        self.assertTrue(self.request.is_begun())

    def test_a_request_that_gets_no_reply_is_found(self):
        self.begin().close()
        self.assertEqual(self.kinds(dump([], [])), {"undrained"})

    def test_a_reply_whose_record_is_not_there_is_found(self):
        self.begin().sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        self.assertEqual(self.kinds(dump([], [])), {"lost"})

    def test_a_reply_whose_record_is_there_is_well(self):
        self.begin().sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        stored = dump([record("notes", "w1", fields={"text": "w1"})], [])
        self.assertEqual(self.kinds(stored), set())


# Starts a program, and says which.
STARTING = """
import signal, sys, time
from programs import Programs
# A shell starts a job in the background with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with open("/dev/null", "w") as log:
    print(Programs(sys.argv[1]).start(["sleep", "600"], log).pid, flush=True)
time.sleep(600)
"""


class ProgramsTests(unittest.TestCase):
    def test_a_killed_test_leaves_nothing(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            folder = tempfile.mkdtemp(prefix="blackbox-selftest-")
            test = subprocess.Popen(
                [sys.executable, "-c", STARTING, folder], stdout=subprocess.PIPE, text=True,
                stderr=subprocess.DEVNULL, cwd=os.path.dirname(__file__) or ".")
            with test.stdout:
                program = int(test.stdout.readline())
            self.assertTrue(is_running(program))
            test.send_signal(number)
            test.wait()
            await_true(lambda: not os.path.exists(folder), "a folder that is removed", 20)
            self.assertFalse(is_running(program))


if __name__ == "__main__":
    unittest.main()
