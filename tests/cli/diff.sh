#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe report --diff A B: what is new, what is gone and what both have, of directories and of reports that were kept; new is exactly
# what A as a baseline would leave.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
is() { # FILTER VALUE, of ./out
    local got
    got=$(jq -c "$1" out)
    [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# trace NAME LINES-OF-T1 LINES-OF-T2
trace() {
    { printf 'recipe trace 1\nfact program shop\nthread T1\nthread T2\n'
        for v in 0 1 2 3; do printf 'var v%d 0x100%d 1 = 0\n' $v $v; done
        printf "$2" && printf "$3"; } >$1.txt
    run 0 trace import $1.txt
    run 1 analyze --model hb $1.recipe
    run 1 report --format json -o $1.json $1.recipe
}
# v0 stays, three lines below; v1 goes; v2 comes; v3 has one pair more
trace old 'T1 w v0 = 1 @ a.c:1:1 in one\nT1 w v1 = 1 @ a.c:2:1 in one\nT1 w v3 = 1 @ a.c:3:1 in one\n' \
    'T2 r v0 = 1 @ a.c:9:1 in two\nT2 r v1 = 1 @ a.c:8:1 in two\nT2 r v3 = 1 @ a.c:7:1 in two\n'
trace new 'T1 w v0 = 1 @ a.c:4:1 in one\nT1 w v2 = 1 @ a.c:5:1 in one\nT1 w v3 = 1 @ a.c:6:1 in one\n' \
    'T2 r v0 = 1 @ a.c:19:1 in two\nT2 r v2 = 1 @ a.c:18:1 in two\nT2 r v3 = 1 @ a.c:17:1 in two\nT2 w v3 = 3 @ a.c:20:1 in two\n'
run 1 report --diff old.recipe new.recipe
silent err
[ "$(head -1 out)" = 'New in new.recipe:' ] || fail "it begins otherwise: $(cat out)"
says out '`v2` is written in one (a.c:5) and read in two (a.c:18), and nothing orders the two (predicted)' \
    '`v3` is written in one (a.c:6) and in two (a.c:20), and nothing orders the two (predicted), 1 of 2' \
    'Gone since old.recipe:' '`v1` is written in one (a.c:2)' '2 new, 1 gone, 1 in both.'
! grep -q '`v0`' out || fail "what both have is told: $(cat out)"
sed 's/\.recipe:$/:/' out >first
# whatever the sides are made of
for sides in "old.json new.recipe" "old.recipe new.json" "old.json new.json"; do
    run 1 report --diff $sides
    sed 's/\.\(recipe\|json\):$/:/' out | cmp - first || fail "--diff $sides says something else: $(cat out)"
done
run 1 report --diff=new.json old.json
says out '1 new, 2 gone, 2 in both.' 'New in old.json:' '`v1`'
run 0 report --diff old.json old.recipe
[ "$(cat out)" = '0 new, 0 gone, 3 in both.' ] || fail "it differs from itself: $(cat out)"
run 1 report --format json --diff old.json new.json
is '[.version, .before, .after, .same]' '[1,"old.json","new.json",1]'
is '.new | map(.kind, .pairs, .pairs_missing, .unconfirmed, .status)' '["race",1,1,false,"predicted","race",2,1,false,"predicted"]'
is '.gone | map(.headline | contains("v1"))' '[true]'
jq '[.new[].id]' out >ids
jq -e --slurpfile ids ids '[.races[] | select(.variable == "v2" or (.accesses[].line == 20)) | .id] | sort == ($ids[0] | sort)' new.json >is ||
    fail "other races are new: $(cat ids)"

# --- new is what the baseline leaves ---
run 1 report --format json --baseline old.json -o left.json new.recipe
run 1 report --format json --diff old.json new.recipe
[ "$(jq '[.new[].id] | sort' out)" = "$(jq '[.races[].id] | sort' left.json)" ] || fail "the baseline leaves something else"
# a report that was made with a baseline has as much as one that was not
run 1 report --diff old.json left.json
says out '2 new, 1 gone, 2 in both.' # of v3 what is known is an entry by itself there

# --- what is set aside or unconfirmed ---
printf 'race:^v[123]$\nrace:^v1$\nrace:^v2$\nrace:^v3$\n' >some.supp
run 0 report --suppressions some.supp --diff old.recipe new.recipe
says out '0 new, 0 gone, 1 in both.'
jq '.unconfirmed = (.races | map(.status = "not-replayed")) | .races = []
    | .unconfirmed_entries = (.entries | map(.status = "not-replayed")) | .entries = []' new.json >perhaps.json
run 0 report --diff old.json perhaps.json
says out 'unconfirmed race' '2 new, 3 gone, 1 in both.' # what nobody has shown any more is gone as a race
run 1 report --diff perhaps.json new.json # now it was shown
says out '3 new, 0 gone, 0 in both.'
jq '.deadlocks = [{fingerprint: "0123456789abcdef", status: "recorded", process: "", threads: [{thread_name: "1", waits_for: "mutex",
        file: "a.c", line: 3, function: "hold"}, {thread_name: "2", waits_for: "mutex"}]}]
    | .crashes = [{fingerprint: "0123456789abcdee", signal: "SIGABRT", message: "no", recording: "variants/1"}]' old.json >ends.json
run 1 report --diff old.json ends.json
says out 'deadlock: 2 threads wait, each for another, the first in hold (a.c:3) (recorded)' 'crash: SIGABRT: no' '2 new, 0 gone, 3 in both.'
run 0 report --diff ends.json old.json
run 0 report --diff ends.json ends.json

# --- names that are no names, colours, a file, many ---
jq '(.entries[] | .headline) |= "a \u001b[31mred\n[name] \"é\""' new.json >odd.json
run 1 report --diff old.json odd.json
! grep -q $'\x1b' out || fail "a name paints: $(cat -v out)"
run 1 report --format json --diff old.json odd.json
is '.new[0].headline' '"a \u001b[31mred\n[name] \"é\""'
run 1 report --color always --diff old.json new.json
grep -q $'^\x1b\[1;31mNew in' out || fail "no colour: $(cat -v out)"
run 1 report -o printed --diff old.json new.json
says printed '2 new, 1 gone'
jq '.races = ([range(10000) as $i | .races[0] | .id = $i + 1
        | .fingerprint = ("00000000000" + ($i + 10000 | tostring))]) | .entries = [.races[] | {headline: "x", status, races: [.id]}]' old.json >many.json
run 1 report --diff new.json many.json
says out '10000 new, 3 gone, 0 in both.'

# --- what is none ---
run 3 report --diff missing new.recipe
says err missing
run 3 report --diff old.json missing
echo '{}' >empty.json
run 3 report --diff old.json empty.json
says err "empty.json: is no report of recipe's --format json"
echo '[1' >broken.json
run 3 report --diff broken.json new.recipe
says err "broken.json"
run 2 report --diff old.json
says err "DIR is missing"
run 2 report --format sarif --diff old.json new.json
says err "--diff is of --format text or json, not sarif"
run 3 report new.json # a report alone is no directory
