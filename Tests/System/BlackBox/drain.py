"""A client that talks to one process while that is asked to end: it must reply to all that it has begun."""

import http.client
import json
import socket
import time

from programs import await_true, listens
from rows import dump_of_export

ACCOUNT, FOLDER = "drains", "drains.api"
HALF, WHOLE = 4, 4
# Access tokens last ten minutes.
TOKEN_SECONDS_MAX = 400


class Request:
    """A write on a connection of its own, sent in two parts."""

    def __init__(self, port, token, name):
        body = json.dumps({"fields": {"text": name}})
        head = (
            f"PUT /api/v1/collections/notes/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
        self.name, self.port = name, port
        self.rest = body[8:].encode()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.sendall((head + body[:8]).encode())

    def is_begun(self):
        """True once the process has read all that was sent, so that nothing is in the system's queues."""
        own = self.socket.getsockname()[1]
        with open("/proc/net/tcp", encoding="ascii") as table:
            for line in table:
                _, local, remote, state, queues, *_ = line.split()
                if local.endswith(f":{self.port:04X}") and remote.endswith(f":{own:04X}"):
                    return state == "01" and queues.endswith(":00000000")
        return False

    def send_rest(self):
        self.socket.sendall(self.rest)
        self.rest = b""

    def status(self):
        """The status of the reply; None when the connection ended without one."""
        try:
            if self.rest:
                self.send_rest()
            reply = http.client.HTTPResponse(self.socket)
            reply.begin()
            reply.read()
            return reply.status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            self.socket.close()


def judge(history, request):
    """Writes down what became of a request that had begun."""
    status = request.status()
    history.count("drainedRequests")
    if status is None:
        history.note(
            "undrained", account=ACCOUNT, why=f"no reply to {request.name}, which had begun")
    elif status < 300:
        history.note("stored", w=request.name)
    else:
        history.count("drainedRefusals")


class Drain:
    def __init__(self, history, port):
        self.history, self.port, self.writes = history, port, 0
        history.note("folder", account=ACCOUNT, folder=FOLDER)
        self.take(self.call("POST", "/api/accounts/v1/anonymous"))

    def take(self, tokens):
        self.tokens, self.taken_at = tokens, time.monotonic()

    def call(self, method, path, body=None, token=None):
        """A request through nginx."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection.request(method, path, json.dumps(body) if body else None, headers)
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        if reply.status >= 300:
            raise RuntimeError(f"{method} {path}: {reply.status} {text[:300]}")
        return json.loads(text)

    def renew(self):
        if time.monotonic() - self.taken_at > TOKEN_SECONDS_MAX:
            self.take(self.call(
                "POST", "/api/accounts/v1/refresh",
                {"refresh_token": self.tokens["refresh_token"]}))

    def play(self, serving, chance):
        """Asks a process to end that has read half of some requests and all of others."""
        self.renew()
        requests = [self.begin(serving) for _ in range(HALF + WHOLE)]
        await_true(lambda: all(request.is_begun() for request in requests), "requests that began")
        for request in chance.sample(requests, WHOLE):
            request.send_rest()
        serving.terminate()
        await_true(lambda: not listens(serving.port), "a server that takes nothing more")
        self.history.count("drains")
        for request in requests:
            judge(self.history, request)
        code = serving.ended()
        if code != 0:
            self.history.note("undrained", account=ACCOUNT, why=f"the server ended with {code}")
        serving.start()

    def begin(self, serving):
        self.writes += 1
        name = f"{ACCOUNT}w{self.writes}"
        self.history.note("try", w=name, account=ACCOUNT, folder=FOLDER, collection="notes",
                          record=name, saw=None)
        return Request(serving.port, self.tokens["access_token"], name)

    def finish(self, server):
        self.renew()
        export = self.call(
            "GET", "/api/accounts/v1/export", token=self.tokens["access_token"])
        views = {FOLDER: dump_of_export(export),
                 f"{ACCOUNT}.rows": server.rows(self.tokens["user"])}
        for folder, dump in views.items():
            self.history.note("final", account=ACCOUNT, folder=folder, dump=dump)
