#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills 'recipe run' at random moments and looks whether the next calls go on from there to the same report.
#   tests/kills.bash [--seed S] N PROG…
# PROGs were built by recipe cc and take no arguments. A moment is a part of the time that the whole run takes, so that kills hit
# telling, analysis and replays as long as each of them lasts; every third one of the time that recording takes, which is short. The
# same S gives the same parts. After a kill: 'analyze',
# 'replay' of what was not replayed, 'report'. Where the recording was whole, that is the report of a run that nobody killed. Where it
# was cut off, that is said, and a copy of the directory gives the same. Time limits are off. RECIPE: the program
# (build/release/recipe). Exit code 1: some report was another; each is said.
set -euo pipefail
seed=1
[ "${1-}" = --seed ] && seed=$2 && shift 2
[ $# -ge 2 ] || { sed -n '3,10s/^# //p' "$0" && exit 2; }
kills=$1 && shift
RECIPE=$(realpath "${RECIPE:-build/release/recipe}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
off=(--set budget=0 --set explore-seconds=0 --set guarded-seconds=0)
programs=()
for program in "$@"; do programs+=("$(realpath "$program")"); done
cd "$work"

whole_run() { # PROG DIR
    exec "$RECIPE" run "${off[@]}" --set run-budget=0 -o "$2" -- "$1" </dev/null >"$2.out" 2>"$2.err"
}

report() { "$RECIPE" report --format json "$1" 2>/dev/null || [ $? -eq 1 ]; }

# go_on DIR: to its report, in DIR.report; what was said in DIR.said. Exit code 3: there is nothing to go on with.
go_on() {
    local code=0 id
    : >"$1.said"
    "$RECIPE" analyze "${off[@]}" "$1" >/dev/null 2>>"$1.said" || code=$?
    [ "$code" -le 1 ] || return "$code"
    for id in $(report "$1" | grep -o '"id": [0-9]*' | grep -o '[0-9]*' | sort -nu); do
        "$RECIPE" replay "$1" "$id" </dev/null >/dev/null 2>>"$1.said" || [ $? -eq 1 ] || return 5
    done
    # An analysis that goes on does not look again at what was decided: that is its work, as its time is, and no result.
    report "$1" | sed -E 's/"(seconds|hb_asked_seconds|hb_pairs_asked|first_looks)": [0-9.]*/"\1": 0/g' >"$1.report"
    [ -s "$1.report" ]
}

number() { # BELOW SALT
    local digest
    digest=$(printf '%s %s %s' "$seed" "$i" "$2" | md5sum)
    echo $((16#${digest:0:12} % $1))
}

now() { date +%s%N; }

for k in "${!programs[@]}"; do
    begin=$(now)
    (whole_run "${programs[k]}" "right.$k") || [ $? -le 1 ] || { cat "right.$k.err" >&2 && exit 2; }
    took[k]=$(($(now) - begin))
    recording[k]=$(sed -n 's/.*"wall": \([0-9]*\)\.\([0-9]*\),.*/1\1\2/p' "right.$k/run.json") # and 1 in front: no octal number
    recording[k]=$(((recording[k] - 10 ** (${#recording[k]} - 1)) * 1000000 + 50000000))
    go_on "right.$k"
done

bad=0 nothing=0 cut=0 whole=0
say_bad() {
    bad=$((bad + 1))
    echo "ANOTHER REPORT: kill $i, of ${programs[k]} after $((after / 1000000)) ms: $1"
    [ -z "${2-}" ] || diff "$2" "d.report" | head -n 6 || true
    tail -n 3 d.said || true
}
for ((i = 0; i < kills; i++)); do
    k=$(number ${#programs[@]} program)
    length=${took[k]}
    ((i % 3)) || length=${recording[k]}
    after=$((length * $(number 1100 moment) / 1000))
    rm -rf d d.* c c.*
    (whole_run "${programs[k]}" d) &
    pid=$!
    sleep "$(printf '%d.%09d' $((after / 1000000000)) $((after % 1000000000)))"
    kill -KILL $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    if [ ! -s d/log ]; then
        nothing=$((nothing + 1))
        continue
    fi
    cp -a d c
    code=0
    go_on d || code=$?
    if grep -q "The recording was cut off" d.said; then
        cut=$((cut + 1))
        again=0
        go_on c || again=$?
        [ "$code" -eq "$again" ] || say_bad "exit code $code, of a copy $again"
        # What was killed before anything of it could be analysed is refused, by name.
        if [ "$code" -ne 0 ]; then
            [ "$code" -eq 3 ] && grep -q '^recipe: d/\|^recipe: d:' d.said || say_bad "exit code $code"
        else
            cmp -s d.report c.report || say_bad "a copy gives another one" c.report
        fi
    else
        whole=$((whole + 1))
        [ "$code" -eq 0 ] && cmp -s d.report "right.$k.report" || say_bad "exit code $code" "right.$k.report"
    fi
done
echo "$kills kills: $nothing before anything was recorded, $cut while recording, $whole later; $bad gave another report (seed $seed)"
[ "$bad" -eq 0 ]
