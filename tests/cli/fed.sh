#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A replay is fed or real, never both, and what it is fed some run could have been told in this schedule.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/fed
ulimit -v unlimited

build() { # NAME LEVEL
    "$RECIPE" cc -g "$2" "$programs/$1.c" -o "$1" -pthread
}

# All races of ./trace are confirmed, and in neither order does the program find a contradiction.
replays_agree() { # WHAT
    local races i
    run 1 report trace
    says out " confirmed)"
    ! grep -q 'not replayed' out || fail "$1: $(cat out)"
    races=$(pairs out | wc -l)
    for ((i = 1; i <= races; i++)); do
        run 0 replay --show-output trace $i
        ! grep '^bad' out || fail "$1, race $i: a replay contradicts itself"
        [ "$(grep -c '^ended' out)" -eq 2 ] || fail "$1, race $i: $(cat out)"
        [ -z "${2:-}" ] || [ "$(grep "^$2" out | sort -u | wc -l)" -eq 1 ] || fail "$1, race $i: $2 is another: $(cat out)"
    done
}

# Time, random numbers, files.
n=0
for schedule in rr:5 random:5 rr:25 random:25; do
    levels=(-O0 -O1 -O2)
    build clauses ${levels[n++ % 3]}
    rm -rf trace
    run 1 run --limit 30 --schedule "${schedule%:*}" --quantum "${schedule#*:}" --seed 1 -o trace ./clauses
    ! grep '^bad' out || fail "the recording contradicts itself"
    replays_agree "clauses, $schedule" random
    grep -q "$("$RECIPE" replay --show-output trace 1 | grep -m 1 '^random')" out || fail "random numbers are not the recorded ones"
done

# A child's clock is the system's, and so is its parent's.
build child -O1
rm -rf trace
run 1 run -o trace ./child
sleep 2 # time passes between recording and replay
replays_agree child

# Input that was there before anything was printed is no answer to it.
build input -O1
rm -rf trace
echo word >words
code=0
cat words - <words | "$RECIPE" run --report - -o trace ./input >out 2>err || code=$?
[ $code -eq 1 ] || fail "exit code $code: $(cat err)"
says out " confirmed)"
# Input by somebody who waits for what is printed may be one, through pipes or a file that others look into: telling knows.
answer_to() { # FILE
    until grep -q ready "$1"; do :; done
    echo answer
}
rm -rf trace
mkfifo to from ring
>printed
answer_to printed >to &
"$RECIPE" run -o trace ./input <to >printed 2>err || true
wait $!
"$RECIPE" report trace >out || true
says out "0 races, 0 unproven" "calls outside are taken to be ordered"
rm -rf trace
{ read -r word && [ "$word" = ready ] && echo answer; } >to <from &
"$RECIPE" run -o trace ./input <to >from 2>err || true
wait $!
"$RECIPE" report trace >out || true
says out "0 races, 0 unproven" "calls outside are taken to be ordered"
rm -rf trace
"$RECIPE" run -o trace ./input <>ring >&0 2>err || true
"$RECIPE" report trace >out || true
says out "0 races, 0 unproven" "calls outside are taken to be ordered"

# A deadlock ends a replay.
build deadlock -O0
rm -rf trace
run 1 run -o trace ./deadlock
run 0 replay -v --limit 60 trace 1
says out "the program deadlocks"
awk '/the program ran for/ { exit !($6 < 10) }' err || fail "a deadlock is waited for: $(cat err)"
