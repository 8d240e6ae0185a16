"""The parts in Chromium: the rules for every page, what a press and a key do, and what a lost process leaves."""

import gzip
import unittest

import axe
import browser
import rules
import serving
import templates


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parts = serving.Parts()
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.parts.stop()

    def page(self, name, size="wide", theme="light", direction="ltr", **more):
        return self.browser.page(f"{self.parts.address}/{name}?dir={direction}", size, theme, **more)

    def test_every_part_keeps_the_rules_in_each_theme_size_and_direction(self):
        for name in templates.names():
            for size in browser.SIZES:
                for theme, direction in (("light", "ltr"), ("dark", "rtl")):
                    with self.subTest(page=name, size=size, theme=theme, direction=direction), \
                            self.page(name, size, theme, direction) as page:
                        self.assertEqual(rules.all_faults(page), [])
                        self.assertEqual(axe.faults(page), [])

    def test_nothing_is_cut_with_wide_or_large_text(self):
        for name in templates.names():
            with self.subTest(page=name), self.page(name, "narrow") as page:
                self.assertEqual(rules.stretched(page), [])

    def test_the_focus_is_seen_and_no_bar_covers_it(self):
        for name in ("parts", "session-open", "session-ordering", "session-long"):
            for size in ("phone", "wide"):
                with self.subTest(page=name, size=size), self.page(name, size) as page:
                    # It is there for ten seconds and may lie over a part of this long page.
                    page.evaluate("document.querySelector('[data-toast]')?.remove()")
                    self.assertEqual(rules.focus(page), [])

    def test_the_own_place_of_a_long_board_stays_in_sight(self):
        """The row sticks to the lower edge while it is further down, and to the upper one afterwards."""
        grow = """() => {
          const own = document.querySelector("tr.own");
          const row = own.previousElementSibling;
          for (let count = 0; count < 60; count += 1) { own.before(row.cloneNode(true)); own.after(row.cloneNode(true)); }
        }"""
        isSeen = """() => [...document.querySelectorAll("tr.own > *")].every((cell) => {
          const box = cell.getBoundingClientRect();
          const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return top && cell.contains(top);
        })"""
        for size in ("phone", "wide"):
            with self.page("parts", size) as page:
                page.evaluate("document.querySelector('[data-toast]')?.remove()")
                page.evaluate(grow)
                for row in ("first-child", "nth-child(60)", "last-child"):
                    page.locator(f".places tbody tr:{row}").evaluate("row => row.scrollIntoView({block: 'center'})")
                    self.assertTrue(page.evaluate(isSeen), f"{size}, {row}")

    def test_the_theme_of_the_learner_beats_that_of_the_system(self):
        for system in browser.THEMES:
            for chosen, ground in (("light", "rgb(247, 247, 244)"), ("dark", "rgb(17, 19, 22)")):
                with self.browser.page(f"{self.parts.address}/parts?theme={chosen}", theme=system) as page:
                    self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), ground)

    def test_rows_stay_where_they_are_when_they_are_checked(self):
        tops = "[...document.querySelectorAll('.option')].map((row) => row.getBoundingClientRect().top + scrollY)"
        for size in browser.SIZES:
            with self.page("session-open", size) as page:
                opened = page.evaluate(tops)
                page.locator(".option").nth(1).click()
                self.assertEqual(page.evaluate(tops), opened)
            for name in ("session-wrong", "session-long"):
                with self.subTest(size=size, page=name), self.page(name, size) as page:
                    self.assertEqual(page.evaluate(tops), opened)
                    self.assertEqual(page.evaluate("scrollY"), 0)

    def test_the_verdict_does_not_scroll_the_rows_away(self):
        with self.page("session-open", "narrow") as page:
            page.locator(".option").nth(2).click()
            page.mouse.wheel(0, 150)
            browser.until(page, "scrollY === 150")
            page.locator("[data-primary]").click()
            page.wait_for_url("**/session-wrong")
            browser.until(page, "scrollY === 150")

    def test_on_a_low_screen_no_button_lies_over_the_versions(self):
        for size, position in (("narrow", "static"), ("phone", "sticky")):
            with self.subTest(size=size), self.page("parts", size) as page:
                foot = page.locator(".conflict tfoot")
                self.assertEqual(foot.evaluate("element => getComputedStyle(element).position"), position)

    def test_text_of_another_direction_stays_beside_its_mark(self):
        with self.page("session-code", direction="rtl") as page:
            gap = page.evaluate("""() => {
              const range = document.createRange();
              range.selectNodeContents(document.querySelector(".option-body > :last-child"));
              const mark = document.querySelector(".option input").getBoundingClientRect();
              return mark.left - range.getBoundingClientRect().right;
            }""")
            self.assertAlmostEqual(gap, 14, delta=1)

    def test_without_a_script_the_form_goes_out(self):
        self.parts.posts.clear()
        with self.page("session-open", scripts=False) as page:
            page.locator(".option").nth(1).click()
            page.get_by_role("button", name="Check").click()
            page.wait_for_url("**/session-wrong")
        self.assertEqual(self.parts.posts, [("/answer", "csrf=c0ffee&choice=2")])

    def test_a_digit_chooses_and_enter_checks_once(self):
        self.parts.posts.clear()
        with self.page("session-open") as page:
            page.keyboard.press("3")
            self.assertTrue(page.locator("[value='3']").is_checked())
            page.keyboard.press("Enter")
            page.wait_for_url("**/session-wrong")
            self.assertIn("Continue", page.evaluate("document.activeElement.textContent"))
        self.assertEqual(self.parts.posts, [("/answer", "csrf=c0ffee&choice=3")])

    def test_check_without_a_choice_says_so_in_the_foot_and_moves_nothing(self):
        self.parts.posts.clear()
        for size in browser.SIZES:
            with self.subTest(size=size), self.page("session-open", size) as page:
                before = page.locator("[data-primary]").bounding_box()
                page.locator("[data-primary]").click()
                self.assertEqual(page.locator(".verdict").inner_text().strip(), "Choose an answer first")
                self.assertEqual(page.locator("[data-primary]").bounding_box(), before)
                self.assertEqual(rules.shift(page), [])
        self.assertEqual(self.parts.posts, [])

    def test_letters_and_digits_can_be_switched_off(self):
        with self.page("session-open") as page:
            page.keyboard.press("?")
            self.assertTrue(page.locator("#keys").is_visible())
            page.keyboard.press("Escape")
            self.assertFalse(page.locator("#keys").is_visible())
            page.evaluate("document.documentElement.dataset.keys = 'off'")
            page.keyboard.press("?")
            page.keyboard.press("2")
            self.assertFalse(page.locator("#keys").is_visible())
            self.assertEqual(page.locator(".option input:checked").count(), 0)

    def test_letters_do_nothing_in_fields(self):
        with self.page("parts") as page:
            page.locator("#q").focus()
            page.keyboard.type("?s1")
            self.assertEqual(page.locator("#q").input_value(), "?s1")
            self.assertFalse(page.locator("#keys").is_visible())

    def test_rows_are_ordered_by_arrow_key_and_drag_and_spoken(self):
        values = "[...document.querySelectorAll('[data-ordering] input')].map((input) => input.value)"
        with self.page("session-ordering") as page:
            page.get_by_role("button", name="Move Int32 down").click()
            self.assertEqual(page.evaluate(values), ["Int8", "Int16", "Int32", "Int64"])
            self.assertEqual(page.locator("[data-live-region]").inner_text(), "Int32, place 3 of 4")
            page.keyboard.press("Alt+ArrowUp")
            self.assertEqual(page.evaluate(values), ["Int8", "Int32", "Int16", "Int64"])
            grip = page.locator(".grip").nth(3).bounding_box()
            page.mouse.move(grip["x"] + 10, grip["y"] + 20)
            page.mouse.down()
            page.mouse.move(grip["x"] + 10, 5, steps=12)
            page.mouse.up()
            self.assertEqual(page.evaluate(values), ["Int64", "Int8", "Int32", "Int16"])
            self.assertEqual(page.locator("[data-live-region]").inner_text(), "Int64, place 1 of 4")
            self.assertEqual(page.evaluate("document.querySelectorAll('[name=move]:disabled').length"), 2)
            page.get_by_role("button", name="Check").click()
            page.wait_for_url("**/session-wrong")
        self.assertIn("order=Int64&order=Int8&order=Int32&order=Int16", self.parts.posts[-1][1])

    def test_an_announcement_opens_and_esc_is_not_now(self):
        with self.page("parts-sheet", "phone") as page:
            self.assertEqual(page.evaluate("document.activeElement.id"), "sheet-title")
            page.keyboard.press("Escape")
            page.wait_for_url("**/session-wrong")
        self.assertEqual(self.parts.posts[-1], ("/inbox/messages/1/later", "csrf=c0ffee"))

    def test_a_toast_waits_under_the_pointer_and_then_leaves(self):
        with self.page("parts") as page:
            page.clock.install()
            page.reload()
            page.locator("[data-toast]").hover()
            page.clock.run_for(15000)
            self.assertEqual(page.locator("[data-toast]").count(), 1)
            page.mouse.move(640, 5)
            page.clock.run_for(1500)
            self.assertEqual(page.locator("[data-toast]").count(), 0)

    def test_a_toast_with_an_undo_stays(self):
        with self.page("session-code") as page:
            page.clock.install()
            page.reload()
            page.clock.run_for(60000)
            self.assertTrue(page.locator("[data-toast]").get_by_role("button").is_visible())

    def test_the_clock_counts_down_and_speaks_at_ten_minutes(self):
        with self.page("session-simulation") as page:
            page.clock.install()
            page.reload()
            self.assertEqual(page.locator("#clock").inner_text(), "31 min")
            page.clock.run_for(21 * 60000)
            self.assertEqual(page.locator("#clock").inner_text(), "10 min")
            self.assertEqual(page.locator("[data-clock-region]").inner_text(), "10 minutes left")
            page.clock.run_for(6 * 60000)
            self.assertEqual(page.locator("#clock").inner_text(), "4:00")
            page.locator("button.clock").click()
            self.assertFalse(page.locator("#clock").is_visible())

    def test_a_process_that_is_gone_is_said_and_the_choice_stays(self):
        parts = serving.Parts()
        with self.browser.page(f"{parts.address}/session-open", may_fail=True) as page:
            parts.stop()
            page.keyboard.press("2")
            page.keyboard.press("Enter")
            alert = page.get_by_role("alert")
            self.assertIn("The study app has stopped. Nothing is lost.", alert.inner_text())
            self.assertTrue(page.locator("[value='2']").is_checked())
            self.assertEqual(axe.faults(page), [])

    def test_forced_colours_and_print_keep_what_matters(self):
        with self.page("session-wrong", forced_colors="active") as page:
            border = "getComputedStyle(document.querySelector('.option.right')).borderTopWidth"
            self.assertEqual(page.evaluate(border), "2px")
        with self.page("parts") as page:
            page.emulate_media(media="print")
            self.assertEqual(page.locator("nav:visible").count(), 0)
            self.assertFalse(page.locator(".toast").is_visible())
            self.assertTrue(page.locator("h1").is_visible())


class Files(unittest.TestCase):
    def test_files_are_small_and_ask_for_nothing_outside(self):
        for name, most in (("study.css", 8_300), ("study.js", 5_400), ("icons.svg", 2_000)):
            text = (serving.FILES / name).read_text().replace("http://www.w3.org/2000/svg", "")
            self.assertLess(len(gzip.compress(text.encode())), most, name)  # As the app sends it.
            for word in ("http:", "https:", "@import", "eval(", "innerHTML"):
                self.assertNotIn(word, text, name)

    def test_sides_are_logical(self):
        style = (serving.FILES / "study.css").read_text().replace("safe-area-inset-bottom", "")
        self.assertNotRegex(style, r"(margin|padding|border|inset)-(left|right|top|bottom)\b")
        self.assertNotRegex(style, r"[;{]\s*(left|right|top|bottom|width|height)\s*:")


if __name__ == "__main__":
    unittest.main()
