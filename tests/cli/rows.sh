#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each row of src/program/reach/outside_table.c: what it says of a function beside what becomes of a race around calls of it
# (tests/programs/outside/rows.txt has one of each). T1 writes a variable and calls, T2 calls and writes it: what is harmless,
# prints on a standard stream or synchronises on an object of the thread's own leaves a race, which every model finds; what is a
# barrier pair leaves none. A row without a call fails, and so does a call without a row.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
rows=$RECIPE_SOURCE_DIR/tests/programs/outside/rows.txt
table=$RECIPE_SOURCE_DIR/src/program/reach/outside_table.c

sed -n 's/^    {"\([^"]*\)", RCP_OUTSIDE_\([A-Z]*\), .*/\1 \2/p' "$table" | grep -v '^_Z' | sort >kinds
awk -F '\t' '!/^#/ { print $1 }' "$rows" | sort >called
cut -d' ' -f1 kinds | diff - called >difference || fail "rows of the table (<) and calls (>) differ: $(cat difference)"

# Where a file is named, it is there.
awk -F '\t' '$2 ~ /^elsewhere .*\// { sub(/^elsewhere /, "", $2); print $2 }' "$rows" | sort -u |
    while read -r file; do [ -f "$RECIPE_SOURCE_DIR/tests/programs/$file" ] || fail "$rows names $file, which is not there"; done

# Programs of 60 calls each; what this C library does not have is left out, and said.
awk -F '\t' '!/^#/ && $2 !~ /^elsewhere/' "$rows" >calls
split -l 60 calls part.
n=0
for part in part.??; do
    {
        echo '#include "rows.h"'
        awk -F '\t' '{ printf "static int x_%s;\nstatic void call_%s(void) { %s; }\n", $1, $1, $2
            printf "static void *one_%s(void *p) { x_%s = 1; call_%s(); return p; }\n", $1, $1, $1
            printf "static void *two_%s(void *p) { call_%s(); x_%s = 2; return p; }\n", $1, $1, $1 }' "$part"
        echo 'int main(void) {'
        echo '    static const row rows[] = {'
        awk -F '\t' '{ printf "        {one_%s, two_%s},\n", $1, $1 }' "$part"
        echo '    };'
        echo '    run_rows(rows, sizeof rows / sizeof *rows);'
        echo '    return 0;'
        echo '}'
    } >"$part.c"
    "$RECIPE" cc -g -O1 -w -U_FORTIFY_SOURCE -fno-builtin -I"$RECIPE_SOURCE_DIR/tests/programs/outside" "$part.c" -o "$part.out" \
        -pthread -lm -lrt 2>err || fail "$part.c does not compile: $(cat err)"
    timeout 120 "$RECIPE" record -o "$part.recipe" "./$part.out" >out 2>err </dev/null || fail "$part.out: recording failed: $(tail -n 3 err)"
    for model in hb mc recipe-s; do
        rm -f "$part.recipe"/results.db*
        "$RECIPE" analyze --model $model "$part.recipe" >out 2>err || [ $? -eq 1 ] || fail "$part: $model: $(cat err)"
        sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' out | sort -u >found
        cut -f1 "$part" | while read -r name; do
            kind=$(awk -v name="$name" '$1 == name { print $2 }' kinds)
            expected=1
            [ "$kind" != PAIR ] || expected=0
            got=$(grep -cx "x_$name" found || true)
            [ "$got" -eq $expected ] || echo "$name ($kind): $model: $got race(s) around it, $expected expected"
        done >wrong
        [ ! -s wrong ] || fail "$(cat wrong)"
        grep -v '^x_' found >others || true
        [ ! -s others ] || fail "$part: $model: races beside those that are there: $(xargs <others)"
    done
    n=$((n + $(wc -l <"$part")))
done
[ $n -ge 400 ] || fail "only $n calls"

# How far.
memory=$RECIPE_SOURCE_DIR/tests/programs/outside/memory.txt
grep -v '^#' "$memory" >calls
awk -F '\t' 'NR == FNR { known[$1] = 1; next } !($1 in known)' <(tr ' ' '\t' <kinds) calls >unknown
[ ! -s unknown ] || fail "$memory has calls of what is not in the table: $(cat unknown)"
{
    echo '#include "rows.h"'
    awk -F '\t' '{ k = NR
        printf "static _Alignas(64) char last_%d[64] = \"abcdef\", next_%d[64] = \"abcdef\";\n", k, k
        n = split("last next", which, " ")
        for (i = 1; i <= n; i++) {
            at = which[i] == "last" ? $3 : $3 + 1
            name = which[i] "_" k
            printf "#define S %s\nstatic void *one_%s(void *p) { %s; return p; }\n#undef S\n", name, name, $2
            printf "static void *two_%s(void *p) { %s[%d] = 1; return p; }\n", name, name, at < 0 ? 0 : at
        } }' calls
    echo 'int main(void) {'
    echo '    static const row rows[] = {'
    awk '{ for (i = 0; i < 2; i++) { name = (i ? "next_" : "last_") NR; printf "        {one_%s, two_%s},\n", name, name } }' calls
    echo '    };'
    echo '    run_rows(rows, sizeof rows / sizeof *rows);'
    echo '    return 0;'
    echo '}'
} >memory.c
"$RECIPE" cc -g -O1 -w -U_FORTIFY_SOURCE -fno-builtin -I"$RECIPE_SOURCE_DIR/tests/programs/outside" memory.c -o memory -pthread -lm ||
    fail "memory.c does not compile"
timeout 120 "$RECIPE" record -o memory.recipe ./memory >out 2>err </dev/null || fail "memory: recording failed: $(tail -n 3 err)"
for model in hb mc recipe-s; do
    rm -f memory.recipe/results.db*
    "$RECIPE" analyze --model $model memory.recipe >out 2>err || [ $? -eq 1 ] || fail "memory: $model: $(cat err)"
    sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' out | sort -u >found
    awk -F '\t' '{ if ($3 >= 0) print "last_" NR }' calls | sort | diff - found >difference ||
        fail "memory: $model: $(sed -n 's/^\([<>]\) [a-z]*_\([0-9]*\)$/\1 \2/p' difference |
            while read -r way k; do echo "$way $(grep "$way.*_$k\$" difference | tr -d '<> ') $(sed -n "${k}p" calls);"; done)"
done
