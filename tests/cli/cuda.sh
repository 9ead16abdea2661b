#!/bin/sh
# --backend cuda: what is missing is said before anything is read or printed; on a device, and on the
# one that the CPU plays (tests/stand_in), every operation and option gives the bits of scalar.
. "${0%/*}/lib.sh"
build=${SAMESUM%/*}
stand_in=$build/tests/stand_in/libsamesum_cuda.so
unset SAMESUM_CUDA_LIBRARY SAMESUM_CUDA_CHUNK SAMESUM_CUDA_MEMORY

le $one_to_ten >x.f64
le $one_to_four_f32 >x.f32
lines 1 2 3 >x.txt
remedy="without --backend cuda the CPU gives the same bits"

# ---- no library ------------------------------------------------------------------------------------
SAMESUM_CUDA_LIBRARY=/nonexistent
export SAMESUM_CUDA_LIBRARY
no_library="backend cuda: there is no /nonexistent, which SAMESUM_CUDA_LIBRARY names; make cuda builds it where NVIDIA's CUDA toolkit is; $remedy"
for op in sum asum sumsq nrm2 mean var std min max argmin argmax audit; do
    refuses "$op without the library" 1 "$no_library" $op x.f64 --backend cuda
    said "$op says just that" "samesum: $no_library"
done
refuses "dot without the library" 1 "$no_library" dot x.f64 x.f64 --backend cuda
refuses "before a file is opened" 1 "$no_library" sum missing.f64 --backend cuda
refuses "selftest without it" 1 "$no_library" selftest --backend cuda
refuses "golden record without it" 1 "$no_library" golden record x.f64 -o x.golden --backend cuda
if [ -e x.golden ]; then fail "no golden file is left"; else pass "no golden file is left"; fi
refuses "standard input" 1 "$no_library" sum - --backend cuda <x.txt
prints "info says it" "cuda            no: there is no /nonexistent" info
prints "info names the other backends" "scalar" info
SAMESUM_BACKEND=cuda
export SAMESUM_BACKEND
refuses "SAMESUM_BACKEND=cuda" 1 "$no_library" sum x.f64
bits "--backend goes before it" $fifty_five sum x.f64 --backend scalar
prints "info under it" "cuda            no:" info
unset SAMESUM_BACKEND
bits "the CPU needs no library" $fifty_five sum x.f64
refuses "bench" 1 "bench measures the backends of the CPU" bench --backend cuda

# Mistakes on the command line are told first.
refuses "an unknown option" 2 "--quick" sum x.f64 --backend cuda --quick
refuses "a wrong option" 2 "belongs to" sum x.f64 --backend cuda --ddof 1
refuses "an unknown level" 2 "'best'" sum x.f64 --backend cuda --accuracy best
refuses "no file" 2 "sum takes one file" sum --backend cuda
refuses "cuda twice" 2 "given twice" sum x.f64 --backend cuda --backend cuda
refuses "CUDA" 2 "'CUDA'" sum x.f64 --backend CUDA

# ---- another library -------------------------------------------------------------------------------
SAMESUM_CUDA_LIBRARY=$PWD/x.txt
refuses "no library at all" 1 "x.txt cannot be loaded: " sum x.f64 --backend cuda
SAMESUM_CUDA_LIBRARY=$build/libsamesum.so
if [ -e "$SAMESUM_CUDA_LIBRARY" ]; then
    refuses "another library" 1 "libsamesum.so is not the libsamesum_cuda.so of this version: " sum x.f64 --backend cuda
fi
unset SAMESUM_CUDA_LIBRARY

# Where it is looked for: a copy of the program that has no library beside it.
mkdir -p away/bin
if ln "$SAMESUM" away/bin/samesum 2>/dev/null || cp "$SAMESUM" away/bin/samesum; then
    away/bin/samesum sum x.f64 --backend cuda >out 2>err
    status=$?
    if [ $status -eq 1 ] && ! [ -s out ] &&
        grep -F -q "there is no libsamesum_cuda.so in $PWD/away/bin, in $PWD/away/bin/../lib or where" err; then
        pass "where it was looked for"
    elif [ $status -eq 0 ]; then
        echo "SKIPPED: where it was looked for: this system has a libsamesum_cuda.so"
    else
        fail "where it was looked for" "exit $status: $(cat err)"
    fi
fi

# ---- bits ------------------------------------------------------------------------------------------

# equal ARGUMENT... : --backend cuda prints, reports and exits as scalar does
equal() {
    "$SAMESUM" "$@" --backend scalar >scalar.out 2>scalar.err
    scalar_status=$?
    run "$@" --backend cuda
    if [ $status -ne $scalar_status ]; then
        fail "$where: $*" "exit $status, not $scalar_status: $(head -n 1 err)"
    elif ! cmp -s out scalar.out || ! cmp -s err scalar.err; then
        fail "$where: $*" "$(head -n 1 out) $(head -n 1 err), not $(head -n 1 scalar.out) $(head -n 1 scalar.err)"
    else
        pass "$where: $*"
    fi
}

data=$examples/data
slp=$data/coads_slp.npy sst=$data/coads_sst.npy field=$data/coads_sst_field.npy
indices=$(awk 'BEGIN { for (i = 1; i <= 60; i++) print (i * 37) % 101 - 50 }')
array c.npy '<f8' '(3, 4, 5)' $(hex64 $indices)
array big.npy '>f8' '(3, 4, 5)' $(hex64 $indices)
fortran f.npy '<f8' '(3, 4, 5)' $(hex64 $indices)
array c64.npy '<c8' '(3, 10)' $(hex32 $indices)
array half.npy '<f2' '(2, 4)' 3c00 c000 0001 7bff 3c01 7c00 8000 3800
keep=$(awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 7 != 3) ? "01" : "00" }')
array mask.npy '|b1' '(3, 4, 5)' $keep
array none.npy '|b1' '(3, 4, 5)' $(awk 'BEGIN { for (i = 0; i < 60; i++) print "00" }')
array weights.npy '<f8' '(4,)' $(hex64 1 2 3 4)
array empty.npy '<f8' '(0, 3)'
head -c 300 c.npy >truncated.npy
# a million zeros, but for an infinity at 5 and a NaN at 777777
head -c 8000000 /dev/zero >million.f64
printf '\000\000\000\000\000\000\360\177' | dd of=million.f64 bs=8 seek=5 conv=notrunc 2>/dev/null
printf '\000\000\000\000\000\000\370\177' | dd of=million.f64 bs=8 seek=777777 conv=notrunc 2>/dev/null

# environment LIBRARY : loading and calling it neither heeds nor changes the floating-point environment
environment() {
    if ! [ -x "$build/tests/child" ]; then
        echo "SKIPPED: the floating-point environment: make test builds $build/tests/child"
    elif "$build/tests/child" load-cuda "$1" >out 2>&1; then
        pass "the floating-point environment: $1"
    else
        fail "the floating-point environment: $1" "$(cat out)"
    fi
}

grid() { # each operation and level, then options
    for op in sum asum sumsq nrm2 mean var std min max argmin argmax; do
        for level in tree kahan compensated exact; do
            equal $op "$slp" --accuracy $level --output json
            equal $op c.npy --accuracy $level --axis 1 --output json
        done
        equal $op "$sst" --missing -1e34 --output json
        equal $op "$field" --missing -1e34 --axis 0 --output bits
        equal $op f.npy --axis 0 --mask mask.npy --output json
        equal $op f.npy --mask none.npy --output json
        equal $op f.npy --mask none.npy --axis 2 --output json
        equal $op big.npy --stride -7 --output json
        equal $op x.txt --chunk 2 --output json
        equal $op half.npy --result-type input --output json
        equal $op half.npy --axis -1 --output json
        equal $op empty.npy --output json
        equal $op empty.npy --axis 0 --output json
        equal $op empty.npy --axis 1 --output json
        equal $op missing.npy
    done
    for level in tree kahan compensated exact; do
        equal sum "$slp" --wide --accuracy $level
        equal dot c.npy f.npy --accuracy $level --output json
        equal dot c.npy big.npy --axis 0 --accuracy $level
        equal dot c64.npy c64.npy --conj --accuracy $level
        for op in sum sumsq nrm2 mean; do
            equal $op c64.npy --accuracy $level --axis 1 --output json
        done
        equal sum c.npy --axis 1 --weights weights.npy --accuracy $level
        equal mean f.npy --axis 1 --weights weights.npy --mask mask.npy --accuracy $level
        equal mean c.npy --weights f.npy --accuracy $level --missing 13
    done
    refuses "$where: a truncated file" 1 "truncated" sum truncated.npy --backend cuda
    equal sum truncated.npy
    refuses "$where: a truncated pipe" 1 "truncated" sum - --backend cuda <truncated.npy
    equal sum million.f64 --output json
    said "$where: two of a million" "million.f64: 2 non-finite values, first at index 5"
    refuses "$where: fails on them" 1 "2 non-finite values, first at index 5" sum million.f64 --fail-on-nonfinite --backend cuda
    equal var c.npy --ddof 60
    equal var c.npy --ddof 5 --axis 2
    equal max half.npy --nan ignore
    equal sum half.npy --fail-on-nonfinite
    equal min c64.npy
    equal sum c.npy --axis 3
    rm -f audit.* pipe.* scalar.npy cuda.npy
    for backend in scalar cuda; do
        "$SAMESUM" audit "$slp" --backend $backend | grep '^samesum' >audit.$backend
        "$SAMESUM" sum - --backend $backend --output bits <"$slp" >pipe.$backend 2>pipe.$backend.err
        echo "exit $?" >>pipe.$backend
        "$SAMESUM" mean c.npy --axis 0 -o $backend.npy --backend $backend
    done
    if cmp -s pipe.scalar pipe.cuda && cmp -s pipe.scalar.err pipe.cuda.err && grep -q '^exit 0' pipe.cuda; then
        pass "$where: standard input"
    else
        fail "$where: standard input" "$(cat pipe.cuda pipe.cuda.err)"
    fi
    if [ -s audit.cuda ] && cmp -s audit.scalar audit.cuda; then pass "$where: audit"; else fail "$where: audit"; fi
    if cmp -s scalar.npy cuda.npy; then pass "$where: -o"; else fail "$where: -o"; fi
    rm -f g.golden
    run golden record c.npy f.npy --op sum,var,argmax -o g.golden --backend cuda
    [ $status -eq 0 ] || fail "$where: golden record" "$(cat err)"
    run golden check g.golden --backend scalar
    if [ $status -eq 0 ]; then pass "$where: golden"; else fail "$where: golden" "$(cat out)"; fi
    SAMESUM_BACKEND=cuda
    export SAMESUM_BACKEND
    run golden check g.golden
    if [ $status -eq 0 ]; then pass "$where: golden check"; else fail "$where: golden check" "$(cat out)"; fi
    bits "$where: SAMESUM_BACKEND=cuda" $fifty_five sum x.f64
    prints "$where: info under it" "cuda (chosen)" info
    unset SAMESUM_BACKEND
}

# Again in chunks of few elements, and with little memory: then what cannot be cut is refused.
chunks() {
    SAMESUM_CUDA_CHUNK=7
    export SAMESUM_CUDA_CHUNK
    for op in sum nrm2 mean var min argmax; do
        for level in tree exact; do
            equal $op f.npy --mask mask.npy --accuracy $level --output json
            equal $op half.npy --accuracy $level --output json
            equal $op c.npy --axis 1 --accuracy $level --output json
        done
    done
    SAMESUM_CUDA_CHUNK=4096
    for level in tree kahan compensated exact; do
        equal sum "$slp" --accuracy $level --output json
        equal sumsq "$slp" --wide --accuracy $level --output json
    done
    SAMESUM_CUDA_MEMORY=30000
    export SAMESUM_CUDA_MEMORY
    refuses "$where: a truncated file in chunks" 1 "truncated" sum truncated.npy --backend cuda
    equal mean "$slp" --output json
    equal std "$slp" --accuracy exact
    equal max "$field" --axis 0
    refuses "$where: var of more than the memory" 1 "too little memory" var "$slp" --backend cuda
    refuses "$where: argmin of more than it" 1 "too little memory" argmin "$slp" --backend cuda
    unset SAMESUM_CUDA_CHUNK SAMESUM_CUDA_MEMORY
}

if [ -e "$stand_in" ]; then
    where=stand-in
    SAMESUM_CUDA_LIBRARY=$stand_in
    export SAMESUM_CUDA_LIBRARY
    prints "the stand-in" "cuda            stand-in, through $stand_in" info
    STAND_IN_IS_OTHER=1
    export STAND_IN_IS_OTHER
    refuses "a device that the library was not built for" 1 "this library was built for other CUDA devices" sum x.f64 --backend cuda
    unset STAND_IN_IS_OTHER
    grid
    chunks
    environment "$stand_in"
    unset SAMESUM_CUDA_LIBRARY
else
    echo "SKIPPED: the stand-in device: make test builds it where there is a C++ compiler"
fi

# ---- the library that was built, and its device ----------------------------------------------------
if [ -e "$build/libsamesum_cuda.so" ]; then
    environment "$build/libsamesum_cuda.so"
fi
fault=$("$SAMESUM" info | sed -n 's/^cuda  *no: //p')
if [ -z "$fault" ]; then
    where=$("$SAMESUM" info | sed -n 's/^cuda  *\(.*\), through.*/\1/p')
    grid
    chunks
    prints "$where: selftest" "cuda " selftest --backend cuda
else
    if [ -e "$build/libsamesum_cuda.so" ]; then
        refuses "a library without a device" 1 "backend cuda: $fault; $remedy" sum x.f64 --backend cuda
        case $fault in
        *driver* | *device*) pass "it names what is missing" ;;
        *) fail "it names what is missing" "$fault" ;;
        esac
    else
        echo "SKIPPED: a library without a device: make cuda has not built $build/libsamesum_cuda.so"
    fi
    echo "SKIPPED: no CUDA device: $fault"
fi
finish
