#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# src/base/limits.def: every limit can be set to its least and to its most; where one leaves something out the report says
# so, in text and in JSON, and nothing reads like a complete answer. The least value never adds a race.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/limits
clang-19 -O1 -c "$programs"/outside.c -o outside.o
"$RECIPE" cc -O1 -g -pthread "$programs"/many.c outside.o -o many
"$RECIPE" record --quantum 40 -o recorded ./many >out 2>err || fail "recording: $(cat err)"

# NAME DEFAULT LEAST MOST, a line each
"$RECIPE" help limits | sed -n 's/^  \([a-z0-9-]*\) = \([0-9]*\) (\([0-9]*\) to \([0-9]*\))$/\1 \2 \3 \4/p' >rows
[ "$(wc -l <rows)" -eq "$(grep -c '^RCP_LIMIT_ROW' "$RECIPE_SOURCE_DIR"/src/base/limits.def)" ] ||
    fail "'recipe help limits' does not list every row"

# analyzed CASE OPTIONS…: a copy of the recording is analysed; results of an earlier analysis would be reported with it. The
# report is CASE.out, its JSON form CASE.json. check.py looks at all of them in the end.
analyzed() {
    local case=$1 code=0
    shift
    rm -rf trace && cp -r "$from" trace
    again "$case" "$@"
}
again() {
    local case=$1 code=0
    shift
    "$RECIPE" analyze --jobs 1 "$@" trace >"$case.out" 2>err || code=$?
    [ $code -le 1 ] && [ -s "$case.out" ] || fail "analyze $*: exit code $code: $(cat err)" # a sanitizer's is 1, too
    "$RECIPE" report --format json trace >"$case.json" || true
}

# Runs that were not recorded take most of the time: a few of them do.
few=(--set explore-runs=12)
from=recorded
analyzed usual "${few[@]}"

# What is left out in this program where the limit has its least value. Other rows have no sentence (a matter of effort), are
# limits of time, or need more of a program: the last part of this test, and tests/unit, have them.
must="symbolic-reads symbolic-depth symbolic-terms switch-ways copy-pins callback-looks kept-results events proof-events
    solver-steps query-events long-query-events judge-events explore-runs explore-depth turn-instances turn-ways
    explore-first-events explore-events explore-nesting explore-stack explore-string explore-block"
for name in $must; do
    grep -q "^$name " rows || fail "there is no limit $name"
done
mapfile -t list <rows
take_part 3 limits "${list[@]}"
: >expected
for row in "${part[@]}"; do
    read -r name _ least most <<<"$row"
    values=("least $least")
    # What has no end then takes its time: budgets of steps and of runs.
    case $name in
    explore-runs | explore-depth | turn-* | solver-* | random-orders | search-*) ;;
    *) values+=("most $most") ;;
    esac
    for value in "${values[@]}"; do
        also=("${few[@]}")
        [ "${value% *}" = least ] || also=(--set explore-runs=3)
        [ "$name" != explore-runs ] || also=()
        # of terms there must be many first
        [[ $name != symbolic-reads && $name != symbolic-depth ]] || also+=(--set symbolic-plenty=0)
        analyzed "$name.${value% *}" "${also[@]}" --set "$name=${value#* }"
    done
    [[ " ${must//$'\n'/ } " != *" $name "* ]] || echo "$name.least $name" >>expected
    # one more than there may be
    run 2 analyze --set "$name=$((most + 1))" recorded
done

# By Z3.
for limit in z3-formulas z3-events; do
    analyzed $limit.z3 --model recipe-s --solver z3 --set $limit=1
    echo "$limit.z3 $limit" >>expected
done
for limit in guarded-events guarded-threads guarded-bytes; do
    analyzed $limit.z3 --model recipe --solver z3 "${few[@]}" --set $limit="$(sed -n "s/^$limit [0-9]* \([0-9]*\) .*/\1/p" rows)"
    echo "$limit.z3 $limit" >>expected
done

# Of a function of which is said what it works on, what it reaches is looked for.
echo "walk on 0" >rules
for limit in reach-objects reach-bytes; do
    analyzed $limit.rules "${few[@]}" --opaque rules --set $limit=1
    echo "$limit.rules $limit" >>expected
done

# Two threads that take turns by values, many times: no race, which is for the query to say where nothing is known before it;
# then not every instance is compared, and of those not every one is asked about.
# often ORDER: the flags are atomic, in that order, or, where there is none, plain, and race.
often() {
    printf '%s\n' 'recipe trace 1' 'fact program often' 'thread T1' 'thread T2' 'var x 0x1000 4 = 0' 'var f 0x1008 4 = 0' 'var g 0x1010 4 = 0'
    for ((i = 1; i <= 20; i++)); do
        printf '%s\n' "T1 w x = $i @ often.c:1:1 in one" "T1 w f = $i $1 @ often.c:2:1 in one" \
            "T2 r f = $i $1 @ often.c:3:1 in two" "T2 br if all" "T2 r x = $i @ often.c:4:1 in two" \
            "T2 w g = $i $1 @ often.c:5:1 in two" "T1 r g = $i $1 @ often.c:6:1 in one" "T1 br if all"
    done
}
often relaxed >often.txt
often "" >plain.txt
run 0 trace import often.txt
run 0 trace import plain.txt
from=often.recipe
unknown=(--model recipe-s --set forced-sources=0 --set forced-origins=0)
analyzed often.scans "${unknown[@]}" --set candidate-scans=1 --set candidate-instances=100
analyzed often.instances "${unknown[@]}" --set candidate-scans=4294967295 --set candidate-instances=1
analyzed often.all "${unknown[@]}" --set candidate-scans=4294967295 --set candidate-instances=100
analyzed often.looks "${unknown[@]}" --set long-query-events=1 --set long-query-looks=1
printf '%s\n' "often.scans candidate-scans" "often.instances candidate-instances" "often.looks long-query-looks" >>expected
# One place under one lock, each time after another lock was taken beside it.
{
    printf '%s\n' 'recipe trace 1' 'fact program held' 'thread T1' 'thread T2' 'var x 0x1000 4 = 0' 'mutex m' 'mutex m1' 'mutex m2' 'mutex m3'
    for i in 1 2 3; do
        printf '%s\n' "T1 acq m" "T1 acq m$i" "T1 rel m$i" "T1 w x = $i @ held.c:1:1 in one" "T1 rel m"
    done
    printf '%s\n' "T2 acq m" "T2 w x = 4 @ held.c:2:1 in two" "T2 rel m"
} >held.txt
run 0 trace import held.txt
from=held.recipe
analyzed word-accesses.held --model recipe-s --set word-accesses=1
echo "word-accesses.held word-accesses" >>expected
# What the orders flag and can't prove is tried a few times.
from=plain.recipe
analyzed order-instances.plain --model hb,wdp --set order-instances=1
echo "order-instances.plain order-instances" >>expected
from=recorded

# A value that is set holds for one analysis: events that were made under others are made anew.
analyzed first "${few[@]}"
again between "${few[@]}" --set symbolic-plenty=0 --set symbolic-reads=0
again last "${few[@]}"
echo "between symbolic-reads" >>expected

cat >check.py <<'PY'
import glob, json, re, sys

def fail(case, words):
    sys.exit(f"FAILED: {case}: {words}")

names, races = {}, {}
for path in glob.glob("*.json"):
    case = path[:-5]
    report = json.load(open(path))
    analysis = report["analysis"]
    reasons = analysis["not_looked_at"]
    for reason in reasons:
        if not reason["reason"] or reason["count"] <= 0 or not isinstance(reason["names"], list):
            fail(case, reason)
    if analysis["complete"] == bool(reasons):
        fail(case, f"complete is {analysis['complete']}, not looked at is {reasons}")
    for why, n in analysis.get("rejected", {}).items():
        if n and analysis["complete"]:
            fail(case, f"'{why}' was {n}, and nothing is said")
    names[case] = {name for reason in reasons if reason["kind"] == "limit" for name in reason["names"]}
    races[case] = {race["fingerprint"] for race in report["races"]}
    text = re.sub(r"\s+", " ", open(case + ".out").read())
    for name in names[case]:
        if f"--set {name}=N" not in text:
            fail(case, f"its text does not name {name}")
    for reason in reasons:
        if reason["reason"] not in text:
            fail(case, f"its text does not say: {reason['reason']}")
    if text.rstrip().endswith("not everything was looked at.") == analysis["complete"]:
        fail(case, f"complete is {analysis['complete']}: {text}")

if not races["usual"]:
    fail("usual", "the race is not found")
for case in races:
    if case.endswith(".least") and races[case] - races["usual"]:
        fail(case, f"a race that the usual values do not show: {races[case] - races['usual']}")
for line in open("expected"):
    case, name = line.split()
    if name not in names[case]:
        fail(case, f"{name} is not said to be reached; {sorted(names[case])} are")
if names["often.scans"] != {"candidate-scans"} or names["often.instances"] != {"candidate-instances"} or names["often.all"]:
    fail("often", "more was left out than was counted, or less")
if "symbolic-reads" in names["last"]:
    fail("last", "a limit that was set before is still reached")
first, last = (re.sub(r'"seconds": [0-9.]*', "", open(name).read()) for name in ("first.json", "last.json"))
if first != last:
    fail("last", "what was set before has left something behind")
PY
python3 check.py || exit 1

# --strict; other names of limits; what makes no sense
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
