"""The answers as a table: the file that the browser saves is the one that the command writes."""

import csv
import io
import re
import subprocess
import unittest

import browser
import learner
import program

SWIFT = learner.answers("exams", "int", "swift")
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d"


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        with learner.opened(cls.browser, cls.app) as one:
            one.go("/library/int/swift")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("main form:has([value=study]) button").first.click()
            cls.given = []
            for number in range(6):
                right = number % 3 != 2
                cls.given.append((learner.plain(one.heading), "right" if right else "wrong"))
                (one.choose if right else one.choose_wrongly)(SWIFT[one.question])
                one.next()
                one.next()

    def saved(self):
        with learner.opened(self.browser, self.app) as one:
            one.go("/account")
            with one.page.expect_download() as download:
                one.page.get_by_role("link", name="Export answers as a table").click()
            self.assertEqual(download.value.suggested_filename, "underway-answers.csv")
            with open(download.value.path(), "rb") as file:
                return file.read()

    def test_the_browser_saves_a_row_for_each_answer(self):
        data = self.saved()
        self.assertTrue(data.startswith(b"\xef\xbb\xbf"))
        self.assertEqual(data.count(b"\n"), data.count(b"\r\n"))
        header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        self.assertEqual(header, ["Time", "Subject", "Question", "Answer", "Right or wrong", "Seconds"])
        self.assertEqual([(learner.plain(row[2]), row[4]) for row in rows], self.given)
        for row in rows:
            self.assertRegex(row[0], f"^{TIME}$")
            self.assertEqual(row[1], "Swift language basics")
            self.assertNotEqual(row[3], "")
            self.assertTrue(re.fullmatch(r"\d+", row[5]))
        self.assertEqual([row[0] for row in rows], sorted(row[0] for row in rows))

    def test_the_command_writes_the_same(self):
        store, file = self.app.folder / "store", self.app.folder / "answers.csv"
        printed = program.run("answers", "--store", store, "--output", file)
        self.assertIn("Wrote 6 answers", printed)
        self.assertEqual(file.read_bytes(), self.saved())
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        direct = subprocess.run([program.PROGRAM, "answers", "--store", store], capture_output=True, timeout=60)
        self.assertEqual(direct.stdout, self.saved())


if __name__ == "__main__":
    unittest.main()
