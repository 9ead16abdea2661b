#!/bin/sh
# --weights: the sum of w x, and that divided by the sum of the weights.
. "${0%/*}/lib.sh"

array x.npy '<f8' '(2, 3)' $(hex64 1 2 3 4 5 6)
fortran xf.npy '<f8' '(2, 3)' $(hex64 1 4 2 5 3 6)
array w.npy '<f8' '(2, 3)' $(hex64 6 5 4 3 2 1)
array wbe.npy '>f8' '(2, 3)' $(hex64 6 5 4 3 2 1)
fortran wf.npy '<f8' '(2, 3)' $(hex64 6 3 5 2 4 1)
for level in tree kahan compensated exact; do
    for x in x.npy xf.npy; do
        for w in w.npy wf.npy wbe.npy; do
            for more in '' '--chunk 4' '--threads 2'; do
                gives "sum of $x, $w, $level $more" 0x1.cp+5 \
                    sum $x --weights $w --output hex --accuracy $level $more
                gives "mean of $x, $w, $level $more" 0x1.5555555555555p+1 \
                    mean $x --weights $w --output hex --accuracy $level $more
            done
            gives "sums of rows of $x, $w, $level" "$(lines 0x1.cp+4 0x1.cp+4)" \
                sum $x --axis 1 --weights $w --output hex --accuracy $level
            gives "means of columns of $x, $w, $level" "$(lines 0x1p+1 0x1.6db6db6db6db7p+1 0x1.ccccccccccccdp+1)" \
                mean $x --axis 0 --weights $w --output hex --accuracy $level
        done
    done
done
array w3.npy '<f8' '(3,)' $(hex64 1 0 3)
array w2.npy '<f8' '(2,)' $(hex64 1 3)
lines 1 0 3 >w3.txt
for x in x.npy xf.npy; do
    for w in w3.npy w3.txt; do
        gives "weights along the last axis, $x, $w" "$(lines 0x1.4p+3 0x1.6p+4)" \
            sum $x --axis 1 --weights $w --output hex
        gives "means along the last axis, $x, $w" "$(lines 0x1.4p+1 0x1.6p+2)" \
            mean $x --axis -1 --weights $w --output hex
    done
    gives "weights along the first axis, $x" "$(lines 0x1.ap+3 0x1.1p+4 0x1.5p+4)" \
        sum $x --axis 0 --weights w2.npy --output hex
done
lines 1 2 3 4 >x.txt
lines 4 3 2 1 >w.txt
gives "two texts" 0x1p+1 mean x.txt --weights w.txt --output hex
gives "as binary32" 0x40000000 mean x.txt --weights w.txt --dtype f32 --output bits
gives "wide" 0x4000000000000000 mean x.txt --weights w.txt --dtype f32 --wide --output bits
gives "as binary16" 0x4000 mean x.txt --weights w.txt --dtype f16 --result-type input --output bits
cat w.txt | gives "weights on standard input" 0x1.4p+4 sum x.txt --weights - --output hex
cat x.txt | gives "data on standard input" 0x1.4p+4 sum - --weights w.txt --output hex
array mask.npy '|b1' '(4,)' 01 00 01 00
gives "masked elements are absent from both sums" 0x1.aaaaaaaaaaaabp+0 \
    mean x.txt --weights w.txt --mask mask.npy --output hex
gives "so are missing ones" 0x1.aaaaaaaaaaaabp+0 mean x.txt --weights w.txt --missing 2 \
    --mask mask.npy --output hex
prints "json" '"op": "mean", "level": "compensated", "dtype": "f64", "result_type": "f64", "n": 2, "value": "1.6666666666666667"' \
    mean x.txt --weights w.txt --mask mask.npy --output json
gives "a missing value is not looked for in the weights" 0x1.4p+4 sum x.txt --weights w.txt --missing 9 --output hex

# Weights that add up to zero.
lines 1 -1 1 -1 >zero.txt
for level in tree kahan compensated exact; do
    gives "weights that add up to zero, $level" nan mean x.txt --weights zero.txt --accuracy $level --output hex
    said "which is said, $level" "zero.txt: the weights add up to zero or overflow: the result is NaN"
    gives "their sum, $level" -0x1p+1 sum x.txt --weights zero.txt --accuracy $level --output hex
done
: >none.txt
gives "the mean of nothing" nan mean - --weights none.txt --output hex </dev/null
said "is not the weights' fault" "-: 0 values are too few for a mean: the result is NaN"

array zero3.npy '<f8' '(2, 3)' $(hex64 1 1 -2 1 1 1)
gives "in one row" "$(lines nan 0x1.4p+2)" mean x.npy --axis 1 --weights zero3.npy --output hex
said "which is said for rows" \
    "zero3.npy: the weights add up to zero or overflow in 1 of 2 rows: the result is NaN there"

# Non-finite values.
lines 1 nan 3 inf >odd.txt
gives "non-finite weights" nan sum x.txt --weights odd.txt --output hex
said "are reported by their file" "odd.txt: 2 non-finite values, first at index 1"
refuses "--fail-on-nonfinite" 1 "odd.txt: 2 non-finite" sum x.txt --weights odd.txt --fail-on-nonfinite
prints "json counts both files" '"nonfinite": {"count": 4, "first": 1}' sum odd.txt --weights odd.txt --output json
array odd3.npy '<f8' '(3,)' 3ff0000000000000 4000000000000000 7ff0000000000000
run sum x.npy --axis 1 --weights odd3.npy
said "weights of an axis are counted once" "odd3.npy: 1 non-finite values, first at index 2"

# What does not go together.
array w32.npy '<f4' '(2, 3)' $(hex32 6 5 4 3 2 1)
refuses "weights of another type" 1 "weights have the type of the data" sum x.npy --weights w32.npy
refuses "weights of a text that is not f32" 1 "weights have the type" sum w32.npy --axis 1 --weights w3.txt
refuses "weights of another shape" 1 "weights have the shape of the data" sum x.npy --weights w3.npy
refuses "weights of another axis" 1 "or the axis's length" sum x.npy --axis 0 --weights w3.npy
refuses "too few weights" 1 "weights have the shape" sum x.txt --weights w3.txt
array ints.npy '<i8' '(2, 3)' $(hex64 6 5 4 3 2 1)
refuses "integers" 1 "holds integers" sum x.npy --weights ints.npy
refuses "no such weights" 1 "No such file" sum x.npy --weights none.npy
refuses "the same pipe" 2 "only once" sum - --weights - </dev/null
for op in asum var max; do
    refuses "$op" 2 "belongs to sum, mean" $op x.npy --weights w.npy
done
refuses "dot" 2 "belongs to sum, mean" dot x.npy x.npy --weights w.npy
finish
