#!/bin/sh
# Texts: separators, line ends, columns, what is no number, and correct rounding.
. "${0%/*}/lib.sh"

text() { # NAME STDOUT INPUT ARGUMENT... : the printf format INPUT as standard input
    text_name=$1 text_out=$2 text_in=$3
    shift 3
    printf -- "$text_in" >input.txt
    printf -- "$text_in" >input.csv
    gives "$text_name" "$text_out" "$@" --output hex
}
bad() { # NAME STDERR INPUT ARGUMENT...
    bad_name=$1 bad_err=$2
    printf -- "$3" >input.txt
    printf -- "$3" >input.csv
    shift 3
    refuses "$bad_name" 1 "$bad_err" "$@"
}

text "a number a line" 0x1.8p+2 '1\n2\n3\n' sum input.txt
text "no line end at the end" 0x1.8p+2 '1\n2\n3' sum input.txt
text "CRLF" 0x1.8p+2 '1\r\n2\r\n3\r\n' sum input.txt
text "CRLF, .csv" 0x1.8p+2 '1\r\n2\r\n3' sum input.csv
text "blanks around" 0x1.8p+2 '  1\n2  \n\t3\t \n' sum input.txt
text "blanks around, .csv" 0x1.8p+2 '  1\n2  \n\t3\t \n' sum input.csv
text "empty lines and comments" 0x1.8p+2 '# one 2 x\n1\n\n  \n2\n#\n\r\n3\n' sum input.txt
text "an empty text" 0x0p+0 '' sum input.txt
text "comments alone" 0x0p+0 '# nothing\n\n' sum input.csv
text "--skip-lines" 0x1.4p+2 'head, x y\n#\n2\n3\n' sum input.txt --skip-lines 1
text "--skip-lines counts all lines" 0x1.8p+1 'a\n\n#\n3\n' sum input.txt --skip-lines 3
text "--skip-lines beyond the end" 0x0p+0 'a\nb\n' sum input.txt --skip-lines 9
text "--column 0" 0x1p+2 '1 20\n3 40\n' sum input.txt --column 0
text "--column 1, blanks" 0x1.ep+5 '1 20\n3\t  40\n' sum input.txt --column 1
text "--column 1, commas" 0x1.ep+5 '1,20\n3 , 40 ,x\n' sum input.csv --column 1
text "--column of a .csv with text elsewhere" 0x1.ep+5 'a,20,\nb b, 40,,\n' sum input.csv --column 1
text "nan" nan '1\nNaN\n' sum input.txt
text "inf" inf '1\n+Infinity\ninf\n' sum input.txt
text "-inf" -inf '1\n-INF\n' sum input.txt
text "signs, exponents, points" 0x1.cp+2 '+1e0\n.5E+1\n10.e-1\n' sum input.txt
text "too large is infinite" inf '1e400\n' sum input.txt
text "too small is zero" 0x0p+0 '1e-400\n' sum input.txt
text "a text as binary32" 0x1.99999ap-4 '0.1\n' sum input.txt --dtype f32
text "f32 directly, not through f64" 0x1.000002p+0 '1.00000017881393432617187499\n' \
    sum input.txt --dtype f32
text "a halfway case with a digit far behind" 0x1.0000000000001p+0 \
    "1.00000000000000011102230246251565404236316680908203125$(printf '%0900d' 0)1\n" sum input.txt
text "the smallest subnormal a thousand times" 0x0.00000000003e8p-1022 \
    "$(awk 'BEGIN { for (i = 0; i < 1000; i++) printf "5e-324\\n" }')" sum input.txt
text "1 and 2^-60" 0x1p+0 '1\n8.673617379884035e-19\n' sum input.txt
LC_ALL=de_DE.UTF-8 text "a locale with decimal commas" 0x1.8p+0 '1.5\n' sum input.txt
printf '1\n2\n' >list
gives "--format text whatever the name" 0x1.8p+1 sum list --format text --output hex

bad "a word" "input.txt: line 2, column 0: 'two' is not a number" '1\ntwo\n' sum input.txt
bad "a number and more" "'1x'" '1x\n' sum input.txt
bad "a decimal comma" "'1,5'" '1,5\n' sum input.txt
bad "a lone sign" "'-'" '-\n' sum input.txt
bad "blanks behind the sign" "column" '- 1\n' sum input.txt
bad "an exponent without digits" "'1e'" '1e\n' sum input.txt
bad "nan with a payload" "'nan(1)'" 'nan(1)\n' sum input.txt
bad "a quoted number" "'\"1\"'" '"1"\n' sum input.csv
bad "a NUL byte" "'1\\x002'" '1\0002\n' sum input.txt
bad "a NUL byte at the end" "'1\\x00'" '1\000\n' sum input.txt
bad "odd bytes are shown as such" "\\x1b" '\033[1m\n' sum input.txt
bad "a vertical tab" "\\x0b" '\0131\n' sum input.txt
bad "CR alone" "\\x0d" '1\r2\n' sum input.txt
bad "several fields, blanks" "--column" '1 2\n' sum input.txt
bad "several fields, commas" "--column" '1,2\n' sum input.csv
bad "a comma at the end" "line 1" '1,\n' sum input.csv
bad "an empty field" "line 2, column 1" '1,2\n1, ,3\n' sum input.csv --column 1
bad "a missing field" "line 2, column 1: missing; the line has 1 field: '1'" '1 2\n1\n' sum input.txt --column 1
bad "a missing field, .csv" "line 3, column 2: missing; the line has 2 fields: '1,2'" '1,2,3\n\n1,2\n' sum input.csv --column 2
bad "a comment that begins later" "line 1" '1 # one\n' sum input.txt
bad "the third record of many" "line 3" '1\n2\nx\n4\n' sum input.txt --chunk 1
bad "a line with a header" "line 1, column 0: 'value'" 'value\n1\n' sum input.csv
head -c 100000 /dev/zero | tr '\0' 7 >long.txt
bits "a hundred thousand digits" 0x7ff0000000000000 sum long.txt
{ head -c 200000 /dev/zero | tr '\0' ' ' && echo 1; } >blanks.txt
bits "two hundred thousand blanks" 0x3ff0000000000000 sum blanks.txt
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "%d,", i; print "5" }' >wide.csv
bits "the last of 50001 fields" 0x4014000000000000 sum wide.csv --column 50000
awk 'BEGIN { for (i = 1; i <= 100000; i++) print i }' >many.txt
bits "a hundred thousand lines" 0x41f2a06b55000000 sum many.txt
bits "a hundred thousand lines in chunks" 0x41f2a06b55000000 sum many.txt --chunk 999
printf '1 2\n3 4\n' >a.txt
printf '1\n2\n3\n' >b.txt
printf '4\n5\n6\n' >c.csv
bits "dot of two texts" 0x4040000000000000 dot b.txt c.csv
refuses "dot of two lengths" 1 "length" dot b.txt many.txt
: >x.f64
refuses "--column of .f64" 2 "--column" sum x.f64 --column 0
finish
