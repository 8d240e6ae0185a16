"""The steps of an exam beside Next, its clock, its review by topic, and the verdict on an order and on a number: with the
keyboard in the real pages, with script and without."""

import re
import unittest

import test_forms


class Exam(test_forms.FormPages):
    def place(self, one):
        """The place of the question on the page, and the number of questions."""
        return [int(number) for number in re.findall(r"\d+", one.page.locator(".count").inner_text())]

    def tab_to(self, one, name):
        """Moves the focus by Tab to a button of the foot, and presses Enter."""
        for _ in range(30):
            one.page.keyboard.press("Tab")
            focused = one.page.evaluate("document.activeElement.closest('.foot') && document.activeElement.textContent.trim()")
            if focused and focused.startswith(name):
                return self.enter(one)
        self.fail(name)

    def test_previous_and_skip_keep_what_was_chosen_and_half_typed(self):
        def exam(one):
            self.begin(one, "/library/int/forms", "exam")
            self.find(one, "Type four")
            number, count = self.place(one)
            one.page.keyboard.type("4 0")
            self.tab_to(one, "Skip")
            if number == count:
                self.assertEqual(one.heading, "Overview")
            else:
                self.assertEqual(self.place(one), [number + 1, count])
                one.press("Previous")
                self.assertEqual(one.heading, "Type four")
            self.find(one, "Type four")
            self.assertEqual(one.page.locator("#number").input_value(), "4 0")
            one.page.locator("#number").fill("4")
            self.find_chosen(one, "Choose the second")
            one.press("Overview", "link")
            # The number was filled in and left by its address: it is open still.
            self.assertIn("1 answered, 3 open, 0 flagged", one.page.locator("main").inner_text())
            self.assertEqual(one.page.locator(".flags a.answered").count(), 1)
        self.with_and_without_script(exam)

    def find_chosen(self, one, heading):
        """Chooses the second answer of a question, leaves it by the keyboard and finds it chosen."""
        self.find(one, heading)
        one.page.keyboard.press("ArrowDown")
        number, _ = self.place(one)
        self.tab_to(one, "Previous" if number > 1 else "Skip")
        self.find(one, heading)
        self.assertTrue(one.page.locator(".option input").nth(1).is_checked())

    def test_the_clock_stays_hidden(self):
        with self.opened() as one:
            self.begin(one, "/library/int/forms", "exam")
            self.assertTrue(one.page.locator("#clock").is_visible())
            one.page.locator(".clock").focus()
            one.page.keyboard.press("Enter")
            self.assertFalse(one.page.locator("#clock").is_visible())
            one.press("Skip")
            self.assertFalse(one.page.locator("#clock").is_visible())
            self.assertEqual(one.page.locator(".clock").get_attribute("aria-pressed"), "true")
            one.page.locator(".clock").click()
            self.assertTrue(one.page.locator("#clock").is_visible())

    def test_the_verdict_shows_the_right_order_and_number_and_z_takes_it_back(self):
        def study(one):
            self.begin(one, "/library/int/forms", "study")
            seen = set()
            while one.is_asked and len(seen) < 2:
                heading = one.heading
                if heading == "Type four":
                    one.page.keyboard.type("5")
                elif heading == "Keep the order":
                    with_script = one.page.evaluate("document.documentElement.classList.contains('js')")
                    one.page.locator("[name=move][value='down:1']").click()
                    if not with_script:
                        one.page.wait_for_load_state("load")
                    one.page.locator("[data-primary]").focus()
                else:
                    self.type_answer(one)
                one.next()
                main = one.page.locator("main").inner_text()
                if heading == "Type four":
                    seen.add(heading)
                    self.assertEqual(one.page.locator(".marked.wrong .number-mark").inner_text(), "Your answer")
                    self.assertIn("Right: 4", main)
                elif heading == "Keep the order":
                    seen.add(heading)
                    self.assertEqual(one.page.locator(".right-order li").all_inner_texts(),
                                     [f"{place}\n{name}" for place, name in enumerate(("first", "second", "third"), 1)])
                    self.assertIn("Right order", main)
                one.next()
                self.assertNotIn("number=", one.path, "The next question may ask for a number, too.")
            self.assertEqual(len(seen), 2)
        self.with_and_without_script(study)

    def test_undo_of_the_foot_asks_anew(self):
        with self.opened() as one:
            self.begin(one, "/library/int/forms", "study")
            heading = one.heading
            self.type_answer(one)
            one.next()
            self.assertEqual(one.page.locator(".foot [data-key=z]").count(), 1)
            with one.page.expect_navigation(wait_until="load"):
                one.page.keyboard.press("z")
            self.assertEqual(one.heading, heading)
            self.assertEqual(one.page.locator("#verdict").inner_text().count("Right"), 0)


if __name__ == "__main__":
    unittest.main()
