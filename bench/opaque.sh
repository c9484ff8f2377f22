#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is found, missed and wrongly found when code is left out of the recording (seed 004's experiment): of each program random
# 20, 30 and 40 % of its functions, then every function that synchronises.
#   bench/opaque.sh [--seed N] [--budget SECONDS] [FILE…]
# FILE: C sources, one a program; without any, those of tests/programs/racy, tests/programs/primitives and bench/micro. Barrier pairs
# stand beside simple barriers and none at all. A race is true if the full recording has it, or if a replay of the full build's or
# this build's schedule shows it. Prints tables in Markdown, then whether the goal is met: no false race with pairs.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
seed=1 budget=5 files=()
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    -*) sed -n '3,10s/^# //p' "$0" && exit 2 ;;
    *) files+=("$(realpath "$1")") ;;
    esac
    shift
done
[ ${#files[@]} -gt 0 ] || files=("$root"/tests/programs/racy/*.c "$root"/tests/programs/primitives/*.c "$root"/bench/micro/*.c)
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
models="hb shb wcp dc sdp wdp mc rv recipe-s"

# The functions that a file defines, main left out: all, and those that synchronise.
functions() {
    clang-19 -O1 -Xclang -disable-llvm-passes -g0 -S -emit-llvm -pthread "$1" -o - 2>/dev/null |
        awk '/^define/ { match($0, /@[A-Za-z0-9_.]+/); name = substr($0, RSTART + 1, RLENGTH - 1); if (name != "main") print "all", name }
             / atomicrmw | cmpxchg | atomic |@pthread_(mutex|cond|rwlock|spin|barrier|once)|@sem_|@mtx_|@cnd_|@call_once/ && name != "main" && name {
                 print "sync", name }
             /^}/ { name = "" }' | sort -u
}

# keys DIR MODEL: the pairs of places that the model proves races at: number, places, both functions.
keys() {
    { "$RECIPE" report --format json "$1" 2>/dev/null || true; } | awk -v model="\"$2\"" '
        /"id": / { split($0, parts, /"models": \[/); split(parts[2], list, "]"); wanted = index(list[1], model); n = 0
            match($0, /"id": [0-9]+/); number = substr($0, RSTART + 6, RLENGTH - 6) }
        /"file": / { match($0, /"file": "[^"]*", "line": [0-9]+/); place = substr($0, RSTART + 9, RLENGTH - 9)
            gsub(/", "line": /, ":", place); at[n] = place }
        /"function": / && at[n] != "" { match($0, /"function": "[^"]*/); of[n] = substr($0, RSTART + 13, RLENGTH - 13); n++
            if (n == 2 && wanted) print number, (at[0] < at[1] ? at[0] "|" at[1] : at[1] "|" at[0]), of[0], of[1] }'
}

record() { # NAME: builds are ./NAME; false where it does not run
    rm -rf "$1.recipe"
    timeout 120 "$RECIPE" record -o "$1.recipe" "./$1" >out 2>err </dev/null || [ $? -lt 124 ]
}

analyze() { # NAME BARRIERS
    rm -f "$1.recipe"/results.db*
    timeout 600 "$RECIPE" analyze --barriers "$2" --budget "$budget" "$1.recipe" >out 2>err || [ $? -eq 1 ]
}

declare -A count seconds bytes
add() { count[$1]=$((${count[$1]:-0} + ${2:-1})); }

is_true() { # NAME NUMBER KEY: in the full recording, or carried out
    grep -qxF "$3" true.keys && return
    timeout 60 "$RECIPE" replay --limit 10 "$1.recipe" "$2" >replayed 2>&1 && echo "$3" >>true.keys
}

programs=0
for file in "${files[@]}"; do
    name=$(basename "$file" .c)
    "$RECIPE" cc -g -O1 -pthread -I"$(dirname "$file")" "$file" -o "$name.full" 2>/dev/null || continue
    record "$name.full" && analyze "$name.full" pairs || { echo "$name: skipped: $(tail -n 1 err)" >&2; continue; }
    programs=$((programs + 1))
    : >true.keys
    for model in $models; do
        keys "$name.full.recipe" $model | cut -d' ' -f2- | sort -u -k1,1 >"full.$model"
        cut -d' ' -f1 "full.$model" >>true.keys
        add "full $model" "$(wc -l <"full.$model")"
    done
    size=$(stat -c %s "$name.full.recipe/log")
    functions "$file" >functions
    for how in 20 30 40 sync; do
        if [ $how = sync ]; then
            excluded=$(awk '$1 == "sync" { print $2 }' functions)
        else
            excluded=$(awk -v seed="$seed.$how" -v share=$how 'BEGIN { srand(seed * 1000) } $1 == "all" && rand() * 100 < share { print $2 }' functions)
        fi
        [ -n "$excluded" ] || continue
        "$RECIPE" cc -g -O1 -pthread -I"$(dirname "$file")" --exclude="$(echo $excluded | tr ' ' ,)" "$file" -o "$name.part" 2>/dev/null || continue
        record "$name.part" || { echo "$name: $how: skipped" >&2; continue; }
        add "runs $how"
        bytes[$how]=$((${bytes[$how]:-0} + $(stat -c %s "$name.part.recipe/log")))
        bytes[full.$how]=$((${bytes[full.$how]:-0} + size))
        for barriers in pairs simple off; do
            began=$(date +%s%N)
            analyze "$name.part" $barriers || { echo "$name: $how: $barriers: $(tail -n 1 err)" >&2; continue; }
            seconds[$how.$barriers]=$((${seconds[$how.$barriers]:-0} + ($(date +%s%N) - began) / 1000000))
            for model in $models; do
                keys "$name.part.recipe" $model >found
                cut -d' ' -f2 found | sort -u >found.keys
                while read -r number key _; do
                    if is_true "$name.part" "$number" "$key"; then
                        add "true $how $barriers $model"
                    else
                        add "false $how $barriers $model"
                        echo "$name: $how ($(echo $excluded)): $barriers: $model: not true: $key" >&2
                    fi
                done < <(sort -u -k2,2 found)
                # What is in a function that was left out is lost with it.
                while read -r key one two; do
                    grep -qxF "$key" found.keys && continue
                    if echo "$excluded" | grep -qxF -e "$one" -e "$two"; then lost=exclusion; else lost=conservative; fi
                    add "$lost $how $barriers $model"
                done <"full.$model"
            done
        done
    done
done

echo "$programs programs, seed $seed. Per model: true / **false** / missed by exclusion / missed though recorded."
echo
for how in 20 30 40 sync; do
    [ "${count[runs $how]:-0}" -gt 0 ] || continue
    [ $how = sync ] && what="every function that synchronises" || what="$how % of the functions"
    echo "$what left out: ${count[runs $how]} programs, logs $((100 * ${bytes[$how]} / ${bytes[full.$how]})) % of the full ones."
    echo
    echo "| barriers | ${models// / | } | s |"
    echo "|---|$(printf -- '---|%.0s' $models)---|"
    for barriers in pairs simple off; do
        printf '| %s ' $barriers
        for model in $models; do
            printf '| %d / **%d** / %d / %d ' "${count[true $how $barriers $model]:-0}" "${count[false $how $barriers $model]:-0}" \
                "${count[exclusion $how $barriers $model]:-0}" "${count[conservative $how $barriers $model]:-0}"
        done
        printf '| %d.%d |\n' $((${seconds[$how.$barriers]:-0} / 1000)) $((${seconds[$how.$barriers]:-0} % 1000 / 100))
    done
    echo
done
wrong=0
for key in "${!count[@]}"; do
    case $key in "false "*" pairs "* | "false "*" simple "*) wrong=$((wrong + count[$key])) ;; esac
done
[ $wrong -eq 0 ] && echo "goal: no false race with barriers: met" || { echo "goal: no false race with barriers: MISSED ($wrong)" && exit 1; }
