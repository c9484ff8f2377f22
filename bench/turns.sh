#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What one recorded run shows, by schedule: races of the small programs of bench/turns.c that 'recipe run' confirms.
#   bench/turns.sh [--model M] [--seeds N] ['OPTIONS'…]
# Each OPTIONS is a schedule, as options of 'recipe run'; without any, the usual ones. Those that draw are run with N seeds
# (default 3), and their mean counts. RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
model=auto seeds=3 schedules=()
while [ $# -gt 0 ]; do
    case $1 in
    --model) model=$2 && shift ;;
    --seeds) seeds=$2 && shift ;;
    -h | --help) sed -n '3,6s/^# //p' "$0" && exit 2 ;;
    *) schedules+=("$1") ;;
    esac
    shift
done
[ ${#schedules[@]} -gt 0 ] || schedules=("" "--quantum 1000000" "--quantum 20" "--schedule random" "--schedule pct")
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$RECIPE" cc -g -O1 -pthread "$root/bench/turns.c" -o turns
mapfile -t names < <(./turns)

# races NAME OPTION…: how many are confirmed.
races() {
    local code=0
    rm -rf trace
    # shellcheck disable=SC2068
    timeout 300 "$RECIPE" run --jobs 1 --budget 60 --model "$model" --format json --report - -o trace ${@:2} ./turns "$1" >out 2>err </dev/null || code=$?
    [ $code -le 1 ] || { echo "$1 (${*:2}): exit code $code: $(cat err)" >&2 && exit 1; }
    { grep -o '"status": "confirmed"' out || true; } | wc -l
}

echo "| schedule | races | programs with one |"
echo "|---|---|---|"
for schedule in "${schedules[@]}"; do
    times=1
    [[ $schedule != *random* && $schedule != *pct* || $schedule == *--seed* ]] || times=$seeds
    sum=0 some=0
    for name in "${names[@]}"; do
        for ((i = 1; i <= times; i++)); do
            seed=
            [ "$times" -eq 1 ] || seed="--seed $i"
            # shellcheck disable=SC2086
            n=$(races "$name" $schedule $seed)
            sum=$((sum + n))
            [ "$n" -eq 0 ] || some=$((some + 1))
            [ -z "${TURNS_VERBOSE:-}" ] || echo "$name (${schedule:-usual}): $n" >&2
        done
    done
    awk -v s="${schedule:-(usual)}" -v n=$sum -v p=$some -v t="$times" -v all=${#names[@]} \
        'BEGIN { printf "| `%s` | %.1f | %.1f of %d |\n", s, n / t, p / t, all }'
done
