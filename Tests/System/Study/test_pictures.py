"""The pictures of the README: the built program over the sample, with windows of fixed sizes. They are written to
.build/study-pictures, and with UNDERWAY_PICTURES=docs (script/pictures) to docs/pictures as well."""

import datetime
import os
import unittest

import browser
import learner
import program
import templates

PICTURES = templates.ROOT / ".build/study-pictures"
DOCS = templates.ROOT / "docs/pictures"
BYTES_MAX = 120_000
SPANISH = learner.answers("languages", "es")
SWIFT = learner.answers("exams", "int", "swift")


class Pictures(unittest.TestCase):
    """One device, whose past is four evenings of study, a placement test, an exam date and a session that waits to go on."""

    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        for days in (-6, -4, -3, -1):
            cls.app.sleep_until(days)
            with learner.opened(cls.browser, cls.app) as one:
                cls.studied(one)
        cls.app.sleep_until(0)
        with learner.opened(cls.browser, cls.app) as one:
            cls.result = cls.placed(one)
            cls.question = cls.checked(one)
            cls.book(one)

    @staticmethod
    def begin(one, subject, mode):
        one.go(subject)
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator(f"main form:has([value={mode}]) button").first.click()

    @classmethod
    def placed(cls, one):
        """A level in the middle: two of three answers are right."""
        cls.begin(one, "/library/es", "placement")
        count = 0
        while one.is_asked:
            count += 1
            (one.choose if count % 3 else one.choose_wrongly)(SPANISH[one.question])
            one.next()
        return one.path

    @classmethod
    def studied(cls, one):
        """An evening's session, with a wrong answer now and then."""
        cls.begin(one, "/library/int/swift", "study")
        count = 0
        while one.is_asked:
            count += 1
            (one.choose if count % 6 else one.choose_wrongly)(SWIFT[one.question])
            one.next()
            one.next()

    @staticmethod
    def book(one):
        one.go("/bookings")
        one.page.get_by_label("Exam", exact=True).select_option(label="Swift language basics")
        one.page.locator("#day").fill((datetime.date.today() + datetime.timedelta(days=20)).isoformat())
        one.press("Book")

    @classmethod
    def checked(cls, one):
        """The first question after the fourth that shows its verdict on a wrong row."""
        cls.begin(one, "/library/int/swift", "study")
        count = 0
        while True:
            count += 1
            rows = one.page.locator(".option input").count()
            if count > 4 and rows:
                one.choose_wrongly(SWIFT[one.question])
                one.next()
                return one.path
            one.choose(SWIFT[one.question])
            one.next()
            one.next()

    def taken(self, name, path, size, theme="light", language="en"):
        with self.browser.page(self.app.entrance, size, theme, locale=language) as page:
            page.goto(self.app.address + path, wait_until="load")
            picture = page.screenshot()
        self.assertLess(len(picture), BYTES_MAX)
        (PICTURES / f"readme-{name}.png").write_bytes(picture)
        if os.environ.get("UNDERWAY_PICTURES") == "docs":
            DOCS.mkdir(exist_ok=True)
            (DOCS / f"{name}.png").write_bytes(picture)

    def test_the_first_page(self):
        self.taken("today", "/", "wide")

    def test_a_question_after_check(self):
        self.taken("question", self.question, "wide")

    def test_a_result(self):
        self.taken("result", self.result, "wide")

    def test_progress_on_a_phone_from_right_to_left_in_the_dark(self):
        self.taken("progress-arabic", "/progress", "phone", "dark", "ar")


if __name__ == "__main__":
    unittest.main()
