"""The whole loop in a browser: a class answers a bank with wrong keys, the desk shows them, an author confirms by keyboard."""

import json
import os
import random
import time
import unittest

import desk  # puts the other folders on the path
import test_loop
from desk import Desk, DeskBrowser
from world import await_true


class Loop(unittest.TestCase):
    """The class of test_loop, with the desk in place of the commands."""

    answers = test_loop.Loop.answers
    versions = test_loop.Loop.versions
    devices = test_loop.Loop.devices

    def setUp(self):
        self.desk = Desk(questions=test_loop.source(), repository=True)
        self.addCleanup(self.desk.close)
        self.release, self.url = self.desk.release, self.desk.address
        self.random = random.Random(test_loop.SEED)
        self.browser = DeskBrowser()
        self.addCleanup(self.browser.close)

    def answer_all(self):
        versions = self.versions()
        for number in range(1, test_loop.LEARNERS + 1):
            phone, tablet = self.devices(number)
            rows = list(self.answers(versions))
            phone.answers, tablet.answers = rows[:30], rows[30:]
            for device in (phone, tablet):
                device.held[device.id] = len(device.answers)
                device.sync()

    def suspects(self):
        listed = json.loads(self.desk.tool("proposals", "list", "--data", "users", "--json"))
        return {one["question"] for one in listed if one["evidence"].get("outcome") == "act"}

    def test_an_author_fixes_three_keys_by_keyboard(self):
        print(f"seed {test_loop.SEED}")
        self.answer_all()
        await_true(lambda: test_loop.WRONG <= self.suspects(), "the proposals", seconds=120)
        self.assertEqual(self.suspects(), test_loop.WRONG)
        ada = self.desk.person("ada@example.org", "author", "publisher")
        took = []
        with self.browser.signed_in(self.desk, ada, "/desk/proposals") as page:
            picture = page.screenshot(path=str(desk.PICTURES / "loop-proposals.png"), full_page=True)
            if os.environ.get("UNDERWAY_PICTURES") == "docs":
                (desk.ROOT / "docs/pictures/desk.png").write_bytes(picture)
            for _ in test_loop.WRONG:
                began = time.monotonic()
                self.browser.go(page, self.desk, "/desk/proposals")
                # The most urgent one is the first; Enter opens it.
                page.keyboard.press("j")
                page.keyboard.press("k")
                with page.expect_navigation(wait_until="load"):
                    page.keyboard.press("Enter")
                primary = page.locator(".button.filled")
                self.assertRegex(primary.inner_text(), r"Make . of \d+ right and publish")
                for _ in range(60):
                    if primary.evaluate("one => one === document.activeElement"):
                        break
                    page.keyboard.press("Tab")
                with page.expect_navigation(wait_until="load"):
                    page.keyboard.press("Enter")
                self.assertIn("is out. Phones get it", page.locator("[role=status], .toast").last.inner_text())
                took.append(time.monotonic() - began)
        print("from the list to the release by keyboard: " + ", ".join(f"{one:.1f} s" for one in took))
        fixed = self.desk.content.joinpath("exams/int/made/questions.yaml").read_text()
        for number in range(test_loop.QUESTIONS):
            key = "abcd".index(test_loop.right(number))
            part = fixed[fixed.index(f"- id: q{number:02} "):]
            self.assertIn(f"correct: [{key}]", part.split("\n- id:")[0], f"q{number:02}")
        manifest = json.loads(self.release.joinpath("manifest.json").read_text())
        self.assertEqual(manifest["release"], 4)


if __name__ == "__main__":
    unittest.main()
