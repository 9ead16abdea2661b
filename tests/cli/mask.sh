#!/bin/sh
# --mask and --missing: what is left out, and counted.
. "${0%/*}/lib.sh"

# [[1, 2, 3], [4, 5, 6]]; the mask keeps 1, 3 and 5.
array x.npy '<f8' '(2, 3)' $(hex64 1 2 3 4 5 6)
fortran xf.npy '<f8' '(2, 3)' $(hex64 1 4 2 5 3 6)
array xbe.npy '>f8' '(2, 3)' $(hex64 1 2 3 4 5 6)
array bool.npy '|b1' '(2, 3)' 01 00 01 00 01 00
array bytes.npy '|u1' '(2, 3)' ff 00 02 00 80 00
fortran boolf.npy '|b1' '(2, 3)' 01 00 00 01 01 00
for file in x.npy xf.npy xbe.npy; do
    for mask in bool.npy bytes.npy boolf.npy; do
        for more in '' '--chunk 1' '--chunk 2' '--threads 2'; do
            for level in tree kahan compensated exact; do
                gives "$file $mask $more, $level" 0x1.2p+3 \
                    sum $file --mask $mask --output hex --accuracy $level $more
            done
            gives "$file $mask $more: mean" 0x1.8p+1 mean $file --mask $mask --output hex $more
            gives "$file $mask $more: var" 0x1p+2 var $file --ddof 1 --mask $mask --output hex $more
            gives "$file $mask $more: dot" 0x1.18p+5 dot $file x.npy --mask $mask --output hex $more
            gives "$file $mask $more: max" 0x1.4p+2 max $file --mask $mask --output hex $more
            gives "$file $mask $more: argmax" 4 argmax $file --mask $mask $more
        done
        gives "$file $mask: columns" "$(lines 0x1p+0 0x1.4p+2 0x1.8p+1)" \
            sum $file --mask $mask --axis 0 --output hex
        gives "$file $mask: rows" "$(lines 0x1p+2 0x1.4p+2)" sum $file --mask $mask --axis 1 --output hex
        gives "$file $mask: indices in the row" "$(lines 2 1)" argmax $file --mask $mask --axis 1
    done
    cat $file | gives "$file through a pipe" 0x1.2p+3 sum - --mask bool.npy --output hex
    cat bool.npy | gives "a mask for $file through a pipe" 0x1.2p+3 sum $file --mask - --output hex
done
prints "json" '"n": 3, "value": "9", "hex": "0x1.2p+3", "bits": "0x4022000000000000", "masked": 3, "nonfinite": {"count": 0' \
    sum x.npy --mask bool.npy --output json
prints "json in chunks" '"masked": 3' sum x.npy --mask bool.npy --output json --chunk 2
array three.npy '|b1' '(3,)' 00 01 01
lines 1 2 3 >x.txt
gives "a text" 0x1.4p+2 sum x.txt --mask three.npy --output hex
le $(hex64 1 2 3) >x.f64
gives "raw data" 0x1.4p+2 sum x.f64 --mask three.npy --output hex

# Nothing left.
array zero.npy '|b1' '(3,)' 00 00 00
array minus.npy '<f8' '(3,)' 8000000000000000 8000000000000000 8000000000000000
for level in tree kahan compensated exact; do
    bits "all masked out: +0.0, $level" 0x0000000000000000 sum minus.npy --mask zero.npy --accuracy $level
    bits "-0.0 stays, $level" 0x8000000000000000 sum minus.npy --mask three.npy --accuracy $level
done
gives "the mean of nothing" nan mean x.txt --mask zero.npy --output hex
said "and why" "x.txt: 0 values are too few for a mean: the result is NaN"
gives "var of what is left" nan var x.txt --mask three.npy --ddof 2 --output hex
said "counts it" "x.txt: 2 values are too few for a variance with ddof 2: the result is NaN"
gives "the minimum of nothing" nan min x.txt --mask zero.npy --output hex
said "and why not" "x.txt: 0 values are too few for a minimum: the result is NaN"
refuses "argmin of nothing" 1 "there is no element" argmin x.txt --mask zero.npy

# What is masked out is not looked at.
lines nan 2 inf >odd.txt
gives "a NaN that is masked out" inf sum odd.txt --mask three.npy --output hex
said "is not counted" "odd.txt: 1 non-finite values, first at index 2"
gives "nor in chunks" inf sum odd.txt --mask three.npy --output hex --chunk 1
said "is it counted" "odd.txt: 1 non-finite values, first at index 2"
gives "nor does it fail" 0x1p+1 sum odd.txt --mask three.npy --missing inf --fail-on-nonfinite --output hex

# What is no mask.
array f8.npy '<f8' '(3,)' $(hex64 1 0 1)
array i1.npy '|i1' '(3,)' 01 00 01
array four.npy '|b1' '(4,)' 01 00 01 01
array column.npy '|b1' '(3, 1)' 01 00 01
for file in x.txt x.f64; do
    refuses "a mask of f8 for $file" 1 "a mask is of bool or uint8" sum $file --mask f8.npy
    refuses "a mask of i1 for $file" 1 "a mask is of bool or uint8" sum $file --mask i1.npy
    refuses "a mask of four for $file" 1 "a mask has the shape of the data" sum $file --mask four.npy
    refuses "a mask of (3, 1) for $file" 1 "(3, 1)" sum $file --mask column.npy
    refuses "a text as a mask for $file" 1 "a mask is an .npy file" sum $file --mask x.txt
    refuses "no such mask for $file" 1 "No such file" sum $file --mask none.npy
done
head -c $(($(wc -c <three.npy) - 1)) three.npy >torn.npy
refuses "a truncated mask" 1 "torn.npy" sum x.f64 --mask torn.npy
array other.npy '|b1' '(3, 2)' 01 00 01 00 01 00
refuses "a mask of another shape" 1 "(3, 2)" sum x.npy --mask other.npy
refuses "with --axis" 1 "a mask has the shape of the data" sum x.npy --mask three.npy --axis 1
refuses "integers are no data because there is a mask" 1 "holds integers" sum bytes.npy --mask bool.npy
refuses "standard input twice" 2 "only once" sum - --mask - </dev/null
refuses "--mask of audit" 2 "--mask is not an option of audit" audit x.npy --mask bool.npy

# ---- --missing: V is rounded to the type of the data, and compared by value -------------------------
array fill32.npy '<f4' '(4,)' f7f684df $(hex32 1 2) f7f684df # binary32's -1e34
array fill64.npy '<f8' '(4,)' c6fed09bead87c03 $(hex64 1 2) c6fed09bead87c03
for more in '' '--chunk 1' '--chunk 3'; do
    for file in fill32.npy fill64.npy; do
        gives "-1e34 in $file $more" 0x1.8p+1 sum $file --missing -1e34 --output hex $more
        gives "its mean $more" 0x1.8p+0 mean $file --missing -1e34 --output hex $more
        gives "its minimum $more" 0x1p+0 min $file --missing -1e34 --output hex $more
        gives "where it is $more" 1 argmin $file --missing -1e34 $more
        prints "json $more" '"n": 2,' sum $file --missing -1e34 --output json $more
        prints "masked $more" '"masked": 2,' sum $file --missing -1e34 --output json $more
    done
    gives "wide $more" 0x1.8p+1 sum fill32.npy --wide --missing -1e34 --output hex $more
done
gives "-1e34 in other words" 0x1.8p+1 sum fill32.npy --missing -0.1e+35 --output hex
gives "another number leaves all" 4 argmax - --missing -1e34 <<Y
1
2
3
4
5
Y
gives "V beyond binary32" 0x1.8p+1 sum - --dtype f32 --missing 1e39 --output hex <<Y
1
2
inf
Y
said "rounds to inf, and that is said" \
    "-: --missing 1e39 rounds to inf in f32: elements that are inf are left out"
le fc00 4000 >low.f16
gives "V beyond binary16" 0x1p+1 sum low.f16 --missing -70000 --output hex
said "rounds to -inf" "low.f16: --missing -70000 rounds to -inf in f16: elements that are -inf are left out"
gives "-inf itself" 0x1p+1 sum low.f16 --missing -inf --output hex
if [ -s err ]; then fail "needs no words" "$(cat err)"; else pass "needs no words"; fi
le 3f800001 40000000 >near.f32 # 1 + 2^-23; by way of binary64 the decimal would become 1 + 2^-22
gives "rounded straight to binary32" 0x1p+1 sum near.f32 \
    --missing 1.00000017881393432617187499 --output hex
le 3c01 4000 >near.f16
gives "to binary16" 0x1p+1 sum near.f16 --missing "1.00048828125$(printf '%030d' 0)1" --output hex
le 3f81 4000 >near.bf16
gives "to bfloat16" 0x1p+1 sum near.bf16 --missing "1.00390625$(printf '%030d' 0)1" --output hex
le 2e66 4000 >tenth.f16
gives "0.1 in binary16" 0x1p+1 sum tenth.f16 --missing 0.1 --output hex
le 7fc00000 ffc00001 $(hex32 5) >nan.f32
gives "nan" 0x1.4p+2 sum nan.f32 --missing nan --output hex
gives "NaN" 0x1.4p+2 sum nan.f32 --missing NaN --output hex
if [ -s err ]; then fail "is not reported" "$(cat err)"; else pass "is not reported"; fi
prints "but counted" '"masked": 2, "nonfinite": {"count": 0, "first": null}' sum nan.f32 --missing nan --output json
lines inf -inf 4 >inf.txt
gives "inf" -inf sum inf.txt --missing inf --output hex
gives "-inf" inf sum inf.txt --missing -inf --output hex
lines -0 0 >zeros.txt
prints "-0 and 0 are equal" '"n": 0,' sum zeros.txt --missing 0 --output json
prints "and the other way" '"n": 0,' sum zeros.txt --missing -0 --output json
gives "a text, straight to f32" 0x1.8p+1 sum - --dtype f32 --missing -1e34 --output hex <<Y
1
-1e34
2
Y
lines 1 -9 3 4 >a.txt
lines 5 6 -9 8 >b.txt
gives "dot: either side" 0x1.28p+5 dot a.txt b.txt --missing -9 --output hex
prints "counts pairs" '"masked": 2,' dot a.txt b.txt --missing -9 --output json
gives "with a mask" 0x1p+1 sum fill64.npy --missing -1e34 --mask four.npy --output hex
array keep.npy '|b1' '(4,)' 01 00 01 01
prints "each counts once" '"n": 1, "value": "2", "hex": "0x1p+1", "bits": "0x4000000000000000", "masked": 3,' \
    sum fill64.npy --missing -1e34 --mask keep.npy --output json
array grid.npy '<f4' '(3, 2)' f7f684df f7f684df $(hex32 1 2) f7f684df $(hex32 4)
gives "along an axis" "$(lines 0x1p+0 0x1.8p+1)" mean grid.npy --missing -1e34 --axis 0 --output hex
gives "rows without data" "$(lines nan 0x1.8p+0 0x1p+2)" mean grid.npy --missing -1e34 --axis 1 --output hex
said "are told" "grid.npy: too few values for a mean in 1 of 3 rows, the first is row 0: the result is NaN there"
refuses "argmax names the row" 1 "row 0" argmax grid.npy --missing -1e34 --axis 1
for value in '' x 1x ' 1' '1 ' 'nan(1)' 1,5 -; do
    refuses "--missing '$value'" 2 "--missing" sum x.npy --missing "$value"
done
refuses "--missing of audit" 2 "--missing is not an option of audit" audit x.npy --missing 0

# The sea surface temperature of the COADS climatology: 12 months, missing on land.
if [ -f "$examples/data/coads_sst_field.npy" ]; then
    bits "the mean of a real field" "$("$SAMESUM" mean "$examples/data/coads_sst.npy" --accuracy exact --output bits)" \
        mean "$examples/data/coads_sst_field.npy" --missing -1e34 --accuracy exact
fi
finish
