#!/bin/bash
# install.sh - what can be said of libsamesum_nccl without a GPU: what it exports and needs, what it answers, what
# `make install-nccl` puts where, and programs that are built with it. Needs nvcc and nccl.h.
#
#   BUILD=DIR CC=COMPILER CUDA_HOME=DIR   the build that is installed, and where cudart is
set -u
cd "${0%/*}/../.." || exit 1
build=${BUILD:-build}
cc=${CC:-gcc}
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-nccl.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH PKG_CONFIG_PATH DESTDIR SAMESUM_NCCL_LIBRARY
. tests/checks.sh
version=$(sed -n 's/.*SAMESUM_VERSION "\(.*\)"/\1/p' include/samesum.h)

# ---- what it exports and needs -----------------------------------------------------------------------

grep -o 'samesum_nccl_[a-z0-9_]*(' include/samesum_nccl.h | grep -v 'samesum_nccl_status()' | tr -d '(' | sort -u >"$work/declared"
nm -D --defined-only "$build/libsamesum_nccl.so" | sed 's/.* //' | sort >"$work/shared"
nm -g --defined-only "$build/libsamesum_nccl.a" | sed -n 's/.* [A-Z] //p' | sort >"$work/static"
check "the header declares functions" [ "$(wc -l <"$work/declared")" -ge 15 ]
check "the shared library exports the declared functions alone" diff "$work/declared" "$work/shared"
check "the static library exports the declared functions alone" diff "$work/declared" "$work/static"
check "it needs no NCCL and no CUDA to be loaded" [ -z "$(readelf -dW "$build/libsamesum_nccl.so" | grep 'NEEDED.*\(nccl\|cuda\)')" ]
for language in "c -std=c11" "c++ -std=c++11"; do
    # shellcheck disable=SC2086 # language and standard
    check "the header as $language" "$cc" -Iinclude -fsyntax-only -Wall -Wextra -Wpedantic -Werror -x $language include/samesum_nccl.h
done

# ---- installed ---------------------------------------------------------------------------------------

make_it() { # ARGUMENT... of make
    make -s BUILD="$build" CC="$cc" "$@"
}
prefix=$work/usr
check "make install install-nccl" make_it install install-nccl PREFIX="$prefix"
for file in include/samesum_nccl.h include/samesum_cuda.h lib/libsamesum_nccl.a lib/libsamesum_nccl.so lib/libsamesum_nccl.so.0 \
    lib/pkgconfig/samesum_nccl.pc share/man/man3/samesum_nccl.3; do
    check "$file" test -f "$prefix/$file"
done
check "no placeholder is left" [ -z "$(grep -l '@[A-Z_]*@' "$prefix"/lib/pkgconfig/*)" ]
cat >"$work/tiny.c" <<'END2'
#include <samesum_nccl.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *why = "there is a GPU";
    char library[300] = "";
    double result = 7;
    samesum_nccl_member nobody = {.comm = NULL};
    const samesum_status status = samesum_nccl_status(&why);
    const samesum_status named = samesum_nccl_library(library, sizeof library);
    if (samesum_nccl_sum_f64(NULL, 0, SAMESUM_TREE, &result, NULL, NULL) != SAMESUM_ERR_NULL ||
        samesum_nccl_reduce(NULL, 1, 0) != SAMESUM_ERR_NULL ||
        samesum_nccl_reduce(&nobody, 0, 0) != SAMESUM_ERR_OPTION ||
        samesum_nccl_reduce(&nobody, 1, 0) != SAMESUM_ERR_NULL ||
        samesum_nccl_plan_run(NULL) != SAMESUM_ERR_NULL || result != 7)
        return 1;
    samesum_nccl_plan_destroy(NULL);
    printf("%d %d %s|%s\n", status, named, library, why);
    return strcmp(samesum_nccl_version(), SAMESUM_VERSION) != 0;
}
END2
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # shellcheck disable=SC2046 # flags in words
    check "a program through pkg-config" "$cc" "$work/tiny.c" -o "$work/shared" $(pkg-config --cflags --libs samesum_nccl)
    check "pkg-config knows the version" [ "$(pkg-config --modversion samesum_nccl)" = "$version" ]
    # shellcheck disable=SC2046
    check "a static program through pkg-config" "$cc" "$work/tiny.c" -o "$work/static" -L"${CUDA_HOME:-/usr/local/cuda}/lib64" \
        $(pkg-config --static --cflags --libs samesum_nccl | sed 's/-lsamesum_nccl/-l:libsamesum_nccl.a/; s/-lsamesum /-l:libsamesum.a /')
    check "it runs" "$work/static"
else
    skip "through pkg-config: there is none"
    check "a program by hand" "$cc" "$work/tiny.c" -o "$work/shared" -I"$prefix/include" -L"$prefix/lib" -lsamesum_nccl
fi

# ---- what it answers, with and without NCCL ----------------------------------------------------------

tiny() { # WORD REGEX [NAME=VALUE]...: prints what the program says, which has to match
    local regex=$1 said
    shift
    said=$(env LD_LIBRARY_PATH="$prefix/lib" "$@" "$work/shared") && echo "it says: $said" && grep -q "$regex" <<<"$said"
}
check "without NCCL it says so" tiny '^-6 -6 |NCCL was not found (.*/nowhere/libnccl.so.*SAMESUM_NCCL_LIBRARY' \
    SAMESUM_NCCL_LIBRARY=/nowhere/libnccl.so
cat >"$work/old.c" <<'END2'
int ncclGetVersion(int *version);
int ncclGetVersion(int *version)
{
    *version = 2708;
    return 0;
}
END2
check "an NCCL of old" "$cc" -shared -fPIC "$work/old.c" -o "$work/libold.so"
check "too old a one is told of" tiny '|NCCL 2.7.8 is too old' SAMESUM_NCCL_LIBRARY="$work/libold.so"
check "a file that is none is named" tiny '|libm.so.6 is not NCCL' SAMESUM_NCCL_LIBRARY=libm.so.6
# The program's own NCCL comes before the one that is named.
cat >"$work/own.c" <<'END2'
int ncclAllGather(void);
int ncclGetVersion(int *version);
int ncclAllGather(void)
{
    return 0;
}
int ncclGetVersion(int *version)
{
    *version = 2401;
    return 0;
}
END2
check "an NCCL that the program has" "$cc" -shared -fPIC "$work/own.c" -o "$work/libown.so"
check "it is taken before others" tiny '|NCCL 2.4.1 is too old' LD_PRELOAD="$work/libown.so" SAMESUM_NCCL_LIBRARY="$work/libold.so"
found=$(LD_LIBRARY_PATH=$prefix/lib "$work/shared" | sed 's/|.*//')
case $found in
*NCCL*)
    check "NCCL is found: $found" true
    check "a file that is named" tiny "^-*[0-9]* 0 NCCL .*|" SAMESUM_NCCL_LIBRARY="${found##*, }"
    ;;
*) skip "NCCL at run time: there is no libnccl.so.2 here" ;;
esac

# ---- the tests' program ------------------------------------------------------------------------------

gpus=$("$build/nccl/samesum_nccl_test" gpus)
check "the tests say how many GPUs there are: $(tr '\n' ' ' <<<"$gpus")" [ "$(head -n 1 <<<"$gpus")" -ge 0 ]
check "a usage error" [ "$("$build/nccl/samesum_nccl_test" nothing 2>/dev/null; echo $?)" = 2 ]
check "a usage error of the benchmark" [ "$("$build/nccl/samesum_nccl_test" bench nothing 2>/dev/null; echo $?)" = 2 ]
if [ "$(head -n 1 <<<"$gpus")" = 0 ]; then
    # every process fails, and the one that started them sees it
    check "processes that fail are seen" [ "$("$build/nccl/samesum_nccl_test" processes 2 --limit 20 >/dev/null; echo $?)" = 1 ]
    skip "reductions over GPUs: there is none here (make nccl-bundle, and run.sh of the bundle on a machine with two)"
fi

check "make uninstall" make_it uninstall PREFIX="$prefix"
check "no file is left" [ -z "$(find "$prefix" ! -type d)" ]
report
