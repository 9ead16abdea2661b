#!/usr/bin/env python3
"""Speed of torch.sum on the GPU for the cases that bench_cuda compares with it.

    python3 bench/cuda/torch_rows.py > build/torch.txt
    build/cuda/bench_cuda --torch build/torch.txt

Prints tab-separated lines: "torch" and its version, then for each case its name, GB/s and
microseconds (medians).
"""
import statistics
import sys
import time

import torch

ROUNDS = 15
WARM_SECONDS = 0.5
WARM_ROUNDS = 2
GIB = 1 << 30
ROW_LENGTHS = (128, 1024, 16384, 131072, 1048576)


def milliseconds(function, flush):
    """Median time of a call. Before each the L2 cache is filled with other data; that also lets
    the launch be queued before the first event."""
    pairs = []
    for _ in range(WARM_ROUNDS + ROUNDS):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        flush.sum()
        begin.record()
        function()
        end.record()
        pairs.append((begin, end))
    torch.cuda.synchronize()
    return statistics.median(b.elapsed_time(e) for b, e in pairs[WARM_ROUNDS:])


def keep_busy(flush):
    """Until the device's clocks are up."""
    end = time.monotonic() + WARM_SECONDS
    while time.monotonic() < end:
        flush.sum()
        torch.cuda.synchronize()


def numbers(dtype):
    """1 GiB of numbers, equally spread over [-0.5, 1.5)."""
    size = torch.empty((), dtype=dtype).element_size()
    return torch.empty(GIB // size, dtype=dtype, device="cuda").uniform_(-0.5, 1.5)


def cases():
    """Name, and the calls of which the fastest counts."""
    for name, dtype in (("f32", torch.float32), ("f64", torch.float64)):
        x = numbers(dtype)
        for length in ROW_LENGTHS:
            rows = x.view(-1, length)
            yield f"rows {name} {length}", [lambda: rows.sum(1)]
    square = numbers(torch.float32).view(16384, 16384)
    yield "columns f32", [lambda: square.sum(0)]
    for name, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16)):
        half = numbers(dtype)
        yield f"sum {name}", [lambda: half.sum(), lambda: half.sum(dtype=torch.float32)]


def main():
    if not torch.cuda.is_available():
        sys.exit("torch_rows.py: torch finds no CUDA device")
    flush = torch.zeros((GIB // 2) // 4, dtype=torch.float32, device="cuda")
    keep_busy(flush)
    print(f"torch\t{torch.__version__}")
    for name, functions in cases():
        ms = min(milliseconds(f, flush) for f in functions)
        print(f"{name}\t{GIB / ms / 1e6:.1f}\t{1e3 * ms:.1f}", flush=True)


if __name__ == "__main__":
    main()
