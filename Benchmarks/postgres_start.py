"""Starts and memory of the program with libpq linked."""

import os
import re
import resource
import shutil
import statistics as numbers
import subprocess
import time

from common import table
from postgres_servers import Underway, resident_megabytes

ROUNDS = 21


def median_start(command):
    """The median time of a start, and its processor time, which a busy machine changes less."""
    times, processor = [], []
    for _ in range(ROUNDS):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - begin)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return [f"{1000 * numbers.median(column):.1f} ms" for column in (times, processor)]


def libraries(program):
    """The paths of the libraries that a program names itself, and the number of all that are loaded for it."""
    named = re.findall(r"NEEDED\s+(\S+)", subprocess.run(
        ["objdump", "-p", program], check=True, stdout=subprocess.PIPE, text=True).stdout)
    loaded = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    paths = dict(re.findall(r"^\s*(\S+) => (\S+)", loaded, re.MULTILINE))
    return [paths[name] for name in named if name in paths], len(loaded.splitlines())


def empty_program(bench, name, named):
    """An empty program in C that loads these libraries."""
    source = f"{bench.work}/empty.c"
    with open(source, "w") as file:
        file.write("int main(void) { return 0; }\n")
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return None
    program = f"{bench.work}/{name}"
    folders = {f"-Wl,-rpath,{os.path.dirname(path)}" for path in named}
    subprocess.run([compiler, source, "-o", program, "-Wl,--no-as-needed", *named, *folders], check=True)
    return program


def serving(bench, folder, database=None):
    """Milliseconds from the start to ready, and memory then."""
    times, memory = [], []
    for _ in range(5):
        begin = time.monotonic()
        server = Underway(bench.work, bench.tool, bench.release, [folder], database)
        times.append(time.monotonic() - begin)
        memory.append(resident_megabytes(server.pids()[0]))
        server.stop()
    return numbers.median(times), numbers.median(memory)


def section(bench):
    named, count = libraries(bench.tool)
    with_all = empty_program(bench, "with-libpq", named)
    rows = [["underway --version", *median_start([bench.tool, "--version"]), count]]
    if with_all:
        without = empty_program(bench, "without-libpq", [one for one in named if "/libpq.so" not in one])
        bare = empty_program(bench, "no-library", [])
        for name, program in (("an empty program in C with the same libraries", with_all),
                              ("the same without libpq", without), ("an empty program in C", bare)):
            rows.append([name, *median_start([program]), libraries(program)[1]])
    table(f"Start, median of {ROUNDS}", ["", "time", "processor", "shared libraries"], rows)
    rows = []
    for name, folder, database in (
            ("content alone", None, None), ("with users on SQLite", bench.sqlite_folder, None),
            ("with users on PostgreSQL", bench.folders[0], bench.postgres.address("underway_server"))):
        seconds, memory = serving(bench, folder, database)
        rows.append([name, f"{1000 * seconds:.0f} ms", f"{memory:.0f} MB"])
    table("underway serve, until it is ready, median of 5", ["", "time", "resident memory"], rows)
