#!/bin/sh
# Threads, chunks, backends and the way of reading never change a bit.
. "${0%/*}/lib.sh"

# 70000 numbers of very different sizes whose sum cancels to a large part; as binary64 through awk's
# %.17g, as binary32 by --dtype.
awk 'BEGIN { s = 12345; for (i = 0; i < 70000; i++) { s = (s * 1103515245 + 12345) % 2147483648
    printf "%.17g\n", (s - 1073741824) * 10 ^ (s % 23 - 11) } }' >x.txt
awk '{ print -$1 * 1.5 }' x.txt >y.txt

same() { # NAME ARGUMENT... : the plain call's bits for all ways of working
    same_name=$1
    shift
    run "$@" --output bits
    expected=$(cat out)
    [ -n "$expected" ] || fail "$same_name" "$(cat err)"
    for more in "--threads 1" "--threads 2" "--threads 3" "--threads 7" "--chunk 1000" "--chunk 4096" \
        "--chunk 65536" "--chunk 9999999999" "--chunk 777 --threads 2" $backends; do
        bits "$same_name $more" "$expected" "$@" $(echo "$more" | tr = ' ')
    done
}
backends=
for backend in $("$SAMESUM" info | sed -n 's/^backends//p' | sed 's/(chosen)//'); do
    backends="$backends --backend=$backend"
done
for level in tree kahan compensated exact; do
    same "sum $level" sum x.txt --accuracy $level
    same "var $level" var x.txt --accuracy $level --ddof 1
done
same "nrm2" nrm2 x.txt
same "nrm2 exact, f32" nrm2 x.txt --dtype f32 --accuracy exact
same "mean tree" mean x.txt --accuracy tree
same "mean exact, wide" mean x.txt --dtype f32 --wide --accuracy exact
same "std kahan, f32" std x.txt --dtype f32 --accuracy kahan
same "dot exact" dot x.txt y.txt --accuracy exact
same "asum f32" asum x.txt --dtype f32
same "sumsq wide" sumsq x.txt --dtype f32 --wide
same "dot" dot x.txt y.txt
printf '1\n2\n3\n' >three.txt
for chunk in 1 2 3 4; do
    bits "three numbers in chunks of $chunk" 0x4018000000000000 sum three.txt --chunk $chunk
done

# 1e16, 65534 zeros, -1e16, 1, zeros
awk 'BEGIN { print "1e16"; for (i = 0; i < 65534; i++) print 0; print "-1e16"; print 1
    for (i = 0; i < 3000; i++) print 0 }' >cancel.txt
for chunk in 7 4096 1000000; do
    bits "1e16 ... -1e16 1 in chunks of $chunk" 0x3ff0000000000000 sum cancel.txt --chunk $chunk
done
awk 'BEGIN { print 16777216; for (i = 0; i < 1000; i++) print 1 }' >stall.txt
gives "a sum that stalls at 2^24" 0x1.0003e8p+24 sum stall.txt --dtype f32 --output hex
awk 'BEGIN { for (i = 0; i < 2000000; i++) print i - 999999.5 }' >ramp.txt
bits "f32 i - 999999.5, i < 2000000" 0x00000000 sum ramp.txt --dtype f32
for threads in 1 2 5; do
    bits "the same, exact, $threads threads" 0x00000000 \
        sum ramp.txt --dtype f32 --accuracy exact --threads $threads
done
bits "its mean, exact" 0x00000000 mean ramp.txt --dtype f32 --accuracy exact
finish
