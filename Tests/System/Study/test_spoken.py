"""What a screen reader is told, by the browser's own tree of names: formulas, units, what a key did, and what is wrong."""

import unittest

import browser
import learner
import program


class Spoken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    def opened_alone(self):
        """A learner of an own app, whose sessions stay open."""
        app = program.App(self.content)
        self.addCleanup(app.stop)
        return learner.opened(self.browser, app)

    @staticmethod
    def tree(one, *roles):
        """The elements of some roles, as the browser tells them: name and description."""
        session = one.page.context.new_cdp_session(one.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [(each.get("name", {}).get("value", ""), each.get("description", {}).get("value", ""))
                for each in nodes if each.get("role", {}).get("value") in roles and not each["ignored"]]

    def questions(self, one, bank):
        """Opens each question of an exam, and leaves it open."""
        one.go(f"/library/{bank}")
        one.begin("exam")
        session = one.path.rsplit("/", 1)[0]
        count = int(one.page.locator(".session-head progress").get_attribute("max"))
        for number in range(1, count + 1):
            one.go(f"{session}/{number}")
            yield number

    def test_formulas_are_in_the_names_of_answers_and_of_their_group(self):
        formulas = 0
        with self.opened() as one:
            for number in self.questions(one, "int/science"):
                with self.subTest(number=number, question=one.heading):
                    for name, _ in self.tree(one, "radio", "checkbox"):
                        self.assertNotEqual(name.strip(), "")
                    if one.page.locator("legend math").count():
                        formulas += 1
                        spoken = one.page.locator("fieldset").get_attribute("aria-label")
                        self.assertIn(spoken, [name for name, _ in self.tree(one, "group")])
        self.assertGreater(formulas, 0)

    def test_code_and_pictures_describe_the_group_of_answers(self):
        seen = set()
        with self.opened_alone() as one:
            for number in self.questions(one, "int/swift"):
                for kind, look in (("code", "#code"), ("picture", "#picture")):
                    if one.page.locator(look).count() == 0:
                        continue
                    seen.add(kind)
                    given = one.page.locator(look).evaluate("(each) => each.alt || each.textContent")
                    with self.subTest(number=number, kind=kind):
                        descriptions = " ".join(text for _, text in self.tree(one, "group"))
                        self.assertIn("".join(given.split()), "".join(descriptions.split()))
        self.assertIn("code", seen)

    def test_a_table_of_a_chart_is_named_after_it(self):
        with self.opened_alone() as one:
            one.go("/library/int/swift")
            one.begin("study")
            one.page.keyboard.press("1")
            one.next()
            one.go("/progress")
            charts = one.page.locator(".chart-card")
            self.assertGreater(charts.count(), 0)
            for chart in charts.all():
                heading = chart.locator("h2").inner_text()
                name = chart.locator("summary").get_attribute("aria-label")
                self.assertEqual(name, f"Show as table: {heading}")

    def test_the_unit_of_a_number_describes_its_field(self):
        units = 0
        with self.opened() as one:
            for number in self.questions(one, "int/measuring"):
                unit = one.page.locator("#number-unit")
                if unit.count():
                    units += 1
                    with self.subTest(number=number):
                        described = [text for _, text in self.tree(one, "textbox")]
                        self.assertEqual(described, [unit.inner_text()])
        self.assertGreater(units, 0)

    def spoken(self, one):
        """What the live regions of the page say after they were there."""
        browser.until(one.page, "[...document.querySelectorAll('[data-toast] p')].some((each) => each.textContent.endsWith('\\u200b'))")
        return one.page.locator("[data-toast] p").text_content().strip("\u200b")

    def test_keys_for_saving_and_flags_leave_the_focus_and_are_spoken(self):
        with self.opened() as one:
            for _ in self.questions(one, "int/swift"):
                if one.page.locator("input[type=radio]").count() > 1:
                    break
            one.page.keyboard.press("2")
            chosen = one.page.locator("input:checked").input_value()
            for key, words in (("s", "Saved"), ("s", "Removed from saved questions."), ("f", "Flagged"), ("f", "Flag removed")):
                with self.subTest(key=key, words=words):
                    with one.page.expect_navigation(wait_until="load"):
                        one.page.keyboard.press(key)
                    self.assertEqual(self.spoken(one), words)
                    self.assertEqual(one.page.evaluate("[document.activeElement.value, document.activeElement.checked]"), [chosen, True])
                    self.assertFalse(one.page.locator(".toast").is_visible())
            one.page.locator("[data-key=s]").focus()
            with one.page.expect_navigation(wait_until="load"):
                one.page.keyboard.press("Enter")
            self.assertEqual(one.page.evaluate("document.activeElement.dataset.key"), "s")

    def test_an_undo_is_spoken_at_the_question(self):
        with self.opened() as one:
            one.go("/library/int/swift")
            one.begin("study")
            one.page.keyboard.press("1")
            one.next()
            with one.page.expect_navigation(wait_until="load"):
                one.page.keyboard.press("z")
            self.assertEqual(self.spoken(one), "The answer was taken back.")

    def test_a_wrong_setting_takes_the_focus(self):
        with self.opened(may_fail=True) as one:
            one.go("/settings/learning")
            field = one.page.locator("input[type=number]").first
            field.evaluate("(each) => { each.form.noValidate = true; each.value = '-4'; }")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("#learning button").click()
            self.assertEqual(one.page.evaluate("document.activeElement.getAttribute('aria-invalid')"), "true")
            self.assertEqual(one.page.locator("[role=alert]").count(), 1)


if __name__ == "__main__":
    unittest.main()
