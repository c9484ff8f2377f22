#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --inputs DIR: the program is run once for each file of a directory, whatever it is called; one report has the races of all, and says
# which input it was.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
cat >reads.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int shared;
static char text[16];

static void *work(void *arg) {
    if (!strcmp(text, "race"))
        shared++;
    return arg;
}

int main(int argc, char **argv) {
    FILE *from = argc > 1 ? fopen(argv[argc - 1] + strlen("--from="), "r") : stdin;
    pthread_t one, other;
    if (!from || !fgets(text, sizeof text, from))
        return 1;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    printf("%s %d %d\n", text, shared, argc);
    return 0;
}
EOF
"$RECIPE" cc -g -O1 reads.c -o reads -pthread
mkdir corpus corpus/directory empty
printf harmless >corpus/a
printf race >"corpus/it's a \"race\""
printf 'race here' >'corpus/$HOME *'
: >corpus/nothing # the program fails on it
printf race >corpus/.hidden

# As standard input.
run 1 run --inputs corpus --budget 40 --report text ./reads
says out 'harmless 0 1' 'race 2 1' 'race here 0 1'
[ "$(wc -l <out)" -eq 3 ] || fail "not each visible file once: $(cat out)"
tr -s ' \n' ' ' <text | grep -q "Process: process[.][0-9]*: [.]/reads <.*/corpus/it" || fail "which input it was: $(cat text)"
[ "$(grep -c '^Race ' text)" -eq 1 ] || fail "not one race: $(cat text)"
run 1 report --format json reads.recipe
jq -e '(.processes | length) == 4 and ([.races[].status] | unique) == ["confirmed"] and ([.races[].process] | unique | length) == 1' out >/dev/null ||
    fail "processes: $(cat out)"

# By its name, in hunts, too; a second recording has a name of its own.
run 1 hunt --inputs corpus --budget 40 --report text ./reads one --from=@@
says out 'harmless 0 3' 'race 2 3' 'race here 0 3'
says text 'classes of runs seen'
[ -d reads.recipe.1 ] || fail "no directory of its own: $(ls)"

# Wrong ones.
run 3 run --inputs empty ./reads
says err 'empty has no files'
run 3 run --inputs nowhere ./reads
says err 'nowhere: No such file'
[ ! -e reads.recipe.2 ] || fail 'a directory is left of what was not run'
