#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One bug, one entry: what people count are entries, pairs of accesses keep their numbers, exit codes and JSON; and every JSON report is
# as docs/report.schema.json says.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# report DIR: its JSON in ./json, which the schema describes, every key of it; each race is in one entry, and no other.
report() {
    "$RECIPE" report --format json "$1" >json || [ $? = 1 ] || fail "$1: no report"
    jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" json >wrong
    [ ! -s wrong ] || fail "$1: the report is not as its schema says: $(head -5 wrong)"
    jq -e '([.races[].id] | sort) == ([.entries[].races[]] | sort) and ([.unconfirmed[].id] | sort) == ([.unconfirmed_entries[].races[]] | sort)' \
        json >/dev/null || fail "$1: entries are not the races: $(jq -c '.entries, .unconfirmed_entries' json)"
}
is() { # FILTER VALUE, of ./json
    local got
    got=$(jq -c "$1" json)
    [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}
# counts TEXT: the last lines of ./out say so, wherever they are broken.
counts() {
    tr '\n' ' ' <out | grep -qF "$1" || fail "'$1' is not in $(tail -4 out)"
}

# --- x++ against x++ ---
cat >count.c <<'C'
#include <pthread.h>
static int x;
static void *work(void *p) { x++; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
"$RECIPE" cc -g count.c -o count -pthread
run 1 run --report - -o count.d ./count
says out '`x` is written in work (count.c:3) by two threads, and nothing orders them.' "Race (pair 2 here, pair 1 below) on x, 4 bytes" "  Pair 1 on x, 4 bytes" \
    '    read          count.c:3:31 in work' 'Thread 0.1 first: 0.1 leaves 1, 0.2 leaves 1'
counts "./count: 1 race (1 confirmed) in 2 pairs of accesses, 0 unproven"
[ "$(grep -c '^Race ' out)" -eq 1 ] || fail "not one entry: $(cat out)"
report count.d
is '.races | length' 2
is '.entries | map(.races | sort)' '[[1,2]]'
is '.entries[0].headline' '"`x` is written in work (count.c:3) by two threads, and nothing orders them"'
is '.entries[0].status' '"confirmed"'
# any of its pairs can be had whole
run 1 report --race 1 count.d
says out "Race 1 on x" "A schedule that leads there" "on the way of the replay of another race"
! grep -q 'Race 2\|[Pp]air' out || fail "--race 1 has more than race 1: $(cat out)"
run 3 report --race 3 count.d
says err "there is no race 3; the report has 2"
run 2 report --race none count.d
run 0 replay count.d 2

# --- a structure on the heap, a copy of it, and a variable that two other functions have a bug with, too ---
cat >stats.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct stats { long jobs, bytes, errors; };
static struct stats *stats;
static int stop;
static void note(void) {
    stats->jobs++;
    stats->bytes += 10;
    stats->errors--;
}
static struct stats look(void) { return *stats; }
static void *work(void *p) {
    note();
    return stop ? 0 : p;
}
static void *watch(void *p) {
    struct stats seen = look();
    stop = 1;
    return seen.jobs ? 0 : p;
}
int main(void) {
    pthread_t a, b, c;
    stats = calloc(1, sizeof *stats);
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0), pthread_create(&c, 0, watch, 0);
    pthread_join(a, 0), pthread_join(b, 0), pthread_join(c, 0);
    return 0;
}
C
"$RECIPE" cc -g stats.c -o stats -pthread
run 0 record -o stats.d ./stats
run 1 analyze --model hb,shb,recipe-s stats.d
counts "./stats: 3 races (3 predicted) in 10 pairs of accesses"
report stats.d
is '.races | length' 10
is '[.entries[].headline] | sort | .[]' '"A `stats`, allocated in main (stats.c:23), is written in note (stats.c) and read in look (stats.c:11), and nothing orders the two"
"A `stats`, allocated in main (stats.c:23), is written in note (stats.c) by two threads, and nothing orders them"
"`stop` is written in watch (stats.c:18) and read in work (stats.c:14), and nothing orders the two"'
is '.entries | map(.races | length) | sort' '[1,3,6]'
is '[.races[] | select(.variable == "") | .allocated] | unique' '["main stats.c:23:13"]'
# what the program was not asked is predicted; what no replay showed would be apart, in entries as well
run 0 replay stats.d all
report stats.d
is '[.entries[].status] | unique' '["confirmed"]'
is '.entries | length' 3

# --- a container: many nodes, one bug ---
cat >map.cc <<'C'
#include <map>
#include <pthread.h>
static std::map<int, int> squares;
static void *add(void *p) {
    int n = p ? 2 : 3;
    squares[n] = n * n;
    return nullptr;
}
int main() {
    pthread_t a, b;
    pthread_create(&a, nullptr, add, &a), pthread_create(&b, nullptr, add, nullptr);
    pthread_join(a, nullptr), pthread_join(b, nullptr);
    return 0;
}
C
"$RECIPE" c++ -g map.cc -o map -pthread
run 0 record -o map.d ./map
run 1 analyze --model hb,shb,recipe-s map.d
report map.d
is '.races | length > 3' true
is '.entries | map(.headline)' '["`squares` is written in add(void*) (map.cc:6) by two threads, and nothing orders them"]'
counts ": 1 race (1 predicted) in $(jq '.races | length' json) pairs of accesses"

# --- several processes: their findings are one list, and so are their entries ---
printf '#!/bin/sh\n./count\n./stats\n./count\n' >all.sh
chmod +x all.sh
run 1 run --report - -o all.d ./all.sh
report all.d
is '.processes | length' 3
is '.entries | length' 4
is '.entries[0] | .headline, (.races | length)' '"`x` is written in work (count.c:3) by two threads, and nothing orders them"
2'
counts "4 races (4 confirmed) in 12 pairs of accesses"

# --- nothing, what is unproven, what several models say; the schema has a word for each ---
small_trace
run 0 trace import small.txt
run 1 analyze small.recipe
report small.recipe
is '.entries' '[{"headline":"`x` is written in locked (small.c:7) and in careless (small.c:12), and nothing orders the two","status":"predicted","races":[1]}]'
run 0 trace import "$RECIPE_SOURCE_DIR/examples/bank.txt"
run 1 analyze bank.recipe
report bank.recipe
is '.entries | length' 3
printf 'T1|w(x)|1\nT1|w(f)|2\nT2|r(f)|3\nT2|r(x)|4\n' >flag.std
run 0 trace import flag.std
run 1 analyze --model hb flag.recipe
report flag.recipe
is '.unproven | length' 1
is '.entries[0].headline' '"`f` is written at flag.std:2 and read at flag.std:3, and nothing orders the two"'
printf 'recipe trace 1\n' >empty.txt
run 0 trace import empty.txt
run 0 analyze empty.recipe
report empty.recipe
is '.entries + .unconfirmed_entries' '[]'

# --- a validator that lets everything pass would be none ---
bad() { # FILTER WORDS
    jq "$1" json | jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true \
        -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" >wrong
    grep -qF -e "$2" wrong || fail "after $1 the schema does not say '$2': $(cat wrong)"
}
report count.d
bad '.version = 2' '.version: 2, not 1'
bad 'del(.races[0].why)' '.races[0]: no why'
bad '.races[1].id = "2"' '.races[1].id: string, not integer'
bad '.races[0].model = "guess"' '.races[0].model: guess is none of'
bad '.entries[0].races = []' '.entries[0].races: too short'
bad '.races[0].accesses[0].surplus = 1' 'the key surplus is not described'
