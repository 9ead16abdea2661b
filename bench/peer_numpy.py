"""NumPy's reductions, for bench: without arguments the version, else
OP TYPE N SAMPLES -> GB/s, the median of so many samples of at least 2 ms, or
axis SHAPE AXIS -> for each line on standard input one sum(AXIS) of float32 numbers, then a line."""
import statistics
import sys
import time

import numpy as np

SAMPLE_SECONDS = 2e-3


def calls(op, kind, x, y):
    return {
        ("sum", "f64"): lambda: np.sum(x),
        ("sum", "f32"): lambda: np.sum(x),
        ("sum", "f32w"): lambda: np.sum(x, dtype=np.float64),
        ("dot", "f64"): lambda: np.dot(x, y),
        ("sumsq", "f64"): lambda: np.dot(x, x),
    }.get((op, kind))


def seconds(call, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return time.perf_counter() - start


def sums(shape, axis):
    x = np.random.default_rng(1).random(shape, dtype=np.float32)
    for _ in sys.stdin:
        x.sum(axis)
        print(flush=True)


def main(argv):
    if len(argv) == 1:
        print(f"NumPy {np.__version__}: np.sum, np.dot in a process of its own")
        return 0
    if argv[1] == "axis":
        sums([int(extent) for extent in argv[2].split(",")], int(argv[3]))
        return 0
    op, kind, n, samples = argv[1], argv[2], int(argv[3]), int(argv[4])
    dtype = np.float64 if kind == "f64" else np.float32
    x = np.random.default_rng(1).random(n, dtype=dtype)
    y = x[::-1].copy() if op == "dot" else x
    call = calls(op, kind, x, y)
    if call is None:
        return 1
    repeats = 1
    while seconds(call, repeats) < SAMPLE_SECONDS:
        repeats *= 2
    typical = statistics.median(seconds(call, repeats) / repeats for _ in range(samples))
    print(x.nbytes * (2 if op == "dot" else 1) / typical / 1e9)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
