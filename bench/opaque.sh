#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is found, missed and wrongly found when code is left out of the recording (seed 004's experiment): of each program random
# 20, 30 and 40 % of its functions, then every function that synchronises.
#   bench/opaque.sh [--seed N] [--budget SECONDS] [--runs N] [--real] [FILE|NAME…]
# FILE: a C source that is a program; NAME: one of bench/programs, on a small input, recorded with N seeds (3). Without any: the sources of
# tests/programs/racy, orders, clean, primitives and bench/micro; --real: ag, lrzip, fio, x264, pbzip2, lbzip2 and xz. Barrier pairs stand beside the paper's optimisation (trees), simple
# barriers and none at all. A race is true if the full recording has it, or if a replay shows it. Prints tables in Markdown,
# then whether the goal is met: no false race with pairs, nor with simple barriers.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
. "$(dirname "$0")/programs/lib.bash"
seed=1 budget=5 runs=3 names=()
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    --real) names+=(ag lrzip x264 fio pbzip2 lbzip2 xz) ;;
    -*) sed -n '3,11s/^# //p' "$0" && exit 2 ;;
    *.c) names+=("$(realpath "$1")") ;;
    *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=("$root"/tests/programs/{racy,orders,clean,primitives}/*.c "$root"/bench/micro/*.c)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$root/bench/opaque.bash"
ways="pairs trees simple off"

declare -A count ms bytes
add() { count[$1]=$((${count[$1]:-0} + ${2:-1})); }

measure() { # NAME
    local short how way began verdict model key
    short=$(basename "$1" .c)
    is_source "$1" || prepare_real "$1" || return
    : >excluded
    make_program "$1" "$short.full" || { echo "$short: does not compile" >&2; return; }
    record "$1" "$short.full" && analyze "$1" "$short.full" pairs || { echo "$short: skipped: $(tail -n 1 err)" >&2; return; }
    add programs
    local full_ms=$took full_size=$size
    keep_full "$1" "$short.full"
    while read -r model _; do add "full $model"; done <full.keys
    functions "$1" "$short.full" >functions
    for how in 20 30 40 sync; do
        awk -v how=$how -v seed="$seed" 'BEGIN { srand(seed * 1000 + (how == "sync" ? 0 : how)) }
            $1 == (how == "sync" ? "sync" : "all") && (how == "sync" || rand() * 100 < how) { print $2 }' functions >excluded
        [ -s excluded ] || continue
        make_program "$1" "$short.part" || { echo "$short: $how: does not compile" >&2; continue; }
        record "$1" "$short.part" || { echo "$short: $how: skipped: $(tail -n 1 err)" >&2; continue; }
        add "runs $how"
        bytes[$how]=$((${bytes[$how]:-0} + size))
        bytes[full.$how]=$((${bytes[full.$how]:-0} + full_size))
        ms[$how]=$((${ms[$how]:-0} + took))
        ms[full.$how]=$((${ms[full.$how]:-0} + full_ms))
        for way in $ways; do
            began=$(date +%s%N)
            analyze "$1" "$short.part" $way || { echo "$short: $how: $way: $(tail -n 1 err)" >&2; continue; }
            ms[$how.$way]=$((${ms[$how.$way]:-0} + ($(date +%s%N) - began) / 1000000))
            judge "$1" "$short.part"
            while read -r verdict model key; do
                add "$verdict $how $way $model"
                [ $verdict != false ] || echo "$short: $how: $way: $model: not true: $key" >&2
            done <judged
            is_source "$1" || echo "$short: $how: $way: $(cut -d ' ' -f 1,3 judged | sort -u | cut -d ' ' -f 1 | uniq -c | xargs)," \
                "$((($(date +%s%N) - began) / 1000000)) ms" >&2
        done
    done
    rm -rf "${short:?}".*
}

for name in "${names[@]}"; do
    measure "$name"
done

echo "${count[programs]:-0} programs, seed $seed. Per model: true / **false** / missed by exclusion / missed though recorded. In the full recordings:"
echo
echo "| ${models// / | } |"
echo "|$(printf -- '---|%.0s' $models)"
for model in $models; do printf '| %d ' "${count[full $model]:-0}"; done
echo "|"
echo
for how in 20 30 40 sync; do
    [ "${count[runs $how]:-0}" -gt 0 ] || continue
    [ $how = sync ] && what="every function that synchronises" || what="$how % of the functions"
    echo "$what left out: ${count[runs $how]} programs, logs $((100 * ${bytes[$how]} / ${bytes[full.$how]})) % of the full ones," \
        "recording $((100 * ${ms[$how]} / ${ms[full.$how]})) % of the time."
    echo
    echo "| barriers | ${models// / | } | s |"
    echo "|---|$(printf -- '---|%.0s' $models)---|"
    for way in $ways; do
        printf '| %s ' $way
        for model in $models; do
            printf '| %d / **%d** / %d / %d ' "${count[true $how $way $model]:-0}" "${count[false $how $way $model]:-0}" \
                "${count[exclusion $how $way $model]:-0}" "${count[conservative $how $way $model]:-0}"
        done
        printf '| %d.%d |\n' $((${ms[$how.$way]:-0} / 1000)) $((${ms[$how.$way]:-0} % 1000 / 100))
    done
    echo
done
wrong=0
for key in "${!count[@]}"; do
    case $key in "false "*" pairs "* | "false "*" simple "*) wrong=$((wrong + count[$key])) ;; esac
done
[ $wrong -eq 0 ] && echo "goal: no false race with barriers: met" || { echo "goal: no false race with barriers: MISSED ($wrong)" && exit 1; }
