#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --solver=z3 finds in the papers' figures what they say; --save-smt2 leaves the queries, those of seed 003's figures as
# in tests/golden/smt2; --candidates says of each pair that another tool warned of what has become of it.
. "$(dirname "$0")/lib.bash"

n=0
for file in "$RECIPE_SOURCE_DIR"/tests/golden/figures/*.txt; do
    name=$(basename "$file" .txt)
    expects() { sed -n "s/^# expect $1: *//p" "$file" | tr ',' ' ' | tr -s ' ' '\n' | sort -u | xargs; }
    [ -n "$(expects same-value)" ] || continue
    run 0 trace import -o "$name" "$file"
    for model in mc:same-value recipe-s:relaxed; do
        expected=$(expects "${model#*:}")
        code=1
        [ "$expected" != none ] || { code=0; expected=; }
        rm -f "$name"/results.db*
        run $code analyze --strict --solver=z3 --save-smt2="$name.smt2" --model "${model%:*}" "$name"
        got=$(pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u | xargs)
        [ "$got" = "$expected" ] || fail "$name: ${model%:*} by z3 reports '$got', not '$expected'"
    done
    n=$((n + 1))
done
[ "$n" -ge 20 ] || fail "only $n figures were found"

# The saved queries are the golden ones.
m=0
for golden in "$RECIPE_SOURCE_DIR"/tests/golden/smt2/*-e*-e*.smt2; do
    name=$(basename "$golden")
    figure=${name%%-e[0-9]*}
    saved=$figure.smt2/${name#"$figure-"}
    if [ -e "$saved" ]; then
        cmp "$golden" "$saved"
        m=$((m + 1))
    fi
done
[ "$m" -ge 4 ] || fail "only $m of the golden queries were saved"

# Pairs that another tool warned of.
figure=000-fig1-locked
cat >pairs <<'END'
fig1:2 fig1:5      # a race
fig1:1 fig1:4      # under one lock
fig1:2 other.c:5
END
run 1 analyze --candidates pairs $figure
says out 'fig1:2 fig1:5: proved' 'fig1:1 fig1:4: no race' 'fig1:2 other.c:5: not in the trace'
rm -f $figure/results.db*
printf 'fig1:1 fig1:4\n' >pairs
run 0 analyze --candidates pairs --model mc $figure
says out "fig1:1 fig1:4: no race" "0 races"
rm -f $figure/results.db*
printf 'fig1:1 fig1:4\nfig1:2 other.c:5\n' >pairs
run 0 analyze --candidates pairs --events 8 $figure # what comes after them nobody has looked at
says out 'fig1:1 fig1:4: not looked at to the end' 'fig1:2 other.c:5: not looked at to the end'
cat >tsan <<'END'
WARNING: ThreadSanitizer: data race (pid=7)
  Read of size 4 at 0x1000 by thread T2:
    #0 second /src/fig1:5:3 (a.out+0xd1f02)
  Previous write of size 4 at 0x1000 by thread T1:
    #0 first /src/fig1:2:3 (a.out+0xd1e52)
SUMMARY: ThreadSanitizer: data race
END
run 1 analyze --candidates tsan $figure
says out '/src/fig1:5 /src/fig1:2: proved'

# 'No race' is said where it is proven; else by what it was ruled out.
cat >outside.txt <<'END'
recipe trace 1
thread T0
thread T1
reach D1 0x1000000000001-0x1000000000002
T0 begin
T0 fork T1
T0 w 0x1000:4 = 1 @ a.c:1
T0 opaque-begin shows reaches D1 @ a.c:2
T0 opaque-end shows reaches D1 @ a.c:2
T1 begin
T1 opaque-begin shows reaches D1 @ a.c:3
T1 opaque-end shows reaches D1 @ a.c:3
T1 r 0x1000:4 = 1 @ a.c:4
T1 w 0x2000:4 = 1 @ a.c:5
T1 end
T0 join T1
T0 r 0x2000:4 = 1 @ a.c:6
END
run 0 trace import -o outside outside.txt
printf 'a.c:1 a.c:4\na.c:5 a.c:6\n' >pairs
run 0 analyze --stats --candidates pairs outside
says out 'a.c:1 a.c:4: ruled out by calls outside, of shows' 'a.c:5 a.c:6: no race'
says err 'first look: pairs'

# What makes no sense.
run 2 analyze --candidates pairs --model hb $figure
says err '--candidates is for the models mc, rv and recipe-s'
run 2 analyze --solver=magic $figure
echo 'two words' >pairs
run 3 analyze --candidates pairs $figure
says err 'pairs:1:' 'file:line file:line'
run 3 analyze --candidates missing $figure
run 5 analyze --model mc --save-smt2=missing/dir $figure
says err 'missing/dir'
