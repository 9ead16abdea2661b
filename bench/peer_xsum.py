"""The exact sums of the package xsum, for bench: without arguments the version, else
SAMPLES, and float64 numbers on standard input -> for the small and for the large accumulator GB/s,
the median of so many samples of at least 2 ms, and the sum in hexadecimal."""
import importlib.metadata
import resource
import statistics
import sys
import time

import numpy as np
import xsum

SAMPLE_SECONDS = 2e-3
TRIES = 5  # of a sample that the system interrupts, as bench does it


def total(accumulator, x):
    acc = accumulator()
    xsum.xsum_add(acc, x)
    return xsum.xsum_round(acc)


def sample(accumulator, x, repeats):
    """Seconds of so many calls."""
    for _ in range(TRIES):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
        start = time.perf_counter()
        for _ in range(repeats):
            total(accumulator, x)
        seconds = time.perf_counter() - start
        if resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw == before:
            break
    return seconds


def speed(accumulator, x, samples):
    repeats = 1
    while sample(accumulator, x, repeats) < SAMPLE_SECONDS:
        repeats *= 2
    return x.nbytes * repeats / statistics.median(sample(accumulator, x, repeats) for _ in range(samples)) / 1e9


def aligned(x):
    """A copy that begins at a cache line, as the array of bench does."""
    room = np.empty(x.size + 8)
    first = -(room.ctypes.data // 8) % 8
    copy = room[first:first + x.size]
    copy[:] = x
    return copy


def main(argv):
    if len(argv) == 1:
        print(f"xsum {importlib.metadata.version('xsum')}: exact sums by a small and a large accumulator, "
              "in a process of its own")
        return 0
    x = aligned(np.frombuffer(sys.stdin.buffer.read(), dtype=np.float64))
    for accumulator in xsum.xsum_small_accumulator, xsum.xsum_large_accumulator:
        print(speed(accumulator, x, int(argv[1])), total(accumulator, x).hex(), end=" ")
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
