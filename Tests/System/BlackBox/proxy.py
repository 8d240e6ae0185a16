"""A proxy that does to requests and replies what bad networks do."""

import http.client
import http.server
import random
import threading
import time

FAULTS = {
    "lostRequests": 0.06, "lostReplies": 0.10, "cutReplies": 0.06, "doubled": 0.08,
    "delayed": 0.15, "late": 0.05,
}
DELAY_SECONDS_MAX = 0.4
# A late request arrives after its sender has given it up.
LATE_SECONDS = (0.2, 2.0)
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive", "content-length", "host"}


class Proxy:
    """Forwards each request to the server, unless a fault comes first."""

    def __init__(self, history, seed):
        self.history = history
        self.upstream = None
        self.is_calm = True
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self):
                proxy.handle(self)

            do_POST = do_PUT = do_DELETE = do_GET

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self._server.server_address[1]

    def close(self):
        self._server.shutdown()

    def _chance(self, body):
        with self._lock:
            return body(self._random)

    def _fault(self, path):
        if self.is_calm:
            return None
        number = self._chance(lambda random: random.random())
        for name, probability in FAULTS.items():
            number -= probability
            if number < 0:
                # A late refresh looks like a stolen token, and would only end the session.
                return None if name == "late" and "exchange" not in path else name
        return None

    def forward(self, method, path, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=20)
        try:
            self.history.count("requests")
            connection.request(method, path, body=body, headers=headers)
            reply = connection.getresponse()
            if reply.status >= 500:
                self.history.count(f"replies{reply.status}")
            if reply.status == 500:
                self.history.note("internalError", request=f"{method} {path}")
            return reply.status, reply.getheaders(), reply.read()
        finally:
            connection.close()

    def handle(self, request):
        try:
            self._handle(request)
        except (OSError, http.client.HTTPException):
            # One of the sides was killed: the other sees a connection that ends.
            request.close_connection = True

    def _handle(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        headers = {
            name: value for name, value in request.headers.items()
            if name.lower() not in HOP_BY_HOP
        }
        # Each request from an address of its own, so that limits per address do not end the test.
        address = self._chance(lambda random: random.getrandbits(22))
        headers["X-Forwarded-For"] = f"10.{address >> 16}.{address >> 8 & 255}.{address & 255}"
        headers["Connection"] = "close"
        call = (request.command, request.path, headers, body)
        fault = self._fault(request.path)
        if fault:
            self.history.count(fault)
        if fault == "lostRequests":
            return
        if fault == "late":
            wait = self._chance(lambda random: random.uniform(*LATE_SECONDS))
            timer = threading.Timer(wait, self._quietly, [call])
            timer.daemon = True
            timer.start()
            return
        if fault == "delayed":
            time.sleep(self._chance(lambda random: random.uniform(0, DELAY_SECONDS_MAX)))
        if fault == "doubled":
            self.forward(*call)
        status, fields, reply = self.forward(*call)
        if fault == "lostReplies":
            return
        self._reply(request, status, fields, reply, cut=fault == "cutReplies")

    def _quietly(self, call):
        try:
            self.forward(*call)
        except (OSError, http.client.HTTPException):
            # Nobody waits for this reply.
            pass

    def _reply(self, request, status, fields, body, cut):
        head = [f"HTTP/1.1 {status} x"]
        head += [f"{name}: {value}" for name, value in fields if name.lower() not in HOP_BY_HOP]
        head += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
        if cut:
            body = body[: self._chance(lambda random: random.randrange(len(body) or 1))]
        request.wfile.write("\r\n".join(head).encode("latin-1") + body)
        request.wfile.flush()
        request.close_connection = True
