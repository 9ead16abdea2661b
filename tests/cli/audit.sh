#!/bin/sh
# samesum audit.
. "${0%/*}/lib.sh"

audit() { # NAME TEXT ARGUMENT... : TEXT is somewhere in the audit; no line is too wide
    prints "$@"
    if [ "$(awk 'length($0) > 100' out | wc -l)" -ne 0 ]; then fail "$1: more than 100 columns"; fi
}
# alternating 13090 and 13110: the serial binary32 sum's mean leaves the data's range
awk 'BEGIN { for (i = 0; i < 500000; i++) printf "13090\n13110\n" }' >alt.txt
audit "a mean outside of the data" "OUTSIDE" audit alt.txt --dtype f32
for method in "serial loop" "last to first" pairwise Kahan Neumaier "samesum tree" "samesum kahan" \
    "samesum compensated" "samesum exact" "samesum tree --wide" "samesum compensated --wide" \
    "samesum exact --wide" "true sum"; do
    audit "audit shows $method" "$method" audit alt.txt --dtype f32
done
audit "off by more than a bound" "MORE than the error bound of samesum's level tree" audit alt.txt --dtype f32
prints "json: the same" '"beyond_tree_bound": true' audit alt.txt --dtype f32 --output json
audit "the true mean and deviation" "mean 13100, standard deviation (ddof 0) 10" audit alt.txt --dtype f32
audit "the condition number" "condition number sum|x| / |sum x| = 1" audit alt.txt
audit "a right sum" "gives the true sum" audit alt.txt
if grep -q -e --wide out; then fail "f64 has no --wide"; else pass "f64 has no --wide"; fi
prints "json: the serial mean" '"outside_range": true' audit alt.txt --dtype f32 --output json
printf '1e16\n1\n-1e16\n' >cancel.txt
audit "cancellation: the condition number" "2e+16" audit cancel.txt
audit "cancellation: the sum" "true sum" audit cancel.txt
audit "cancellation: the digits" "about 0 of 16 digits" audit cancel.txt
audit "cancellation: within the bound" "Nothing better was promised" audit cancel.txt
audit "cancellation: the exact row" "samesum exact                                     1  0x3ff0000000000000" \
    audit cancel.txt
# A true sum that is no binary64 number: 1 + 2^-60 + 2^-60.
printf '1\n8.673617379884035e-19\n8.673617379884035e-19\n' >between.txt
audit "errors are measured from the exact sum" "gives the correctly rounded sum" audit between.txt
# Ten times 0.1: exact 1, serial one unit less.
awk 'BEGIN { for (i = 0; i < 10; i++) print 0.1 }' >tenths.txt
audit "ten times 0.1, serial" "0.9999999999999999  0x3fefffffffffffff" audit tenths.txt
audit "ten times 0.1, true" "true sum                                          1  0x3ff0000000000000" \
    audit tenths.txt
# Where the standard deviation overflows, but the true one does not.
printf '1e200\n3e200\n' >spread.txt
audit "a deviation that overflows" \
    "The standard deviation overflows at level tree, kahan, compensated; --accuracy exact gives it." \
    audit spread.txt
bits "which exact gives" 0x6974e718d7d7625a std spread.txt --accuracy exact
printf '1e16\n1\n-1e16\n-1\n' >zero.txt
audit "a true sum of zero" "condition number sum|x| / |sum x| = inf" audit zero.txt
printf '' >empty.txt
audit "nothing" "nothing to add" audit empty.txt
printf '7\n' >one.txt
audit "one value" "gives the true sum" audit one.txt
printf 'nan\nnan\n' >nan.txt
audit "NaN alone" "no finite values; 2 NaN, first at index 0" audit nan.txt
said "and on stderr" "nan.txt: 2 non-finite values, first at index 0"
printf '1\ninf\n-inf\nnan\n' >mixed.txt
audit "all kinds" "1 NaN, first at index 3; 1 inf, first at index 1; 1 -inf, first at index 2" audit mixed.txt
printf 'inf\n1\n' >inf.txt
audit "inf" "not finite" audit inf.txt
prints "inf, json" '"inf": {"count": 1, "first": 0}' audit inf.txt --output json
printf '1.7e308\n1.7e308\n-1.7e308\n' >over.txt
audit "a loop that overflows" "overflow" audit over.txt
printf '1.7e308\n1.7e308\n' >over.txt
audit "a sum that overflows" "overflow" audit over.txt
printf '0\n-0\n0\n' >zeros.txt
audit "zeros" "gives the true sum" audit zeros.txt
cat alt.txt | audit "standard input" "1000000 values of type f64" audit -
{ npy 1 "$(dict '>f8' '(2, 5)' True)" && be $one_to_ten; } >big.npy
audit "a big-endian file in Fortran order" "shape (2, 5)" audit big.npy
cp one.txt 'a"b\c.txt'
prints "json: a file's name" '"file": "a\"b\\c.txt"' audit 'a"b\c.txt' --output json
refuses "a bad file" 1 "'x'" audit - <<X
x
X
refuses "no such file" 1 "missing.npy" audit missing.npy
refuses "two files" 2 "one file" audit one.txt one.txt
finish
