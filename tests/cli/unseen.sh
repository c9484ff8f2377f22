#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs of decides.sh under ThreadSanitizer and Helgrind, in the order in which they were recorded: T1 to its end, then T2.
# The flag that decides is under a lock, so neither of them has anything to say.
. "$(dirname "$0")/lib.bash"
programs=$RECIPE_SOURCE_DIR/tests/programs/predict

# One processor, and whoever runs goes on until it blocks: main until it joins T1, T1, then T2.
in_turn=(chrt --fifo 1 taskset --cpu-list 0)
"${in_turn[@]}" true 2>err || {
    echo "SKIPPED: the order of threads can't be fixed here: $(cat err)"
    exit 77
}
clang=$(command -v clang-19 || command -v clang || true)
echo 'int main(void) { return 0; }' >empty.c
tsan=yes
[ -n "$clang" ] && "$clang" -fsanitize=thread empty.c -o empty 2>err && setarch -R ./empty 2>err || tsan=
valgrind=$(command -v valgrind || true)
[ -n "$tsan" ] || echo "without ThreadSanitizer: $(head -1 err)"
[ -n "$valgrind" ] || echo "without Helgrind: there is no valgrind"
[ -n "$tsan$valgrind" ] || exit 77

# The same tools on a race that they must see, or their silence says nothing.
cat >plain.c <<'END'
#include <pthread.h>
static int v;
static void *one(void *unused) { v++; return unused; }
int main(void) {
    pthread_t t1, t2;
    if (pthread_create(&t1, NULL, one, NULL) || pthread_create(&t2, NULL, one, NULL))
        return 1;
    return pthread_join(t1, NULL) || pthread_join(t2, NULL);
}
END

# sees_race SOURCE TOOL: does it warn? What the program printed is in ./out.
sees_race() {
    if [ "$2" = tsan ]; then
        "$clang" -g -O1 -fsanitize=thread "$1" -o program -pthread
        "${in_turn[@]}" setarch -R ./program >out 2>err || true
        grep -q 'WARNING: ThreadSanitizer: data race' err
    else
        cc -g -O1 "$1" -o program -pthread
        "${in_turn[@]}" "$valgrind" --tool=helgrind ./program >out 2>err || true
        grep -q 'ERROR SUMMARY' err || fail "helgrind: $(cat err)"
        ! grep -q 'ERROR SUMMARY: 0 errors' err
    fi
}

n=0
for tool in ${tsan:+tsan} ${valgrind:+helgrind}; do
    sees_race plain.c $tool || fail "$tool does not see a plain race: $(cat err)"
    for source in "$programs"/*.c; do
        ! sees_race "$source" $tool || fail "$tool finds the race of $(basename "$source")"
        [ "$(cat out)" = 1 ] || fail "$(basename "$source") under $tool prints $(cat out)"
        n=$((n + 1))
    done
done
[ $n -ge 8 ] || fail "only $n runs"
