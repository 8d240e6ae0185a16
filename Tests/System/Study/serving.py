"""The parts on the loopback, with the policy of the real pages."""

import http.server
import pathlib
import threading
import urllib.parse

import templates

FILES = templates.ROOT / "Sources/Apps/PageRendering/Files"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
          "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")


class Handler(http.server.BaseHTTPRequestHandler):
    # HTTP/1.0: no connection outlives `stop`.

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        name = pathlib.PurePosixPath(address.path).name
        changes = dict(urllib.parse.parse_qsl(address.query))
        file = FILES / name
        if address.path.startswith("/files/") and file.suffix in TYPES and file.is_file():
            self.reply(200, file.read_bytes(), TYPES[file.suffix])
        elif name in templates.names():
            self.reply(200, templates.page(name, **changes).encode(), "text/html; charset=utf-8")
        else:
            self.reply(404, b"no such page", "text/plain")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.posts.append((self.path, body))
        self.send_response(303)
        self.send_header("Location", "/session-wrong")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def reply(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class Parts:
    """A server of the parts; `posts` are the forms that came, `stop` is the process's end."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.posts = []
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def posts(self):
        return self.server.posts

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
