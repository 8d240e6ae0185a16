"""Users with a device each, and the exchanges that these make."""

import concurrent.futures
import gzip
import http.client
import json
import random
import time

QUESTIONS, DOMAINS, VARIANTS = 1_000, 8, 16
EXCHANGE = "/api/sync/v1/exchange"


def call(connection, method, path, body=b"", headers={}):
    connection.request(method, path, body=body, headers=headers)
    response = connection.getresponse()
    data = response.read()
    if response.status >= 300:
        raise SystemExit(f"{method} {path}: {response.status} {data[:300]}")
    return data


class Device:
    """A user's only device, with the numbers of its protocol."""

    def __init__(self, port, number):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        # Each from an address of its own: addresses have a rate of new accounts.
        self.origin = {"X-Forwarded-For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"}
        reply = json.loads(call(connection, "POST", "/api/accounts/v1/anonymous", headers=self.origin))
        self.user = reply["user"]
        self.take(reply)
        self.id = f"{self.user}-d"
        self.request = self.answers = self.operations = self.position = 0
        self.at = 1_700_000_000_000
        self.epoch = None
        first = json.loads(call(connection, "POST", EXCHANGE, self.body(0), self.headers))
        self.epoch = first["epoch"]
        connection.close()

    def take(self, tokens):
        self.token, self.refresh_token = tokens["access_token"], tokens["refresh_token"]
        self.renew_at = time.monotonic() + 300
        self.headers = {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
            "Content-Encoding": "gzip"}

    def renew(self, connection):
        """Renews the access token, which lasts ten minutes, when half of that is over."""
        if time.monotonic() > self.renew_at:
            body = json.dumps({"refresh_token": self.refresh_token})
            headers = self.origin | {"Content-Type": "application/json"}
            self.take(json.loads(call(connection, "POST", "/api/accounts/v1/refresh", body, headers)))

    def body(self, rows, with_operation=False):
        """The compressed body of the next exchange."""
        self.request += 1
        body = {"version": 1, "user": self.user, "client": self.id, "request": self.request}
        if self.epoch:
            body |= {"epoch": self.epoch, "cursor": self.position}
        if with_operation:
            self.operations += 1
            self.position += 1
            body["processedBefore"] = self.operations
            body["operations"] = [{
                "n": self.operations, "collection": "favourites", "id": f"q-{self.operations}",
                "time": [self.at, 0], "put": {"bank": "int/swift", "note": "again"}}]
        text = json.dumps(body)
        if rows:
            first, self.answers = self.answers + 1, self.answers + rows
            run = self.run(first, rows)
            text = f'{text[:-1]}, "held": {{"{self.id}": {self.answers}}}, "answers": [{run}]}}'
        return gzip.compress(text.encode(), 6)

    def run(self, first, rows):
        columns, seconds = random.choice(variants(rows))
        begin, self.at = self.at, self.at + seconds * 1000
        sessions = json.dumps([part for start in range(0, rows, 20)
                               for part in (f"s{first + start}", min(20, rows - start))])
        return (f'{{"client": "{self.id}", "first": {first}, "count": {rows}, "session": {sessions}, '
                f'"date": [{begin}, {columns}}}')

    def message(self, rows, with_operation):
        body = self.body(rows, with_operation)
        head = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        return f"POST {EXCHANGE} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def variants(rows, made={}):
    """Columns of runs of so many answers, and the seconds that each run spans."""
    if rows not in made:
        made[rows] = [columns(rows) for _ in range(VARIANTS if rows < 1000 else 4)]
    return made[rows]


def columns(rows):
    numbers = [random.randrange(QUESTIONS) for _ in range(rows)]
    names = sorted(set(numbers))
    places = {number: place for place, number in enumerate(names)}
    gaps = [random.randrange(5, 40) for _ in range(rows - 1)]
    values = {
        "bank": ["int/swift", rows], "mode": ["study", rows],
        "question": {
            "names": [[f"swift-{number}", "9f3a61c2", f"domain-{number % DOMAINS}"] for number in names],
            "at": [places[number] for number in numbers]},
        "options": {"names": [["a"], ["b"], ["c"], ["d"]], "at": [random.randrange(4) for _ in range(rows)]},
        "correct": "".join(random.choice("0111") for _ in range(rows)), "random": "0" * rows,
        "taken": [random.randrange(1_000, 60_000) for _ in range(rows)],
        "exposures": [random.randrange(5) for _ in range(rows)]}
    gap_text = ", ".join(str(1000 * gap) for gap in gaps)
    return f"{gap_text}], {json.dumps(values)[1:-1]}", sum(gaps) + 20


def devices(ports, count, offset=0):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda number: Device(ports[number % len(ports)], offset + number), range(count)))
