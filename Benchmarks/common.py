"""What the benchmarks share: tables, ports, and a relay that counts what passes."""

import os
import queue
import re
import socket
import sqlite3
import sys
import threading
import time


def table(title, header, rows):
    """Prints a table; as in docs/benchmarks.md when MARKDOWN is set."""
    cells = [[str(cell) for cell in row] for row in [header] + rows]
    if os.environ.get("MARKDOWN"):
        lines = [f"| {' | '.join(row)} |" for row in cells]
        print("\n".join([f"\n{title}\n", lines[0], "|---" * len(header) + "|", *lines[1:]]), flush=True)
        return
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths))))
    sys.stdout.flush()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.01)
    raise SystemExit(f"nothing answers on port {port}")


def end_cooldown(store):
    """Lets the next sync ask, with the condition that a forced one leaves out."""
    with sqlite3.connect(f"{store}/content.sqlite") as database:
        database.execute(
            "UPDATE setting SET value = '1.0' || substr(value, instr(value, char(9))) WHERE name = 'schedule'"
        )
    database.close()


class Relay:
    """Passes bytes between a client and a server, and counts them and the requests.

    Each way takes `delay` seconds, as a line does, however much is on it.
    """

    def __init__(self, target, delay=0):
        self.target = target
        self.delay = delay
        self.reset()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def reset(self):
        self.up = self.down = self.requests = 0

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink, is_up in ((client, server, True), (server, client, False)):
                threading.Thread(target=self.pass_on, args=(source, sink, is_up), daemon=True).start()

    def send(self, later, sink):
        while (item := later.get())[1] is not None:
            time.sleep(max(0, item[0] - time.monotonic()))
            try:
                sink.sendall(item[1])
            except OSError:
                return

    def pass_on(self, source, sink, is_up):
        later = queue.Queue()
        sender = threading.Thread(target=self.send, args=(later, sink), daemon=True)
        sender.start()
        try:
            while data := source.recv(65536):
                if is_up:
                    self.up += len(data)
                    self.requests += len(re.findall(rb"(?:GET|POST|PUT) /\S* HTTP/1", data))
                else:
                    self.down += len(data)
                later.put((time.monotonic() + self.delay, data))
        except OSError:
            pass
        later.put((0, None))
        sender.join()
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
