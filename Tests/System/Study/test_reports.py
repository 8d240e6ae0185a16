"""Reports of questions and the consent to the use of first answers, on a device with a server: by keyboard alone, without
script, with hostile and long words, sent twice; and the rules for their pages in all languages, with pictures in
.build/study-pictures."""

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
HOSTILE = "</textarea><script>document.title = 'owned'</script><img src=x onerror=alert(1)> {{csrf}} \u202eabc"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 12  # 960 characters
# script/nightly looks in all five languages.
LOOKS = [("phone", "dark", "ar"), ("narrow", "light", "de")]
if os.environ.get("UNDERWAY_STUDY_LOOKS") == "all":
    LOOKS += [("wide", "light", "en"), ("phone", "light", "ja"), ("wide", "dark", "es")]


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.server = program.Server(cls.content)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def device(cls):
        return program.App(cls.content, cls.server)

    @staticmethod
    def begin(one, mode):
        one.go("/library/int/swift")
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator(f"main form:has([value={mode}]) button").first.click()

    @classmethod
    def checked(cls, one):
        """A question with a wrong answer; its address."""
        cls.begin(one, "study")
        one.choose_wrongly(SWIFT[one.question])
        one.next()
        return one.path

    @classmethod
    def ended(cls, one):
        """An exam that was handed in after one answer; the address of its result."""
        cls.begin(one, "exam")
        one.choose(SWIFT[one.question])
        one.next()
        one.press("Overview", "link")
        one.press("Hand in exam")
        return one.path


class Journeys(Served):
    def setUp(self):
        self.app = self.device()
        self.addCleanup(self.app.stop)

    def opened(self, **options):
        return learner.opened(self.browser, self.app, **options)

    def main(self, one):
        return learner.plain(one.page.locator("body").inner_text())

    def tab_to(self, one, name, inside="body"):
        for _ in range(60):
            one.page.keyboard.press("Tab")
            focused = one.page.evaluate(
                "(inside) => { const at = document.activeElement;"
                " return at.closest(inside) ? (at.getAttribute('aria-label') ?? at.textContent).trim() : null; }", inside)
            if focused is not None and focused.startswith(name):
                return
        self.fail(f"{name} was not reached by Tab on {one.path}")

    def enter(self, one):
        with one.page.expect_navigation(wait_until="load"):
            one.page.keyboard.press("Enter")

    def sync(self, one):
        """Presses Sync, which is not there while the device syncs by itself."""
        for _ in range(100):
            one.go("/settings")
            if one.page.get_by_role("button", name="Sync", exact=True).count():
                return one.press("Sync")
            one.page.wait_for_timeout(200)
        self.fail("the device syncs without end")

    def test_a_report_by_keyboard_alone_returns_to_its_question(self):
        with self.opened() as one:
            place = self.checked(one)
            verdict = one.verdict
            self.tab_to(one, "Report this question")
            self.enter(one)
            self.assertEqual(one.heading, "What is wrong with this question?")
            browser.until(one.page, "document.activeElement.value === 'wrong-key'")
            one.page.keyboard.press("2")
            self.tab_to(one, "")
            self.assertEqual(one.page.evaluate("document.activeElement.id"), "text")
            one.page.keyboard.type("What is meant? 3 s")
            self.tab_to(one, "Send report")
            self.enter(one)
            self.assertEqual((one.path, one.verdict), (place, verdict))
            self.assertIn("Thank you. It is sent with the next sync.", self.main(one))
            self.tab_to(one, "You reported this question")
            self.enter(one)
            self.assertEqual(one.heading, "You reported this question")
            # The device may have sent it already, by itself.
            self.assertRegex(self.main(one), "I don’t understand it What is meant\\? 3 s (Waiting to be sent|Sent)")
            self.tab_to(one, "Take it back")
            self.enter(one)
            self.assertEqual(one.path, place)
            # The foot has another one, for the answer.
            self.tab_to(one, "Undo", inside=".toast")
            self.enter(one)
            self.assertIn("You reported this question", self.main(one))

    def test_enter_on_a_reason_sends_and_the_sync_takes_it(self):
        with self.opened() as one:
            place = self.checked(one)
            one.go(place + "/report")
            # The page has its focus some time after it is there.
            browser.until(one.page, "document.activeElement.value === 'wrong-key'")
            one.page.keyboard.press("ArrowDown")
            self.enter(one)
            self.assertEqual(one.path, place)
            self.sync(one)
            one.go(place + "/report")
            deadline = 50
            while "Waiting to be sent" in self.main(one) and deadline:
                deadline -= 1
                one.page.wait_for_timeout(200)
                one.page.reload(wait_until="load")
            self.assertIn("I don’t understand it Sent", self.main(one))

    def test_without_script_a_report_is_sent_changed_and_taken_back(self):
        with self.opened(scripts=False, may_fail=True) as one:
            place = self.checked(one)
            one.press("Report this question", "link")
            one.press("Send report")
            self.assertIn("Choose what is wrong first.", self.main(one))
            one.page.get_by_label("What should it say?").fill("Both.")
            one.page.get_by_text("Something else").click()
            one.press("Send report")
            self.assertEqual(one.path, place)
            one.press("You reported this question", "link")
            one.press("Change report", "link")
            self.assertEqual(one.page.locator("#text").input_value(), "Both.")
            one.page.get_by_text("The right answer is not right").click()
            one.press("Send report")
            one.page.locator(".toast").get_by_role("button", name="Undo", exact=True).click()
            one.press("You reported this question", "link")
            self.assertIn("Something else Both.", self.main(one))
            one.press("Take it back")
            self.assertIn("The report is taken back.", self.main(one))

    def test_back_and_sending_twice_keep_one_report(self):
        with self.opened() as one:
            place = self.checked(one)
            one.go(place + "/report")
            one.page.locator("[value=media]").check()
            with one.page.expect_navigation(wait_until="load"):
                # The second press comes while the first is on its way.
                one.page.locator("[data-primary]").dblclick()
            one.page.wait_for_load_state("load")
            self.assertEqual(one.path, place)
            one.page.go_back(wait_until="load")
            # The form is still there, or says what was sent; sending it again changes the one report.
            if one.page.locator("[data-primary]").count():
                one.page.locator("[value=outdated]").check()
                one.next()
            one.go(place + "/report")
            self.assertIn("You reported this question", self.main(one))

    def shown_as_words(self, text):
        with self.opened(size="narrow") as one:
            place = self.checked(one)
            one.go(place + "/report")
            one.page.locator("[value=other]").check()
            one.page.locator("#text").fill(text)
            one.next()
            for path in (place, place + "/report", place + "/report?change="):
                one.go(path)
                self.assertNotEqual(one.page.title(), "owned")
                self.assertEqual(rules.width(one.page), [])
                self.assertEqual(one.page.locator("main script, main img").count(), 0)
            self.assertEqual(one.page.locator("#text").input_value(), text)

    def test_hostile_words_stay_words(self):
        self.shown_as_words(HOSTILE)

    def test_long_words_are_not_wider_than_the_window(self):
        self.shown_as_words(LONG)

    def test_a_review_returns_to_the_place_of_its_question(self):
        with self.opened() as one:
            result = self.ended(one)
            one.go(result.replace("result", "review"))
            self.assertGreater(one.page.get_by_role("link", name="Report this question").count(), 3)
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("#question-3-report").click()
            one.page.locator("[value=language]").check()
            one.next()
            self.assertTrue(one.path.endswith("/review#question-3"), one.path)
            self.assertEqual(one.page.locator("#question-3-report").inner_text(), "You reported this question")

    def test_one_result_asks_for_consent_and_the_settings_take_it_back(self):
        with self.opened() as one:
            result = self.ended(one)
            self.assertIn("May your answers help", self.main(one))
            one.press("Yes, they may help")
            self.assertEqual(one.path, result)
            self.assertIn("Thank you. You can take this back in Settings.", self.main(one))
            self.assertNotIn("May your answers help", self.main(one))
            self.ended(one)
            self.assertNotIn("May your answers help", self.main(one))
            one.go("/settings")
            switch = one.page.locator("[name=consent]")
            self.assertTrue(switch.is_checked())
            with one.page.expect_navigation(wait_until="load"):
                switch.focus()
                one.page.keyboard.press("Space")
            self.assertFalse(switch.is_checked())
            self.assertEqual(one.page.evaluate("document.activeElement.name"), "consent")

    def test_without_script_the_switch_has_a_button_and_the_question_its_answer(self):
        with self.opened(scripts=False) as one:
            self.ended(one)
            one.press("No, thanks")
            self.assertIn("Your answers are not used for this.", self.main(one))
            one.go("/settings")
            one.page.locator("[name=consent]").check()
            one.press("Save Help to find mistakes in questions")
            self.assertTrue(one.page.locator("[name=consent]").is_checked())


class Pages(Served):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.app = cls.device()
        cls.addClassCleanup(cls.app.stop)
        with learner.opened(cls.browser, cls.app) as one:
            cls.pages = dict(cls.past(one))

    @classmethod
    def past(cls, one):
        result = cls.ended(one)
        yield "result-consent", result
        yield "review-report", result.replace("result", "review")
        yield "settings-consent", "/settings"
        place = cls.checked(one)
        yield "report", place + "/report"
        one.next()
        one.choose_wrongly(SWIFT[one.question])
        one.next()
        said = one.path
        one.go(said + "/report")
        one.page.locator("[value=wrong-key]").check()
        one.page.locator("#text").fill("Both are right: Int is a value type, too.\nSee the book, page 12.")
        one.next()
        yield "session-report", said
        yield "report-said", said + "/report"
        yield "report-change", said + "/report?change="

    def test_the_rules(self):
        for name, path in self.pages.items():
            for size, theme, language in LOOKS:
                with self.subTest(page=name, size=size, theme=theme, language=language), \
                        self.browser.page(self.app.entrance, size, theme, locale=language) as page:
                    page.size = len(page.goto(self.app.address + path, wait_until="load").body())
                    faults = rules.all_faults(page) + axe.faults(page)
                    page.screenshot(path=PICTURES / f"{name}-{size}-{theme}-{language}.png", full_page=True)
                    self.assertEqual(faults, [])

    def test_the_focus_is_seen_and_nothing_is_cut(self):
        for name, path in self.pages.items():
            for size in ("phone", "wide"):
                with self.subTest(page=name, size=size), self.browser.page(self.app.entrance, size) as page:
                    page.goto(self.app.address + path, wait_until="load")
                    self.assertEqual(rules.focus(page, steps=30), [])
                    self.assertEqual(rules.stretched(page), [])


if __name__ == "__main__":
    unittest.main()
