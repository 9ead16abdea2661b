#!/bin/bash
# mutants.sh - shows that the golden vectors notice a wrong row kernel, and whose it is.
#
# For every backend of this machine and every mutation below, the vector header (or the kernel text,
# for this backend alone) is copied and altered, and a program is built in which this backend's
# object alone differs. `samesum selftest` must then fail under that forced backend and pass under
# all others.
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
    make -s "$base/samesum" BUILD="$base" WERROR= "${make_arguments[@]}"
}

# one BACKEND NAME FILE SCRIPT : builds and judges one mutant; prints a line that begins with ok or FAIL
one() {
    local backend=$1 name=$2 file=${3/X/$1} script=$4
    local label="$backend $name" dir=$build/mutants/$backend-$name other status
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
    rm "$dir/build/src/fixedtree/kernels_$backend.o"
    if ! make -s "$dir/build/samesum" BUILD="$dir/build" WERROR= "${make_arguments[@]}" \
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
        "${run[@]}" "$dir/build/samesum" selftest --backend "$other" >"$dir/out" 2>&1
        status=$?
        if [ "$other" = "$backend" ]; then
            if [ $status -ne 1 ] || ! grep -q "^samesum: $backend: .* comparisons FAILED" "$dir/out"; then
                echo "FAIL $label: not noticed under --backend $backend (exit $status)"
                return
            fi
            notice=$(sed -n 's/^samesum: .*: \([0-9]* of [0-9]*\) comparisons FAILED/\1/p' "$dir/out")
        elif [ $status -ne 0 ]; then
            echo "FAIL $label: --backend $other fails too (exit $status)"
            return
        fi
    done
    rm -rf "$dir"
    echo "ok   $label: $notice comparisons differ, other backends pass"
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
for backend in ${BACKENDS:-$present}; do
    for mutation in "${mutations[@]}"; do
        IFS='|' read -r name file what script <<<"$mutation"
        case " ${MUTATIONS:-$name} " in *" $name "*) ;; *) continue ;; esac
        while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
        { one "$backend" "$name" "$file" "$script" | sed "s/: /: $what; /" | tee "$results/$backend-$name"; } &
    done
done
wait
passed=$(cat "$results"/* | grep -c '^ok')
failed=$(cat "$results"/* | grep -c '^FAIL')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
