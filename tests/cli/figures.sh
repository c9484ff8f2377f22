# SPDX-License-Identifier: Apache-2.0
# The papers' figures: what hb reports, proven or not, is what each file's '# expect hb:' line says.
. "$(dirname "$0")/lib.bash"

n=0
for file in "$RECIPE_SOURCE_DIR"/tests/golden/figures/*.txt; do
    expected=$(sed -n 's/^# expect hb: *//p' "$file" | tr ',' ' ' | xargs -n1 2>/dev/null | sort -u | xargs)
    [ -n "$expected" ] || continue
    [ "$expected" != none ] || expected=
    name=$(basename "$file" .txt)
    run 0 trace import -o "$name" "$file"
    run 0 trace check "$name"
    code=0
    "$RECIPE" analyze --model hb "$name" >out 2>err || code=$?
    [ "$code" -le 1 ] || fail "$name: exit code $code: $(cat err)"
    "$RECIPE" report --format json "$name" >json || true
    got=$(sed -n 's/.*"variable": "\([^"+]*\).*/\1/p' json | sort -u | xargs)
    [ "$got" = "$expected" ] || fail "$name: hb reports races on '$got', not on '$expected'"
    n=$((n + 1))
done
[ "$n" -ge 10 ] || fail "only $n figures have an 'expect hb' line"
