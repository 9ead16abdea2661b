#!/bin/bash
# aarch64.sh - the program and the library for AArch64, cross-built, linked statically, run under
# qemu: the golden vectors on scalar and NEON, the program's results against the native ones, the
# floating-point environment, the disassembly of the NEON kernels, and a NEON kernel made wrong.
#
#   NATIVE=PROGRAM     the native program to compare with (default build/samesum)
#   BUILD=DIR CC=GCC   default build-aarch64, aarch64-linux-gnu-gcc
set -u
cd "${0%/*}/.." || exit 1
build=${BUILD:-build-aarch64}
cc=${CC:-aarch64-linux-gnu-gcc}
native=${NATIVE:-build/samesum}
qemu='qemu-aarch64-static'
# glibc warns that OpenMP's runtime uses dlopen(); it does so only for offloading.
static="-static -Wl,--no-warnings"
unset SAMESUM_BACKEND

for tool in "$cc" $qemu; do
    command -v "$tool" >/dev/null || {
        echo "SKIPPED: NOTHING WAS TESTED ON AARCH64: $tool is missing; ./setup --all installs it"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    }
done
echo 'int main(void){return 0;}' | "$cc" -static -x c - -o /dev/null 2>/dev/null || {
    echo "SKIPPED: NOTHING WAS TESTED ON AARCH64: $cc links no static program; ./setup --all installs what it needs"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-aarch64.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
check() { # NAME COMMAND... : passes where the command does; its output is shown where it fails
    local name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name$(sed -n 's/.* vectors, \(.* comparisons\).*/: \1/p; s/^\([0-9]* passed, .*\)/: \1/p' "$work/out")"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        sed 's/^/     /' "$work/out"
    fi
}
emulated() {
    $qemu "$build/samesum" "$@"
}

# All short golden vectors and some of the long ones, whose tree above the kernels is no matter of the ISA: emulation is slow.
mkdir -p "$build"
awk '/^#/ || $6 <= 20000 || n++ % 20 == 0' tests/vectors/golden.txt >"$build/vectors.txt"
check "cross-built by $cc" make -s -j2 BUILD="$build" CC="$cc" LDFLAGS="$static" VECTORS="$build/vectors.txt" "$build/samesum" "$build/tests/aarch64_fpenv"
[ $failed -eq 0 ] || {
    echo "$passed passed, $failed failed"
    exit 1
}
backends=$(emulated info | sed -n 's/^backends *//; s/ (chosen)//p')
check "backends are scalar and neon: $backends" [ "$backends" = "scalar neon" ]
for backend in scalar neon; do
    emulated selftest --backend $backend >"$work/$backend" 2>&1 &
    pids="${pids-} $!"
done
selftests=
for pid in $pids; do
    wait "$pid"
    selftests="$selftests $?"
done
check "golden vectors, scalar" grep "^scalar .*: ok" "$work/scalar"
check "golden vectors, neon" grep "^neon .*: ok" "$work/neon"
check "both selftests exit with 0" [ "$selftests" = " 0 0" ]

check "floating-point environment" $qemu "$build/tests/aarch64_fpenv"

# The same bits as the native program, on real data and on text.
field=examples/data/coads_slp.npy
printf '0.1\n1e16\n-2.5e-310\n4.9e-324\n-1e16\n3.3333333333333335\n' >"$work/few.txt"
same() { # ARGUMENT...
    local here there
    here=$("$native" "$@" --output bits) && there=$(emulated "$@" --output bits) &&
        echo "native $here, AArch64 $there" && [ -n "$here" ] && [ "$here" = "$there" ]
}
for level in tree kahan compensated; do
    for op in sum asum sumsq dot; do
        for file in $field "$work/few.txt"; do
            files=("$file")
            [ $op = dot ] && files+=("$file")
            for options in "" "--threads 4" "--chunk 1000" "--backend scalar"; do
                # shellcheck disable=SC2086 # options in words
                check "$op $file --accuracy $level $options" same $op "${files[@]}" --accuracy $level $options
            done
        done
        files=("$field")
        [ $op = dot ] && files+=("$field")
        check "$op --wide --accuracy $level" same $op "${files[@]}" --wide --accuracy $level
    done
done >"$work/same"
grep '^FAIL' -A 3 "$work/same"
echo "(the program's bits: $(grep -c '^ok' "$work/same") comparisons with the native program)"

# audit: the same sums at every level; the truth may come from another source.
sums() {
    grep '^samesum ' | sed 's/\(0x[0-9a-f]*\).*/\1/'
}
audit() {
    "$native" audit $field | sums >"$work/native" && emulated audit $field | sums >"$work/emulated" &&
        [ "$(wc -l <"$work/native")" -ge 6 ] && diff "$work/native" "$work/emulated"
}
check "audit's levels have the native bits" audit

BUILD=$build CC=$cc check "disassembly" tests/disassembly.sh
RUN=$qemu BUILD=$build CC=$cc LDFLAGS=$static BACKENDS=neon MUTATIONS=fma check "a NEON kernel made wrong" tests/mutants.sh
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
