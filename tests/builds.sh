#!/bin/bash
# builds.sh - other compilers and flags: each builds everything with warnings as errors and runs
# `make test-quick`; the sanitizers' build does too, and valgrind runs the plain build's `test-short`.
# The programs of the optimised builds pass all golden vectors besides.
#
#   BUILDS="gcc-O0 valgrind"   only these (default: all)
set -u
cd "${0%/*}/.." || exit 1
unset SAMESUM_BACKEND
passed=0
failed=0
skipped=0
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-builds.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# step NAME COMMAND... : passes where the command does; its output's end is shown where it fails
step() {
    local name=$1 start=$SECONDS
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name ($((SECONDS - start)) s)$(sed -n "s/^[0-9]* passed, .*/: &/p" "$work/out" | tail -n 1)"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        tail -n 30 "$work/out" | sed 's/^/     /'
        return 1
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "SKIPPED $1"
}
wanted() { # BUILD
    case " ${BUILDS:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
}

# a_build NAME CC CFLAGS ARGUMENT... of make
a_build() {
    local name=$1 cc=$2 cflags=$3
    shift 3
    wanted "$name" || return 0
    command -v "$cc" >/dev/null || {
        skip "$name: there is no $cc; ./setup --all installs it"
        return 0
    }
    local arguments=(BUILD="build-$name" CC="$cc" CFLAGS="$cflags" WERROR=-Werror "$@")
    step "$name: builds without a warning" make -s "${arguments[@]}" all || return 0
    # The vectors are among the suites. Without optimisation the quick ones take minutes, and without threads they repeat
    # what one thread did elsewhere.
    local suites=test-quick
    [[ $cflags == *-O[12]* && $* != *OPENMP=no* ]] || suites=test-short
    step "$name: make $suites" make -s "${arguments[@]}" $suites
}

a_build gcc-O0 gcc "-O0 -g"
a_build clang-O2 clang "-O2 -g"
a_build clang-no-openmp clang "-O2 -g" OPENMP=no
# Every finding of a sanitizer ends the program with a status that no test expects.
export ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99
a_build gcc-sanitizers gcc "-O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer"
unset ASAN_OPTIONS UBSAN_OPTIONS

if wanted valgrind; then
    if command -v valgrind >/dev/null; then
        # It runs no AVX-512 and ignores FTZ: the suites of those report themselves skipped.
        if step "valgrind: builds" make -s CC=gcc CFLAGS="-O2 -g" all test-programs; then
            # two halves side by side
            step "valgrind: the short suites" sh -c 'printf "%s\n" "-table -shapes -exact" "table shapes exact" |
                xargs -P 2 -L 1 valgrind -q --error-exitcode=99 --leak-check=full \
                    --errors-for-leak-kinds=definite build/tests/runner short'
        fi
    else
        skip "valgrind: there is none; ./setup --all installs it"
    fi
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
