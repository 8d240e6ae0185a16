"""Requests as bytes on a socket, so that they may say what no browser would."""

import re
import socket


class Reply:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split(" ")[1]) if first else 0
        self.fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            self.fields.setdefault(name.lower(), []).append(value.strip())

    def field(self, name):
        return ", ".join(self.fields.get(name.lower(), []))

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")


def send(port, data, seconds=10):
    """The first reply to bytes; its status is 0 when the app closed the connection without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        try:
            line.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # The app may answer and close before it read everything.
        received = b""
        try:
            while not is_whole(received) and (more := line.recv(65536)):
                received += more
        except ConnectionResetError:
            pass
        return Reply(received)


def is_whole(received):
    """Whether a reply has ended by its own length; the app writes no reply in chunks."""
    head, end, body = received.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end and length) and len(body) >= int(length[1])


def ask(app, path="/", method="GET", body="", **fields):
    """The reply to a request; `host` is the app's own unless said, other fields by name with `_` for `-`."""
    fields = {"host": app.host, "connection": "close"} | fields
    if method not in ("GET", "HEAD"):
        fields = {"content_type": "application/x-www-form-urlencoded", "content_length": len(body.encode())} | fields
    lines = [f"{name.replace('_', '-').title()}: {value}" for name, value in fields.items() if value is not None]
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""])
    return send(app.port, head.encode("utf-8", "surrogateescape") + body.encode())


class Learner:
    """The one who opened the printed address: has the cookie and reads the secret of forms in pages."""

    def __init__(self, app):
        self.app = app
        reply = ask(app, f"/?token={app.token}")
        self.set_cookie = reply.field("set-cookie")
        self.cookie = self.set_cookie.split(";")[0]
        self.origin = app.address

    def get(self, path="/", **fields):
        return ask(self.app, path, cookie=self.cookie, **fields)

    def post(self, path, body="", **fields):
        return ask(self.app, path, "POST", body, **({"cookie": self.cookie, "origin": self.origin} | fields))

    def secret(self):
        """The hidden field that a form of the library's page has."""
        found = re.search(r'name="(csrf|_secret)" value="([^"]+)"', self.get("/library/int/swift").text)
        return f"{found[1]}={found[2]}"
