#!/bin/sh
# Standard input: .npy by its magic, else text with commas or blanks, or what --format says.
. "${0%/*}/lib.sh"

{ npy 1 "$(dict '<f8' '(10,)')" && le $one_to_ten; } >ten.npy
printf '1\n2\n3\n' | bits "text" 0x4018000000000000 sum -
printf '1 2\n3 4\n' | bits "blanks" 0x4018000000000000 sum - --column 1
printf '1,2\n3 4\n 5 , 6\n' | bits "commas where a line has one, else blanks" 0x4028000000000000 \
    sum - --column 1
printf '1' | bits "less than a magic" 0x3ff0000000000000 sum -
printf '' | bits "nothing" 0x0000000000000000 sum -
printf '0.1\n' | bits "text as f32" 0x3dcccccd sum - --dtype f32
cat ten.npy | bits "npy" $fifty_five sum -
cat ten.npy | bits "npy said" $fifty_five sum - --format npy
bits "npy redirected" $fifty_five sum - <ten.npy
printf '1\n' | refuses "no npy though said" 1 "not a valid .npy" sum - --format npy
cat ten.npy | refuses "npy as a text" 1 "-: line 1" sum - --format text
printf '1\nx\n' | refuses "no number" 1 "-: line 2, column 0: 'x'" sum -
printf '1 2\n' | refuses "several fields" 1 "--column" sum -
printf '1\n2\n3\n' >three.txt
printf '1\n2\n3\n' | bits "dot with a file" 0x402c000000000000 dot - three.txt
"$SAMESUM" sum - --output bits <&- >out 2>err
if [ $? -eq 1 ] && [ ! -s out ]; then pass "standard input closed"; else fail "standard input closed"; fi
finish
