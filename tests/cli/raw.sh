#!/bin/sh
# Raw files, suffixes, and files that cannot be read.
. "${0%/*}/lib.sh"

le $one_to_ten >ten.f64
le $one_to_four_f32 >four.f32
cp ten.f64 ten.bin
cp ten.f64 ten.raw
cp ten.f64 ten.F64
cp four.f32 four.bin
cp ten.f64 nosuffix
cp ten.f64 ten.xyz
bits ".f64" $fifty_five sum ten.f64
bits ".F64" $fifty_five sum ten.F64
bits ".f32" 0x41200000 sum four.f32
bits ".f32, wide" 0x4024000000000000 sum four.f32 --wide
bits ".bin with --dtype" $fifty_five sum ten.bin --dtype f64
bits ".raw with --dtype" $fifty_five sum ten.raw --dtype f64
bits ".bin as f32" 0x41200000 sum four.bin --dtype f32
bits "--format raw" $fifty_five sum nosuffix --format raw --dtype f64
bits "--format raw knows the suffix" $fifty_five sum ten.f64 --format raw
bits "--dtype that agrees" $fifty_five sum ten.f64 --dtype f64
cat ten.f64 | bits "a pipe" $fifty_five sum - --format raw --dtype f64
cat ten.f64 | bits "a pipe in chunks" $fifty_five sum - --format raw --dtype f64 --chunk 3
bits "redirected" $fifty_five sum - --format raw --dtype f64 <ten.f64
{ dd bs=8 count=1 of=first 2>/dev/null; run sum - --format raw --dtype f64 --output bits; } <ten.f64
if [ "$(cat out)" = 0x404b000000000000 ]; then pass "standard input read in part before"
else fail "standard input read in part before" "$(cat out err)"; fi
bits "dot" 0x4078100000000000 dot ten.f64 ten.bin --dtype f64
cat ten.f64 | bits "dot with a pipe" 0x4078100000000000 dot ten.f64 - --format raw --dtype f64
: >empty.f64
: >empty.bin
bits "an empty raw file" 0x0000000000000000 sum empty.f64
bits "an empty .bin" 0x0000000000000000 sum empty.bin --dtype f64
bits "dot of empty files" 0x0000000000000000 dot empty.f64 empty.f64
bits "an empty pipe" 0x0000000000000000 sum - --format raw --dtype f64 </dev/null
bits "/dev/null" 0x0000000000000000 sum /dev/null --format raw --dtype f64

refuses ".bin without --dtype" 2 "--dtype" sum ten.bin
refuses ".raw without --dtype" 2 "--dtype" sum ten.raw
refuses "raw standard input without --dtype" 2 "--dtype" sum - --format raw </dev/null
refuses "no suffix" 2 "--format" sum nosuffix
refuses "unknown suffix" 2 "--format" sum ten.xyz
refuses "--dtype that contradicts the suffix" 1 "contradicts" sum ten.f64 --dtype f32
refuses "--wide with .f64" 2 "--wide" sum ten.f64 --wide
{ cat ten.f64 && printf abc; } >torn.f64
refuses "a torn element" 1 "multiple of 8" sum torn.f64
cat torn.f64 | refuses "a torn element in a pipe" 1 "multiple of 8" sum - --format raw --dtype f64
cat torn.f64 | refuses "a torn element in a pipe, chunks" 1 "multiple of 8" \
    sum - --format raw --dtype f64 --chunk 2
refuses "no such file" 1 "missing.f64: No such file" sum missing.f64
refuses "no such second file" 1 "missing.f64: No such file" dot ten.f64 missing.f64
mkdir folder.f64
refuses "a folder" 1 "directory" sum folder.f64
if [ "$(id -u)" -ne 0 ]; then
    chmod 0 ten.F64
    refuses "a file that may not be read" 1 "ermission" sum ten.F64
fi
head -c 72 ten.f64 >nine.f64
refuses "dot of two lengths" 1 "shape" dot ten.f64 nine.f64
cat nine.f64 | refuses "dot of two lengths, one a pipe" 1 "length" dot ten.f64 - --format raw --dtype f64
cat nine.f64 | refuses "dot, the pipe first" 1 "length" dot - ten.f64 --format raw --dtype f64 --chunk 3
refuses "dot of two types" 1 "one type" dot ten.f64 four.f32
refuses "standard input twice" 2 "only once" dot - - </dev/null
mkfifo pipe.f64
cat ten.f64 >pipe.f64 &
bits "a named pipe" $fifty_five sum pipe.f64
wait
cat ten.f64 >pipe.f64 &
refuses "the same named pipe twice" 1 "only once" dot pipe.f64 pipe.f64
wait
finish
