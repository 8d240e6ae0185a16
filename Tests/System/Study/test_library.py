"""A subject's page and what lies behind it: weak topics, sessions, questions and notes, in a browser with script and
without, in light, dark and Arabic; pictures of each are in .build/study-pictures."""

import os
import unittest

import axe
import browser
import learner
import program
import rules
import templates

PICTURES = templates.ROOT / ".build/study-pictures"
SWIFT = learner.answers("exams", "int", "swift")
LOOKS = [("narrow", "dark", "de"), ("wide", "light", "ar")]
if os.environ.get("UNDERWAY_STUDY_LOOKS") == "all":
    LOOKS += [("phone", "light", "en"), ("wide", "dark", "en"), ("phone", "light", "ar")]


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(self.app.stop)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    def study(self, one, count, choose, subject="/library/int/swift"):
        """Answers some questions of a new session, which stays open."""
        one.go(subject)
        one.begin("study")
        for _ in range(count):
            choose(SWIFT[one.question])
            one.next()
            one.next()

    def end(self, one):
        """Ends the session by leaving nothing open."""
        while one.is_asked:
            one.choose(SWIFT[one.question])
            one.next()
            one.next()

    def look(self, name, path):
        """The rules of every page in each look, with a picture."""
        for size, theme, language in LOOKS:
            with self.subTest(page=name, size=size, theme=theme, language=language), \
                    self.browser.page(self.app.entrance, size, theme, locale=language) as page:
                reply = page.goto(self.app.address + path, wait_until="load")
                page.size = len(reply.body())
                faults = rules.all_faults(page) + axe.faults(page) + rules.focus(page, steps=30)
                page.screenshot(path=PICTURES / f"{name}-{size}-{theme}-{language}.png", full_page=True)
                self.assertEqual(faults + rules.stretched(page), [])

    def test_a_new_learner_is_three_presses_from_a_question(self):
        for scripts in (True, False):
            app = program.App(self.content)
            self.addCleanup(app.stop)
            with self.subTest(scripts=scripts), learner.opened(self.browser, app, scripts=scripts) as one:
                self.assertEqual(one.heading, "What do you want to learn?")
                self.assertEqual(one.page.locator("[lang=es]").first.inner_text(), "Español")
                one.press("Italiano", "link", exact=False)
                self.assertEqual(one.page.locator(".filled").inner_text()[:13], "Find my level")
                one.press("Start with question 1")
                self.assertTrue(one.is_asked)
                one.go("/library/it")
                self.assertEqual(one.page.locator(".filled").inner_text(), "Continue")

    def test_the_first_page_and_a_new_subject_keep_the_rules(self):
        with self.opened():
            for name, path in {"start": "/", "start-found": "/?q=esp", "start-none": "/?q=xyzzy",
                               "subject-new-language": "/library/es", "subject-new-exam": "/library/int/swift"}.items():
                self.look(name, path)

    def test_a_subject_with_a_past_keeps_the_rules(self):
        with self.opened() as one:
            one.ask_once()
            self.study(one, 8, one.choose_wrongly)
            self.end(one)
            one.go("/library/int/swift")
            one.begin("exam")
            one.go("/library/int/swift?part=questions&show=missed")
            question = one.page.locator("main a.row").first.get_attribute("href")
            one.go(question)
            one.page.get_by_label("My note").fill("Structures are values.\nClasses are not.")
            one.press("Save note")
            for name, path in {"subject": "/library/int/swift", "sessions": "/library/int/swift?part=sessions",
                               "questions": "/library/int/swift?part=questions",
                               "questions-missed": "/library/int/swift?part=questions&show=missed",
                               "questions-none": "/library/int/swift?part=questions&q=xyzzy", "question": question}.items():
                self.look(name, path)

    def test_a_weak_topic_leads_to_a_session_of_it(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), self.opened(scripts=scripts) as one:
                if scripts:
                    self.study(one, 10, one.choose_wrongly)
                one.go("/library/int/swift")
                topic = one.page.locator("li.row:has([name=topic])").first
                self.assertRegex(topic.locator(".text").inner_text(), r"^.+: \d+ of \d+, last 30 days$")
                title = topic.locator(".text").inner_text().split(":")[0]
                with one.page.expect_navigation(wait_until="load"):
                    topic.locator("button").click()
                self.assertTrue(one.is_asked)
                self.assertIn(title, one.page.locator(".path").inner_text())

    def test_the_key_of_a_question_is_shown_after_its_answer_alone(self):
        with self.opened() as one:
            self.study(one, 1, one.choose)
            one.go("/library/int/swift?part=questions")
            seen = 0
            for path in one.page.locator("main a.row").evaluate_all("all => all.map(one => one.getAttribute('href'))"):
                one.go(path)
                text = one.page.locator("main").inner_text()
                is_answered = "last answer right" in text
                seen += is_answered
                self.assertEqual("You see the right answer here after" in text, not is_answered)
                self.assertEqual(one.page.locator(".option.right").count() > 0, is_answered)
            self.assertLessEqual(seen, 1)

    def test_a_note_is_written_at_the_review_and_read_at_the_question(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), self.opened(scripts=scripts) as one:
                one.go("/library/int/swift")
                one.begin("exam")
                one.go(one.path.rsplit("/", 1)[0] + "/overview")
                with one.page.expect_navigation(wait_until="load"):
                    one.page.locator("form[action$=finish] button").last.click()
                one.press("Review", "link", exact=False)
                row = one.page.locator("main ol > li").nth(4)
                row.locator("summary").click()
                row.locator("textarea").fill(f"Look this up ({scripts})")
                with one.page.expect_navigation(wait_until="load"):
                    row.get_by_role("button", name="Save note").click()
                self.assertTrue(one.path.endswith("/review#question-5"), one.path)
                self.assertIn(f"Look this up ({scripts})", one.page.locator("main ol > li").nth(4).inner_text())
                one.go("/library/int/swift?part=questions&show=noted")
                one.page.locator("main a.row").first.click()
                self.assertIn("Look this up", one.page.get_by_label("My note").input_value())


if __name__ == "__main__":
    unittest.main()
