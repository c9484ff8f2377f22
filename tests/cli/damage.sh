#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Single bytes of recordings are changed: recipe says the same as before, or exits with 3 and the file's name (tests/damage.bash has
# more of them). And what is not one byte: files that are gone or cut off.
. "$(dirname "$0")/lib.bash"

cat >p.c <<'P'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static char line[4096];
static long sum;
static void *one(void *unused) {
    x = line[0];
    pthread_mutex_lock(&m);
    y = 1;
    pthread_mutex_unlock(&m);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&m);
    int seen = y;
    pthread_mutex_unlock(&m);
    if (seen)
        x++;
    else
        x = 7; /* not where the recorded run goes */
    return unused;
}
int main(int argc, char **argv) {
    while (fgets(line, sizeof line, stdin)) /* more than one checksum in the log */
        sum += (long)strlen(line);
    pid_t child = argc > 1 && !strcmp(argv[1], "fork") ? fork() : 1;
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (!child)
        return 0;
    printf("%d %ld\n", x, sum);
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "die"))
        kill(getpid(), SIGKILL);
    return 0;
}
P
"$RECIPE" cc -g -pthread p.c -o p
head -c 200000 /dev/zero | tr '\0' a | fold -w 60 >input
"$RECIPE" run -o plain ./p </dev/null >/dev/null 2>&1 || true
"$RECIPE" run -o piped ./p < <(cat input) >/dev/null 2>&1 || true
"$RECIPE" run -o forked ./p fork </dev/null >/dev/null 2>&1 || true
"$RECIPE" run -o cut ./p die </dev/null >/dev/null 2>&1 || true
for directory in plain piped forked cut; do [ -s $directory/results.db ] || fail "$directory: was not analysed"; done
"$RECIPE_SOURCE_DIR/tests/damage.bash" --seed "${DAMAGE_SEED:-$((1 + ${RECIPE_CHECK_PART:-0}))}" "$(few 200 24 changes)" plain piped forked \
    cut || fail "damage that nobody noticed"

# A log that has lost its end is read up to the last checksum, and that is said; one that has lost everything is refused.
cp -a piped short
truncate -s 150000 short/log
rm short/events.rcp
run 0 analyze short
says err "short: The recording was cut off"
run 0 report short
says err "short: The recording was cut off"
truncate -s 5000 short/log
run 3 analyze short
says err "short/log: damaged"

# A trace that has lost its end is made again.
cp -a plain short.events
"$RECIPE" report plain >right || true
truncate -s -9 short.events/events.rcp
run 1 analyze short.events
says err "short.events: its events.rcp was cut off, and is made again from its log"
[ "$(stat -c %s short.events/events.rcp)" -eq "$(stat -c %s plain/events.rcp)" ] || fail "the events are others"

# Files that are gone, and recordings of other versions.
for file in sums command run.json config; do
    rm -rf gone && cp -a plain gone && rm gone/$file
    code=0
    "$RECIPE" analyze gone >out 2>err || code=$?
    [ $code -eq 3 ] || [ $file = command ] || fail "$file is gone: exit code $code"
    [ $code -ne 3 ] || says err "gone/$file"
done
rm -rf old && cp -a plain old
printf '\3' | dd of=old/log bs=1 seek=8 conv=notrunc status=none
run 3 analyze old
says err "old/log: written by another version of recipe" "record the program again"
