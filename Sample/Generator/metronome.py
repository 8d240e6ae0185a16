#!/usr/bin/env python3
"""Writes the clip of a question of the sample: a metronome that ticks eight times, twice a second.

Usage: Sample/Generator/metronome.py FILE. A WAVE file of 8 kHz and 8 bits, which every browser and phone plays.
"""

import math
import sys
import wave

RATE = 8_000
TICKS = 8
SECONDS_APART = 0.5
SECONDS_OF_A_TICK = 0.03


def sample(index):
    """The value at a place: a tone of 1 kHz that fades within a tick, else silence."""
    seconds = index / RATE % SECONDS_APART
    if seconds >= SECONDS_OF_A_TICK:
        return 128
    fading = 1 - seconds / SECONDS_OF_A_TICK
    return 128 + round(100 * fading * math.sin(2 * math.pi * 1_000 * seconds))


def main():
    with wave.open(sys.argv[1], "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(RATE)
        file.writeframes(bytes(sample(index) for index in range(int(RATE * TICKS * SECONDS_APART))))


if __name__ == "__main__":
    main()
