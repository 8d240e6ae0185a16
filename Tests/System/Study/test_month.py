"""A month in the real app: thirty evenings, each at another time, on the pages and in the terminal of one device.

Twenty questions are answered wrong on the first evening and right since, until nothing is due. What is due then follows
from the learner's days alone, so both faces say the numbers of the engine, whose intervals `EveningTests` compares."""

import datetime
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import browser
import learner
import program

QUESTIONS = 60
NEW_A_DAY = 20
# The days on which a card comes again by py-fsrs 6.3.1 without fuzz, after it was answered wrong, and right when asked again,
# or right on its first day.
AFTER_WRONG = [1, 3, 9, 27, 72]
AFTER_RIGHT = [2, 13, 59]
FIRST = datetime.date(2027, 3, 8)  # The clocks go forward in the month.


def moment(number):
    """When and where an evening begins: between 16:00 and 03:30, in two zones."""
    minutes = 16 * 60 + number * 397 % (11 * 60 + 30)
    at = datetime.datetime.combine(FIRST + datetime.timedelta(days=number), datetime.time()) \
        + datetime.timedelta(minutes=minutes)
    return f"{at:%Y-%m-%d %H:%M:%S} {'Europe/Berlin' if number < 12 else 'America/New_York'}"


def expected(number):
    """The cards that are due on an evening, and those that are new."""
    due = 0
    for first in range(QUESTIONS // NEW_A_DAY):
        due += NEW_A_DAY * ((number - first) in (AFTER_RIGHT if first else AFTER_WRONG))
    return due, NEW_A_DAY if number < QUESTIONS // NEW_A_DAY else 0


def authored():
    """A content folder with one exam of sums."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="month-"))
    exam = folder / "exams/int/sums"
    exam.mkdir(parents=True)
    (folder / "underway.yaml").write_text("name: Month\n")
    (exam / "exam.yaml").write_text("title: Sums\nversion: \"1\"\n")
    (exam / "questions.yaml").write_text("".join(
        f"- id: q{n}\n  type: single-choice\n  difficulty: 1\n  stem: What is {n} + {n}?\n"
        f"  options: [{{ id: a, text: \"{2 * n}\" }}, {{ id: b, text: \"{2 * n + 1}\" }}]\n  correct: [0]\n"
        for n in range(1, QUESTIONS + 1)))
    return folder


def double(text):
    return str(2 * int(re.search(r"What is (\d+) \+", text)[1]))


class Terminal:
    """`underway study` as one types it, on a moved clock."""

    def __init__(self, app, at):
        command = [program.PROGRAM, "study", "int/sums", "--plain", "--store", app.folder / "store",
                   "--bundle", app.content.bundle]
        self.process = subprocess.Popen(
            ["env", *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | program.clock(at))

    def read(self):
        """What it prints until it asks or ends."""
        text = b""
        while not text.endswith(b"> ") and (more := self.process.stdout.read(1)):
            text += more
        return text.decode()

    def type(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        text = self.process.stdout.read().decode()
        self.process.stdout.close()
        if self.process.wait(timeout=program.SECONDS_MAX) != 0:
            raise AssertionError(text)
        return text


class Month(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content(source=authored())
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(self.app.stop)
        # The days of `AFTER_WRONG` are those without the spread of due days.
        subprocess.run(["env", program.PROGRAM, "study", "--set", "spreads=false", "--store", self.app.folder / "store"],
                       check=True, stdout=subprocess.DEVNULL)

    # The pages

    def today(self, one):
        """The number of cards that Today says are due, and what it says of tomorrow."""
        one.go("/")
        text = one.page.locator("main").inner_text()
        due = re.search(r"(\d+) cards? (?:is|are) due", text)
        tomorrow = re.search(r"(\d+) cards? tomorrow", text)
        return int(due[1]) if due else 0, int(tomorrow[1]) if tomorrow else 0

    def study_on_pages(self, one, is_right):
        """Takes one session, and returns its questions."""
        asked = []
        one.go("/library/int/sums")
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator("main form:has([value=study]) button").first.click()
        while one.is_asked:
            right = double(one.question)
            is_again = right in asked
            if not is_again:
                asked.append(right)
            (one.choose if is_right or is_again else one.choose_wrongly)([right])
            one.next()
            one.next()
        return asked

    # The terminal

    def study_in_terminal(self, at, is_right):
        """Takes one session, and returns its questions and the last words."""
        terminal, asked = Terminal(self.app, at), []
        while (shown := terminal.read()).endswith("> "):
            right = double(shown[shown.rindex("What is"):])
            is_again = right in asked
            if not is_again:
                asked.append(right)
            rows = re.findall(r"(\d)\) (\d+)", shown[shown.rindex("What is"):])
            terminal.type(next(place for place, text in rows if (text == right) == (is_right or is_again)))
        return asked, shown + terminal.end()

    # Together

    def test_thirty_evenings(self):
        seen = set()
        for number in range(30):
            at, is_right = moment(number), number > 0
            self.app.sleep_until(at)
            with learner.opened(self.browser, self.app) as one:
                seen |= self.evening(one, number, at, is_right, seen)
        self.assertEqual(len(seen), QUESTIONS)
        checked = subprocess.run(
            ["env", program.PROGRAM, "study", "int/sums", "--verify-schedules", "--store", self.app.folder / "store"],
            capture_output=True, text=True, check=True, env=os.environ | program.clock(moment(30))).stdout
        # Those of the first evening were asked again at once.
        given = sum(sum(expected(number)) for number in range(30)) + NEW_A_DAY
        self.assertIn(f"{given} answers", checked)
        self.assertIn(" 0 differences", checked)

    def evening(self, one, number, at, is_right, seen):
        """Studies until nothing is due: odd evenings on the pages, the others in the terminal."""
        due, new = expected(number)
        if number > 0:  # Before the first session nothing is due.
            self.assertEqual(self.today(one)[0], due + new, at)
        asked = []
        while len(asked) < due + new:
            more = self.study_on_pages(one, is_right) if number % 2 else self.study_in_terminal(at, is_right)[0]
            self.assertTrue(more, f"{at}: {asked}")
            asked += more
        self.assertEqual((len(asked), len(set(asked)), len(set(asked) - seen)), (due + new, due + new, new), at)
        if is_right:  # What was wrong comes again within the evening.
            self.assertEqual(self.today(one), (0, sum(expected(number + 1))), at)
            following = next(later for later in range(number + 1, number + 90) if expected(later)[0])
            more, words = self.study_in_terminal(at, is_right)
            self.assertEqual(more, [], at)
            self.assertIn(f"the next question is due on {FIRST + datetime.timedelta(days=following)},"
                          f" in {following - number} day", words)
        return set(asked)
