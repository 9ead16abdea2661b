#!/bin/bash
# run.sh - runs the tests on a CUDA device and prints a short summary.
#
#     ./run.sh OUT [suites|sanitize] [--tools "memcheck racecheck ..."] [--limit SECONDS] [--jobs N] [--seed N]
#
# Without `suites` or `sanitize`: both. OUT: a folder; it receives summary.txt, table_cuda.txt and all logs in logs.txt.
# --tools: of compute-sanitizer. --limit: of all suites together, and of each tool, in seconds. --jobs: suites at once (4).
# Exit status 0 if all passed, or there is no device.
set -u

usage() {
	sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
test_program=$here/samesum_cuda_test
[ $# -ge 1 ] || usage
out=$1
shift
what=all
tools='memcheck racecheck initcheck synccheck'
suites_limit=180
tool_limit=90
at_once=4
seed=1
while [ $# -gt 0 ]; do
	case $1 in
	suites | sanitize) what=$1 ;;
	--tools) tools=${2-} && shift ;;
	--limit) suites_limit=${2-} tool_limit=${2-} && shift ;;
	--jobs) at_once=${2-} && shift ;;
	--seed) seed=${2-} && shift ;;
	*) usage ;;
	esac
	shift
done

# The long ones first. Each is a process of its own; they share the device.
suites='table host huge lengths states shares special alignment tuning graphs repetition vectors streams broadcast arguments kernels'
# What the tools run at quick depth: every kernel, in few and small calls.
checked='kernels'
# memcheck is fast enough for more.
checked_by_memcheck='kernels arguments graphs streams'
# Several processes share the processor: idle threads must not spin.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} OMP_WAIT_POLICY=passive

mkdir -p "$out" && logs=$(mktemp -d) && mkdir "$logs/quick" || exit 1
trap 'rm -rf "$logs"' EXIT
failures=0

# run NAME SECONDS COMMAND...: the last line of the log tells how it ended.
run() {
	local log=$logs/$1.log limit=$2 start
	shift 2
	start=$(date +%s.%N)
	timeout -k 5 "$limit" "$@" >"$log" 2>&1
	echo "status $? seconds $(echo "$start $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')" >>"$log"
}

status_of() { sed -n '$s/^status \([0-9]*\) .*/\1/p' "$logs/$1.log"; }
seconds_of() { sed -n '$s/.* seconds //p' "$logs/$1.log"; }

keep_logs() {
	for name in "$@"; do
		echo "======== $name"
		head -c 400000 "$logs/$name.log"
	done >>"$out/logs.txt"
}

run_suites() {
	local end=$((SECONDS + suites_limit)) left
	for suite in $suites; do
		while [ "$(jobs -r | wc -l)" -ge "$at_once" ]; do wait -n; done
		left=$((end - SECONDS))
		run "$suite" $((left > 5 ? left : 5)) "$test_program" --suite "$suite" --seed "$seed" --vectors "$here/golden.txt" \
			--out "$out" &
	done
	wait
	# shellcheck disable=SC2086 # several words
	keep_logs $suites
}

print_suites() {
	for suite in $suites; do
		local log=$logs/$suite.log word=FAIL
		[ "$(status_of "$suite")" = 0 ] && grep -q '^total:.* 0 differ' "$log" && word=pass
		awk -v suite="$suite" -v word="$word" '
			/^total:/ { bits = $2; results = $8; differ = $11 }
			/^SKIPPED/ { skipped = "; " $0 }
			/^status/ { seconds = $4; status = $2 }
			END { printf "%-11s %s  %14.0f bits %11.0f results %5d differ %7.1f s%s%s\n", suite, word, bits, results,
				differ, seconds, skipped, status == 124 ? "; TIMED OUT" : "" }' "$log"
		if [ $word = FAIL ]; then
			failures=$((failures + 1))
			grep -vE '^(device|total|status|[0-9]+ passed)' "$log" | cut -c1-200 | head -n 7
		fi
	done
	(cd "$logs" && for suite in $suites; do cat "$suite.log"; done) | awk '
		/^total:/ { bits += $2; results += $8; differ += $11 }
		END { printf "all suites: %.0f bits compared on the device, %.0f results compared, %d differ\n", bits, results,
			differ }'
	grep '^table: ' "$logs/table.log" | cut -c1-400
}

# Programs that compare their own results with the CPU's: the tests and examples of samesum_device.cuh.
run_programs() {
	for program in "$here"/programs/*; do
		local name word=FAIL
		name=$(basename "$program")
		run "$name" 60 "$program"
		[ "$(status_of "$name")" = 0 ] && word=pass || failures=$((failures + 1))
		printf '%-11s %s  %s\n' "$name" $word "$(tail -n 2 "$logs/$name.log" | head -n 1 | cut -c1-100)"
		keep_logs "$name"
	done
}

sanitize() {
	local sanitizer
	sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer) || {
		echo "SKIPPED: no compute-sanitizer"
		return
	}
	for tool in $tools; do
		local names=$checked args=
		[ "$tool" = memcheck ] && names=$checked_by_memcheck
		for suite in $names; do args="$args --suite $suite"; done
		# shellcheck disable=SC2086 # several words
		run "$tool" "$tool_limit" "$sanitizer" --tool "$tool" --error-exitcode 9 --print-limit 20 \
			"$test_program" --quick $args --seed "$seed" --vectors "$here/golden.txt" --out "$logs/quick" &
	done
	wait
	# shellcheck disable=SC2086 # several words
	keep_logs $tools
	for tool in $tools; do
		local log=$logs/$tool.log word=FAIL
		[ "$(status_of "$tool")" = 0 ] && grep -q '^total:.* 0 differ' "$log" && word=clean
		printf '%-10s %s  status %s, %s s: %s; %s; %s\n' "$tool" $word "$(status_of "$tool")" "$(seconds_of "$tool")" \
			"$(grep 'SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//')" "$(grep '^total:' "$log")" \
			"$(grep -o '^kernels launched: [0-9]* of [0-9]*' "$log")"
		if [ $word = FAIL ]; then
			failures=$((failures + 1))
			grep -vE '^(device|total|status)' "$log" | cut -c1-160 | head -n 12
		fi
	done
}

# The suites that are run are those that there are.
check_list() {
	# shellcheck disable=SC2086 # several words
	if [ "$(printf '%s\n' $suites | sort)" != "$("$test_program" --list | sort)" ]; then
		echo "FAIL: the program has other suites: $("$test_program" --list | tr '\n' ' ')"
		failures=$((failures + 1))
	fi
}

everything() {
	: >"$out/logs.txt"
	check_list
	run device 60 "$test_program" --suite broadcast --quick
	if ! grep -q '^device: ' "$logs/device.log"; then
		head -n 5 "$logs/device.log"
		grep -q '^SKIPPED' "$logs/device.log"
		return
	fi
	grep '^device: ' "$logs/device.log"
	command -v nvidia-smi >/dev/null &&
		echo "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
	if [ "$what" != sanitize ]; then
		run_suites
		print_suites
		grep '^kernels launched:' "$logs/kernels.log"
		run_programs
	fi
	if [ "$what" != suites ]; then
		sanitize
	fi
	[ $failures = 0 ] && echo "everything passed" || echo "$failures FAILED"
	[ $failures = 0 ]
}

# No more than about 11,000 characters, whatever happens.
set -o pipefail
everything 2>&1 | tee "$out/summary.txt" | awk '{ n += length($0) + 1 } n < 10700 { print; fflush() }'
