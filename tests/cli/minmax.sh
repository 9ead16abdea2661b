#!/bin/sh
# min, max, argmin and argmax: zeros, NaN under both policies, types, and data of no element.
. "${0%/*}/lib.sh"

lines 3 -7 5 -7 5 >x.txt
for more in '' '--chunk 1' '--chunk 2' '--threads 2' '--accuracy tree' '--accuracy exact' '--nan ignore'; do
    gives "min $more" -0x1.cp+2 min x.txt --output hex $more
    gives "max $more" 0x1.4p+2 max x.txt --output hex $more
    gives "argmin: the first $more" 1 argmin x.txt $more
    gives "argmax: the first $more" 2 argmax x.txt $more
    gives "min of f32 $more" 0xc0e00000 min x.txt --dtype f32 --output bits $more
    gives "max of f32, wide $more" 0x4014000000000000 max x.txt --dtype f32 --wide --output bits $more
    gives "min of f16 $more" 0xc0e00000 min x.txt --dtype f16 --output bits $more
    gives "min of bf16 as such $more" 0xc0e0 min x.txt --dtype bf16 --result-type input --output bits $more
    gives "argmax of bf16 $more" 2 argmax x.txt --dtype bf16 --result-type input $more
    gives "argmin of f32, wide $more" 1 argmin x.txt --dtype f32 --wide $more
done
cat x.txt | gives "argmin of a pipe" 1 argmin -
cat x.txt | gives "argmin of a pipe, spooled" 1 argmin - --chunk 2
gives "text" "-7 -0x1.cp+2 0xc01c000000000000" min x.txt
gives "argmin, text" 1 argmin x.txt --output text
gives "argmin, bits" 1 argmin x.txt --output bits
gives "argmin, hex" 1 argmin x.txt --output hex
gives "json" '{"op": "max", "level": null, "dtype": "f64", "result_type": "f64", "n": 5, "value": "5", "hex": "0x1.4p+2", "bits": "0x4014000000000000", "masked": 0, "nonfinite": {"count": 0, "first": null}, "arithmetic": 1}' \
    max x.txt --output json --accuracy exact
gives "argmax, json" '{"op": "argmax", "level": null, "dtype": "f64", "result_type": "u64", "n": 5, "value": "2", "hex": null, "bits": null, "masked": 0, "nonfinite": {"count": 0, "first": null}, "arithmetic": 1}' \
    argmax x.txt --output json

# -0.0 is less than +0.0, in either order.
lines 0 -0 >zeros.txt
lines -0 0 >minus.txt
for policy in propagate ignore; do
    for type in f64:0x8000000000000000:0x0000000000000000 f32:0x80000000:0x00000000 \
        f16:0x80000000:0x00000000 bf16:0x80000000:0x00000000; do
        rest=${type#*:} type=${type%%:*}
        for file in zeros.txt minus.txt; do
            bits "min of $file, $type, $policy" ${rest%:*} min $file --dtype $type --nan $policy
            bits "max of $file, $type, $policy" ${rest#*:} max $file --dtype $type --nan $policy
        done
        gives "argmin of 0 -0, $type, $policy" 1 argmin zeros.txt --dtype $type --nan $policy
        gives "argmax of -0 0, $type, $policy" 1 argmax minus.txt --dtype $type --nan $policy
        gives "argmin of -0 0, $type, $policy" 0 argmin minus.txt --dtype $type --nan $policy
    done
done

# One NaN at every place of 1 to 5 numbers and of some longer ones: 10 20 30 ... beside it.
one_nan() { # N AT
    awk -v n="$1" -v at="$2" 'BEGIN { for (i = 0; i < n; i++) print i == at ? "nan" : 10 * (i + 1) }' >nan.txt
    first=$(($2 == 0)) last=$(($1 - 1 - ($2 == $1 - 1)))
    for op in min max; do
        gives "$op, NaN at $2 of $1" nan $op nan.txt --output hex
        gives "arg$op, NaN at $2 of $1" "$2" arg$op nan.txt
    done
    said "it is reported, $2 of $1" "nan.txt: 1 non-finite values, first at index $2"
    [ "$1" -eq 1 ] && return
    gives "argmin, NaN at $2 of $1 ignored" $first argmin nan.txt --nan ignore
    gives "argmax, NaN at $2 of $1 ignored" $last argmax nan.txt --nan ignore
    run min nan.txt --nan ignore
    if [ "$(cut -d' ' -f1 out)" = "$((10 * (first + 1)))" ]; then pass "min, NaN at $2 of $1 ignored"
    else fail "min, NaN at $2 of $1 ignored" "$(cat out err)"; fi
    run max nan.txt --nan ignore
    if [ "$(cut -d' ' -f1 out)" = "$((10 * (last + 1)))" ]; then pass "max, NaN at $2 of $1 ignored"
    else fail "max, NaN at $2 of $1 ignored" "$(cat out err)"; fi
}
for n in 1 2 3 4 5; do
    at=0
    while [ $at -lt $n ]; do
        one_nan $n $at
        at=$((at + 1))
    done
done
for case in 16:15 17:16 33:7 64:40 70:0 70:69 5000:4444; do one_nan ${case%:*} ${case#*:}; done
lines nan nan nan >nans.txt
for op in min max; do
    for policy in propagate ignore; do
        bits "$op of nothing but NaN, $policy" 0x7ff8000000000000 $op nans.txt --nan $policy
        gives "arg$op of nothing but NaN, $policy" 0 arg$op nans.txt --nan $policy
    done
    bits "$op of NaN as f16" 0x7e00 $op nans.txt --dtype f16 --result-type input
done
array mask.npy '|b1' '(3,)' 00 01 01
gives "the first NaN that is present" 1 argmax nans.txt --mask mask.npy --nan ignore
gives "missing NaN are absent" 1 argmax - --missing nan <<X2
nan
4
nan
3
X2
lines inf 3 -inf >inf.txt
gives "infinities count as numbers" -inf min inf.txt --output hex
said "and are reported" "inf.txt: 2 non-finite values, first at index 0"
refuses "--fail-on-nonfinite" 1 "2 non-finite" argmax inf.txt --fail-on-nonfinite

# Of nothing.
: >none.f64
: >none.txt
npy 1 "$(dict '<f4' '(0, 3)')" >none.npy
for op in min max; do
    for file in none.f64 none.txt none.npy; do
        gives "$op of $file" nan $op $file --output hex
        said "$op of $file: why" "$file: 0 values are too few for a ${op}imum: the result is NaN"
        refuses "arg$op of $file" 1 "there is no element, so there is no arg$op" arg$op $file
    done
    gives "$op of nothing along an axis" "$(lines nan nan nan)" $op none.npy --axis 0 --output hex
    refuses "arg$op of nothing along an axis" 1 "row 0" arg$op none.npy --axis 0
    gives "arg$op of no rows" "" arg$op none.npy --axis 1
done
refuses "two files" 2 "min takes one file" min x.txt x.txt
finish
