#!/usr/bin/env python3
"""Draws the icon of the sample: a sail over two waves. Usage: icon.py FILE"""

import math
import struct
import sys
import zlib

SIZE = 256
SAMPLES = 4  # a side, for smooth edges

SEA, FOAM, SAIL, HULL = (12, 74, 110), (56, 149, 190), (250, 250, 245), (227, 100, 58)


def colour(x, y):
    """The colour at a point of the unit square."""
    if y > 0.80 + 0.025 * math.sin(x * 4 * math.pi):
        return FOAM
    if 0.66 < y < 0.80 and 0.18 + (y - 0.66) * 0.9 < x < 0.82 - (y - 0.66) * 0.9:
        return HULL
    if 0.16 < y < 0.62 and 0.30 - (y - 0.16) * 0.12 < x < 0.34 + (y - 0.16) * 0.98:
        return SAIL
    return SEA


def rows():
    for row in range(SIZE):
        line = bytearray([0])  # no filter
        for column in range(SIZE):
            total = [0, 0, 0]
            for i in range(SAMPLES * SAMPLES):
                x = (column + (i % SAMPLES + 0.5) / SAMPLES) / SIZE
                y = (row + (i // SAMPLES + 0.5) / SAMPLES) / SIZE
                total = [a + b for a, b in zip(total, colour(x, y))]
            line += bytes(a // SAMPLES**2 for a in total)
        yield bytes(line)


def chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
    file.write(chunk(b"IDAT", zlib.compress(b"".join(rows()), 9)) + chunk(b"IEND", b""))
