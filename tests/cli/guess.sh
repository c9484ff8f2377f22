#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guesses (analysis/guesses.h): schedules that only an assumption rules out are carried out on the program, and the run is the
# proof. A library that is not recorded really orders the first of each two programs: nothing is reported of it.
. "$(dirname "$0")/lib.bash"
exec </dev/null
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/guess
gcc -O1 -fPIC -shared -pthread "$programs/beside.c" -o libbeside.so

# Runs are led, none is steered: whatever is shown is a guess's.
bold() { # CODE NAME FLAGS…
    local code=$1 name=$2
    "$RECIPE" cc -g -O1 -pthread "${@:3}" "$programs/${name%+}.c" -o "$name" -L. -lbeside -Wl,-rpath,"$PWD"
    run "$code" run --budget 100 --set steer-runs=0 -v --report - -o "$name.recipe" "./$name"
}

# Another value may flow into a call that is known. Nothing is learnt: the run ends where it was not led.
bold 0 given
! grep -q ' 0 runs were led' err || fail "given: no run was led: $(cat err)"
bold 1 given+ -DTWIN
says out 'bold)' 'in a run that was led along a schedule'

for name in pool once released taken plugin; do
    bold 0 $name
    says err 'runs were led along guesses' ', 0 races'
    ! grep -q ' 0 runs were led' err || fail "$name: no run was led: $(cat err)"
    # Of references it is not known who is the last: nobody waits there, and nothing is freed where the other one stands.
    [ $name = released ] || ! grep -q '(0 things learnt)' err || fail "$name: nothing was learnt: $(cat err)"
    bold 1 $name+ -DTWIN
    says out 'bold)' 'in a run that was led along a schedule'
    ! grep -v '^Race .*confirmed' <(pairs out) || fail "$name: not all is confirmed"
done

# All three pairs of a count: a read and a write of each thread.
[ "$(pairs out | grep -c 'lines')" -ge 1 ] || fail "plugin: the count: $(cat out)"

# What it cost.
run 1 report --format json plugin+.recipe
grep -q '"guesses": [0-9]*, "steered_runs": 0, "led_runs": [1-9][0-9]*, "guesses_refuted": 0, "learnt": [0-9]*, "bold_races": [1-9][0-9]*, "bold_seconds": [0-9]*, "replays": 0, "replay_seconds": ' out ||
    fail "what it cost is not in the report: $(cat out)"
id=$(pairs <("$RECIPE" report plugin+.recipe) | sed -n 's/^Race \([0-9]*\) .*bold).*/\1/p' | head -n 1)
run 0 replay plugin+.recipe "$id"

# A handler that comes after all of it is in nobody's way.
"$RECIPE" cc -g -O1 -pthread -DTWIN "$programs/plugin.c" "$programs/ends.c" -o ends -L. -lbeside -Wl,-rpath,"$PWD"
run 1 run --budget 100 --set steer-runs=0 -v --report - -o ends.recipe ./ends
says out 'bold)' 'in a run that was led along a schedule'

# Without guesses none is led.
run 0 run --budget 100 --set steer-runs=0 --set guess-share=0 -v -o none.recipe ./plugin+
says err ' 0 runs were led along guesses'

# What can't be even without assumptions costs no run.
"$RECIPE" cc -g -O1 -pthread "$programs/published.c" -o published -L. -lbeside -Wl,-rpath,"$PWD"
run 0 run --budget 100 --quantum 20 --format json --report - -o published.recipe ./published
grep -q '"guesses": 0, "steered_runs": 0, "led_runs": 0, "guesses_refuted": [1-9]' out || fail "runs for what can't be: $(cat out)"
