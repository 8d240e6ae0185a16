"""Journeys through two devices of one account and a real server on the loopback: exam dates that both change, updates of
published content, and the ways into an account and out of it. A console message or a failed request fails each."""

import contextlib
import datetime
import json
import re
import time
import unittest

import yaml

import browser
import learner
import program

SWIFT = learner.answers("exams", "int", "swift")
EMAIL, PASSWORD = "mira@example.org", "a long password"
TODAY = datetime.date.today()


def day(number):
    """A day from now, as a date's field has it."""
    return (TODAY + datetime.timedelta(days=number)).isoformat()


class Device:
    """A study app with its window."""

    def __init__(self, test, name):
        self.test = test
        self.app = program.App(test.content, test.server)
        test.addCleanup(self.app.stop)
        self.one = test.windows.enter_context(learner.opened(test.browser, self.app))
        self.page = self.one.page

    @property
    def main(self):
        return learner.plain(self.page.locator("main").inner_text())

    @property
    def frame(self):
        """The whole page's text, with its freshness line and toast."""
        return learner.plain(self.page.locator("body").inner_text())

    def create(self):
        self.one.go("/account/create")
        self.page.get_by_label("Email").fill(EMAIL)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.one.press("Create an account")
        self.test.assertIn(f"Signed in as {EMAIL}", self.main)

    def sign_in(self):
        self.one.go("/account/sign-in")
        self.page.get_by_label("Email").fill(EMAIL)
        self.page.get_by_label("Password").fill(PASSWORD)
        if self.page.get_by_text("Take them along into the account").count():
            self.page.get_by_text("Take them along into the account").click()
        self.one.press("Sign in")
        self.test.assertIn(f"Signed in as {EMAIL}", self.main)

    def sync(self):
        """Presses Sync once no other sync runs, and looks until the log says that one more ended."""
        before = self.last_sync()
        # Two that end alike within one second look the same in the log.
        self.page.wait_for_timeout(1000)
        self.until(lambda: self.can_sync())
        self.one.press("Sync")
        self.until(lambda: self.last_sync() != before)

    def can_sync(self):
        self.one.go("/settings")
        return self.page.get_by_role("button", name="Sync", exact=True).count() == 1

    def last_sync(self):
        """The time of the newest entry of the log; None without one."""
        self.one.go("/settings/log")
        times = self.page.locator("main time")
        return times.first.get_attribute("datetime") if times.count() else None

    def until(self, is_true):
        end = time.monotonic() + program.SECONDS_MAX
        while not is_true():
            if time.monotonic() > end:
                self.test.fail(f"it did not come: {self.main}")
            self.page.wait_for_timeout(100)

    def book(self, on):
        self.one.go("/bookings")
        self.page.get_by_label("Exam", exact=True).select_option(label="Swift language basics")
        self.page.locator("#day").fill(on)
        self.one.press("Book")
        self.test.assertEqual(self.booked(), on)

    def move(self, to):
        self.one.go("/bookings")
        self.page.locator("details summary").click()
        self.page.locator("details [name=day]").fill(to)
        self.one.press("Move: Swift language basics")

    def booked(self):
        """The day of the one exam that is coming up; None without any."""
        self.one.go("/bookings")
        field = self.page.locator("details [name=day]")
        return field.input_value() if field.count() else None


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

    def two(self):
        """Two devices of one account that have the same exam date, then moved by each of them."""
        first, second = Device(self, "first"), Device(self, "second")
        first.create()
        first.book(day(20))
        first.sync()
        second.sign_in()
        second.sync()
        self.assertEqual(second.booked(), day(20))
        first.move(day(30))
        second.move(day(40))
        first.sync()
        second.sync()
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
            device = Device(self, "first")
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
        device.one.press("Study", exact=False)
        for _ in range(count):
            device.one.choose(SWIFT[device.one.question])
            device.one.next()
            device.one.next()

    def signed_in_with_answers(self):
        device = Device(self, "first")
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
            device = Device(self, "first")
            device.create()
            device.book(day(20))
            device.one.go("/account")
            with device.page.expect_download() as download:
                device.page.get_by_role("link", name="Export my data").click()
            self.assertIn("int/swift", json.dumps(json.loads(download.value.path().read_text(encoding="utf-8"))))
            device.one.press("Delete account", "link")
            device.page.get_by_label(f"Type {EMAIL} to delete the account.").fill(EMAIL)
            device.one.press("Delete account")
            self.assertIn("The account is deleted.", device.frame)
            self.assertIsNone(device.booked())

    def test_a_corrected_answer_is_told_and_scored_again(self):
        with self.journey():
            device = Device(self, "first")
            device.create()
            result, wrong = self.hand_in(device)
            before = device.one.heading
            self.content.publish(lambda folder: correct(folder, *wrong))
            device.sync()
            self.assertIn("New content", device.main)
            device.one.go("/updates")
            self.assertIn(wrong[0], device.main)
            device.one.go(result)
            self.assertNotEqual(device.one.heading, before)
            self.assertIn("It was", device.main)

    def hand_in(self, device):
        """An exam with one answer, a wrong one: its result, and the text of the question with the answer given."""
        device.one.go("/library/int/swift")
        device.one.press("Simulate the exam")
        wrong = None
        while "overview" not in device.one.path and device.one.is_asked:
            rows = device.page.locator(".option input[type=radio]").count()
            if wrong is None and rows and not device.page.locator("pre.code").count():
                given = next(row for row in device.one.rows() if row not in SWIFT[device.one.question])
                wrong = (device.one.question, given)
                device.one.choose([given])
                device.one.next()
                break
            device.one.next()
        if "overview" not in device.one.path:
            device.one.press("Overview", "link")
        device.one.press("Hand in exam")
        return device.one.path, wrong


def correct(folder, stem, answer):
    """Makes another option of a question the right one."""
    file = folder / "exams/int/swift/questions.yaml"
    questions = yaml.safe_load(file.read_text(encoding="utf-8"))
    question = next(each for each in questions if learner.plain(each["stem"]) == stem)
    question["correct"] = [index for index, option in enumerate(question["options"]) if learner.plain(str(option["text"])) == answer]
    file.write_text(yaml.safe_dump(questions, allow_unicode=True, sort_keys=False), encoding="utf-8")


def tab_to(device, name, selector="*"):
    """Tabs until what has the name, and fits the selector, has the focus."""
    for _ in range(80):
        device.page.keyboard.press("Tab")
        focused = device.page.evaluate(
            "(selector) => { const at = document.activeElement;"
            " return at.matches(selector) ? (at.getAttribute('aria-label') ?? at.textContent).trim() : null; }", selector)
        if focused is not None and focused.startswith(name):
            return
    raise AssertionError(f"{name or selector} was not reached by Tab on {device.one.path}")


def enter(device):
    with device.page.expect_navigation(wait_until="load"):
        device.page.keyboard.press("Enter")


if __name__ == "__main__":
    unittest.main()
