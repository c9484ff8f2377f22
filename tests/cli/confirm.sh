#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A replay confirms only what it sees: a race is recorded with one input and replayed with another, where the threads come
# to the same places and do something else there. (tests/traps has the programs that need no such change.)
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# changed LEVEL RECORDED REPLAYED WORDS…: the race that RECORDED gives is confirmed with it, and not with REPLAYED.
changed() {
    local level=$1 recorded=$2 replayed=$3
    shift 3
    "$RECIPE" cc -g "$level" "$RECIPE_SOURCE_DIR/tests/programs/replay/by_mode.c" -o program -pthread
    rm -rf trace
    echo "$recorded" >mode
    run 1 run --report - --model recipe-s --budget 20 -o trace ./program
    says out "1 race (1 confirmed)"
    echo "$replayed" >mode
    run 1 replay trace 1
    tr -s ' \n' ' ' <out >flat
    says flat "not-replayed" "mode has changed since it was recorded" "$@"
    echo "$recorded" >mode
    run 0 replay trace 1
}

for level in -O0 -O1; do
    # plain, then atomic
    changed $level p a "about to do something else"
    # a compare-and-swap that succeeds, then one that fails and only reads
    changed $level s f "neither of the two would write"
    # 16 bytes, then the first 8 of them
    changed $level w n "the two accesses are to different memory"
    # a call with other arguments; another call
    changed $level h e "the call there is another one, or touches other memory in this run"
    changed $level h o "the call there is another one, or touches other memory in this run"
done
