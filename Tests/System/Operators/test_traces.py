"""Traces: what a collector of OpenTelemetry gets from the server of the page, while it is there and when it comes back."""

import http.server
import json
import re
import shutil
import threading
import unittest
import urllib.request

from world import World, answers, await_true, end, get

KNOWN = "0af7651916cd43dd8448eb211c80319c"


class Collector:
    """Takes spans at a port, or refuses them for a while."""

    def __init__(self, port):
        self.spans, self.status = [], 200
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if collector.status == 200:
                    assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
                    for resource in body["resourceSpans"]:
                        for scope in resource["scopeSpans"]:
                            collector.spans += scope["spans"]
                self.send_response(collector.status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def named(self, name):
        return [span for span in self.spans if span["name"] == name]


def attributes(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


class Traces(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        shutil.copytree(self.world.here / "release", self.world.folder / "srv/content")
        self.server = f"http://127.0.0.1:{self.world.ports['server']}"

    def start(self):
        process = self.world.start("serve-with-traces")
        await_true(
            lambda: answers(self.world.ports["server"]) or process.poll() is not None, "the server")
        return process

    def account(self):
        reply = urllib.request.urlopen(
            urllib.request.Request(self.server + "/api/accounts/v1/anonymous", method="POST"))
        return {"Authorization": "Bearer " + json.loads(reply.read())["access_token"]}

    def test_a_request_continues_its_trace(self):
        process = self.start()
        sent = f"00-{KNOWN}-b7ad6b7169203331-01"
        ids = set()
        for field, continued in [
            (sent, True), (sent, True), (f"cc-{KNOWN}-b7ad6b7169203331-01-more", True), (sent.upper(), False),
            (sent.replace("00-", "ff-", 1), False), (f"00-{'0' * 32}-b7ad6b7169203331-01", False), ("x", False),
        ]:
            reply = get(self.server + "/health/live", {"traceparent": field})[1]["traceparent"]
            parts = re.fullmatch("00-([0-9a-f]{32})-([0-9a-f]{16})-0[01]", reply)
            self.assertEqual(parts[1] == KNOWN, continued, field)
            self.assertNotIn(parts[2], ids)
            ids.add(parts[2])
        self.assertIn(end(process), (0, -15))

    def test_a_collector_gets_spans_without_names_of_users(self):
        collector = Collector(self.world.numbers["4318"])
        self.addCleanup(collector.close)
        process = self.start()
        bearer = self.account()
        # Sent by a stranger, who does not decide what is recorded.
        status = get(self.server + "/api/v1/collections/favourites/secret-name", bearer)[0]
        self.assertEqual(status, 404)
        # What is left is sent at the end.
        self.assertIn(end(process), (0, -15))
        await_true(lambda: collector.named("GET /api/v1/collections/{collection}/{id}"), "the spans")
        (span,) = collector.named("GET /api/v1/collections/{collection}/{id}")
        self.assertEqual(attributes(span), {
            "http.request.method": "GET", "http.route": "/api/v1/collections/{collection}/{id}",
            "http.response.status_code": "404"})
        children = [one for one in collector.spans if one.get("parentSpanId") == span["spanId"]]
        self.assertEqual({one["name"] for one in children}, {"authenticate", "record"})
        for child in children:
            self.assertEqual(child["traceId"], span["traceId"])
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(child["startTimeUnixNano"]))
            self.assertLessEqual(int(child["endTimeUnixNano"]), int(span["endTimeUnixNano"]))
        text = json.dumps(collector.spans)
        for secret in ("secret-name", bearer["Authorization"][7:40]):
            self.assertNotIn(secret, text)

    def test_spans_wait_for_a_collector_that_is_away(self):
        process = self.start()
        self.account()
        numbers = f"http://127.0.0.1:{self.world.numbers['9464']}/metrics"

        def spans(state):
            text = urllib.request.urlopen(numbers).read().decode()
            return int(re.search(rf'underway_trace_spans{{state="{state}"}} (\d+)', text)[1])

        await_true(lambda: answers(self.world.numbers["9464"]), "the numbers")
        self.assertGreater(spans("queued"), 0)
        self.assertEqual(get(self.server + "/health/ready")[0], 200)
        collector = Collector(self.world.numbers["4318"])
        self.addCleanup(collector.close)
        await_true(lambda: collector.named("POST /api/accounts/v1/anonymous"), "the spans", 40)
        await_true(lambda: spans("exported") > 0, "the number")
        self.assertEqual((spans("failed"), spans("dropped")), (0, 0))
        self.assertIn(end(process), (0, -15))


if __name__ == "__main__":
    unittest.main()
