#!/bin/sh
# --mpi: what is missing is said once, before anything is read or printed; ranks that share a file print,
# report and exit as one process does.
#
#   LAUNCH='mpirun -n 3' tests/cli/mpi.sh        with ranks, which need $SAMESUM_MPI_LIBRARY
#
# Without LAUNCH what needs no ranks is tested.
case ${SAMESUM_MPI_LIBRARY-} in # a path from here, where lib.sh leaves
[!/]*) SAMESUM_MPI_LIBRARY=$PWD/$SAMESUM_MPI_LIBRARY ;;
*) SAMESUM_MPI_LIBRARY=${SAMESUM_MPI_LIBRARY-} ;;
esac
. "${0%/*}/lib.sh"
launch=${LAUNCH-}
library=$SAMESUM_MPI_LIBRARY
unset SAMESUM_MPI_LIBRARY

le $one_to_ten >x.f64
lines 1 2 3 >x.txt
remedy="make mpi builds it where Open MPI or MPICH is; without --mpi one process gives the same bits"

# ---- no library ------------------------------------------------------------------------------------
SAMESUM_MPI_LIBRARY=/nonexistent
export SAMESUM_MPI_LIBRARY
missing="--mpi: there is no /nonexistent, which SAMESUM_MPI_LIBRARY names; $remedy"
refuses "without the library" 1 "$missing" sum x.f64 --mpi
said "it says just that" "samesum: $missing"
refuses "before a file is opened" 1 "$missing" sum missing.f64 --mpi
prints "info says it" "mpi             no: there is no /nonexistent" info
bits "nobody needs it" $fifty_five sum x.f64
refuses "standard input" 2 "standard input reaches one rank alone" sum - --mpi <x.txt
refuses "standard input as weights" 2 "standard input" sum x.f64 --weights - --mpi
refuses "a device" 2 "backend cuda is one device" sum x.f64 --mpi --backend cuda
refuses "a wrong option" 2 "belongs to" sum x.f64 --mpi --ddof 1
refuses "a value" 2 "takes no value" sum x.f64 --mpi=3
refuses "audit" 2 "--mpi is not an option of audit" audit x.f64 --mpi
SAMESUM_MPI_LIBRARY=$PWD/x.txt
refuses "no library at all" 1 "x.txt cannot be loaded: " sum x.f64 --mpi
unset SAMESUM_MPI_LIBRARY
if [ -z "$launch" ]; then
    echo "SKIPPED: --mpi with ranks: make test-mpi does that"
    finish
fi

# ---- ranks -----------------------------------------------------------------------------------------
SAMESUM_MPI_LIBRARY=$library
export SAMESUM_MPI_LIBRARY

# What launchers say of an exit status is theirs.
ranks() { # ARGUMENT... : sets status, and the files out and err
    # shellcheck disable=SC2086 # words
    timeout 60 $launch "$SAMESUM" "$@" --mpi >out 2>err.all
    status=$?
    sed '/^-----/,/^-----/d' err.all | grep -v '^=' | grep -v '^\[' >err
}

# equal ARGUMENT... : ranks print, report and exit as one process does
equal() {
    "$SAMESUM" "$@" >one.out 2>one.err
    one=$?
    ranks "$@"
    if [ $status -ne $one ]; then
        fail "ranks: $*" "exit $status, not $one: $(head -n 1 err)"
    elif ! cmp -s out one.out || ! cmp -s err one.err; then
        fail "ranks: $*" "$(head -n 1 out) $(head -n 3 err), not $(head -n 1 one.out) $(head -n 1 one.err)"
    else
        pass "ranks: $*"
    fi
}

data=$examples/data
slp=$data/coads_slp.npy sst=$data/coads_sst.npy field=$data/coads_sst_field.npy
indices=$(awk 'BEGIN { for (i = 1; i <= 60; i++) print (i * 37) % 101 - 50 }')
array c.npy '<f8' '(3, 4, 5)' $(hex64 $indices)
fortran f.npy '<f8' '(3, 4, 5)' $(hex64 $indices)
array c64.npy '<c8' '(3, 10)' $(hex32 $indices)
array half.npy '<f2' '(2, 4)' 3c00 c000 0001 7bff 3c01 7c00 8000 3800
array mask.npy '|b1' '(3, 4, 5)' $(awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 7 != 3) ? "01" : "00" }')
array weights.npy '<f8' '(4,)' $(hex64 1 2 3 4)
array empty.npy '<f8' '(0, 3)'

for op in sum nrm2 mean std argmax; do
    equal $op "$slp" --accuracy kahan --output json
    equal $op f.npy --mask mask.npy --output json
done
equal asum "$sst" --missing -1e34 --accuracy exact --output json
equal var "$field" --missing -1e34 --axis 0 --output bits
equal min c.npy --axis 1 --output json
equal std "$field" --missing -1e34 --axis 1
equal argmax "$field" --missing -1e34 --axis 2
equal sumsq c64.npy --axis 1
equal dot c.npy f.npy --accuracy exact --output json
equal dot c64.npy c64.npy --conj
equal mean f.npy --axis 1 --weights weights.npy --mask mask.npy
equal sum c.npy --stride -7
equal mean x.txt --chunk 2
equal sum half.npy --output json
equal max half.npy --axis -1
equal argmin half.npy --nan ignore
equal mean empty.npy
equal argmin empty.npy
equal argmin empty.npy --axis 0
equal std x.f64 --ddof 10 --threads 2
equal sum half.npy --fail-on-nonfinite
equal sum missing.npy
equal sum "$slp" --accuracy best
equal sum "$slp" --dtype f64
equal --help

"$SAMESUM" mean c.npy --axis 0 -o one.npy
ranks mean c.npy --axis 0 -o ranks.npy
if cmp -s one.npy ranks.npy && ! [ -s out ]; then pass "ranks: -o"; else fail "ranks: -o" "$(cat err)"; fi
ranks mean c.npy --axis 0 -o no/such/folder.npy
if [ $status -eq 1 ] && [ "$(grep -c folder err)" -eq 1 ]; then
    pass "ranks: what rank 0 cannot write"
else
    fail "ranks: what rank 0 cannot write" "exit $status: $(cat err)"
fi

# Where one rank alone is in trouble: all end, and its message is there once.
cat >lame.sh <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-0}}
[ "$rank" -ne 1 ] || cd /
exec "$@"
END
chmod +x lame.sh
for file in x.f64 x.txt; do
    # shellcheck disable=SC2086 # words
    timeout 60 $launch ./lame.sh "$SAMESUM" sum $file --mpi >out 2>err
    status=$?
    if [ $status -eq 1 ] && ! [ -s out ] && [ "$(grep -c "^samesum: $file" err)" -eq 1 ]; then
        pass "ranks: $file is missing on one"
    else
        fail "ranks: $file is missing on one" "exit $status: $(cat out err)"
    fi
done
finish
