#!/usr/bin/env bash
# Every test, twice: optimised as users get it, and under the address and undefined-behaviour sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."

for preset in release asan; do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -- --quiet
    ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)"
done
