#!/usr/bin/env bash
# Every test, twice: optimised as users get it, and under the address and undefined-behaviour sanitizers.
#     tools/check.sh all       on everything
#     tools/check.sh ci        optimised on everything, but of what takes longest one half, the other one tomorrow; under the sanitizers on
#                              a sample: what is asked of every change (.ci/run)
#     tools/check.sh sample    where there is much of a kind, on a part of it, another one each time (tests/cli/lib.bash);
#                              of the scripts in tests/cli, under the sanitizers, each on every fourth day
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-all} in
all) optimised=all sanitized=all ;;
ci) optimised=ci sanitized=sample ;;
sample) optimised=sample sanitized=sample ;;
*) sed -n '3,7s/^# //p' "$0" >&2 && exit 2 ;;
esac
export RECIPE_CHECK=$optimised RECIPE_CHECK_PART=0 RECIPE_CHECK_THIN=2

# Tests make and remove thousands of small files: in memory, where there is room for them, that takes a fraction of the time.
room=$(df --output=avail /dev/shm 2>/dev/null | tail -1) || room=0
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$room" -ge 8000000 ]; then
    TMPDIR=$(mktemp -d /dev/shm/recipe-check.XXXXXX)
    chmod 755 "$TMPDIR" # some tests are another user's
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
fi

# left_out PRESET: of a sample, the scripts that are not run under the sanitizers today: three of four, others tomorrow.
left_out() {
    ctest --test-dir "build/$1" -N -R '^cli/' | sed -n 's|.*Test *#[0-9]*: \(cli/.*\)$|\1|p' |
        awk -v today="$(($(date +%s) / 86400))" '(NR + today) % 4' | paste -sd '|'
}

for preset in release asan; do
    [ "$preset" = release ] || RECIPE_CHECK=$sanitized RECIPE_CHECK_THIN=8 # the sanitizers make all of it slower
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -- --quiet
    without=()
    if [ "$preset$RECIPE_CHECK" = asansample ]; then
        without=(-E "^($(left_out asan))\$")
        echo "Not under the sanitizers today ('make check-all' runs them): $(left_out asan | tr '|' ' ')"
    fi
    ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "${without[@]}"
    if [ "$RECIPE_CHECK" = sample ]; then
        echo "Samples ('make check-all' looks at everything):"
        awk '/^[0-9]+\/[0-9]+ Testing: / { test = $3 } /^sampled: / { sub(/^sampled: /, ""); printf "  %-24s %s\n", test, $0 }' \
            "build/$preset/Testing/Temporary/LastTest.log" | sort -u
    fi
    RECIPE_CHECK_PART=$((RECIPE_CHECK_PART + 1))
done
