#!/bin/sh
# golden record and golden check: what is recorded, what a check finds, and what it does with files that
# are not what golden record wrote.
. "${0%/*}/lib.sh"

# ten VALUE : binary64, ten times
ten() {
    le $1 $1 $1 $1 $1 $1 $1 $1 $1 $1
}
tenth=3fb999999999999a

# moves NAME TEXT ARGUMENT... : exit 1, this on stderr, and nothing on stdout, of golden check
moves() {
    moves_name=$1 moves_text=$2
    shift 2
    refuses "$moves_name" 1 "$moves_text" golden check "$@"
}
# also NAME TEXT : the last run had this on stderr too
also() {
    if grep -F -q -e "$2" err; then pass "$1"; else fail "$1" "no '$2' on stderr: $(cat err)"; fi
}
holds() { # NAME FILE LINE : this very line is in the file
    if grep -F -x -q -e "$3" "$2"; then pass "$1"; else fail "$1" "$(cat "$2")"; fi
}
absent() { # NAME FILE
    if [ -e "$2" ]; then fail "$1" "$2 is there"; else pass "$1"; fi
}
same() { # NAME FILE FILE
    if cmp -s "$2" "$3"; then pass "$1"; else fail "$1" "$(diff "$2" "$3" 2>&1 | head -n 4)"; fi
}

# ---- record -------------------------------------------------------------------------------------

ten $tenth >x.f64
gives "record" "G: 1 entry recorded" golden record x.f64 --accuracy exact -o G
cat >expected <<END
samesum-golden format=1 arithmetic=1
0x3ff0000000000000 1 sum exact f64 (10,) n=10 min=0.1 max=0.1 nonfinite=0 options=- x.f64
END
same "what is recorded" expected G
gives "check" "G: 1 entry: 1 match" golden check G
gives "check on one thread" "G: 1 entry: 1 match" golden check G --threads 1
gives "check on the scalar backend" "G: 1 entry: 1 match" golden check G --backend scalar --chunk 3
refuses "record over a file" 1 "G: is there already" golden record x.f64 -o G
said "and its remedy" "samesum: G: is there already; samesum golden check G --update records its entries anew, and to record others give another name or remove it first"
ln -s nowhere dangling
refuses "record over a dangling link" 1 "is there already" golden record x.f64 -o dangling

le $one_to_four_f32 >y.f32
printf '1,10\n2,20\n3,nan\n' >t.csv
gives "several files and operations" "many: 6 entries recorded" \
    golden record x.f64 y.f32 --op sum,std --op nrm2 --ddof 1 -o many
holds "an entry with ddof" many \
    "0x3fa53f4e 1.2909944 std compensated f32 (4,) n=4 min=1 max=4 nonfinite=0 options=ddof=1 y.f32"
holds "an entry without" many \
    "0x40af456f 5.477226 nrm2 compensated f32 (4,) n=4 min=1 max=4 nonfinite=0 options=- y.f32"
gives "check of them" "many: 6 entries: 6 match" golden check many
gives "wide" "wide: 1 entry recorded" golden record y.f32 --wide --op mean --accuracy tree -o wide
holds "wide is recorded" wide \
    "0x4004000000000000 2.5 mean tree f32 (4,) n=4 min=1 max=4 nonfinite=0 options=wide y.f32"
gives "check of wide" "wide: 1 entry: 1 match" golden check wide
gives "text" "csv: 1 entry recorded" golden record t.csv --column 0 --dtype f32 --skip-lines 1 -o csv
holds "how a text was read" csv \
    "0x40a00000 5 sum compensated f32 (2,) n=2 min=2 max=3 nonfinite=0 options=dtype=f32,skip-lines=1,column=0 t.csv"
gives "check of text" "csv: 1 entry: 1 match" golden check csv
run golden record t.csv --column 1 -o nan
said "a note about NaN" "t.csv: 1 non-finite values, first at index 2"
holds "NaN is recorded" nan \
    "0x7ff8000000000000 nan sum compensated f64 (3,) n=3 min=10 max=20 nonfinite=1 options=column=1 t.csv"
cp x.f64 z.f64
gives "dot" "dot: 3 entries recorded" golden record x.f64 z.f64 --op dot,sum --accuracy exact -o dot
holds "dot has two paths" dot \
    "0x3fb999999999999a 0.1 dot exact f64 (10,) n=10 min=0.1 max=0.1 nonfinite=0 options=- x.f64 z.f64"
gives "check of dot" "dot: 3 entries: 3 match" golden check dot
{ npy 1 "$(dict '<f8' '(2, 5)')"; ten $tenth; } >a.npy
{ npy 1 "$(dict '<f8' '()')"; le $tenth; } >scalar.npy
: >empty.f64
gives "shapes" "shapes: 3 entries recorded" golden record a.npy scalar.npy empty.f64 -o shapes
holds "a matrix" shapes \
    "0x3ff0000000000000 1 sum compensated f64 (2,5) n=10 min=0.1 max=0.1 nonfinite=0 options=- a.npy"
holds "a scalar" shapes \
    "0x3fb999999999999a 0.1 sum compensated f64 () n=1 min=0.1 max=0.1 nonfinite=0 options=- scalar.npy"
holds "nothing" shapes \
    "0x0000000000000000 0 sum compensated f64 (0,) n=0 min=nan max=nan nonfinite=0 options=- empty.f64"
gives "check of shapes" "shapes: 3 entries: 3 match" golden check shapes

# ---- every type, and options that choose elements -----------------------------------------------

le 3c00 4000 4200 4400 >h.f16 # 1 2 3 4
le 3f80 4000 4040 c080 >b.bf16 # 1 2 3 -4
gives "halves" "halves: 4 entries recorded" golden record h.f16 b.bf16 --op sum,max -o halves
holds "f16" halves "0x41200000 10 sum compensated f16 (4,) n=4 min=1 max=4 nonfinite=0 options=- h.f16"
holds "bf16" halves "0x40000000 2 sum compensated bf16 (4,) n=4 min=-4 max=3 nonfinite=0 options=- b.bf16"
holds "max has no level" halves "0x40400000 3 max - bf16 (4,) n=4 min=-4 max=3 nonfinite=0 options=- b.bf16"
gives "check of halves" "halves: 4 entries: 4 match" golden check halves
gives "halves in their own type" "own: 2 entries recorded" \
    golden record h.f16 b.bf16 --result-type input -o own
holds "f16 result" own "0x4900 10 sum compensated f16 (4,) n=4 min=1 max=4 nonfinite=0 options=result-type=input h.f16"
gives "check of their own type" "own: 2 entries: 2 match" golden check own
le 3c00 4000 4200 4402 >h.f16 # the last is 2 ulps larger, and half as far from the sum's next one
moves "an f16 moved" "DIFFERS: 1 ulp" own
also "max of f16 moved by ulps of f16" "  max        4 -> 4.008, 2 ulps"

{ npy 1 "$(dict '<c8' '(2,)')"; le 3f800000 40000000 40400000 c0800000; } >c.npy # 1+2i, 3-4i
gives "complex" "complex: 2 entries recorded" golden record c.npy --op sum,nrm2 -o complex
holds "a complex sum" complex \
    "0x40800000,0xc0000000 4,-2 sum compensated c64 (2,) n=2 min=- max=- nonfinite=0 options=- c.npy"
gives "check of complex" "complex: 2 entries: 2 match" golden check complex
{ npy 1 "$(dict '<c8' '(2,)')"; le 3f800000 40000001 40400000 c0800000; } >c.npy
moves "an imaginary part moved" "line 2: c.npy: sum, compensated: DIFFERS: 2 ulps" complex
also "its decimals" "  value      4,-2 -> 4,-1.9999998"
refuses "record of a complex max" 1 "complex data" golden record c.npy --op max -o H

le $one_to_ten >n.f64
gives "indices" "indices: 3 entries recorded" \
    golden record n.f64 --op argmin,argmax,min --stride -3 -o indices
holds "an index" indices \
    "- 3 argmin - f64 (10,) n=4 min=1 max=10 nonfinite=0 options=stride=-3 n.f64"
gives "check of indices" "indices: 3 entries: 3 match" golden check indices
le 3fe0000000000000 | cat - n.f64 | head -c 80 >m.f64 && mv m.f64 n.f64
moves "a value at the end" "line 2" indices
le $one_to_ten >n.f64
sed 's/^- 3 argmin/- 2 argmin/' indices >bad
moves "another index" "bad: line 2: n.f64: argmin, stride=-3: DIFFERS: another index" bad
also "both indices" "  value      2 -> 3"
sed 's/^- 3 argmin/- -3 argmin/' indices >bad
moves "no index" "bad: line 2: no entry: its bits" bad

mkdir -p 'deep/er, more'
{ npy 1 "$(dict '|b1' '(10,)')"; for k in 1 1 1 1 1 0 0 0 0 1; do byte $k; done; } >'deep/er, more/mask=.npy'
gives "a mask" "deep/masked: 1 entry recorded" \
    golden record n.f64 --mask 'deep/er, more/mask=.npy' --missing 10 -o deep/masked
holds "its name is relative to the golden file, and n, min and max are those of what is left" deep/masked \
    "0x402e000000000000 15 sum compensated f64 (10,) n=5 min=1 max=5 nonfinite=0 options=mask=er%2C%20more/mask%3D.npy,missing=10 ../n.f64"
gives "check of a mask" "deep/masked: 1 entry: 1 match" golden check deep/masked
gives "weights" "weighted: 1 entry recorded" golden record n.f64 --weights n.f64 --op sum -o weighted
holds "weights are recorded" weighted \
    "0x4078100000000000 385 sum compensated f64 (10,) n=10 min=1 max=10 nonfinite=0 options=weights=n.f64 n.f64"
gives "check of weights" "weighted: 1 entry: 1 match" golden check weighted
refuses "weights for var" 2 "golden record: var takes no --weights, sum and mean do; record it apart" \
    golden record n.f64 --weights n.f64 --op sum,var -o H
gives "--nan" "policy: 1 entry recorded" golden record n.f64 --op max --nan ignore -o policy
gives "check with it" "policy: 1 entry: 1 match" golden check policy
refuses "--axis" 2 "is one number" golden record a.npy --axis 0 -o H
refuses "--mpi" 2 "--mpi is not an option of golden" golden record a.npy --mpi -o H

# ---- usage --------------------------------------------------------------------------------------

refuses "golden alone" 2 "record FILE... -o G" golden
refuses "golden with something else" 2 "record FILE... -o G" golden verify G
refuses "record without -o" 2 "-o sums.golden" golden record x.f64
refuses "record without files" 2 "name the files" golden record -o H
refuses "-o ''" 2 "-o" golden record x.f64 -o ''
refuses "record of standard input" 2 "standard input" golden record - -o H
refuses "check without a file" 2 "one golden file" golden check
refuses "check of two files" 2 "one golden file" golden check G many
refuses "check of standard input" 2 "by its name" golden check -
refuses "--update with record" 2 "--update is not an option of golden record" \
    golden record x.f64 -o H --update
refuses "--output with record" 2 "golden record prints no result; --output is for golden check" \
    golden record x.f64 -o H --output json
refuses "--accuracy with check" 2 "--accuracy is not an option of golden check" \
    golden check G --accuracy exact
refuses "-o with check" 2 "-o is not an option of golden check" golden check G -o H
refuses "--op audit" 2 "'audit' is no operation" golden record x.f64 --op audit -o H
refuses "--op sum,,mean" 2 "'' is no operation" golden record x.f64 --op sum,,mean -o H
refuses "--op twice" 2 "sum is named twice" golden record x.f64 --op sum,mean --op sum -o H
refuses "--op dot of one file" 2 "dot takes two files" golden record x.f64 --op dot -o H
refuses "--ddof without its operation" 2 "--ddof" golden record x.f64 --ddof 1 -o H
refuses "--size" 2 "belongs to bench" golden record x.f64 --size 3 -o H
refuses "--output bits" 2 "text or json" golden check G --output bits
for value in '' -1 1.5 x 18446744073709551616; do
    refuses "--tolerance '$value'" 2 "--tolerance" golden check G --tolerance "$value"
done
refuses "--backend of no machine" 2 "'sse'" golden check G --backend sse
SAMESUM_BACKEND=sse
export SAMESUM_BACKEND
refuses "SAMESUM_BACKEND of no machine" 2 "SAMESUM_BACKEND=sse" golden check G
unset SAMESUM_BACKEND

# ---- nothing is written where a file is bad -----------------------------------------------------

printf 12345 >short.f64
refuses "record of a bad file" 1 "short.f64: the size is 5 bytes, not a multiple of 8" \
    golden record x.f64 short.f64 -o H
absent "nothing was written" H
refuses "record of a missing file" 1 "gone.f64: No such file" golden record x.f64 gone.f64 -o H
refuses "record of a file in no folder" 1 "nowhere" golden record nowhere/x.f64 -o H
refuses "record of a file named twice" 1 "named twice" golden record x.f64 ./x.f64 -o H
refuses "record with the wrong type" 2 "--wide is for f32" golden record x.f64 --wide -o H
refuses "record with --fail-on-nonfinite" 1 "--fail-on-nonfinite" \
    golden record t.csv --column 1 --fail-on-nonfinite -o H
said "and its note" "t.csv: 1 non-finite values, first at index 2"
mkfifo pipe.f64
refuses "record of a pipe" 1 "no regular file" golden record pipe.f64 -o H
refuses "record into no folder" 1 "nowhere" golden record x.f64 -o nowhere/H
refuses "record into a folder" 1 "is there already" golden record x.f64 -o .
absent "nothing was written at all" H
if [ "$(find . -name 'H*' | wc -l)" -eq 0 ]; then pass "no temporary file is left"
else fail "no temporary file is left" "$(find . -name 'H*')"; fi

# ---- what moved ---------------------------------------------------------------------------------

# ten 0.1s: the exact sum is 1, that of a serial loop one unit less; both print as 1 with %g
sed 's/^0x3ff0000000000000 1 /0x3fefffffffffffff 0.9999999999999999 /' G >serial
moves "1 ulp" "serial: line 2: x.f64: sum, exact: DIFFERS: 1 ulp" serial
also "its decimals" "  value      0.9999999999999999 -> 1"
also "its bits" "  bits       0x3fefffffffffffff -> 0x3ff0000000000000, 1 ulp"
said "the summary" "serial: 1 entry: 0 match, 1 differ"
moves "--tolerance 0" "DIFFERS: 1 ulp" serial --tolerance 0
prints "--tolerance 1 passes" "serial: 1 entry: 0 match, 1 within 1 ulp" \
    golden check serial --tolerance 1
prints "and prints it" "serial: line 2: x.f64: sum, exact: within the tolerance: 1 ulp" \
    golden check serial --tolerance 1
prints "the largest tolerance" "within the tolerance" golden check serial --tolerance 18446744073709551615

{ ten $tenth | head -c 72; le 3fb999999999999b; } >x.f64 # one element is 1 ulp larger
moves "an element moved by 1 ulp" "same bits, from other data" G
also "max moved" "  max        0.1 -> 0.10000000000000002, 1 ulp"
prints "max within the tolerance" "1 within 1 ulp" golden check G --tolerance 1
{ ten $tenth | head -c 72; le 3fc999999999999a; } >x.f64 # one element is doubled
moves "an element doubled" "DIFFERS: 450359962737050 ulps" G
also "the new sum" "  value      1 -> 1.1"
also "the new max" "  max        0.1 -> 0.2, 4503599627370496 ulps"
moves "far beyond the tolerance" "DIFFERS" G --tolerance 450359962737049
{ ten $tenth | head -c 72; le 7ff0000000000000; } >x.f64
moves "an infinity" "DIFFERS: no distance in ulps" G --tolerance 18446744073709551615
also "non-finite moved" "  nonfinite  0 -> 1"
also "and max" "  max        0.1 -> inf"
ten $tenth | head -c 72 >x.f64
moves "an element less" "DIFFERS" G
also "n moved" "  n          10 -> 9"
also "the shape moved with it" "  shape      (10,) -> (9,)"
{ ten $tenth; le 8000000000000000; } >x.f64
moves "an element more" "same bits, from other data" G
also "n moved likewise" "  n          10 -> 11"
also "and min" "  min        0.1 -> -0"
ten $tenth >x.f64
gives "all is well again" "G: 1 entry: 1 match" golden check G

gives "record of a matrix" "matrix: 1 entry recorded" golden record a.npy -o matrix
{ npy 1 "$(dict '<f8' '(5, 2)')"; ten $tenth; } >a.npy
moves "another shape" "same bits, from other data" matrix
also "shape moved" "  shape      (2,5) -> (5,2)"
{ npy 1 "$(dict '<f4' '(2, 2)')"; le $one_to_four_f32; } >a.npy
moves "another type" "DIFFERS: no distance in ulps" matrix
also "type moved" "  type       f64 -> f32"

le 0000000000000000 >zero.f64
gives "record +0" "zero: 1 entry recorded" golden record zero.f64 -o zero
le 8000000000000000 >zero.f64
moves "-0 against +0" "DIFFERS: 0 ulps, but the bits differ: the sign of zero" zero
also "the bits of zero" "0x0000000000000000 -> 0x8000000000000000"
moves "-0 against +0 at any tolerance" "the sign of zero" zero --tolerance 1000
le 8000000000000001 >zero.f64
moves "the smallest number below" "DIFFERS: 1 ulp" zero
prints "within 1 ulp of zero" "within the tolerance" golden check zero --tolerance 1

run golden check nan
if [ $status -eq 0 ]; then pass "NaN matches NaN"; else fail "NaN matches NaN" "$(cat err)"; fi
sed 's/^0x7ff8000000000000/0xfff8000000000123/' nan >payload
run golden check payload
if [ $status -eq 0 ]; then pass "any NaN does"; else fail "any NaN does" "$(cat err)"; fi
said "the note stays" "t.csv: 1 non-finite values, first at index 2"
sed 's/^0x7ff8000000000000 nan/0x7ff0000000000000 inf/' nan >payload
moves "inf does not match NaN" "no distance in ulps" payload --tolerance 9

mv y.f32 hidden.f32
moves "a missing file" "many: line 5: y.f32: sum, compensated: y.f32: No such file or directory" many
said "the others are checked" "many: 6 entries: 3 match, 3 cannot be read"
moves "--update with a missing file" "nothing was recorded" many --update
printf 12345 >y.f32
moves "a damaged file" "y.f32: the size is 5 bytes, not a multiple of 4" many
mv hidden.f32 y.f32
moves "--fail-on-nonfinite" "the data hold non-finite values" nan --fail-on-nonfinite

# ---- JSON ---------------------------------------------------------------------------------------

gives "json" '{"golden": "G", "passed": true, "entries": 1, "matches": 1, "tolerated": 0, "differs": 0, "unreadable": 0, "tolerance": 0, "updated": false, "arithmetic": 1, "checks": [
 {"line": 2, "verdict": "matches", "op": "sum", "options": "-", "paths": ["x.f64"], "old": {"bits": "0x3ff0000000000000", "decimal": "1", "level": "exact", "type": "f64", "shape": "(10,)", "n": 10, "min": "0.1", "max": "0.1", "nonfinite": 0}, "new": {"bits": "0x3ff0000000000000", "decimal": "1", "level": "exact", "type": "f64", "shape": "(10,)", "n": 10, "min": "0.1", "max": "0.1", "nonfinite": 0}, "ulps": 0, "moved": []}]}' \
    golden check G --output json
run golden check serial --output json
if [ $status -eq 1 ] && grep -q '"passed": false' out && grep -q '"ulps": 1, "moved": \["bits"\]' out &&
    grep -q '^serial: 1 entry: 0 match, 1 differ$' err; then pass "json of a difference"
else fail "json of a difference" "exit $status: $(cat out err)"; fi
echo junk >>serial
run golden check serial --output json
if [ $status -eq 1 ] && grep -q '"line": 3, "verdict": "unreadable", "reason": "no entry' out; then
    pass "json of a line that is no entry"
else fail "json of a line that is no entry" "exit $status: $(cat out err)"; fi

# ---- update -------------------------------------------------------------------------------------

cp G commented
{ sed -n 1p G; echo '# ten tenths'; echo; sed -n 2p G | sed 's/x.f64/z.f64/'; sed -n 2p G; echo '#'; } >commented
chmod 640 commented
ten 3fc999999999999a >x.f64
moves "a golden with comments" "commented: line 5" commented
gives "--update" "commented: line 5: x.f64: sum, exact: recorded anew: 4503599627370496 ulps
  value      1 -> 2
  bits       0x3ff0000000000000 -> 0x4000000000000000, 4503599627370496 ulps
  min        0.1 -> 0.2, 4503599627370496 ulps
  max        0.1 -> 0.2, 4503599627370496 ulps
commented: 2 entries: 1 match, 1 differ; the file is up to date now" golden check commented --update
cat >expected <<END
samesum-golden format=1 arithmetic=1
# ten tenths

0x3ff0000000000000 1 sum exact f64 (10,) n=10 min=0.1 max=0.1 nonfinite=0 options=- z.f64
0x4000000000000000 2 sum exact f64 (10,) n=10 min=0.2 max=0.2 nonfinite=0 options=- x.f64
#
END
same "order and comments are kept" expected commented
case $(ls -l commented) in
-rw-r-----*) pass "permissions are kept" ;;
*) fail "permissions are kept" "$(ls -l commented)" ;;
esac
gives "a check after it" "commented: 2 entries: 2 match" golden check commented
gives "nothing to update" "commented: 2 entries: 2 match; nothing to record" golden check commented --update
ln -s commented link
ten $tenth >x.f64
run golden check link --update
if [ $status -eq 0 ] && [ -L link ] && grep -q '^0x3ff.*x.f64$' commented; then
    pass "a link stays a link"
else fail "a link stays a link" "$(cat err)"; fi
sed 's/^0x3ff0000000000000 1 /0x3fefffffffffffff 0.9999999999999999 /' G >serial
run golden check serial --update --tolerance 5
same "what is within the tolerance is updated too" G serial

# a write that fails: files may have no more than 512 bytes here
{ cat many; for i in 1 2 3 4 5 6 7 8; do echo "# a comment that makes the file longer, line $i"; done; } >large
le 40800000 40400000 40000000 40000000 >y.f32
cp large before
(ulimit -f 1 && "$SAMESUM" golden check large --update) >out 2>err
status=$?
if [ $status -eq 1 ] && [ ! -s out ] && grep -q 'large: cannot write it: .*; nothing was changed' err
then pass "a full disk"; else fail "a full disk" "exit $status: $(cat out err)"; fi
same "leaves the old file" before large
if [ "$(find . -name 'large*' | wc -l)" -eq 1 ]; then pass "and nothing beside it"
else fail "and nothing beside it" "$(find . -name 'large*')"; fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && cp large locked/large && cp x.f64 y.f32 locked && chmod a-w locked
    moves "a folder that cannot be written to" "cannot write it" locked/large --update
    same "leaves the old file there" before locked/large
    chmod u+w locked
fi

# ---- paths --------------------------------------------------------------------------------------

mkdir -p 'a b/c' gold
odd='a b/c/50% of\it,
über=*.f64'
cp x.f64 "$odd"
cp x.f64 'a b/c/ .f64'
cp x.f64 'a b/-'
gives "odd names" "gold/odd: 3 entries recorded" \
    golden record "$odd" 'a b/c/ .f64' 'a b/-' --format raw --dtype f64 -o gold/odd
holds "are encoded" gold/odd \
    '0x3ff0000000000000 1 sum compensated f64 (10,) n=10 min=0.1 max=0.1 nonfinite=0 options=format=raw,dtype=f64 ../a%20b/c/50%25%20of\it,%0Aüber=*.f64'
gives "and found again" "gold/odd: 3 entries: 3 match" golden check gold/odd
(cd 'a b' && "$SAMESUM" golden check ../gold/odd) >out 2>err
if grep -q '3 match' out; then pass "from another folder"; else fail "from another folder" "$(cat err)"; fi
(cd 'a b' && "$SAMESUM" golden record ./- --format raw --dtype f64 -o dash && "$SAMESUM" golden check dash) >out 2>err
if grep -q '1 match' out && grep -q ' \./-$' 'a b/dash'; then pass "a file named -"
else fail "a file named -" "$(cat out err)"; fi
mkdir moved && mv 'a b' gold moved
gives "both folders moved together" "moved/gold/odd: 3 entries: 3 match" golden check moved/gold/odd
gives "an absolute name" "abs: 1 entry recorded" golden record "$PWD/x.f64" -o abs
holds "is made relative" abs \
    "0x3ff0000000000000 1 sum compensated f64 (10,) n=10 min=0.1 max=0.1 nonfinite=0 options=- x.f64"

# ---- other versions, damaged files --------------------------------------------------------------

sed '1s/format=1/format=2/' G >bad
moves "another format" "its format version is 2, and this program reads version 1" bad
sed '1s/arithmetic=1/arithmetic=7/' G >bad
moves "another arithmetic" "its arithmetic version is 7, and this program computes by version 1" bad
moves "no update of another arithmetic" "record it anew" bad --update
: >bad
moves "an empty file" "is no golden file" bad
moves "a file of data" "x.f64: line 1: is no golden file" x.f64
moves "a missing golden" "nowhere: No such file" nowhere
moves "a folder" "is a directory" moved
moves "a pipe" "is no regular file" pipe.f64
moves "a device" "is no regular file" /dev/null
{ sed -n 1p G; yes junk | head -n 100000; } >bad
moves "much junk" "more than 1000 lines are no entries" bad
{ sed -n 1p G; head -c 70000000 /dev/zero; } >bad
moves "a huge file" "too large" bad
rm bad
sed -n 1p G >bad
moves "no entries" "holds no entry" bad
sed 's/$/\r/' G >bad
moves "CRLF" "lines end with CRLF; convert the file (dos2unix)" bad
sed '2s/$/\r/' G >bad
moves "CRLF in one line" "bad: line 2: ends with CRLF" bad
{ sed -n 1p G; sed -n 2p G | tr -d '\n'; } >bad
moves "no line end" "bad: line 2: does not end: the file was cut" bad
{ cat G; cat many | sed -n 2p; cat G | sed -n 2p; } >bad
moves "an entry twice" "bad: line 4: x.f64: sum, exact: the same entry as in line 2" bad
{ cat G; head -c 70000 /dev/zero | tr '\0' x; echo; } >bad
moves "a long line" "bad: line 3: longer than 65536 bytes" bad
{ cat G; printf '0x3ff0\0\n'; } >bad
moves "a zero byte" "bad: line 3: holds control characters" bad
{ sed -n 1p G | tr -d '\n'; printf '\0junk\n'; sed -n 2p G; } >bad
moves "a zero byte in the header" "is no golden file" bad
{ cat G; echo '#0x3ff0000000000000 1 sum'; } >bad
moves "an entry behind #" "bad: line 3: no entry" bad
said "the rest is checked" "bad: 2 entries: 1 match, 1 cannot be read"

# edits NAME REASON SED : the entry, edited
edits() {
    sed "2$3" G >bad
    if cmp -s G bad; then fail "$1" "the edit changes nothing"; else
        moves "$1" "bad: line 2: no entry: $2" bad
    fi
}
edits "capitals" "its bits and its decimal" 's/0x3ff0/0x3FF0/'
edits "bits without their decimal" "its bits and its decimal" 's/0x3ff0/0x3ff1/'
edits "a decimal without its bits" "its bits and its decimal" 's/ 1 / 2 /'
edits "another way to write it" "its bits and its decimal" 's/ 1 / 1.0 /'
edits "too many bits" "its bits and its decimal" 's/0x3ff0/0x3ff00/'
edits "no bits" "its bits and its decimal" 's/^0x[0-9a-f]*/0x/'
edits "an unknown operation" "its operation" 's/sum/total/'
edits "an operation of another kind" "its operation" 's/sum/audit/'
edits "an unknown level" "its level" 's/exact/best/'
edits "an unknown type" "its type" 's/f64/f63/'
for shape in '(10)' '(010,)' '10' '(,)' '(1,10,)' '(2,,5)' '(a,)' '(10,' '((10,)' '(10,))'; do
    edits "shape $shape" "its shape" "s/(10,)/$shape/"
done
edits "n" "a count" 's/n=10/n=ten/'
edits "n with zeros" "a count" 's/n=10/n=010/'
edits "n beyond 64 bits" "a count" 's/n=10/n=18446744073709551616/'
edits "a negative count" "a count" 's/nonfinite=0/nonfinite=-1/'
edits "min" "its min or max" 's/min=0.1/min=.1/'
edits "no extremes" "its min and max" 's/min=0.1 max=0.1/min=- max=-/'
edits "no max" "its min or max" 's/max=0.1/max=-/'
edits "a label" "field 7 should be n, after its label" 's/n=10/m=10/'
edits "two blanks" "field 2" 's/ 1 /  1 /'
edits "a tab" "field" 's/ 1 /\t1 /'
edits "a field less" "field" 's/ sum//'
edits "no path" "field 11" 's/ x.f64//'
edits "an unknown option" "an option" 's/options=-/options=fast/'
edits "an option of another operation" "an option" 's/options=-/options=ddof=1/'
edits "an option twice" "an option" 's/options=-/options=wide,wide/'
edits "an option without its value" "an option" 's/options=-/options=dtype/'
edits "a value too many" "an option" 's/options=-/options=wide=1/'
edits "an option that is not recorded" "an option" 's/options=-/options=threads=2/'
edits "an empty option" "an option" 's/options=-/options=wide,/'
edits "a blank in a path" "it has too few or too many paths" 's/x.f64/x x.f64/'
edits "a blank at the end" "a blank or other" 's/x.f64/x.f64 /'
edits "a code of no character" "a blank or other" 's/x.f64/%zz.f64/'
edits "a code where none is needed" "a blank or other" 's/x.f64/%78.f64/'
edits "a zero in a path" "a blank or other" 's/x.f64/x%00.f64/'
edits "standard input" "a blank or other" 's/x.f64/-/'
sed '2s/options=-/options=dtype=f99/' G >bad
moves "an option's value" "--dtype: unknown value 'f99'" bad
sed '2s/options=-/options=wide/' G >bad
moves "an option that does not go with the file" "--wide is for f32" bad

# Each byte changed in some ways, and the file cut after each byte: never a crash, never a pass.
cp x.f64 g
run golden record g --format raw --dtype f64 -o small
size=$(wc -c <small)
crashes=0 passes=0 i=0
for b in $(od -An -v -tu1 small); do
    for flip in 1 32 128; do
        { head -c $i small; byte $((b ^ flip)); tail -c +$((i + 2)) small; } >bad
        run golden check bad
        [ $status -eq 0 ] && passes=$((passes + 1)) && cp bad "passed-$i-$flip"
        [ $status -gt 1 ] && crashes=$((crashes + 1))
    done
    head -c $i small >bad
    run golden check bad
    [ $status -eq 0 ] && passes=$((passes + 1)) && cp bad "passed-$i-cut"
    [ $status -gt 1 ] && crashes=$((crashes + 1))
    i=$((i + 1))
done
if [ "$i" -eq "$size" ] && [ $crashes -eq 0 ] && [ $passes -eq 0 ]; then pass "$i bytes changed and cut"
else fail "$i of $size bytes changed and cut" "$passes pass, $crashes crash: $(echo passed-*)"; fi

# ---- the example --------------------------------------------------------------------------------

mkdir examples && cp -R "$examples/golden" "$examples/data" examples
if make -s -C examples/golden SAMESUM="$SAMESUM" check >out 2>err; then pass "the example, with make"
else fail "the example, with make" "$(cat err)"; fi
if command -v python3 >/dev/null; then
    mkdir pipeline
    if (cd examples/golden && SAMESUM=$SAMESUM python3 -B -c 'import pathlib, test_pipeline
test_pipeline.test_anomalies(pathlib.Path("../../pipeline"))') >out 2>err; then pass "the example, as pytest runs it"
    else fail "the example, as pytest runs it" "$(tail -n 3 err)"; fi
    if (cd examples/golden && SAMESUM=no-samesum python3 -B -c 'import pathlib, test_pipeline
test_pipeline.test_anomalies(pathlib.Path("../../pipeline"))') >out 2>err; then fail "it fails without the program"
    elif grep -q "AssertionError: no samesum program: put it in PATH" err; then pass "it fails without the program"
    else fail "it fails without the program" "$(tail -n 3 err)"; fi
fi
if command -v cmake >/dev/null && command -v ctest >/dev/null; then
    cmake -S examples/golden -B ctest -DSAMESUM="$SAMESUM" >out 2>&1
    if (cd ctest && ctest) >>out 2>&1; then pass "the example, with CTest"
    else fail "the example, with CTest" "$(tail -n 5 out)"; fi
    sed 's/ 1895993.8 / 1895993.9 /; s/0x49e771ce/0x49e771cf/' examples/golden/fields.golden >changed
    cat changed >examples/golden/fields.golden
    if (cd ctest && ctest) >>out 2>&1; then fail "CTest fails where a number moved"
    else pass "CTest fails where a number moved"; fi
    moves "by 1 ulp" "sum, compensated: DIFFERS: 1 ulp" examples/golden/fields.golden
fi

finish
