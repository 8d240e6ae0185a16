"""Texts of authors that are long, have no place to break, or turn the direction: nothing is wider than the window, cut or
laid over something else."""

import contextlib
import unittest

import yaml

import axe
import browser
import learner
import program
import rules

LONGEST = ["Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "x" * 300, "👩‍👩‍👧‍👦" * 60,
           "\u202eabc\u202c " * 40, "{{stem}} " * 40, "العربية " * 40, "𝕏̷̨͉̈́" * 40, "`code" + "_" * 200 + "`", "word " * 60]
STEM = "Word " * 795 + "x" * 20

# Rows and the lines beside them, whose boxes must not meet.
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("main .option, main h1, main .row, .session-head, main pre.code")]
    .filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
    .filter(([other, b]) => !one.contains(other) && !other.contains(one) && getComputedStyle(one).position !== "sticky"
      && a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1)
    .map(([other]) => `${one.className || one.tagName} lies over ${other.className || other.tagName}`));
}"""


def change(folder):
    """Puts the texts into the names and questions of an exam; one question has twelve rows, one 4,000 characters."""
    exam = folder / "exams/int/swift"
    head = yaml.safe_load((exam / "exam.yaml").read_text(encoding="utf-8"))
    head["title"] = LONGEST[0]
    for number, domain in enumerate(head["domains"]):
        domain["title"] = LONGEST[number % len(LONGEST)]
    (exam / "exam.yaml").write_text(yaml.safe_dump(head, allow_unicode=True), encoding="utf-8")
    questions = yaml.safe_load((exam / "questions.yaml").read_text(encoding="utf-8"))
    for number, question in enumerate(questions):
        text = LONGEST[number % len(LONGEST)]
        question["stem"] = f"{number} {STEM if number % 7 == 0 else text}"
        question["explanation"] = text
        for place, option in enumerate(question["options"]):
            option["text"] = f"{place} {LONGEST[(number + place) % len(LONGEST)]}"
        if "code" in question:
            question["code"]["text"] = f"let a = \"{number} {text}\""
    (exam / "questions.yaml").write_text(yaml.safe_dump(questions, allow_unicode=True, sort_keys=False), encoding="utf-8")


class LongTexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content(change)
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)

    @contextlib.contextmanager
    def opened(self, language):
        with learner.opened(self.browser, self.app, size="narrow", locale=language) as one:
            yield one

    def look(self, one):
        one.page.size = 0
        with self.subTest(path=one.path):
            self.assertEqual(rules.all_faults(one.page) + one.page.evaluate(OVERLAPS), [])

    def test_nothing_is_cut_or_lies_over_something_else(self):
        for language in ("en", "ar"):
            with self.opened(language) as one:
                for path in ("/", "/library", "/library/int/swift", "/bookings", "/progress"):
                    one.go(path)
                    self.look(one)
                one.go("/library/int/swift")
                with one.page.expect_navigation(wait_until="load"):
                    one.page.locator("main form:has([value=exam]) button").first.click()
                session = one.path.rsplit("/", 1)[0]
                for number in range(1, 31):
                    one.go(f"{session}/{number}")
                    self.look(one)
                self.assertEqual(axe.faults(one.page), [])
                one.go(f"{session}/overview")
                self.look(one)
                with one.page.expect_navigation(wait_until="load"):
                    one.page.locator("main form button").last.click()
                self.look(one)
                with one.page.expect_navigation(wait_until="load"):
                    one.page.locator("a[href$='/review']").click()
                self.look(one)


if __name__ == "__main__":
    unittest.main()
