#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small random programs (tests/prop/small) are hunted, and all of their schedules explored apart: no hunt reports what no schedule
# shows, and one that says that it has seen all classes of runs has found every race, and there is no deadlock and no crash.
#   HUNTED_FIRST=1 HUNTED_COUNT=30   which; HUNTED_KEEP=DIR: what failed goes there, and the next one is tried
. "$(dirname "$0")/lib.bash"
small=${RECIPE%/*}/tests/small_programs
first=${HUNTED_FIRST:-1} count=${HUNTED_COUNT:-$(few 30 6 "small random programs")}
ulimit -v unlimited
ulimit -c 0
"$small" source "$first" "$count" >programs.c
"$RECIPE" cc -O1 -g -w programs.c -o programs -pthread
touch counts
failed=0
for ((seed = first; seed < first + count; seed++)); do
    rm -rf trace hunt.json
    code=0
    timeout 300 "$RECIPE" hunt --jobs 1 --limit 2 --budget 10 -o trace --format json --report hunt.json ./programs "$seed" >out 2>err </dev/null || code=$?
    if [ $code -le 1 ] && "$small" check-hunt "$seed" hunt.json >>counts 2>said; then continue; fi
    cat said err >&2
    failed=$((failed + 1))
    [ -n "${HUNTED_KEEP:-}" ] || fail "small_programs show $seed"
    mkdir -p "$HUNTED_KEEP/$seed"
    cp said err hunt.json "$HUNTED_KEEP/$seed" || true
done
awk '{
    for (i = 1; i <= NF; i++) {
        n = index($i, "=")
        sum[substr($i, 1, n - 1)] += substr($i, n + 1)
    }
} END {
    printf "%d programs: %d classes in %d runs (%d of a class that was seen), %d turns open; %d of %d races; %d hunts ended, on programs with %d races\n",
        NR, sum["classes"], sum["runs"], sum["again"], sum["open"], sum["found"], sum["all"], sum["complete"], sum["whole"]
}' counts
[ $failed -eq 0 ] || fail "$failed of $count programs"
