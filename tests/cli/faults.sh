#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls of the system fail, the disk is full, and recipe is killed, at places of its code: nothing is lost, and the same stage once
# more ends as it always does (tests/faults.bash, which has all of the places).
. "$(dirname "$0")/lib.bash"

if ! (ulimit -v 4000000 && "$RECIPE" --version >out 2>err); then
    echo "skipped: a sanitizer's own memory would be refused, and ends the process" >&2
    exit 77
fi

# Its races hang on what is not recorded, on values, and on the order of locks: so all stages have something to do.
build p <<'C'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x[8], y;
static void *one(void *unused) {
    for (int i = 0; i < 3; i++) {
        x[i] = i;
        pthread_mutex_lock(&m);
        y += i;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
static void *two(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        int seen = y;
        pthread_mutex_unlock(&m);
        x[i] = seen > i ? x[i] + 1 : 7;
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", x[1]);
    return 0;
}
C

seed=${FAULTS_SEED:-$((1 + ${RECIPE_CHECK_PART:-0} + $(date +%s) / 86400))}
# WHAT STAGE PLACES SAMPLE
while read -r what stage places sample; do
    code=0
    "$RECIPE_SOURCE_DIR/tests/faults.bash" --seed "$seed" "$what" "$(few "$places" "$sample" places)" "$stage" p </dev/null || code=$?
    [ $code -ne 77 ] || exit 77
    [ $code -eq 0 ] || fail "$stage, $what: see above"
done <<'STAGES'
fail analyze 10 4
fail replay 10 4
fail report 3 1
full analyze 3 1
full replay 2 1
kill tell 3 1
kill analyze 4 1
kill replay 3 1
kill report 1 1
STAGES
