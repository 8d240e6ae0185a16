"""Choices in the settings take effect at once, and by their button without script."""

import unittest

import browser
import learner
import program


class Settings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(self.app.stop)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    def theme(self, one):
        return one.page.evaluate("document.documentElement.className")

    def test_a_choice_takes_effect_at_once_and_keeps_the_focus(self):
        with self.opened() as one:
            one.go("/settings")
            before = self.theme(one)
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("[name=theme][value=dark]").check()
            self.assertNotEqual(self.theme(one), before)
            self.assertTrue(one.page.locator("[name=theme][value=dark]").is_checked())
            focused = one.page.evaluate("[document.activeElement.name, document.activeElement.value]")
            self.assertEqual(focused, ["theme", "dark"])
            with one.page.expect_navigation(wait_until="load"):
                one.page.keyboard.press("ArrowLeft")
            self.assertTrue(one.page.locator("[name=theme][value=light]").is_checked())
            self.assertEqual(one.page.evaluate("document.activeElement.name"), "theme")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("[name=rates]").focus()
                one.page.keyboard.press("Space")
            one.go("/settings")
            self.assertTrue(one.page.locator("[name=rates]").is_checked())
            self.assertNotEqual(one.page.evaluate("document.activeElement.name"), "rates")

    def test_limits_are_kept_for_all_subjects_and_for_one(self):
        with self.opened() as one:
            one.go("/settings")
            one.press("Learning Limits, days and the aim of recall", "link")
            one.page.get_by_label("New cards a day").fill("3")
            one.page.get_by_label("Sunday").select_option("None")
            one.press("Save")
            self.assertEqual(one.path, "/settings/learning")
            one.go("/library/int/swift")
            self.assertIn("At most 3 new questions a day.", one.page.locator("main").inner_text())
            one.press("Settings of this subject", "link")
            self.assertEqual(one.page.get_by_label("Sunday").input_value(), "0")
            one.page.get_by_label("New cards a day").fill("4")
            one.press("Save")
            one.press("Use those for all subjects")
            self.assertEqual(one.page.get_by_label("New cards a day").input_value(), "3")

    def test_a_limit_out_of_range_is_refused_beside_its_field(self):
        with self.opened(may_fail=True) as one:
            one.go("/settings/learning")
            one.page.get_by_label("New cards a day").fill("1000")
            one.page.locator("main form").first.evaluate("form => form.noValidate = true")
            one.press("Save")
            self.assertIn("Enter a whole number from 0 to 999.", one.page.locator("main").inner_text())
            self.assertEqual(one.page.get_by_label("New cards a day").input_value(), "1000")

    def test_without_script_the_button_saves(self):
        with self.opened(scripts=False) as one:
            one.go("/settings")
            one.page.locator("[name=rates]").check()
            one.press("Save")
            one.go("/settings")
            self.assertTrue(one.page.locator("[name=rates]").is_checked())


if __name__ == "__main__":
    unittest.main()
