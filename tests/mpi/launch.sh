#!/bin/sh
# launch.sh - starts ranks on this machine, as each MPI library takes it, on however few cores.
#
#   tests/mpi/launch.sh openmpi|mpich|mpi RANKS PROGRAM [ARGUMENT]...
#
# Any other MPI library: MPIRUN names its launcher.
kind=$1 ranks=$2
shift 2
case $kind in
openmpi) # on one machine it need not look for networks
    [ "$(id -u)" -ne 0 ] || set -- --allow-run-as-root "$@"
    exec mpirun.openmpi --oversubscribe --mca plm isolated --mca pml ob1 --mca btl self,vader -n "$ranks" "$@"
    ;;
mpich) exec mpirun.mpich -n "$ranks" "$@" ;;
*) exec "${MPIRUN:-mpirun}" -n "$ranks" "$@" ;;
esac
