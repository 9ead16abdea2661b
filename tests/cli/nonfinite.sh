#!/bin/sh
# NaN and infinity in the data: what is reported, and --fail-on-nonfinite.
. "${0%/*}/lib.sh"

awk 'BEGIN { for (i = 0; i < 1000; i++) print i == 777 ? "nan" : i == 5 ? "inf" : i }' >x.txt
printf '1\n2\n' >good.txt
report="x.txt: 2 non-finite values, first at index 5"
gives "the result of such data" nan sum x.txt --output hex
said "and the report" "$report"
for op in sum asum sumsq; do
    gives "$op in chunks of 7" nan $op x.txt --output hex --chunk 7
    said "$op: the report" "$report"
done
prints "json" '"nonfinite": {"count": 2, "first": 5}' sum x.txt --output json
refuses "--fail-on-nonfinite" 1 "$report" sum x.txt --fail-on-nonfinite
refuses "--fail-on-nonfinite, json" 1 "$report" sum x.txt --fail-on-nonfinite --output json
refuses "audit --fail-on-nonfinite" 1 "$report" audit x.txt --fail-on-nonfinite
gives "--fail-on-nonfinite with finite data" 0x1.8p+1 sum good.txt --fail-on-nonfinite --output hex

# A mapped file: 10000 zeros, then inf at 10000 and a NaN at 10003.
{ head -c 80000 /dev/zero && le 7ff0000000000000 3ff0000000000000 3ff0000000000000 7ff8000000000000; } >x.f64
report="x.f64: 2 non-finite values, first at index 10000"
gives "a mapped file" nan sum x.f64 --output hex
said "its report" "$report"
gives "a mapped file in chunks" nan sum x.f64 --output hex --chunk 100
said "its report in chunks" "$report"
refuses "a mapped file, --fail-on-nonfinite" 1 "$report" sum x.f64 --fail-on-nonfinite
cat x.f64 | gives "a pipe" nan sum - --format raw --dtype f64 --output hex
{ head -c 40000 /dev/zero && le ff800000; } >x.f32
gives "binary32" -inf sum x.f32 --output hex
said "its report" "x.f32: 1 non-finite values, first at index 10000"
gives "binary32, wide" inf asum x.f32 --output hex --wide
{ npy 1 "$(dict '>f8' '(3,)')" && be 3ff0000000000000 7ff0000000000000 fff0000000000000; } >x.npy
gives "a big-endian file" nan sum x.npy --output hex
said "its report" "x.npy: 2 non-finite values, first at index 1"

# Every operation and level, mapped, in chunks and converted: inf at 5, a NaN at 777.
awk 'BEGIN { for (i = 0; i < 1000; i++) print i == 777 ? "nan" : i == 5 ? "inf" : i }' >x.txt
{ head -c 40 /dev/zero && le 7ff0000000000000 && head -c 6168 /dev/zero && le 7ff8000000000000 &&
    head -c 1776 /dev/zero; } >y.f64
for op in sum asum sumsq nrm2 mean var std; do
    expected=nan
    [ $op = nrm2 ] && expected=inf
    for level in tree kahan compensated exact; do
        for file in x.txt "x.txt --chunk 9" y.f64 "y.f64 --chunk 9"; do
            gives "$op $level of $file" $expected $op $file --accuracy $level --output hex
            said "$op $level of $file: the report" \
                "${file%% *}: 2 non-finite values, first at index 5"
        done
    done
done
refuses "var --fail-on-nonfinite" 1 "x.txt: 2 non-finite" var x.txt --fail-on-nonfinite
refuses "nrm2 --fail-on-nonfinite" 1 "y.f64: 2 non-finite" nrm2 y.f64 --fail-on-nonfinite
refuses "std --fail-on-nonfinite, json" 1 "2 non-finite" std y.f64 --fail-on-nonfinite --output json
printf 'inf\n' >one.txt
gives "too few, and not finite" nan var one.txt --ddof 1 --output hex
said "the report" "one.txt: 1 non-finite values, first at index 0"
said "and the reason" "one.txt: 1 value is too few for a variance with ddof 1: the result is NaN"
for level in tree kahan compensated exact; do
    gives "std of one infinity, $level" nan std one.txt --accuracy $level --output hex
    gives "nrm2 of one infinity, $level" inf nrm2 one.txt --accuracy $level --output hex
    gives "mean of one infinity, $level" inf mean one.txt --accuracy $level --output hex
done

# A million values, an inf at 5 and a NaN at 777777.
{ head -c 40 /dev/zero && le 7ff0000000000000 && head -c 6222168 /dev/zero && le 7ff8000000000000 &&
    head -c 1777776 /dev/zero; } >million.f64
for op in "sum nan" "asum nan" "sumsq nan" "nrm2 inf" "mean nan" "var nan" "std nan" "min nan" "max nan"; do
    gives "$op of a million" "${op#* }" ${op% *} million.f64 --output hex
    said "$op of a million: the report" "million.f64: 2 non-finite values, first at index 5"
    refuses "$op of a million fails on them" 1 "2 non-finite values" ${op% *} million.f64 --fail-on-nonfinite
done
gives "argmin of a million" 777777 argmin million.f64
said "argmin: the report" "million.f64: 2 non-finite values, first at index 5"
gives "argmax of a million, without NaN" 5 argmax million.f64 --nan ignore --chunk 1000
prints "json of a million" '"n": 1000000, "value": "nan"' sum million.f64 --output json
prints "json of the others" '"n": 999999, "value": "inf"' sum million.f64 --output json --missing nan

# dot: each file has its own line.
head -c 80032 /dev/zero >zero.f64
gives "dot: 0 times inf" nan dot zero.f64 x.f64 --output hex
said "dot: the second file's report" "$report"
gives "dot: both files" nan dot x.f64 x.f64 --output hex
prints "dot: both files in json" '"nonfinite": {"count": 4, "first": 10000}' dot x.f64 x.f64 --output json
refuses "dot --fail-on-nonfinite" 1 "$report" dot zero.f64 x.f64 --fail-on-nonfinite

# Finite data whose sum overflows are not reported.
le 7fefffffffffffff 7fefffffffffffff >big.f64
gives "overflow" inf sum big.f64 --output hex --fail-on-nonfinite
if [ -s err ]; then fail "overflow is not the data's fault" "$(cat err)"
else pass "overflow is not the data's fault"; fi

values() { # NAME HEX TEXT
    printf "$3" >v.txt
    for level in tree kahan compensated exact; do
        gives "$1, $level" "$2" sum v.txt --output hex --accuracy $level
    done
}
values "inf, 1" inf 'inf\n1\n'
values "inf, inf" inf 'inf\ninf\n'
values "-inf, 5, -inf" -inf '%s-inf\n5\n-inf\n'
values "inf, -inf" nan 'inf\n-inf\n'
values "nan, inf" nan 'nan\ninf\n'
finish
