"""What `underway import` costs at n and at 4n questions, in each form beside a parser of Python that only reads the file.

Nothing is written: the command reads, decides the keys, checks each question and prints the ledger.
"""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from common import table

TOOL = os.path.abspath(sys.argv[1])
WORK = tempfile.mkdtemp(prefix="underway-imports-")
COUNTS = 5_000, 20_000
WORDS = "which means day never always word house green train seven open letter".split()


def questions(count):
    """Questions with five words, four options and a letter as key."""
    for number in range(count):
        words = [WORDS[(number // len(WORDS) ** place) % len(WORDS)] for place in range(5)]
        options = [f"{words[place]} {number % 97 + place}" for place in range(4)]
        yield f"{' '.join(words)} {number}?", options, number * 7 % 4


def as_json(count):
    return json.dumps([{"question": stem, "options": options, "answer": "ABCD"[key]} for stem, options, key in questions(count)])


def as_csv(count):
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["question", "A", "B", "C", "D", "answer"])
    rows.writerows([stem, *options, "ABCD"[key]] for stem, options, key in questions(count))
    return text.getvalue()


def as_gift(count):
    return "\n".join(
        stem + " {" + " ".join(("=" if place == key else "~") + text for place, text in enumerate(options)) + "}\n"
        for stem, options, key in questions(count))


def as_moodle(count):
    items = "".join(
        f'<question type="multichoice"><name><text>{stem}</text></name><questiontext format="plain_text"><text>{stem}</text></questiontext>'
        "<single>true</single>"
        + "".join(f'<answer fraction="{100 if place == key else 0}"><text>{text}</text></answer>' for place, text in enumerate(options))
        + "</question>" for stem, options, key in questions(count))
    return f"<quiz>{items}</quiz>"


def measured(*command):
    """The seconds, the processor time and the greatest memory in MB of a command; its output."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}: {text[:2000]}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


PARSERS = {
    "json": "import json, sys; json.load(open(sys.argv[1]))",
    "csv": "import csv, sys; list(csv.reader(open(sys.argv[1])))",
    "gift": "import sys; open(sys.argv[1]).read().split('\\n\\n')",
    "xml": "import sys, xml.etree.ElementTree as tree; tree.parse(sys.argv[1])",
}


def main():
    content = f"{WORK}/content"
    subprocess.run([TOOL, "init", content], check=True, stdout=subprocess.DEVNULL)
    rows = []
    for name, make in {"json": as_json, "csv": as_csv, "gift": as_gift, "xml": as_moodle}.items():
        for count in COUNTS:
            path = f"{WORK}/bank{count}.{name}"
            with open(path, "w", encoding="utf-8") as file:
                file.write(make(count))
            seconds, processor, memory, text = measured(TOOL, "import", path, "--into", f"{content}/exams/int/made")
            if f"found {count} = imported {count} + skipped 0" not in text:
                raise SystemExit(f"{path}: {text[:2000]}")
            _, parser, _, _ = measured(sys.executable, "-c", PARSERS[name], path)
            rows.append([
                name, f"{count:,}", f"{os.path.getsize(path) / 1e6:.1f} MB", f"{seconds:.2f} s", f"{processor:.2f} s",
                f"{memory:.0f} MB", f"{parser:.2f} s"])
    table("Imports", ["form", "questions", "file", "time", "processor", "memory", "Python parses only"], rows)


try:
    main()
finally:
    shutil.rmtree(WORK)
