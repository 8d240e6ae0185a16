"""Every page of the built program: the rules for pages and axe in light, dark, three sizes and both directions, and a
picture of each in .build/study-pictures, to be looked at."""

import contextlib
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
SPANISH = learner.answers("languages", "es")
# script/nightly looks at all; between them, these two have both themes, both directions, a phone and a wide screen.
LOOKS = [("phone", "dark", "ar"), ("wide", "light", "en")]
if os.environ.get("UNDERWAY_STUDY_LOOKS") == "all":
    LOOKS += [("narrow", "light", "en"), ("wide", "dark", "ar")]
# Pages without a past of their own.
STANDING = ("progress", "inbox", "settings", "settings/log", "settings/learning", "bookings", "favourites", "account",
            "updates", "boards", "settings/boards")
# What each kind of question looks like in its page.
KINDS = {"ordering": "[data-ordering]", "several": ".option input[type=checkbox]", "code": "pre.code",
         "single": ".option input[type=radio]"}


class Pages(unittest.TestCase):
    """One device with a past: a level, an ended exam, an open session and an open exam."""

    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.new = program.App(cls.content)
        cls.addClassCleanup(cls.new.stop)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        # Living is no test; each page is looked at below.
        with learner.opened(cls.browser, cls.app, may_fail=True) as one:
            cls.pages = dict(cls.past(one))

    @classmethod
    def past(cls, one):
        """Lives through sessions and names their pages."""
        yield from ((path.replace("/", "-"), f"/{path}") for path in STANDING)
        yield from {"today": "/", "library": "/library", "library-found": "/library?q=esp", "library-none": "/library?q=xyzzy",
                    "language": "/library/es", "exam": "/library/int/swift",
                    "settings-subject": "/settings/learning?bank=int/swift"}.items()
        cls.begin(one, "/library/int/swift", "study")
        yield from cls.verdicts(one)
        yield "result-level", cls.ended(one, "/library/es", "placement", SPANISH)
        yield "result-study", cls.ended(one, "/library/de/verkehr", "study", None)
        result = cls.ended(one, "/library/int/swift", "exam", SWIFT)
        yield "result-exam", result
        yield "review", result.replace("result", "review")
        cls.begin(one, "/library/int/swift", "exam")
        session = one.path.rsplit("/", 1)[0]
        yield from cls.questions(one, session)
        yield "overview", session + "/overview"

    @staticmethod
    def begin(one, subject, mode):
        one.go(subject)
        with one.page.expect_navigation(wait_until="load"):
            one.page.locator(f"main form:has([value={mode}]) button").first.click()

    @classmethod
    def ended(cls, one, subject, mode, known):
        cls.begin(one, subject, mode)
        count = 0
        while one.is_asked:
            if one.page.locator(".option input, [data-ordering]").count() and (known is None or count % 3 == 2):
                one.page.keyboard.press("1")
            elif one.page.locator(".option input, [data-ordering]").count():
                one.choose(known[one.question])
                count += 1
            one.next()
            if "overview" in one.path:
                one.next()
        return one.path

    @staticmethod
    def questions(one, session):
        """An open question of each kind; those of an exam can be visited in any order."""
        wanted = dict(KINDS)
        for number in range(1, 31):
            one.go(f"{session}/{number}")
            for kind, selector in list(wanted.items()):
                if one.page.locator(selector).count():
                    wanted.pop(kind)
                    yield f"simulation-{kind}", f"{session}/{number}"
                    break
            if not wanted:
                return

    @staticmethod
    def verdicts(one):
        """Right and wrong answers, and a question that waits."""
        for name, choose in (("right", one.choose), ("wrong", one.choose_wrongly)):
            choose(SWIFT[one.question])
            one.next()
            yield f"session-{name}", one.path
            one.next()
        yield "session-open", one.path

    def test_the_past_has_every_page(self):
        self.assertLessEqual({"today", "result-level", "result-exam", "review", "overview", "session-right", "session-wrong",
                              "session-open", "simulation-ordering", "simulation-several", "simulation-code"}, set(self.pages))

    @contextlib.contextmanager
    def shown(self, app, path, size, theme, language, **more):
        with self.browser.page(app.entrance, size, theme, locale=language, **more) as page:
            reply = page.goto(app.address + path, wait_until="load")
            page.size = len(reply.body())
            yield page

    def check(self, app, name, path):
        for size, theme, language in LOOKS:
            with self.subTest(page=name, size=size, theme=theme, language=language), \
                    self.shown(app, path, size, theme, language) as page:
                faults = rules.all_faults(page) + axe.faults(page)
                # Last: it puts a style of its own into the page.
                page.screenshot(path=PICTURES / f"{name}-{size}-{theme}-{language}.png", full_page=size != "phone")
                self.assertEqual(faults, [])

    def test_a_new_device(self):
        self.check(self.new, "new-today", "/")

    def test_nothing_is_cut_with_wide_or_large_text(self):
        for name, path in self.pages.items():
            with self.subTest(page=name), self.shown(self.app, path, "narrow", "light", "de") as page:
                self.assertEqual(rules.stretched(page), [])

    def test_the_focus_is_seen_and_no_bar_covers_it(self):
        for name, path in self.pages.items():
            for size in ("phone", "wide"):
                with self.subTest(page=name, size=size), self.shown(self.app, path, size, "light", "en") as page:
                    self.assertEqual(rules.focus(page, steps=30), [])

    def test_the_head_of_a_simulation_is_one_line(self):
        for language in ("en", "es", "de", "ja", "ar"):
            with self.subTest(language=language), self.shown(self.app, self.pages["simulation-single"], "narrow", "light", language) as page:
                middles = page.locator(".session-head > :not(.hidden)").evaluate_all(
                    "all => all.map(one => one.getBoundingClientRect()).map(box => Math.round(box.top + box.height / 2))")
                self.assertLessEqual(max(middles) - min(middles), 4)

    def test_every_language_shows_the_page_in_its_own_direction(self):
        for language in ("en", "es", "de", "ja", "ar"):
            for name in ("today", "language", "session-wrong", "result-level"):
                with self.subTest(page=name, language=language), \
                        self.shown(self.app, self.pages[name], "narrow", "light", language) as page:
                    self.assertEqual(page.evaluate("[document.documentElement.lang, document.documentElement.dir]"),
                                     [language, "rtl" if language == "ar" else "ltr"])
                    self.assertEqual(rules.width(page) + rules.structure(page), [])


def pages_test(name):
    def test(self):
        self.check(self.app, name, self.pages[name])
    return test


NAMES = [*(path.replace("/", "-") for path in STANDING), "today", "library", "library-found", "library-none", "language", "exam", "result-level", "result-exam", "review",
         "result-study", "overview", "session-right", "session-wrong", "session-open",
         *(f"simulation-{kind}" for kind in KINDS)]
for each in NAMES:
    setattr(Pages, f"test_the_rules_on_{each.replace('-', '_')}", pages_test(each))


if __name__ == "__main__":
    unittest.main()
