#!/bin/bash
# run.sh - the tests of the MPI library under each MPI library, with each number of ranks, on however few
# cores. `make test-mpi` calls it.
#
#   BUILD=DIR MPI_KINDS='openmpi mpich' MPI_RANKS='1 2 3' tests/mpi/run.sh [short|quick|full [SUITE]...]
#
# Without arguments: `quick` with 3 ranks and `short` with the others.
set -u
cd "${0%/*}/../.." || exit 1
build=${BUILD:-build}
failed=0

# judge NAME OUTPUT STATUS START : says what came of it
judge() {
    if [ "$3" -eq 0 ]; then
        echo "ok   $1: $(tail -n 1 "$2"), $((SECONDS - $4)) s"
    else
        failed=1
        echo "FAIL $1: exit $3"
        grep -v '^ok ' "$2"
    fi
}

for kind in $MPI_KINDS; do
    out=$build/$kind/test.out
    for ranks in $MPI_RANKS; do
        depth=short
        [ "$ranks" -ne 3 ] || depth=quick
        start=$SECONDS
        OMP_NUM_THREADS=2 timeout 300 tests/mpi/launch.sh "$kind" "$ranks" \
            "$build/$kind/samesum_mpi_test" "${@:-$depth}" >"$out" 2>&1
        judge "$kind, $ranks ranks" "$out" $? $start
    done
    start=$SECONDS
    LAUNCH="$PWD/tests/mpi/launch.sh $kind 3" SAMESUM=$build/samesum SAMESUM_MPI_LIBRARY=$build/$kind/libsamesum_mpi.so \
        sh tests/cli/mpi.sh >"$out" 2>&1
    judge "$kind, the program with 3 ranks" "$out" $? $start
done

# Other numbers of ranks, and more of them, in one process (bench/mpi/scaling.c).
start=$SECONDS
"$build/bench/mpi/scaling" 2 10 $(seq 1 25) 1000 >"$build/scaling.out" 2>&1
judge "1 to 25 simulated ranks, and 1000" "$build/scaling.out" $? $start
start=$SECONDS
timeout 60 "$build/tests/mpi/memory" >"$build/memory.out" 2>&1
judge "memory fails on one of several ranks" "$build/memory.out" $? $start
exit $failed
