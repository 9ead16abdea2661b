# checks.sh - helpers of the scripts of builds and of what is installed, which source it in the project's folder.
# work: a folder of the script's own, which it makes before.
# shellcheck shell=bash

: "${work:?}"
passed=0
failed=0
skipped=0

check() { # NAME COMMAND... : passes where the command does; its output is shown where it fails
    local name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        sed 's/^/     /' "$work/out"
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "SKIPPED $1"
}
report() { # the last line; its status is that of the script
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
