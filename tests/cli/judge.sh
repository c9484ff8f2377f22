#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program is the judge: after 'recipe run' a race is what a replay showed. What the checkers accepted and no replay showed
# is unconfirmed: listed apart, under the same numbers, and counted where that is asked for. Time is kept for replays.
. "$(dirname "$0")/lib.bash"

json() { # FILE EXPRESSION…: each holds of the report r
    python3 - "$@" <<'PY' || fail "$(cat "$1")"
import json, sys
r = json.load(open(sys.argv[1]))
def gaps(kind): return [g for g in r["analysis"]["not_looked_at"] if g["kind"] == kind]
for expression in sys.argv[2:]:
    if not eval(expression):
        sys.exit(f"FAILED: {expression}")
PY
}

# --- nothing shown ---
# It races when it runs for the first time, and then no more, unless 'quiet' is there: the race is real, and no replay
# shows it.
cat >once.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int x;
static void *one(void *p) { x = 1; return p; }
static void *two(void *p) { x = 2; return p; }
int main(void) {
    pthread_t a, b;
    if (!access("been", F_OK))
        return 0;
    pthread_create(&a, 0, one, 0), pthread_create(&b, 0, two, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    if (access("quiet", F_OK))
        creat("been", 0666);
    return 0;
}
C
"$RECIPE" cc -g once.c -o once -pthread
run 0 run --report - -o once.d ./once
says out "once: 0 races, 1 unconfirmed (1 not replayed), 0 unproven" "Unconfirmed 1 on x, 4 bytes" "(not-replayed, hb" \
    "The run left the schedule at step" "no replay showed it."
! grep -q '^Race' out || fail "$(cat out)"
for command in report "analyze --jobs 1"; do # what was found stays; the replays that are kept are the judge
    # shellcheck disable=SC2086
    run 0 $command once.d
    says out "0 races, 1 unconfirmed"
    # shellcheck disable=SC2086
    run 1 $command --count-unconfirmed once.d
done
run 0 report --strict=all once.d # it was looked at, and tried
"$RECIPE" report --format json once.d >j
json j 'r["races"] == []' 'len(r["unconfirmed"]) == 1' 'r["unconfirmed"][0]["id"] == 1' \
    'r["unconfirmed"][0]["status"] == "not-replayed"' '"at step" in r["unconfirmed"][0]["replay"]' \
    'r["unconfirmed"][0]["witness"] is not None' 'r["analysis"]["complete"]'
rm -rf been once.d
run 1 run --count-unconfirmed -o once.d ./once
# By hand it is shown, once what it went by is gone; and what was shown stays shown.
rm been
touch quiet
run 0 replay --first A once.d 1 # one order alone is not enough
run 0 report once.d
run 0 replay once.d 1
touch been
run 1 replay once.d 1
run 1 report once.d
says out "1 race (1 confirmed), 0 unproven"

# --- nothing to replay with ---
cat >gone.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int x, y;
static void *one(void *p) { x = 1; y = 1; return p; }
int main(int n, char **arguments) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    x = 2;
    y = n;
    pthread_join(a, 0);
    if (access("stay", F_OK))
        unlink(arguments[0]);
    return 0;
}
C
"$RECIPE" cc -g gone.c -o gone -pthread
run 4 run --report - --strict -o gone.d ./gone
says out "gone: 0 races, 2 unconfirmed (2 not tried)" "was not carried out on the program" "(2: 1, 2)"
run 0 report gone.d
run 1 report --strict --count-unconfirmed gone.d
"$RECIPE" report --format json gone.d >j
json j '[u["id"] for u in r["unconfirmed"]] == [1, 2]' 'all(u["status"] == "not-tried" for u in r["unconfirmed"])' \
    'not r["analysis"]["complete"]' 'gaps("replays")[0]["count"] == 2' 'gaps("replays")[0]["names"] == ["1", "2"]'

# --- predicted, until there is a replay ---
touch stay
"$RECIPE" cc -g gone.c -o gone -pthread
run 0 record -o both.d ./gone
run 1 analyze both.d
says out "2 races (2 predicted)"
"$RECIPE" report --format json both.d >j || true
json j 'len(r["races"]) == 2' 'r["unconfirmed"] == []' 'all(x["status"] == "predicted" for x in r["races"])'
run 0 replay both.d 2
run 1 report both.d
says out "1 race (1 confirmed), 1 unconfirmed (1 not tried)" "Unconfirmed 1 on" "Race 2 on"
run 1 analyze both.d
says out "1 race (1 confirmed), 1 unconfirmed (1 not tried)"
run 0 replay both.d 1
run 1 report both.d
says out "2 races (2 confirmed), 0 unproven"

# --- time for replays ---
# The program takes some seconds in code outside, few events, and has two races: the second in the source is one that hb
# flags, the first needs another order. One replay is made, hb's; for the other there is no time.
cat >outside.c <<'C'
void work(void) {
    for (volatile long i = 0; i < 2000000000; i++)
        ;
}
C
cat >slow.c <<'C'
#include <pthread.h>
void work(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void *one(void *p) { x = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); y = 1; return p; }
static void *two(void *p) { y = 2; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 2; return p; }
int main(void) {
    pthread_t a, b;
    work();
    pthread_create(&a, 0, one, 0), pthread_create(&b, 0, two, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
clang-19 -O1 -c outside.c -o outside.o
"$RECIPE" cc -g slow.c outside.o -o slow -pthread
run 1 run --report - --budget 1 -o slow.d ./slow
says out "1 race (1 confirmed), 1 unconfirmed (1 not tried)" "Race 2 on y" "(confirmed, hb" "Unconfirmed 1 on x" \
    "no time was left for it"
run 1 report --strict slow.d # 1 beats 4
run 0 replay slow.d all      # goes on with it
says out "2 races (2 confirmed), 0 unproven"
run 2 replay --first A slow.d all
