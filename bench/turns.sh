#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What one recorded run shows, by schedule: races of the small programs of bench/turns.c that 'recipe run' confirms.
#   bench/turns.sh [--ends] [--each] [--model M] [--seeds N] ['OPTIONS'…]
# Each OPTIONS is a schedule, as options of 'recipe run'; without any, the usual ones. Those that draw are run with N seeds
# (default 3), and their mean counts. --ends: the programs of bench/ends.c, which nobody joins or that wait in loops, beside what
# was done before such were seen. --each: a row for each program, with the events of its trace. RECIPE: the program to
# measure (build/release/recipe).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
model=auto seeds=3 schedules=() source=turns each=0
while [ $# -gt 0 ]; do
    case $1 in
    --ends) source=ends ;;
    --each) each=1 ;;
    --model) model=$2 && shift ;;
    --seeds) seeds=$2 && shift ;;
    -h | --help) sed -n '3,8s/^# //p' "$0" && exit 2 ;;
    *) schedules+=("$1") ;;
    esac
    shift
done
if [ ${#schedules[@]} -eq 0 ]; then
    schedules=("" "--quantum 1000000" "--quantum 20" "--schedule random" "--schedule pct")
    [ $source = turns ] || schedules=("--quantum 1000000 --set last-events=0 --set spin-turns=0" "")
fi
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
ulimit -v unlimited
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$RECIPE" cc -g -O1 -pthread "$root/bench/$source.c" -o programs
mapfile -t names < <(./programs)

# races NAME OPTION…: how many are confirmed, and how many events there are.
races() {
    local code=0
    rm -rf trace
    # shellcheck disable=SC2068
    timeout 300 "$RECIPE" run --jobs 1 --budget 60 --model "$model" --format json --report - -o trace ${@:2} ./programs "$1" >out 2>err </dev/null || code=$?
    [ $code -le 1 ] || { echo "$1 (${*:2}): exit code $code: $(cat err)" >&2 && exit 1; }
    echo "$({ grep -o '"status": "confirmed"' out || true; } | wc -l) $("$RECIPE" trace stat trace | awk 'NR == 2 { print $2 }')"
}

# Key: program, schedule.
declare -A found seen
rows=()
for i in "${!schedules[@]}"; do
    schedule=${schedules[i]} times=1
    [[ $schedule != *random* && $schedule != *pct* || $schedule == *--seed* ]] || times=$seeds
    sum=0 some=0
    for name in "${names[@]}"; do
        of=0 last=
        for ((n = 1; n <= times; n++)); do
            seed=
            [ "$times" -eq 1 ] || seed="--seed $n"
            # shellcheck disable=SC2086
            answer=$(races "$name" $schedule $seed)
            read -r confirmed last <<<"$answer"
            of=$((of + confirmed))
            [ "$confirmed" -eq 0 ] || some=$((some + 1))
        done
        sum=$((sum + of))
        found[$name,$i]=$of seen[$name,$i]=$last
    done
    rows[i]=$(awk -v s="${schedule:-(usual)}" -v n=$sum -v p=$some -v t="$times" -v all=${#names[@]} \
        'BEGIN { printf "| `%s` | %.1f | %.1f of %d |", s, n / t, p / t, all }')
    [ $each -eq 1 ] || [ "$i" -gt 0 ] || printf '| schedule | races | programs with one |\n|---|---|---|\n'
    [ $each -eq 1 ] || echo "${rows[i]}"
done
[ $each -eq 1 ] || exit 0

head="| program |" line="|---|"
for schedule in "${schedules[@]}"; do
    head+=" \`${schedule:-(usual)}\`: races | events |" line+="---|---|"
done
printf '%s\n%s\n' "$head" "$line"
for name in "${names[@]}"; do
    row="| $name |"
    for i in "${!schedules[@]}"; do
        row+=" ${found[$name,$i]} | ${seen[$name,$i]} |"
    done
    echo "$row"
done
printf '\n| schedule | races | programs with one |\n|---|---|---|\n'
printf '%s\n' "${rows[@]}"
