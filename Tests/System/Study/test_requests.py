"""Requests that no page makes: hostile texts as every parameter of an address and as every field of a form. The app
answers each with a page of its own, refuses what it does not know, and never fails."""

import contextlib
import os
import socket
import unittest
import urllib.parse

import browser
import hostile
import program
import raw

# Longer than any field, of one character, of joined emoji, and with what bidirectional text turns around.
LONG = ["x" * 4000, "👩‍👩‍👧‍👦" * 400, "\u202e\u2066" * 500 + "abc", "%", "%00", "..", "../../etc/passwd", "\x00", "-1", "9" * 40, "١٢٣", "",
        *(f"{turn}{number}" for turn in ("", "up:", "down:") for number in (-2**63, 2**63 - 1, 0, -1))]
TEXTS = hostile.CORPUS + LONG
# script/nightly sends each text to each address; here each text goes to every third address.
STEP = 1 if os.environ.get("UNDERWAY_STUDY_LOOKS") == "all" else 3
ADDRESSES = ["/session/{}", "/session/{}/1", "/session/1/{}", "/session/{}/result", "/session/{}/review", "/session/{}/overview",
             "/library/{}", "/library/int/{}", "/library?q={}", "/?q={}", "/library/int/swift?part={}", "/library/int/swift?question={}",
             "/library/int/swift?part=sessions&page={}", "/library/int/swift?part=questions&q={}",
             "/library/int/swift?part=questions&show={}", "/library/int/swift?part=questions&page={}", "/progress?subject={}", "/settings/learning?bank={}", "/bookings?exam={}", "/boards/{}", "/boards/swift?period={}", "/events/{}", "/updates?page={}",
             "/inbox/conflicts/{}", "/inbox/conflicts/reservations%2F{}", "/inbox/conflicts/{}%2Fa?edit=1", "/inbox/messages/{}",
             "/inbox/messages/{}/open", "/inbox/messages/{}/picture", "/files/{}", "/media/{}", "/{}"]
FORMS = {"/session": ("bank", "mode", "domain", "tag"), "/session/{0}/1": ("choice", "number", "rating", "order", "move", "flag"),
         "/favourites": ("question", "bank", "undo"), "/favourites/study": ("bank",), "/library/study": ("bank", "topic"),
         "/notes": ("bank", "question", "note", "session", "number", "undo"), "/aside": ("bank", "question", "aside", "session", "number"), "/settings": ("theme", "language", "rates", "keys"),
         "/settings/files": ("bank",), 
         "/settings/learning": ("bank", "newPerDay", "retention", "rolloverHour", "day", "reset", "priced", "optimise"), "/bookings": ("action", "exam", "day", "time", "undo"), "/settings/boards": ("action", "name"), "/events/{0}": ("round",), "/inbox/again": ("client", "counter"),
         "/inbox/dismiss": ("client", "counter"), "/inbox/conflicts/reservations%2F{0}": ("decision", "shown", "field:note"),
         "/inbox/messages/{0}": ("choice",), "/account/sign-in": ("email", "password", "bring"), "/account/create": ("email", "password"),
         "/account/sign-out": ("choice",), "/account/delete": ("name",)}


class Requests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.content = program.Content()
        cls.addClassCleanup(cls.content.end)
        cls.server = program.Server(cls.content)
        cls.addClassCleanup(cls.server.stop)
        cls.app = program.App(cls.content, cls.server)
        cls.addClassCleanup(cls.app.stop)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        window = cls.browser.page(cls.app.entrance, may_fail=True)
        cls.window = window.__enter__()
        cls.addClassCleanup(window.__exit__, None, None, None)

    def look(self, replies):
        """The replies' pages, by what was asked: no failure, and nothing in them but what pages are made of."""
        failed = [(asked, reply.status) for asked, reply in replies if not 200 <= reply.status < 500]
        self.assertEqual(failed, [])
        pages = [reply.text for _, reply in replies if reply.field("content-type").startswith("text/html")]
        self.assertGreater(len(pages), 0)
        self.assertEqual(hostile.faults(self.window, pages), [])

    def test_what_is_strange_is_found(self):
        for text in ("<p onclick=alert(1)>", "<iframe></iframe>", "<p style='color:red'>", "<a href=javascript:alert(1)>x</a>",
                     "<script>alert(1)</script>", "<script src=//evil.example/files/x.js></script>", "<base href=/>"):
            with self.subTest(text=text):
                self.assertNotEqual(hostile.faults(self.window, [text]), [])

    def test_every_parameter_of_an_address(self):
        one = raw.Learner(self.app)
        for place, address in enumerate(ADDRESSES):
            with self.subTest(address=address):
                self.look([(text[:40], one.get(address.format(urllib.parse.quote(text, safe="")))) for text in TEXTS[place % STEP::STEP]]
                          + [("a page", one.get("/library"))])

    def test_every_field_of_a_form(self):
        one = raw.Learner(self.app)
        secret = one.secret()
        for place, (address, fields) in enumerate(FORMS.items()):
            with self.subTest(address=address):
                replies = []
                for text in TEXTS[place % STEP::STEP]:
                    body = secret + "&" + urllib.parse.urlencode({field: text for field in fields})
                    replies.append((text[:40], one.post(address.format(urllib.parse.quote(text, safe="")), body)))
                self.look(replies + [("a page", one.get("/library"))])

    def test_connections_that_say_nothing_lose_their_place(self):
        """More than the app takes at once: silent ones, half a head, half a body, and ones that were answered."""
        fields = f"Host: {self.app.host}\r\n"
        beginnings = ("", "GET / HTTP/1.1\r\nHo", f"POST /session HTTP/1.1\r\n{fields}Content-Length: 100\r\n\r\nbank=",
                      f"GET / HTTP/1.1\r\n{fields}\r\n")
        with contextlib.ExitStack() as lines:
            for number in range(220):
                line = lines.enter_context(socket.create_connection(("127.0.0.1", self.app.port), timeout=10))
                line.sendall(beginnings[number % len(beginnings)].encode())
            request = f"GET / HTTP/1.1\r\n{fields}Connection: close\r\n\r\n".encode()
            self.assertEqual(raw.send(self.app.port, request, seconds=40).status, 403)

    def test_a_name_that_was_typed_wrongly_stays_text(self):
        """What a form says back is what was typed, in its field."""
        one = raw.Learner(self.app)
        secret = one.secret()
        for text in hostile.CORPUS:
            body = secret + "&" + urllib.parse.urlencode({"email": text, "password": "x" * 12, "bring": "nothing"})
            reply = one.post("/account/sign-in", body)
            with self.subTest(text=text):
                self.assertEqual(reply.status, 422)
                self.look([(text, reply)])


if __name__ == "__main__":
    unittest.main()
