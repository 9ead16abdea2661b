#!/bin/sh
# The command line: operations, options, values, and how each mistake is answered.
. "${0%/*}/lib.sh"

le $one_to_ten >x.f64
le $one_to_four_f32 >x.f32
printf '1\n2\n' >x.txt

refuses "no operation" 2 "samesum --help"
refuses "an unknown operation" 2 "'total'" total x.f64
refuses "no file" 2 "sum takes one file" sum
refuses "two files for sum" 2 "sum takes one file" sum x.f64 x.f64
refuses "one file for dot" 2 "dot takes two files" dot x.f64
refuses "three files for dot" 2 "dot takes two files" dot x.f64 x.f64 x.f64
refuses "a file for info" 2 "info takes no file" info x.f64
refuses "an unknown option" 2 "--quick" sum x.f64 --quick
refuses "an unknown letter" 2 "-z" sum x.f64 -z
refuses "an unknown word after one dash" 2 "unknown option -quick;" sum x.f64 -quick
for odd in -é --é -—axis; do # the last as some editors write two dashes
    refuses "$odd" 2 "unknown option $odd;" sum x.f64 $odd
done
refuses "a missing value" 2 "--accuracy needs a value" sum x.f64 --accuracy
refuses "a value too many" 2 "--wide" sum x.f32 --wide=yes

refuses "audit --html" 2 "--html is not supported yet" audit x.f64 --html r.html

refuses "--conj belongs to dot" 2 "belongs to dot" sum x.f64 --conj
refuses "--ddof belongs to var and std" 2 "belongs to var, std" sum x.f64 --ddof 1
for op in asum sumsq nrm2 mean; do
    refuses "--ddof with $op" 2 "--ddof is not an option of $op; it belongs to var, std" $op x.f64 --ddof 1
done
refuses "--ddof with dot" 2 "belongs to var, std" dot x.f64 x.f64 --ddof 0
refuses "--ddof with audit" 2 "belongs to var, std" audit x.f64 --ddof 1
refuses "--nan belongs to min, max, argmin, argmax" 2 "min, max, argmin, argmax" sum x.f64 --nan ignore
refuses "--weights belongs to sum and mean" 2 "belongs to sum, mean" dot x.f64 x.f64 --weights w.npy
refuses "--weights with asum" 2 "belongs to sum, mean" asum x.f64 --weights w.npy
for op in sum asum sumsq nrm2 mean var std; do
    refuses "--nan with $op" 2 "--nan is not an option of $op" $op x.f64 --nan propagate
    refuses "--conj with $op" 2 "--conj is not an option of $op; it belongs to dot" $op x.f64 --conj
done
for op in asum sumsq nrm2 var std min max argmin argmax; do
    refuses "--weights with $op" 2 "--weights is not an option of $op" $op x.f64 --weights x.f64
done
refuses "--html belongs to audit" 2 "belongs to audit" sum x.f64 --html r.html
refuses "--op belongs to golden" 2 "belongs to golden" sum x.f64 --op sum
refuses "--update belongs to golden" 2 "belongs to golden" sum x.f64 --update
refuses "--tolerance belongs to golden" 2 "belongs to golden" sum x.f64 --tolerance 1
refuses "--size belongs to bench" 2 "belongs to bench" sum x.f64 --size 1
refuses "--accuracy with audit" 2 "--accuracy is not an option of audit" audit x.f64 --accuracy tree
refuses "--chunk with audit" 2 "--chunk" audit x.f64 --chunk 3
refuses "--output bits with audit" 2 "--output" audit x.f64 --output bits
refuses "--dtype with selftest" 2 "--dtype" selftest --dtype f64

refuses "--accuracy best" 2 "'best'" sum x.f64 --accuracy best
refuses "--accuracy ''" 2 "--accuracy" sum x.f64 --accuracy ''
refuses "--backend sse" 2 "'sse'" sum x.f64 --backend sse
refuses "--format csv" 2 "'csv'" sum x.txt --format csv
refuses "--dtype float" 2 "'float'" sum x.txt --dtype float
refuses "--output xml" 2 "'xml'" sum x.f64 --output xml
refuses "--result-type f64" 2 "'f64'" sum x.f64 --result-type f64
for option in threads chunk column skip-lines; do
    for value in '' -1 +1 1e3 1.0 0x1 ' 1' '1 ' x 99999999999999999999; do
        refuses "--$option '$value'" 2 "--$option" sum x.txt --$option "$value"
    done
done
for value in '' -1 +1 1e3 1.0 0x1 ' 1' x 4294967296; do
    refuses "--ddof '$value'" 2 "--ddof" var x.txt --ddof "$value"
done
refuses "--threads 0" 2 "--threads" sum x.f64 --threads 0
refuses "--chunk 0" 2 "--chunk" sum x.f64 --chunk 0
refuses "--threads beyond int" 2 "--threads" sum x.f64 --threads 2147483648
refuses "--wide with --dtype f64" 2 "--wide" sum x.txt --dtype f64 --wide
refuses "--wide with a text of f64" 2 "--wide" sum x.txt --wide
refuses "--wide with --result-type input" 2 "--wide" sum x.f32 --wide --result-type input
refuses "--nan skip" 2 "'skip'" min x.f64 --nan skip
refuses "--conj of real data" 2 "--conj is for complex data" dot x.f64 x.f64 --conj
refuses "--conj=yes" 2 "takes no value" dot x.f64 x.f64 --conj=yes

SAMESUM_BACKEND=sse
export SAMESUM_BACKEND
refuses "SAMESUM_BACKEND=sse" 2 "SAMESUM_BACKEND=sse" sum x.f64
refuses "audit under SAMESUM_BACKEND=sse" 2 "SAMESUM_BACKEND=sse" audit x.f64
refuses "selftest under SAMESUM_BACKEND=sse" 2 "SAMESUM_BACKEND=sse" selftest
bits "--backend goes before SAMESUM_BACKEND" $fifty_five sum x.f64 --backend scalar
unset SAMESUM_BACKEND
have=$("$SAMESUM" info | sed -n 's/^backends//p')
for backend in scalar avx2 avx512 neon; do
    case " $have " in
    *" $backend "*) bits "--backend $backend" $fifty_five sum x.f64 --backend $backend ;;
    *)
        refuses "--backend $backend, which this machine lacks" 1 "$backend" sum x.f64 --backend $backend
        refuses "audit with it" 1 "$backend" audit x.f64 --backend $backend
        refuses "selftest with it" 1 "$backend" selftest --backend $backend
        refuses "bench with it" 1 "$backend" bench --size 1 --backend $backend
        SAMESUM_BACKEND=$backend
        export SAMESUM_BACKEND
        refuses "SAMESUM_BACKEND=$backend" 1 "SAMESUM_BACKEND=$backend" sum x.f64
        unset SAMESUM_BACKEND
        ;;
    esac
done
bits "--backend auto" $fifty_five sum x.f64 --backend auto

bits "options before the operation" $fifty_five --threads 2 sum x.f64
bits "options before the file" $fifty_five sum --threads=2 x.f64
for option in '--accuracy exact' '--threads 1' '--backend scalar' '--chunk 3' '--format raw' '--dtype f64' \
    '--skip-lines 0' '--column 0' '--result-type input' '--output hex' '--stride 2' '--mask m.npy' \
    '--missing 9' '--weights x.f64' '-o o.npy'; do
    refuses "$option twice" 2 "${option% *} is given twice" sum x.f64 $option $option
done
refuses "two values of one option" 2 "--missing is given twice" sum x.f64 --missing 9 --missing=5
refuses "two axes" 2 "--axis is given twice; the program reduces along one, the library along several" \
    sum x.f64 --axis 1 --axis 2
refuses "a list of axes" 2 "'0,1' names several axes; the program reduces along one" sum x.f64 --axis 0,1
gives "a switch twice" 0x4024000000000000 sum x.f32 --wide --wide --output bits
for value in 1.5 - 1e0; do
    for option in axis stride; do
        refuses "--$option $value" 2 "--$option: '$value' is not a whole number" sum x.f64 --$option $value
        said "whichever sign --$option $value has" "samesum: --$option: '$value' is not a whole number"
    done
done
bits "--result-type input" $fifty_five sum x.f64 --result-type input
gives "-- before a file" $fifty_five sum --output bits -- x.f64
cp x.f64 ./-x.f64
run sum --output bits -- -x.f64
if [ "$(cat out)" = $fifty_five ]; then pass "a file with a dash"; else fail "a file with a dash" "$(cat err)"; fi
POSIXLY_CORRECT=1
export POSIXLY_CORRECT
bits "POSIXLY_CORRECT changes nothing" $fifty_five sum x.f64
unset POSIXLY_CORRECT

prints "--help" "samesum OP FILE" --help
prints "sum --help" "--accuracy" sum --help
for op in sum asum sumsq nrm2 mean var std min max argmin argmax audit selftest bench info; do
    prints "--help names $op" "  $op " --help
done
for option in --accuracy --wide --threads --backend --chunk --format --dtype --skip-lines --column \
    --result-type --fail-on-nonfinite --output --axis --stride --mask --missing --weights --conj --ddof \
    --nan -o; do
    prints "--help names $option" "  $option " --help
done
for word in f64 f32 f16 bf16 c64 c128 sum argmax exact; do
    prints "info names $word" " $word" info
done
prints "--help names --ddof" "--ddof D" --help
prints "--version" "samesum 0.1.0" --version
finish
