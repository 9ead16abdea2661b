# lib.sh - helpers of the scripts beside it; each begins with:  . "${0%/*}/lib.sh"
# SAMESUM is the program under test. Works with any POSIX shell; needs no Python.

: "${SAMESUM:=build/samesum}"
case $SAMESUM in
/*) ;;
*) SAMESUM=$PWD/$SAMESUM ;;
esac
[ -x "$SAMESUM" ] || { echo "FAIL $SAMESUM is no program; set SAMESUM"; exit 1; }
unset SAMESUM_BACKEND
examples=$(cd "${0%/*}/../../examples" && pwd) || exit 1 # the data that the project ships

work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
: >results # a file: half of a pipeline is a shell of its own, whose variables are lost

pass() {
    echo "ok   $1" | tee -a "$work/results"
}

fail() { # NAME [what is wrong]
    echo "FAIL $1${2:+: $2}" | tee -a "$work/results"
}

# run ARGUMENT... : standard input is passed on; sets status, and the files out and err
run() {
    "$SAMESUM" "$@" >out 2>err
    status=$?
}

# gives NAME STDOUT ARGUMENT... : exit 0 and exactly this on stdout
gives() {
    name=$1 expected=$2
    shift 2
    run "$@"
    if [ $status -ne 0 ]; then
        fail "$name" "exit $status: $(head -n 1 err)"
    elif [ "$(cat out)" != "$expected" ]; then
        fail "$name" "'$(cat out)', not '$expected'"
    else
        pass "$name"
    fi
}

# bits NAME BITS ARGUMENT... : the same with --output bits
bits() {
    bits_name=$1 bits_expected=$2
    shift 2
    gives "$bits_name" "$bits_expected" "$@" --output bits
}

# prints NAME TEXT ARGUMENT... : exit 0 and this somewhere on stdout
prints() {
    name=$1 expected=$2
    shift 2
    run "$@"
    if [ $status -ne 0 ]; then
        fail "$name" "exit $status: $(head -n 1 err)"
    elif ! grep -F -q -e "$expected" out; then
        fail "$name" "no '$expected' on stdout"
    else
        pass "$name"
    fi
}

# refuses NAME STATUS TEXT ARGUMENT... : this exit status, TEXT on stderr, nothing on stdout
refuses() {
    name=$1 expected=$2 text=$3
    shift 3
    run "$@"
    if [ $status -ne "$expected" ]; then
        fail "$name" "exit $status, not $expected: $(head -n 1 err)"
    elif [ -s out ]; then
        fail "$name" "something is on stdout: $(head -n 1 out)"
    elif ! grep -F -q -e "$text" err; then
        fail "$name" "no '$text' on stderr: $(head -n 1 err)"
    else
        pass "$name"
    fi
}

# said NAME LINE : the last run had this very line on stderr
said() {
    if grep -F -x -q -e "$2" err; then pass "$1"; else fail "$1" "stderr: $(head -n 1 err)"; fi
}

finish() {
    failed=$(grep -c '^FAIL' results)
    echo "$(grep -c '^ok' results) passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

# ---- bytes ------------------------------------------------------------------------------------------

# byte N : one byte
byte() {
    printf "\\$(printf %03o "$1")"
}

# le HEX... : each number's bytes, the last first; be HEX... : the first first
le() {
    for hex in "$@"; do
        while [ -n "$hex" ]; do
            rest=${hex%??}
            byte "0x${hex#"$rest"}"
            hex=$rest
        done
    done
}

be() {
    for hex in "$@"; do
        while [ -n "$hex" ]; do
            rest=${hex#??}
            byte "0x${hex%"$rest"}"
            hex=$rest
        done
    done
}

# npy VERSION DICTIONARY [BLANKS] : magic, version, length and header; the elements are to follow
npy() {
    header=$(printf "%s%*s" "$2" "${3:-0}" "")
    length=$((${#header} + 1))
    printf '\223NUMPY'
    byte "$1"
    byte 0
    byte $((length % 256))
    byte $((length / 256 % 256))
    if [ "$1" -gt 1 ]; then
        byte 0
        byte 0
    fi
    printf '%s\n' "$header"
}

# dict DESCR SHAPE [True] : the dictionary of a header
dict() {
    printf "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" "$1" "${3:-False}" "$2"
}

# array FILE DESCR SHAPE HEX... : an .npy file in C order of these elements (of complex ones, the parts
# in turn); fortran: the same in Fortran order, the elements as they lie in the file
array() {
    array_file=$1 array_descr=$2
    npy 1 "$(dict "$2" "$3" $array_fortran)" >"$array_file"
    shift 3
    case $array_descr in
    '>'*) be "$@" >>"$array_file" ;;
    *) le "$@" >>"$array_file" ;;
    esac
}

fortran() {
    array_fortran=True
    array "$@"
    array_fortran=
}
array_fortran=

# hex64 INTEGER... : their binary64 numbers in hex; hex32: binary32 (up to 2^23)
hex64() {
    for v in "$@"; do
        hex_sign=0 hex_exponent=0
        [ "$v" -lt 0 ] && hex_sign=2048 v=$((-v))
        if [ "$v" -eq 0 ]; then
            printf '%016x ' 0
            continue
        fi
        while [ $((v >> (hex_exponent + 1))) -gt 0 ]; do hex_exponent=$((hex_exponent + 1)); done
        printf '%03x%013x ' $((hex_sign + 1023 + hex_exponent)) \
            $(((v - (1 << hex_exponent)) << (52 - hex_exponent)))
    done
}

hex32() {
    for v in $(hex64 "$@"); do # sign and exponent are 3 digits; the exponent loses 3 of its 11 bits
        hex_rest=${v#???}
        hex_head=0x${v%"$hex_rest"} hex_rest=0x$hex_rest
        if [ $((hex_head)) -eq 0 ]; then
            printf '%08x ' 0
        else
            printf '%08x ' $(((hex_head >> 11) << 31 | ((hex_head & 2047) - 896) << 23 | hex_rest >> 29))
        fi
    done
}

# lines WORD... : one a line
lines() {
    printf '%s\n' "$@"
}

# The binary64 numbers 1 to 10, their sum 55, and the binary32 numbers 1 to 4.
one_to_ten='3ff0000000000000 4000000000000000 4008000000000000 4010000000000000 4014000000000000
4018000000000000 401c000000000000 4020000000000000 4022000000000000 4024000000000000'
fifty_five=0x404b800000000000
one_to_four_f32='3f800000 40000000 40400000 40800000'
