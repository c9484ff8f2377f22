#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# analyze and report: what they say, that they say it twice alike, and that the JSON is JSON.
. "$(dirname "$0")/lib.bash"

json() { # is ./out JSON? With whatever this system has to tell.
    if command -v python3 >/dev/null; then
        python3 -m json.tool <out >/dev/null || fail "not JSON"
    elif command -v jq >/dev/null; then
        jq . <out >/dev/null || fail "not JSON"
    fi
}

small_trace
run 0 trace import small.txt
run 1 analyze --model hb small.recipe
silent err
says out "Race 1 on x, 4 bytes at 0x1000 (predicted, hb)" "small.c:7:5 in locked, thread T1" \
    "small.c:12:5 in careless, thread T2" "small: 1 race (1 predicted), 0 unproven, 0 undecided; 5 events, 2 threads; model hb."
cp out first
run 1 analyze --model=hb small.recipe
cmp out first || fail "a second analysis prints another report"
run 1 report small.recipe
cmp out first || fail "report prints something else than analyze"

run 1 report --format json small.recipe
json
says out '"version": 1' '"program": "small"' '"events": 5, "threads": 2' '"models": ["hb"]' '"id": 1' '"status": "predicted"' \
    '"variable": "x", "address": "0x1000", "size": 4' '"op": "write", "atomic": false, "file": "small.c", "line": 7, "column": 5' \
    '"function": "careless", "executed": true, "stack": ["careless small.c:12:5"]' '"unproven": []'
sed 's/"seconds": [0-9.]*/"seconds": S/' out >first
run 1 analyze --model hb small.recipe
run 1 report --format json small.recipe
sed 's/"seconds": [0-9.]*/"seconds": S/' out | cmp - first || fail "a second analysis makes another JSON report"

# models add up, and one that is run again replaces its own
run 1 analyze --model shb small.recipe
says out "(predicted, hb, …)" "models hb, shb."
run 1 analyze --model hb,shb,wcp,dc,sdp,wdp small.recipe
says out "(predicted, hb, …)"
run 1 report --full-names small.recipe
says out "(predicted, hb, shb, wcp, dc, sdp, wdp)"
run 1 analyze --model hb,shb,wcp,dc,sdp,wdp --stats small.recipe
says err candidates seconds

# the example: three threads, stacks, more than one race
run 0 trace import "$RECIPE_SOURCE_DIR/examples/bank.txt"
run 1 analyze bank.recipe
says out "on savings" "on checking" "on transfers" "called from bank.c:44:9 in teller" "bank: "
! grep -q "on closed" out || fail "fork and join order the accesses to 'closed'"
awk 'length($0) > 100 { exit 1 }' out || fail "the report is wider than 100 columns"
run 1 report --format json bank.recipe
json

# a pair that hb flags and no schedule backs: counted and listed apart, never a race
printf 'T1|w(x)|1\nT1|w(f)|2\nT2|r(f)|3\nT2|r(x)|4\n' >flag.std
run 0 trace import flag.std
run 1 analyze --model hb flag.recipe
says out "Race 1 on f" "1 further pair is flagged (hb)" "1 race (1 predicted), 1 unproven"
! grep -q "Race 2" out || fail "an unproven pair is called a race"
run 1 report --format json flag.recipe
json
says out '"unproven": 1' '"status": "unproven"'
sed -n '/"unproven": \[/,$p' out >listed
says listed '"variable": "x"'
! grep -q '"id"\|"witness"\|"variable": "f"' listed || fail "the list of unproven pairs holds more than it should"
run 1 analyze --model shb flag.recipe
says out "Race 1 on f" "(predicted, hb, …)"

# names that JSON and terminals must be protected from
cat >odd.txt <<'TRACE'
recipe trace 1
fact program "tab\tquote\"back\\slash"
thread T1
thread T2
var x 0x1000 4 = 0
T1 w x = 1 @ "odd \"file\".c":1:1 in "operator\"\""
T2 w x = 2
TRACE
run 0 trace import odd.txt
run 1 analyze odd.recipe
run 1 report --format json odd.recipe
json

# no race, no threads, no events
printf 'recipe trace 1\n' >empty.txt
run 0 trace import empty.txt
run 0 analyze empty.recipe
says out "0 races"
run 0 report --format json empty.recipe
json
says out '"races": []'

# a pair that stays undecided: one sentence, one full stop
run 4 analyze --model hb,shb,wcp,dc,sdp,wdp --strict --proof-limit 0 small.recipe
tr '\n' ' ' <out >line
says line "the limit of 0 events for the checker was reached; --proof-limit raises it; --format json has more. "

# the witness of a race, as a file of its own, is accepted by the checker
run 1 analyze --model hb,shb,wcp,dc,sdp,wdp small.recipe
run 1 report --witness 1 small.recipe
says out "recipe witness 1" "race T1 "
cp out witness
run 0 trace check --witness witness small.recipe
says out "accepted"
run 1 report --witness 1 -o written small.recipe
cmp witness written || fail "-o writes another witness"
run 3 report --witness 2 small.recipe
says err "there is no race 2"
run 2 report --witness none small.recipe
says err "not the number of a race"
run 2 report --witness 0 small.recipe

# pairs that the limit leaves out are undecided, not unproven, and never taken for 'no race'
run 0 analyze --model hb,shb,wcp,dc,sdp,wdp --proof-limit 0 small.recipe
says out "0 races, 0 unproven, 1 undecided" "--proof-limit"
run 4 analyze --model hb,shb,wcp,dc,sdp,wdp --proof-limit 0 --strict small.recipe
run 0 report --format json small.recipe
json
says out '"status": "undecided"' '"unknown": 1' '"races": []'
run 2 analyze --proof-limit many small.recipe
says err "not a number of events"

# the models that predict: what they prove joins what the orders found, and a limit leaves pairs undecided
run 1 analyze small.recipe
run 1 report --full-names small.recipe
says out "(predicted, hb, shb, wcp, dc, sdp, wdp, mc, rv, recipe-s"
rm small.recipe/results.db
run 0 trace import -o search "$RECIPE_SOURCE_DIR/tests/golden/figures/000-fig1-locked.txt"
run 4 analyze --model mc --step-limit 0 --strict search
tr '\n' ' ' <out >line
says line "Undecided: the limit of solver steps"
run 1 analyze --model mc,recipe-s --budget 60 --stats small.recipe
says out "(predicted, mc, …)"
says err "prediction: ruled out by a common lock"
grep -q "^prediction: witnesses refused *0$" err || fail "a witness of the solver was refused"
run 2 analyze --budget soon small.recipe
run 2 analyze --step-limit few small.recipe

# results.db beside another trace is not taken for its results
sed 's/careless/careful/' small.txt >other.txt
run 0 trace import other.txt
cp small.recipe/results.db other.recipe/
run 3 report other.recipe
says err "results of another trace"
run 1 analyze other.recipe
run 1 report other.recipe
