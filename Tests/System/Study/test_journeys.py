"""Journeys through the built program, as learners take them: with the mouse, by keyboard, without script, and with
the process killed on the way. A console message or a failed request fails each.

The twelve that a learner's life is made of, and where they are; those by keyboard alone have a star:

 1. from the first page to a level and its review
 2. *a placement test (`test_a_placement_test_by_keyboard_alone`)
 3. a session with its verdicts and its sum
 4. an exam with flags, handed in with open questions
 5. *an exam (`test_an_exam_by_keyboard_alone`)
 6. a process that is killed, and goes on at the same question
 7. a session without script
 8. *a newcomer, from the printed address of the demo to a level (`test_newcomer`, also with the mouse)
 9. an exam date that is booked, moved, cancelled and brought back (`test_devices`, as all below)
10. *two devices that moved the same date: the decision, and both made one (its beginning on both is set up with the mouse)
11. signing in and out with unsent answers, export, and the end of an account
12. a corrected answer that is told and scored again, with the log of syncs
"""

import concurrent.futures
import re
import unittest

import axe
import browser
import learner
import program
import raw
import serving

SPANISH = learner.answers("languages", "es")
SWIFT = learner.answers("exams", "int", "swift")


class Journeys(unittest.TestCase):
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

    def begin(self, one, subject, mode):
        one.go(subject)
        one.begin(mode)
        self.assertTrue(one.is_asked, one.path)

    def drawn(self, seed):
        """The first questions of an exam on a new device."""
        app = program.App(self.content, seed=seed)
        self.addCleanup(app.stop)
        with learner.opened(self.browser, app) as one:
            self.begin(one, "/library/int/swift", "exam")
            session = one.path.rsplit("/", 1)[0]
            questions = []
            for number in range(1, 6):
                one.go(f"{session}/{number}")
                questions.append(one.question)
            return questions

    def test_a_seed_repeats_what_is_drawn(self):
        self.assertEqual(self.drawn(1), self.drawn(1))
        self.assertNotEqual(self.drawn(1), self.drawn(2))

    def test_from_the_first_page_to_a_level_and_its_review(self):
        with self.opened() as one:
            self.assertEqual(one.heading, "What do you want to learn?")
            one.press("Español", "link", exact=False)
            one.press("Find my level", exact=False)
            count = 0
            while one.is_asked:
                count += 1
                self.assertLessEqual(count, 40)
                one.choose(SPANISH[one.question])
                one.next()
                if one.is_asked and "Right" in one.verdict:
                    one.next()
            self.assertGreater(count, 5)
            self.assertRegex(one.heading, r"^Your level is C\d$")
            one.press("Review", "link", exact=False)
            self.assertEqual(one.heading, f"Review {count} questions")
            self.assertEqual(one.page.locator("main ol > li").count(), count)
            one.go("/library/es")
            self.assertRegex(one.page.locator("header").inner_text(), r"C\d")

    def test_a_session_says_right_and_wrong_and_its_sum(self):
        with self.opened() as one:
            self.begin(one, "/library/int/swift", "study")
            asked, first, last = 0, {}, {}
            tops = "[...document.querySelectorAll('.option')].map(row => Math.round(row.getBoundingClientRect().top + scrollY))"
            while one.is_asked:
                asked += 1
                question = one.question
                answer = SWIFT[question]
                (one.choose if asked % 3 else one.choose_wrongly)(answer)
                before = one.page.evaluate(tops)
                one.next()
                self.assertEqual(one.page.evaluate(tops), before, one.heading)
                self.assertEqual(one.verdict == "Right", asked % 3 != 0, (one.heading, one.verdict))
                last[question] = one.verdict == "Right"
                first.setdefault(question, last[question])
                self.assertIn(one.page.evaluate("document.activeElement.textContent.trim().split(' ')[0]"),
                              ("Continue", "See"))
                one.next()
            again = [question for question in first if not first[question]]
            self.assertEqual(len(first), 20)
            self.assertEqual(one.heading, f"{sum(first.values())} of 20 right, "
                             f"{sum(last[question] for question in again)} of {len(again)} when asked again")
            one.go("/")
            self.assertNotIn("Continue", one.page.locator("main").inner_text())

    def test_whoever_goes_on_when_nothing_is_due_learns_that_the_day_is_done(self):
        with self.opened(may_fail=True) as one:
            self.begin(one, "/library/int/swift", "study")
            while one.is_asked:  # What was wrong would come again.
                one.choose(SWIFT[one.question])
                one.next()
                one.next()
            one.press("Keep studying")
            self.assertEqual((one.path, one.heading), ("/", "Today"))
            self.assertIn("Done for today", one.page.locator("main").inner_text())
            self.assertEqual(one.page.get_by_role("link", name="Another subject").get_attribute("href"), "/library")

    def test_an_exam_with_flags_is_handed_in_with_open_questions(self):
        with self.opened() as one:
            self.begin(one, "/library/int/swift", "exam")
            self.assertRegex(one.page.locator("#clock").inner_text(), r"^\d+ min$")
            for _ in range(3):
                one.choose(SWIFT[one.question])
                one.next()
                self.assertNotIn("Right", one.page.locator("main").inner_text())
            one.press("Flag", exact=False)
            flagged = one.heading
            one.press("Overview", "link")
            total = one.page.locator(".flags li").count()
            text = one.page.locator("main").inner_text()
            self.assertIn(f"3 answered, {total - 3} open, 1 flagged", text)
            self.assertIn(f"{total - 3} questions are open. Hand in anyway?", text)
            one.press("Question 4, open, flagged", "link")
            self.assertEqual(one.heading, flagged)
            one.press("Remove flag", exact=False)
            one.go(one.path.rsplit("/", 1)[0] + "/1")
            first = SWIFT[one.question]
            if not one.page.locator("[data-ordering]").count():
                chosen = one.page.locator(".option input:checked").evaluate_all(
                    "inputs => inputs.map(input => input.closest('label').querySelector('.option-body').innerText.trim())")
                self.assertEqual(sorted(map(learner.plain, chosen)), sorted(first))
            one.press("Overview", "link")
            one.press("Hand in exam")
            self.assertRegex(one.heading, rf"^Not passed, 3 of {total}\. You needed \d+\.$")

    def test_a_phone_too_asks_before_open_questions_are_handed_in(self):
        with self.opened(size="phone") as one:
            self.begin(one, "/library/int/swift", "exam")
            one.press("Overview", "link")
            self.assertTrue(one.page.get_by_text("questions are open. Hand in anyway?").is_visible())

    def test_a_saved_question_stays_saved(self):
        with self.opened() as one:
            self.begin(one, "/library/int/swift", "study")
            star = one.page.locator(".session-head [aria-pressed]")
            self.assertEqual(star.get_attribute("aria-pressed"), "false")
            question = one.heading
            with one.page.expect_navigation(wait_until="load"):
                star.click()
            self.assertEqual((one.heading, star.get_attribute("aria-pressed")), (question, "true"))
            one.page.reload()
            self.assertEqual(star.get_attribute("aria-pressed"), "true")
            with one.page.expect_navigation(wait_until="load"):
                star.click()
            self.assertEqual(star.get_attribute("aria-pressed"), "false")

    def test_back_reload_and_sending_twice_count_once(self):
        with self.opened() as one:
            self.begin(one, "/library/int/swift", "study")
            question, place = one.heading, one.path
            one.choose_wrongly(SWIFT[one.question])
            one.next()
            verdict = one.verdict
            one.page.reload()
            self.assertEqual((one.heading, one.verdict), (question, verdict))
            one.next()
            one.page.go_back()
            self.assertEqual((one.heading, one.verdict), (question, verdict))
            # What an old page would send again, ten times at once, with another answer.
            sender = raw.Learner(self.app)
            form = sender.secret() + "&" + "&".join(f"option={each}" for each in "abcd")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                replies = list(pool.map(lambda _: sender.post(place, form), range(10)))
            self.assertLessEqual({reply.status for reply in replies}, {303, 409, 422})
            one.go(place)
            self.assertEqual((one.heading, one.verdict), (question, verdict))
            one.go(place.rsplit("/", 1)[0])
            self.assertEqual(one.path, place.rsplit("/", 1)[0] + "/2")

    def test_a_killed_process_goes_on_at_the_same_question(self):
        with self.opened(may_fail=True) as one:
            self.begin(one, "/library/int/swift", "study")
            for _ in range(2):
                one.choose(SWIFT[one.question])
                one.next()
                one.next()
            one.choose(SWIFT[one.question])
            one.next()
            checked = one.heading
            self.app.kill()
        self.app.start()
        with self.opened() as one:
            one.press("Continue", "link")
            question, place = one.heading, one.page.locator(".count").inner_text()
            self.assertNotEqual(question, checked)
            self.assertEqual(place, "4 of 20")
            self.app.kill()
        self.app.start()
        with self.opened() as one:
            one.press("Continue", "link")
            self.assertEqual((one.heading, one.page.locator(".count").inner_text()), (question, place))
            one.go(one.path.rsplit("/", 1)[0] + "/3")
            self.assertEqual((one.heading, one.verdict), (checked, "Right"))

    def test_without_script_a_session_goes_to_its_result(self):
        with self.opened(scripts=False) as one:
            one.page.get_by_label("Search exams and languages").fill("swift")
            one.press("Search")
            one.press("Swift language basics", "link", exact=False)
            one.press("Start with question 1")
            asked = 0
            while one.is_asked:
                asked += 1
                answer = SWIFT[one.question]
                if one.page.locator("[data-ordering]").count():
                    self.order(one, answer)
                else:
                    one.choose(answer)
                one.next()
                self.assertEqual(one.verdict, "Right", one.heading)
                one.next()
            self.assertEqual(one.heading, f"{asked} of {asked} right")

    def order(self, one, answer):
        """Each arrow is a request of its own."""
        for place, text in enumerate(answer):
            while (at := one.rows().index(text)) != place:
                with one.page.expect_navigation(wait_until="load"):
                    one.page.locator(".option").nth(at).locator("[name=move]").nth(0).click()

    def test_without_script_nothing_chosen_is_said_and_nothing_lost(self):
        with self.opened(scripts=False, may_fail=True) as one:
            self.begin(one, "/library/int/swift", "study")
            while one.page.locator("[data-ordering]").count():
                one.next()
                one.next()
            question = one.heading
            one.next()
            self.assertEqual((one.heading, one.verdict), (question, "Choose an answer first"))

    def tab_to(self, one, name):
        """Tabs until something with the name has the focus."""
        for _ in range(80):
            one.page.keyboard.press("Tab")
            focused = one.page.evaluate("(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()")
            if focused.lower().startswith(name.lower()):
                return
        self.fail(f"{name} was not reached by Tab on {one.path}")

    def enter(self, one):
        with one.page.expect_navigation(wait_until="load"):
            one.page.keyboard.press("Enter")

    def order_by_keyboard(self, one, answer):
        """Brings rows into an order by Tab and the arrows, and goes to the button that ends the question."""
        for place, text in enumerate(answer):
            while one.rows().index(text) > place:
                self.tab_to(one, f"Move {text} up")
                one.page.keyboard.press("Alt+ArrowUp")
        self.assertEqual(one.rows(), answer)
        self.tab_to(one, one.page.locator("[data-primary]").inner_text().split()[0])

    def test_a_placement_test_by_keyboard_alone(self):
        with self.opened() as one:
            for name in ("español", "Find my level"):
                self.tab_to(one, name)
                self.enter(one)
            while one.is_asked:
                right = SPANISH[one.question]
                if one.page.locator("[data-ordering]").count():
                    self.order_by_keyboard(one, right)
                else:
                    for text in right:
                        one.page.keyboard.press(str(one.rows().index(text) + 1))
                self.enter(one)
                if one.is_asked and "Right" in one.verdict:
                    self.enter(one)
            self.assertRegex(one.heading, r"^Your level is C\d$")

    def test_an_exam_by_keyboard_alone(self):
        with self.opened() as one:
            self.tab_to(one, "Library")
            self.enter(one)
            self.tab_to(one, "Swift language basics")
            self.enter(one)
            self.tab_to(one, "Simulate the exam")
            self.enter(one)
            for number in range(1, 4):
                self.assertEqual(one.page.locator(".count").inner_text().split()[0], str(number))
                with one.page.expect_navigation(wait_until="load"):
                    one.page.keyboard.press("f")
                if not one.page.locator("[data-ordering]").count():
                    one.page.keyboard.press("1")
                    self.enter(one)
                else:
                    self.tab_to(one, "Next")
                    self.enter(one)
            self.tab_to(one, "Overview")
            self.enter(one)
            self.assertIn("3 flagged", one.page.locator("main").inner_text())
            self.tab_to(one, "Hand in exam")
            self.enter(one)
            self.assertRegex(one.heading, r"assed, \d of")

    def test_a_session_in_arabic_runs_from_right_to_left(self):
        with self.opened(locale="ar") as one:
            self.assertEqual(one.page.evaluate("[document.documentElement.lang, document.documentElement.dir]"), ["ar", "rtl"])
            one.go("/library/int/swift")
            with one.page.expect_navigation():
                one.page.locator("main form button").first.click()
            self.assertTrue(one.is_asked)
            one.choose_wrongly(SWIFT[one.question])
            one.next()
            self.assertEqual(axe.faults(one.page), [])
            self.assertEqual(one.page.locator(".foot.wrong").count(), 1)

    def test_a_link_of_another_site_opens_the_app(self):
        elsewhere = serving.Parts()
        self.addCleanup(elsewhere.stop)
        # A terminal in a browser links to the printed address; a strict cookie would not follow its redirect.
        with self.browser.page(elsewhere.address.replace("127.0.0.1", "localhost") + "/parts", may_fail=True) as page:
            page.evaluate("entrance => { document.querySelector('.skip').href = entrance; }", self.app.entrance)
            page.locator(".skip").focus()
            page.keyboard.press("Enter")
            page.wait_for_url(self.app.address + "/")
            self.assertEqual(page.locator("h1").inner_text(), "What do you want to learn?")

    def test_a_process_that_is_gone_is_said_and_the_choice_stays(self):
        with self.opened(may_fail=True) as one:
            self.begin(one, "/library/int/swift", "study")
            while one.page.locator("[data-ordering]").count():
                one.next()
                one.next()
            self.app.kill()
            one.page.keyboard.press("2")
            one.page.keyboard.press("Enter")
            self.assertIn("The study app has stopped. Nothing is lost.", one.page.get_by_role("alert").inner_text())
            self.assertTrue(one.page.locator(".option input").nth(1).is_checked())


if __name__ == "__main__":
    unittest.main()
