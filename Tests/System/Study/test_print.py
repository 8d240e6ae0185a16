"""A result and its review on paper: everything that was asked, nothing that could be pressed."""

import unittest

import browser
import learner
import program

SWIFT = learner.answers("exams", "int", "swift")
PRESSED = ".nav, .freshness, .buttons, .back, .action, .button"


class Print(unittest.TestCase):
    """One device with an ended exam."""

    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        with learner.opened(cls.browser, cls.app) as one:
            one.go("/library/int/swift")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("main form:has([value=exam]) button").first.click()
            while one.is_asked:
                one.choose_wrongly(SWIFT[one.question])
                one.next()
            if "overview" in one.path:
                one.next()
            cls.result = one.path

    def test_paper_has_every_answer_with_its_code_and_nothing_to_press(self):
        with learner.opened(self.browser, self.app, size="phone") as one:
            for path, least in ((self.result, 3), (self.result.replace("result", "review"), 30)):
                with self.subTest(path=path):
                    one.go(path)
                    one.page.emulate_media(media="print")
                    self.assertEqual(one.page.locator(PRESSED).evaluate_all("all => all.filter(one => one.checkVisibility()).length"), 0)
                    self.assertEqual(one.page.locator("main .is-wrong").count(), least)
                    cut = one.page.locator("pre.code").evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length")
                    self.assertEqual(cut, 0)
                    self.assertGreater(len(one.page.pdf()), 10_000)
                    one.page.emulate_media(media="screen")

    def test_print_opens_the_dialog_of_the_browser(self):
        with learner.opened(self.browser, self.app) as one:
            one.go(self.result)
            one.page.evaluate("window.print = () => { document.title = 'printed'; }")
            one.page.get_by_role("button", name="Print", exact=True).click()
            self.assertEqual(one.page.title(), "printed")

    def test_without_script_nothing_offers_to_print(self):
        with learner.opened(self.browser, self.app, scripts=False) as one:
            one.go(self.result)
            self.assertFalse(one.page.locator("[data-print]").is_visible())

    def test_a_check_is_green_and_a_cross_red(self):
        with learner.opened(self.browser, self.app) as one:
            one.go(self.result.replace("result", "review"))
            self.assertEqual(one.page.locator(".icon.is-wrong").first.evaluate("one => getComputedStyle(one).color"), "rgb(168, 40, 28)")


if __name__ == "__main__":
    unittest.main()
