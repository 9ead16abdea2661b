#!/bin/sh
# --stride: elements 0, S, 2 S, ... in logical C order; below zero from the last one backwards.
. "${0%/*}/lib.sh"

le $one_to_ten >x.f64
{ npy 1 "$(dict '>f8' '(10,)')" && be $one_to_ten; } >be.npy
fortran f.npy '<f8' '(2, 5)' $(hex64 1 6 2 7 3 8 4 9 5 10)
array c.npy '<f8' '(2, 5)' $one_to_ten
lines 1 2 3 4 5 6 7 8 9 10 >x.txt
for file in x.f64 be.npy f.npy c.npy x.txt; do
    for more in '' '--chunk 1' '--chunk 2' '--chunk 3' '--chunk 100' '--threads 3'; do
        gives "$file $more, 1" 0x1.b8p+5 sum $file --stride 1 --output hex $more
        gives "$file $more, 2" 0x1.9p+4 sum $file --stride 2 --output hex $more
        gives "$file $more, 3" 0x1.6p+4 sum $file --stride 3 --output hex $more
        gives "$file $more, 9" 0x1.6p+3 sum $file --stride 9 --output hex $more
        gives "$file $more, 10" 0x1p+0 sum $file --stride 10 --output hex $more
        gives "$file $more, the largest" 0x1p+0 sum $file --stride 9223372036854775807 --output hex $more
        gives "$file $more, -1" 0x1.b8p+5 sum $file --stride -1 --output hex $more
        gives "$file $more, -2" 0x1.ep+4 sum $file --stride -2 --output hex $more
        gives "$file $more, -4" 0x1.2p+4 sum $file --stride -4 --output hex $more
        gives "$file $more, the most negative" 0x1.4p+3 sum $file --stride -9223372036854775807 --output hex $more
        gives "$file $more, var" 0x1p+3 var $file --stride 2 --output hex $more
        gives "$file $more, argmax" 0 argmax $file --stride -3 $more
        gives "$file $more, argmin" 3 argmin $file --stride -3 $more
    done
    cat $file | gives "$file through a pipe" 0x1.ep+4 sum - --stride -2 --output hex \
        $([ $file = x.f64 ] && echo --format raw --dtype f64)
done
gives "dot: both files" 0x1.4ap+7 dot x.f64 x.txt --stride 2 --output hex
gives "dot: backwards" 0x1.4cp+7 dot c.npy f.npy --stride -3 --output hex
gives "sumsq, dot of itself backwards" 0x1.4cp+7 sumsq c.npy --stride -3 --output hex
prints "n counts what is taken" '"n": 4,' sum x.f64 --stride 3 --output json
gives "of nothing" 0x0p+0 sum - --stride 2 --output hex </dev/null
gives "of nothing, backwards" 0x0p+0 sum - --stride -2 --output hex </dev/null

# Column 0 of (1001, 2): 2^24 and a thousand ones, where a float sum stalls; column 1 holds NaN.
le 3f800000 7fc00000 >pairs
for i in 1 2 3 4 5 6 7 8 9 10; do cat pairs pairs >more && mv more pairs; done
{ npy 1 "$(dict '<f4' '(1001, 2)')" && le 4b800000 7fc00000 && head -c 8000 pairs; } >columns.npy
tail -c 8008 columns.npy >columns.f32
for level in compensated exact; do
    gives "2^24 and a thousand ones, --stride, $level" 0x1.0003e8p+24 \
        sum columns.f32 --stride 2 --output hex --accuracy $level
    if [ -s err ]; then fail "and no NaN is seen" "$(cat err)"; else pass "and no NaN is seen"; fi
    gives "2^24 and a thousand ones, --axis, $level" "$(lines 0x1.0003e8p+24 nan)" \
        sum columns.npy --axis 0 --output hex --accuracy $level
    said "the NaN are seen" "columns.npy: 1001 non-finite values, first at index 1"
done

# Indices are those of the strided sequence.
lines 1 inf 2 3 nan 4 5 6 7 >odd.txt
gives "non-finite values between the strides" 0x1p+3 sum odd.txt --stride 8 --output hex
if [ -s err ]; then fail "are not reported" "$(cat err)"; else pass "are not reported"; fi
prints "the first index" '"nonfinite": {"count": 1, "first": 2}' sum odd.txt --stride 2 --output json
said "on stderr" "odd.txt: 1 non-finite values, first at index 2"
array mask.npy '|b1' '(10,)' 01 00 00 00 01 01 01 01 00 01
gives "a mask goes along" 0x1.ap+3 sum x.f64 --stride 2 --mask mask.npy --output hex
gives "and backwards" 0x1.28p+5 sum x.f64 --stride -1 --mask mask.npy --output hex
gives "an index among all that are passed" 2 argmin x.f64 --stride -2 --mask mask.npy --nan ignore
array w.npy '<f8' '(10,)' $(hex64 10 9 8 7 6 5 4 3 2 1)
gives "weights go along" 0x1.3p+6 sum x.f64 --stride 3 --weights w.npy --output hex

refuses "--stride 0" 2 "--stride" sum x.f64 --stride 0
refuses "--stride -0" 2 "--stride" sum x.f64 --stride -0
refuses "--stride and --axis" 2 "leave one away" sum c.npy --stride 2 --axis 0
for value in '' x 1.5 1e3 +2 ' 2' - 99999999999999999999; do
    refuses "--stride '$value'" 2 "--stride" sum x.f64 --stride "$value"
done
refuses "--stride of audit" 2 "--stride is not an option of audit" audit x.f64 --stride 2
finish
