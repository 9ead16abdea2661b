#!/bin/bash
# run.sh - runs the tests and the benchmark over the GPUs of a machine, and prints a short summary.
#
#     ./run.sh OUT SECONDS GIB SEED [TOOL]...
#
# OUT: a folder; it receives summary.txt and all logs in logs.txt. SECONDS: for each run of the tests (a watchdog ends those that
# wait for ever). GIB: on each GPU, for the benchmark; 0: none. TOOLs: of compute-sanitizer, for a part of the tests. With one
# GPU, then with two and with all: one process for each GPU, and one process with all of them.
# Exit status 0 if all passed, or there is no GPU.
set -u

if [ $# -lt 4 ]; then
	sed -n '4p' "$0" | sed 's/^# *//' >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
out=$1 seconds=$2 gib=$3 seed=$4
shift 4
mkdir -p "$out" && logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
failures=0
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} OMP_WAIT_POLICY=passive

# run NAME COMMAND...: its log, and what came of it
run() {
	local name=$1 start=$SECONDS status
	shift
	timeout -k 5 $((seconds + 30)) "$@" >"$logs/$name.log" 2>&1
	status=$?
	{
		echo "======== $name: exit $status"
		head -c 400000 "$logs/$name.log"
	} >>"$out/logs.txt"
	took=$((SECONDS - start))
	return $status
}

tests() { # WAY GPUS
	local name=$1-$2 word=pass
	run "$name" "$here/samesum_nccl_test" "$1" "$2" --limit "$seconds" --seed "$seed" &&
		grep -q '^total:.* 0 differ' "$logs/$name.log" || word=FAIL
	printf '%-12s %s  %s; %s; %d s\n' "$name" $word "$(grep '^total:' "$logs/$name.log" | tail -n 1)" \
		"$(grep '^[0-9]* passed' "$logs/$name.log" | tail -n 1)" $took
	if [ $word = FAIL ]; then
		failures=$((failures + 1))
		grep -v '^total' "$logs/$name.log" | cut -c1-220 | head -n 25
	fi
}

# TOOL GPUS: one process with all GPUs. Calls of CUDA that fail are not errors here: NCCL makes some to find out what there is; nor
# are its kernels looked at, which read whole words at the end of what they send.
sanitize() {
	local name=$1 word=clean
	run "$name" "$sanitizer" --tool "$1" --error-exitcode 9 --print-limit 20 --report-api-errors no \
		--kernel-name-exclude kernel_substring=ncclDevKernel \
		"$here/samesum_nccl_test" members "$2" --quick \
		--limit "$seconds" --seed "$seed" cases states vectors fields && grep -q '^total:.* 0 differ' "$logs/$name.log" || word=FAIL
	printf '%-12s %s  %s; %s; %d s\n' "$name" $word "$(grep 'SUMMARY' "$logs/$name.log" | tail -n 1 | sed 's/^=* *//')" \
		"$(grep '^total:' "$logs/$name.log")" $took
	if [ $word = FAIL ]; then
		failures=$((failures + 1))
		grep -v '^total' "$logs/$name.log" | cut -c1-180 | head -n 15
	fi
}

bench() { # WAY GPUS
	run "bench-$1-$2" "$here/samesum_nccl_test" bench "$1" "$2" --gib "$gib" || failures=$((failures + 1))
	cut -c1-400 "$logs/bench-$1-$2.log" | head -n 30
}

everything() {
	local gpus why
	: >"$out/logs.txt"
	{ read -r gpus && read -r why; } < <("$here/samesum_nccl_test" gpus)
	if [ "${gpus:-0}" -lt 1 ]; then
		echo "**** SKIPPED: no GPU, or no NCCL: ${why-}"
		return 0
	fi
	echo "$gpus GPUs"
	sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)
	if [ $# -gt 0 ] && [ -z "$sanitizer" ]; then
		echo "**** SKIPPED: $*: no compute-sanitizer"
		set --
	fi
	[ "$gpus" -ge 2 ] || echo "**** SKIPPED: more than one GPU: there is only one here"
	for n in $(printf '%s\n' 1 2 "$gpus" | sort -nu); do
		[ "$n" -le "$gpus" ] || continue
		for way in processes members; do
			tests $way "$n"
		done
	done
	if [ "$gib" != 0 ]; then
		for way in processes members; do
			bench $way "$gpus"
		done
	fi
	for tool; do
		sanitize "$tool" "$gpus"
	done
	[ $failures = 0 ] && echo "everything passed" || echo "$failures FAILED"
	[ $failures = 0 ]
}

# No more than about 11,000 characters, whatever happens.
set -o pipefail
everything "$@" 2>&1 | tee "$out/summary.txt" | awk '{ n += length($0) + 1 } n < 10700 { print; fflush() }'
