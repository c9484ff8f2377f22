#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each row of src/outside/rows/NAME.def: what it says of a function beside what becomes of a race around calls of it, which
# tests/programs/outside/rows/NAME.txt has. T1 writes a variable and calls, T2 calls and writes it: what is harmless, prints on a
# standard stream or works on an object of the thread's own leaves a race, which every model finds; what is a barrier pair leaves
# none, and neither does what nobody knows. What ends the process is in ends.txt and ends_cxx.txt. A row without a call fails, a call without a row, and a call that
# the compiler did not leave as a call of that name.
#
# A line of rows/NAME.txt: the function's name, a call, what comes before it (where that is needed) and before T1's write. The mark
# ? before a name: not every library has it, and it is left out where that is so. !: a program of its own, because what it does
# makes pairs of others (those that are harmless as long as nobody changes the locale, or hands on exceptions). -: what it does to
# its object is told as a pair. =: it returns what it keeps in one place, which two calls race on, too. *: it is called by a pointer alone, and stands in no object by its name. (Those whose result x86_64 has in memory, which no row says, are pairs there that reach no more than that: alone, so that nothing else orders them.)
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
export TZ=UTC # else the C library frees what it knew of the time zone and looks again, by which its calls are ordered
outside=$RECIPE_SOURCE_DIR/tests/programs/outside
table=$RECIPE_SOURCE_DIR/src/outside/rows

# Files of the table and of calls, name by name. Each function of math.h stands for three.
: >kinds
: >by_pointer
# Pairs that nobody else has to do with, each thread's own; and those that look at the clock alone, and need not wait for another's look.
sed -n 's/^[A-Z]*(\([A-Za-z0-9_]*\), PAIR.*WITH(\(OWN\|CLOCK\)).*/\1/p' "$RECIPE_SOURCE_DIR"/src/outside/rows/*.def >own
for file in "$table"/*.def; do
    name=$(basename "$file" .def)
    case $name in parts | variables) continue ;; esac # no functions
    {
        sed -n 's/^\(ROW\|BACK\|FAMILY\)(\([A-Za-z0-9_]*\), \([A-Z]*\).*/\2 \3/p' "$file"
        grep -o 'MATH([a-z0-9]*)' "$file" | tr '()' '  ' | awk '{ for (i = 1; i <= 3; i++) print $2 substr("fl", i - 1, i > 1), "HARMLESS" }' || true
    } | sort >"$name.kinds"
    grep -v '^#' "$outside/rows/$name.txt" >"$name.calls" || fail "$outside/rows/$name.txt: no calls for $file"
    [ "$name" != math ] || sed -i 's/\(.*\)\t\(.*\)\1(\(.*\)/&\n\1f\t\2\1f(\3\n\1l\t\2\1l(\3/' "$name.calls"
    cat "$name.kinds" >>kinds
    cut -f1 "$name.calls" >called
    case $name in
    process) grep -v '^#' "$outside/ends.txt" | cut -f1 >>called ;;
    cxx) grep -v '^#' "$outside/ends_cxx.txt" | cut -f1 >>called ;;
    esac
    sed 's/^[-?!=*]*//' <called | sort | diff <(cut -d' ' -f1 "$name.kinds") - >difference ||
        fail "$name: rows of the table (<) and calls (>) differ: $(cat difference)"
done

# Does the name stand for a function of these libraries?
exists() { # NAME
    echo "void $1(void); int main(void) { $1(); return 0; }" >exists.c
    cc -w -fno-builtin exists.c -o exists -lm -lstdc++ 2>/dev/null
}

program() { # LANGUAGE CALLS: a program of them on stdout
    case $1 in c) echo '#include "rows.h"' ;; *) printf '#include "rows_cxx.h"\nextern "C" {\n' ;; esac
    awk -F '\t' '{ printf "static int x_%s;\nstatic void before_%s(void) { %s; }\nstatic void call_%s(void) { %s; }\n", $1, $1, $3, $1, $2
        printf "static void end_%s(void) { x_%s = 2; }\n", $1, $1
        printf "static void *one_%s(void *p) { before_%s(); x_%s = 1; call_%s(); return p; }\n", $1, $1, $1, $1
        printf "static void *two_%s(void *p) { before_%s(); after = end_%s; call_%s(); end_%s(); return p; }\n", $1, $1, $1, $1, $1 }' "$2"
    [ "$1" = c ] || echo '}'
    echo 'int main(void) {'
    echo '    static const row rows[] = {'
    awk -F '\t' '{ printf "        {one_%s, two_%s},\n", $1, $1 }' "$2"
    echo '    };'
    echo '    run_rows(rows, sizeof rows / sizeof *rows);'
    echo '    return 0;'
    echo '}'
}

ending() { case $1 in c) echo c ;; *) echo cpp ;; esac; } # LANGUAGE

compile() { # LANGUAGE SOURCE: as it is, calls are calls
    local object=${2%.*}.o
    case $1 in
    c) "$RECIPE" cc -c -g -O1 -w -U_FORTIFY_SOURCE -fno-builtin -D__NO_INLINE__ -I"$outside" "$2" -o "$object" 2>err ;;
    *) "$RECIPE" cc -c -g -O1 -w -U_FORTIFY_SOURCE -fno-builtin -std="$1" -I"$outside" "$2" -o "$object" 2>err ;;
    esac || fail "$2 does not compile: $(cat err)"
    "$RECIPE" cc "$object" -o "${2%.*}.out" -pthread -lm -lrt -lstdc++ 2>err || fail "$2 can't be linked: $(cat err)"
}

are_called() { # OBJECT CALLS: has it all of these names?
    nm "$1" | awk '{ print $NF }' | sort -u >symbols
    cut -f1 "$2" | grep -vxFf by_pointer | while read -r name; do
        case $name in
        futex_* | membarrier) symbol=syscall ;;
        *) symbol=$name ;;
        esac
        grep -q "^$name " cxx_families.kinds || symbol="$symbol\$"
        grep -q "^$symbol" symbols || echo "$name"
    done >missing
    [ ! -s missing ] || fail "$1: there is no call of $(xargs <missing)"
}

left_out=""
n=0
check() { # LANGUAGE CALLS IS_ALONE
    local part=$2 model name kind expected got
    program "$1" "$part" >"$part.$(ending "$1")"
    compile "$1" "$part.$(ending "$1")"
    are_called "$part.o" "$part"
    timeout 120 "$RECIPE" record -o "$part.recipe" "./$part.out" >out 2>err </dev/null || fail "$part.out: recording failed: $(tail -n 3 err)"
    for model in hb mc recipe-s; do
        rm -f "$part.recipe"/results.db*
        "$RECIPE" analyze --model $model "$part.recipe" >out 2>err || [ $? -eq 1 ] || fail "$part: $model: $(cat err)"
        sed -E 's/^(Race \(p|  P)air ([0-9]+)( here[^)]*\))? on/Race \2 on/' out | sed -n '/^Race [0-9]* on$/{N;s/\n */ /}; s/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u >found
        cut -f1 "$part" | while read -r name; do
            kind=$(awk -v name="$name" '$1 == name { print $2 }' kinds)
            expected=1
            case $kind-$3 in PAIR-* | UNKNOWN-* | THROWN-alone | SETTING-alone) expected=0 ;; esac
            ! grep -qx "$name" own || expected=1
            ! grep -qx "$name" told_as_pairs || expected=0
            got=$(grep -cx "x_$name" found || true)
            [ "$got" -eq $expected ] || echo "$name ($kind): $model: $got race(s) around it, $expected expected"
        done >wrong
        [ ! -s wrong ] || fail "$(cat wrong)"
        grep -v '^x_' found >others || true
        sed -i '/^\(the\|key\)$/d' others # of the library's: 'the environment', 'the state of strtok()', 'key 1000' (src/outside/states.def)
        ! cut -f1 "$part" | grep -qxFf in_one_place || sed -i '/^[0-9]/d' others # it has no name
        [ ! -s others ] || fail "$part: $model: races beside those that are there: $(xargs <others)"
    done
    n=$((n + $(wc -l <"$part")))
}

# some_of FILE: leaves those of its lines that are looked at.
some_of() {
    mapfile -t part <"$1"
    [ "${ROWS_ONLY:-}" ] || take_part 3 "calls of ${1%.calls}" "${part[@]}"
    printf '%s\n' "${part[@]}" | grep . >"$1" || true
}

# Programs of 60 calls each. ROWS_ONLY=NAME: of that file alone.
for calls in *.calls; do
    name=${calls%.calls} language=c
    [ "${ROWS_ONLY:-$name}" = "$name" ] || continue
    case $name in cxx*) language=gnu++17 ;; esac
    for absent in $(sed -n 's/^?\([^\t]*\).*/\1/p' "$calls"); do
        exists "$absent" || { sed -i "/^?$absent\t/d" "$calls" && left_out+=" $absent"; }
    done
    sed -i 's/^?//' "$calls"
    sed -n "s/^-!\?\([^\t]*\).*/\1/p" "$calls" >told_as_pairs
    sed -n 's/^=\([^\t]*\).*/\1/p' "$calls" >in_one_place
    sed -n 's/^\*\([^\t]*\).*/\1/p' "$calls" >by_pointer
    sed -i 's/^[-=*]//' "$calls"
    some_of "$calls"
    grep '^!' "$calls" | sed 's/^!//' | split -l 1 - "$name.alone." || true
    grep -v '^!' "$calls" | split -l 60 - "$name."
    for part in "$name".alone.?? "$name".??; do
        [ -f "$part" ] || continue
        case $part in *.alone.*) check $language "$part" alone ;; *) check $language "$part" together ;; esac
    done
done

# Ends: two threads have written a variable before.
for file in ends ends_cxx; do
    [ "${ROWS_ONLY:-$file}" = $file ] || continue
    language=c
    [ $file = ends ] || language=gnu++14
    grep -v '^#' "$outside/$file.txt" >$file.calls
    some_of $file.calls
    while IFS=$'\t' read -r name call status; do
        if [ "${name:0:1}" = '?' ]; then
            name=${name:1}
            exists "$name" || { left_out+=" $name" && continue; }
        fi
        {
            case $language in c) printf '#include "rows.h"\n#include <assert.h>\n' ;; *) echo '#include "rows_cxx.h"' ;; esac
            [ $language != c ] || echo 'void __chk_fail(void), __fortify_fail(const char *), __stack_chk_fail(void);'
            echo 'static int x;'
            echo 'static void *one(void *p) { x = 1; return p; }'
            echo "static void *two(void *p) { x = 2; $call; return p; }"
            echo 'int main(void) { static const row rows[] = {{one, two}}; run_rows(rows, 1); return 0; }'
        } >"end.$(ending $language)"
        compile $language "end.$(ending $language)"
        printf '%s\n' "$name" >end.calls
        are_called end.o end.calls
        got=0
        rm -rf end.recipe
        { timeout 120 "$RECIPE" record -o end.recipe ./end.out </dev/null; } >out 2>err || got=$?
        [ $got -eq "$status" ] || fail "$name: the recorded program ended with $got, not $status: $(tail -n 3 err)"
        for model in hb mc recipe-s; do
            rm -f end.recipe/results.db*
            "$RECIPE" analyze --model $model end.recipe >out 2>err || [ $? -eq 1 ] || fail "$name: $model: $(cat err)"
            [ "$(pairs out | grep -c '^Race [0-9]* on x,')" -eq 1 ] || fail "$name: $model: the race before it is not found: $(cat out err)"
        done
        n=$((n + 1))
    done <$file.calls
done
echo "$n calls; this machine's libraries do not have:${left_out:- none}"
[ $n -ge "$(least 850 4)" ] || [ "${ROWS_ONLY:-}" ] || fail "only $n calls"
[ "${ROWS_ONLY:-memory}" = memory ] || exit 0

# How far.
memory=$outside/memory.txt
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
"$RECIPE" cc -g -O1 -w -U_FORTIFY_SOURCE -fno-builtin -I"$outside" memory.c -o memory -pthread -lm ||
    fail "memory.c does not compile"
timeout 120 "$RECIPE" record -o memory.recipe ./memory >out 2>err </dev/null || fail "memory: recording failed: $(tail -n 3 err)"
for model in hb mc recipe-s; do
    rm -f memory.recipe/results.db*
    "$RECIPE" analyze --model $model memory.recipe >out 2>err || [ $? -eq 1 ] || fail "memory: $model: $(cat err)"
    pairs out | sed -n 's/^Race [0-9]* on \([^ ,+]*\).*/\1/p' | sort -u >found
    awk -F '\t' '{ if ($3 >= 0) print "last_" NR }' calls | sort | diff - found >difference ||
        fail "memory: $model: $(sed -n 's/^\([<>]\) [a-z]*_\([0-9]*\)$/\1 \2/p' difference |
            while read -r way k; do echo "$way $(grep "$way.*_$k\$" difference | tr -d '<> ') $(sed -n "${k}p" calls);"; done)"
done
