#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --baseline: what an earlier report has is known and changes no exit code; what is new counts. Fingerprints survive lines that move,
# other directories and other runs; deadlocks and crashes have them, too.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

is() { # FILTER VALUE, of ./out
    local got
    got=$(jq -c "$1" out)
    [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# --- a program, and what became of it: lines moved, another directory, one race more, one less ---
mkdir before after
cat >before/stock.c <<'C'
#include <pthread.h>
static int sold, gone;
static void *sell(void *p) { sold++; return p; }
static void *lose(void *p) { gone++; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sell, 0), pthread_create(&b, 0, lose, 0);
    sold += 2;
    gone += 2;
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
cat >after/stock.c <<'C'
/* A comment. */

#include <pthread.h>
static int bought;
static int sold;
static void *buy(void *p) { bought++; return p; }
static void *sell(void *p) {
    int more = 1;
    sold += more;
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sell, 0);
    pthread_create(&b, 0, buy, 0);
    bought = 7;
    sold += 2;
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
for where in before after; do
    "$RECIPE" cc -g -O1 -pthread $where/stock.c -o $where/stock
    run 1 run --format json --report $where.json -o $where/dir $where/stock
done
! [ "$(jq '.races[0].accesses[0].line' before.json)" = "$(jq '[.races[] | select(.variable == "sold")][0].accesses[0].line' after.json)" ] ||
    fail "no line has moved"
run 1 report --format json --baseline before.json after/dir
is '[.races[].variable] | unique' '["bought"]'
is '[.known[].variable] | unique' '["sold"]'
is '[.entries, .known_entries] | map(length)' '[1,1]'
jq -e '([.races[].id, .known[].id] | sort) == ([range(1; (.races + .known | length) + 1)])
    and ([.known[].id] | sort) == ([.known_entries[].races[]] | sort)' out >is || fail "numbers: $(cat out)"
jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" out >wrong
[ ! -s wrong ] || fail "the report is not as its schema says: $(head -5 wrong)"
cp out both.json
run 1 report --baseline before.json after/dir
says out "stock: 1 race (1 confirmed)" ", 1 known, 0 unproven" "Known by the baseline: $(jq '.known[0].id' both.json)" '`bought`'
! grep -q '`sold`' out || fail "what is known is told: $(cat out)"
# nothing is new, in any of the commands; two baselines are one; what a baseline knew is known by its report, too
run 0 report --baseline after.json after/dir
says out "0 races" ", 2 known,"
run 0 report --baseline both.json after/dir
run 0 report --baseline before.json --baseline both.json after/dir
run 0 analyze --baseline after.json after/dir
run 0 run --baseline after.json -o again after/stock
says err ", 2 known,"
run 1 run --baseline before.json -o third after/stock
# of the report that is replaced by this one
cp after.json keep.json
run 0 report --format json --baseline keep.json -o keep.json after/dir
jq -e '.races == [] and (.known | length) > 0' keep.json >is || fail "the report is not in its place"
run 0 report --baseline keep.json after/dir

# --- fingerprints alone, with what people write beside them ---
jq -r '.races[] | .fingerprint + "  # " + .variable' after.json >prints
{ echo '# known since spring'; echo; cat prints; } >list
run 0 report --baseline list after/dir
grep -v sold list | tr 'a-f' 'A-F' | sed 's/$/\r/' >fewer
run 1 report --format json --baseline fewer after/dir
is '[.races[].variable] | unique' '["sold"]'
: >nothing
run 1 report --format json --baseline nothing after/dir
is '.known' '[]'

# --- suppressed comes before known, and is not known by the next one ---
printf 'race:sell\n' >sold.supp
run 1 report --format json --baseline after.json --suppressions sold.supp before/dir
is '[[.races, .known, .suppressed][] | map(.variable) | unique]' '[["gone"],[],["sold"]]'
cp out hidden.json
run 1 report --format json --baseline hidden.json before/dir
is '[[.races, .known][] | map(.variable) | unique]' '[["sold"],["gone"]]'

# --- what was not shown is known until it is shown ---
small_trace
run 0 trace import small.txt
run 1 analyze --model hb small.recipe
run 1 report --format json -o shown.json small.recipe
jq '.unconfirmed = (.races | map(.status = "not-replayed")) | .races = []' shown.json >perhaps.json
run 1 report --baseline perhaps.json small.recipe
run 0 report --baseline shown.json small.recipe

# --- deadlocks, and crashes of a hunt ---
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c" -o kinds -pthread
run 1 run --format json --report kinds.json -o kinds.d ./kinds abba
{ printf '\n\n\n' && cat "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c"; } >after/kinds.c
"$RECIPE" cc -g after/kinds.c -o after/kinds -pthread
run 0 run --format json --baseline kinds.json --report out -o after/kinds.d after/kinds abba
run 0 report --format json --baseline kinds.json after/kinds.d
is '[.races, .deadlocks]' '[[],[]]'
is '.known_deadlocks | length' 1
jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" out >wrong
[ ! -s wrong ] || fail "the report is not as its schema says: $(head -5 wrong)"
jq '.deadlocks[0].fingerprint = "0123456789abcdef"' kinds.json >other.json
run 1 report --baseline other.json after/kinds.d
says out "1 deadlock"
build torn <<'C'
#include <assert.h>
#include <pthread.h>
static int half, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void set(int *what) { pthread_mutex_lock(&m), *what = 1, pthread_mutex_unlock(&m); }
static int get(int *what) { pthread_mutex_lock(&m); int is = *what; pthread_mutex_unlock(&m); return is; }
static void *both(void *p) { set(&half), set(&other); return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    int one = get(&half), two = get(&other);
    assert(one == two);
    pthread_join(t, 0);
    return 0;
}
C
run 1 hunt --format json --report torn.json -o torn.d ./torn
[ "$(jq '.crashes | length' torn.json)" -ge 1 ] || fail "the hunt found no crash: $(cat torn.json)"
run 0 report --baseline torn.json torn.d
says out "known"
run 0 report --format json --baseline torn.json torn.d
is '.crashes, (.known_crashes | length > 0)' '[]
true'

# --- continuous integration ---
run 1 report --format sarif --baseline before.json after/dir
is '[.runs[0].results[].baselineState]' '["new","unchanged"]'
run 1 report --format sarif after/dir
is '[.runs[0].results[] | has("baselineState")] | unique' '[false]'
run 1 report --format junit --baseline before.json after/dir
says out 'tests="2" failures="1" errors="0" skipped="1"' '<skipped message="Known by the baseline."/>'
run 0 report --format junit --baseline kinds.json kinds.d
says out 'failures="0"' 'name="no race"'

# --- what is none: said before anything is done ---
bad() { # WORDS; in ./bad
    run 3 report --baseline bad after/dir
    silent out
    says err "$1"
}
echo '{ "version": 1, "races": [' >bad && bad "bad:"
echo '{ "version": 2, "races": [] }' >bad && bad "bad: is no report of recipe's --format json"
echo '{ "runs": [] }' >bad && bad "bad: is no report of recipe's --format json"
echo '{ "version": 1, "races": [ { "id": 1 } ] }' >bad && bad "bad: has a race without a fingerprint"
echo '{ "version": 1, "races": [ { "fingerprint": "xyz" } ] }' >bad && bad "bad: has a race without a fingerprint"
printf '# list\n0123\n' >bad && bad "bad:2: is no fingerprint, which has 16 digits"
printf '0123456789abcdeg\n' >bad && bad "bad:1: is no fingerprint"
printf '0000000000000000\n' >bad && bad "bad:1: is no fingerprint"
run 3 report --baseline missing after/dir
run 125 run --baseline bad -o never after/stock
absent never
