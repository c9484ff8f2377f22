#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Changes single bytes of recorded directories and looks what recipe makes of it: the same answer, or exit code 3 with the file's name.
#   tests/damage.bash [--seed S] [--jobs J] N DIR…
# Change number i is of one file of one DIR, each as likely as any other, at a place of its own; the same S gives the same changes.
# DIRs are copied, not touched; each was made by 'recipe run', so that there is a report, and best a race to replay. RECIPE: the
# program (build/release/recipe). Exit code 1: some answer became another one silently; each is said.
set -euo pipefail
seed=1 jobs=1
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2 && shift 2 ;;
    --jobs) jobs=$2 && shift 2 ;;
    *) break ;;
    esac
done
[ $# -ge 2 ] || { sed -n '3,7s/^# //p' "$0" && exit 2; }
changes=$1 && shift
RECIPE=$(realpath "${RECIPE:-build/release/recipe}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ask DIR: what recipe says of it, by one command after the other, and their exit codes, in ./answer.COMMAND and ./err.COMMAND.
ask() {
    local what code
    for what in report stat replay analyze; do
        code=0
        case $what in
        report) "$RECIPE" report --format json "$1" ;;
        stat) "$RECIPE" trace stat "$1" ;;
        replay) "$RECIPE" replay "$1" 1 ;;
        # what ends by the clock is another answer each time
        analyze) "$RECIPE" analyze --set explore-seconds=0 --set guarded-seconds=0 "$1" ;;
        esac >"answer.$what" 2>"err.$what" </dev/null || code=$?
        sed -i 's/"seconds": [0-9.]*/"seconds": 0/' "answer.$what"
        echo "exit code $code" >>"answer.$what"
    done
}

# Numbers from the seed and the change alone: awk's generator is another on every machine.
number() { # BELOW SALT
    local digest
    digest=$(printf '%s %s %s' "$seed" "$i" "$2" | md5sum)
    echo $((16#${digest:0:12} % $1))
}

# change: one byte of ./r, as `i` says; sets `file`, `at`, `value`.
change() {
    local files size
    mapfile -t files < <(cd r && find . -type f -size +0 -printf '%P\n' | sort)
    file=${files[$(number ${#files[@]} file)]}
    size=$(stat -c %s "r/$file")
    at=$(number "$size" place)
    value=$(($(od -An -tu1 -j "$at" -N 1 "r/$file") ^ (1 + $(number 255 value))))
    printf "\\x$(printf %x $value)" | dd of="r/$file" bs=1 seek="$at" conv=notrunc status=none
}

# one DIR RIGHT: change `i`, asked; a line of what became of it.
one() {
    local what verdict=same
    rm -rf r && cp -a "$1" r
    change
    ask r
    for what in report stat replay analyze; do
        cmp -s "answer.$what" "$2/answer.$what" && continue
        if [ "$(tail -n 1 "answer.$what")" = "exit code 3" ] && grep -qF "${file##*/}" "err.$what"; then
            [ "$verdict" = silent ] || verdict=refused
        else
            verdict=silent
            echo "SILENT: change $i: byte $at of $1/$file becomes $value: '$what' says something else:"
            diff "$2/answer.$what" "answer.$what" | head -n 5 || true
            head -n 3 "err.$what"
        fi
    done
    echo "$verdict ${file##*/}" >>verdicts
}

worker() { # K
    mkdir "$work/$1" && cd "$work/$1"
    for ((i = $1; i < changes; i += jobs)); do
        local which
        which=$(number ${#directories[@]} directory)
        one "${directories[which]}" "$work/right.$which"
    done
}

directories=()
for directory in "$@"; do
    right=$work/right.${#directories[@]}
    directories+=("$(realpath "$directory")")
    mkdir "$right" && cd "$right"
    cp -a "${directories[-1]}" r
    ask r
    cd "$OLDPWD"
    grep -q 'exit code [01]$' "$right/answer.report" || { echo "$directory: has no report" >&2 && exit 2; }
done
for ((k = 0; k < jobs; k++)); do worker $k >"$work/said.$k" 2>&1 & done
wait
cat "$work"/said.*
sort "$work"/*/verdicts | uniq -c | sort -k2,2 -k1,1nr
total=$(cat "$work"/*/verdicts | wc -l)
echo "$total changes, $(cat "$work"/*/verdicts | grep -c '^silent' || true) silent (seed $seed)"
[ "$total" -eq "$changes" ] && ! grep -q '^silent' "$work"/*/verdicts
