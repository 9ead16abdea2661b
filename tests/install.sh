#!/bin/bash
# install.sh - what `make install` puts where, and programs in C and C++ that are built with it: by
# hand, through pkg-config and through CMake, against the shared and the static library.
#
#   BUILD=DIR CC=COMPILER CXX=COMPILER CFLAGS=...   the build that is installed (default: the Makefile's)
set -u
cd "${0%/*}/.." || exit 1
build=${BUILD:-build}
cc=${CC:-gcc}
cxx=${CXX:-g++}
work=$(mktemp -d "${TMPDIR:-/tmp}/samesum-install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH PKG_CONFIG_PATH DESTDIR SAMESUM_BACKEND

. tests/checks.sh

make_it() { # ARGUMENT... of make
    make -s BUILD="$build" CC="$cc" ${CFLAGS:+CFLAGS="$CFLAGS"} ${OPENMP:+OPENMP="$OPENMP"} "$@"
}

# ---- where things go ---------------------------------------------------------------------------------

prefix=$work/usr
check "make install" make_it install PREFIX="$prefix"
version=$(sed -n 's/.*SAMESUM_VERSION "\(.*\)"/\1/p' include/samesum.h)
for file in bin/samesum include/samesum.h include/samesum_device.cuh lib/libsamesum.a "lib/libsamesum.so.$version" \
    lib/pkgconfig/samesum.pc lib/cmake/samesum/samesum-config.cmake lib/cmake/samesum/samesum-config-version.cmake; do
    check "$file" test -f "$prefix/$file"
done
for page in docs/*.[13]; do
    check "${page#docs/} is installed" cmp "$page" "$prefix/share/man/man${page##*.}/${page#docs/}"
done
check "libsamesum.so -> libsamesum.so.0" [ "$(readlink "$prefix/lib/libsamesum.so")" = libsamesum.so.0 ]
check "libsamesum.so.0 -> libsamesum.so.$version" [ "$(readlink "$prefix/lib/libsamesum.so.0")" = "libsamesum.so.$version" ]
check "no placeholder is left" [ -z "$(grep -rl '@[A-Z_]*@' "$prefix/lib/pkgconfig" "$prefix/lib/cmake")" ]
check "the installed program works elsewhere" env -C / "$prefix/bin/samesum" sum "$PWD/examples/data/coads_slp.npy"

includes_are_there() { # what the headers of samesum_device.cuh include lies beside them
    local header name
    grep -r '^#include "' "$prefix/include/samesum" | sed 's/:#include "/ /; s/"$//' | while read -r header name; do
        [ -f "${header%/*}/$name" ] || { echo "$header: there is no $name" && return 1; }
    done && [ -f "$prefix/include/$(sed -n 's/^#include "\(samesum\/.*\)"/\1/p' include/samesum_device.cuh)" ]
}
check "the headers below include/samesum are complete" includes_are_there

check "make install DESTDIR=" make_it install DESTDIR="$work/stage" PREFIX=/opt/samesum
check "DESTDIR holds the same files" diff <(cd "$prefix" && find . | sort) <(cd "$work/stage/opt/samesum" && find . | sort)
check "DESTDIR holds nothing else" [ "$(cd "$work/stage" && echo ./*)" = ./opt ]
check "no file names DESTDIR" [ -z "$(grep -rl -e "$work/stage" "$work/stage/opt/samesum/lib/pkgconfig" "$work/stage/opt/samesum/lib/cmake")" ]

# ---- programs that use it ----------------------------------------------------------------------------

cat >"$work/tiny.c" <<'END'
#include <samesum.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static double x[300000]; /* enough for several threads */
    double result;
    for (int i = 0; i < 300000; i++)
        x[i] = 1.0 / (i + 1);
    if (samesum_sum_f64(x, 300000, SAMESUM_COMPENSATED, &result) != SAMESUM_OK)
        return 1;
    printf("%a %s\n", result, samesum_version());
    return strcmp(samesum_version(), SAMESUM_VERSION) != 0;
}
END
cp "$work/tiny.c" "$work/tiny.cpp"
# What they must print, from the installed program.
LC_ALL=C awk 'BEGIN { for (i = 1; i <= 300000; i++) printf "%.17g\n", 1 / i }' >"$work/tiny.txt"
expected="$("$prefix/bin/samesum" sum "$work/tiny.txt" --output hex) $version"

prints_it() { # PROGRAM
    local said
    said=$("$1") && echo "printed '$said', not '$expected'" && [ "$said" = "$expected" ]
}
shared() { # PROGRAM: uses the shared library, found at run time
    readelf -d "$1" | grep -q 'NEEDED.*libsamesum\.so\.0' && LD_LIBRARY_PATH=$prefix/lib prints_it "$1"
}
static() { # PROGRAM: holds the library
    ! readelf -d "$1" | grep -q 'NEEDED.*libsamesum' && prints_it "$1"
}

has_cxx=$(command -v "$cxx")
languages="c cpp"
if [ -z "$has_cxx" ]; then
    languages=c
    skip "C++: there is no $cxx"
fi
compile() { # LANGUAGE OUTPUT FLAG...
    local language=$1 output=$2
    shift 2
    case $language in
    c) "$cc" "$work/tiny.c" -o "$output" "$@" ;;
    cpp) "$cxx" "$work/tiny.cpp" -o "$output" "$@" ;;
    esac
}

for language in $languages; do
    check "$language by hand" compile "$language" "$work/hand-$language" -I"$prefix/include" -L"$prefix/lib" -lsamesum
    check "$language by hand runs" shared "$work/hand-$language"
    if command -v pkg-config >/dev/null; then
        export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
        # shellcheck disable=SC2046 # flags in words
        check "$language through pkg-config" compile "$language" "$work/pc-$language" $(pkg-config --cflags --libs samesum)
        check "$language through pkg-config runs" shared "$work/pc-$language"
        # shellcheck disable=SC2046
        check "$language through pkg-config --static" compile "$language" "$work/pcs-$language" \
            $(pkg-config --static --cflags --libs samesum | sed 's/-lsamesum/-l:libsamesum.a/')
        check "$language through pkg-config --static runs" static "$work/pcs-$language"
        check "pkg-config knows the version" [ "$(pkg-config --modversion samesum)" = "$version" ]
    else
        skip "$language through pkg-config: there is none"
    fi
done

if command -v cmake >/dev/null && [ -n "$has_cxx" ]; then
    mkdir "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(tiny C CXX)
find_package(samesum 0.1 REQUIRED)
foreach(language c cpp)
  add_executable(shared-${language} ../tiny.${language})
  target_link_libraries(shared-${language} PRIVATE samesum::samesum)
  add_executable(static-${language} ../tiny.${language})
  target_link_libraries(static-${language} PRIVATE samesum::static)
endforeach()
END
    # From the staged tree, moved away from where it was to be: the package finds itself.
    mv "$work/stage/opt/samesum" "$work/moved"
    cmake_it() {
        cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
            -DCMAKE_PREFIX_PATH="$work/moved" && cmake --build "$work/cmake/build"
    }
    check "CMake" cmake_it
    for language in c cpp; do
        check "CMake, samesum::samesum, $language" shared "$work/cmake/build/shared-$language"
        check "CMake, samesum::static, $language" static "$work/cmake/build/static-$language"
    done
    sed -i 's/samesum 0.1/samesum 1.0/' "$work/cmake/CMakeLists.txt"
    too_new() {
        ! cmake -S "$work/cmake" -B "$work/cmake/other" -DCMAKE_PREFIX_PATH="$work/moved" >"$work/too_new" 2>&1 &&
            grep -q 'samesum' "$work/too_new"
    }
    check "CMake refuses a version that is too old" too_new
else
    skip "CMake: there is no cmake or no $cxx"
fi

# ---- MPI ---------------------------------------------------------------------------------------------

cat >"$work/ranks.c" <<'END'
#include <samesum_mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double x = 1, r = 0;
    MPI_Init(&argc, &argv);
    samesum_status st = samesum_mpi_sum_f64(&x, 1, SAMESUM_TREE, &r, MPI_COMM_WORLD);
    printf("%d %g %s\n", st, r, samesum_version());
    MPI_Finalize();
    return 0;
}
END
ranks_print_it() { # KIND PROGRAM: on two ranks
    [ "$(LD_LIBRARY_PATH=$prefix/lib:$prefix/lib/samesum/$1 tests/mpi/launch.sh "$1" 2 "$2" | sort -u)" = "0 2 $version" ]
}
for kind in openmpi mpich; do
    if ! command -v mpicc.$kind >/dev/null || ! command -v pkg-config >/dev/null; then
        skip "$kind: there is no mpicc.$kind or no pkg-config"
        continue
    fi
    check "make install-mpi, $kind" make_it install-mpi MPI_KIND=$kind PREFIX="$prefix"
    # shellcheck disable=SC2046 # flags in words
    check "$kind through pkg-config" mpicc.$kind "$work/ranks.c" -o "$work/ranks-$kind" \
        $(pkg-config --cflags --libs samesum_mpi-$kind)
    check "$kind through pkg-config runs" ranks_print_it $kind "$work/ranks-$kind"
    check "the installed program finds it, $kind" tests/mpi/launch.sh $kind 2 "$prefix/bin/samesum" sum \
        examples/data/coads_slp.npy --mpi
done

BUILD=$build CC=$cc check "exported symbols" tests/abi.sh

# ---- and away ----------------------------------------------------------------------------------------

check "make uninstall" make_it uninstall PREFIX="$prefix"
check "no file is left" [ -z "$(find "$prefix" ! -type d)" ]
report
