#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Code that is not recorded (tests/programs/opaque): every model proves races on exactly the variables that a program's 'expect:'
# names, with simple barriers on those of 'simple:', where it has one.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

models="hb shb wcp dc sdp wdp mc rv recipe-s"

# compare NAME BARRIERS EXPECTED
compare() {
    local got expected=$3 model
    [ "$expected" != none ] || expected=
    for model in $models; do
        rm -f "$1.recipe"/results.db*
        "$RECIPE" analyze --barriers "$2" --model "$model" "$1.recipe" >out 2>err || [ $? -eq 1 ] || fail "$1: $model: $(cat err)"
        got=$(sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' out | sort -u | xargs)
        [ "$got" = "$expected" ] || fail "$1: $model with $2 finds '$got', not '$expected': $(cat out)"
    done
}

n=0
for file in "$RECIPE_SOURCE_DIR"/tests/programs/opaque/*.c; do
    name=$(basename "$file" .c)
    options=$(sed -n 's/.*options: \([^*]*\).*/\1/p' "$file")
    "$RECIPE" cc -g -O1 -pthread --exclude='m_*' -I"$RECIPE_SOURCE_DIR/include" $options "$file" -o "$name" || fail "$name does not compile"
    timeout 60 "$RECIPE" record -o "$name.recipe" "./$name" >out 2>err || fail "$name: recording failed: $(cat err)"
    expects() { sed -n "s/^ \* $1: *\([^*]*\).*/\1/p" "$file" | xargs; }
    compare "$name" pairs "$(expects expect)"
    [ -z "$(expects simple)" ] || compare "$name" simple "$(expects simple)"
    n=$((n + 1))
done
[ "$n" -ge 7 ] || fail "only $n programs were found"
