#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is known of functions that are not recorded stands in src/outside/ alone: no other code asks for one by its name. (The runtime
# has them by name because it defines them.) A function's name as a literal is a second place that somebody has to know of, and that
# forgets the next variant; ask the row for a role instead (src/outside/outside.h, roles.def).
. "$(dirname "$0")/lib.bash"
source=$RECIPE_SOURCE_DIR/src

# Names of the table that are words of ours, too: events, operators of terms, files, instructions. They are none of a function's
# where nothing is compared with them.
printf '%s\n' abs close exit fabs fma fmax fmin fork free index log pause random read signal wait write | sort >words
sed -n 's/^\(ROW\|BACK\|FAMILY\|PART\|BEGINNING\)(\([A-Za-z0-9_]*\), .*/\2/p' "$source"/outside/rows/*.def >rows
grep -oh 'MATH([a-z0-9]*)' "$source"/outside/rows/math.def | sed 's/MATH(\(.*\))/\1\n\1f\n\1l/' >>rows
# Parts of names that are words of ours are only compared.
grep -vxE 'sleep|join|swap|specific' rows | sort -u | comm -23 - words >names
for library in libc.so.6 libm.so.6; do nm -D --defined-only "$("${CC:-cc}" -print-file-name=$library)"; done | awk '{ print $NF }' |
    sed 's/@.*//' | sort -u - rows >symbols
[ "$(wc -l <names)" -ge 800 ] && [ "$(wc -l <symbols)" -ge 2000 ] || fail "where are the names? $(wc -l names symbols)"

look() { # FILE…: complaints on stdout; words of ours that are there in `used`
    local file
    for file; do
        printf '# 1 "%s"\n' "$file"
        grep -v '^#include' "$file"
    done >joined
    "${CC:-cc}" -w -fpreprocessed -dD -E -x c joined >text # no comments any longer, nothing else is changed
    awk '
        FILENAME == "names" { name[$0] = 1; next }
        FILENAME == "symbols" { symbol[$0] = 1; next }
        FILENAME == "words" { word[$0] = 1; next }
        /^# [0-9]+ "/ { finish(); file = $3; gsub("\"", "", file); next }
        { code = code " " $0 }
        END { finish(); for (w in used) print w >"used" }
        function finish(    rest, literal, compared, said) {
            for (rest = code; match(rest, /"([^"\\]|\\.)*"/); rest = substr(rest, RSTART + RLENGTH)) {
                literal = substr(rest, RSTART + 1, RLENGTH - 2)
                compared = substr(rest, 1, RSTART - 1) ~ /(strn?cmp|strn?casecmp|strstr|memcmp|memmem)\([^;"]*$/
                if (literal in word) used[literal] = 1
                if (literal in name || literal ~ /^(_ZN?K?S|_Z[nd][aw]|__cxa_|pthread_|mtx_|cnd_|thrd_|sem_)[A-Za-z0-9_]*$/ ||
                    (compared && file ~ /\/(predict|replay|program|instrument)\// && literal in symbol))
                    if (!(literal in said)) { said[literal] = 1; print file ": \"" literal "\" is what src/outside/ knows; ask for a role" }
            }
            code = ""
        }' names symbols words text
}

# Does it see what it looks for, and nothing else?
mkdir -p program
try() { # EXPECTED TEXT
    printf '%s\n' "$2" >program/try.c
    look "$PWD/program/try.c" >complaints
    [ "$(wc -l <complaints)" -eq "$1" ] || fail "of $2: $(cat complaints)"
}
try 1 'if (!strcmp(name, "reallocarray")) return;'
try 2 'static const char *const names[] = {"setlocale", "tzset"};'
try 1 'if (strncmp(row->name, "fseeko64", 8) == 0) return; /* no row has it */'
try 1 'if (strstr(name, "_ZNSt6thread")) return;'
try 1 'if (!strcmp(name,
            "wait")) return;'
try 1 '#define IS(name) !strcmp(name, "malloc")'
try 0 'static const char *const events[] = {"wait", "signal"}; /* not "setlocale" */'
try 0 'if (!strcmp(variable, "RECIPE_RUN")) printf("in \"%s\" strcmp(x, y)", "random");'

find "$source" \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) ! -path "$source/outside/*" ! -path "$source/runtime/*" | sort >files
mapfile -t all <files
look "${all[@]}" >complaints
[ ! -s complaints ] || fail "$(cat complaints)"
sort used | comm -13 - words >unused
[ ! -s unused ] || fail "no words of ours any longer: $(xargs <unused)"
