#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One replay shows as many races as can meet on its way, and of those only what it sees.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

programs=$RECIPE_SOURCE_DIR/tests/programs/replay
compile() { # SOURCE NAME FLAGS…
    local source=$1 name=$2
    shift 2
    "$RECIPE" cc -g "$@" "$programs/$source" -o "$name" -pthread || fail "$source is not compiled"
}

# --- twelve races, two runs of the program: one replay, with either access first ---
for level in -O0 -O1 -O2; do
    compile many.c many $level
    for schedule in rr random; do
        rm -rf trace
        run 1 run --report - -v --model hb --schedule $schedule --seed 3 --quantum 5 -o trace ./many
        says out '12 races (12 confirmed)'
        says err 'replays: 2 runs of the program'
        [ "$(grep -c 'on the way of the replay of another race' <(tr -s ' \n' ' ' <out | sed 's/Race /\n&/g'))" -eq 11 ] ||
            fail "what was seen on the way does not say so: $(cat out)"
    done
done
# each by itself, where none is to be shown on the way of another
rm -rf trace
run 1 run --report - -v --model hb --set replay-others=0 -o trace ./many
says out '12 races (12 confirmed)'
says err 'replays: 24 runs of the program'
# what is seen later is seen as well: with all of them not tried
run 0 replay trace 5
says out confirmed

# --- and where there is time for none, the one replay that is made shows all of them ---
compile many.c many -O1
rm -rf trace
run 1 run --report - --model hb --budget 4 --set replay-share=1 -o trace ./many 60
says out '12 races (12 confirmed)'

# --- a race on the way is confirmed only where both do what was predicted: the program is recorded with one input and
# replayed with another, where the threads come to the same places and do something else there ---
changed() { # RECORDED REPLAYED
    compile by_mode.c program -O1 -DBESIDE
    rm -rf trace
    echo "$1" >mode
    run 0 record -o trace ./program
    run 1 analyze --model hb,recipe-s trace
    says out '2 races'
    echo "$2" >mode
    run 1 replay trace all
    says out '1 race (1 confirmed)' 'on late' not-replayed
    # with what it was recorded with it is there, on the way of the other one
    rm -rf trace
    echo "$1" >mode
    run 1 run --report - -v --model hb,recipe-s -o trace ./program
    says out '2 races (2 confirmed)' 'the way of the replay of another race'
    says err 'replays: 2 runs of the program'
}
changed p a # plain, then atomic
changed s f # a compare-and-swap that succeeds, then one that fails and only reads
changed w n # 16 bytes, then the first 8 of them
