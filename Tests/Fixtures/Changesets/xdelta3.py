#!/usr/bin/env python3
"""Writes xdelta3.json: windows that another implementation of RFC 3284 has encoded, for our decoder.

Usage: xdelta3.py [--seed N] > xdelta3.json          with Debian's xdelta3 3.0.11

Each pair of files is made by a seed: text as of a question bank, edited by words, moved, repeated, doubled or new, and
bytes. `xdelta3 -S none -n -A` writes one window without secondary compression, checksum and header of its own; what
stands before the lengths of section 4.3 is taken off, and the base is cut to the source segment that the window names.
"""
import argparse
import base64
import json
import random
import subprocess
import tempfile

WORDS = "which of these means Monday Tuesday key option stem {\"id\": ] correct , difficulty 2 text exam".split()


def text(chance, count):
    return " ".join(chance.choice(WORDS) + (str(chance.randrange(99)) if chance.random() < 0.2 else "")
                    for _ in range(count)).encode()


def edited(chance, base):
    kind = chance.randrange(7)
    target = bytearray(base)
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(target) + 1)
        end = min(len(target), place + chance.randrange(40))
        if kind == 0:
            target[place:end] = text(chance, 3)
        elif kind == 1:
            target = target[place:] + target[:place]
        elif kind == 2:
            target[place:place] = bytes([chance.randrange(256)]) * chance.randrange(1, 300)
        elif kind == 3:
            target[place:place] = target[place:end] * chance.randrange(2, 9)
        elif kind == 4:
            del target[place:end]
        elif kind == 5:
            target[place:place] = chance.randbytes(chance.randrange(60))
        else:
            target = bytearray(text(chance, chance.randrange(1, 60)))
    return bytes(target) or b"x"


def integer(data, place):
    value = 0
    while True:
        value = value << 7 | data[place] & 0x7F
        place += 1
        if not data[place - 1] & 0x80:
            return value, place


def window(base, target):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("base", base), ("target", target)):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(data)
        subprocess.run(["xdelta3", "-9", "-e", "-S", "none", "-n", "-A", "-s", f"{folder}/base", f"{folder}/target",
                        f"{folder}/delta"], check=True, capture_output=True)
        with open(f"{folder}/delta", "rb") as file:
            data = file.read()
    assert data[:5] == bytes.fromhex("d6c3c40000"), data[:5].hex()
    place = 6
    segment = b""
    if data[5] & 1:
        length, place = integer(data, place)
        start, place = integer(data, place)
        segment = base[start:start + length]
    assert data[5] in (0, 1), "a checksum, or a segment of the target"
    length, place = integer(data, place)
    end = place + length
    assert end == len(data), "more than one window"
    size, after = integer(data, place)
    assert size == len(target) and data[after] == 0, "compressed sections"
    return segment, data[place:after] + data[after + 1:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=19)
    chance = random.Random(parser.parse_args().seed)
    rows = []
    while len(rows) < 60:
        base = text(chance, chance.choice([3, 20, 60, 150]))
        target = edited(chance, base)
        segment, bytes_ = window(base, target)
        rows.append({"base": base64.b64encode(segment).decode(), "target": base64.b64encode(target).decode(),
                     "window": base64.b64encode(bytes_).decode()})
    print(json.dumps(rows, indent=0))


main()
