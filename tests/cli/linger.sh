#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nobody is left out at the end: threads that could run when the process is about to end do so before (runtime/linger.h).
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
programs=$RECIPE_SOURCE_DIR/tests/programs/linger
"$RECIPE" cc -g -O1 -pthread "$programs/ends.c" -o ends

# HOW CODE RACE: it ends with CODE, and RACE says whether the race is found.
ends() {
    local how=$1 code=0
    timeout 200 "$RECIPE" record -o "$how.recipe" ./ends "$how" >out 2>err || code=$?
    [ $code -eq "$2" ] || fail "$how: exit code $code, not $2: $(cat err)"
    run 0 trace reexecute "$how.recipe"
    timeout 200 "$RECIPE" run --report - --budget 30 -o "$how.run" ./ends "$how" >out 2>err || code=$?
    [ "$(pairs out | grep -c ' on data, .*confirmed')" -eq "$3" ] || fail "$how: not $3 races: $(cat out err)"
}
ends return 3 1
ends exit 3 1
ends _exit 3 1
ends quick_exit 3 1
ends number 3 1 # a call by its number might be any, and orders: a steered run shows the race
ends handler 5 1
ends detached 3 1
ends other 4 1 # by a thread that is not the main one
ends late 3 1  # a thread that an exit handler makes
ends exits 7 1 # whoever ends the process meanwhile ends it so
ends aborts 134 1
ends spins 3 1
ends asleep 3 0 # nobody is waited for
ends naps 3 1   # but who wakes up soon
ends locked 3 0

# As many events as the limit says.
events() { # HOW SETTING…
    run 1 run --budget 20 --model hb "${@:2}" -o events.recipe ./ends "$1"
    run 0 trace stat events.recipe
    sed -n 's/^events  *\([0-9]*\)$/\1/p' out
    rm -rf events.recipe
}
few=$(events spins --set last-events=500)
many=$(events spins --set last-events=5000)
[ "$few" -lt 1000 ] && [ "$many" -gt 2000 ] || fail "it had $few events, and $many"
run 0 run --report - --budget 20 --set last-events=0 -o none.recipe ./ends return
says out 'never ran'

run 0 run --report - --budget 20 --set last-sleep=0 --set steer-share=0 -o unwaited.recipe ./ends naps

# While main's variables and what has static storage are there.
"$RECIPE" c++ -g -O1 -pthread "$programs/frame.cc" -o frame
run 1 run --budget 30 -o frame.recipe ./frame # where threads are late: the text is freed while it is read
says out '42 a'
grep -q '^  free .*deallocate' err || fail "no race with the end of the text: $(cat err)"
[ "$(pairs err | wc -l)" -eq 1 ] || fail "races in a frame: $(cat err)"

# A main that is not recorded: threads run after its return, and before the first exit handler. With long turns, so that
# they have not run before.
"${CC:-cc}" -O1 -c "$programs/outside_main.c" -o outside_main.o
"$RECIPE" cc -g -O1 -pthread outside_main.o "$programs/outside_work.c" -o outside
for how in joinable detached; do
    code=0
    timeout 200 "$RECIPE" record --quantum 1000000 -o "outside.$how" ./outside $how >out 2>err || code=$?
    [ $code -eq 3 ] || fail "a main outside, $how: exit code $code: $(cat err)"
    [ "$(tr '\n' ' ' <out)" = "thread handler " ] || fail "a main outside, $how: $(cat out)"
    run 0 trace reexecute "outside.$how"
    run 1 run --report - --quantum 1000000 --budget 30 -o "outside.$how.run" ./outside $how
    [ "$(pairs out | grep -c ' on data, .*confirmed')" -eq 1 ] || fail "a main outside, $how: not one race: $(cat out err)"
done
code=0
./outside >out || code=$? # unrecorded
[ $code -eq 3 ] || fail "a main outside, unrecorded: exit code $code"
