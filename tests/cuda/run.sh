#!/bin/bash
# run.sh - runs the tests on a CUDA device and prints a short summary.
#
#     ./run.sh OUT [suites|sanitize] [--tools "memcheck racecheck ..."] [--limit SECONDS] [--jobs N] [--seed N]
#
# Without `suites` or `sanitize`: both. OUT: a folder for the logs of each suite and tool, and for table_cuda.txt.
# --tools: of compute-sanitizer. --limit: of each suite, and of each tool, in seconds. --jobs: suites at once (4).
# Exit status 0 if all passed.
set -u

usage() {
	sed -n '3,10s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
test_program=$here/samesum_cuda_test
[ $# -ge 1 ] || usage
out=$1
shift
what=all
tools='memcheck racecheck initcheck synccheck'
suite_limit=120
tool_limit=90
at_once=4
seed=1
while [ $# -gt 0 ]; do
	case $1 in
	suites | sanitize) what=$1 ;;
	--tools) tools=${2-} && shift ;;
	--limit) suite_limit=${2-} tool_limit=${2-} && shift ;;
	--jobs) at_once=${2-} && shift ;;
	--seed) seed=${2-} && shift ;;
	*) usage ;;
	esac
	shift
done
mkdir -p "$out" || exit 1

# The long ones first. Each is a process of its own; they share the device.
suites='table host huge lengths states special alignment tuning graphs repetition vectors streams broadcast arguments'
# What the tools run at quick depth: between them they meet every kernel.
checked='arguments broadcast graphs states streams table lengths tuning'
# racecheck looks at shared memory, and is slow.
checked_by_racecheck='broadcast graphs states lengths'
failures=0
# Several processes share the processor: idle threads must not spin.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} OMP_WAIT_POLICY=passive

# run LOG SECONDS COMMAND...: the log's last line tells how it ended.
run() {
	log=$1 limit=$2
	shift 2
	start=$(date +%s.%N)
	timeout -k 5 "$limit" "$@" >"$log" 2>&1
	echo "status $? seconds $(echo "$start $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')" >>"$log"
}

status_of() { sed -n '$s/^status \([0-9]*\) .*/\1/p' "$1"; }
seconds_of() { sed -n '$s/.* seconds //p' "$1"; }

run_suites() {
	for suite in $suites; do
		while [ "$(jobs -r | wc -l)" -ge "$at_once" ]; do wait -n; done
		run "$out/$suite.log" "$suite_limit" "$test_program" --suite "$suite" --seed "$seed" \
			--vectors "$here/golden.txt" --out "$out" &
	done
	wait
}

# Adds up the last lines of all suites.
print_suites() {
	for suite in $suites; do
		log=$out/$suite.log
		if [ "$(status_of "$log")" = 0 ] && grep -q '^total:' "$log"; then
			word=pass
		else
			word=FAIL
			failures=$((failures + 1))
		fi
		awk -v suite="$suite" -v word="$word" '
			/^total:/ { bits = $2; results = $8; differ = $11 }
			/^SKIPPED/ { skipped = skipped "  " $0 }
			/^status/ { seconds = $4; status = $2 }
			END { printf "%-11s %s  %14d bits %11d results %5d differ %7.1f s%s%s\n", suite, word, bits, results,
				differ, seconds, skipped, status == 124 ? "  TIMED OUT" : "" }' "$log"
		[ $word = pass ] || grep -vE '^(device|total|status|[0-9]+ passed)' "$log" | cut -c1-220 | head -n 12
	done
	(cd "$out" && for suite in $suites; do cat "$suite.log"; done) | awk '
		/^total:/ { bits += $2; results += $8; differ += $11 }
		END { printf "all suites: %d bits compared on the device, %d results compared, %d differ\n", bits, results,
			differ }'
	grep -h '^table: ' "$out/table.log" | cut -c1-400
}

sanitize() {
	if ! command -v compute-sanitizer >/dev/null; then
		echo "SKIPPED: no compute-sanitizer"
		return
	fi
	for tool in $tools; do
		names=$checked
		[ "$tool" = racecheck ] && names=$checked_by_racecheck
		args=
		for suite in $names; do args="$args --suite $suite"; done
		# shellcheck disable=SC2086 # several words
		run "$out/$tool.log" "$tool_limit" compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 20 \
			"$test_program" --quick $args --seed "$seed" --vectors "$here/golden.txt" --out "$out/quick" &
	done
	wait
	for tool in $tools; do
		log=$out/$tool.log
		if [ "$(status_of "$log")" = 0 ]; then
			word=clean
		else
			word=FAIL
			failures=$((failures + 1))
		fi
		printf '%-10s %s  status %s, %s s: %s; %s\n' "$tool" $word "$(status_of "$log")" "$(seconds_of "$log")" \
			"$(grep -E '(ERROR|RACECHECK) SUMMARY' "$log" | tail -n 1 | sed 's/=* *//')" "$(grep '^total:' "$log")"
		[ $word = clean ] || grep -vE '^(device|total|status)' "$log" | cut -c1-160 | head -n 14
	done
}

grep -qa . "$test_program" || exit 1
if ! "$test_program" --suite broadcast --quick >"$out/device.log" 2>&1 || grep -q '^SKIPPED: no CUDA' "$out/device.log"; then
	cat "$out/device.log"
	grep -q '^SKIPPED: no CUDA' "$out/device.log" && exit 0
fi
head -n 1 "$out/device.log"
command -v nvidia-smi >/dev/null && echo "driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)"
mkdir -p "$out/quick"
if [ $what != sanitize ]; then
	run_suites
	print_suites
fi
if [ $what != suites ]; then
	sanitize
fi
[ $failures = 0 ] && echo "everything passed" || echo "$failures FAILED"
[ $failures = 0 ]
