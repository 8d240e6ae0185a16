"""Boards and live events over a real server: two devices of an account, the server gone in the middle, rounds that count
only when the server says so, and the rules on every page of them. Pictures are in .build/study-pictures."""

import contextlib
import datetime
import itertools
import os
import unittest

import axe
import browser
import learner
import program
import rules
import templates
from device import SWIFT, Device, enter, tab_to

PICTURES = templates.ROOT / ".build/study-pictures"
LOOKS = [("phone", "dark", "ar"), ("phone", "light", "en"), ("wide", "light", "en")]
if os.environ.get("UNDERWAY_STUDY_LOOKS") == "all":
    LOOKS += [("narrow", "light", "de"), ("wide", "dark", "ar"), ("wide", "dark", "ja")]


class Server(program.Server):
    """A server that comes back at the address it had."""

    port = 0

    def command(self):
        return ["serve", "--release", self.content.release, "--data", self.folder / "data", "--port", self.port, "--quiet"]

    def do(self, *arguments):
        """A command of the operator on the server's data."""
        return program.run(*arguments, "--data", self.folder / "data")

    def define_board(self, name="swift"):
        self.do("board", "define", name, "--bank", "int/swift", "--release", self.content.release)

    def define_event(self, name="cup", since=-1, until=60):
        now = datetime.datetime.now(datetime.timezone.utc)
        start, end = ((now + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ") for minutes in (since, until))
        self.do("event", "define", name, "--bank", "int/swift", "--release", self.content.release, "--title", "Spring cup",
                "--start", start, "--end", end)


class Boards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.server = Server(self.content)
        self.addCleanup(self.server.stop)
        self.windows = contextlib.ExitStack()

    def opened(self, **options):
        """A new device in a window of its own; its app ends after the test."""
        app = program.App(self.content, self.server)
        self.addCleanup(app.stop)
        return Device(app, self.windows.enter_context(learner.opened(self.browser, app, **options)))

    def answer(self, device, count=3):
        device.one.go("/library/int/swift")
        device.one.begin("study")
        for _ in range(count):
            device.one.choose(SWIFT[device.one.question])
            device.one.next()
            device.one.next()

    def place(self, device):
        """A device with an account, which has a place on the board."""
        device.create()
        self.answer(device)
        device.sync()
        self.server.do("board", "refresh")

    def own_row(self, device):
        row = device.page.locator("tr.own")
        return learner.plain(row.inner_text()) if row.count() else None

    # MARK: Boards

    def test_two_devices_of_an_account_see_one_place(self):
        with self.windows:
            self.server.define_board()
            first, second = self.opened(), self.opened()
            self.place(first)
            first.one.go("/progress")
            first.one.press("Boards and live events", "link")
            self.assertIn("Your subjects", first.main)
            first.one.press("Swift language basics", "link", exact=False)
            self.assertEqual(first.one.heading, "Swift language basics")
            self.assertIn("You are in place 1 with 30 points.", first.main)
            self.assertRegex(self.own_row(first), r"^1 No name you 30$")
            first.one.press("Change or leave", "link")
            first.page.get_by_label("Your name on the board").fill("Ada")
            first.one.press("Save")
            self.assertIn("Saved.", first.frame)
            second.sign_in()
            second.sync()
            second.one.go("/boards/swift")
            self.assertRegex(self.own_row(second), r"^1 Ada you 30$")
            self.assertIn("You appear as Ada.", second.main)
            second.one.press("All time", "link")
            self.assertEqual(second.one.path, "/boards/swift?period=all")
            self.assertRegex(self.own_row(second), r"^1 Ada you 30$")

    def test_without_the_server_the_last_board_stays_with_its_age(self):
        with self.windows:
            self.server.define_board()
            device = self.opened()
            self.place(device)
            device.one.go("/boards/swift")
            self.assertNotIn("offline", device.main)
            self.server.kill()
            device.one.go("/boards/swift")
            self.assertIn("You are offline. Last seen just now.", device.main)
            self.assertRegex(self.own_row(device), r"^1 No name you 30$")
            device.one.go("/boards/swift?period=all")
            self.assertIn("You are offline.", device.main)
            self.assertIsNone(self.own_row(device))
            device.one.go("/boards")
            self.assertIn("Place 1 of 1 · Last seen just now.", device.main)
            self.assertIn("A live event needs a connection.", device.main)
            # An open page would ask the app that ends.
            device.page.goto("about:blank")
            device.app.sleep_until(2)
            device.page.goto(device.app.entrance)
            device.one.go("/boards/swift")
            self.assertRegex(device.main, r"You are offline\. Last seen [12] days? ago\.")
            self.server.start()
            device.page.goto("about:blank")
            device.app.sleep_until(0)
            device.page.goto(device.app.entrance)
            device.one.go("/boards/swift")
            self.assertNotIn("offline", device.main)

    def test_whoever_leaves_has_no_place_and_may_come_back(self):
        with self.windows:
            self.server.define_board()
            device = self.opened()
            self.place(device)
            device.one.go("/settings/boards")
            device.one.press("Leave the boards")
            self.assertIn("You have left the boards. Your places go within minutes.", device.frame)
            self.server.do("board", "refresh")
            device.one.go("/boards/swift")
            self.assertIn("You have left the boards.", device.main)
            self.assertIn("Nobody is on this board yet.", device.main)
            device.one.press("Join the boards", "link")
            device.one.press("Join the boards")
            self.server.do("board", "refresh")
            device.one.go("/boards/swift")
            self.assertRegex(self.own_row(device), r"^1 No name you 30$")

    def test_a_name_that_the_server_refuses_is_not_said_to_be_saved(self):
        with self.windows:
            device = self.opened(may_fail=True)
            device.create()
            device.sync()
            device.one.go("/settings/boards")
            device.page.get_by_label("Your name on the board").fill("a" * 31)
            device.one.press("Save")
            self.assertIn("This name cannot be used. Choose another one.", device.main)
            self.assertEqual(device.page.get_by_label("Your name on the board").input_value(), "a" * 31)
            self.server.kill()
            device.page.get_by_label("Your name on the board").fill("Ada")
            device.one.press("Save")
            self.assertIn("You are offline. The server has not confirmed this. Try again.", device.main)

    def test_without_an_account_the_page_says_what_to_do(self):
        with self.windows:
            self.server.define_board()
            device = self.opened()
            device.one.go("/boards")
            self.assertIn("Boards and live events need an account.", device.main)
            device.one.press("Sign in", "link")
            self.assertEqual(device.one.path, "/account/sign-in")

    # MARK: Live events

    def round(self, device):
        """Begins a round at the event's page, answers a question right, and hands it in."""
        device.one.go("/events/cup")
        device.one.press("Begin a round")
        session = device.one.path.rpartition("/")[0]
        places = itertools.count(2)
        while not device.is_short_choice():
            device.one.go(f"{session}/{next(places)}")
        device.one.choose(SWIFT[device.one.question])
        device.one.next()
        device.one.go(session + "/overview")
        device.one.press("Hand in exam")

    def test_a_round_counts_once_and_only_when_the_server_says_so(self):
        with self.windows:
            self.server.define_event()
            first, second = self.opened(may_fail=True), self.opened()
            first.create()
            first.sync()
            self.round(first)
            first.one.press("Spring cup", "link")
            self.assertEqual(first.one.path, "/events/cup")
            self.assertIn("You have no points yet.", first.main)
            self.assertIn("Your rounds on this device", first.main)
            self.server.kill()
            first.page.locator("form[action='/events/cup'] button").click()
            first.until(lambda: "The round is not confirmed. Send it again; it counts once." in first.main)
            self.assertNotIn("counted", first.main)
            self.server.start()
            first.one.go("/events/cup")
            self.assertIn("You have no points yet.", first.main)
            with first.page.expect_navigation(wait_until="load"):
                first.page.locator("form[action='/events/cup'] button").click()
            self.assertRegex(first.frame, r"Counted: \d+ points?\. You are in place 1 with \d+ points?\.")
            self.assertRegex(first.main, r"\d+ points counted")
            self.assertEqual(first.page.locator("form[action='/events/cup']").count(), 0)
            second.sign_in()
            second.sync()
            second.one.go("/events/cup")
            self.assertRegex(self.own_row(second), r"^1 No name you \d+$")
            self.assertNotIn("Your rounds on this device", second.main)

    def test_an_event_that_is_over_takes_no_round_and_one_to_come_says_when(self):
        with self.windows:
            device = self.opened()
            device.create()
            device.sync()
            # Each minute until the look counts.
            self.server.define_event("past", since=-60, until=-30)
            self.server.define_event("coming", since=30, until=60)
            device.one.go("/events/coming")
            self.assertRegex(device.main, r"Starts in (30|2\d) minutes\.")
            self.assertEqual(device.page.get_by_role("button", name="Begin a round").count(), 0)
            device.one.go("/events/past")
            self.assertIn("The event is over.", device.main)
            self.assertEqual(device.page.locator("main form").count(), 0)

    def test_places_renew_themselves_until_pause(self):
        with self.windows:
            self.server.define_event()
            device = self.opened()
            device.create()
            device.sync()
            device.page.clock.install()
            device.one.go("/events/cup")
            loads = []
            device.page.on("request", lambda request: loads.append(request.url) if "part=1" in request.url else None)
            device.page.clock.run_for(11_000)
            device.until(lambda: len(loads) == 1)
            device.page.get_by_role("button", name="Pause live updates").click()
            device.page.clock.run_for(60_000)
            self.assertEqual(len(loads), 1)
            self.assertEqual(device.page.get_by_role("button", name="Resume live updates").count(), 1)

    def test_a_round_by_keyboard_alone_and_without_script(self):
        with self.windows:
            self.server.define_event()
            device = self.opened()
            device.create()
            device.sync()
            device.one.go("/events/cup")
            tab_to(device, "Begin a round")
            enter(device)
            self.assertTrue(device.one.is_asked)
            with learner.opened(self.browser, device.app, scripts=False) as plain:
                plain.go("/events/cup")
                plain.press("Continue the round", "link")
                self.assertTrue(plain.is_asked)

    # MARK: Rules

    def test_the_rules_on_every_page(self):
        with self.windows:
            self.server.define_board()
            self.server.define_event()
            device = self.opened()
            self.place(device)
            self.round(device)
            pages = {"boards": "/boards", "board": "/boards/swift", "event": "/events/cup", "board-profile": "/settings/boards"}
            self.look(device.app, pages)
            for path in pages.values():
                device.one.go(path)
            self.server.kill()
            self.look(device.app, {f"{name}-offline": path for name, path in pages.items()})
            alone = program.App(self.content, self.server)
            self.addCleanup(alone.stop)
            self.look(alone, {"boards-stranger": "/boards"})

    def look(self, app, pages):
        for name, path in pages.items():
            for size, theme, language in LOOKS:
                with self.subTest(page=name, size=size, theme=theme, language=language), \
                        self.browser.page(app.entrance, size, theme, locale=language) as page:
                    reply = page.goto(app.address + path, wait_until="load")
                    page.size = len(reply.body())
                    faults = rules.all_faults(page) + axe.faults(page) + rules.focus(page, steps=20)
                    page.screenshot(path=PICTURES / f"{name}-{size}-{theme}-{language}.png", full_page=size != "phone")
                    self.assertEqual(faults, [])
            with self.subTest(page=name, text="large"), self.browser.page(app.entrance, "narrow", locale="de") as page:
                page.goto(app.address + path, wait_until="load")
                self.assertEqual(rules.stretched(page), [])


if __name__ == "__main__":
    unittest.main()
