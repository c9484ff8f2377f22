#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recipe and recipe+ cost beside recipe-s, what they find, and what they do not look at: a row per set of the tests'
# programs, or of programs that are already built: bench/explore.sh [NAME COMMAND…].
set -euo pipefail
RECIPE=$(realpath "${RECIPE:-build/release/recipe}")
sources=$(realpath "${RECIPE_SOURCE_DIR:-.}")/tests/programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ulimit -v unlimited
TIMEFORMAT='%U %S'
models=(recipe-s recipe recipe+)

analyze() { # NAME: the run in ./trace; appends a line per model to ./NAME
    local model spent races
    "$RECIPE" trace stat trace >out # its events are made once
    for model in "${models[@]}"; do
        rm -rf trace/results.db* trace/variants
        spent=$({ time "$RECIPE" analyze --jobs 1 --stats --model "$model" trace >out 2>err || true; } 2>&1)
        races=$(grep -c '^Race' out || true)
        awk -v model="$model" -v spent="$spent" -v races="$races" '
            /^exploration: variants|^exploration: asked/ { n[$2] = $NF }
            /^rejected: / { if ($NF && $0 !~ /instances/) n["rejected"] += $NF }
            END { split(spent, s, " "); print model, s[1] + s[2], races, n["asked"] + 0, n["variants"] + 0, n["rejected"] + 0 }' err >>"$1"
    done
}

row() { # NAME
    awk -v name="$1" '
        { seconds[$1] += $2; races[$1] += $3; asked[$1] += $4; variants[$1] += $5; rejected[$1] += $6 }
        END {
            base = seconds["recipe-s"] ? seconds["recipe-s"] : 0.01
            printf "| %s | %.2f | %.2f (%.1f ×) | %.2f (%.1f ×) | %d, %d, %d | %d | %d | %d |\n", name, seconds["recipe-s"],
                seconds["recipe"], seconds["recipe"] / base, seconds["recipe+"], seconds["recipe+"] / base,
                races["recipe-s"], races["recipe"], races["recipe+"], asked["recipe+"], variants["recipe+"], rejected["recipe+"]
        }' "$1"
}

echo "| | recipe-s, s | recipe | recipe+ | races | asked | variants | not looked at |"
echo "|---|---|---|---|---|---|---|---|"
if [ $# -gt 0 ]; then
    name=$1
    shift
    "$RECIPE" record -o trace "$@" >out 2>err </dev/null || true
    analyze "$name"
    row "$name"
    exit
fi
for set in explore figures predict orders; do
    for source in "$sources/$set"/*.c; do
        "$RECIPE" cc -O1 -g -w "$source" -o program -pthread 2>err || continue
        rm -rf trace
        timeout 60 "$RECIPE" record -o trace ./program >out 2>err </dev/null || true
        [ ! -e trace/log ] || analyze "$set"
    done
    row "$set"
done
