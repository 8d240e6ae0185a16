"""A page that arrives in two pieces, as it does under load, is painted when all of it is there: no row moves."""

import http.server
import threading
import time
import unittest

import browser
import learner
import program
import raw

SWIFT = learner.answers("exams", "int", "swift")
PAUSE = 0.7


class Halves(http.server.BaseHTTPRequestHandler):
    """The app's files, and one page of it, cut behind half of its text and continued after a pause."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        reply = self.server.learner.get(self.path)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.field("content-type"))
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if "html" in reply.field("content-type"):
            middle = self.server.cut(reply.body)
            self.wfile.write(reply.body[:middle])
            self.wfile.flush()
            # No fact to wait for: the browser must do nothing meanwhile.
            time.sleep(PAUSE)
            self.wfile.write(reply.body[middle:])
        else:
            self.wfile.write(reply.body)

    def log_message(self, *words):
        pass


class FirstPaint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Halves)
        cls.server.learner = raw.Learner(cls.app)
        cls.address = f"http://127.0.0.1:{cls.server.server_port}"
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    def painted(self, path, cut):
        """What moved, and the time of the first paint."""
        self.server.cut = cut
        with self.browser.page(self.address + path, size="phone", theme="dark") as page:
            browser.until(page, "performance.getEntriesByType('paint').length > 0")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            return page.evaluate("[window.underwayMoved, performance.getEntriesByType('paint')[0].startTime]")

    def test_a_page_is_painted_when_all_of_it_is_there(self):
        with learner.opened(self.browser, self.app) as one:
            one.go("/library/int/swift")
            with one.page.expect_navigation(wait_until="load"):
                one.page.locator("main form:has([value=exam]) button").first.click()
            session = one.path.rsplit("/", 1)[0]
            one.choose_wrongly(SWIFT[one.question])
            one.next()
            one.press("Overview", "link")
            one.press("Hand in exam")
        for path in (f"{session}/result", f"{session}/review", "/", "/settings"):
            for part in (2, 3):
                with self.subTest(path=path, part=part):
                    # Behind the first words of an element: its row is there, its other lines are not.
                    moved, first = self.painted(path, lambda body: body.index(b"</span>", len(body) * part // 4) + 7)
                    self.assertEqual(moved, [])
                    self.assertGreater(first, PAUSE * 1000)


if __name__ == "__main__":
    unittest.main()
