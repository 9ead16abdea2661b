#!/bin/sh
# --axis and -o: one result for each row, in C order, as a line each or as an .npy file.
. "${0%/*}/lib.sh"

# (2, 3, 4): 0 to 23. In Fortran order element (i, j, k) lies at i + 2 j + 6 k.
indices=$(awk 'BEGIN { for (i = 0; i < 24; i++) print i }')
indices_f=$(awk 'BEGIN { for (k = 0; k < 4; k++) for (j = 0; j < 3; j++) for (i = 0; i < 2; i++) print 12 * i + 4 * j + k }')
array c.npy '<f8' '(2, 3, 4)' $(hex64 $indices)
array be.npy '>f8' '(2, 3, 4)' $(hex64 $indices)
fortran f.npy '<f8' '(2, 3, 4)' $(hex64 $indices_f)
fortran fbe.npy '>f8' '(2, 3, 4)' $(hex64 $indices_f)
array c32.npy '<f4' '(2, 3, 4)' $(hex32 $indices)
decimals() { # NAME EXPECTED ARGUMENT... : the decimals of the text output, in one line
    decimals_name=$1 decimals_expected=$2
    shift 2
    run "$@"
    if [ $status -eq 0 ] && [ "$(cut -d' ' -f1 out | xargs)" = "$decimals_expected" ]; then
        pass "$decimals_name"
    else
        fail "$decimals_name" "exit $status: $(cut -d' ' -f1 out | xargs), $(head -n 1 err)"
    fi
}
for file in c.npy be.npy f.npy fbe.npy c32.npy "c.npy --chunk 5" "be.npy --chunk 5" "f.npy --threads 3"; do
    decimals "$file, axis 0" "12 14 16 18 20 22 24 26 28 30 32 34" sum $file --axis 0
    decimals "$file, axis -3" "12 14 16 18 20 22 24 26 28 30 32 34" sum $file --axis -3
    decimals "$file, axis 1" "12 15 18 21 48 51 54 57" sum $file --axis 1
    decimals "$file, axis 2" "6 22 38 54 70 86" sum $file --axis=2
    decimals "$file, axis -1" "6 22 38 54 70 86" sum $file --axis -1
done
cat be.npy | decimals "a pipe" "6 22 38 54 70 86" sum - --axis 2
decimals "mean" "1.5 5.5 9.5 13.5 17.5 21.5" mean c.npy --axis 2
decimals "var" "16 16 16 16 16 16 16 16" var f.npy --axis 1 --ddof 1
decimals "std, exact" "6 6 6 6 6 6 6 6 6 6 6 6" std c.npy --axis 0 --accuracy exact
decimals "sumsq, tree" "14 126 366 734 1230 1854" sumsq c32.npy --axis 2 --accuracy tree
decimals "asum, kahan" "6 22 38 54 70 86" asum c.npy --axis 2 --accuracy kahan
array legs.npy '<f8' '(2, 2)' $(hex64 3 4 5 12)
decimals "nrm2" "5 13" nrm2 legs.npy --axis 1
decimals "dot, row by row" "14 126 366 734 1230 1854" dot c.npy f.npy --axis -1
decimals "min" "0 1 2 3 12 13 14 15" min c.npy --axis 1
decimals "max" "12 13 14 15 16 17 18 19 20 21 22 23" max f.npy --axis 0
decimals "argmax" "1 1 1 1 1 1 1 1 1 1 1 1" argmax c.npy --axis 0
decimals "argmin" "0 0 0 0 0 0" argmin f.npy --axis 2
gives "a vector has one row" 0x1.14p+8 sum - --axis -1 --output hex <<Y
$indices
Y
lines 1 2 3 >x.txt
decimals "a text" 6 sum x.txt --axis 0
le $one_to_ten >x.f64
decimals "raw data" 55 sum x.f64 --axis 0
gives "bits" "$(lines 0x4018000000000000 0x4036000000000000 0x4043000000000000 0x404b000000000000 0x4051800000000000 0x4055800000000000)" \
    sum c.npy --axis 2 --output bits

# JSON: an array with the counts of each row.
array rows.npy '<f8' '(2, 2)' 3ff0000000000000 7ff8000000000000 4000000000000000 4008000000000000
gives "json" '[{"op": "sum", "level": "compensated", "dtype": "f64", "result_type": "f64", "n": 2, "value": "nan", "hex": "nan", "bits": "0x7ff8000000000000", "masked": 0, "nonfinite": {"count": 1, "first": 1}, "arithmetic": 1},
 {"op": "sum", "level": "compensated", "dtype": "f64", "result_type": "f64", "n": 2, "value": "5", "hex": "0x1.4p+2", "bits": "0x4014000000000000", "masked": 0, "nonfinite": {"count": 0, "first": null}, "arithmetic": 1}]' \
    sum rows.npy --axis 1 --output json
said "stderr counts in the file" "rows.npy: 1 non-finite values, first at index 1"
array late.npy '<f8' '(2, 2)' 3ff0000000000000 4000000000000000 7ff0000000000000 7ff8000000000000
run sum late.npy --axis 0
said "by columns too" "late.npy: 2 non-finite values, first at index 2"
run sum late.npy --axis 1
said "and by rows" "late.npy: 2 non-finite values, first at index 2"
array last.npy '<f8' '(2, 2, 2)' $(hex64 1 2 3 4 5 6) 7ff0000000000000 7ff8000000000000
for axis in 0 1 2; do
    run sum last.npy --axis $axis
    said "in the file's order, axis $axis" "last.npy: 2 non-finite values, first at index 6"
done
refuses "--fail-on-nonfinite" 1 "late.npy: 2 non-finite" sum late.npy --axis 1 --fail-on-nonfinite
prints "json: masked counts" '"n": 1, "value": "1"' sum rows.npy --axis 1 --missing nan --output json

# Shapes with zeros and ones.
array none.npy '<f8' '(3, 0)'
gives "rows without elements" "$(lines 0x0p+0 0x0p+0 0x0p+0)" sum none.npy --axis 1 --output hex
gives "no rows" "" sum none.npy --axis 0 --output hex
gives "no rows, json" "[]" sum none.npy --axis 0 --output json
gives "means of nothing" "$(lines nan nan nan)" mean none.npy --axis 1 --output hex
said "and why" "none.npy: too few values for a mean in 3 of 3 rows, the first is row 0: the result is NaN there"
array ones.npy '<f8' '(1, 3, 1)' $(hex64 1 2 3)
decimals "an axis of one index" "1 2 3" sum ones.npy --axis 0
decimals "the other one" "1 2 3" sum ones.npy --axis 2
decimals "between them" 6 sum ones.npy --axis 1
array huge.npy '<f8' '(4294967296, 4294967296, 0)'
refuses "more rows than memory" 1 "too many results" sum huge.npy --axis 2
gives "no rows of many" "" sum huge.npy --axis 0 --output hex
gives "nothing in all" 0x0p+0 sum huge.npy --output hex
axes=1
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35; do
    axes="$axes, 1"
done
array many.npy '<f8' "($axes, 3)" $(hex64 1 2 3)
decimals "37 axes" 6 sum many.npy
decimals "37 axes, the last" 6 sum many.npy --axis 36
decimals "37 axes, the first" "1 2 3" sum many.npy --axis 0

# More rows than are computed at a time.
{ npy 1 "$(dict '<f4' '(300000, 2)')" && head -c 2399992 /dev/zero && le 3f800000 7f800000; } >long.npy
run sum long.npy --axis 1 --output bits
if [ "$(wc -l <out)" -eq 300000 ] && [ "$(sort -u out | xargs)" = "0x00000000 0x7f800000" ] &&
    [ "$(tail -n 1 out)" = 0x7f800000 ]; then pass "300000 rows"; else fail "300000 rows" "$(cat err)"; fi
said "the last element" "long.npy: 1 non-finite values, first at index 599999"
gives "300000 indices in a row" "$(lines 299999 299999)" argmax long.npy --axis 0

# What is refused.
refuses "an axis that is not there" 1 "there is no axis 3" sum c.npy --axis 3
refuses "a negative one" 1 "there is no axis -4" sum c.npy --axis -4
array scalar.npy '<f8' '()' 4008000000000000
refuses "an axis of a number" 1 "there is no axis 0" sum scalar.npy --axis 0
refuses "axis 1 of a text" 1 "there is no axis 1" sum x.txt --axis 1
refuses "argmin of an empty row" 1 "row 0, counted from 0" argmin none.npy --axis 1
array hole.npy '|b1' '(2, 3, 4)' $(awk 'BEGIN { for (i = 0; i < 24; i++) printf "%02x ", (i < 16 || i > 19) }')
refuses "argmax of a row without elements" 1 "row 4, counted from 0" argmax c.npy --axis 2 --mask hole.npy
refuses "--axis and --stride" 2 "leave one away" sum c.npy --axis 0 --stride 2
for value in '' x 1.0 1e0 -- +1 ' 1' 99999999999999999999; do
    refuses "--axis '$value'" 2 "--axis" sum c.npy --axis "$value"
done
refuses "--axis of audit" 2 "--axis is not an option of audit" audit c.npy --axis 0
array other.npy '<f8' '(2, 4, 3)' $(hex64 $indices)
refuses "dot of two shapes" 1 "one shape" dot c.npy other.npy --axis 0

# -o: what it writes can be read again.
written() { # NAME HEADER FILE ARGUMENT... : exit 0, nothing printed, this header in the file
    written_name=$1 header=$2 file=$3
    shift 3
    run "$@" -o "$file"
    if [ $status -ne 0 ] || [ -s out ]; then fail "$written_name" "exit $status: $(cat out err)"
    elif ! head -c 128 "$file" | tr '\0' ' ' | grep -a -F -q -e "$header"; then
        fail "$written_name" "$(head -c 128 "$file" | tail -c +11)"
    else pass "$written_name"; fi
}
written "-o" "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }" o.npy sum c.npy --axis 1
decimals "its largest elements" "21 57" max o.npy --axis -1
decimals "its rows" "66 210" sum o.npy --axis 1
written "an existing file is replaced" "'<f4', 'fortran_order': False, 'shape': (2, 3), }" o.npy sum c32.npy --axis 2
decimals "by the new elements" "60 92 124" sum o.npy --axis 0
decimals "by the new rows" "66 210" sum o.npy --axis 1
written "one axis" "'<f8', 'fortran_order': False, 'shape': (3, 1), }" o.npy sum ones.npy --axis 0
written "wide results" "'<f8', 'fortran_order': False, 'shape': (2, 3), }" o.npy sum c32.npy --axis 2 --wide
written "without --axis: no axes" "'<f8', 'fortran_order': False, 'shape': (), }" o.npy sum c.npy
decimals "one number" 276 sum o.npy
written "indices" "'<u8', 'fortran_order': False, 'shape': (3, 4), }" o.npy argmax c.npy --axis 0
if [ "$(tail -c 96 o.npy | od -An -v -t u8 | xargs)" = "1 1 1 1 1 1 1 1 1 1 1 1" ]; then pass "are right"
else fail "are right"; fi
array c64.npy '<c8' '(2, 1)' $(hex32 1 2 3 4)
written "complex" "'<c8', 'fortran_order': False, 'shape': (1,), }" o.npy sum c64.npy --axis 0
bits "its element" "0x40800000 0x40c00000" sum o.npy
le 3c00 4000 >x.f16
written "f16" "'<f2', 'fortran_order': False, 'shape': (), }" o.npy sum x.f16 --result-type input
bits "its number" 0x4200 sum o.npy --result-type input
le 3f80 4000 >x.bf16
written "bf16" "'<V2', 'fortran_order': False, 'shape': (), }" o.npy sum x.bf16 --result-type input
bits "its number too" 0x4040 sum o.npy --result-type input --dtype bf16
written "no rows" "'<f8', 'fortran_order': False, 'shape': (0,), }" o.npy sum none.npy --axis 0
decimals "none to be read" 0 sum o.npy
cp c.npy self.npy
written "over its own input" "'<f8', 'fortran_order': False, 'shape': (2, 3), }" self.npy sum self.npy --axis 2
decimals "which was read before" "276" sum self.npy
for size in o.npy self.npy; do
    offset=$(($(wc -c <$size) % 8))
    if [ $offset -eq 0 ]; then pass "$size: the length"; else fail "$size: the length"; fi
done
if [ "$(find . -name '*.npy.*')" ]; then fail "nothing is left beside"; else pass "nothing is left beside"; fi
mkdir folder
ln -s ../c32.npy folder/link.npy
written "a link keeps pointing" "'<f8'" folder/link.npy sum c.npy
if [ -L folder/link.npy ]; then pass "and is a link"; else fail "and is a link"; fi
decimals "to the new file" 276 sum c32.npy

keeps() { # NAME ARGUMENT... : the run fails and o.npy is as before
    cp c.npy o.npy
    keeps_name=$1
    shift
    run "$@" -o o.npy
    if [ $status -eq 1 ] && cmp -s c.npy o.npy; then pass "$keeps_name"
    else fail "$keeps_name" "exit $status: $(cat err)"; fi
}
keeps "an empty row leaves -o alone" argmin none.npy --axis 1
keeps "so does --fail-on-nonfinite" sum rows.npy --axis 1 --fail-on-nonfinite
refuses "no such folder" 1 "missing/o.npy" sum c.npy --axis 0 -o missing/o.npy
refuses "a folder" 1 "folder" sum c.npy --axis 0 -o folder
refuses "-o -" 2 "-o needs the name of a file" sum c.npy -o -
refuses "-o ''" 2 "-o needs the name of a file" sum c.npy -o ''
refuses "-o and --output" 2 "leave one away" sum c.npy -o o.npy --output bits
refuses "-o of audit" 2 "-o is not an option of audit" audit c.npy -o o.npy
finish
