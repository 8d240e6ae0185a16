"""The desk's forms as people use them: typing and Enter, with script and without."""

import unittest

from desk import Desk, DeskBrowser  # puts the other folders on the path

QUESTIONS = """- id: q1
  type: single-choice
  difficulty: 1
  stem: Of which type is a half?
  options: [{ id: a, text: Float }, { id: b, text: Double }]
  correct: [0]
- id: q2
  type: single-choice
  difficulty: 2
  stem: Which is a reference type?
  options: [{ id: a, text: class }, { id: b, text: struct }]
  correct: [0]
"""
PASTED = """Which is right?
A. this
B. that
ANSWER: A
"""


class Forms(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(questions=QUESTIONS)
        self.addCleanup(self.desk.close)
        self.ada = self.desk.person("ada@example.org", "author", "publisher", "administrator")
        self.browser = DeskBrowser()
        self.addCleanup(self.browser.close)
        self.file = self.desk.content / "exams/int/made/questions.yaml"

    def enter(self, page):
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press("Enter")

    def test_a_search_of_two_words_finds(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), \
                    self.browser.signed_in(self.desk, self.ada, "/desk/questions", scripts=scripts) as page:
                page.locator("[name=q][type=search]").click()
                page.keyboard.type("reference type?")
                self.enter(page)
                self.assertEqual(page.locator("tbody th").all_inner_texts(), ["q2"])
                self.assertEqual(page.locator("[name=q][type=search]").input_value(), "reference type?")

    def test_enter_in_the_field_of_a_tag_adds_it_and_retires_nothing(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), \
                    self.browser.signed_in(self.desk, self.ada, "/desk/questions", scripts=scripts) as page:
                page.locator("tbody input[type=checkbox]").first.check()
                page.locator("[name=tag]").click()
                page.keyboard.type(f"tag{int(scripts)}")
                self.enter(page)
                text = self.file.read_text()
                self.assertIn(f"tag{int(scripts)}", text)
                self.assertNotIn("retired", text)

    def test_enter_beside_a_chosen_question_changes_nothing(self):
        with self.browser.signed_in(self.desk, self.ada, "/desk/questions", may_fail=True) as page:
            page.locator("tbody input[type=checkbox]").first.check()
            page.locator("tbody input[type=checkbox]").first.focus()
            page.keyboard.press("Enter")
            page.wait_for_load_state("load")
            self.assertEqual(self.file.read_text(), QUESTIONS)

    def test_enter_on_the_page_of_an_import_reads_again_and_writes_nothing(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), \
                    self.browser.signed_in(self.desk, self.ada, "/desk/import", scripts=scripts) as page:
                page.locator("#text").fill(PASTED)
                page.locator("#domain").click()
                self.enter(page)
                self.assertEqual(page.locator(".desk-ledger").count(), 1)
                page.locator("#domain").click()
                self.enter(page)
                self.assertEqual(page.locator(".desk-ledger").count(), 1)
                self.assertEqual(self.file.read_text(), QUESTIONS)

    def test_enter_in_a_field_of_a_question_saves_it(self):
        with self.browser.signed_in(self.desk, self.ada, "/desk/questions/int~made/q1") as page:
            page.locator("[name=tags]").click()
            page.keyboard.type("numbers")
            self.enter(page)
            text = self.file.read_text()
            self.assertIn("numbers", text)
            self.assertIn("id: q1", text)


if __name__ == "__main__":
    unittest.main()
