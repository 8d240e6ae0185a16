"""Texts that would be markup or script, in every field that an author or a learner can write: the built program shows
them as what they are. No dialog, no element and no attribute of the corpus is in any page."""

import re
import unittest
import urllib.parse

import browser
import learner
import program
from hostile import CORPUS, STRANGE, change

class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content(change, has_announcements=True)
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)

    def look(self, one):
        self.assertEqual(one.page.evaluate(STRANGE), [], one.path)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    def watch(self, one):
        """A dialog would hold the page until somebody presses a button."""
        one.page.on("dialog", lambda dialog: (one.page.faults.append(f"a dialog: {dialog.message}"), dialog.dismiss()))

    def walk(self, one, subject, mode, fill):
        """Every page of a session, and the number of its questions."""
        one.go(subject)
        self.look(one)
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator(f"main form:has([value={mode}]) button").first.click()
        count = 0
        while one.is_asked:
            self.look(one)
            if one.page.locator("[name=rating], [data-primary]").count() and not one.page.locator(".foot.right, .foot.wrong").count():
                count += 1
                fill(one)
            one.next()
            if "overview" in one.path:
                self.look(one)
                one.next()
        self.look(one)
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator("a[href$='/review']").click()
        self.look(one)
        self.assertIn("<script>alert(1)</script>", one.page.locator("main").inner_text())
        return count

    def test_texts_of_authors_stay_texts(self):
        with self.opened() as one:
            self.watch(one)
            for path in ("/", "/library", "/library/es", "/library/int/swift", "/nothing"):
                if path != "/nothing":
                    one.go(path)
                self.look(one)
            first = lambda one: one.page.keyboard.press("1")
            one.ask_once()
            self.assertEqual(self.walk(one, "/library/int/swift", "study", first), 20)
            self.assertEqual(self.walk(one, "/library/int/swift", "exam", first), 30)
            self.assertGreater(self.walk(one, "/library/es", "placement", first), 5)
            one.go("/")
            self.look(one)

    def test_messages_stay_texts_on_the_first_page_and_in_the_inbox(self):
        with self.opened() as one:
            self.watch(one)
            # Messages come after the first answer.
            one.go("/library/de/verkehr")
            one.begin("study")
            one.page.keyboard.press("1")
            one.next()
            one.go("/")
            self.assertEqual(one.page.locator("dialog[open]").count(), 1)
            self.look(one)
            one.go("/inbox")
            self.look(one)
            paths = one.page.locator("main a[href^='/inbox/messages/']").evaluate_all("links => links.map(link => link.getAttribute('href'))")
            self.assertGreater(len(paths), 0)
            for path in paths:
                with self.subTest(path=path):
                    one.go(path)
                    self.look(one)
                    self.assertIn("<script>alert(1)</script>", one.page.locator("main").inner_text())

    def test_every_text_of_the_corpus_was_shown(self):
        with self.opened() as one:
            one.go("/library")
            shown = one.page.locator("main").inner_text()
            for text in ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{t.app.name}}{{{csrf}}}", "&lt;i&gt;&#60;u>"):
                self.assertIn(text, shown)

    def test_without_script_texts_of_authors_stay_texts(self):
        with self.opened(scripts=False) as one:
            one.go("/library/int/swift")
            body = one.page.content()
            self.assertIsNone(re.search(r"<(img|iframe|base|style|math|b|u|i)\b", body))

    def test_what_a_learner_searches_stays_text(self):
        with self.opened() as one:
            self.watch(one)
            for text in CORPUS:
                with self.subTest(text=text):
                    one.go("/library?q=" + urllib.parse.quote(text))
                    self.look(one)
                    shown = one.page.locator("[name=q]").input_value()
                    self.assertEqual(shown, text.replace("\r\n", ""))

    def test_what_a_learner_writes_as_a_number_stays_text(self):
        with self.opened(may_fail=True) as one:
            self.watch(one)
            one.go("/library/int/numbers")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("main form:has([value=study]) button").first.click()
            for text in CORPUS:
                with self.subTest(text=text):
                    field = one.page.locator("[name=number]")
                    field.evaluate("field => field.removeAttribute('maxlength')")
                    field.fill(text.replace("\r\n", " "))
                    one.next()
                    self.look(one)
                    self.assertEqual(one.page.locator("[name=number]").input_value(), text.replace("\r\n", " "))
            self.assertEqual([each for each in one.page.faults if "422" not in each], [])


if __name__ == "__main__":
    unittest.main()
