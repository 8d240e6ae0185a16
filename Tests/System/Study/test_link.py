"""What ties a browser to the study app: a page left open outlives a restart, and no other program gets the cookie."""

import http.server
import pathlib
import socket
import threading
import unittest

import browser
import learner
import program
import raw


class Recorder(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.cookies.append(self.headers.get("Cookie"))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


class Link(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.app = program.App(self.content)
        self.addCleanup(self.app.stop)

    def file_of_the_link(self):
        return next(pathlib.Path(self.app.folder).rglob("study-browser.json"))

    def test_a_page_left_open_goes_on_after_a_restart(self):
        with learner.opened(self.browser, self.app, may_fail=True) as one:
            one.go("/library/int/swift")
            one.begin("study")
            while one.page.locator("[data-ordering]").count():
                one.next()
                one.next()
            self.app.kill()
            one.page.keyboard.press("1")
            one.page.keyboard.press("Enter")
            stopped = one.page.get_by_role("alert")
            self.assertIn("Start it again, then Try again", stopped.inner_text())
            self.app.start()
            with one.page.expect_navigation(wait_until="load"):
                stopped.get_by_role("button").click()
            self.assertNotEqual(one.verdict, "")
            self.assertEqual(one.page.locator(".foot.right, .foot.wrong").count(), 1)

    def test_only_the_token_is_new_after_a_restart(self):
        before = raw.Learner(self.app)
        token, address = self.app.token, self.app.address
        self.app.kill()
        self.app.start()
        self.assertEqual(self.app.address, address)
        self.assertNotEqual(self.app.token, token)
        self.assertEqual(before.get("/library").status, 200)
        self.assertEqual(raw.ask(self.app, f"/?token={token}").status, 403)
        self.assertEqual(self.file_of_the_link().stat().st_mode & 0o777, 0o600)

    def test_a_damaged_link_is_replaced(self):
        before = raw.Learner(self.app)
        self.app.kill()
        self.file_of_the_link().write_text('{"cookie": "", "form": "", "host": "localhost"}', encoding="utf-8")
        self.app.start()
        self.assertRegex(self.app.host, r"^[a-z2-7]{20}\.localhost:\d+$")
        self.assertEqual(before.get("/library").status, 403)
        self.assertEqual(raw.ask(self.app, cookie="underway-%d=" % self.app.port).status, 403)

    def test_another_port_is_taken_and_said_when_the_last_is_in_use(self):
        port, host, before = self.app.port, self.app.host.split(":")[0], raw.Learner(self.app)
        self.app.kill()
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", port))
            other.listen()
            self.app.start()
        self.assertNotEqual(self.app.port, port)
        self.assertIn(f"The last run had port {port}", (self.app.folder / "log").read_text(encoding="utf-8"))
        self.assertEqual(raw.Learner(self.app).get("/library").status, 200)
        # Whoever listens at the port of before may have been sent the cookie.
        self.assertEqual(before.get("/library").status, 403)
        self.assertNotEqual(self.app.host.split(":")[0], host)

    def test_nobody_else_can_answer_at_the_other_address_of_the_port(self):
        with socket.socket(socket.AF_INET6) as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with self.assertRaises(OSError):
                other.bind(("::1", self.app.port))

    def test_no_other_server_of_the_machine_gets_the_cookie(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        server.daemon_threads, server.cookies = True, []
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.addCleanup(server.shutdown)
        with learner.opened(self.browser, self.app, may_fail=True) as one:
            self.assertEqual(one.heading, "What do you want to learn?")
            names = [cookie["domain"] for cookie in one.page.context.cookies()]
            self.assertEqual(names, [self.app.host.rsplit(":", 1)[0]])
            for name in ("127.0.0.1", "localhost", "other.localhost"):
                one.page.goto(f"http://{name}:{server.server_port}/")
            one.go("/library")
            self.assertEqual(one.heading, "Library")
        self.assertGreaterEqual(len(server.cookies), 3)
        self.assertEqual(set(server.cookies), {None})


if __name__ == "__main__":
    unittest.main()
