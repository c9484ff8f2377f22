// SPDX-License-Identifier: Apache-2.0
// A function that the program keeps from TSan, in a build for that: what it does is not reported. The twin's is like any other.
// twin: level
// flags: -fsanitize=thread
#include <pthread.h>

#if !__has_feature(thread_sanitizer)
#error "the source is not told"
#endif

static int level;

#ifndef TWIN
__attribute__((no_sanitize("thread")))
#endif
static int
look(void) {
    return level;
}

static void *raises(void *unused) {
    level = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, raises, NULL))
        return 1;
    const int seen = look();
    pthread_join(thread, NULL);
    return seen > 1;
}
