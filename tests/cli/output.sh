#!/bin/sh
# The forms of --output, and errors while writing.
. "${0%/*}/lib.sh"

le 3fb999999999999a 3fc999999999999a >x.f64 # 0.1, 0.2
le 3dcccccd 3e4ccccd >x.f32
gives "text" "0.30000000000000004 0x1.3333333333334p-2 0x3fd3333333333334" sum x.f64
gives "text of f32" "0.3 0x1.333334p-2 0x3e99999a" sum x.f32
gives "--output text" "0.3 0x1.333334p-2 0x3e99999a" sum x.f32 --output text
gives "bits" 0x3fd3333333333334 sum x.f64 --output bits
gives "bits of f32" 0x3e99999a sum x.f32 --output bits
gives "bits of f32, wide" 0x3fd3333338000000 sum x.f32 --wide --output bits
gives "hex" 0x1.3333333333334p-2 sum x.f64 --output hex
gives "json" '{"op": "sum", "level": "compensated", "dtype": "f64", "result_type": "f64", "n": 2, "value": "0.30000000000000004", "hex": "0x1.3333333333334p-2", "bits": "0x3fd3333333333334", "masked": 0, "nonfinite": {"count": 0, "first": null}, "arithmetic": 1}' \
    sum x.f64 --output json
prints "json names the level" '"level": "tree"' sum x.f64 --output json --accuracy tree
prints "json names the operation" '"op": "sumsq"' sumsq x.f64 --output json
prints "json: std, exact" '{"op": "std", "level": "exact", "dtype": "f64", "result_type": "f64", "n": 2,' \
    std x.f64 --output json --accuracy exact
prints "json: a value that does not exist" '"value": "nan", "hex": "nan", "bits": "0x7ff8000000000000"' \
    var x.f64 --output json --ddof 2
prints "json: wide has another result type" '"dtype": "f32", "result_type": "f64"' \
    sum x.f32 --wide --output json

shortest() { # BITS DECIMAL
    le "$1" >v.f64
    run sum v.f64
    if [ "$(cut -d' ' -f1 out)" = "$2" ]; then pass "shortest decimal $2"
    else fail "shortest decimal $2" "$(cat out err)"; fi
}
shortest_f32() {
    le "$1" >v.f32
    run sum v.f32
    if [ "$(cut -d' ' -f1 out)" = "$2" ]; then pass "shortest decimal $2 (f32)"
    else fail "shortest decimal $2 (f32)" "$(cat out err)"; fi
}
shortest 0000000000000001 5e-324
shortest 0010000000000000 2.2250738585072014e-308
shortest 7fefffffffffffff 1.7976931348623157e+308
shortest 3d30000000000000 5.684341886080802e-14 # 2^-44: the nearest of 16 digits does not read back
shortest 4340000000000000 9007199254740992
shortest 4341c37937e08000 1e+16
shortest 4341c37937e07fff 9999999999999998
shortest 44b52d02c7e14af6 1e+23
shortest 3f1a36e2eb1c432d 0.0001
shortest 3ee4f8b588e368f1 1e-05
shortest 3ff0000000000001 1.0000000000000002
shortest c059000000000000 -100
shortest 8000000000000000 -0
shortest 7ff0000000000000 inf
shortest fff0000000000000 -inf
shortest fff8000000000001 nan
shortest_f32 00000001 1e-45
shortest_f32 7f7fffff 3.4028235e+38
shortest_f32 3dcccccd 0.1
shortest_f32 0c800000 1.9721523e-31
shortest_f32 4b800000 16777216

le 7ff8000000000123 >v.f64
bits "a NaN result is canonical" 0x7ff8000000000000 sum v.f64
le fff8000000000123 >v.f64
bits "a negative NaN too" 0x7ff8000000000000 sum v.f64
gives "and prints without a sign" nan sum v.f64 --output hex
le 8000000000000000 8000000000000000 >v.f64
bits "-0.0 stays" 0x8000000000000000 sum v.f64

if [ -w /dev/full ]; then
    for op in "sum x.f64" "sum x.f64 --output json" "audit x.f64" info --help; do
        "$SAMESUM" $op >/dev/full 2>err
        if [ $? -eq 1 ] && grep -q "cannot write" err; then pass "a full disk: $op"
        else fail "a full disk: $op" "$(cat err)"; fi
    done
fi
"$SAMESUM" sum x.f64 >&- 2>err
if [ $? -eq 1 ] && grep -q "cannot write" err; then pass "standard output closed"
else fail "standard output closed" "$(cat err)"; fi
finish
