#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Races in traces of other tools (STD), and in recordings written as such: ours, and those of RAPID's engines where it is there.
#   bench/std.sh [--budget SECONDS] [--race VARIABLE] [--rapid CLASSPATH] [--limit SECONDS] FILE|DIR…
# FILE: a trace in STD; DIR: a recording, which is exported first. Files of equal content are looked at once. All tools are given the same text.
# --race: the variable whose race is asked for: by which of our models it is proven. --rapid: the class path of a RAPID that was built
# (HB, SHB, WCP, SyncPreserving, OSR, as far as they are there); each engine has --limit seconds (60). Prints a row for each trace, in Markdown: events,
# races, places in a race, seconds; of each engine whether it has that race, its racing places, how many of them are in no race of ours, seconds.
# RECIPE: the program to measure (build/release/recipe).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
budget=7 race= rapid= limit=60 traces=()
while [ $# -gt 0 ]; do
    case $1 in
    --budget) budget=$2 && shift ;;
    --race) race=$2 && shift ;;
    --rapid) rapid=$2 && shift ;;
    --limit) limit=$2 && shift ;;
    -*) sed -n '3,9s/^# //p' "$0" && exit 2 ;;
    *) traces+=("$1") ;;
    esac
    shift
done
RECIPE=$(realpath -m "${RECIPE:-$root/build/release/recipe}")
[ -x "$RECIPE" ] || { echo "$RECIPE is not there: 'make build' first" >&2; exit 2; }
[ ${#traces[@]} -gt 0 ] || { sed -n '3,9s/^# //p' "$0" && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { # of a command, into $spent; what it prints is in $work/out
    local from to
    from=$(date +%s%N)
    "$@" >"$work/out" 2>"$work/err" || code=$?
    to=$(date +%s%N)
    spent=$(awk -v ns=$((to - from)) 'BEGIN { printf "%.1f", ns / 1e9 }')
}

# A RAPID engine tells the second access of a race: 'Race detected at event N : T1|w(x)|PLACE'.
engine() { # NAME
    code=0
    seconds timeout "$limit" java -cp "$rapid" "$1" -f std -p "$work/given" -v 1
    sed -n 's/^Race detected at event [0-9]* : //p' "$work/out" >"$work/theirs"
    local has=- beside
    if [ -n "$race" ]; then has=$(grep -qF "($race)" "$work/theirs" && echo yes || echo no); fi
    cut -d'|' -f3 "$work/theirs" | sort -u >"$work/their places"
    beside=$(comm -13 "$work/our places" "$work/their places" | wc -l)
    [ "$code" != 124 ] || spent="> $limit"
    [ "$code" = 0 ] || [ "$code" = 124 ] || spent="ended by an error"
    printf ' %s, %s (%s), %s |' "$has" "$(wc -l <"$work/their places")" "$beside" "$spent"
}

engines=()
if [ -n "$rapid" ]; then engines=(HB SHB WCP SyncPreserving OSR); fi
printf '| trace | events | races, places, s |%s' "${race:+ race on $race by |}"
printf ' %s |' "${engines[@]}"
printf '\n|---|---|---|%s' "${race:+---|}"
printf -- '---|%.0s' "${engines[@]}"
echo
declare -A seen
found=0 looked=0
for trace in "${traces[@]}"; do
    rm -rf "$work/first" "$work/trace"
    if [ -d "$trace" ]; then
        ln -s "$(realpath "$trace")" "$work/first"
    else
        sum=$(sha256sum <"$trace")
        [ -z "${seen[$sum]-}" ] || continue
        seen[$sum]=1
        "$RECIPE" trace import --format std -o "$work/first" "$trace" >"$work/out" 2>&1 || { cat "$work/out" >&2 && exit 1; }
    fi
    # A fork of '151' that means 'T151' makes two threads of one elsewhere: everybody is given the names as we read them.
    "$RECIPE" trace export --format std "$work/first" >"$work/std" 2>"$work/err"
    "$RECIPE" trace import --format std -o "$work/trace" "$work/std" >"$work/out" 2>&1 || { cat "$work/out" >&2 && exit 1; }
    grep -vE '^[^|]*\|(begin|end)\|' "$work/std" >"$work/given" || true # OSR stumbles over them, and then says races where there are none
    code=0
    seconds "$RECIPE" analyze --budget "$budget" "$work/trace"
    [ "$code" -le 1 ] || { cat "$work/err" >&2 && exit 1; }
    "$RECIPE" report --format json "$work/trace" >"$work/report" || true
    jq -r '.races[].accesses[].line' "$work/report" | sort -u >"$work/our places"
    printf '| %s | %s | %s, %s, %s |' "$(basename "$trace")" "$(wc -l <"$work/std")" "$(jq '.races | length' "$work/report")" \
        "$(wc -l <"$work/our places")" "$spent"
    looked=$((looked + 1))
    if [ -n "$race" ]; then
        by=$(jq -r --arg v "$race" '[.races[] | select(.variable == $v) | .models[]] | unique | join(" ")' "$work/report")
        [ -z "$by" ] || found=$((found + 1))
        printf ' %s |' "${by:-not proven}"
    fi
    for name in "${engines[@]}"; do engine "$name"; done
    echo
done
[ -z "$race" ] || echo "$found of $looked traces: the race on $race is proven"
