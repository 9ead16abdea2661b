#!/bin/sh
# Complex data: 1 + 2i and 3 - 4i.
. "${0%/*}/lib.sh"

parts32=$(hex32 1 2 3 -4)
parts64=$(hex64 1 2 3 -4)
array c64.npy '<c8' '(2,)' $parts32
array c64be.npy '>c8' '(2,)' $parts32
array c128.npy '<c16' '(2,)' $parts64
array c128be.npy '>c16' '(2,)' $parts64
le $parts32 >c64.bin
le $parts64 >c128.raw

for level in tree kahan compensated exact; do
    for file in c64.npy c64be.npy "c64.bin --dtype c64" "c64.npy --dtype c64" "c64be.npy --chunk 1"; do
        bits "sum of $file, $level" "0x40800000 0xc0000000" sum $file --accuracy $level
    done
    for file in c128.npy c128be.npy "c128.raw --dtype c128" "c128be.npy --chunk 1"; do
        bits "sum of $file, $level" "0x4010000000000000 0xc000000000000000" sum $file --accuracy $level
    done
    bits "sumsq, $level" 0x41f00000 sumsq c64.npy --accuracy $level
    bits "nrm2, $level" 0x4015e8add236a58f nrm2 c128.npy --accuracy $level
    bits "mean, $level" "0x40000000 0xbf800000" mean c64.npy --accuracy $level
    gives "dot, $level" "-0x1.4p+3 -0x1.4p+4" dot c64.npy c64be.npy --accuracy $level --output hex
    gives "dot --conj, $level" "0x1.ep+4 0x0p+0" dot c128.npy c128be.npy --conj --accuracy $level --output hex
done
array a.npy '<c16' '(1,)' $(hex64 1 2)
array b.npy '<c16' '(1,)' $(hex64 3 5)
gives "the first file is conjugated" "0x1.ap+3 -0x1p+0" dot a.npy b.npy --conj --output hex
gives "in chunks" "0x1.ap+3 -0x1p+0" dot a.npy b.npy --conj --output hex --chunk 1
cat c64.bin | bits "a raw pipe" "0x40800000 0xc0000000" sum - --format raw --dtype c64
cat c128be.npy | bits "a pipe of .npy" "0x4010000000000000 0xc000000000000000" sum -

gives "text" "4 -2 0x1p+2 -0x1p+1 0x40800000 0xc0000000" sum c64.npy
gives "json" '{"op": "sum", "level": "compensated", "dtype": "c64", "result_type": "c64", "n": 2, "value": ["4", "-2"], "hex": ["0x1p+2", "-0x1p+1"], "bits": ["0x40800000", "0xc0000000"], "masked": 0, "nonfinite": {"count": 0, "first": null}, "arithmetic": 1}' \
    sum c64.npy --output json
prints "json of a real result" '"dtype": "c128", "result_type": "f64", "n": 2, "value": "30", "hex": "0x1.ep+4"' \
    sumsq c128.npy --output json
bits "--result-type input changes nothing" "0x40800000 0xc0000000" sum c64.npy --result-type input

# Rows, strides, masks: (2, 2) of 1+2i, 3-4i, 5+6i, 7-8i.
array square.npy '<c8' '(2, 2)' $(hex32 1 2 3 -4 5 6 7 -8)
fortran square_f.npy '<c8' '(2, 2)' $(hex32 1 2 5 6 3 -4 7 -8)
for file in square.npy square_f.npy; do
    gives "$file: rows" "$(lines '0x1p+2 -0x1p+1' '0x1.8p+3 -0x1p+1')" sum $file --axis 1 --output hex
    gives "$file: columns" "$(lines '0x1.8p+2 0x1p+3' '0x1.4p+3 -0x1.8p+3')" sum $file --axis 0 --output hex
    gives "$file: the first column" "0x1.8p+2 0x1p+3" sum $file --stride 2 --output hex
done
array mask.npy '|b1' '(2, 2)' 01 00 00 01
gives "a mask" "0x1p+3 -0x1.8p+2" sum square.npy --mask mask.npy --output hex
array missing.npy '<c8' '(4,)' $(hex32 1 2 -9 0 -9 1) 7fc00000 3f800000
gives "a missing value has an imaginary part of zero" "nan 0x1p+2" sum missing.npy --missing -9 --output hex
said "a complex element counts once" "missing.npy: 1 non-finite values, first at index 3"
gives "a missing NaN may be in either part" "-0x1.1p+4 0x1.8p+1" sum missing.npy --missing nan --output hex
if [ -s err ]; then fail "and is not reported" "$(cat err)"; else pass "and is not reported"; fi
array odd.npy '<c16' '(3,)' $(hex64 1 2) 7ff0000000000000 7ff8000000000000 $(hex64 3) fff0000000000000
prints "two bad parts count once" '"nonfinite": {"count": 2, "first": 1}' sum odd.npy --output json
said "on stderr too" "odd.npy: 2 non-finite values, first at index 1"
array none.npy '|b1' '(3,)' 00 00 00
prints "the mean of nothing is a pair" '"value": ["nan", "nan"]' mean odd.npy --mask none.npy --output json

# What there is not.
for op in asum var std min max argmin argmax; do
    refuses "$op" 1 "there is no $op of complex data" $op c64.npy
    refuses "$op, raw" 1 "there is no $op of complex data" $op c128.raw --dtype c128
done
refuses "weights" 1 "--weights is for real data" sum c64.npy --weights c64.npy
refuses "a mean with weights" 1 "--weights is for real data" mean c64.npy --weights c64.npy
le $one_to_ten >x.f64
lines 1 2 >x.txt
refuses "--conj of real data" 2 "--conj is for complex data" dot x.f64 x.f64 --conj
refuses "--conj with sum" 2 "belongs to dot" sum c64.npy --conj
refuses "--wide" 2 "--wide is for f32" sum c64.npy --wide
refuses "dot of two types" 1 "one type" dot c64.npy c128.npy
refuses "--dtype that contradicts" 1 "contradicts" sum c64.npy --dtype c128
refuses "a text" 1 "a text holds real numbers" sum x.txt --dtype c64
refuses "a text on standard input" 1 "a text holds real numbers" sum - --dtype c128 </dev/null
refuses "raw data of unknown type" 2 "--dtype" sum c64.bin
head -c 12 c64.bin >torn.bin
refuses "a torn element" 1 "multiple of 8" sum torn.bin --dtype c64
refuses "audit" 1 "real numbers" audit c64.npy
finish
