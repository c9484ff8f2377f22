#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# It always ends: runs that spin, runs that were killed in a loop, budgets, signals, processes whose parent was killed. And it says
# how far it is, to a terminal alone.
. "$(dirname "$0")/lib.bash"

programs=$RECIPE_SOURCE_DIR/tests/programs/ends
compile() { # NAME FLAGS…
    local name=$1
    shift
    "$RECIPE" cc -g -O1 -pthread "$@" "$programs/${name%+*}.c" -o "$name" || fail "$name is not compiled"
}

budget=$(few 20 12 "seconds for a run")

# --- threads that spin: a variant's log ends, and so does its re-execution; the twins' races are found ---
take_part 2 "locks that spin" dekker peterson ticket
for name in "${part[@]}"; do
    compile $name
    compile $name+ -DTWIN
    RECIPE_CODE=0
    timeout 300 "$RECIPE" run --budget "$budget" -o $name.recipe ./$name >err 2>&1 || RECIPE_CODE=$?
    [ $RECIPE_CODE -eq 0 ] || { cat err >&2 && fail "$name: exit code $RECIPE_CODE"; }
    RECIPE_CODE=0
    timeout 300 "$RECIPE" run --budget "$budget" -o $name+.recipe ./$name+ >err 2>&1 || RECIPE_CODE=$?
    [ $RECIPE_CODE -eq 1 ] || { cat err >&2 && fail "$name, its twin: exit code $RECIPE_CODE"; }
    says err counter confirmed
done

# --- killed inside a loop: what comes after the log's last record is taken for not done ---
compile killed
compile killed+ -DQUIET
RECIPE_CODE=0
timeout 300 "$RECIPE" run --budget "$budget" ./killed >err 2>&1 || RECIPE_CODE=$?
[ $RECIPE_CODE -eq 1 ] || { cat err >&2 && fail "killed: exit code $RECIPE_CODE"; }
says err 'died of SIGALRM' 'on shared' confirmed
timeout 300 "$RECIPE" run --budget "$budget" ./killed+ >err 2>&1 || fail "killed, quietly: $(cat err)"
run 0 trace reexecute killed.recipe
run 0 trace dump killed.recipe
! grep -q spins out || fail 'events that nobody knows of were told'

# --- a budget that is too short for telling: the beginning is told, and said to be one; more time tells more ---
compile long
run 0 record -o long.recipe ./long 12
timeout 300 "$RECIPE" analyze --model hb,recipe-s --budget 1 long.recipe >out 2>err || [ $? -eq 1 ] || fail "a short budget: $(cat err)"
says err 'the beginning of the run is looked at'
says out 'before all events of the run were made'
grep -q 'not everything was looked at' <(tr '\n' ' ' <out) || fail "the report does not say that it is a part: $(cat out)"
mkdir begun && cp long.recipe/events.rcp begun
run 0 trace check begun
run 0 trace stat begun
part=$(sed -n 's/^events with values *//p' out)
run 0 trace check long.recipe # without a budget all of it is told
run 0 trace stat long.recipe
whole=$(sed -n 's/^events with values *//p' out)
[ "$part" -gt 0 ] && [ "$part" -lt "$whole" ] || fail "a beginning of $part events, of $whole"
# (counted: where even what is shared was not looked for to the end, less is known of it)
run 0 record -o counted.recipe ./long 12
run 1 analyze --model hb --set tell-events=400000 counted.recipe
cp counted.recipe/events.rcp begun
run 0 trace dump begun && grep -m 1000 -E '^(e[0-9]+: )?T[0-9]* (r|w) ' out >first
run 0 trace dump long.recipe && grep -m 1000 -E '^(e[0-9]+: )?T[0-9]* (r|w) ' out >again
cmp -s first <(head -n "$(wc -l <first)" again) || fail "the beginning is not that of the run: $(diff first again | head -n 5)"

# --- and the next analysis goes on: farther each time where events are counted, and with what was proven before ---
run 0 record -o parts.recipe ./long 4
before=0 calls=0
while [ $calls -lt 10 ]; do
    run 1 analyze --model hb --set tell-events=400000 parts.recipe
    calls=$((calls + 1))
    cp out report
    rm -rf begun && mkdir begun && cp parts.recipe/events.rcp begun # of a recording all would be told now
    run 0 trace stat begun
    now=$(sed -n 's/^events with values *//p' out)
    [ "$now" -gt $before ] || fail "analysis $calls tells $now events, the one before it $before"
    before=$now
    grep -q 'tell-events' report || break
    says report "The next 'recipe analyze' goes on from there"
done
[ $calls -gt 2 ] && [ $calls -lt 10 ] || fail "the run was told in $calls parts"
run 0 record -o whole.recipe ./long 4
run 1 analyze --model hb whole.recipe
cmp -s <(pairs out) <(pairs report) || fail "told in parts, other races: $(diff out report)"
run 0 trace stat whole.recipe
[ "$(sed -n 's/^events with values *//p' out)" -eq $before ] || fail "told in parts there are $before events"
# with a budget one analysis looks, the next one tells more, and the third one looks at that
rm -rf parts.recipe
run 0 record -o parts.recipe ./long 4
run 1 analyze --model hb --budget 1000 --set tell-events=400000 parts.recipe
cp parts.recipe/events.rcp first.rcp
run 1 analyze --model hb --budget 1000 --set tell-events=400000 --set tell-more=100 parts.recipe
says err 'more of the run was told' 'the next analysis looks at that'
cmp -s first.rcp parts.recipe/events.rcp || fail 'what is reported is of other events'
run 1 analyze --model hb --budget 1000 --set tell-events=400000 --set tell-more=1000000 parts.recipe
[ "$(stat -c %s parts.recipe/events.rcp)" -gt "$(stat -c %s first.rcp)" ] || fail 'what was told is not looked at'
[ ! -e parts.recipe/events.next ] || fail 'what was told is there twice'
# of what was proven of a beginning nothing is lost, though there is no time to find it again; nor what a replay showed
rm -rf parts.recipe
run 1 run --report - --model hb --set tell-events=400000 --set budget=0 -o parts.recipe ./long 4
says out '1 race (1 confirmed)'
run 1 analyze --model hb --set tell-events=400000 --set proof-events=1 parts.recipe
says out '1 race (1 confirmed)'

# --- where forks and joins order everything nothing is prepared; one that is joined is not ordered before all others ---
cat >apart.txt <<'TRACE'
recipe trace 1
fact program apart
thread T0
thread T1
thread T2
var x 0x1000 4 = 0
T0 fork T1
T0 fork T2
T1 w x = 1 @ a.c:1:1 in one
T0 join T1
T2 w x = 2 @ a.c:2:1 in two
T0 join T2
TRACE
sed '/^T0 fork T2$/d; s/^T0 join T1$/&\nT0 fork T2/' apart.txt >after.txt
run 0 trace import apart.txt
run 0 trace import after.txt
run 1 analyze --stats apart.recipe
grep -q '^prediction: ' out || grep -q '^prediction: ' err || fail 'nothing was predicted'
run 0 analyze --stats after.recipe
! grep -q '^prediction: ' out err || fail 'what is ordered by forks and joins was prepared'

# --- signals to recipe alone end everything; so does its death ---
# left SESSION: does a process of the session live?
left() { ps -e -o sess=,stat=,comm= | awk -v s="$1" '$1 == s && $2 !~ /^Z/ { n++ } END { exit !n }'; }
await_end() { # SESSION
    local end=$((SECONDS + 60))
    while left "$1"; do
        [ $SECONDS -lt $end ] || fail "processes are left: $(ps -e -o sess=,pid=,stat=,args= | awk -v s="$1" '$1 == s')"
        read -rt 0.1 <> <(:) || :
    done
}
take_part 2 signals INT TERM KILL
for signal in "${part[@]}"; do
    rm -rf at.recipe
    setsid "$RECIPE" run -o at.recipe ./long 200 >out 2>err &
    recipe=$!
    until [ -e at.recipe/events.part ]; do
        kill -0 $recipe 2>/dev/null || fail "recipe is over: $(cat err)"
        read -rt 0.1 <> <(:) || :
    done
    kill -$signal $recipe
    wait $recipe 2>/dev/null || :
    await_end $recipe
    [ $signal = KILL ] || says err interrupted
done

# --- and workers with it ---
awk 'BEGIN {
    srand(1)
    for (t = 1; t <= 4; t++) print "T0|fork(T" t ")|1"
    for (i = 0; i < 4000; i++) {
        t = "T" 1 + int(rand() * 4); l = int(rand() * 4); v = int(rand() * 10)
        print t "|acq(L" l ")|" 100 + i % 50; print t "|r(V" v ")|" 200 + i % 60
        print t "|w(V" v ")|" 300 + i % 70; print t "|rel(L" l ")|4"
    }
}' >work.std
run 0 trace import work.std
take_part 2 "signals to workers" TERM KILL
for signal in "${part[@]}"; do
    setsid "$RECIPE" analyze --jobs 3 --model recipe-s work.recipe >out 2>err &
    recipe=$!
    until [ "$(ps -e -o ppid= | grep -cw $recipe)" -ge 3 ]; do
        kill -0 $recipe 2>/dev/null || fail "the analysis is over before it has workers: $(cat err)"
        read -rt 0.02 <> <(:) || :
    done
    kill -$signal $recipe
    wait $recipe 2>/dev/null || :
    await_end $recipe
done

# --- how far it is: on a terminal after two seconds, nowhere else ---
rm -f long.recipe/events.rcp long.recipe/results.db
run 1 analyze --model hb long.recipe
! grep -q $'\r' err || fail 'a line that changes, and no terminal'
if command -v script >/dev/null; then
    run 0 record -o longer.recipe ./long 80 # more than is told in the seconds that it gets
    script -qec "'$RECIPE' analyze --model hb --budget 10 longer.recipe" shown </dev/null >/dev/null 2>&1 || :
    grep -q 'executing the run again, for its events: [0-9]* %' shown || fail "nothing is shown: $(cat shown)"
fi

# --- the bound, as bench/budget.sh has it ---
bash "$RECIPE_SOURCE_DIR/bench/budget.sh" --budgets 4 "$programs/dekker.c" "./long 12" >out 2>err || fail "the bound: $(cat out err)"
says out '| dekker.c | 4 |' '| long | 4 |' holds
