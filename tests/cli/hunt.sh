#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe hunt (analysis/hunting.h): a race behind two turns is found, and nothing where there is none; a hunt that ends has seen as many
# classes of runs as a hand count has; what can't be claimed is not.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/turned

# compile NAME FLAGS…
compile() { "$RECIPE" cc -g -O1 -pthread "${@:2}" "$programs/${1%%[+.]*}.c" -o "$1"; }

# number KEY FILE: of the object hunt.
number() { sed -n 's/.*"hunt": {.*"'"$1"'": \([a-z0-9]*\).*/\1/p' "$2"; }

# Behind two turns, and code that only a run can answer for. The race is replayed in the run that has it.
compile two_turns
compile two_turns+ -DTWIN
run 0 run --budget 30 -o plain.recipe ./two_turns
run 1 hunt --budget 30 --report - -v -o two.recipe ./two_turns
says out 'on shared' 'confirmed, hunt)' 'It is in another run than the recorded one, to which the program was led.'
[ "$(grep -c '^Race ' out)" -eq 1 ] || fail "two_turns: not one race: $(cat out)"
run 1 report --format json -o two.json two.recipe
[ "$(number complete two.json)" = false ] || fail 'a call outside beside other threads, and the hunt claims its end'
[ "$(ls two.recipe/variants | wc -l)" -eq 1 ] || fail "runs without a race are kept: $(ls two.recipe/variants)"
jq -e '.races[0].recording as $its | .hunt as $hunt | $hunt.found | length == 1 and .[0].recording == $its and
    .[0].run >= 3 and .[0].run <= $hunt.runs and .[0].seconds > 0' two.json >/dev/null || fail "two_turns: found when? $(cat two.json)"
run 0 replay two.recipe 1
run 0 hunt --budget 30 -o twin.recipe ./two_turns+

# The same by run --hunt.
run 1 run --hunt --budget 30 -o flag.recipe ./two_turns

# All classes of runs: as many as one counts by hand.
classes=(0 1 2 3 4 2 6 3 3)
for case in 1 2 3 4 5 6 7 8; do
    compile counted.$case -DCASE=$case
    run 0 hunt --budget 60 --report - -o counted.$case.recipe ./counted.$case
    tr -s ' \n' ' ' <out | grep -q "All ${classes[case]} class.* of runs of this program and input w.* seen\." ||
        fail "case $case: it does not say so: $(cat out)"
    run 0 report --format json -o counted.json counted.$case.recipe
    [ "$(number classes counted.json)" = "${classes[case]}" ] ||
        fail "case $case: $(number classes counted.json) classes, not ${classes[case]}: $(cat counted.json)"
    [ "$(number turns_open counted.json)" = 0 ] || fail "case $case: turns are open: $(cat counted.json)"
    [ "$(number complete counted.json)" = true ] || fail "case $case: it does not end: $(cat counted.json)"
done

# Where more than the order of accesses decides, no end is claimed: by the clock, text behind a pointer, chance, a handler, a lock's kind, whose
# stack is where.
reasons=(calls calls calls signals kinds makes)
declare -A said=([calls]='code outside is called once there are threads' [signals]='signals or timers may come at any time'
    [kinds]='a lock looks at who waits for it' [makes]='others than the main thread make threads')
for case in 0 1 2 3 4 5; do
    compile beyond.$case -DCASE=$case
    run 0 hunt --budget 60 --report - -o beyond.$case.recipe ./beyond.$case
    tr -s ' \n' ' ' <out | grep -q "not all there can be: .*${said[${reasons[case]}]}" || fail "beyond, case $case: $(cat out)"
done
compile beyond.6 -DCASE=6
run 0 hunt --budget 60 --report - -o beyond.6.recipe ./beyond.6
tr -s ' \n' ' ' <out | grep -q 'All [0-9]* class' || fail "numbers that are printed decide nothing: $(cat out)"

# Ends of runs that were led: made twice, reported with their recordings, which repeat them.
compile ends.waits -DWAITS
compile ends.asserts -DASSERTS
compile ends.crashes -DCRASHES
for end in waits asserts crashes; do
    run 0 run --budget 30 -o plain_$end.recipe ./ends.$end
    run 1 hunt --budget 30 --report - -o $end.recipe ./ends.$end
    cp out $end.out
    run 1 report --format json -o $end.json $end.recipe
    recording=$(jq -r '[.deadlocks[], .crashes[]][0].recording' $end.json)
    [ -n "$recording" ] && [ -e "$end.recipe/$recording/log" ] || fail "$end: no recording is named: $(cat $end.json)"
    jq -e --arg its "$recording" '.hunt.found | any(.recording == $its and .run >= 2)' $end.json >/dev/null ||
        fail "$end: found when? $(cat $end.json)"
    run 0 trace schedule -o $end.schedule "$end.recipe/$recording"
    ! "$RECIPE" record -o again_$end.recipe --schedule=file:$end.schedule ./ends.$end >again_$end 2>&1 ||
        fail "$end: its schedule does not repeat it: $(cat again_$end)"
done
says waits.out 'Deadlock: in another run of the program' 'thread 0.2 waits for condition given' ', 1 deadlock'
says asserts.out 'Crash: another run of the program' 'SIGABRT:' 'Assertion' ', 1 crash'
says again_asserts 'Assertion'
says crashes.out 'Crash: another run of the program' 'SIGSEGV' ', 1 crash'

# A limit, or the budget, ends it, and then nothing is claimed.
run 0 hunt --budget 60 --set hunt-runs=2 --report r.json --format json -o few.recipe ./counted.6
[ "$(number complete r.json)" = false ] && [ "$(number turns_open r.json)" -gt 0 ] && [ "$(number runs r.json)" -eq 3 ] ||
    fail "hunt-runs: $(cat r.json)"
grep -q '"hunt-runs"' r.json || fail 'the limit is not named'
run 4 hunt --budget 60 --set hunt-runs=2 --strict -o strict.recipe ./counted.6
began=$SECONDS
run 0 hunt --budget 3 -o short.recipe ./counted.6
[ $((SECONDS - began)) -lt 20 ] || fail 'the budget of 3 seconds does not end it'

# Of a command each process is hunted, and its races are replayed within the command.
compile two_turns
run 1 hunt --budget 60 --report - -o both.recipe sh -c './two_turns; ./counted.2'
says out 'confirmed, hunt)' '2 processes'

# Who has had enough gets what was found until then, and no end is claimed.
"$RECIPE" hunt --budget 100 --set explore-runs=0 -v --report r.json --format json -o stopped.recipe ./counted.6 >out 2>stopped &
until grep -q 'hunt, run 1:' stopped 2>/dev/null; do kill -0 $! || fail "it ended before: $(cat stopped)"; done
kill -INT $!
wait $! || fail "interrupted: exit code $?: $(cat stopped)"
if grep -q 'interrupted; ' stopped; then
    [ "$(number complete r.json)" = false ] && [ "$(number classes r.json)" -ge 2 ] || fail "interrupted: $(cat r.json)"
fi

# A wrong command line, and what is not there.
run 125 hunt
says err 'COMMAND [ARG…] is missing' "see 'recipe help hunt'"
run 125 hunt --frobnicate ./counted.2
says err 'unknown option --frobnicate'
run 125 hunt --hunt ./counted.2
run 127 hunt ./nobody
