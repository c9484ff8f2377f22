#!/usr/bin/env bash
# Every benchmark, one after the other: tools/bench.sh BUILD-DIRECTORY
set -euo pipefail
for bench in "$1"/bench/bench_*; do
    [ -x "$bench" ] && [ -f "$bench" ] || continue
    echo "== $(basename "$bench")"
    "$bench"
    echo
done
# Those that need programs to record.
for bench in "$(dirname "$0")"/../bench/*.sh; do
    echo "== $(basename "$bench")"
    code=0
    RECIPE="$1/recipe" "$bench" || code=$?
    [ $code -eq 77 ] && echo "SKIPPED: what it measures can't be fetched here" || [ $code -eq 0 ] || exit $code
    echo
done
