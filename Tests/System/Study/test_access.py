"""Who gets what of the study app, asked by bytes on sockets: strangers, other sites, rebound names, odd requests."""

import pathlib
import unittest

import program
import raw

POLICY = {"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "base-uri 'none'",
          "frame-ancestors 'none'"}


class Access(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.app = program.App(cls.content)
        cls.addClassCleanup(cls.app.stop)
        cls.learner = raw.Learner(cls.app)

    def refused(self, reply, *words):
        """The reply says nothing of the app: no page, no cookie, no secret."""
        self.assertEqual(reply.status, 403)
        self.assertEqual(reply.field("content-type"), "text/plain; charset=utf-8")
        self.assertEqual(reply.field("set-cookie"), "")
        for secret in (self.app.token, self.learner.cookie.split("=")[1], *words):
            self.assertNotIn(secret, reply.text)

    def test_nothing_is_shown_without_the_cookie(self):
        for path in ("/", "/library", "/library/es", "/session/x", "/progress", "/inbox", "/settings", "/files/study.css",
                     "/favicon.ico", "/nothing"):
            for cookie in (None, "", self.learner.cookie[:-1], self.learner.cookie + "x", "underway-1=" +
                           self.learner.cookie.split("=")[1], self.learner.cookie.replace("underway", "Underway")):
                with self.subTest(path=path, cookie=cookie):
                    self.refused(raw.ask(self.app, path, cookie=cookie), "Library")

    def test_a_wrong_token_opens_nothing(self):
        token = self.app.token
        for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), token + "%00", f"x&token={token}"):
            with self.subTest(token=wrong):
                self.refused(raw.ask(self.app, f"/?token={wrong}"))
        self.refused(raw.ask(self.app, f"/?token={token}", "POST", origin=self.learner.origin))

    def test_the_token_becomes_a_cookie_that_only_this_app_gets(self):
        name, *attributes = self.learner.set_cookie.split("; ")
        self.assertTrue(name.startswith(f"underway-{self.app.port}="))
        self.assertEqual(set(attributes), {"Path=/", "HttpOnly", "SameSite=Strict"})
        self.assertNotIn(self.app.token, name)
        reply = raw.ask(self.app, f"/library?token={self.app.token}")
        self.assertEqual((reply.status, reply.field("location")), (303, "/library"))

    def test_the_token_leads_to_no_other_host(self):
        for path in ("//evil.example/", "/\\evil.example/", "//evil.example", "/\\\\evil.example", "///evil.example",
                     "http://evil.example/"):
            for cookie in (None, self.learner.cookie):
                with self.subTest(path=path, cookie=cookie):
                    reply = raw.ask(self.app, f"{path}?token={self.app.token}", cookie=cookie)
                    self.assertNotIn("evil", reply.field("location"))

    def test_a_rebound_name_gets_nothing(self):
        port = self.app.port
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1", "localhost",
                     f"127.0.0.1:{port}", f"localhost:{port}", f"x.{self.app.host}", f"{self.app.host}.evil.example",
                     f"127.0.0.1:{port + 1}", f"localhost.:{port}", f"[::1]:{port}", f"127.0.0.1:{port}@evil.example",
                     f"0.0.0.0:{port}", f"2130706433:{port}", ""):
            for path in ("/", f"/?token={self.app.token}", "/files/study.css"):
                with self.subTest(host=host, path=path):
                    self.refused(self.learner.get(path, host=host), "Library")

    def test_no_other_site_sends_a_form(self):
        secret = self.learner.secret()
        port = self.app.port
        for fields in ({"origin": None}, {"origin": "null"}, {"origin": "http://evil.example"},
                       {"origin": f"https://{self.app.host}"}, {"origin": f"http://127.0.0.1:{port}"}, {"origin": f"http://127.0.0.1:{port + 1}"},
                       {"origin": f"http://127.0.0.1:{port}.evil.example"}, {"origin": f"http://127.0.0.1:{port}/"},
                       {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}, {"sec_fetch_site": "none"}):
            for path in ("/session", "/nothing"):
                with self.subTest(path=path, **fields):
                    self.refused(self.learner.post(path, secret + "&mode=exam&bank=int/swift", **fields))
        self.assertNotIn("/session/", self.learner.get("/").text)

    def test_a_form_needs_its_secret(self):
        good = self.learner.secret()
        name, value = good.split("=")
        form = "&mode=exam&bank=int/swift"
        for secret in ("", f"{name}=", f"{name}={value[:-1]}", f"{name}={self.app.token}", f"x={value}",
                       f"{name}=x&{good}"):
            with self.subTest(secret=secret):
                reply = self.learner.post("/session", secret + form)
                self.assertEqual(reply.status, 403)
                self.bound(reply)
        self.assertNotIn("/session/", self.learner.get("/").text)

    def test_forms_change_nothing_by_get(self):
        for path in ("/session", "/session/x/finish", "/sync"):
            with self.subTest(path=path):
                self.assertIn(self.learner.get(f"{path}?{self.learner.secret()}&mode=exam&bank=int/swift").status, (404, 405))
        self.assertNotIn("/session/", self.learner.get("/").text)

    def bound(self, reply):
        """The reply may run nothing, be framed by nobody, and stays nowhere."""
        policy = set(reply.field("content-security-policy").split("; "))
        self.assertLessEqual(POLICY, policy)
        self.assertFalse([each for each in policy if "unsafe" in each or "*" in each or "http" in each])
        self.assertEqual(reply.field("x-content-type-options"), "nosniff")
        self.assertEqual(reply.field("referrer-policy"), "same-origin")
        self.assertEqual(reply.field("cross-origin-opener-policy"), "same-origin")
        self.assertEqual(reply.field("cross-origin-resource-policy"), "same-origin")
        self.assertEqual(reply.field("access-control-allow-origin"), "")

    def test_each_reply_is_bound_to_its_origin(self):
        learner = self.learner
        for reply in (learner.get("/"), learner.get("/library"), learner.get("/nothing"), learner.get("/session/x"),
                      raw.ask(self.app), learner.get(host="evil.example"),
                      learner.post("/session", "csrf=wrong"), learner.post("/session", learner.secret()),
                      learner.post("/session", learner.secret() + "&mode=exam&bank=int/none"),
                      learner.post("/library", learner.secret()), learner.get("/files/none.css"),
                      raw.ask(self.app, f"/?token={self.app.token}")):
            with self.subTest(status=reply.status, text=reply.text[:60]):
                self.bound(reply)
                self.assertEqual(reply.field("cache-control"), "no-store")

    def test_a_long_form_is_refused_and_the_app_goes_on(self):
        reply = self.learner.post("/session", self.learner.secret() + "&x=" + "a" * 70_000)
        self.assertEqual(reply.status, 413)
        self.bound(reply)
        self.assertEqual(self.learner.get("/").status, 200)

    def test_a_strangers_body_is_not_read(self):
        head = (f"POST /session HTTP/1.1\r\nHost: {self.app.host}\r\nOrigin: {self.learner.origin}\r\n"
                "Content-Length: 1000000000\r\n\r\n")
        self.refused(raw.send(self.app.port, head.encode() + b"a=b", seconds=5))

    def test_odd_requests_get_a_short_refusal(self):
        learner = self.learner
        for path in ("/files/../../etc/passwd", "/files/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/files/..%5c..%5cetc%5cpasswd",
                     "/library/..%2f..", "/library/%00", "/library/%ff%fe", "/library/a/b/c", "/session/%2e%2e/1",
                     "/session/x/0", "/session/x/-1", "/session/x/99999999999999999999", "/session/'%20OR%201=1--/1",
                     "/" + "a" * 5000, "/library/" + "%F0%9F%98%80" * 200, "/session/" + "a/" * 100):
            with self.subTest(path=path[:60]):
                reply = learner.get(path)
                self.assertIn(reply.status, (400, 404))
                self.assertNotIn("root:", reply.text)
        for query in ("a" * 50_000, "%D8%80" * 3000, "%", "%zz", "&&&===", "q[]=1", "q=1&q=2"):
            with self.subTest(query=query[:20]):
                self.assertIn(learner.get(f"/library?q={query}").status, (200, 400, 414, 431))
        self.assertEqual(learner.get("/").status, 200)

    def test_no_header_is_smuggled_into_a_reply(self):
        for path in ("/library%0d%0aSet-Cookie:%20a=b", "/%0d%0aLocation:%20http://evil.example"):
            reply = raw.ask(self.app, f"{path}?token={self.app.token}")
            self.assertEqual(len(reply.fields.get("location", [])), 1)
            self.assertNotIn("a=b", reply.field("set-cookie"))

    def test_a_request_with_two_meanings_gets_nothing(self):
        own = f"Host: {self.app.host}\r\nCookie: {self.learner.cookie}\r\n"
        for head in ("GET / HTTP/1.1\r\n\r\n", f"GET / HTTP/1.1\r\nHost: evil.example\r\n{own}\r\n",
                     f"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                     f"POST /session HTTP/1.1\r\n{own}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     "\x16\x03\x01\x02\x00\x01\r\n\r\n"):
            with self.subTest(head=head[:60]):
                self.assertIn(raw.send(self.app.port, head.encode("latin-1"), seconds=5).status, (0, 400, 403))

    def test_only_the_loopback_is_listened_to(self):
        # Linux lists listening sockets by address in hexadecimal; state 0A is LISTEN.
        ports = [line.split()[1].split(":") for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
                 if line.split()[3] == "0A"]
        addresses = {address for address, port in ports if int(port, 16) == self.app.port}
        self.assertEqual(addresses, {"0100007F"})

    def test_each_start_has_secrets_of_its_own(self):
        other = program.App(self.content)
        self.addCleanup(other.stop)
        self.assertNotEqual(other.token, self.app.token)
        self.refused(raw.ask(other, f"/?token={self.app.token}"))
        value = self.learner.cookie.split("=")[1]
        self.refused(raw.ask(other, cookie=f"underway-{other.port}={value}"))


if __name__ == "__main__":
    unittest.main()
