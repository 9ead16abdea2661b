#!/bin/sh
# The univariate data sets of NIST's Statistical Reference Datasets. The certified values are exact for
# the decimal data; reading them as binary64 moves the standard deviation of mavro, michelso and numacc3.
. "${0%/*}/lib.sh"

nist() { # NAME N MEAN STD : the certified mean; the correctly rounded std of the binary64 data
    file=$examples/data/nist/$1.txt
    prints "$1: n" "\"n\": $2," mean "$file" --output json
    run mean "$file" --accuracy exact
    mean=$(cut -d' ' -f1 out)
    if awk -v a="$mean" -v b="$3" 'BEGIN { exit !(sprintf("%.15g", a) == sprintf("%.15g", b)) }'
    then pass "$1: mean"; else fail "$1: mean" "$mean, not $3"; fi
    gives "$1: std" "$4" std "$file" --ddof 1 --accuracy exact
    cat "$file" | bits "$1: std through a pipe" "${4##* }" std - --ddof 1 --accuracy exact --chunk 7
}
certified() { # NAME DIGITS : std to the 15 digits that are certified
    std=$("$SAMESUM" std "$examples/data/nist/$1.txt" --ddof 1 --accuracy exact | cut -d' ' -f1)
    if [ "$(awk -v v="$std" 'BEGIN { printf "%.15g", v }')" = "$2" ]; then pass "$1: certified std"
    else fail "$1: certified std" "$std, not $2"; fi
}
nist lew 200 -177.435000000000 "277.3321680443161 0x1.155508f7071d3p+8 0x407155508f7071d3"
nist lottery 218 518.958715596330 "291.6997274709691 0x1.23b32156ebecdp+8 0x40723b32156ebecd"
nist mavro 50 2.00185600000000 "0.0004291234540030854 0x1.c1f7f336d83c5p-12 0x3f3c1f7f336d83c5"
nist michelso 100 299.852400000000 "0.07901054781905066 0x1.43a0906ebff75p-4 0x3fb43a0906ebff75"
nist numacc1 3 10000002 "1 0x1p+0 0x3ff0000000000000"
nist numacc3 1001 1000000.2 "0.1000000000349246 0x1.9999999cp-4 0x3fb9999999c00000"
certified lew 277.332168044316
certified lottery 291.699727470969
certified numacc1 1
finish
