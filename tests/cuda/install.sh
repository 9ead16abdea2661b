#!/bin/bash
# install.sh - what `make install-cuda` puts where, and programs that are built with it. Needs nvcc, but no device.
#
#   BUILD=DIR CC=COMPILER                  the build that is installed (default: the Makefile's)
#   NVCC=nvcc CUDA_ARCH=90 CUDA_HOME=DIR   the compiler, a device, and where cudart is
set -u
cd "${0%/*}/../.." || exit 1
build=${BUILD:-build}
cc=${CC:-gcc}
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH DESTDIR SAMESUM_BACKEND SAMESUM_CUDA_LIBRARY
. tests/checks.sh

make_it() { # ARGUMENT... of make
    make -s BUILD="$build" CC="$cc" "$@"
}
prefix=$work/usr

check "make install install-cuda" make_it install install-cuda PREFIX="$prefix"
libraries="-L${CUDA_HOME:-/usr/local/cuda}/lib64 -lcudart_static -lstdc++ -ldl -lrt -pthread
    $(sed -n 's/^Libs.private: //p' "$prefix/lib/pkgconfig/samesum.pc")"
for file in include/samesum_cuda.h lib/libsamesum_cuda.a lib/libsamesum_cuda.so lib/libsamesum_cuda.so.0 \
    lib/pkgconfig/samesum_cuda.pc; do
    check "$file" test -f "$prefix/$file"
done
cat >"$work/tiny.c" <<'END'
#include <samesum_cuda.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *why = "there is one";
    samesum_cuda_status(&why);
    printf("samesum_cuda %s, device: %s\n", samesum_cuda_version(), why);
    return strcmp(samesum_cuda_version(), SAMESUM_VERSION) != 0;
}
END
check "a program with the shared library" "$cc" "$work/tiny.c" -o "$work/shared" -I"$prefix/include" \
    -L"$prefix/lib" -lsamesum_cuda
check "it runs" env LD_LIBRARY_PATH="$prefix/lib" "$work/shared"
# shellcheck disable=SC2086 # flags in words
check "a program with the static library" "$cc" "$work/tiny.c" -o "$work/static" -I"$prefix/include" \
    "$prefix/lib/libsamesum_cuda.a" $libraries
check "it runs" "$work/static"
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # shellcheck disable=SC2046 # flags in words
    check "a program through pkg-config" "$cc" "$work/tiny.c" -o "$work/through" $(pkg-config --cflags --libs samesum_cuda)
    check "it runs" env LD_LIBRARY_PATH="$prefix/lib" "$work/through"
else
    skip "through pkg-config: there is none"
fi
finds_it() { # the library, whether or not there is a device
    env -C / "$prefix/bin/samesum" info | grep '^cuda ' && ! env -C / "$prefix/bin/samesum" info | grep -q 'there is no libsamesum_cuda'
}
check "the installed program finds the library beside it" finds_it
check "a kernel with the installed samesum_device.cuh" "${NVCC:-nvcc}" -std=c++17 -arch="sm_${CUDA_ARCH:-90}" \
    -I"$prefix/include" -Iexamples/cuda -c examples/cuda/fuse.cu -o "$work/fuse.o"

check "make uninstall" make_it uninstall PREFIX="$prefix"
check "no file is left" [ -z "$(find "$prefix" ! -type d)" ]
report
