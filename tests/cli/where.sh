#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the report of 'recipe run' goes: standard output is the program's, byte for byte, whatever it is.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# Two threads race; the last line is left open. It exits with 3 where it can't write to standard output.
cat >prints.c <<'C'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int x;
static void *work(void *p) { x = 1; return p; }
int main(int n, char **words) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    int bad = n > 1 && (write(1, words[1], strlen(words[1])) < 0 || write(1, "\n\0open", 6) < 0);
    fprintf(stderr, "%s", bad ? strerror(errno) : "well");
    return bad ? 3 : 0;
}
C
"$RECIPE" cc -g -O1 prints.c -o prints -pthread
cc -O1 prints.c -o native -pthread
./native word >right 2>/dev/null

# alone PRINTED: it is what the program prints without recipe.
alone() {
    cmp "$1" right || fail "standard output is not the program's: $(cat "$1")"
}
report() { # FILE…: the report is there, and once
    [ "$(cat "$@" | grep -c '^./prints: 1 race (1 confirmed)')" -eq 1 ] || fail "$* has no report: $(cat "$@")"
}

# --- a file, a pipe ---
for format in text json; do
    run 1 run --format $format -o $format.d ./prints word
    alone out
    code=0
    { "$RECIPE" run --format $format -o $format.pipe.d ./prints word 2>err || echo $? >code; } | cat >piped
    [ "$(cat code)" -eq 1 ] || fail "into a pipe: exit code $(cat code)"
    alone piped
done
run 1 run -o one.d ./prints word
report err
sed -n 1p err | grep -qx well || fail "the report stands behind what the program printed: $(head -n 1 err)"
# JSON on standard error begins on a line of its own, too
run 1 run --format json -o two.d ./prints word
sed -n '/^{/,/^recipe: /p' err | sed '$d' | jq -e '.races | length == 1' >/dev/null || fail "no JSON: $(cat err)"

# --- closed, full ---
code=0
"$RECIPE" run -o closed.d ./prints word >&- 2>err || code=$?
[ $code -eq 1 ] || fail "standard output is closed: exit code $code: $(cat err)"
says err "Bad file descriptor" "./prints exited with 3"
report err
code=0
"$RECIPE" run --report report.closed -o closed2.d ./prints >&- 2>&- || code=$?
[ $code -eq 1 ] || fail "output and error are closed: exit code $code"
report report.closed
code=0
"$RECIPE" run -o closed3.d ./prints word >out 2>&- || code=$?
[ $code -eq 1 ] || fail "standard error is closed: exit code $code"
alone out
for directory in closed.d closed2.d closed3.d; do
    run 1 report $directory # nothing of what was printed has gone into its files
    run 0 trace check $directory
done
code=0
"$RECIPE" run -o full.d ./prints word >/dev/full 2>err || code=$?
[ $code -eq 1 ] || fail "standard output is full: exit code $code: $(cat err)"
report err

# --- a file of its own ---
run 1 run --report report.txt -o file.d ./prints word
alone out
report report.txt
report err # how many, all the same
! grep -q '^Race' err || fail "the report is on standard error, too: $(cat err)"
run 1 report file.d
cmp out report.txt || fail "--report FILE differs from what 'recipe report' prints"
run 1 run --format json --report report.json -o json2.d ./prints word
alone out
jq -e '.races | length == 1' report.json >/dev/null || fail "$(cat report.json)"
run 1 run --report - --format json -o dash.d ./prints word
head -c "$(stat -c %s right)" out | cmp - right || fail "--report -: $(cat out)"
tail -c "+$(($(stat -c %s right) + 1))" out | jq -e '.races | length == 1' >/dev/null || fail "--report -: $(cat out)"

# --- said before anything is run ---
run 125 run --report missing/report.txt -o never.d ./prints word
says err "missing/report.txt: can't be written"
silent out
absent never.d
run 125 run --report . -o never.d ./prints word
says err "directory"
absent never.d
[ -z "$(find . -name '*.txt.*')" ] || fail "a temporary file is left: $(find . -name '*.txt.*')"
