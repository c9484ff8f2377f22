#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A recording from elsewhere: nothing outside of it is written, made or removed; nothing is run unasked; one works in it at a time; and
# one that was cut off says so wherever it is read.
. "$(dirname "$0")/lib.bash"

cat >p.c <<'P'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *one(void *unused) {
    x = 1;
    pthread_mutex_lock(&m);
    y = 1;
    pthread_mutex_unlock(&m);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&m);
    int seen = y;
    pthread_mutex_unlock(&m);
    x = seen ? x + 1 : 7;
    return unused;
}
int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", x);
    fflush(stdout);
    if (argc > 1)
        kill(getpid(), SIGKILL);
    return 0;
}
P
"$RECIPE" cc -g -pthread p.c -o p
"$RECIPE" run -o good ./p >/dev/null 2>&1 || true
run 1 report good

# Links: whatever has the name of something that recipe writes, and what is in no list.
mkdir -p outside/1 && echo precious >outside/file && echo precious >outside/1/log && cp -a outside before
for name in variants variants/9 events.part results.db results.db-journal events.rcp sharing answers moments opaque sums lock \
    modules process.1 replay.000000 log anything; do
    for target in "$work/outside" ../outside/file nowhere; do
        rm -rf bad && cp -a good bad && rm -rf "bad/$name"
        ln -s "$target" "bad/$name"
        for command in "analyze --opaque=before/file bad" "report bad" "replay bad 1"; do
            # shellcheck disable=SC2086
            run 3 $command
            says err "bad/$name: is a symbolic link"
        done
        diff -r before outside || fail "$name -> $target: something outside was changed"
    done
done
mkfifo good/pipe
run 3 analyze good
says err "good/pipe: is neither a file nor a directory"
rm good/pipe
rm -rf bad && cp -a good bad && ln bad/results.db other.name
run 3 analyze bad
says err "bad/results.db: is a file that has other names, too"
# The directory itself may be a link, and may be moved with all that is in it.
ln -s good link
run 1 analyze link
mkdir elsewhere && mv good elsewhere/moved && rm link
run 1 analyze elsewhere/moved
run 0 replay elsewhere/moved 1
mv elsewhere/moved good

# What is run is said before, and only the build that was recorded is run.
run 0 replay good 1
says err "recipe: runs: cd $work && $work/p"
cp p kept
sed -i 's/: 7/: 8/' p.c && "$RECIPE" cc -g -pthread p.c -o p
run 3 replay good 1
says err "$work/p: is another build" "and is not run"
cp kept p
if [ "$(id -u)" -eq 0 ]; then
    rm -rf theirs && cp -a good theirs && chown -R 65534 theirs
    run 3 replay theirs 1
    says err "theirs: belongs to" "--force"
    run 0 replay --force theirs 1
fi

# Two at a time: the second says who holds it and waits. The first one is a shell that has the lock and asks to be let go.
mkfifo go
(
    exec 9<good
    flock 9
    echo locked >is.locked
    read -r _ <go
) &
holder=$!
until [ -s is.locked ]; do :; done
"$RECIPE" analyze good >second 2>second.err &
second=$!
until grep -q "works there; waiting until it is done" second.err; do :; done
kill -0 $second || fail "the second one does not wait"
echo on >go
wait $holder
wait $second || [ $? -eq 1 ] || fail "the second one does not go on"
grep -q "good: process [0-9]* \|good: another recipe" second.err || fail "who holds it: $(cat second.err)"

# Cut off.
"$RECIPE" run -o cut ./p die >/dev/null 2>run.err || true
grep -q "cut: The recording was cut off" run.err || fail "run: $(cat run.err)"
for command in "analyze cut" "report cut" "replay cut 1" "trace stat cut" "trace dump cut" "trace schedule cut"; do
    code=0
    # shellcheck disable=SC2086
    "$RECIPE" $command >out 2>err || code=$?
    [ $code -le 1 ] || fail "$command: exit code $code"
    says err "cut: The recording was cut off"
done
run 1 report good
! grep -q "cut off" err || fail "one that was not cut off"
