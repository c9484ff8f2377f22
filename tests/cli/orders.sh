#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sdp and wdp on recorded programs. Seed 002's figures as programs: what each reports is what the file says, and hb and shb see
# nothing. All test programs, under several schedules: no pair stays unproven or undecided, the checker accepts the
# schedule of every race once more, the program carries it out, and what hb or shb prove wdp reports, too.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs

record() {
    rm -rf trace
    "$RECIPE" record -o trace "$@" ./program >out 2>err || fail "$source: recording failed: $(cat err)"
}

# variables MODEL: those of the races that MODEL alone reports
variables() {
    local code=0
    rm -f trace/results.db*
    "$RECIPE" analyze --strict --model "$1" trace >out 2>err || code=$?
    [ $code -le 1 ] || fail "$source: $1: exit code $code: $(cat err)"
    [ "$1" = hb,shb ] || says out "0 unproven, 0 undecided"
    pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u | xargs
}

n=0
take_part 3 figures "$programs"/orders/*.c
for source in "${part[@]}"; do
    for level in -O0 -O2; do
        "$RECIPE" cc $level -g "$source" -o program -pthread
        record --schedule=rr
        [ -z "$(variables hb,shb)" ] || fail "$source $level: hb or shb report a race"
        for model in sdp wdp; do
            expected=$(sed -n "s|^/\* expect $model: *\(.*\) \*/|\1|p" "$source")
            [ -n "$expected" ] || fail "$source: nothing is expected of $model"
            got=$(variables $model)
            [ "${got:-none}" = "$expected" ] || fail "$source $level: $model reports '$got', not '$expected'"
        done
    done
    n=$((n + 1))
done
[ $n -ge "$(least 6 3)" ] || fail "only $n figures"

# pairs: what was proven, a race a line: both places in the program, in order
pairs() {
    { "$RECIPE" report --format json trace || true; } | sed '/"unproven": \[/,$d' |
        sed -n 's/.*"op": "\([a-z]*\)".*"file": "\([^"]*\)", "line": \([0-9]*\), "column": \([0-9]*\),.*/\2:\3:\4:\1/p' |
        paste - - | while read -r one other; do printf '%s\n%s\n' "$one" "$other" | sort | xargs; done | sort -u
}

n=0
races=0
take_part 4 programs "$programs"/{figures,predict,events,clean,orders}/*.c "$programs"/events/*.cpp
for source in "${part[@]}"; do
    driver=cc
    [ "${source##*.}" = c ] || driver=c++
    schedules=(rr "random --seed 1 --quantum 5" "pct --seed 3")
    [[ $source != */clean/* ]] || schedules=("rr --quantum 1000000") # the racy twins; clean.sh has the others
    "$RECIPE" $driver -O1 -g -DRACY "$source" -o program -pthread -lm
    for schedule in "${schedules[@]}"; do
        # shellcheck disable=SC2086
        record --schedule=$schedule
        variables hb,shb >/dev/null
        pairs >ordered
        variables sdp,wdp >/dev/null
        pairs >weak
        [ -z "$(comm -23 ordered weak)" ] || fail "$source: $schedule: wdp misses $(comm -23 ordered weak)"
        for id in $("$RECIPE" report --format json trace | sed -n 's/.*{ "id": \([0-9]*\),.*/\1/p'); do
            "$RECIPE" report --witness "$id" trace >witness || true
            run 0 trace check --values last-writer --witness witness trace
            run 0 replay --limit 5 trace "$id"
            says out "(confirmed, "
            races=$((races + 1))
        done
    done
    n=$((n + 1))
done
[ $n -ge "$(least 25 4)" ] || fail "only $n programs"
[ $races -ge "$(least 20 4)" ] || fail "only $races races"
echo "$n programs, $races races, each accepted once more and confirmed on the program"
