"""The desk's forms as people use them: typing and Enter, with script and without."""

import unittest

from desk import Desk, DeskBrowser  # puts the other folders on the path
import browser

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
# Read as texts, the key of the second question is another, and the third has none.
TABLE = """Question;A;B;C;Key
Which letter is the second?;A;B;C;B
Which letter is the first?;B;A;C;A
Which one is a metal?;Iron;Oxygen;Neon;A
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

    def test_a_menu_of_an_import_reads_again_by_keyboard_and_keeps_the_focus(self):
        with self.browser.signed_in(self.desk, self.ada, "/desk/import") as page:
            page.locator("#text").fill(TABLE)
            page.locator("#read").focus()
            self.enter(page)
            status = page.locator("#import-status")
            self.assertEqual(status.get_attribute("role"), "status")
            self.assertIn("Found 3: 3 to import, 0 skipped", status.inner_text())
            seen = list(page.seen)
            page.locator("#format").focus()
            page.keyboard.press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.id"), "keys")
            page.keyboard.press("t")
            browser.until(page, "document.getElementById('import-status').textContent.includes('2 rows changed.')")
            self.assertIn("Found 3: 2 to import, 1 skipped", status.inner_text())
            self.assertEqual(page.locator(".is-moved").count(), 2)
            self.assertEqual(page.locator(".tag", has_text="changed").count(), 2)
            self.assertEqual(page.evaluate("document.activeElement.id"), "keys")
            self.assertEqual(page.locator("#keys").input_value(), "texts")

            page.locator("#show-all").focus()
            for _ in range(3):
                page.keyboard.press("ArrowDown")
            browser.until(page, "document.querySelectorAll('#rows tbody tr').length === 2")
            self.assertEqual(page.evaluate("document.activeElement.id"), "show-changed")
            self.assertTrue(page.locator("#show-changed").is_checked())
            self.assertIn("2 rows changed.", status.inner_text())
            # Nothing of it was another page, and nothing was written.
            self.assertEqual(page.seen, seen)
            self.assertEqual(self.file.read_text(), QUESTIONS)

    def test_an_import_reads_again_without_script(self):
        with self.browser.signed_in(self.desk, self.ada, "/desk/import", scripts=False) as page:
            page.locator("#text").fill(TABLE)
            page.locator("#read").focus()
            self.enter(page)
            page.locator("#keys").select_option("texts")
            page.locator("#show-changed").check()
            page.locator("#show").focus()
            self.enter(page)
            self.assertIn("Found 3: 2 to import, 1 skipped", page.locator("#import-status").inner_text())
            self.assertEqual(page.locator("#rows tbody tr").count(), 2)
            self.assertTrue(page.locator("#show-changed").is_checked())

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
