"""A question's picture, enlarged: in place with script, as a page of its own without."""

import unittest

import axe
import browser
import learner
import program
import rules


class Enlarge(unittest.TestCase):
    """A device whose exam came with its pictures."""

    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        with learner.opened(cls.browser, cls.app) as one:
            cls.path = cls.pictured(one)

    @staticmethod
    def pictured(one):
        """The path of a question with a picture."""
        one.go("/library/de/verkehr")
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator("main form:has([value=exam]) button").first.click()
        session = one.path.rsplit("/", 1)[0]
        for number in range(1, 31):
            one.go(f"{session}/{number}")
            if one.page.locator(".picture").count():
                return one.path
        raise AssertionError(f"no question of {session} has a picture: {one.page.locator('body').inner_text()}")

    def test_it_opens_in_place_grows_and_gives_the_focus_back(self):
        for size in browser.SIZES:
            with self.subTest(size=size), learner.opened(self.browser, self.app, size=size) as one:
                one.go(self.path)
                one.page.get_by_role("link", name="Enlarge").focus()
                one.page.keyboard.press("Enter")
                dialog = one.page.locator("dialog#enlarged")
                self.assertTrue(dialog.is_visible())
                self.assertEqual(axe.faults(one.page), [])
                picture = dialog.locator("img")
                width = picture.bounding_box()["width"]
                dialog.get_by_role("button", name="Enlarge").click()
                self.assertAlmostEqual(picture.bounding_box()["width"], 2 * width, delta=2 * 20)
                self.assertEqual(dialog.get_by_role("button", name="Enlarge").get_attribute("aria-pressed"), "true")
                one.page.keyboard.press("Escape")
                self.assertFalse(dialog.is_visible())
                self.assertEqual(one.page.evaluate("document.activeElement.getAttribute('aria-label')"), "Enlarge")
                self.assertEqual(one.path, self.path)

    def test_without_script_it_is_a_page(self):
        with learner.opened(self.browser, self.app, scripts=False) as one:
            one.go(self.path)
            self.assertFalse(one.page.locator("dialog#enlarged").is_visible())
            one.page.get_by_role("link", name="Enlarge").click()
            one.page.wait_for_url("**/picture/*")
            self.assertEqual(one.heading, "Picture of the question")
            picture = one.page.locator("main img")
            self.assertTrue(picture.evaluate("one => one.complete && one.naturalWidth > 0"))
            one.page.get_by_role("link", name="Back").click()
            one.page.wait_for_url("**" + self.path)

    def test_the_box_is_known_before_the_picture_and_stays(self):
        """The picture comes late: nothing moves, and the box has the picture's own proportions."""
        for size in browser.SIZES:
            with self.subTest(size=size), learner.opened(self.browser, self.app, size=size) as one:
                late = []
                one.page.route("**/media/*", lambda route: late.append(route))
                one.page.goto(self.app.address + self.path, wait_until="domcontentloaded")
                box = "(() => { const box = document.querySelector('.picture img').getBoundingClientRect(); return [box.width, box.height]; })()"
                before = one.page.evaluate(box)
                for route in late:
                    route.continue_()
                one.page.wait_for_load_state("load")
                browser.until(one.page, "document.querySelector('.picture img').naturalWidth > 0")
                self.assertEqual(one.page.evaluate(box), before)
                self.assertGreater(min(before), 40)
                self.assertEqual(rules.shift(one.page), [])


if __name__ == "__main__":
    unittest.main()
