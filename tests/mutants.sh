#!/bin/bash
# mutants.sh - shows that the golden vectors notice a wrong kernel, and whose it is.
#
# For every backend of this machine and every mutation below, the vector header (or the kernel text,
# for this backend alone) is copied and altered, and a program is built in which this backend's
# object alone differs. `samesum selftest` must then fail under that forced backend and pass under
# all others. What the golden vectors do not reach, layouts and columns, the suites `table`,
# `shapes` and `alignment` of the tests' runner have to notice in the same way; where Check is not installed, or
# programs run under RUN, these mutations are left out, which is told.
#
#   BUILD=DIR     the build that is copied (default build); it must be complete
#   CC, CFLAGS    the ones of that build (default: the Makefile's)
#   RUN=COMMAND   runs programs of another architecture (qemu-aarch64-static)
#   BACKENDS, MUTATIONS   only these (default: all)
set -u
cd "${0%/*}/.." || exit 1
build=${BUILD:-build}
read -ra run <<<"${RUN:-}"
unset SAMESUM_BACKEND

# name|file, where X is the backend|what it does|sed script
# The operations' bodies look alike in all vector headers: `return ...;` behind T##_name(V a, or f64_name(TYPE a.
body() { # NAME BODY: a sed script
    printf '/[0-9#]_%s([A-Za-z0-9_]* a/,/}/ s/return .*;/return %s;/' "$1" "$2"
}
mutations=(
    "add|isa_X.h|exact cancellation gives -0|$(body add '-(-a - b)')"
    "add2|isa_X.h|an error's second half is lost|$(body add2 a)"
    "sub|isa_X.h|operands swapped|$(body sub 'b - a')"
    "sub2|isa_X.h|operands swapped|$(body sub2 'b - a')"
    "mul|isa_X.h|y is taken for x|$(body mul 'a * a')"
    "fma|isa_X.h|rounds twice|$(body fma 'a * b + c')"
    "neg|isa_X.h|the product's error is that of the sum|$(body neg a)"
    "abs|isa_X.h|gives its argument|$(body abs a)"
    "convert|isa_X.h|binary32 elements are read as 0|/f64_load_f32(/,/}/ s/return .*;/return f64_zero();/"
    "order|row_kernel.h|the later rows come first|s/combine)(pair, a->column\[c\], b->column\[c\])/combine)(pair, b->column[c], a->column[c])/"
    "absent|row_kernel.h|absent lanes hold +0|s/, SS_ABSENT)/, 0)/"
    "rest|row_kernel.h|elements of the last row are lost|s/x, y, (int)rest)/x, y, (int)rest \/ 2)/"
    "errors|row_kernel.h|the operands' errors are lost|s/combine_pair)(a, b, 0)/combine_pair)(a, b, 1)/"
    "half|isa_X.h|binary16 elements are read as 0|/f32_load_f16(/,/}/ s/return .*;/return f32_zero();/"
    "lower|isa_X.h|minima stay infinite|/_lower(/,/}/ s/return .*;/return bound;/"
    "conj|pack_kernel.h|conjugation is lost|s/(part == !!conj)/(part == 0)/"
)
# Of these the suites are the judges.
suite_mutations=(
    "nan|extremes_kernel.h|a NaN among the last elements is passed over|s/nans = .*(nans, v, v);//"
    "gather|pack_kernel.h|elements are read the other way round|s/step_##bytes(all, -1, n, out)/step_##bytes(all - (n - 1), 1, n, out)/"
    "blank|pack_kernel.h|absent elements stay|s/(x\[i\] & here) | (absent & ~here)/x[i]/"
    "second|backend.h|a stride of two is taken for one|s/ C number\[2\];/ C number[1];/"
    "columns|column_kernel.h|a row of a ragged block is lost|s/x + (rows - 1) \* row/x/"
)

# A program with fewer vectors, which the mutants differ from: all that tell the order of operands, and every fourth
# of the other short ones.
base=$build/mutants/base
make_base() {
    rm -rf "$base"
    mkdir -p "$base"
    cp -a "$build/src" "$build/tests" "$base/"
    rm -f "$base/src/cli/vectors.o"
    awk '/^#/ || $4 ~ /^edge/ || ($6 <= 600 && n++ % 4 == 0)' tests/vectors/golden.txt >"$base/vectors.txt"
    make_arguments+=(VECTORS="$base/vectors.txt")
    make -s "$base/samesum" BUILD="$base" WERROR= "${make_arguments[@]}" || return 1
    have_runner=
    if [ ${#run[@]} -eq 0 ] && echo '#include <check.h>' | ${CC:-gcc} -x c -E - >/dev/null 2>&1; then
        make -s "$base/tests/runner" BUILD="$base" WERROR= "${make_arguments[@]}" || return 1
        have_runner=yes
    fi
}

# judge DIR BACKEND: runs what judges the mutant in DIR; 0 where all is right, 1 where it is noticed, and
# then what is noticed is in `notice`.
judge() {
    local status
    if [ "$judged_by" = selftest ]; then
        "${run[@]}" "$1/build/samesum" selftest --backend "$2" >"$1/out" 2>&1
        status=$?
        notice=$(sed -n "s/^samesum: $2: \([0-9]* of [0-9]*\) comparisons FAILED/\1/p" "$1/out")
    else
        SAMESUM_BACKEND=$2 "$1/build/tests/runner" short table shapes alignment >"$1/out" 2>&1
        status=$?
        notice=$(sed -n 's/^\([0-9]*\) results compared.* \([1-9][0-9]*\) differed/\2 of \1/p' "$1/out")
    fi
    [ $status -ne 1 ] || [ -n "$notice" ] || status=99 # it fails for another reason
    return $status
}

# one BACKEND NAME FILE SCRIPT JUDGE : builds and judges one mutant; prints a line that begins with ok or FAIL
one() {
    local backend=$1 name=$2 file=${3/X/$1} script=$4 judged_by=$5
    local label="$backend $name" dir=$build/mutants/$backend-$name other status noticed target=samesum
    [ "$judged_by" = selftest ] || target=tests/runner
    rm -rf "$dir"
    mkdir -p "$dir/include/fixedtree"
    sed -e "$script" "src/fixedtree/$file" >"$dir/include/fixedtree/$file"
    if cmp -s "src/fixedtree/$file" "$dir/include/fixedtree/$file"; then
        echo "FAIL $label: the mutation changes nothing in $file"
        return
    fi
    # All objects stay; one kernel, and what holds it, is built anew with the altered file in front.
    mkdir -p "$dir/build"
    cp -a "$base/src" "$base/tests" "$dir/build/"
    [ ! -d "$base/reference" ] || cp -a "$base/reference" "$dir/build/"
    rm "$dir/build/src/fixedtree/kernels_$backend.o"
    if ! make -s "$dir/build/$target" BUILD="$dir/build" WERROR= KERNEL_O3='-O1 -g0' "${make_arguments[@]}" \
        INC="-I$dir/include -Iinclude -Isrc -Itests" >"$dir/log" 2>&1; then
        echo "FAIL $label: does not build: $(tail -n 1 "$dir/log")"
        return
    fi
    other=$(diff -rq "$base/src" "$dir/build/src" | grep -c -v '\.d ')
    if [ "$other" -ne 1 ] || cmp -s {"$base","$dir/build"}/src/fixedtree/kernels_"$backend".o; then
        echo "FAIL $label: $other objects differ from the build, not the kernel alone"
        return
    fi
    for other in $present; do
        judge "$dir" "$other"
        status=$?
        if [ "$other" = "$backend" ]; then
            if [ $status -ne 1 ]; then
                echo "FAIL $label: not noticed under --backend $backend (exit $status)"
                return
            fi
            noticed=$notice
        elif [ $status -ne 0 ]; then
            echo "FAIL $label: --backend $other fails too (exit $status)"
            return
        fi
    done
    rm -rf "$dir"
    echo "ok   $label: $noticed comparisons differ, other backends pass"
}

make_arguments=()
[ -n "${CC:-}" ] && make_arguments+=(CC="$CC")
[ -n "${CFLAGS:-}" ] && make_arguments+=(CFLAGS="$CFLAGS")
[ -n "${LDFLAGS:-}" ] && make_arguments+=(LDFLAGS="$LDFLAGS")
[ -n "${OPENMP:-}" ] && make_arguments+=(OPENMP="$OPENMP")

make_base || exit 1
present=$("${run[@]}" "$base/samesum" info | sed -n 's/^backends *//; s/ (chosen)//p')
[ -n "$present" ] || {
    echo "FAIL $base/samesum info names no backend"
    exit 1
}

# Two at a time; each mutant writes into a file of its own.
results=$(mktemp -d "${TMPDIR:-/tmp}/samesum-mutants.XXXXXX") || exit 1
trap 'rm -rf "$results"' EXIT
jobs=$(nproc)
all() { # JUDGE MUTATION...: those wanted of all backends
    local judged_by=$1 mutation
    shift
    for backend in ${BACKENDS:-$present}; do
        for mutation in "$@"; do
            IFS='|' read -r name file what script <<<"$mutation"
            case " ${MUTATIONS:-$name} " in *" $name "*) ;; *) continue ;; esac
            while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
            { one "$backend" "$name" "$file" "$script" "$judged_by" | sed "s/: /: $what; /" | tee "$results/$backend-$name"; } &
        done
    done
    wait
}
all selftest "${mutations[@]}"
if [ -n "$have_runner" ]; then
    all suites "${suite_mutations[@]}"
else
    echo "SKIPPED ${#suite_mutations[@]} mutations: the suites cannot be run here"
fi
passed=$(cat "$results"/* | grep -c '^ok')
failed=$(cat "$results"/* | grep -c '^FAIL')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
