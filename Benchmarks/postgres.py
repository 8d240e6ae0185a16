"""The benchmark of PostgreSQL: our server on it against SQLite, COPY and itself without a part.

Usage: postgres.py <underway> [start|ingest|exchanges|devices|changes]...
Everything runs on this machine, with real disks, on ports of the loopback and in a temporary folder.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time

import postgres_changes
import postgres_estimate
import postgres_exchanges
import postgres_ingest
import postgres_start
from postgres_servers import Postgres, Underway, stop_all

SECTIONS = {
    "start": postgres_start.section, "ingest": postgres_ingest.section, "exchanges": postgres_exchanges.section,
    "devices": postgres_exchanges.section_devices, "changes": postgres_changes.section}


class Bench:
    """What the sections share: the servers, the release, and the figures that the estimate needs."""

    def __init__(self, tool, work):
        self.tool, self.work = tool, work
        self.results, self.heavy = {}, {}
        self.content, self.release = f"{work}/content", f"{work}/release"
        postgres_changes.make_content(self)
        self.postgres = Postgres(work)
        self.postgres.migrate(tool)
        self.folders = [tempfile.mkdtemp(dir=work) for _ in range(4)]
        self.sqlite_folder = tempfile.mkdtemp(dir=work)

    def serve(self, processes=1, connections=8, pooler=None, prepared=False):
        address = self.postgres.address("underway_server", pooler and pooler.port)
        return Underway(self.work, self.tool, self.release, self.folders[:processes], address, connections, prepared)

    def serve_sqlite(self):
        return Underway(self.work, self.tool, self.release, [self.sqlite_folder])


def main(tool, sections):
    work, failed = tempfile.mkdtemp(prefix="underway-postgres-"), []
    # PostgreSQL runs as another user, whose folder is in this one.
    os.chmod(work, 0o711)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        bench = Bench(os.path.abspath(tool), work)
        for name in sections:
            begin = time.monotonic()
            try:
                SECTIONS[name](bench)
                print(f"  ({name}: {time.monotonic() - begin:.0f} s)", flush=True)
            except (Exception, SystemExit) as error:
                if isinstance(error, SystemExit) and isinstance(error.code, int):
                    raise
                failed.append(name)
                print(f"\n{name} failed: {error}", flush=True)
                stop_all(but=bench.postgres.process)
        postgres_estimate.section(bench)
        if failed:
            raise SystemExit(f"Sections that failed: {', '.join(failed)}")
    except BaseException:
        for name in ("underway", "postgres", "pgbouncer"):
            if os.path.exists(f"{work}/{name}.log"):
                with open(f"{work}/{name}.log", errors="replace") as file:
                    print(f"{name}.log: {file.read()[-1500:]}", file=sys.stderr)
        raise
    finally:
        stop_all()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    random.seed(1)
    main(sys.argv[1], sys.argv[2:] or list(SECTIONS))
