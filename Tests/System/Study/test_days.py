"""A learner over several days: what one day promises, the next one holds. The program's clock is moved, not waited for."""

import datetime
import re
import unittest

import browser
import learner
import program

SWIFT = learner.answers("exams", "int", "swift")


class Days(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(self.app.stop)

    def figures(self, one):
        """The figures of the page of progress, by their names."""
        one.go("/progress")
        return {each.locator("dt").inner_text(): [text.inner_text() for text in each.locator("dd").all()]
                for each in one.page.locator(".figure").all()}

    def study(self, days, wrong=0):
        """Studies what is due on a day, and returns what the day then says of itself. Each answer of the number `wrong` is."""
        self.app.sleep_until(days)
        with learner.opened(self.browser, self.app) as one:
            before = self.figures(one)
            one.go("/library/int/swift")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("main form:has([value=study]) button").first.click()
            count = 0
            while one.is_asked:
                count += 1
                is_wrong = wrong and count % wrong == 0
                (one.choose_wrongly if is_wrong else one.choose)(SWIFT[one.question])
                one.next()
                one.next()
            after = self.figures(one)
            one.go("/")
            return before, count, after, one.page.locator("main").inner_text()

    def test_what_a_day_promises_the_next_holds(self):
        before, count, after, _ = self.study(-6)
        self.assertEqual((before, count), ({}, 20))
        self.assertEqual(after["Remembered"], ["–", "You see it tomorrow"])
        # What was right at once comes again after two days.
        today = self.study(-5)[3]
        promised = int(re.search(r"(\d+) cards? tomorrow", today)[1])
        self.assertGreater(promised, 0)

        # New questions are promised with what falls due.
        before, count, after, today = self.study(-4)
        due, note = before["Due today"][:2]
        self.assertGreater(int(re.search(r"(\d+) new", note)[1]), 0)
        self.assertEqual(int(due), promised)
        self.assertEqual(count, min(int(due), 20))
        self.assertRegex(before["Remembered"][0], r"^\d+%$")
        self.assertEqual(after["Days in a row"][0], "3")

    def test_what_was_wrong_is_due_on_the_next_day_at_the_latest(self):
        # Four wrong answers, each asked again once.
        self.assertEqual(self.study(-6, wrong=5)[1], 24)
        self.app.sleep_until(-5)
        with learner.opened(self.browser, self.app) as one:
            due, note = self.figures(one)["Due today"][:2]
            self.assertEqual(int(due) - int(re.search(r"(\d+) new", note)[1]), 4)

    def test_a_forecast_comes_on_the_third_day_and_a_missed_day_ends_the_row(self):
        for number, days in enumerate((-9, -8, -5)):
            _, _, after, _ = self.study(days, wrong=5)
            with learner.opened(self.browser, self.app) as one:
                if number == 0:
                    one.go("/bookings")
                    one.page.get_by_label("Exam", exact=True).select_option(label="Swift language basics")
                    one.page.locator("#day").fill((datetime.date.today() + datetime.timedelta(days=21)).isoformat())
                    one.press("Book")
                one.go("/progress")
                waits = one.page.get_by_text("After 3 days of study you see a forecast.").count()
                self.assertEqual(waits, 1 if number < 2 else 0)
                self.assertEqual(one.page.get_by_text("in 8 of 10 cases").count(), 1 if number == 2 else 0)
        self.assertEqual(after["Days in a row"], ["1", "longest 2"])


if __name__ == "__main__":
    unittest.main()
