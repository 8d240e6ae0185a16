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

    def test_a_review_says_of_what_it_is(self):
        with learner.opened(self.browser, self.app) as one:
            one.go(self.result)
            finding = one.heading
            one.go(self.result.replace("result", "review"))
            header = one.page.locator("main header").inner_text()
            self.assertIn(finding, header)
            self.assertIn("Swift language basics", header)

    def test_paper_has_a_table_for_each_chart(self):
        with learner.opened(self.browser, self.app) as one:
            one.go("/progress")
            self.assertGreater(one.page.locator("svg[role=img]").count(), 0)
            one.page.emulate_media(media="print")
            seen = "all => all.filter(one => one.checkVisibility()).length"
            self.assertEqual(one.page.locator("svg[role=img]").evaluate_all(seen), 0)
            tables = one.page.locator(".chart-card table")
            self.assertEqual(tables.evaluate_all(seen), one.page.locator(".chart-card").count())
            one.page.set_viewport_size({"width": 640, "height": 900})
            cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
            self.assertEqual(one.page.locator(".chart-table").evaluate_all(cut), 0)
            one.page.evaluate("dispatchEvent(new Event('beforeprint'))")
            self.assertEqual(one.page.locator(".chart-card details:not([open])").count(), 0)
            one.page.evaluate("dispatchEvent(new Event('afterprint'))")
            self.assertEqual(one.page.locator(".chart-card details[open]").count(), 0)

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
