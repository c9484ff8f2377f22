#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Values that are made of a thousand reads, and reads that one instruction makes by the ten thousand: whatever becomes of them,
# a race that they do not decide about is found, by the recorded run alone (recipe-s). Where they get no terms (the limits
# symbolic-plenty, -depth, -reads and -terms), they are unknown, and pin nothing before they decide something.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
sum=$RECIPE_SOURCE_DIR/tests/programs/deep/sum.c trap=$RECIPE_SOURCE_DIR/tests/traps/deep_sum.c

# recorded NAME SOURCE FLAGS…
recorded() {
    local name=$1 source=$2
    shift 2
    "$RECIPE" cc -O1 -g "$@" "$source" -o "$name" -pthread || fail "$name is not compiled"
    "$RECIPE" record -o "$name.recipe" "./$name" >out 2>err || fail "$name: $(cat err)"
}
# finds RACES NAME OPTIONS…: with recipe-s, by the events that the options make
finds() {
    local expected=$1 name=$2 code=0
    shift 2
    rm -rf trace && cp -r "$name.recipe" trace
    "$RECIPE" analyze --jobs 1 --model recipe-s "$@" trace >said 2>err || code=$?
    [ $code = "$expected" ] || fail "$name $*: exit code $code instead of $expected: $(cat said err)"
    [ "$code" = 0 ] || says said " on plain,"
}

recorded unused "$sum"
recorded many "$sum" -DMANY
recorded trap "$trap"
recorded twin "$trap" -DTWIN
finds 1 unused
finds 1 many
finds 0 trap
finds 1 twin
low=(--set symbolic-plenty=0)
for limit in "symbolic-depth=50" "symbolic-reads=10" "symbolic-terms=1" "symbolic-terms=100"; do
    finds 1 unused "${low[@]}" --set $limit
    says said "--set ${limit%=*}=N"
    finds 0 trap "${low[@]}" --set $limit
    # here the sum decides, and is what it was
    finds 0 twin "${low[@]}" --set $limit
    says said "--set ${limit%=*}=N"
done
echo "four programs, and the sum of one without its terms"
