"""A device of an account: the study app with its window, beside a server."""

import datetime
import itertools
import time

import yaml

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

    def __init__(self, app, one):
        self.app = app
        self.one = one
        self.page = one.page

    def expect(self, text):
        """Fails unless the page says it."""
        if text not in self.frame:
            raise AssertionError(f"{self.one.path} says no {text}: {self.frame}")

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
        self.expect(f"Signed in as {EMAIL}")

    def sign_in(self):
        self.one.go("/account/sign-in")
        self.page.get_by_label("Email").fill(EMAIL)
        self.page.get_by_label("Password").fill(PASSWORD)
        if self.page.get_by_text("Take them along into the account").count():
            self.page.get_by_text("Take them along into the account").click()
        self.one.press("Sign in")
        self.expect(f"Signed in as {EMAIL}")

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
                raise AssertionError(f"it did not come: {self.main}")
            self.page.wait_for_timeout(100)

    def book(self, on):
        self.one.go("/bookings")
        self.page.get_by_label("Exam", exact=True).select_option(label="Swift language basics")
        self.page.locator("#day").fill(on)
        self.one.press("Book")
        if self.booked() != on:
            raise AssertionError(f"{self.booked()} is booked, not {on}")

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

    def hand_in(self):
        """An exam with one answer, a wrong one: its result, and the text of the question with the answer given."""
        self.one.go("/library/int/swift")
        self.one.begin("exam")
        session = self.one.path.rpartition("/")[0]
        places = itertools.count(2)
        while not self.is_short_choice():
            self.one.go(f"{session}/{next(places)}")
            if not self.one.is_asked:
                raise AssertionError("no question of the exam can be used")
        given = next(row for row in self.one.rows() if row not in SWIFT[self.one.question])
        wrong = (self.one.question, given)
        self.one.choose([given])
        self.one.next()
        if "overview" not in self.one.path:
            self.one.press("Overview", "link")
        self.one.press("Hand in exam")
        return self.one.path, wrong

    def is_short_choice(self):
        """Whether the question has one right answer and no code, so that its text tells which it is."""
        return self.page.locator(".option input[type=radio]").count() > 0 and not self.page.locator("pre.code").count()


def disagree(first, second):
    """Signs both in to a new account, and moves its exam date on both before either learns of the other."""
    first.create()
    first.book(day(20))
    first.sync()
    second.sign_in()
    second.sync()
    if second.booked() != day(20):
        raise AssertionError("the exam date did not reach the second device")
    first.move(day(30))
    second.move(day(40))
    first.sync()
    second.sync()


def correct(folder, release, stem, answer):
    """Makes another option of a question the right one, and says that the released key was wrong."""
    file = folder / "exams/int/swift/questions.yaml"
    questions = yaml.safe_load(file.read_text(encoding="utf-8"))
    question = next(each for each in questions if learner.plain(each["stem"]) == stem)
    question["correct"] = [index for index, option in enumerate(question["options"]) if learner.plain(str(option["text"])) == answer]
    file.write_text(yaml.safe_dump(questions, allow_unicode=True, sort_keys=False), encoding="utf-8")
    program.run("regrade", "--add", "int/swift", question["id"], "--content", folder, "--release", release)


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
