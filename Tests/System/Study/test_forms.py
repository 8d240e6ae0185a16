"""Forms as people use them: typing, Space and Enter, in the real pages, with script and without."""

import re
import unittest

import browser
import learner
import program

EXAM = """title: Forms
version: "1.0.0"
scoring: { pass: 0.5 }
"""
# Enter in each kind of field, and the same in an exam and a placement test.
QUESTIONS = """
- { id: one, type: single-choice, difficulty: 1, stem: Choose the second, shuffle: false, correct: [1],
    options: [{ id: a, text: first }, { id: b, text: second }, { id: c, text: third }] }
- { id: several, type: multi-choice, difficulty: 1, stem: Choose the first, shuffle: false, correct: [0],
    options: [{ id: a, text: first }, { id: b, text: second }, { id: c, text: third }] }
- { id: number, type: numeric-entry, difficulty: 1, stem: Type four, number: { value: 4 } }
- { id: order, type: ordering, difficulty: 1, stem: Keep the order, shuffle: false, correct: [0, 1, 2],
    options: [{ id: a, text: first }, { id: b, text: second }, { id: c, text: third }] }
"""
PLACEMENT = """kind: placement
id: eo
title: Esperanto
version: "1.0.0"
levels: { 1: A1, 3: B1, 5: C1 }
scoring: { cuts: [{ level: A1, from: 0 }, { level: B1, from: 4 }, { level: C1, from: 8 }] }
questions:
"""


def write(folder):
    settings = folder / "underway.yaml"
    # Versions that know no numbers are no matter here.
    settings.write_text(re.sub(r"(?m)^supports:.*\n", "", settings.read_text()))
    exam = folder / "exams/int/forms"
    exam.mkdir(parents=True)
    (exam / "exam.yaml").write_text(EXAM)
    (exam / "questions.yaml").write_text(QUESTIONS)
    language = folder / "languages/eo"
    language.mkdir(parents=True)
    numbers = "".join(
        f"  - {{ id: n{n}, type: numeric-entry, difficulty: {1 + n % 5}, stem: Type {n}, number: {{ value: {n} }} }}\n"
        for n in range(1, 13))
    (language / "blueprint.yaml").write_text(PLACEMENT + numbers)
    (language / "localization.json").write_text("{}\n")


class FormPages(unittest.TestCase):
    """A device with an exam of each kind of question."""

    @classmethod
    def setUpClass(cls):
        cls.content = program.Content(write)
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(lambda: self.app.stop())

    def with_and_without_script(self, body):
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                self.app.stop()
                self.app = program.App(self.content)
                with learner.opened(self.browser, self.app, scripts=scripts, may_fail=True) as one:
                    body(one)

    def begin(self, one, subject, mode):
        one.go(subject)
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator(f"main form:has([value={mode}]) button").first.click()

    def enter(self, one):
        with one.page.expect_navigation(wait_until="load"):
            one.page.keyboard.press("Enter")

    def type_answer(self, one):
        """Types what the question asks for, where the page has put the focus."""
        if one.heading == "Choose the second":
            one.page.keyboard.press("ArrowDown")
        elif one.heading == "Choose the first":
            one.page.keyboard.press("Space")
        elif one.heading == "Type four":
            one.page.keyboard.type("4")
        else:
            one.page.locator("[data-primary]").focus()

    def find(self, one, heading):
        """Goes through an exam to a question."""
        for number in range(1, 5):
            one.go(re.sub(r"(\d+|overview)$", str(number), one.path.split("?")[0]))
            if one.heading == heading:
                return
        self.fail(heading)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)


class Forms(FormPages):
    def test_enter_in_a_number_of_a_placement_test_answers_it(self):
        def placement(one):
            self.begin(one, "/library/eo", "placement")
            count = 0
            while one.is_asked:
                one.page.keyboard.type(one.heading.removeprefix("Type "))
                self.enter(one)
                count += 1
            self.assertEqual(one.heading, "Your level is C1")
            one.go(one.path.replace("result", "review"))
            text = one.page.locator("main").inner_text()
            self.assertEqual(text.split("\n").count("Right"), count, text)
            self.assertNotIn("Not answered", text)
        self.with_and_without_script(placement)

    def test_enter_in_every_field_of_an_exam_goes_on_and_flags_nothing(self):
        def exam(one):
            self.begin(one, "/library/int/forms", "exam")
            for number in range(1, 5):
                self.assertEqual(one.page.locator(".count").inner_text(), f"{number} of 4")
                self.type_answer(one)
                self.enter(one)
            self.assertIn("4 answered, 0 open, 0 flagged", one.page.locator("main").inner_text())
            one.press("Hand in exam")
            self.assertRegex(one.heading, "^Passed, 4 of 4")
        self.with_and_without_script(exam)

    def test_enter_checks_and_enter_goes_on(self):
        def study(one):
            self.begin(one, "/library/int/forms", "study")
            for _ in range(4):
                self.type_answer(one)
                self.enter(one)
                self.assertEqual(one.verdict, "Right", one.heading)
                self.enter(one)
            self.assertEqual(one.heading, "4 of 4 right")
        self.with_and_without_script(study)

    def test_a_flag_keeps_what_was_chosen_and_typed(self):
        def flags(one):
            self.begin(one, "/library/int/forms", "exam")
            self.find(one, "Choose the second")
            one.page.keyboard.press("ArrowDown")
            one.press("Flag", exact=False)
            self.assertTrue(one.page.locator(".option input").nth(1).is_checked())
            self.find(one, "Type four")
            one.page.keyboard.type("4")
            one.press("Flag", exact=False)
            self.assertEqual(one.page.locator("#number").input_value(), "4")
            one.press("Remove flag", exact=False)
            self.find(one, "Keep the order")
            one.press("Flag", exact=False)
            one.press("Overview", "link")
            # The order was not touched, so it is no answer.
            self.assertIn("2 answered, 2 open, 2 flagged", one.page.locator("main").inner_text())
            self.find_again(one)
        self.with_and_without_script(flags)

    def find_again(self, one):
        one.press("Back to the question", "link", exact=False)
        self.find(one, "Type four")
        self.assertEqual(one.page.locator("#number").input_value(), "4")

    def test_saving_a_question_keeps_what_was_chosen_and_answers_nothing(self):
        def saving(one):
            self.begin(one, "/library/int/forms", "study")
            for number in range(1, 5):
                star = one.page.locator(".session-head [aria-pressed]")
                if one.heading == "Choose the first":
                    one.page.keyboard.press("Space")
                elif one.heading == "Type four":
                    one.page.keyboard.type("4,")
                with one.page.expect_navigation(wait_until="load"):
                    star.click()
                self.assertEqual(star.get_attribute("aria-pressed"), "true")
                self.assertEqual(one.page.locator("#verdict").inner_text().count("Right"), 0)
                if one.heading == "Choose the first":
                    self.assertTrue(one.page.locator(".option input").first.is_checked())
                    one.page.locator(".option input").first.focus()
                    one.page.keyboard.press("Space")
                elif one.heading == "Type four":
                    self.assertEqual(one.page.locator("#number").input_value(), "4,")
                    one.page.locator("#number").fill("")
                self.type_answer(one)
                self.enter(one)
                self.assertEqual(one.verdict, "Right", one.heading)
                self.enter(one)
        self.with_and_without_script(saving)

    def test_a_number_that_may_be_two_is_asked_back(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), \
                    learner.opened(self.browser, self.app, scripts=scripts, locale="de", may_fail=True) as one:
                self.begin(one, "/library/int/forms", "exam")
                self.find(one, "Type four")
                one.page.locator("#number").fill("")
                one.page.keyboard.type("4.000")
                # Enter asks, and Enter again asks again: nothing is taken for granted.
                for _ in range(2):
                    self.enter(one)
                    said = one.page.get_by_role("alert").inner_text()
                    self.assertEqual(re.sub("[\u2068\u2069]", "", said), "Ist der Punkt in 4.000 ein Dezimalpunkt?")
                    self.assertEqual(one.page.locator("#number").input_value(), "4.000")
                    one.page.locator("#number").focus()
                one.press("4")
                self.find(one, "Type four")
                self.assertEqual(one.page.locator("#number").input_value(), "4")
                one.go(one.path.rsplit("/", 1)[0] + "/overview")
                one.press("Prüfung abgeben")

    def test_a_search_of_two_words_finds(self):
        def search(one):
            one.go("/library")
            one.page.locator("#q").click()
            one.page.keyboard.type("language swift")
            self.enter(one)
            self.assertIn("q=language+swift", one.path)
            self.assertEqual(one.page.locator("#q").input_value(), "language swift")
            self.assertEqual(one.page.get_by_role("link", name="Swift language basics").count(), 1)
            one.page.locator("#q").fill("c+ swift")
            one.page.locator("#q").focus()
            self.enter(one)
            self.assertEqual(one.page.locator("#q").input_value(), "c+ swift")
        self.with_and_without_script(search)


if __name__ == "__main__":
    unittest.main()
