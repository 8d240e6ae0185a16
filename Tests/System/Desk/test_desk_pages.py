"""Every page of the desk by the rules of all pages: axe, sizes, focus, light and dark, without script, at three widths."""

import unittest

from desk import PICTURES, ROOT, Desk, DeskBrowser  # puts the other folders on the path
import axe
import rules

LOOKS = [("wide", "light"), ("wide", "dark"), ("phone", "light"), ("narrow", "dark")]
PAGES = {
    "questions": "/desk/questions", "question": "/desk/questions/int~swift/swift-003",
    "announcements": "/desk/announcements", "assets": "/desk/assets", "import": "/desk/import",
    "publish": "/desk/publish", "releases": "/desk/releases", "proposals": "/desk/proposals",
    "reports": "/desk/reports", "accounts": "/desk/accounts", "audit": "/desk/audit",
    "account": "/desk/account", "roll-back": "/desk/releases/1/roll-back",
}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.desk = Desk(ROOT / "Sample/content")
        cls.addClassCleanup(cls.desk.close)
        file = cls.desk.content / "exams/int/swift/exam.yaml"
        file.write_text(file.read_text().replace("title: ", "title: New ", 1))
        cls.desk.tool("publish")
        file = cls.desk.content / "exams/int/swift/questions.yaml"
        file.write_text(file.read_text().replace("difficulty: 1", "difficulty: 2", 1))
        cls.ada = cls.desk.person("ada@example.org", "author", "publisher", "administrator")
        cls.browser = DeskBrowser()
        cls.addClassCleanup(cls.browser.close)

    def check(self, name, page):
        faults = rules.all_faults(page, least=24) + axe.faults(page)
        return faults

    def test_every_page_by_the_rules(self):
        for size, theme in LOOKS:
            with self.browser.signed_in(self.desk, self.ada, size=size, theme=theme) as page:
                for name, path in PAGES.items():
                    with self.subTest(page=name, size=size, theme=theme):
                        self.browser.go(page, self.desk, path)
                        faults = self.check(name, page)
                        page.screenshot(path=PICTURES / f"{name}-{size}-{theme}.png", full_page=True)
                        self.assertEqual(faults, [])

    def test_the_table_of_an_import_by_the_rules(self):
        file = self.desk.here / "bank.csv"
        file.write_text(
            "Question;A;B;C;Key\nWhich keyword makes a constant?;let;var;func;A\nWhich are value types?;struct;enum;class;A,B\n"
            "A question whose key names nothing?;one;two;three;E\n", encoding="utf-8")
        for size, theme in LOOKS:
            with self.subTest(size=size, theme=theme), \
                    self.browser.signed_in(self.desk, self.ada, "/desk/import", size=size, theme=theme) as page:
                page.locator("#bank").select_option("int/swift")
                page.locator("#domain").fill("values")
                page.locator("#file").set_input_files(file)
                with page.expect_navigation(wait_until="load"):
                    page.get_by_role("button", name="Read the questions").click()
                self.assertEqual(page.locator("tbody tr").count(), 3)
                faults = self.check("import-table", page)
                page.screenshot(path=PICTURES / f"import-table-{size}-{theme}.png", full_page=True)
                self.assertEqual(faults, [])

    def test_signing_in_by_the_rules(self):
        for size, theme in LOOKS:
            with self.subTest(size=size, theme=theme), \
                    self.browser.page(self.desk.address + "/desk/sign-in", size, theme) as page:
                faults = self.check("sign-in", page)
                page.screenshot(path=PICTURES / f"sign-in-{size}-{theme}.png")
                self.assertEqual(faults, [])

    def test_the_focus_is_seen(self):
        with self.browser.signed_in(self.desk, self.ada) as page:
            for name, path in PAGES.items():
                with self.subTest(page=name):
                    self.browser.go(page, self.desk, path)
                    self.assertEqual(rules.focus(page, steps=25), [])

    def test_pages_are_whole_without_script(self):
        with self.browser.signed_in(self.desk, self.ada, scripts=False, size="phone") as page:
            for name, path in PAGES.items():
                with self.subTest(page=name):
                    self.browser.go(page, self.desk, path)
                    self.assertTrue(page.locator("h1").is_visible())
                    # The menu is open, so that all pages can be reached.
                    self.assertTrue(page.locator("nav a[href='/desk/publish']").is_visible())


if __name__ == "__main__":
    unittest.main()
