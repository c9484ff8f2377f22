#!/usr/bin/env bash
# Runs each libFuzzer target for FUZZ_SECONDS on a copy of its corpus; FUZZ_TARGETS names some of them alone.
# A finding stops the script, and its input is left in build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -- --quiet
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    [[ -z ${FUZZ_TARGETS:-} || " $FUZZ_TARGETS " == *" $name "* ]] || continue
    found=build/fuzz/corpus/$name
    mkdir -p "$found"
    echo "== $name, ${FUZZ_SECONDS:-600} s"
    "build/fuzz/tests/$name" -max_total_time="${FUZZ_SECONDS:-600}" -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="build/fuzz/$name-" "$found" "tests/fuzz/corpus/$name"
done
