"""What a browser needs to install the app: a description with files that exist, linked from every page, and what is
sent compressed."""

import gzip
import json
import struct
import subprocess
import unittest

import browser
import learner
import program
import raw
import templates

PATHS = ("/", "/library", "/library/es", "/progress", "/inbox", "/settings", "/settings/log", "/bookings", "/favourites", "/account",
         "/account/sign-out", "/updates", "/nothing")


class Installing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        cls.learner = raw.Learner(cls.app)

    def test_the_files_of_the_description_exist_as_it_says(self):
        reply = self.learner.get("/app.webmanifest")
        self.assertEqual((reply.status, reply.field("content-type")), (200, "application/manifest+json"))
        manifest = json.loads(reply.body)
        self.assertIn("maskable", [icon["purpose"] for icon in manifest["icons"]])
        for icon in manifest["icons"]:
            with self.subTest(icon=icon["src"]):
                file = self.learner.get(icon["src"])
                self.assertEqual((file.status, file.field("content-type")), (200, icon["type"]))
                if icon["type"] == "image/png":
                    self.assertEqual("{}x{}".format(*struct.unpack(">II", file.body[16:24])), icon["sizes"])
        for entry in [manifest["start_url"], *(each["url"] for each in manifest["shortcuts"])]:
            self.assertEqual(self.learner.get(entry).status, 200)

    def test_a_stranger_gets_no_description(self):
        self.assertEqual(raw.ask(self.app, "/app.webmanifest").status, 403)

    def test_every_page_links_it_and_the_browser_reads_it(self):
        with learner.opened(self.browser, self.app, may_fail=True) as one:
            session = one.page.context.new_cdp_session(one.page)
            for path in PATHS:
                with self.subTest(path=path):
                    one.go(path)
                    self.assertEqual(one.page.locator("link[rel=manifest]").get_attribute("href"), "/app.webmanifest")
                    self.assertEqual(one.page.locator("meta[name=theme-color]").count(), 2)
                    found = session.send("Page.getAppManifest")
                    self.assertEqual(found["errors"], [])
                    self.assertTrue(found["url"].endswith("/app.webmanifest"))
                    self.assertEqual(json.loads(found["data"])["name"], "Underway")

    def test_no_page_complains_of_it(self):
        with learner.opened(self.browser, self.app) as one:
            for path in PATHS[:-1]:
                one.go(path)

    def test_the_icons_are_those_of_the_script(self):
        self.assertEqual(subprocess.run([templates.ROOT / "script/generate-icons", "--check"]).returncode, 0)

    def test_text_is_compressed_and_says_so(self):
        for path in ("/", "/library", "/files/study.css", "/files/study.js"):
            with self.subTest(path=path):
                plain = self.learner.get(path)
                packed = self.learner.get(path, accept_encoding="gzip, deflate, br, zstd")
                self.assertEqual(packed.field("content-encoding"), "gzip")
                self.assertEqual(packed.field("vary"), "Accept-Encoding")
                self.assertEqual(len(gzip.decompress(packed.body)), len(plain.body))
                self.assertLess(len(packed.body) * 2, len(plain.body))

    def test_the_style_sheet_is_small(self):
        self.assertLessEqual(len(self.learner.get("/files/study.css").body), 35_000)


if __name__ == "__main__":
    unittest.main()
