#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Waiting in a loop is seen (runtime/rounds.h): who waits gives way, and the trace of a program that waits so has about as many
# events as with a condition variable. Of correct programs nothing is reported, of their twins the race is, and a replay shows it.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/spins
few=(--budget 100 --set explore-runs=2) # counts decide, not the time

# events DIR: of the trace.
events() {
    run 0 trace stat "$1"
    awk 'NR == 2 { print $2 }' out
}

# looks NAME RACES FLAGS…: as it is, its twin, and with a condition. RACES: what is reported as it is ('' for nothing).
looks() {
    local name=$1 expected=$2 flags=("${@:3}") file=${1%%+*} code=0 waits loops
    "$RECIPE" cc -g -O1 -pthread "${flags[@]}" "$programs/$file.c" -o "$name"
    "$RECIPE" cc -g -O1 -pthread "${flags[@]}" -DTWIN "$programs/$file.c" -o "$name-twin"
    "$RECIPE" cc -g -O1 -pthread "${flags[@]}" -DCOND "$programs/$file.c" -o "$name-cond"
    timeout 300 "$RECIPE" run "${few[@]}" --report - -o "$name.recipe" "./$name" >said 2>&1 || code=$?
    if [ -z "$expected" ]; then
        [ $code -eq 0 ] || fail "$name: exit code $code: $(cat said)"
    else
        [ $code -eq 1 ] || fail "$name: exit code $code: $(cat said)"
        ! pairs said | grep -v " on $expected" || fail "$name: more than the race on $expected: $(cat said)"
    fi
    code=0
    timeout 300 "$RECIPE" run "${few[@]}" --report - -o "$name-twin.recipe" "./$name-twin" >said 2>&1 || code=$?
    [ $code -eq 1 ] || fail "$name, its twin: exit code $code: $(cat said)"
    grep -q '^Race .* on \(data\|counter\|ring\).*confirmed' said || fail "$name, its twin: its race is not confirmed: $(cat said)"
    run 0 record -o "$name-cond.recipe" "./$name-cond"
    run 0 trace reexecute "$name-cond.recipe"
    loops=$(events "$name.recipe") waits=$(events "$name-cond.recipe")
    echo "$name: $loops events, $waits with a condition"
    [ "$loops" -le $((10 * waits)) ] || fail "$name: $loops events, and $waits with a condition"
    # where everybody is always interrupted, a lock is waited for
    run 0 record --quantum 20 -o short.recipe "./$name"
    run 0 record --quantum 20 -o short-cond.recipe "./$name-cond"
    loops=$(events short.recipe) waits=$(events short-cond.recipe)
    [ "$loops" -le $((10 * waits)) ] || fail "$name: $loops events in short turns, and $waits with a condition"
    rm -rf ./*.recipe
}

take_part 3 "programs that wait in a loop" \
    "flag " "flag+2 " "flag+3 " "flag+plain flag" "flag+volatile flag" "dekker " "peterson " "ticket " "queue " "swap " "swap+cas " "ring "
for item in "${part[@]}"; do
    read -r name expected <<<"$item"
    case $name in
    flag+[23]) looks "$name" '' -DWAITERS="${name#flag+}" ;;
    flag+plain) looks "$name" "$expected" -DWORD=int -DWAITERS=2 ;;
    flag+volatile) looks "$name" "$expected" '-DWORD=volatile int' -DWAITERS=2 ;;
    swap+cas) looks "$name" '' -DCAS ;;
    *) looks "$name" "$expected" ;;
    esac
done

# Instructions, calls and sleeps that give way.
for how in '' ASSEMBLY FEW YIELD SLEEP; do
    "$RECIPE" cc -g -O1 -pthread ${how:+-D$how} "$programs/pause.c" -o pause
    "$RECIPE" cc -g -O1 -pthread ${how:+-D$how} -DTWIN "$programs/pause.c" -o pause-twin
    run 0 run "${few[@]}" --report - -o pause.recipe ./pause
    [ "$(events pause.recipe)" -le 100 ] || fail "pause, $how: $(events pause.recipe) events"
    run 1 run "${few[@]}" --report - -o pause-twin.recipe ./pause-twin
    grep -q '^Race .* on data.*confirmed' out || fail "pause, $how: its twin's race is not confirmed: $(cat out)"
    rm -rf pause.recipe pause-twin.recipe
done

# What nobody who could run writes: a few rounds for each tenth of a second, and it ends.
gcc -c "$programs/apart.c" -o apart.o
"$RECIPE" cc -g -O1 -pthread "$programs/outside.c" apart.o -o outside
for how in signal sleep apart; do
    run 0 record -o outside.recipe ./outside $how
    run 0 trace dump --log outside.recipe
    n=$(sed -n '2s/.* events \([0-9]*\)$/\1/p' out)
    [ "$n" -gt 0 ] && [ "$n" -lt 10000 ] || fail "$how: $n events of the program"
    run 0 trace reexecute outside.recipe
    rm -rf outside.recipe
done

# A variant in which threads wait for each other ends there, and not after so many events.
"$RECIPE" cc -g -O1 -pthread "$RECIPE_SOURCE_DIR/tests/programs/ends/dekker.c" -o dekker
run 0 record -o dekker.recipe ./dekker
run 0 analyze --model recipe --set explore-runs=40 dekker.recipe
! grep -E 'explore-(first-)?events=' out || fail 'a variant that waits goes on for nothing'
rm -rf dekker.recipe

# The same seed gives the same log, and so does whoever follows its schedule, in which nobody gives way by itself.
"$RECIPE" cc -g -O1 -pthread "$programs/ticket.c" -o ticket
for policy in rr random pct; do
    run 0 record --schedule=$policy --seed 3 --quantum 20 -o one ./ticket
    run 0 record --schedule=$policy --seed 3 --quantum 20 -o two ./ticket
    same_log one two || fail "$policy: the same seed, and another log"
    run 0 trace reexecute one
    run 0 record --schedule=file:one -o again ./ticket
    same_log one again || fail "$policy: its schedule is not followed"
    rm -rf one two again
done
