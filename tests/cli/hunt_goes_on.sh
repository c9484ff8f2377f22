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
    "$RECIPE" hunt --budget 400 -v --report on.json --format json "${@:2}" "$1" >out 2>"$1.log" || code=$?
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
    run "$code" hunt --budget 400 -v --report "$program.json" --format json -o "$program.whole" "./$program"
    runs=$(jq .hunt.runs "$program.json")

    # Nothing is left to be done.
    goes_on "$program.whole"
    ! grep -q 'hunt, run ' "$program.whole.log" || fail "$program: an ended hunt runs the program: $(cat "$program.whole.log")"
    is_as_whole "$program.whole" "$program"

    # A run at a time; each call has a recording for whatever is open, and in the end none that shows nothing.
    "$RECIPE" hunt --budget 400 --set hunt-runs=0 -o "$program.steps" "./$program" >out 2>err || [ $? -eq 1 ] || fail "$program: $(cat err)"
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
    for how in INT KILL; do
        for ((n = 0; n < runs; n += 1 + (n > 1))); do
            [ $how = KILL ] || [ $n -eq 1 ] || continue
            dir=$program.$how.$n
            mkfifo "$dir.fifo"
            "$RECIPE" hunt --budget 400 -v -o "$dir" "./$program" 2>"$dir.fifo" >/dev/null &
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

# It begins from what 'record' and 'run' have left.
run 0 record -o from_record ./two_turns
run 0 run --budget 400 -o from_run ./two_turns
for dir in from_record from_run; do
    goes_on "$dir"
    is_as_whole "$dir" two_turns
done

# Of a command each process goes on.
"$RECIPE" hunt --budget 400 --set hunt-runs=1 -o both.recipe sh -c './two_turns; ./counted.6' >out 2>err || fail "both: $(cat err)"
goes_on both.recipe
[ "$(jq .hunt.classes on.json)" -eq $(($(jq .hunt.classes two_turns.json) + $(jq .hunt.classes counted.6.json))) ] || fail "both: $(cat on.json)"
[ "$(jq '.hunt.curve | length' on.json)" -eq 0 ] || fail "two hunts have one curve: $(cat on.json)"

# What was left out at a limit is looked at under a higher one, and what was settled stands.
"$RECIPE" hunt --budget 400 --set hunt-instances=1 --report few.json --format json -o instances.recipe ./counted.6 >out 2>err || fail "instances: $(cat err)"
[ "$(jq .hunt.complete few.json)" = false ] || fail "hunt-instances=1: $(cat few.json)"
goes_on instances.recipe
is_as_whole instances.recipe counted.6

# At most so large: of a program with two megabytes of data that can't be made smaller few runs fit into eight, and into one none but
# the recorded one. What a hunt needs to go on stays there, and analyses leave it.
{ echo 'static unsigned big[] __attribute__((used)) = {'; od -An -v -tu4 -w4 -N 2000000 /dev/urandom | tr '\n' ,; echo '};'; } >big.h
compile counted.6+big -DCASE=6 -include "$PWD/big.h"
for size in 1 8; do
    run 0 hunt --budget 400 --set hunt-size=$size --report small.json --format json -o small.$size "./counted.6+big"
    grep -q '"hunt-size"' small.json && [ "$(jq .hunt.complete small.json)" = false ] || fail "hunt-size=$size: $(cat small.json)"
done
[ "$(jq .hunt.runs small.json)" -gt 1 ] && [ "$(du -sm small.8 | cut -f1)" -le 8 ] || fail "hunt-size=8: $(du -sm small.8) $(cat small.json)"
goes_on small.8
is_as_whole small.8 counted.6
run 0 hunt --budget 400 --set hunt-runs=2 -o kept.recipe ./counted.6
run 0 analyze kept.recipe
[ "$(ls kept.recipe/variants | wc -l)" -eq 2 ] || fail "an analysis takes away what a hunt needs: $(ls kept.recipe/variants)"
rm -r kept.recipe/variants/2
goes_on kept.recipe
[ "$(jq .hunt.complete on.json)" = false ] || fail "a recording is gone, and nothing is open: $(cat on.json)"

# What says how far it was when.
jq -e '.hunt.curve | length <= 24 and (map(.seconds) == (map(.seconds) | sort)) and (map(.classes) == (map(.classes) | sort)) and
    .[-1].races == 1 and .[-1].classes == 3' two_turns.json >/dev/null || fail "the curve: $(cat two_turns.json)"

jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" two_turns.json >wrong
[ ! -s wrong ] || fail "two_turns.json is not as docs/report.schema.json says: $(cat wrong)"

# What is no recording, is another's word for what to run, or is asked for with what a recording alone has.
small_trace
run 0 trace import small.txt -o imported
run 3 hunt imported
says err 'is no recording of a program'
run 125 hunt --seed 3 two_turns.whole
says err '--seed is of a recording that is made' "see 'recipe help hunt'"
echo '--seed=3' >recipe.opts
run 0 hunt counted.6.whole
rm recipe.opts
mkdir empty
run 3 hunt empty
run 0 pack -o packed counted.6.whole
run 0 unpack -o unpacked packed
run 3 hunt unpacked
says err 'was packed, perhaps by somebody else'
