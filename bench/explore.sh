#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recipe and recipe+ cost beside recipe-s, what they find, and where sides end that they look at:
#   bench/explore.sh                       a row per set of the tests' programs
#   bench/explore.sh --programs [NAME…]    a row per program of bench/programs, and the census of their branches
#   bench/explore.sh NAME COMMAND…         one that is built already
# EXPLORE_LIMIT=300: seconds that one analysis may take. Tables are in Markdown.
set -euo pipefail
sources=$(realpath "${RECIPE_SOURCE_DIR:-$(dirname "$0")/..}")
RECIPE=$(realpath "${RECIPE:-$sources/build/release/recipe}")
. "$sources/bench/programs/lib.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ulimit -v unlimited
TIMEFORMAT='%U %S'
models=(recipe-s recipe recipe+)

analyze() { # NAME: the run in ./trace; appends a line per model to ./NAME, what recipe+ counted to ./NAME.counts
    local model spent races
    "$RECIPE" trace stat trace >out # its events are made once
    for model in "${models[@]}"; do
        rm -rf trace/results.db* trace/variants
        spent=$({ time timeout "${EXPLORE_LIMIT:-300}" "$RECIPE" analyze --jobs 1 --stats --model "$model" trace >out 2>err || true; } 2>&1)
        races=$(grep -cE '^(Race|  Pair) ' out || true)
        awk -v model="$model" -v spent="$spent" -v races="$races" '
            /^exploration: variants|^exploration: asked/ { n[$2] = $NF }
            /^rejected: / { if ($NF && $0 !~ /instances/) n["rejected"] += $NF }
            END { split(spent, s, " "); print model, s[1] + s[2], races, n["asked"] + 0, n["variants"] + 0, n["rejected"] + 0 }' err >>"$1"
    done
    "$RECIPE" trace stat trace | awk '/^events/ { print "events:", $NF }' >"$1.counts"
    grep '^exploration: \|^rejected: ' err >>"$1.counts" || true
}

head_of_rows() {
    echo "| | recipe-s, s | recipe | recipe+ | races | asked | variants | not looked at |"
    echo "|---|---|---|---|---|---|---|---|"
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

# Of recipe+: static branches that hang on what others write, instances asked about, what came of them, and by which
# criterion the threads of variants ended.
census() { # NAME…
    local name
    echo
    echo "| | branches | other instances | asked | can't turn | undecided | not asked | strayed | variants | ways again | threads ended by |"
    echo "|---|---|---|---|---|---|---|---|---|---|---|"
    for name in "$@"; do
        awk -v name="$name" -F': *' '
            { key = $1 == "events" ? "events" : $2; value = $NF
              sub(/ +[0-9.]+$/, "", key); sub(/.* /, "", value); n[key] = value + 0
              if ($1 == "rejected") order[++keys] = key }
            END {
                split("undecided,not asked,other way,other instances,other outcomes", no, ",")
                for (i in no) counted[no[i]] = 1
                for (i = 1; i <= keys; i++)
                    if (n[order[i]] && !counted[order[i]]) ends = ends (ends ? ", " : "") order[i] " " n[order[i]]
                printf "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s |\n", name, n["branches"], n["other instances"],
                    n["asked"], n["settled"], n["undecided"], n["not asked"], n["other way"], n["variants"], n["ways again"], ends
            }' "$name.counts"
    done
}

# The longest recording of a run of the program, as ./trace.
record_program() { # NAME
    prepare "$1" && build_program recipe "$1" || return 1
    rm -rf runs trace there
    mkdir -p runs there
    launch=(recorded)
    (cd there && raced >../out 2>../err) || return 1
    # shellcheck disable=SC2012
    mv "$(dirname "$(ls -S runs/*/log | head -n 1)")" trace
}
recorded() {
    timeout --foreground 120 "$RECIPE" record -o "$(mktemp -u "$work/runs/XXXXXXXX")" -- "$@"
}

head_of_rows
if [ "${1:-}" = --programs ]; then
    shift
    names=("$@") done=()
    [ $# -gt 0 ] || mapfile -t names < <(all_programs)
    for name in "${names[@]}"; do
        record_program "$name" || { echo "$name: can't be built or recorded here" >&2 && continue; }
        analyze "$name"
        row "$name"
        done+=("$name")
    done
    census "${done[@]}"
    exit
fi
if [ $# -gt 0 ]; then
    name=$1
    shift
    "$RECIPE" record -o trace "$@" >out 2>err </dev/null || true
    analyze "$name"
    row "$name"
    census "$name"
    exit
fi
for set in explore figures predict orders; do
    for source in "$sources/tests/programs/$set"/*.c; do
        "$RECIPE" cc -O1 -g -w "$source" -o program -pthread 2>err || continue
        rm -rf trace
        timeout 60 "$RECIPE" record -o trace ./program >out 2>err </dev/null || true
        [ ! -e trace/log ] || analyze "$set"
    done
    row "$set"
done
