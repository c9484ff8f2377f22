#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What continuous integration reads: SARIF 2.1.0 and JUnit's XML. What the standards require of what is there, one result or test case
# per entry, and no name that breaks out of its string.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# is FILTER VALUE: of ./sarif or ./json.
is() {
    local got
    got=$(jq -c "$2" "$1")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, not $3"
}

# forms CODE DIR: ./json, ./sarif and ./junit, each what its standard asks for, and of as many entries.
forms() {
    local form
    for form in json sarif junit; do
        run "$1" report --format $form -o $form "$2"
        silent out
        run "$1" report --format $form "$2"
        cmp out $form || fail "$2: $form is not the same twice"
    done
    jq -e '.version == "2.1.0" and (.runs | length) == 1' sarif >/dev/null || fail "$2: no SARIF 2.1.0"
    # SARIF 2.1.0, what it requires of what recipe writes: section 3.13 and following
    jq -r '
        def wrong(words): "\(words): \(tojson | .[0:200])";
        .runs[0] as $run
        | ($run.tool.driver | select((.name and .version) | not) | wrong("a tool without a name")),
          ($run.invocations[] | select(.executionSuccessful != true) | wrong("an invocation")),
          ($run.results[]
            | select((.message.text | length) == 0) | wrong("a result without a message")),
          ($run.results[]
            | select($run.tool.driver.rules[.ruleIndex].id != .ruleId) | wrong("a result of another rule")),
          ($run.results[] | select(.level | IN("error", "note") | not) | wrong("a level")),
          ($run.results[] | select((.locations | length) == 0) | wrong("a result without a location")),
          ($run.results[] | select(.ruleId != "deadlock") | select((.relatedLocations | length) == 0 or (.codeFlows | length) == 0)
            | wrong("a race without a second place or a schedule")),
          ($run.results[].partialFingerprints // {} | .[] | select(test("^[0-9a-f]{16}$") | not) | wrong("a fingerprint")),
          ([$run.results[].relatedLocations // [] | map(.id) | select(. != (unique))] | .[] | wrong("ids that are there twice")),
          (.. | objects | select(has("threadFlows")) | .threadFlows[] | select((.locations | length) == 0) | wrong("an empty flow")),
          (.. | objects | select(has("threadFlows")) | select((.threadFlows | length) == 0) | wrong("a flow without threads")),
          (.. | objects | select(has("executionOrder")) | select(.executionOrder < 1) | wrong("an order")),
          (.. | objects | select(has("physicalLocation")) | .physicalLocation
            | select(.artifactLocation.uri | test("^[-A-Za-z0-9._~/:%]+$") | not) | wrong("no URI")),
          (.. | objects | select(has("region")) | .region | select(.startLine < 1 or (has("startColumn") and .startColumn < 1))
            | wrong("a region"))' sarif >wrong || fail "$2: jq"
    [ ! -s wrong ] || fail "$2: $(head -3 wrong)"
    is sarif '[.runs[0].results[] | select(.ruleId == "data-race")] | length' "$(jq '.entries | length' json)"
    is sarif '[.runs[0].results[] | select(.ruleId == "unconfirmed-race")] | length' "$(jq '.unconfirmed_entries | length' json)"
    is sarif '[.runs[0].results[] | select(.ruleId == "deadlock")] | length' "$(jq '.deadlocks | length' json)"
    is sarif '.runs[0].properties.complete' "$(jq .analysis.complete json)"
    is sarif '[.runs[0].invocations[0].toolExecutionNotifications[].properties.kind]' "$(jq -c '[.analysis.not_looked_at[].kind]' json)"
    # the fingerprint that is kept is the first race's
    is sarif '[.runs[0].results[] | select(.ruleId == "data-race") | .partialFingerprints["recipeRace/v1"]]' \
        "$(jq -c '(.races | map({key: (.id | tostring), value: .fingerprint}) | from_entries) as $of | [.entries[] | $of[.races[0] | tostring]]' json)"
    python3 - "$(jq '(.entries | length) + (.deadlocks | length)' json)" "$(jq '.unconfirmed_entries | length' json)" <<'PY' || fail "$2: $(cat junit)"
import json, re, sys, xml.etree.ElementTree as tree
def said(words): # XML has no way to say a control character
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "\ufffd", words)
failed, skipped = int(sys.argv[1]), int(sys.argv[2])
root = tree.parse("junit").getroot()
report = json.load(open("json"))
assert root.tag == "testsuites"
(suite,) = root
cases = suite.findall("testcase")
assert suite.tag == "testsuite" and suite.get("name") == said(report["program"]), suite.get("name")
assert len(suite.findall("testcase/failure")) == failed and len(suite.findall("testcase/skipped")) == skipped
for of in root, suite:
    assert int(of.get("tests")) == len(cases) == failed + skipped + (not failed)
    assert int(of.get("failures")) == failed and int(of.get("skipped")) == skipped and of.get("errors") == "0"
assert failed or cases[-1].get("name") == "no race" and not len(cases[-1])
assert all(case.get("name") and case.get("classname") == said(report["program"]) for case in cases)
headlines = [said(entry["headline"]) for entry in report["entries"]]
assert [f.get("message") for f in suite.findall("testcase/failure") if f.get("type") == "data-race"] == headlines
assert not failed or all(len(f.text) > 40 for f in suite.findall("testcase/failure"))
assert report["analysis"]["complete"] or "Not looked at:" in suite.find("system-out").text
PY
}

# --- one race of two pairs, with its schedule; a run says it in either form, too ---
cat >count.c <<'C'
#include <pthread.h>
static int x;
static void *work(void *p) { x++; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
"$RECIPE" cc -g count.c -o count -pthread
run 1 run --format sarif --report run.sarif -o count.d ./count
forms 1 count.d
cmp run.sarif sarif || fail "'run' writes other SARIF than 'report'"
is sarif '.runs[0].results | map(.ruleId, .level, .properties.status, (.properties.races | sort))' '["data-race","error","confirmed",[1,2]]'
is sarif '.runs[0].results[0].message.text' \
    '"`x` is written in work (count.c:3) by two threads, and nothing orders them. Shown on the program."'
is sarif '.runs[0].results[0] | [.locations[0], .relatedLocations[]] | map(.physicalLocation | [.artifactLocation.uri, .region.startLine]) | unique' \
    '[["count.c",3]]'
is sarif '.runs[0].results[0] | (.locations + .relatedLocations | length), (.codeFlows | length), ([.codeFlows[].threadFlows | length] | unique)' '4
2
[2]'
# the accesses come last in their threads' flows, both at the same moment
is sarif '[.runs[0].results[0].codeFlows[].threadFlows | map(.locations[-1].executionOrder) | unique | length] | unique' '[1]'
is sarif '[.runs[0].results[0].codeFlows[].threadFlows[].locations[-1].importance] | unique' '["essential"]'
run 1 run --format junit --report run.junit -o again.d ./count
says run.junit '<testsuite name="./count" tests="1" failures="1"' 'Race (pair 2 here, pair 1 below) on x' '  Pair 1 on x'
run 2 report --format xml count.d
says err "text|json|sarif|junit|html"

# --- names that are no names ---
cat >odd.txt <<'TRACE'
recipe trace 1
fact program "a \"b\" <c> & 'd'\n\tä]]>\x01\xff"
thread T1 "T<1>\n&"
thread T2
var x[0] 0x1000 4 = 0
T1 w x[0] = 1 @ "/odd dir/%2f:\"<file>\".c":1:1 in "ns::operator[](<int>&) \"q\"\\"
T2 w x[0] = 2 @ "rel:é\xfe.c":7 in "</failure>"
TRACE
run 0 trace import odd.txt
run 1 analyze odd.recipe
forms 1 odd.recipe
is sarif '[.runs[0].results[0] | (.locations + .relatedLocations)[].physicalLocation.artifactLocation.uri] | sort' \
    '["file:///odd%20dir/%252f%3A%22%3Cfile%3E%22.c","rel%3A%C3%A9%FE.c"]'
! jq -r '.runs[0].results[].message.text' sarif | grep -F '](' || fail "a name reads like a link"

# --- deadlocks, what is unconfirmed, what was not looked at, nothing at all ---
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c" -o kinds -pthread
"$RECIPE" run --report - -o kinds.d ./kinds abba >out 2>err || [ $? = 1 ] || fail "kinds: $(cat err)"
forms 1 kinds.d
is sarif '[.runs[0].results[] | select(.ruleId == "deadlock")] | length' 1
small_trace
run 0 trace import small.txt
run 0 analyze --model hb,shb,wcp,dc,sdp,wdp --proof-limit 0 small.recipe
forms 0 small.recipe
is sarif '.runs[0].invocations[0].toolExecutionNotifications | length > 0' true
cat >gone.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int x;
static void *one(void *p) { x = 1; return p; }
int main(int n, char **arguments) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    x = n + 1;
    pthread_join(a, 0);
    unlink(arguments[0]);
    return 0;
}
C
"$RECIPE" cc -g gone.c -o gone -pthread
run 0 run --report - -o gone.d ./gone
forms 0 gone.d
is sarif '.runs[0].results | map(.ruleId, .level)' '["unconfirmed-race","note"]'
printf 'recipe trace 1\n' >empty.txt
run 0 trace import empty.txt
run 0 analyze empty.recipe
forms 0 empty.recipe
is sarif '.runs[0].results' '[]'
says junit '<testcase classname="empty' 'name="no race"/>'
