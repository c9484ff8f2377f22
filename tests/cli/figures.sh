#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The papers' figures: what hb and shb flag, proven or not, is what each file's '# expect hb:' and '# expect shb:' lines say;
# what wdp reports after vindication are the predictable races, all of them and no others.
. "$(dirname "$0")/lib.bash"

n=0
for file in "$RECIPE_SOURCE_DIR"/tests/golden/figures/*.txt; do
    name=$(basename "$file" .txt)
    run 0 trace import -o "$name" "$file"
    run 0 trace check "$name"
    for model in hb shb; do
        expected=$(sed -n "s/^# expect $model: *//p" "$file" | tr ',' ' ' | tr -s ' ' '\n' | sort -u | xargs)
        [ -n "$expected" ] || fail "$name: nothing is expected of $model"
        [ "$expected" != none ] || expected=
        rm -f "$name"/results.db*
        code=0
        "$RECIPE" analyze --model $model "$name" >out 2>err || code=$?
        [ "$code" -le 1 ] || fail "$name: exit code $code: $(cat err)"
        "$RECIPE" report --format json "$name" >json || true
        got=$(sed -n 's/.*"variable": "\([^"+]*\).*/\1/p' json | sort -u | xargs)
        [ "$got" = "$expected" ] || fail "$name: $model flags pairs on '$got', not on '$expected'"
    done
    expected=$(sed -n "s/^# expect predictable: *//p" "$file" | tr ',' ' ' | tr -s ' ' '\n' | sort -u | xargs)
    rm -f "$name"/results.db*
    code=1
    [ "$expected" != none ] || { code=0; expected=; }
    run $code analyze --strict --model wdp "$name"
    got=$(sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' out | sort -u | xargs)
    [ "$got" = "$expected" ] || fail "$name: wdp reports '$got', predictable are '$expected'"
    n=$((n + 1))
done
[ "$n" -ge 20 ] || fail "only $n figures were found"
