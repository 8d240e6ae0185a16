"""Journeys through two devices of one account and a real server on the loopback: exam dates that both change, updates of
published content, and the ways into an account and out of it. A console message or a failed request fails each."""

import contextlib
import datetime
import json
import re
import unittest

import browser
import learner
import program
from device import EMAIL, SWIFT, TODAY, Device, correct, day, disagree, enter, tab_to


class Devices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.content = program.Content()
        self.addCleanup(self.content.end)
        self.server = program.Server(self.content)
        self.addCleanup(self.server.stop)
        self.windows = contextlib.ExitStack()

    def journey(self):
        """The windows of a journey; what went wrong in one fails it."""
        return self.windows

    def opened(self):
        """A new device in a window of its own; its app ends after the journey."""
        app = program.App(self.content, self.server)
        self.addCleanup(app.stop)
        return Device(app, self.windows.enter_context(learner.opened(self.browser, app)))

    def two(self):
        """Two devices that both moved an exam date; the second is asked what counts."""
        first, second = self.opened(), self.opened()
        disagree(first, second)
        second.one.go("/inbox")
        self.assertIn("To decide", second.main)
        second.one.press("two versions", "link", exact=False)
        return first, second

    def agreed(self, first, second, on):
        """Both have the same day after a sync of each, and nothing to decide."""
        second.sync()
        first.sync()
        self.assertEqual((first.booked(), second.booked()), (on, on))
        for device in (first, second):
            device.one.go("/inbox")
            self.assertNotIn("To decide", device.main)

    def test_of_two_dates_the_learner_keeps_the_own(self):
        with self.journey():
            first, second = self.two()
            second.one.press("Keep Mine", exact=False)
            self.assertIn("Kept yours.", second.frame)
            self.agreed(first, second, day(40))

    def test_of_two_dates_the_learner_takes_the_servers_by_keyboard_alone(self):
        with self.journey():
            first, second = self.two()
            tab_to(second, "Use Server")
            enter(second)
            self.assertIn("Used the server’s.", second.frame)
            self.agreed(first, second, day(30))

    def test_two_dates_become_one_by_keyboard_alone(self):
        with self.journey():
            first, second = self.two()
            tab_to(second, "Edit both into one")
            enter(second)
            tab_to(second, "", "input[type=date]")
            third = TODAY + datetime.timedelta(days=35)
            second.page.keyboard.type(third.strftime("%m%d%Y"))
            tab_to(second, "Save as one")
            enter(second)
            self.assertIn("Saved as one.", second.frame)
            self.agreed(first, second, day(35))

    def test_a_date_is_booked_moved_cancelled_and_brought_back(self):
        with self.journey():
            device = self.opened()
            device.create()
            device.book(day(20))
            device.move(day(25))
            self.assertEqual(device.booked(), day(25))
            device.one.press("Cancel this date: Swift language basics")
            self.assertEqual(device.page.locator("details [name=day]").count(), 0)
            device.one.press("Undo")
            self.assertEqual(device.booked(), day(25))
            self.assertIn("Waiting to be sent", device.main)
            device.sync()
            self.assertEqual(device.booked(), day(25))
            self.assertNotIn("Waiting to be sent", device.main)

    def answer(self, device, count):
        """Answers some questions, and says the exam's session."""
        device.one.go("/library/int/swift")
        device.one.begin("study")
        for _ in range(count):
            device.one.choose(SWIFT[device.one.question])
            device.one.next()
            device.one.next()

    def signed_in_with_answers(self):
        device = self.opened()
        device.create()
        device.sync()
        self.answer(device, 3)
        device.one.go("/account/sign-out")
        self.assertRegex(device.main, r"3 answers are not sent\.")
        return device

    def seen_after_signing_in(self, device):
        device.sign_in()
        device.sync()
        device.one.go("/progress")
        found = re.search(r"Questions seen\s+(\d+)", device.main)
        return int(found[1]) if found else 0

    def test_whoever_sends_before_signing_out_finds_the_answers_again(self):
        with self.journey():
            device = self.signed_in_with_answers()
            device.one.press("Send now")
            self.assertIn("You are signed out.", device.frame)
            self.assertEqual(self.seen_after_signing_in(device), 3)

    def test_whoever_keeps_before_signing_out_finds_the_answers_again(self):
        with self.journey():
            device = self.signed_in_with_answers()
            device.one.press("Keep for next time")
            self.assertIn("You are signed out.", device.frame)
            device.one.go("/progress")
            self.assertNotRegex(device.main, r"Questions seen\s+3")
            self.assertEqual(self.seen_after_signing_in(device), 3)

    def test_whoever_erases_before_signing_out_has_lost_the_answers(self):
        with self.journey():
            device = self.signed_in_with_answers()
            device.one.press("Erase")
            self.assertIn("You are signed out.", device.frame)
            self.assertEqual(self.seen_after_signing_in(device), 0)

    def test_data_is_exported_and_the_account_deleted(self):
        with self.journey():
            device = self.opened()
            device.create()
            device.book(day(20))
            device.one.go("/account")
            with device.page.expect_download() as download:
                device.page.get_by_role("link", name="Export my data").click()
            self.assertIn("int/swift", json.dumps(json.loads(download.value.path().read_text(encoding="utf-8"))))
            device.one.press("Delete account", "link")
            device.page.get_by_label(f"Type {EMAIL} to delete the account.").fill(EMAIL)
            device.one.press("Delete account")
            self.assertIn("Deleted: the account and what this device had of it.", device.frame)
            self.assertIsNone(device.booked())

    def test_a_corrected_answer_is_told_and_scored_again(self):
        with self.journey():
            device = self.opened()
            device.create()
            result, wrong = device.hand_in()
            before = device.one.heading
            self.content.publish(lambda folder: correct(folder, self.content.release, *wrong))
            device.sync()
            self.assertIn("New content", device.main)
            device.one.go("/updates")
            self.assertIn(wrong[0], device.main)
            device.one.go(result)
            self.assertNotEqual(device.one.heading, before)
            self.assertIn("It was", device.main)


if __name__ == "__main__":
    unittest.main()
