#!/bin/sh
# .npy files: versions, byte orders, memory orders, and everything that can be wrong with them.
. "${0%/*}/lib.sh"

{ npy 1 "$(dict '<f8' '(10,)')" && le $one_to_ten; } >plain.npy
{ npy 1 "$(dict '>f8' '(10,)')" && be $one_to_ten; } >big.npy
{ npy 2 "$(dict '<f8' '(10,)')" && le $one_to_ten; } >version2.npy
{ npy 3 "$(dict '<f8' '(10,)')" && le $one_to_ten; } >version3.npy
{ npy 1 "$(dict '<f8' '(10,)')" 400 && le $one_to_ten; } >long.npy
{ npy 1 "$(dict '<f8' '(10,)')" 1 && le $one_to_ten; } >unaligned.npy
{ npy 1 "$(dict '<f4' '(2, 2)')" && le $one_to_four_f32; } >f32.npy
{ npy 1 "$(dict '>f4' '(2, 2)')" && be $one_to_four_f32; } >f32big.npy
{ npy 1 "{'shape':(10L,),\"descr\":\"<f8\",'fortran_order':False}" && le $one_to_ten; } >odd.npy
for f in plain big version2 version3 long unaligned odd; do
    bits "$f.npy: 1 + ... + 10" $fifty_five sum $f.npy
    bits "$f.npy in chunks of 3" $fifty_five sum $f.npy --chunk 3
    bits "$f.npy on standard input" $fifty_five sum - <$f.npy
    cat $f.npy | bits "$f.npy through a pipe" $fifty_five sum -
    bits "$f.npy, dot with itself" 0x4078100000000000 dot $f.npy $f.npy
done
bits "binary32" 0x41200000 sum f32.npy
bits "binary32, big-endian" 0x41200000 sum f32big.npy
bits "binary32, wide" 0x4024000000000000 sum f32.npy --wide
bits "--dtype that agrees" $fifty_five sum plain.npy --dtype f64
cp plain.npy plain.txt
bits "--format npy whatever the name" $fifty_five sum plain.txt --format npy

# Fortran order: [[1, 2, 3], [4, 5, 6]] stored column by column. The order shows in dot with the same
# array in C order.
{ npy 1 "$(dict '<f8' '(2, 3)' True)" && le 3ff0000000000000 4010000000000000 4000000000000000 \
    4014000000000000 4008000000000000 4018000000000000; } >fortran.npy # 1 4 2 5 3 6
{ npy 1 "$(dict '>f8' '(2, 3)' True)" && be 3ff0000000000000 4010000000000000 4000000000000000 \
    4014000000000000 4008000000000000 4018000000000000; } >fortranbig.npy
{ npy 1 "$(dict '<f8' '(2, 3)')" && le 3ff0000000000000 4000000000000000 4008000000000000 \
    4010000000000000 4014000000000000 4018000000000000; } >c.npy # 1 2 3 4 5 6
for f in fortran.npy fortranbig.npy; do
    bits "$f: sum" 0x4035000000000000 sum $f
    bits "$f: dot with the same in C order" 0x4056c00000000000 dot $f c.npy
    bits "$f: dot, the other way round" 0x4056c00000000000 dot c.npy $f
    bits "$f: dot in chunks" 0x4056c00000000000 dot c.npy $f --chunk 1
    cat $f | bits "$f through a pipe" 0x4056c00000000000 dot - c.npy
done
# Three axes of different lengths: element (i, j, k) of shape (2, 2, 3) is its C index.
{ npy 1 "$(dict '<f8' '(2, 2, 3)' True)" && le 0000000000000000 4018000000000000 4008000000000000 \
    4022000000000000 3ff0000000000000 401c000000000000 4010000000000000 4024000000000000 \
    4000000000000000 4020000000000000 4014000000000000 4026000000000000; } >f3.npy
{ npy 1 "$(dict '<f8' '(2, 2, 3)')" && le 0000000000000000 3ff0000000000000 4000000000000000 \
    4008000000000000 4010000000000000 4014000000000000 4018000000000000 401c000000000000 \
    4020000000000000 4022000000000000 4024000000000000 4026000000000000; } >c3.npy
bits "three axes in Fortran order" 0x407fa00000000000 dot f3.npy c3.npy
bits "three axes in Fortran order, chunks of 5" 0x407fa00000000000 dot f3.npy c3.npy --chunk 5

# Empty ranges and single values.
npy 1 "$(dict '<f8' '(0,)')" >empty.npy
npy 1 "$(dict '<f8' '(3, 0, 2)' True)" >empty3.npy
{ npy 1 "$(dict '<f8' '()')" && le 4008000000000000; } >scalar.npy
for f in empty empty3; do
    bits "$f.npy is an empty range" 0x0000000000000000 sum $f.npy
    cat $f.npy | bits "$f.npy through a pipe" 0x0000000000000000 sum -
done
bits "an array without axes" 0x4008000000000000 sum scalar.npy

# What is wrong.
head -c 140 plain.npy >truncated.npy
{ cat plain.npy && printf x; } >trailing.npy
{ cat empty.npy && printf x; } >trailing0.npy
head -c 7 plain.npy >magic.npy
head -c 40 plain.npy >header.npy
: >zero.npy
for f in truncated trailing trailing0 magic header; do
    refuses "$f.npy" 1 "$f.npy" sum $f.npy
    refuses "$f.npy in chunks" 1 "$f.npy" sum $f.npy --chunk 4
    cat $f.npy | refuses "$f.npy through a pipe" 1 "-: " sum - --format npy
done
refuses "truncated says so" 1 "truncated" sum truncated.npy
refuses "a file of zero bytes" 1 "not a valid .npy" sum zero.npy
refuses "nothing on standard input, but --format npy" 1 "not a valid .npy" sum - --format npy </dev/null
echo 1 >text.npy
refuses "a text with the wrong name" 1 "NUMPY" sum text.npy
{ npy 4 "$(dict '<f8' '(1,)')" && le 3ff0000000000000; } >version4.npy
refuses "version 4" 1 "version 4.0" sum version4.npy
for type in '<i4:integers' '|u1:integers' '|b1:booleans' '|V2:bf16' '<u8:integers' '|f8:|f8' \
    '<f16:holds 16-byte long double; round it to f64' '>f16:16-byte long double' '<f12:12-byte long double' \
    "<c32:pairs of 16-byte long double; round them to c128" '|O:holds Python objects; where they are numbers' \
    '<U3:holds text; where it spells numbers' '|S5:holds text' '<M8[s]:<M8' '|V3:|V3' ':'; do
    npy 1 "$(dict "${type%%:*}" '(0,)')" >type.npy
    refuses "type '${type%%:*}'" 1 "${type#*:}" sum type.npy
done
npy 1 "$(dict '<f16' '(0,)')" >type.npy
refuses "long double is no f16" 1 "convert" sum type.npy
if grep -q f16 err; then fail "and is not called so" "$(cat err)"; else pass "and is not called so"; fi
refuses "long double with --dtype" 1 "long double" sum type.npy --dtype f16
refuses "nor is it a mask" 1 "holds 16-byte long double, and a mask is" sum plain.npy --mask type.npy
npy 1 "$(dict '|O' '(0,)')" >type.npy
refuses "objects need allow_pickle" 1 "np.load(..., allow_pickle=True).astype('f8')" sum type.npy
npy 1 "$(dict '<i4' '(0,)')" >int.npy
refuses "integers: what to do" 1 "astype" sum int.npy
npy 1 "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (0,)}" >record.npy
refuses "records" 1 "fields" sum record.npy
refuses "--dtype that contradicts" 1 "contradicts" sum plain.npy --dtype f32
refuses "--wide with f64" 2 "--wide" sum plain.npy --wide
n=0
while IFS= read -r header; do
    n=$((n + 1))
    { npy 1 "$header" && le $one_to_ten; } >bad.npy
    refuses "bad header: $header" 1 "bad.npy: not a valid .npy" sum bad.npy
done <<'X'
{'descr': '<f8', 'fortran_order': False}
{'descr': '<f8', 'shape': (10,)}
{'fortran_order': False, 'shape': (10,)}
{'descr': '<f8', 'fortran_order': 0, 'shape': (10,)}
{'descr': '<f8', 'fortran_order': False, 'shape': 10}
{'descr': '<f8', 'fortran_order': False, 'shape': (10)}
{'descr': '<f8', 'fortran_order': False, 'shape': (-10,)}
{'descr': '<f8', 'fortran_order': False, 'shape': (ten,)}
{'descr': '<f8', 'fortran_order': False, 'shape': (10,
{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}
{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}
{'descr': '<f8', 'fortran_order': False, 'shape': (10,), 'more': 1}
{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (10,)}
{'descr': '<f8', 'fortran_order': False, 'shape': (10,)} x
['descr', '<f8']
X

# dot: type and shape.
refuses "dot of two types" 1 "one type" dot c.npy f32.npy
refuses "dot of two lengths" 1 "shape" dot c.npy plain.npy
{ npy 1 "$(dict '<f8' '(3, 2)')" && le $(echo $one_to_ten | cut -d' ' -f1-6); } >c32.npy
{ npy 1 "$(dict '<f8' '(6,)')" && le $(echo $one_to_ten | cut -d' ' -f1-6); } >c6.npy
refuses "dot of (2, 3) and (3, 2)" 1 "(3, 2)" dot c.npy c32.npy
refuses "dot of (2, 3) and (6,)" 1 "(6,)" dot c.npy c6.npy
printf '1\n2\n3\n4\n5\n6\n' >six.txt
bits "dot of (6,) and a text" 0x4056c00000000000 dot c6.npy six.txt
refuses "dot of (2, 3) and a text of six" 1 "(2, 3)" dot c.npy six.txt
refuses "dot of a text of six and (2, 3)" 1 "(2, 3)" dot six.txt c.npy
finish
