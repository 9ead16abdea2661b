#!/bin/sh
# selftest, info and bench.
. "${0%/*}/lib.sh"

prints "info: the version" "0.1.0" info
prints "info: the arithmetic" "version 1" info
prints "info: the backend in use" "(chosen)" info
for backend in $("$SAMESUM" info | sed -n 's/^backends//p' | sed 's/(chosen)//'); do
    if [ "$backend" = scalar ] || [ -n "$SAMESUM_TEST_ALL" ]; then
        prints "selftest --backend $backend" "$backend" selftest --backend $backend
    fi
    SAMESUM_BACKEND=$backend
    export SAMESUM_BACKEND
    prints "info under SAMESUM_BACKEND=$backend" "$backend (chosen)" info
    unset SAMESUM_BACKEND
done
prints "bench" "compensated" bench --size 1
prints "bench on one thread" "at most 1 thread" bench --size 1 --threads 1
refuses "bench --size 0" 2 "--size" bench --size 0
finish
