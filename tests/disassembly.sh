#!/bin/bash
# disassembly.sh - what each row kernel is made of: every function of every backend's object does its
# arithmetic in its own registers, with the instructions of its type and operation, and in no others.
# The scalar backend is plain C, which compilers turn into the vectors that every CPU of the
# architecture has; it must hold none beyond those.
#
#   BUILD=DIR   an optimised build (default build)
#   CC          the compiler of that build; a cross compiler's own objdump is taken
set -u
cd "${0%/*}/.." || exit 1
build=${BUILD:-build}
cc=${CC:-gcc}
objdump=objdump
case $cc in *-gcc) objdump=${cc%gcc}objdump ;; esac
passed=0
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-disassembly.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# What the instructions of each backend look like. Operands follow the mnemonic.
#   own     any use of the backend's registers
#   foreign what may appear nowhere
#   add_f64 ... what a function of that type must hold at least once
patterns() { # BACKEND
    half_f16='' half_bf16='' min_f64='' min_f32='' # scalar: plain C, with whatever instructions
    foreign='no such instruction' own='' fma_f64='' fma_f32=''
    case $1 in
    avx512 | avx2)
        if [ "$1" = avx512 ]; then
            register=zmm foreign='(add|sub|mul)[sp][sd].*%[xy]mm'
        else
            register=ymm foreign='zmm|%k[0-7]|(add|sub|mul)[sp][sd].*%xmm'
        fi
        own="%$register"
        add_f64="vaddpd .*%$register" add_f32="vaddps .*%$register"
        mul_f64="vmulpd .*%$register" mul_f32="vmulps .*%$register"
        fma_f64="vfn?m(add|sub)[0-9]+pd .*%$register" fma_f32="vfn?m(add|sub)[0-9]+ps .*%$register"
        abs="vp?andn?(pd|ps|d|q)? .*%$register" widen="vcvtps2pd .*%$register"
        half_f16="vcvtph2ps .*%$register" half_bf16="vpslld .*%$register"
        min_f64="vminpd .*%$register" min_f32="vminps .*%$register"
        ;;
    neon)
        own='v[0-9]+\.(2d|4s)'
        foreign='f(add|sub|mul|madd|msub|nmadd|nmsub)[[:space:]]+[ds][0-9]'
        add_f64='fadd[[:space:]]+v[0-9]+\.2d' add_f32='fadd[[:space:]]+v[0-9]+\.4s'
        mul_f64='fmul[[:space:]]+v[0-9]+\.2d' mul_f32='fmul[[:space:]]+v[0-9]+\.4s'
        fma_f64='fml[as][[:space:]]+v[0-9]+\.2d' fma_f32='fml[as][[:space:]]+v[0-9]+\.4s'
        abs='fabs[[:space:]]+v[0-9]+\.(2d|4s)' widen='fcvtl2?[[:space:]]+v[0-9]+\.2d'
        half_f16='fcvtl2?[[:space:]]+v[0-9]+\.4s' half_bf16='u?shll?2?[[:space:]]+v[0-9]+\.4s'
        min_f64='(fcmgt|fminn?m?)[[:space:]]+v[0-9]+\.2d' min_f32='(fcmgt|fminn?m?)[[:space:]]+v[0-9]+\.4s'
        ;;
    scalar-x86) # its fma is a call of libm's, since plain x86-64 has no such instruction
        own='%xmm' foreign='%[yz]mm|vfn?m(add|sub)'
        add_f64='add[sp]d ' add_f32='add[sp]s ' mul_f64='mul[sp]d ' mul_f32='mul[sp]s '
        fma_f64='call.*' fma_f32='call.*' abs='andp[sd]' widen='cvtp?s[s2][a-z0-9]*'
        ;;
    scalar-aarch64)
        own='([ds]|v[0-9]+\.)[0-9]+'
        add_f64='fadd[[:space:]]+[dv]' add_f32='fadd[[:space:]]+[sv]'
        mul_f64='fmul[[:space:]]+[dv]' mul_f32='fmul[[:space:]]+[sv]'
        fma_f64='f(n?m(add|sub)|ml[as])[[:space:]]+[dv]' fma_f32='f(n?m(add|sub)|ml[as])[[:space:]]+[sv]'
        abs='fabs[[:space:]]+[dsv]' widen='fcvtl?2?[[:space:]]+[dv]'
        ;;
    esac
}

must() { # WHAT PATTERN: of the function f, whose text is in text
    grep -E -q -e "$2" <<<"$text" || echo "$f: no $1 (/$2/)"
}

# judge BACKEND FILE : prints a line for each thing in the disassembly that is not as it must be
judge() {
    patterns "$1"
    local type op pair name functions f text add mul fma min half
    for type in f64 f32 f32_wide f16 bf16; do
        case $type in
        f32 | f16 | bf16) add=$add_f32 mul=$mul_f32 fma=$fma_f32 min=$min_f32 ;;
        *) add=$add_f64 mul=$mul_f64 fma=$fma_f64 min=$min_f64 ;;
        esac
        half=half_$type half=${!half:-}
        if [ $type != f32_wide ]; then # its extremes are those of f32
            f=k_${type}_extremes
            text=$(sed -n "/<$f>:/,/^$/p" "$2")
            must minimum "$min"
            must "conversion from halves" "$half"
        fi
        for name in run_0 run_1 brief_tree brief_kahan brief_compensated; do # of sum, asum and sumsq
            f=c_${type}_$name
            text=$(sed -n "/<${f}[a-z0-9._]*>:/,/^$/p" "$2") # with the functions that are parts of it
            must "addition of columns" "$add"
            must "absolute value" "$abs"
            must multiplication "$mul"
            must "conversion from halves" "$half"
            case $name in brief_*) continue ;; esac # its finish works on single numbers
            grep -E -e "$foreign" <<<"$text" | sed -n "1s/^/$f: foreign: /p"
        done
        case $type in f64 | f32) # every second number
            for name in sum_0 sum_1 asum_0 asum_1 sumsq_0 sumsq_1; do
                f=e_${type}_${name}_blocks
                text=$(sed -n "/<${f}[a-z0-9._]*>:/,/^$/p" "$2")
                must "register of its own" "$own"
                must addition "$add"
                grep -E -e "$foreign" <<<"$text" | sed -n "1s/^/$f: foreign: /p"
            done
            ;;
        esac
        for op in sum asum sumsq dot; do
            for pair in 0 1; do
                name=k_${type}_${op}_${pair}
                functions=$(sed -n "s/.*<\(${name}_[a-z]*\(\.[a-z]*\.[0-9]*\)*\)>:$/\1/p" "$2")
                [ "$(wc -w <<<"$functions")" -ge 3 ] || echo "$name: fewer than 3 functions"
                for f in $functions; do
                    text=$(sed -n "/<$f>:/,/^$/p" "$2")
                    grep -E -e "$foreign" <<<"$text" | sed -n "1s/^/$f: foreign: /p"
                    case $f in *_node) continue ;; esac # it calls the function of blocks
                    must "register of its own" "$own"
                    must addition "$add"
                    [ $type != f32_wide ] || must "conversion from binary32" "$widen"
                    must "conversion from halves" "$half"
                    [ $op != asum ] || must "absolute value" "$abs"
                    case $op in sumsq | dot)
                        must multiplication "$mul"
                        [ $pair = 0 ] || must "fused multiplication and addition" "$fma"
                        ;;
                    esac
                done
            done
        done
    done
}

name_of() { # BACKEND: the one of its patterns
    if [ "$1" != scalar ]; then
        echo "$1"
    elif [ -e "$build/src/fixedtree/kernels_neon.o" ]; then
        echo scalar-aarch64
    else
        echo scalar-x86
    fi
}

backends=
for object in "$build"/src/fixedtree/kernels_*.o; do
    [ -e "$object" ] || continue
    backend=${object##*kernels_}
    backend=${backend%.o}
    backends="$backends $backend"
    "$objdump" -dr --no-show-raw-insn "$object" | sed 's/^ .*R_[A-Z0-9_]*[[:space:]]*/& /' >"$work/$backend"
    judge "$(name_of "$backend")" "$work/$backend" >"$work/wrong"
    if [ -s "$work/wrong" ]; then
        failed=$((failed + 1))
        echo "FAIL $backend: $(wc -l <"$work/wrong") faults"
        head -n 8 "$work/wrong" | sed 's/^/     /'
    else
        passed=$((passed + 1))
        patterns "$(name_of "$backend")"
        echo "ok   $backend: $(grep -c '<k_.*>:$' "$work/$backend") functions; $(grep -E -c -e "$own" "$work/$backend") instructions on its registers"
    fi
done

# The check can fail: no object passes for another backend's.
for backend in $backends; do
    for other in $backends; do
        # On AArch64 the scalar kernels may use the registers of NEON, and NEON has no foreign ones.
        case $backend-$other in "$backend-$backend" | scalar-neon | neon-scalar) continue ;; esac
        judge "$(name_of "$other")" "$work/$backend" >"$work/wrong"
        if [ "$(wc -l <"$work/wrong")" -ge 24 ]; then
            passed=$((passed + 1))
            echo "ok   $backend does not pass for $other ($(wc -l <"$work/wrong") faults)"
        else
            failed=$((failed + 1))
            echo "FAIL $backend passes for $other"
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
