#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The events of recorded runs: they are executions, races are found in them, and none where there is none.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs
ulimit -v unlimited

build() { # build SOURCE: makes ./program
    local compiler=cc flags=()
    [[ $1 != *.cpp ]] || { compiler=c++ flags=(-std=c++20); }
    "$RECIPE" $compiler -O1 -g -w "${flags[@]}" -I"${1%/*}" "$1" -o program -pthread -lm
}

# recorded SOURCE SCHEDULE…: the events of ./program are well-formed; the directory is ./run
recorded() {
    local source=$1 refused
    refused=$(sed -n 's|^/\* refused: ||p' "$source")
    shift
    rm -rf run
    timeout 60 "$RECIPE" record -o run "$@" ./program >out 2>err </dev/null || fail "$source: $*: $(cat out err)"
    run 0 trace check run
    says out "run: well-formed"
}

# programs that say what is to be found in them
take_part 3 "programs with races and without" "$programs"/events/*
for source in "${part[@]}"; do
    build "$source"
    for schedule in rr "random --seed 3 --quantum 7" "pct --seed 4 --length 500"; do
        # shellcheck disable=SC2086
        recorded "$source" --schedule=$schedule
        wanted=$(sed -n 's|^/[*/] race: \([a-z]*\).*|\1|p' "$source")
        if [ -z "$wanted" ]; then
            run 0 analyze run
            says out " 0 races, 0 unproven, 0 undecided"
        else
            run 1 analyze run
            grep -qE "^Race ([0-9]+|\(pair .*\)) on $wanted|^  $wanted " out || fail "$source: no race on $wanted: $(cat out)"
        fi
    done
done

# programs that do right by what they share
take_part 3 "programs that do right" primitives/{barrier,c11,cond,handlers,join,keys,mutex,mutex_misuse,mutex_robust,once,rwlock,semaphore}.c \
    primitives/{cxx_once,cxx_pool}.cpp system/{cancel_blocked,mmap,pipes,signal_threads,sockets,timer_thread}.c \
    system/exceptions.cpp reexecute/locks.c
for name in "${part[@]}"; do
    build "$programs/$name"
    recorded "$programs/$name" --schedule=rr
    run 0 analyze --model hb,shb run
    says out " 0 races, 0 unproven, 0 undecided"
done

# who wants events first makes them, and says so where it is asked to
build "$programs/events/counter.c"
for command in "trace dump" "trace stat" "trace check" "trace export" analyze; do
    "$RECIPE" record -o run.again ./program >out 2>err
    code=0
    [ "$command" != analyze ] || code=1
    # shellcheck disable=SC2086
    run $code $command -v run.again
    says err "run.again: the run is executed again for its events" "events of shared memory and synchronisation"
    # shellcheck disable=SC2086
    run $code $command -v run.again
    sed -i '/^recipe: done for the run, /d; /^recipe: hb leaves /d' err # what 'analyze -v' says beside it
    silent err
    absent run.again/events.part
    rm -rf run.again
done
"$RECIPE" record -o run.again ./program >out 2>err
run 0 trace dump run.again
says out "counter.c:" " in work" "var counter 0x" "mutex lock @0x" "fact policy rr" "thread T1 \"0.1\"" " fork T1 @ "

# a run that can't be executed again has no events, whole or half; what a crash left of them is removed
rm run.again/events.rcp
mkdir run.again/events.part
: >run.again/events.part/events.rcp
cp run.again/log log
head -c 4300 log >run.again/log
run 3 trace check run.again
says err "run.again: the events of the recorded run can't be made"
absent run.again/events.rcp
absent run.again/events.part
cp log run.again/log
run 0 trace check run.again
