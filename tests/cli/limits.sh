#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# src/base/limits.def: every limit can be set to its least and to its most; where one leaves something out the report says
# so, and nothing reads like a complete answer.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/limits
clang-19 -O1 -c "$programs"/outside.c -o outside.o
"$RECIPE" cc -O1 -g -pthread "$programs"/many.c outside.o -o many
"$RECIPE" record --quantum 40 -o trace ./many >out 2>err || fail "recording: $(cat err)"

# NAME DEFAULT LEAST MOST, a line each
rows() { "$RECIPE" help limits | sed -n 's/^  \([a-z0-9-]*\) = \([0-9]*\) (\([0-9]*\) to \([0-9]*\))$/\1 \2 \3 \4/p'; }
[ "$(rows | wc -l)" -eq "$(grep -c '^RCP_LIMIT_ROW' "$RECIPE_SOURCE_DIR"/src/base/limits.def)" ] ||
    fail "'recipe help limits' does not list every row"

# analyzed OPTIONS…: the report is in ./out, its JSON form in ./json, the races' fingerprints in ./races.
analyzed() {
    local code=0
    "$RECIPE" analyze --jobs 1 "$@" trace >out 2>err || code=$?
    [ $code -le 1 ] || fail "analyze $*: exit code $code: $(cat err)"
    "$RECIPE" report --format json trace >json || true
    python3 - "$*" >races <<'END' || fail "analyze $*: its JSON report"
import json, sys
report = json.load(open("json"))
analysis = report["analysis"]
reasons = analysis["not_looked_at"]
for reason in reasons:
    assert reason["reason"] and reason["count"] > 0 and isinstance(reason["names"], list), reason
assert analysis["complete"] == (not reasons), analysis
for race in report["races"]:
    print(race["fingerprint"])
END
    # a limit that was reached is named, and the last line says that it was
    local names name
    names=$(python3 -c 'import json
for r in json.load(open("json"))["analysis"]["not_looked_at"]: print(*r["names"])')
    for name in $names; do
        tr '\n' ' ' <out | tr -s ' ' | grep -q -e "--set $name=N" || fail "analyze $*: the report does not name $name"
    done
    [ -z "$names" ] || tr '\n' ' ' <out | grep -q 'not everything was looked at\. *$' ||
        fail "analyze $*: it reads like a complete answer: $(cat out)"
}
# reached NAME: the report that is at hand names it
reached() { grep -q "\"names\": \\[\"$1\"\\]" json; }

few="--set explore-runs=12"
# shellcheck disable=SC2086
analyzed $few
sort races >usual
[ -s usual ] || fail "the race is not found"

# What must be left out at the least value; the rest needs more of a program, or is a matter of effort or of time.
must="symbolic-reads symbolic-depth symbolic-terms switch-ways copy-pins callback-looks kept-results events proof-events word-accesses solver-steps query-events long-query-events judge-events explore-runs
    explore-depth turn-instances turn-ways explore-first-events explore-events explore-string explore-block"
rows >list
while read -r name usual least most; do
    for value in $least $most; do
        case $name in explore-runs) also="" ;; *) also=$few ;; esac
        # what takes its time where there is no end to it
        case $name=$value in
        explore-runs=$most) continue ;;
        explore-depth=$most | turn-*=$most | solver-*=$most | random-orders=$most | search-*=$most) also="--set explore-runs=3" ;;
        esac
        # shellcheck disable=SC2086
        analyzed $also --set "$name=$value"
        extra=$(sort races | comm -23 - usual)
        [ -z "$extra" ] || fail "$name=$value: a race that the usual values do not show: $extra"
        [ "$value" != "$least" ] || [[ " $(echo $must) " != *" $name "* ]] || reached "$name" ||
            fail "$name=$value is not said to be reached: $(cat out)"
    done
    # one more than there is
    [ "$most" = 18446744073709551615 ] || run 2 analyze --set "$name=$(python3 -c "print($most + 1)")" trace
done <list

# By Z3.
for limit in z3-formulas=1 z3-events=1; do
    analyzed --model recipe-s --solver z3 --set $limit
    reached ${limit%=*} || fail "--solver=z3, $limit is not said to be reached"
done
analyzed --model recipe --solver z3 --set guarded-events=1
reached guarded-events || fail "--solver=z3, guarded-events=1 is not said to be reached"

# Of a function of which is said what it works on, what it reaches is looked for.
cp -r trace said
echo "walk on 0" >rules
for limit in reach-objects reach-bytes; do
    rm -rf trace && cp -r said trace
    # shellcheck disable=SC2086
    analyzed $few --opaque rules --set $limit=1
    reached $limit || fail "$limit=1 is not said to be reached"
done
rm -rf trace && cp -r said trace

# A value that is set holds for this analysis alone: events that were made under others are made anew.
# shellcheck disable=SC2086
analyzed $few
reached symbolic-reads && fail "a limit that was set before is still reached"
cp json before
# shellcheck disable=SC2086
analyzed $few --set symbolic-reads=0
# shellcheck disable=SC2086
analyzed $few
strip() { sed 's/"seconds": [0-9.]*//' "$1"; }
cmp <(strip before) <(strip json) || fail "what was set before has left something behind"

# --strict; the aliases; what makes no sense
run 0 analyze --model hb --set turn-instances=1 trace || true
small_trace
sed '/^T2 w/d' small.txt >quiet.txt
run 0 trace import quiet.txt
run 0 analyze --strict quiet.recipe
run 4 analyze --strict --set events=1 quiet.recipe
says out "not everything was looked at"
run 4 report --strict quiet.recipe
run 4 analyze --strict --events 1 quiet.recipe
run 0 report quiet.recipe
for wrong in nosuch=1 solver-steps solver-steps= solver-steps=x solver-steps=-1 =1 events=0 events=99999999999999999999; do
    run 2 analyze --set "$wrong" quiet.recipe
    says err "--set"
    silent out
done
says err "events" "from 1 to"
run 2 analyze --step-limit x quiet.recipe
run 2 analyze --events 0 quiet.recipe
run 125 run --set nosuch=1 -- ./many
