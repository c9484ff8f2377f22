#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# analyze --jobs: the report is the same, however many processes there are. An analysis that is killed loses nothing: the
# next one takes over what it had decided, and its report is the same again.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
"$RECIPE" cc -O0 -g -pthread "$RECIPE_SOURCE_DIR"/tests/programs/events/handed.c -o handed
build_counter
"${RECIPE%/*}"/tests/make_program 3 >program.c
"$RECIPE" cc -O0 -g -w program.c -o made -pthread -lm
steps=$(few 20000 6000 "steps of the solver")
take_part 2 programs ./handed "./counter 20"
programs=("${part[@]}" ./made)
take_part 2 "numbers of processes" 2 5
numbers=("${part[@]}")
for program in "${programs[@]}"; do
    rm -rf trace
    # shellcheck disable=SC2086
    "$RECIPE" record -o trace --quantum 6 $program >out 2>err || fail "$program: recording failed: $(cat err)"
    for jobs in 1 "${numbers[@]}"; do
        rm -f trace/results.db
        code=0
        "$RECIPE" analyze --jobs $jobs --step-limit "$steps" trace >"report.$jobs" 2>err || code=$?
        [ $code -le 1 ] || fail "$program --jobs $jobs: exit code $code: $(cat err)"
        "$RECIPE" report --format json trace | grep -v '"seconds"' >"json.$jobs" || true
    done
    for jobs in "${numbers[@]}"; do
        cmp report.1 "report.$jobs" && cmp json.1 "json.$jobs" || fail "$program: the report depends on --jobs"
    done
done

# Killed once the first result is there, wherever it is by then.
rm -f trace/results.db
"$RECIPE" analyze --jobs 2 --step-limit "$steps" trace >out 2>err &
running=$!
while kill -0 $running 2>/dev/null; do
    "$RECIPE" report trace >out 2>err || true
    ! grep -q "^Race " out || break
done
kill -9 $running 2>/dev/null || true
wait $running || true
code=0
"$RECIPE" analyze --jobs 2 --step-limit "$steps" --stats trace >report.again 2>err || code=$?
[ $code -eq 1 ] || fail "after it was killed: exit code $code: $(cat err)"
cmp report.1 report.again || fail "after it was killed the report is another"
run 2 analyze --jobs 0 trace
run 2 analyze --jobs many trace

# Ctrl-C while 'recipe run' analyzes: what was found until then is printed, and the directory can be gone on with.
rm -rf trace
setsid env --default-signal=INT "$RECIPE" run --report - -o trace --quantum 6 --jobs 2 ./made >out 2>err &
running=$!
while kill -0 $running 2>/dev/null; do
    "$RECIPE" report trace >seen 2>/dev/null || true
    ! grep -q "^Race " seen || break
done
kill -INT -- -$running || fail "it had ended before it could be interrupted"
wait $running || true
grep -q "^Unconfirmed .*(not-tried" out || fail "interrupted, it does not print what was found: $(cat err)"
grep -q "interrupted; 'recipe analyze trace'" err || fail "interrupted, it does not say how to go on: $(cat err)"
code=0
"$RECIPE" analyze --jobs 2 --step-limit "$steps" trace >report.again 2>err || code=$?
[ $code -eq 1 ] || fail "after Ctrl-C: exit code $code: $(cat err)"
