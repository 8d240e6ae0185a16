#!/usr/bin/env python3
"""Holds the checker against histories that were written by hand: it must find each fault, and no other."""

import copy
import unittest

from checker import Checker

ACCOUNT, ONE, TWO = "a", "a.d0", "a.d1"


def place(**members):
    return {
        "user": "u", "client": "c", "epoch": "e", "cursor": 1, "recovering": False,
        "synced": True, "conflicts": 0, "refused": 0, **members,
    }


class Story:
    """A history in the making, and what each device shows at its end."""

    def __init__(self):
        self.events, self.syncs = [], 0
        for folder in (ONE, TWO):
            self.note("folder", account=ACCOUNT, folder=folder)
        records = {name: {} for name in
                   ("notes", "stars", "exams", "preferences", "profiles", "points")}
        self.shown = {"records": records, "answers": [], "setAside": [], "inbox": []}

    def note(self, kind, **members):
        self.events.append({"kind": kind, **members})

    def write(self, folder, w, collection, record=None, saw=None, is_acknowledged=True, **more):
        self.note("try", w=w, account=ACCOUNT, folder=folder, collection=collection,
                  record=record or w, saw=saw, **more)
        if is_acknowledged:
            self.note("ack", w=w)

    def sync(self, folder, ok=True, **members):
        self.syncs += 1
        self.note("syncStart", s=self.syncs, folder=folder)
        self.note("syncEnd", s=self.syncs, ok=ok, place=place(**members))
        self.note("place", folder=folder, place=place(**members))

    def kinds(self, other=None):
        """The kinds of violations when the second device shows `other`, or the same as the first."""
        events = self.events + [
            {"kind": "final", "account": ACCOUNT, "folder": ONE, "dump": self.shown},
            {"kind": "final", "account": ACCOUNT, "folder": TWO, "dump": other or self.shown},
        ]
        return {violation["kind"] for violation in Checker(events).check()}


class CheckerTests(unittest.TestCase):
    def setUp(self):
        self.story = Story()
        self.records = self.story.shown["records"]

    def test_what_is_shown_once_is_well(self):
        self.story.write(ONE, "w1", "answers")
        self.story.write(TWO, "w2", "notes")
        self.story.shown["answers"] = ["w1"]
        self.records["notes"] = {"w2": "w2"}
        self.assertEqual(self.story.kinds(), set())

    def test_a_lost_answer_is_found(self):
        self.story.write(ONE, "w1", "answers")
        self.assertEqual(self.story.kinds(), {"lost"})

    def test_what_was_never_acknowledged_may_be_there_or_not(self):
        self.story.write(ONE, "w1", "answers", is_acknowledged=False)
        self.assertEqual(self.story.kinds(), set())
        self.story.shown["answers"] = ["w1"]
        self.assertEqual(self.story.kinds(), set())

    def test_a_doubled_answer_is_found(self):
        self.story.write(ONE, "w1", "answers")
        self.story.shown["answers"] = ["w1", "w1"]
        self.assertEqual(self.story.kinds(), {"doubled"})

    def test_an_answer_of_nobody_is_found(self):
        self.story.shown["answers"] = ["w1"]
        self.assertEqual(self.story.kinds(), {"invented"})

    def test_each_step_of_a_counter_counts_once(self):
        for step in range(3):
            self.story.write(ONE, f"w{step}", "points", "c0", step=step)
        for total, kinds in ((1 + 4 + 16, set()), (1 + 16, {"lost"}), (1 + 8 + 16, {"doubled"}),
                             (1 + 4 + 16 + 64, {"invented"})):
            self.records["points"] = {"c0": total}
            self.assertEqual(self.story.kinds(), kinds, total)

    def test_an_old_value_that_is_back_is_found(self):
        self.story.write(ONE, "w1", "stars", "s")
        self.story.write(TWO, "w2", "stars", "s", saw="w1")
        self.records["stars"] = {"s": "w1"}
        self.assertEqual(self.story.kinds(), {"lost"})
        self.records["stars"] = {"s": "w2"}
        self.assertEqual(self.story.kinds(), set())

    def test_either_of_two_that_did_not_see_each_other_may_win(self):
        self.story.write(ONE, "w1", "stars", "s")
        self.story.write(TWO, "w2", "stars", "s")
        for value in ("w1", "w2"):
            self.records["stars"] = {"s": value}
            self.assertEqual(self.story.kinds(), set())

    def test_a_field_that_another_device_brings_back_is_found(self):
        self.story.write(ONE, "w1", "profiles", "p", field="a")
        self.story.write(ONE, "w2", "profiles", "p", saw="w1", field="a")
        self.story.write(TWO, "w3", "profiles", "p", field="b")
        self.records["profiles"] = {"p": {"a": "w1", "b": "w3"}}
        self.assertEqual(self.story.kinds(), {"lost"})

    def test_an_exam_that_nobody_saw_before_it_was_replaced_is_found(self):
        self.story.write(ONE, "w1", "exams", "e")
        self.story.write(TWO, "w2", "exams", "e")
        self.records["exams"] = {"e": "w2"}
        self.assertEqual(self.story.kinds(), {"lost"})
        self.story.note("settled", folder=TWO, how="keepMine", mine="w2", theirs="w1")
        self.assertEqual(self.story.kinds(), set())

    def test_a_write_that_was_killed_but_kept_has_seen_what_it_replaced(self):
        self.story.write(ONE, "w1", "exams", "e")
        self.story.write(ONE, "w2", "exams", "e", saw="w1", is_acknowledged=False)
        self.story.write(ONE, "w3", "exams", "e", saw="w2")
        self.records["exams"] = {"e": "w3"}
        self.assertEqual(self.story.kinds(), set())

    def test_a_refused_write_that_is_shown_as_such_is_not_lost(self):
        self.story.write(ONE, "w1", "notes")
        self.story.shown["setAside"] = ["w1"]
        self.assertEqual(self.story.kinds(), set())

    def test_devices_that_differ_are_found(self):
        self.story.write(ONE, "w1", "preferences", "p", is_acknowledged=False)
        other = copy.deepcopy(self.story.shown)
        other["records"]["preferences"] = {"p": "w1"}
        self.assertEqual(self.story.kinds(other), {"diverged"})

    def test_a_parted_group_is_found(self):
        self.story.write(ONE, "w1", "notes", is_acknowledged=False, group="g")
        self.story.write(ONE, "w2", "notes", is_acknowledged=False, group="g")
        self.records["notes"] = {"w1": "w1"}
        self.assertEqual(self.story.kinds(), {"parted"})

    def test_a_cursor_that_goes_back_within_an_epoch_is_found(self):
        self.story.sync(ONE, cursor=7)
        self.story.sync(ONE, cursor=3, epoch="other")
        self.story.sync(ONE, cursor=8)
        self.assertEqual(self.story.kinds(), set())
        self.story.sync(ONE, cursor=6)
        self.assertEqual(self.story.kinds(), {"cursorWentBack"})

    def test_synced_while_a_write_waits_is_found(self):
        self.story.write(ONE, "w1", "answers")
        self.story.shown["answers"] = ["w1"]
        self.story.note("place", folder=ONE, place=place(synced=False))
        self.assertEqual(self.story.kinds(), set())
        self.story.note("place", folder=ONE, place=place())
        self.assertEqual(self.story.kinds(), {"saysSynced"})

    def test_synced_with_something_for_the_user_to_do_is_found(self):
        for name in ("conflicts", "refused", "needsSignIn"):
            story = Story()
            story.note("place", folder=ONE, place=place(synced=False, **{name: 1}))
            self.assertEqual(story.kinds(), set())
            story.note("place", folder=ONE, place=place(**{name: 1}))
            self.assertEqual(story.kinds(), {"saysSynced"}, name)

    def test_what_neither_copy_nor_server_held_may_be_gone(self):
        self.story.note("copied", folder=ONE, name="c")
        self.story.write(ONE, "w1", "answers")
        self.story.note("putBack", folder=ONE, name="c")
        self.assertEqual(self.story.kinds(), set())

    def test_what_the_server_held_must_outlive_a_copy_that_is_put_back(self):
        self.story.note("copied", folder=ONE, name="c")
        self.story.write(ONE, "w1", "answers")
        self.story.sync(ONE)
        self.story.note("putBack", folder=ONE, name="c")
        self.assertEqual(self.story.kinds(), {"lost"})

    def test_what_a_device_held_must_outlive_a_server_that_went_back(self):
        self.story.note("serverCopied", name="b")
        self.story.write(ONE, "w1", "answers")
        self.story.sync(ONE)
        self.story.sync(TWO)
        self.story.note("erased", folder=ONE)
        self.story.note("serverPutBack", name="b")
        self.assertEqual(self.story.kinds(), {"lost"})

    def test_what_nobody_held_when_the_server_went_back_may_be_gone(self):
        self.story.note("serverCopied", name="b")
        self.story.write(ONE, "w1", "answers")
        self.story.sync(ONE)
        self.story.note("serverPutBack", name="b")
        self.story.note("erased", folder=ONE)
        self.assertEqual(self.story.kinds(), set())

    def test_a_sync_that_was_killed_says_nothing(self):
        self.story.note("copied", folder=ONE, name="c")
        self.story.write(ONE, "w1", "answers")
        self.story.note("syncStart", s=1, folder=ONE)
        self.story.note("killed", folder=ONE, syncs=[1])
        self.story.note("putBack", folder=ONE, name="c")
        self.assertEqual(self.story.kinds(), set())


if __name__ == "__main__":
    unittest.main()
