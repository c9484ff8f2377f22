#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe hunt DIR (analysis/hunt_state.h): a hunt that was stopped by a limit, by Ctrl-C or by kill -9, wherever that was, ends as one
# that nobody stopped; what is settled is not done again; a hunt begins from a recording; its directory has a size.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
ulimit -c 0
programs=$RECIPE_SOURCE_DIR/tests/programs/turned

compile() { "$RECIPE" cc -g -O1 -pthread "${@:2}" "$programs/${1%%[+.]*}.c" -o "$1"; }

# What a hunt has come to, but for what depends on the time and on what was stopped: of the JSON report FILE.
came_to() {
    jq -r --argjson with_open "${2:-1}" '[.hunt.classes, .hunt.complete, (if $with_open == 1 then .hunt.turns_open else empty end),
        .hunt.branches, .hunt.branches_all, .analysis.complete] + [.races[].fingerprint] + [.crashes[].signal] + [.deadlocks[].fingerprint]
        | map(tostring) | join(" ")' "$1"
}

# goes_on DIR OPTIONS…: hunts on; its report is in on.json, and its exit code is 1 where that has a finding.
goes_on() {
    local code=0 found
    "$RECIPE" hunt --budget 60 -v --report on.json --format json "${@:2}" "$1" >out 2>"$1.log" || code=$?
    found=$(jq '(.races + .crashes + .deadlocks | length) > 0' on.json)
    [ "$code $found" = "0 false" ] || [ "$code $found" = "1 true" ] || fail "$1: exit code $code: $(cat "$1.log" on.json)"
}

# is_as_whole DIR WHOLE: what came of it is what the hunt has that nobody stopped.
is_as_whole() {
    [ "$(came_to on.json)" = "$(came_to "$2.json")" ] || fail "$1: $(came_to on.json), not $(came_to "$2.json"): $(cat "$1.log" on.json)"
}

compile counted.6 -DCASE=6
compile two_turns
compile ends.asserts -DASSERTS
compile ends.waits -DWAITS
whole=(counted.6 two_turns ends.asserts ends.waits)
codes=(0 1 1 1)

for i in "${!whole[@]}"; do
    program=${whole[i]} code=${codes[i]}
    run "$code" hunt --budget 60 -v --report "$program.json" --format json -o "$program.whole" "./$program"
    runs=$(jq .hunt.runs "$program.json")

    # Nothing is left to be done.
    goes_on "$program.whole"
    ! grep -q 'hunt, run ' "$program.whole.log" || fail "$program: an ended hunt runs the program: $(cat "$program.whole.log")"
    is_as_whole "$program.whole" "$program"

    # A run at a time; each call has a recording for whatever is open, and in the end none that shows nothing.
    "$RECIPE" hunt --budget 60 --set hunt-runs=0 -o "$program.steps" "./$program" >out 2>err || [ $? -eq 1 ] || fail "$program: $(cat err)"
    for ((n = 1; n < runs; n++)); do
        goes_on "$program.steps" --set hunt-runs="$n"
        [ "$(grep -c 'hunt, run ' "$program.steps.log")" -le 2 ] || fail "$program: runs are made again: $(cat "$program.steps.log")"
    done
    goes_on "$program.steps"
    is_as_whole "$program.steps" "$program"
    [ "$(jq .hunt.runs on.json)" = "$runs" ] || fail "$program: $(jq .hunt.runs on.json) runs, not $runs"
    [ "$(ls "$program.steps/variants" 2>/dev/null | wc -l)" = "$(ls "$program.whole/variants" 2>/dev/null | wc -l)" ] ||
        fail "$program: recordings stay: $(ls "$program.steps/variants")"

    # Killed as soon as run N is told of, or the analysis is; by Ctrl-C.
    for how in KILL INT; do
        for ((n = 0; n < runs; n += 1 + (n > 1))); do
            dir=$program.$how.$n
            mkfifo "$dir.fifo"
            "$RECIPE" hunt --budget 60 -v -o "$dir" "./$program" 2>"$dir.fifo" >/dev/null &
            hunt=$!
            while IFS= read -r line; do
                case $line in *"hunt, run $n:"*) kill -$how $hunt ;; *"done for the run"*) [ $n -gt 0 ] || kill -$how $hunt ;; esac
            done <"$dir.fifo"
            wait $hunt || true
            goes_on "$dir"
            is_as_whole "$dir" "$program"
            [ "$(jq .hunt.runs on.json)" -le $((runs + 1)) ] || fail "$dir: $(jq .hunt.runs on.json) runs, not $runs: $(cat "$dir.log")"
            ! ls -d "$dir"/replay.* 2>/dev/null || fail "$dir: what was killed has left something"
        done
    done
done
