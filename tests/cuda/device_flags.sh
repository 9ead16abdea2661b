#!/bin/bash
# device_flags.sh - whatever nvcc's flags are, the PTX of samesum_device.cuh's sums holds no flushing
# (.ftz) and no contracted operation, and rounds each one to nearest. Needs nvcc, but no device.
#
#   NVCC=nvcc CUDA_ARCH=90 tests/cuda/device_flags.sh
set -u
cd "${0%/*}/../.." || exit 1
nvcc=${NVCC:-nvcc}
arch=${CUDA_ARCH:-90}
passed=0
failed=0
if ! command -v "$nvcc" >/dev/null; then
    echo "SKIPPED: no $nvcc: nothing was compiled"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-flags.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
    fi
}
# compile PART FLAG... : $work/ptx receives the instructions on floating-point numbers; comments, which quote the
# source in a debug build, are left out.
compile() {
    local part=$1
    shift
    "$nvcc" -std=c++17 -Iinclude -arch="compute_$arch" "-D$part" "$@" -ptx tests/cuda/device_flags.cu -o "$work/all" &&
        sed 's|//.*||' "$work/all" | grep -E '\.f(16|32|64)' | grep -vE '\.(param|reg|local|shared|global)' >"$work/ptx"
}
arithmetic='(add|sub|mul|mad|fma|div|sqrt|rcp|rsqrt)\.'
found() { # PATTERN
    grep -qE "$1" "$work/ptx"
}
none() { # PATTERN ; shows what it finds
    ! grep -E "$1" "$work/ptx" | head -5 | grep .
}
rounds_each() { # every operation says .rn, and none flushes
    ! grep -E "$arithmetic" "$work/ptx" | grep -vE "${arithmetic}rn\.f(32|64)" | head -5 | grep .
}

# What is looked for is there where it should be.
check "plain arithmetic compiles" compile PLAIN -use_fast_math
check "plain arithmetic with -use_fast_math: .ftz is found" found '\.ftz'
check "plain arithmetic with -use_fast_math: contraction is found" found '(fma|mad)\.'

for flags in "" "-use_fast_math" "-fmad=true" "-ftz=true" "-prec-div=false -prec-sqrt=false" "-G" "-G -use_fast_math"; do
    name=${flags:-no flags}
    # shellcheck disable=SC2086 # several flags
    check "$name: the sums compile" compile SUMS $flags
    check "$name: additions in binary32 are found" found 'add\.rn\.f32'
    check "$name: additions in binary64 are found" found 'add\.rn\.f64'
    check "$name: sums flush nothing" none '\.ftz'
    check "$name: sums contract nothing" none '(fma|mad|mul)\.'
    check "$name: sums round each operation to nearest" rounds_each
    # shellcheck disable=SC2086
    check "$name: the products compile" compile PRODUCTS $flags
    check "$name: products are found" found 'fma\.rn\.f64'
    check "$name: products flush nothing" none '\.(ftz|approx)'
    check "$name: products round each operation to nearest" rounds_each
    # two_product and fma, of two types
    check "$name: products fuse nothing else" [ "$(grep -cE '(fma|mad)\.' "$work/ptx")" = 4 ]
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
