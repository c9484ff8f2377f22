#!/usr/bin/env bash
# Every benchmark, one after the other: tools/bench.sh BUILD-DIRECTORY
set -euo pipefail
for bench in "$1"/bench/bench_*; do
    [ -x "$bench" ] && [ -f "$bench" ] || continue
    echo "== $(basename "$bench")"
    "$bench"
    echo
done
