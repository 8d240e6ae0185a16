"""The pages of a device with a server: account, sync, conflict, messages, exam dates, what changed. They keep the rules of
every page, and pictures of them are in .build/study-pictures."""

import contextlib
import unittest

import axe
import browser
import learner
import program
import rules
from device import Device, correct, disagree
from test_pages import LOOKS, PICTURES

STANDING = ("account", "account/sign-out", "account/delete", "bookings", "inbox", "settings", "settings/log", "updates")


class AccountPages(unittest.TestCase):
    """Two devices of an account: the second has a conflict to decide, a message, and a corrected question."""

    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content(has_announcements=True)
        cls.addClassCleanup(cls.content.end)
        cls.server = program.Server(cls.content)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.new, cls.other, cls.app = (cls.started() for _ in range(3))
        with contextlib.ExitStack() as windows:
            first, second = (Device(app, windows.enter_context(learner.opened(cls.browser, app))) for app in (cls.other, cls.app))
            cls.pages = cls.past(first, second)

    @classmethod
    def started(cls):
        app = program.App(cls.content, cls.server)
        cls.addClassCleanup(app.stop)
        return app

    @classmethod
    def past(cls, first, second):
        """The second device's pages by name."""
        second.one.go("/")
        pages = {f"online-{path.replace('/', '-')}": f"/{path}" for path in STANDING}
        disagree(first, second)
        result, wrong = second.hand_in()
        cls.content.publish(lambda folder: correct(folder, cls.content.release, *wrong))
        second.sync()
        second.one.go("/inbox")
        pages["online-conflict"] = cls.linked(second, "conflicts")
        pages["online-conflict-edit"] = pages["online-conflict"] + "?edit=1"
        pages["online-message"] = cls.linked(second, "messages")
        return pages | {"online-corrected": result, "online-settled": "/inbox/conflicts/reservation%2Fnone"}

    @staticmethod
    def linked(device, kind):
        return device.page.locator(f"main a[href^='/inbox/{kind}/']").first.get_attribute("href")

    @contextlib.contextmanager
    def shown(self, app, path, size, theme, language):
        with self.browser.page(app.entrance, size, theme, locale=language) as page:
            reply = page.goto(app.address + path, wait_until="load")
            page.size = len(reply.body())
            yield page

    def check(self, app, name, path):
        for size, theme, language in LOOKS:
            with self.subTest(page=name, size=size, theme=theme, language=language), \
                    self.shown(app, path, size, theme, language) as page:
                faults = rules.all_faults(page) + axe.faults(page)
                page.screenshot(path=PICTURES / f"{name}-{size}-{theme}-{language}.png", full_page=size != "phone")
                self.assertEqual(faults, [])
        with self.subTest(page=name, what="text"), self.shown(app, path, "narrow", "light", "de") as page:
            self.assertEqual(rules.stretched(page), [])
        with self.subTest(page=name, what="focus"), self.shown(app, path, "phone", "light", "en") as page:
            self.assertEqual(rules.focus(page, steps=30), [])

    def test_the_rules_on_the_pages_of_an_account(self):
        for name, path in self.pages.items():
            self.check(self.app, name, path)

    def test_the_rules_on_the_ways_into_an_account(self):
        for name in ("account", "account/sign-in", "account/create"):
            self.check(self.new, f"new-{name.replace('/', '-')}", f"/{name}")

    def test_the_rules_on_the_first_page_with_a_message(self):
        with learner.opened(self.browser, self.new) as one:
            one.go("/library/int/swift")
            one.begin("study")
            one.page.keyboard.press("1")
            one.next()
        self.check(self.new, "new-sheet", "/")


if __name__ == "__main__":
    unittest.main()
