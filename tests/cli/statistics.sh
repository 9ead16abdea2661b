#!/bin/sh
# nrm2, mean, var and std: values, --ddof, too few data, and data that are needed twice.
. "${0%/*}/lib.sh"

le $one_to_ten >ten.f64
le $one_to_four_f32 >four.f32
for level in tree kahan compensated exact; do
    bits "nrm2 of 1 to 10, $level" 0x40339f152d0f5470 nrm2 ten.f64 --accuracy $level
    bits "mean of 1 to 10, $level" 0x4016000000000000 mean ten.f64 --accuracy $level
    bits "var of 1 to 10, $level" 0x4020800000000000 var ten.f64 --accuracy $level
    bits "var, ddof 1, $level" 0x4022555555555555 var ten.f64 --accuracy $level --ddof 1
    bits "std of 1 to 10, $level" 0x4006fa6ea162d0f0 std ten.f64 --accuracy $level --ddof 0
    bits "std, ddof 1, $level" 0x400838a0bfb49287 std ten.f64 --accuracy $level --ddof 1
    bits "mean of f32, $level" 0x40200000 mean four.f32 --accuracy $level
    bits "var of f32, $level" 0x3fa00000 var four.f32 --accuracy $level
    bits "var of f32, wide, $level" 0x3ff4000000000000 var four.f32 --accuracy $level --wide
done

# A variance that a single pass in binary64 would get negative: 2^40 + {1, 2, 4, 9}.
printf '1099511627777\n1099511627778\n1099511627780\n1099511627785\n' >large.txt
for level in tree kahan compensated exact; do
    gives "mean far from zero, $level" 0x1.0000000004p+40 mean large.txt --accuracy $level --output hex
    gives "var far from zero, $level" 0x1.3p+3 var large.txt --accuracy $level --output hex
    bits "var far from zero, ddof 1, $level" 0x4029555555555555 var large.txt --accuracy $level --ddof 1
    bits "std far from zero, ddof 1, $level" 0x400c78e2aae37c78 std large.txt --accuracy $level --ddof 1
done

# Too few data: NaN, exit 0, and why.
printf '5\n' >one.txt
: >none.txt
: >none.f64
few() { # NAME REASON ARGUMENT...
    few_name=$1 few_reason=$2
    shift 2
    for level in tree kahan compensated exact; do
        gives "$few_name, $level" nan "$@" --accuracy $level --output hex
        said "$few_name, $level: the reason" "$few_reason: the result is NaN"
    done
}
few "var of one value" "one.txt: 1 value is too few for a variance with ddof 1" var one.txt --ddof 1
few "std of one value" "one.txt: 1 value is too few for a standard deviation with ddof 1" std one.txt --ddof 1
few "ddof far above n" "ten.f64: 10 values are too few for a variance with ddof 4294967295" \
    var ten.f64 --ddof 4294967295
few "ddof of n" "ten.f64: 10 values are too few for a standard deviation with ddof 10" std ten.f64 --ddof 10
few "var of nothing" "none.f64: 0 values are too few for a variance with ddof 0" var none.f64
few "std of nothing" "none.txt: 0 values are too few for a standard deviation with ddof 0" std none.txt
few "mean of nothing" "none.txt: 0 values are too few for a mean" mean none.txt
few "mean of nothing, mapped" "none.f64: 0 values are too few for a mean" mean none.f64
few "in chunks" "one.txt: 1 value is too few for a variance with ddof 2" var one.txt --ddof 2 --chunk 1
bits "ddof just below n" 0x4054a00000000000 var ten.f64 --ddof 9
bits "nrm2 of nothing is zero" 0x0000000000000000 nrm2 none.txt
bits "var of one value, ddof 0" 0x0000000000000000 var one.txt
if [ -s err ]; then fail "and nothing to say" "$(cat err)"; else pass "and nothing to say"; fi
gives "constant data" 0x0p+0 std - --accuracy exact --output hex <<X
0.1
0.1
0.1
X

# Norms near the ends of the range: 3 and 4 times 2^1020 or 2^-1060.
printf '0x3p1020\n0x4p1020\n' >big.txt
printf '0x3p-1060\n0x4p-1060\n' >small.txt
for level in tree kahan compensated exact; do
    gives "nrm2 near overflow, $level" 0x1.4p+1022 nrm2 big.txt --accuracy $level --output hex
    gives "nrm2 near underflow, $level" 0x0.0000000014p-1022 nrm2 small.txt --accuracy $level --output hex
done
gives "sumsq does overflow" inf sumsq big.txt --accuracy exact --output hex
printf '1e308\n1e308\n1e308\n' >means.txt
bits "a mean whose sum overflows, exact" 0x7fe1ccf385ebc8a0 mean means.txt --accuracy exact
gives "at the default level it overflows" inf mean means.txt --output hex

# Data that are needed twice: mapped, or read once and kept, in memory or in a temporary file.
{ npy 1 "$(dict '>f8' '(10,)')" && be $one_to_ten; } >big.npy
{ npy 1 "$(dict '<f8' '(10,)')" && le $one_to_ten; } >plain.npy
{ npy 1 "$(dict '<f8' '(2, 5)' True)" && le $one_to_ten; } >fortran.npy
{ npy 1 "$(dict '<f8' '(10,)')" 1 && le $one_to_ten; } >unaligned.npy
awk 'BEGIN { for (i = 1; i <= 10; i++) print i }' >ten.txt
for chunk in '' '--chunk 1' '--chunk 3' '--chunk 5' '--chunk 10' '--chunk 11'; do
    for file in ten.f64 big.npy plain.npy fortran.npy unaligned.npy ten.txt; do
        bits "var of $file $chunk" 0x4022555555555555 var $file --ddof 1 $chunk
        bits "nrm2 of $file $chunk" 0x40339f152d0f5470 nrm2 $file $chunk
    done
    for file in big.npy plain.npy fortran.npy ten.txt; do
        cat $file | bits "std of $file through a pipe $chunk" 0x400838a0bfb49287 std - --ddof 1 $chunk
        cat $file | bits "mean of $file through a pipe $chunk" 0x4016000000000000 mean - $chunk
        cat $file | bits "std exact of $file through a pipe $chunk" 0x400838a0bfb49287 \
            std - --ddof 1 --accuracy exact $chunk
    done
    cat ten.f64 | bits "a raw pipe $chunk" 0x4022555555555555 var - --format raw --dtype f64 --ddof 1 $chunk
    : | bits "an empty raw pipe $chunk" 0x0000000000000000 nrm2 - --format raw --dtype f64 $chunk
    prints "n of a text $chunk" '"n": 10,' var ten.txt --output json $chunk
done
mkfifo pipe.f64
cat ten.f64 >pipe.f64 &
bits "a named pipe" 0x4022555555555555 var pipe.f64 --ddof 1
wait
bits "redirected" 0x4022555555555555 var - --format raw --dtype f64 --ddof 1 <ten.f64

# More than one chunk of the default size.
awk 'BEGIN { for (i = 0; i < 300000; i++) print i % 7 - 3 }' >week.txt
run var week.txt --output bits
expected=$(cat out)
cat week.txt | bits "a long text through a pipe" "$expected" var -
bits "a long text, exact" "$expected" var week.txt --accuracy exact

# Temporary files are unlinked, and made only where they are needed.
mkdir temporary
TMPDIR=$work/temporary
export TMPDIR
cat ten.txt | bits "a temporary file" 0x4022555555555555 var - --ddof 1 --chunk 2
if [ -z "$(ls -A temporary)" ]; then pass "nothing is left behind"; else fail "nothing is left behind"; fi
TMPDIR=$work/missing
cat ten.txt | refuses "no folder for it" 1 "temporary file" var - --chunk 2
bits "a mapped file needs none" 0x4020800000000000 var ten.f64 --chunk 2
cat ten.txt | bits "nor a short text" 0x4020800000000000 var -
cat ten.txt | bits "nor level exact" 0x4020800000000000 var - --chunk 2 --accuracy exact
unset TMPDIR

# What is wrong with a file is found before anything is printed.
printf '1\n2\nx\n' >bad.txt
refuses "a bad line" 1 "line 3" var bad.txt
refuses "a bad line, spooled" 1 "line 3" var bad.txt --chunk 1
head -c 100 plain.npy >torn.npy
refuses "a truncated file" 1 "truncated" nrm2 torn.npy
cat torn.npy | refuses "a truncated pipe" 1 "truncated" std -
{ cat plain.npy && head -c 40 /dev/zero; } >long.npy
cat long.npy | refuses "bytes left over in a pipe" 1 "bytes behind" std -
cat long.npy | refuses "bytes left over in a pipe, chunks of 10" 1 "bytes behind" std - --chunk 10
cat torn.npy | refuses "a truncated pipe, chunks of 2" 1 "truncated" std - --chunk 2
finish
