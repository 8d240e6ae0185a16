"""The contract of docs/costs.md: what each route costs at n and at 4n, and who pays."""

import pathlib
import socket
import time
import unittest

from costs import Measurements
from world import Account

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/costs.md"


class Costs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measurements = Measurements()
        cls.addClassCleanup(cls.measurements.world.close)
        cls.world = cls.measurements.world

    def test_each_route_of_the_description_has_a_cost(self):
        self.assertEqual(
            {name.split(":")[0] for name in self.measurements.routes}, set(self.measurements.operations))

    def test_the_page_has_a_row_for_each_route(self):
        rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
        for method, path in self.measurements.operations.values():
            self.assertTrue(any(f"| `{method} {path}`" in row for row in rows), f"{method} {path} has no row in {PAGE}")
        for name, route in self.measurements.routes.items():
            method, path = self.measurements.operations[name.split(":")[0]]
            own = [row for row in rows if row.startswith(f"| `{method} {path}`")]
            self.assertTrue(
                any(row.rstrip(" |").endswith(f"{route.account} | {route.address}") for row in own),
                f"{name}: the page says otherwise who pays")

    def test_four_times_the_size_costs_at_most_five_times(self):
        self.assertEqual(self.measurements.growing(), {})

    def test_an_export_ends_with_its_client(self):
        account = Account(self.world)
        for _ in range(3):
            account.exchange(answers=account.run(10_000))
        before = self.world.processor
        whole = account.send("GET", "/api/accounts/v1/export").body
        self.assertEqual(whole.count(b'"takenMilliseconds"'), 30_000)
        full = self.settled() - before
        left = socket.socket()
        # What the system keeps for a reader is little, so that the server has to wait.
        left.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        left.connect(("127.0.0.1", self.world.port))
        before = self.world.processor
        left.sendall(
            f"GET /api/accounts/v1/export HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {account.token}\r\n"
            f"X-Forwarded-For: {self.world.new_address()}\r\n\r\n".encode())
        self.assertIn(b"200", left.recv(1000))
        left.close()
        self.assertLess(self.settled() - before, full / 2)
        self.assertEqual(account.send("GET", "/api/accounts/v1/export").body, whole)

    def settled(self):
        """The processor time of the server once it does no more than its upkeep."""
        end = time.monotonic() + 60
        last = self.world.processor
        while time.monotonic() < end:
            time.sleep(0.25)
            now = self.world.processor
            if now - last < 0.05:
                return now
            last = now
        self.fail("the server works on")


if __name__ == "__main__":
    unittest.main()
