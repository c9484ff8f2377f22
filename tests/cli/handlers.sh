#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Races of signals' handlers are carried out: the handler runs while its thread is blocked in each of these calls, and signals
# come from each of these senders; in a replay it begins where it began when recorded, wherever the signal finds the thread.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/handlers

# confirmed PROGRAM SCHEDULE QUANTUM VARIABLE FUNCTION ARGS…: all that is reported is about the variable, in that function, and confirmed.
confirmed() {
    local program=$1 schedule=$2 quantum=$3 variable=$4 function=$5 what
    shift 5
    what="$program $* with $schedule, $quantum"
    rm -rf trace
    timeout 300 "$RECIPE" run --format json --report report --budget 60 --schedule "$schedule" --quantum "$quantum" --seed 7 -o trace "./$program" "$@" \
        >said 2>err && fail "$what: no race is confirmed: $(tail -2 err)"
    jq -e --arg v "$variable" --arg f "$function" '(.races | length) > 0 and
        all((.races + .unconfirmed)[]; .status == "confirmed" and .variable == $v and any(.accesses[]; .function == $f))' report >/dev/null ||
        fail "$what: $(jq -c '[.races[], .unconfirmed[]] | map([.status, .variable, (.accesses | map(.function)), .replay])' report)"
}

for program in blocked arriving; do
    "$RECIPE" cc -g -O1 "$programs/$program.c" -o $program -pthread || fail "$program.c is not compiled"
done
calls=("read" "poll" "sem" "mutex" "cond" "futex" "sleep" "pause" "suspend" "read again" "sem again" "futex again")
take_part 3 "blocking calls" "${calls[@]}"
for call in "${part[@]}"; do
    read -ra args <<<"$call"
    confirmed blocked rr 25 data handler "${args[@]}"
    confirmed blocked random 5 data handler "${args[@]}"
done
for sender in kill queue raise timer alarm; do
    confirmed arriving rr 25 data handler $sender
    confirmed arriving random 5 data handler $sender
done
confirmed arriving rr 25 before worker early
confirmed arriving random 5 before worker early
