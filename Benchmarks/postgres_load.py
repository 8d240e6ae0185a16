"""Sends the exchanges of devices, and counts what the server took of them."""

import concurrent.futures
import http.client
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time

from postgres_devices import EXCHANGE, call
from postgres_servers import processor_seconds

LUA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "postgres_exchange.lua")


class Store:
    """What the database has: the count of answers, and how far each device came."""

    def __init__(self, postgres=None, folder=None):
        self.postgres, self.folder = postgres, folder

    def rows(self, on_postgres, on_sqlite):
        if self.postgres:
            text = self.postgres.sql(f"select json_agg(r) from (select {on_postgres}) r")
            return [tuple(row.values()) for row in json.loads(text or "[]") or []]
        connection = sqlite3.connect(f"file:{self.folder}/users.sqlite?mode=ro", uri=True)
        try:
            return connection.execute(f"select {on_sqlite}").fetchall()
        finally:
            connection.close()

    def answers(self):
        return self.rows(
            "sum(answer_count)::bigint as n from underway.account", "sum(answer_count) from account")[0][0] or 0

    def catch_up(self, all_devices):
        """Sets devices back to what the server took: requests in flight at the end may have got lost."""
        rows = self.rows(
            "d.name, d.last_answer, d.request_number, a.position from underway.device d"
            " join underway.account a on a.number = d.account",
            "d.name, d.last_answer, d.request_number, a.position from device d"
            " join account a on a.number = d.account")
        known = {row[0]: row[1:] for row in rows}
        for device in all_devices:
            device.answers, device.request, device.position = known[device.id]
            device.operations = device.position

    def settled_answers(self):
        """The count of answers once no request is under way any more."""
        before = -1
        while (now := self.answers()) != before:
            before = now
            time.sleep(0.1)
        return now


def drive(work, store, ports, all_devices, rows, seconds, connections, requests, with_operation=False, pause=0,
          during=None, roots=()):
    """Sends exchanges with wrk for some seconds, one thread of it for each port.

    `roots` are lists of processes; the result has the processor time of each. When the prepared requests
    were too few, all is done again with twice as many. With a pause, replies that say "busy" and lost ones are counted.
    """
    connection = http.client.HTTPConnection("127.0.0.1", ports[0])
    for device in all_devices:
        device.renew(connection)
    connection.close()
    plan, sent = tempfile.mkdtemp(dir=work), 0
    for thread in range(len(ports)):
        own = all_devices[thread::len(ports)]
        with open(f"{plan}/{thread + 1}", "wb") as file:
            for number in range(requests // len(ports)):
                message = own[number % len(own)].message(rows, with_operation)
                file.write(b"%d\n" % len(message) + message)
                sent += len(message)
    before = store.answers()
    begin = [processor_seconds(*pids) for pids in roots]
    process = subprocess.Popen(
        ["wrk", "-t", str(len(ports)), "-c", str(connections), "-d", f"{seconds}s", "--timeout", "20s",
         "-s", LUA, f"http://127.0.0.1:{ports[0]}"],
        env=dict(os.environ, PLAN=plan, PORTS=" ".join(map(str, ports)), PAUSE=str(pause),
                 CONNECTIONS=str(connections // len(ports))),
        stdout=subprocess.PIPE, text=True)
    while during and process.poll() is None:
        during()
    output = process.communicate()[0]
    end = [processor_seconds(*pids) for pids in roots]
    result = json.loads(next(line for line in output.splitlines() if line.startswith("RESULT "))[7:])
    result["up"], result["down"] = sent / requests, result["bytes"] / result["requests"]
    result["processor"] = [after - before for before, after in zip(begin, end)]
    result["rows"] = store.settled_answers() - before
    if result["missing"]:
        store.catch_up(all_devices)
        return drive(work, store, ports, all_devices, rows, seconds, connections, 2 * requests, with_operation, pause,
                     during, roots)
    # wrk ties no device to a connection: an exchange that overtakes the former one of its device counts for nothing.
    taken = result["requests"] - result["status"]
    if ((result["status"] or result["failed"]) and not pause) or result["rows"] < 0.99 * taken * rows:
        raise SystemExit(f"Not every exchange was taken: {result}")
    store.catch_up(all_devices)
    shutil.rmtree(plan)
    return result


def send_all(ports, messages, connections):
    """Sends requests of (device, body), each device's in order; returns the seconds of all and of each."""
    queues = {}
    for device, body in messages:
        queues.setdefault(device.id, []).append((device, body))
    lanes = [[] for _ in range(connections)]
    for number, queue in enumerate(queues.values()):
        lanes[number % connections].append(queue)

    def lane(queues):
        connection, times = http.client.HTTPConnection("127.0.0.1", ports[0]), []
        for turn in range(max(map(len, queues), default=0)):
            for queue in queues:
                if turn < len(queue):
                    begin = time.monotonic()
                    device, body = queue[turn]
                    reply = call(connection, "POST", EXCHANGE, body, device.headers)
                    times.append(time.monotonic() - begin)
                    if b'"staleDevice"' in reply or b'"full"' in reply:
                        raise SystemExit(f"An exchange was not taken: {reply[:300]}")
        return times

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(connections) as pool:
        times = [one for times in pool.map(lane, lanes) for one in times]
    return time.monotonic() - begin, times
