#!/bin/sh
# --accuracy exact: the correctly rounded value, whatever the order.
. "${0%/*}/lib.sh"

exact() { # NAME HEX OPERATION INPUT [ARGUMENT...] : the printf format INPUT as a text
    exact_name=$1 exact_hex=$2 exact_op=$3
    printf -- "$4" >input.txt
    shift 4
    gives "$exact_name" "$exact_hex" "$exact_op" input.txt --accuracy exact --output hex "$@"
}

# Overflow that depends on the order: all 24 of it.
for a in 1.5 1.2 -1.4 -1.1; do
    for b in 1.5 1.2 -1.4 -1.1; do
        for c in 1.5 1.2 -1.4 -1.1; do
            for d in 1.5 1.2 -1.4 -1.1; do
                [ "$(printf '%s\n' $a $b $c $d | sort -u | wc -l)" -eq 4 ] || continue
                exact "$a $b $c $d e308" 0x1.c7b1f3cac743p+1020 sum "${a}e308\n${b}e308\n${c}e308\n${d}e308\n"
            done
        done
    done
done

exact "1e300 1 1e-300 -1e300" 0x1p+0 sum '1e300\n1\n1e-300\n-1e300\n'
exact "1e300 -1e300 1e-300" 0x1.56e1fc2f8f359p-997 sum '1e300\n-1e300\n1e-300\n'
exact "ten times 0.1" 0x1p+0 sum "$(awk 'BEGIN { for (i = 0; i < 10; i++) printf "0.1\\n" }')"
exact "a tie goes to even" 0x1p+0 sum '1\n0x1p-53\n'
exact "just above a tie" 0x1.0000000000001p+0 sum '1\n0x1p-53\n0x1p-1074\n'
exact "just below a tie" 0x1p+0 sum '1\n0x1p-53\n-0x1p-1074\n'
exact "the same through f32 data" 0x1.000002p+0 sum '1\n0x1p-24\n0x1p-149\n' --dtype f32
exact "wide" 0x1.000001p+0 sum '1\n0x1p-24\n0x1p-149\n' --dtype f32 --wide
exact "asum" 0x1.0000000000001p+1 asum '1\n-0x1p-53\n0x1p-53\n-1\n-0x1p-200\n'
exact "sumsq: a subnormal square" 0x0.0000000000002p-1022 sumsq '0x1.8p-537\n'
exact "sumsq: squares below the range" 0x0.0000000000001p-1022 sumsq '0x1p-538\n-0x1p-538\n0x1p-538\n'
exact "sumsq: squares of subnormals" 0x0p+0 sumsq '5e-324\n5e-324\n'
exact "nrm2: squares of subnormals" 0x0.0000000000005p-1022 nrm2 '0x3p-1074\n-0x4p-1074\n'
exact "subnormal" 0x0.0000000000003p-1022 sum '0x1p-1074\n0x1p-1073\n'
exact "it does overflow" inf sum '0x1.fffffffffffffp1023\n0x1p970\n'
exact "just not" 0x1.fffffffffffffp+1023 sum '0x1.fffffffffffffp1023\n0x1.fffffffffffffp969\n'
exact "zeros" -0x0p+0 sum '-0\n-0\n'
exact "cancelled" 0x0p+0 sum '1\n-1\n-0\n'
printf '1e200\n1\n-1e200\n' >x.txt
printf '1e200\n1\n1e200\n' >y.txt
gives "dot: products beyond the range" 0x1p+0 dot x.txt y.txt --accuracy exact --output hex
cat x.txt | gives "dot with a pipe" 0x1p+0 dot - y.txt --accuracy exact --output hex --chunk 2
prints "json" '"level": "exact"' sum x.txt --accuracy exact --output json

# A mean outside of the data: 4,000,000 times 13090 and 13110 in binary32.
le 464c8800 464cd800 >pair
cp pair alt.f32
for i in 1 2 3 4 5 6; do cat alt.f32 alt.f32 alt.f32 alt.f32 alt.f32 >more && mv more alt.f32; done
for i in 1 2 3 4 5 6 7; do cat alt.f32 alt.f32 >more && mv more alt.f32; done
bits "mean of 4,000,000 values, exact" 0x464cb000 mean alt.f32 --accuracy exact
bits "std of 4,000,000 values, exact" 0x41200000 std alt.f32 --accuracy exact
prints "audit: the naive mean" "comes out as 12599.998 instead of 13100" audit alt.f32
prints "audit: flagged" "OUTSIDE of the data's own range, 13090 to 13110" audit alt.f32
prints "audit: how many" "4000000 values" audit alt.f32
prints "audit: and by how much" "MORE than the error bound" audit alt.f32
finish
