"""Measures each route at n and at 4n. Usage: costs.py prints the table of docs/costs.md."""

import sys
import time

from routes import Scene, routes
from world import SIZES, Account, World

#: The most that four times the size may cost, and what counts as nothing: a thousandth of a second of a debug build.
FACTOR_MAX, NOTHING_SECONDS = 5, 0.003


class Cost:
    """The least that one request cost of several."""

    def __init__(self, processor, wall, sent, received, written):
        self.processor, self.wall = processor, wall
        self.sent, self.received, self.written = sent, received, written


def measure(world, scene, route, index):
    costs = []
    for _ in range(route.repeats):
        processor, written, sent, start = world.processor, world.written, world.sent, time.monotonic()
        reply = route.request(scene, index)
        if reply.status >= 500 or reply.status == 429:
            raise RuntimeError(f"{reply.status} {reply.body[:300]}")
        costs.append(Cost(
            world.processor - processor, time.monotonic() - start, world.sent - sent, len(reply.body),
            world.written - written))
    return Cost(*(min(getattr(cost, name) for cost in costs)
                  for name in ("processor", "wall", "sent", "received", "written")))


def operations(world):
    """The id, method and path of each route of the description that the server gives."""
    paths = world.expect("GET", "/api/openapi.json").json["paths"]
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in paths.items() for method, operation in methods.items() if "operationId" in operation}


class Measurements:
    """All routes, measured once."""

    def __init__(self):
        self.world = World()
        try:
            self.scene = Scene(self.world, Account, SIZES)
            self.routes = routes(self.scene)
            self.operations = operations(self.world)
            self.costs = {}
            # What ends something comes last.
            for name, route in sorted(self.routes.items(), key=lambda item: item[1].repeats, reverse=True):
                try:
                    self.costs[name] = [measure(self.world, self.scene, route, index) for index in range(2)]
                except (RuntimeError, OSError) as error:
                    raise RuntimeError(f"{name}: {error}") from error
        except BaseException:
            self.world.close()
            raise

    def growing(self):
        """The rows that cost more than they may."""
        return {
            name: (one.processor, four.processor) for name, (one, four) in self.costs.items()
            if four.processor > FACTOR_MAX * one.processor + NOTHING_SECONDS}

    def table(self):
        def pair(one, four, text):
            return f"{text(one)} / {text(four)}"

        def milliseconds(seconds):
            return f"{seconds * 1000:.1f}"

        def size(count):
            return str(count) if count < 10_000 else f"{count / 1000:.0f} k"

        lines = ["| route | grows with | processor, ms | wall, ms | bytes in | bytes out | bytes to the disk"
                 " | the account pays | the address pays |", "|---|---|---|---|---|---|---|---|---|"]
        for name, route in self.routes.items():
            method, path = self.operations[name.split(":")[0]]
            note = f" ({name.split(': ')[1]})" if ":" in name else ""
            one, four = self.costs[name]
            lines.append(" | ".join([
                f"| `{method} {path}`{note}", route.grows, pair(one.processor, four.processor, milliseconds),
                pair(one.wall, four.wall, milliseconds), pair(one.sent, four.sent, size),
                pair(one.received, four.received, size), pair(one.written, four.written, size),
                route.account, route.address]) + " |")
        return "\n".join(lines)


if __name__ == "__main__":
    measurements = Measurements()
    measurements.world.close()
    print(measurements.table())
    if measurements.growing():
        sys.exit(f"grow faster than their size: {measurements.growing()}")
