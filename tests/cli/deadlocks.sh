#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A deadlock of the recorded run is a result: the program is ended, who waits for what is said, the rest is analysed, and
# the exit code is 1. And nobody is ended who could go on.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/deadlock
for name in kinds none cycles; do
    "$RECIPE" cc -g -O1 -pthread "$programs/$name.c" -o $name || fail "$name.c is not compiled"
done

# deadlocks KIND WAITS-FOR CALL: some thread waits so, at a line of kinds.c; the race that came before is confirmed, if it
# has threads.
deadlocks() {
    local code=0
    rm -rf d
    timeout 100 "$RECIPE" run --budget 20 --format json --report json -o d ./kinds "$1" >out 2>err || code=$?
    [ $code -eq 1 ] || fail "$1: exit code $code: $(cat err)"
    silent out
    says err "deadlock: every thread waits for another; the program is ended" "./kinds deadlocked, and was ended"
    jq -e --arg w "$2" --arg c "$3" --arg k "$1" '.deadlocks[0] | .status == "recorded" and .process == "" and
        all(.threads[]; .line > 0 and .function != "" and (.stack | length) > 0 and (.file | endswith("kinds.c"))) and
        any(.threads[]; .waits_for == $w and .call == $c)' json >/dev/null || fail "$1: $(jq .deadlocks json)"
    jq -e --arg k "$1" '[.races[] | select(.status == "confirmed" and .variable == "x")] | length > 0 or $k == "self"' json >/dev/null ||
        fail "$1: the race is not found: $(jq -c '[.races[], .unconfirmed[]] | map([.variable, .status, .replay])' json)"
    run 1 report d
    says out "Deadlock: when it was recorded" "1 deadlock" "kinds.c:"
    ! grep -q 'cut off' out || fail "$1: a deadlock is no recording that was cut off: $(cat out)"
    run 1 analyze --model hb d
    run 0 trace check d
    run 0 trace reexecute d
}
deadlocks abba mutex pthread_mutex_lock
jq -e '.deadlocks[0].threads | map([.thread_name, .waits_for, .variable, .held_by]) | sort ==
    [["0", "thread", "", "0.1"], ["0.1", "mutex", "b", "0.2"], ["0.2", "mutex", "a", "0.1"]]' json >/dev/null ||
    fail "abba: $(jq -c '.deadlocks' json)"
run 1 report d
says out "thread 0 waits for the end of thread 0.1" "thread 0.1 waits for mutex b (0x" "which thread 0.2 has" \
    "in pthread_mutex_lock, called from cross " "called from wait_now "
deadlocks self mutex pthread_mutex_lock
jq -e '.deadlocks[0].threads | map([.thread_name, .variable, .held_by]) == [["0", "a", "0"]]' json >/dev/null ||
    fail "self: $(jq -c '.deadlocks' json)"
deadlocks ended mutex pthread_mutex_lock
jq -e 'any(.deadlocks[0].threads[]; .held_by == "gone")' json >/dev/null || fail "ended: $(jq -c '.deadlocks' json)"
deadlocks join thread pthread_join
deadlocks semaphore semaphore sem_wait
deadlocks condition condition pthread_cond_wait
deadlocks barrier barrier pthread_barrier_wait
deadlocks rwlock rwlock pthread_rwlock_wrlock
deadlocks once once pthread_once
deadlocks stream stream flockfile
deadlocks futex word futex_wait

# --- record and analyze, one after the other; a schedule that was recorded leads there again ---
rm -rf d again
run 1 record -o d ./kinds abba
says err "deadlock: every thread waits" "thread 0.1 waits for the mutex at 0x" "which thread 0.2 has" "recorded in d"
run 1 analyze d
says out "1 deadlock" "Deadlock: when it was recorded"
run 1 record --schedule=file:d -o again ./kinds abba
same_log d again || fail "the same schedule ends otherwise"
for schedule in random pct; do
    rm -rf d
    run 1 record --schedule $schedule --seed 5 --quantum 2 -o d ./kinds abba
    run 1 analyze --model hb d
    says out "1 deadlock"
done

# --- another process of the run: it is ended, and whoever waits for it goes on ---
rm -rf d
run 1 run --budget 20 --format json --report json -o d ./kinds child
says err "./kinds exited with 41"
jq -e '.deadlocks | length == 1 and .[0].process == "process.1" and (.[0].threads | length) == 3' json >/dev/null ||
    fail "child: $(jq -c .deadlocks json)"

# --- nobody is ended who could go on ---
goes_on() { # KIND
    rm -rf d
    run 0 record -o d ./none "$1"
    says out "went on"
    ! grep -q 'deadlock:' err || fail "$1: it is said to deadlock: $(cat err)"
    case $1 in signal | alarm) says err "every thread waits for another, and only a signal could end that" ;; esac
    run 0 analyze --model hb d
}
for kind in signal alarm timer mutex shared word eventfd pipe child deadline; do
    goes_on $kind
done

# --- deadlocks that the recorded run did not have: predicted, and the program is led there ---
"$RECIPE" c++ -std=c++17 -g -O1 -pthread "$programs/cycles.cc" -o cycles_cc || fail "cycles.cc is not compiled"
# can KIND THREADS [PROGRAM]: one of so many threads, each of which waits for what another one of them has.
can() {
    local kind=$1 threads=$2
    rm -rf d
    run 1 run --budget 60 --format json --report json -o d ./"${3:-cycles}" "$kind"
    says out "went on" # the recorded run
    ! grep -q 'deadlock:' err || fail "$kind: it is said to have deadlocked: $(cat err)"
    jq -e --argjson n "$threads" '(.deadlocks | length == 1) and (.unconfirmed_deadlocks == []) and (.races == []) and
        (.deadlocks[0] | .status == "replayed" and .process == "" and (has("race") | not) and (.replay | length) > 0 and
         (.threads | length) == $n and (.threads | map(.thread_name) | unique | length) == $n and
         ([.threads[].held_by] | sort) == ([.threads[].thread_name] | sort) and
         all(.threads[]; .line > 0 and .function != "" and any(.stack[]; test("cycles\\.cc?:")) and .variable != "" and
             (.call | test("^(pthread|sem)_")) and .held_by != .thread_name))' json >/dev/null ||
        fail "$kind: $(jq -c '[.deadlocks, .unconfirmed_deadlocks, .races]' json)"
}
# cannot KIND [PROGRAM]: nothing is predicted, whether it is carried out or not.
cannot() {
    rm -rf d
    run 0 run --budget 60 --format json --report json -o d ./"${2:-cycles}" "$1"
    jq -e '.deadlocks == [] and .unconfirmed_deadlocks == []' json >/dev/null ||
        fail "$1: $(jq -c '[.deadlocks, .unconfirmed_deadlocks]' json)"
}
can two 2
run 1 report d
says out "Deadlock (replayed): these threads can come to wait" "1 deadlock" "thread 0.1 waits for mutex b (0x" \
    "which thread 0.2 has" "in pthread_mutex_lock, called from nest " "The program was led there, and waits for ever"
can three 3
can four 4
for kind in beside recursive rw-writers rw-mixed rw-and-mutex semaphores sem-and-mutex outside; do
    can $kind 2
done
for kind in by-value gated same-order released rw-readers rw-half deadline tried alone handed-over sem-order sem-plenty sem-given freed-by-another
    one-by-one; do
    cannot $kind
done
for kind in guards shared; do
    can $kind 2 cycles_cc
done
for kind in scoped lock ordered; do
    cannot $kind cycles_cc
done

# One that the recorded run came to is not predicted besides.
rm -rf d
run 1 run --budget 60 --format json --report json -o d ./cycles rounds
jq -e '(.deadlocks | length == 1) and .unconfirmed_deadlocks == []' json >/dev/null ||
    fail "rounds: $(jq -c '[.deadlocks, .unconfirmed_deadlocks]' json)"

# Without a replay it is predicted, and counts for nothing; with one that has no time, it was not tried.
rm -rf d
run 0 record -o d ./cycles two
run 0 analyze d
run 0 report --format json d
jq -e '.deadlocks == [] and (.unconfirmed_deadlocks | length == 1 and .[0].status == "predicted")' out >/dev/null ||
    fail "predicted: $(jq -c '[.deadlocks, .unconfirmed_deadlocks]' out)"
run 0 report d
says out "Unconfirmed deadlock (predicted): the checker accepted a schedule" "1 unconfirmed deadlock"
run 0 analyze --model hb d # which predicts none; what the others found stands
run 0 report d
says out "1 unconfirmed deadlock"

# A limit that leaves some out says so.
rm -rf d
run 0 record -o d ./cycles three
run 0 analyze --set deadlock-threads=2 d
run 0 report --format json d
jq -e '.unconfirmed_deadlocks == [] and any(.analysis.not_looked_at[]; .kind == "limit" and .names == ["deadlock-threads"])' out \
    >/dev/null || fail "deadlock-threads: $(jq -c .analysis.not_looked_at out)"
run 0 analyze --set deadlock-cycles=0 d
run 0 report --format json d
jq -e 'any(.analysis.not_looked_at[]; .kind == "limit" and .names == ["deadlock-cycles"])' out >/dev/null ||
    fail "deadlock-cycles: $(jq -c .analysis.not_looked_at out)"

# An imported trace has no program: each acquire waits.
cat >cycle.txt <<'END'
recipe trace 1
thread T1
thread T2
mutex a
mutex b
T1 acq a
T1 acq b
T1 rel b
T1 rel a
T2 acq b
T2 acq a
T2 rel a
T2 rel b
END
run 0 trace import cycle.txt
run 0 analyze cycle.recipe
run 0 report --format json cycle.recipe
jq -e '.unconfirmed_deadlocks | length == 1 and .[0].status == "predicted" and
    ([.[0].threads[].thread_name] | sort) == ["T1", "T2"]' out >/dev/null || fail "imported: $(jq -c .unconfirmed_deadlocks out)"
