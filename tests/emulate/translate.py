#!/usr/bin/env python3
"""translate.py FILE - a file of src/cuda as C++ for g++ and shim.h, on standard output.

Launches, PTX and shared memory become calls of the emulator; reads of the caller's memory are checked. A line that
is to be replaced and is not there, or CUDA that is left, is an error: then the source has changed, and this file has to.
"""

import os
import re
import sys

PATH = sys.argv[1]
NAME = os.path.basename(PATH)
text = open(PATH).read()


def swap(old, new, times=1):
    """Replaces what must be there so many times."""
    global text
    if text.count(old) != times:
        sys.exit(f"{PATH}: not {times} times there: {old}")
    text = text.replace(old, new)


def swap_pattern(pattern, new):
    global text
    text, times = re.subn(pattern, new, text)
    if times != 1:
        sys.exit(f"{PATH}: not once there: {pattern}")


# Everywhere: headers above src/cuda, which are not translated, through -I.; parameters by reference, as
# cudaLaunchKernel() is handed them; launches; dynamic shared memory.
text = text.replace('#include "../', '#include "src/')
text = re.sub(r"const __grid_constant__ (\w+) (\w+)", r"const \1 &\2", text)
text = text.replace("kernel)(ss_sums)", "kernel)(const ss_sums &)")
text = text.replace("kernel[])(ss_sums)", "kernel[])(const ss_sums &)")
text = re.sub(
    r"([A-Za-z_]\w*(?:<[^<>;]*>)?)\s*<<<(.*?),\s*([^,<>]*?),\s*0,\s*stream>>>\s*\((.*?)\);",
    r"emu_launch(\2, \3, 0, [&] { \1(\4); });",
    text,
    flags=re.S,
)
text = text.replace("extern __shared__ __align__(128) char shared[];", "char *const shared = emu_shared();")

if NAME == "isa_cuda.h":
    for name, value in (
        ("add", "a + b"),
        ("sub", "a - b"),
        ("mul", "a * b"),
        ("div", "a / b"),
        ("fma", "std::fma(a, b, c)"),
        ("sqrt", "std::sqrt(a)"),
    ):
        swap_pattern(rf'asm\("{name}\.rn\." suffix[^;]*;" [^;]*;', f"r = {value};")
    swap('asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(a));', "r = (float)a;")
    swap('asm("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(a));', "r = (double)a;")
elif NAME == "ring.cuh":
    swap('asm volatile("cp.async.commit_group;" ::: "memory");', "emu_commit();")
    swap('asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1) : "memory");', "emu_wait(STAGES - 1);")
    swap(
        'asm volatile("st.shared.u8 [%0], %1;" ::"r"(to + i), "h"((short)from[i]) : "memory");',
        "emu_copy_byte(to + i, from + i);",
    )
    swap(
        'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");',
        "emu_copy_16(to, from);",
    )
elif NAME == "tile.cuh":
    swap_pattern(r'asm volatile\("ld\.global\.nc[^;]*;"[^;]*;', "emu_load_16(v.word, p);")
elif NAME == "overlap.cuh":
    swap('asm volatile("griddepcontrol.wait;" ::: "memory");', "")
    swap('asm volatile("griddepcontrol.launch_dependents;");', "")
    swap("#include <cuda_runtime.h>", "")
elif NAME == "share.h":
    swap("#include <cuda_runtime_api.h>", "")
elif NAME == "sink.cuh":
    swap('asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));', "bits = emu_float_to_half(v);")
elif NAME == "view.cuh":
    swap('asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));', "f = emu_half_to_float(bits);")
    swap(
        "ss_cuda_load(samesum_type real, const char *p)\n{",
        "ss_cuda_load(samesum_type real, const char *p)\n{\n"
        "    emu_check(p, real == SAMESUM_F64 ? 8 : real == SAMESUM_F32 ? 4 : 2);",
    )
    swap("v.mask[r.mask + offset[SS_MASK]]", "emu_checked(v.mask + r.mask + offset[SS_MASK])")
    swap("v.mask[bit / 8]", "emu_checked(v.mask + bit / 8)")

# Level exact is not emulated; its files are included by none that is.
if not NAME.startswith("exact"):
    for left in ('asm("', "asm volatile", "<<<", "extern __shared__"):
        if left in text:
            sys.exit(f"{PATH}: not translated: {left}")
sys.stdout.write(text)
