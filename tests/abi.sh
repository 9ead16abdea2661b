#!/bin/bash
# abi.sh - both libraries export exactly the functions that include/samesum.h declares, and the shared
# one needs nothing but the C library, libm and OpenMP's runtime; likewise libsamesum_mpi, where it was built.
#
#   BUILD=DIR CC=COMPILER   default build, gcc
set -u
cd "${0%/*}/.." || exit 1
build=${BUILD:-build}
cc=${CC:-gcc}
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-abi.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

. tests/checks.sh

$cc -E -P include/samesum.h | grep -o 'samesum_[a-z0-9_]* *(' | tr -d ' (' | sort >"$work/declared"
nm -D --defined-only "$build/libsamesum.so" | sed 's/.* //' | sort >"$work/shared"
nm -g --defined-only "$build/libsamesum.a" | sed -n 's/.* [A-Z] //p' | sort >"$work/static"
# Of a build with sanitizers, what the compiler adds is no part of the interface.
sed -i '/^__\(asan\|odr_asan\|ubsan\)/d' "$work/shared" "$work/static"

echo "$(wc -l <"$work/declared") functions are declared"
check "the header declares functions" [ "$(wc -l <"$work/declared")" -ge 20 ]
check "no function is declared twice" [ -z "$(uniq -d "$work/declared")" ]
check "the shared library exports the declared functions alone" diff "$work/declared" "$work/shared"
check "the static library exports the declared functions alone" diff "$work/declared" "$work/static"
check "all of them begin with samesum_" [ -z "$(grep -v '^samesum_' "$work/shared" "$work/static")" ]
readelf -dW "$build/libsamesum.so" >"$work/dynamic"
check "soname" grep -q 'SONAME.*\[libsamesum\.so\.0\]' "$work/dynamic"
needed=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" | sort | tr '\n' ' ')
check "needs no other library: $needed" \
    [ -z "$(tr ' ' '\n' <<<"$needed" | grep -v -x -e '' -e 'lib\(c\|m\|gomp\|omp\|asan\|ubsan\|pthread\)\.so\.[0-9]*')" ]
check "no text relocation" [ -z "$(grep TEXTREL "$work/dynamic")" ]
check "no executable stack" [ -z "$(readelf -lW "$build/libsamesum.so" | grep 'GNU_STACK.*RWE')" ]

# libsamesum_mpi and samesum_mpi.h; the program needs no MPI.
grep -o 'samesum_mpi_[a-z0-9_]*(' include/samesum_mpi.h | tr -d '(' | sort -u >"$work/declared"
for library in "$build"/*/libsamesum_mpi.so; do
    [ -e "$library" ] || continue
    nm -D --defined-only "$library" | sed 's/.* //' | sort >"$work/shared"
    nm -g --defined-only "${library%.so}.a" | sed -n 's/.* [A-Z] //p' | sort >"$work/static"
    sed -i '/^__\(asan\|odr_asan\|ubsan\)/d' "$work/shared" "$work/static"
    check "$library exports the declared functions alone" diff "$work/declared" "$work/shared"
    check "${library%.so}.a exports the declared functions alone" diff "$work/declared" "$work/static"
done
if [ -e "$build/samesum" ]; then
    check "the program needs no MPI" [ -z "$(readelf -dW "$build/samesum" | grep 'NEEDED.*mpi')" ]
fi

# The header alone, as C11 and as C++, in any order.
for language in "c -std=c11" "c -std=c99" "c++ -std=c++11" "c++ -std=c++20"; do
    # shellcheck disable=SC2086 # language and standard
    printf '#include <samesum.h>\n#include <samesum.h>\n' | $cc -Iinclude -fsyntax-only -Wall -Wextra -Wpedantic -Werror -x $language - >"$work/header" 2>&1
    status=$?
    if [ $status -ne 0 ] && grep -q 'cc1plus' "$work/header"; then
        skip "the header as $language: no C++ compiler"
        continue
    fi
    check "the header as $language" [ $status -eq 0 ]
done
report
