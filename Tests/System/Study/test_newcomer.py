"""The way of a newcomer through `script/demo`: from the printed address to a finished placement test, with the mouse alone
and by keyboard alone. Each step is counted, and the time that a human would need is estimated and printed: the
keystroke-level model's times of a hand (Card, Moran and Newell 1980), a thought before each choice, and reading at 238
words a minute (Brysbaert 2019). It is an estimate, not a measurement of people."""

import unittest

import browser
import learner
import program

SPANISH = learner.answers("languages", "es")
POINT, CLICK, KEY, THOUGHT = 1.1, 0.2, 0.28, 1.2
WORDS_PER_MINUTE = 238
QUESTIONS_MAX = 24
# Language, start; two a question: the first one within three presses of the first page.
STEPS_MAX = 3 + 2 * QUESTIONS_MAX
# The first question is reached in a minute. A test has about 15, each read and thought about.
START_SECONDS_MAX = 60
SECONDS_MAX = 4 * 60


class Human:
    """Counts what a learner reads, thinks, points at and presses."""

    def __init__(self, one):
        self.one = one
        self.words = self.clicks = self.keys = self.thoughts = 0
        self.start = 0

    @property
    def steps(self):
        return self.clicks + self.keys

    @property
    def seconds(self):
        return (self.words / WORDS_PER_MINUTE * 60 + self.clicks * (POINT + CLICK) + self.keys * KEY
                + self.thoughts * THOUGHT)

    def read(self, selector="main"):
        """Reads what is seen of it in the window; what lies below is not needed."""
        self.words += self.one.page.locator(selector).first.evaluate("""(element) => [...element.querySelectorAll("*")]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().top < innerHeight)
          .flatMap((each) => [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
          .flatMap((node) => node.textContent.trim().split(/\\s+/).filter(Boolean)).length""")

    def click(self, target, leads=True):
        """Points at something that is seen, and clicks it."""
        self.clicks += 1
        self.act(lambda: target.click(), leads)

    def press(self, key, leads=False):
        self.keys += 1
        self.act(lambda: self.one.page.keyboard.press(key), leads)

    def act(self, step, leads):
        if not leads:
            return step()
        with self.one.page.expect_navigation(wait_until="load"):
            step()

    def think(self):
        self.thoughts += 1

    def started(self):
        """The first question is there."""
        self.start = self.seconds

    def report(self, name, questions):
        minutes, seconds = divmod(round(self.seconds), 60)
        return (f"A newcomer {name}: the first question after {round(self.start)} s; {questions} questions, {self.clicks} clicks, {self.keys} keys, {self.words} words, "
                f"{self.thoughts} choices: about {minutes} min {seconds} s")


class Newcomer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.demo = program.Demo()
        self.addCleanup(self.demo.stop)

    def answer(self, one, count):
        """The texts that a learner with two right answers of three chooses."""
        right = SPANISH.get(one.question, one.rows()[:1])
        if count % 3 or one.page.locator("[data-ordering]").count():
            return right
        return [next(row for row in one.rows() if row not in right)]

    def ended(self, human, name, questions):
        print("\n" + human.report(name, questions), flush=True)
        self.assertRegex(human.one.heading, r"^Your level is ")
        self.assertLessEqual(questions, QUESTIONS_MAX)
        self.assertLess(human.start, START_SECONDS_MAX)
        self.assertLess(human.seconds, SECONDS_MAX)

    def test_with_the_mouse_alone(self):
        with learner.opened(self.browser, self.demo) as one:
            human = Human(one)
            # No message lies over the first page before the first answer.
            human.read()
            human.think()
            human.click(one.page.get_by_role("link", name="Español").first)
            human.read()
            human.think()
            human.click(one.page.get_by_role("button", name="Find my level"))
            human.started()
            questions = moves = 0
            while one.is_asked:
                questions += 1
                human.read()
                human.think()
                before = human.clicks
                self.choose_by_mouse(human, self.answer(one, questions))
                moves += max(0, human.clicks - before - 1)
                human.click(one.page.locator("[data-primary]"))
            self.ended(human, "with the mouse", questions)
            self.assertLessEqual(human.steps - moves, STEPS_MAX)

    def choose_by_mouse(self, human, texts):
        one = human.one
        if not one.page.locator("[data-ordering]").count():
            for text in texts:
                human.click(one.page.locator(".option").nth(one.rows().index(text)), leads=False)
            return
        for place, text in enumerate(texts):
            while (at := one.rows().index(text)) != place:
                human.click(one.page.locator(".option").nth(at).locator("[name=move]").first, leads=False)

    def test_by_keyboard_alone(self):
        with learner.opened(self.browser, self.demo) as one:
            human = Human(one)
            human.read()
            for name in ("español", "Find my level"):
                human.think()
                self.tab_to(human, name)
                human.press("Enter", leads=True)
                if not one.is_asked:
                    human.read()
            tabs = human.keys
            human.started()
            questions = moves = 0
            while one.is_asked:
                questions += 1
                human.read()
                human.think()
                before = human.keys
                self.choose_by_key(human, self.answer(one, questions))
                moves += max(0, human.keys - before - 1)
                human.press("Enter", leads=True)
            self.ended(human, "by keyboard", questions)
            self.assertLessEqual(human.keys - tabs - moves, 2 * QUESTIONS_MAX)

    def choose_by_key(self, human, texts):
        one = human.one
        if not one.page.locator("[data-ordering]").count():
            for text in texts:
                human.press(str(one.rows().index(text) + 1))
            return
        for place, text in enumerate(texts):
            if one.rows().index(text) == place:
                continue
            self.tab_to(human, f"Move {text} up")
            while one.rows().index(text) != place:
                human.press("Enter" if one.page.locator(":focus[name=move]").count() else "Alt+ArrowUp")
        if one.page.locator(":focus[name=move]").count():
            self.tab_to(human, "Next")

    def tab_to(self, human, name):
        for _ in range(80):
            human.press("Tab")
            focused = human.one.page.evaluate(
                "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()")
            if focused.lower().startswith(name.lower()):
                return
        self.fail(f"{name} was not reached by Tab on {human.one.path}")


if __name__ == "__main__":
    unittest.main()
