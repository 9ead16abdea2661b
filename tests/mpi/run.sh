#!/bin/bash
# run.sh - the tests of the MPI library under each MPI library, with each number of ranks, on however few
# cores. `make test-mpi` calls it.
#
#   BUILD=DIR MPI='openmpi mpich' MPI_RANKS='1 2 3' tests/mpi/run.sh [short|quick|full [SUITE]...]
#
# Without arguments: `quick` with 3 ranks and `short` with the others.
set -u
cd "${0%/*}/../.." || exit 1
build=${BUILD:-build}
failed=0

# What starts ranks, as each MPI library takes it.
launcher() { # KIND
    case $1 in
    openmpi) echo "mpirun.openmpi --oversubscribe$(root_too)" ;;
    mpich) echo "mpirun.mpich" ;;
    *) echo "${MPIRUN:-mpirun}" ;;
    esac
}
root_too() {
    [ "$(id -u)" -ne 0 ] || echo " --allow-run-as-root"
}

for kind in $MPI; do
    for ranks in $MPI_RANKS; do
        depth=short
        [ "$ranks" -ne 3 ] || depth=quick
        start=$SECONDS
        # shellcheck disable=SC2046 # words
        OMP_NUM_THREADS=2 timeout 300 $(launcher "$kind") -n "$ranks" \
            "$build/$kind/samesum_mpi_test" "${@:-$depth}" >"$build/$kind/test.out" 2>&1
        status=$?
        if [ $status -eq 0 ]; then
            echo "ok   $kind, $ranks ranks: $(tail -n 1 "$build/$kind/test.out"), $((SECONDS - start)) s"
        else
            failed=1
            echo "FAIL $kind, $ranks ranks: exit $status"
            cat "$build/$kind/test.out"
        fi
    done
done

# Other numbers of ranks, and more of them, in one process (bench/mpi/scaling.c).
# shellcheck disable=SC2046 # words
if "$build/bench/mpi/scaling" 2 10 $(seq 1 40) 1000 >"$build/scaling.out" 2>&1; then
    echo "ok   simulated: 1 to 40 ranks and 1000"
else
    failed=1
    echo "FAIL simulated ranks"
    grep -v equal "$build/scaling.out"
fi
exit $failed
