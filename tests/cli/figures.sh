#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The papers' figures: what hb and shb flag, proven or not, is what each file's '# expect hb:' and '# expect shb:' lines say;
# what wdp reports after vindication are the predictable races, all of them and no others; what mc and recipe-s prove is
# what its 'same-value' and 'relaxed' lines say.
. "$(dirname "$0")/lib.bash"

n=0
predicted=0
# compare NAME MODEL EXPECTED: the variables of all pairs that the model gives out
compare() {
    local code=0 got expected=$3
    [ "$expected" != none ] || expected=
    rm -f "$1"/results.db*
    "$RECIPE" analyze --model "$2" "$1" >out 2>err || code=$?
    [ "$code" -le 1 ] || fail "$1: exit code $code: $(cat err)"
    "$RECIPE" report --format json "$1" >json || true
    got=$(jq -r '(.races + .unconfirmed + .unproven)[].variable | sub("[+].*"; "")' json | sort -u | xargs)
    [ "$got" = "$expected" ] || fail "$1: $2 gives out pairs on '$got', not on '$expected'"
}

for file in "$RECIPE_SOURCE_DIR"/tests/golden/figures/*.txt; do
    name=$(basename "$file" .txt)
    run 0 trace import -o "$name" "$file"
    run 0 trace check "$name"
    expects() { sed -n "s/^# expect $1: *//p" "$file" | tr ',' ' ' | tr -s ' ' '\n' | sort -u | xargs; }
    for model in hb shb; do
        [ -n "$(expects $model)" ] || fail "$name: nothing is expected of $model"
        compare "$name" $model "$(expects $model)"
    done
    expected=$(expects predictable)
    rm -f "$name"/results.db*
    code=1
    [ "$expected" != none ] || { code=0; expected=; }
    run $code analyze --strict --model wdp "$name"
    got=$(pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u | xargs)
    [ "$got" = "$expected" ] || fail "$name: wdp reports '$got', predictable are '$expected'"
    if [ -n "$(expects same-value)" ]; then
        compare "$name" mc "$(expects same-value)"
        compare "$name" recipe-s "$(expects relaxed)"
        predicted=$((predicted + 1))
    fi
    n=$((n + 1))
done
[ "$n" -ge 20 ] || fail "only $n figures were found"
[ "$predicted" -ge 20 ] || fail "only $predicted figures say what same-value and relaxed races they have"
