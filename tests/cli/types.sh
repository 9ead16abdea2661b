#!/bin/sh
# Half precision: files, rounding of text, results of either type, and what is refused.
. "${0%/*}/lib.sh"

# Raw, .npy and text: 1 + 2 + 3.
le 3c00 4000 4200 >x.f16
le 3f80 4000 4040 >x.bf16
cp x.f16 f16.bin
cp x.bf16 bf16.raw
array f16.npy '<f2' '(3,)' 3c00 4000 4200
array f16be.npy '>f2' '(3,)' 3c00 4000 4200
array bf16.npy '<V2' '(3,)' 3f80 4000 4040
array bf16v.npy '|V2' '(3,)' 3f80 4000 4040
array bf16be.npy '>V2' '(3,)' 3f80 4000 4040
lines 1 2 3 >x.txt
for file in x.f16 "f16.bin --dtype f16" f16.npy f16be.npy "f16.npy --dtype f16" "x.txt --dtype f16"; do
    for level in tree kahan compensated exact; do
        bits "f16: $file, $level" 0x40c00000 sum $file --accuracy $level
        bits "f16 result: $file, $level" 0x4600 sum $file --accuracy $level --result-type input
    done
    bits "f16 in chunks: $file" 0x40c00000 sum $file --chunk 2
done
for file in x.bf16 "bf16.raw --dtype bf16" "bf16.npy --dtype bf16" "bf16v.npy --dtype bf16" \
    "bf16be.npy --dtype bf16" "x.txt --dtype bf16"; do
    for level in tree kahan compensated exact; do
        bits "bf16: $file, $level" 0x40c00000 sum $file --accuracy $level
        bits "bf16 result: $file, $level" 0x40c0 sum $file --accuracy $level --result-type input
    done
    bits "bf16 in chunks: $file" 0x40c00000 sum $file --chunk 2
done
cat x.f16 | bits "a pipe of f16" 0x40c00000 sum - --format raw --dtype f16
cat f16be.npy | bits "a pipe of .npy" 0x40c00000 sum -
bits "asum" 0x40c00000 asum x.f16
bits "sumsq" 0x41600000 sumsq x.f16
bits "dot" 0x41600000 dot x.bf16 x.bf16
bits "nrm2" 0x406f nrm2 x.bf16 --result-type input # 3.7417: 3.734375 is nearest
bits "mean" 0x4000 mean x.f16 --result-type input
bits "var" 0x3f2aaaab var x.f16
bits "std, ddof 1" 0x3f800000 std x.bf16 --ddof 1
bits "min" 0x3f800000 min x.f16
bits "max, of the input's type" 0x4040 max x.bf16 --result-type input

gives "text" "6 0x1.8p+2 0x40c00000" sum x.f16
gives "text of a half" "6 0x1.8p+2 0x4600" sum x.f16 --result-type input
gives "hex of a half" 0x1.8p+2 sum x.bf16 --result-type input --output hex
prints "json" '"dtype": "f16", "result_type": "f32", "n": 3, "value": "6", "hex": "0x1.8p+2", "bits": "0x40c00000"' \
    sum x.f16 --output json
prints "json of a half" '"dtype": "bf16", "result_type": "bf16", "n": 3, "value": "6", "hex": "0x1.8p+2", "bits": "0x40c0"' \
    sum x.bf16 --result-type input --output json
bits "--result-type input changes nothing for f32" 0x40c00000 sum x.txt --dtype f32 --result-type input
bits "nor for f64" 0x4018000000000000 sum x.txt --result-type input

# Decimals go straight to the type: by way of binary64 those just beyond a halfway case would become
# the halfway case itself.
rounds() { # TYPE DECIMAL BITS
    echo "$2" >v.txt
    bits "$2 as $1" "$3" sum v.txt --dtype "$1" --result-type input
    bits "-$2 as $1" "$(printf '0x%04x' $(($3 | 0x8000)))" sum - --dtype "$1" --result-type input <<Y
-$2
Y
}
zeros=$(printf '%030d' 0)
rounds f16 1.00048828125 0x3c00               # halfway: to even
rounds f16 1.00048828125${zeros}1 0x3c01      # beyond
rounds f16 1.0004882812499999999999999 0x3c00 # below
rounds f16 1.00146484375 0x3c02               # halfway: to even
rounds f16 1.0014648437499999999999999 0x3c01
rounds f16 65519.999999999999999999 0x7bff
rounds f16 65520 0x7c00
rounds f16 1e999 0x7c00
rounds f16 2.98023223876953125e-8 0x0000 # half of the smallest
rounds f16 2.98023223876953125${zeros}1e-8 0x0001
rounds f16 1e-999 0x0000
rounds f16 0.1 0x2e66
rounds f16 inf 0x7c00
rounds bf16 1.00390625 0x3f80
rounds bf16 1.00390625${zeros}1 0x3f81
rounds bf16 1.01171875 0x3f82
rounds bf16 1.0117187499999999999999999 0x3f81
rounds bf16 0x1p-134 0x0000
rounds bf16 0x1.00000000000000000000000001p-134 0x0001
rounds bf16 339617752923046005526922703901628039168 0x7f80 # halfway between the largest and 2^128
rounds bf16 339617752923046005526922703901628039167.9 0x7f7f
rounds bf16 1e-999 0x0000
rounds bf16 0.1 0x3dcd
bits "nan as f16" 0x7e00 sum - --dtype f16 --result-type input <<X2
nan
X2
bits "nan as bf16" 0x7fc0 sum - --dtype bf16 --result-type input <<X2
-nan
X2

# The shortest decimal that reads back to the same half.
shortest() { # TYPE BITS DECIMAL
    le "$2" >v.$1
    run sum v.$1 --result-type input
    if [ "$(cut -d' ' -f1 out)" = "$3" ]; then pass "shortest decimal $3 ($1)"
    else fail "shortest decimal $3 ($1)" "$(cat out err)"; fi
}
shortest f16 2e66 0.1
shortest f16 3c01 1.001
shortest f16 7bff 65500
shortest f16 0001 6e-08
shortest f16 8000 -0
shortest f16 fc00 -inf
shortest f16 7e01 nan
shortest bf16 3dcd 0.1
shortest bf16 7f7f 3.39e+38
shortest bf16 0001 9e-41
shortest bf16 4348 200

# Half precision, from people who were hurt by it.
yes 1 | head -n 70000 >ones.txt
for level in tree kahan compensated exact; do
    gives "the mean of 70000 ones, $level" "1 0x1p+0 0x3c00" \
        mean ones.txt --dtype f16 --accuracy $level --result-type input
    lines 32000 32000 32000 32000 -32000 -32000 -32000 -32000 |
        bits "4 times 32000, 4 times -32000, $level" 0x0000 \
            sum - --dtype f16 --accuracy $level --result-type input
    for case in 1001:0x447a 1002:0x447a 1003:0x447b; do
        head -n ${case%:*} ones.txt | bits "${case%:*} ones in bf16, $level" ${case#*:} \
            sum - --dtype bf16 --accuracy $level --result-type input
    done
    head -n 65519 ones.txt | bits "65519 ones in f16, $level" 0x7bff \
        sum - --dtype f16 --accuracy $level --result-type input
    head -n 65520 ones.txt | bits "65520 ones in f16, $level" 0x7c00 \
        sum - --dtype f16 --accuracy $level --result-type input
done

# A mapped file of f16 with an inf at 5 and a NaN at 777.
{ head -c 10 /dev/zero && le 7c00 && head -c 1542 /dev/zero && le 7e00 && head -c 446 /dev/zero; } >odd.f16
gives "non-finite halves" nan sum odd.f16 --output hex
said "are reported" "odd.f16: 2 non-finite values, first at index 5"
refuses "--fail-on-nonfinite" 1 "2 non-finite" max odd.f16 --fail-on-nonfinite

# What is refused.
refuses "V2 without --dtype" 1 "--dtype bf16" sum bf16.npy
refuses "V2 as f16" 1 "contradicts" sum bf16.npy --dtype f16
refuses "f2 as bf16" 1 "contradicts" sum f16.npy --dtype bf16
refuses ".f16 as bf16" 1 "contradicts" sum x.f16 --dtype bf16
refuses ".bf16 as f32" 1 "contradicts" sum x.bf16 --dtype f32
printf 'abc' >torn.f16
refuses "a torn half" 1 "multiple of 2" sum torn.f16
refuses "--wide with f16" 2 "--wide is for f32" sum x.f16 --wide
refuses "--wide with --dtype bf16" 2 "--wide is for f32" sum x.txt --dtype bf16 --wide
refuses "dot of f16 and bf16" 1 "one type" dot x.f16 x.bf16
for descr in '<i8:integers' '<u2:integers' '|b1:booleans' '|i1:integers'; do
    array ints.npy "${descr%:*}" '(0,)'
    refuses "${descr%:*}" 1 "holds ${descr#*:}" sum ints.npy
    refuses "${descr%:*}: what to do" 1 "astype('f8')" max ints.npy
done

# audit looks at halves in binary32.
prints "audit of f16" "3 values of type f16, shape (3,)" audit x.f16
prints "audit of bf16: the serial loop" '"method": "serial loop", "result_type": "f32", "value": "6"' \
    audit bf16be.npy --dtype bf16 --output json
finish
