// SPDX-License-Identifier: Apache-2.0
// A look at what another thread writes, which the program asks not to report. The twin asks it of writes alone.
// twin: level
#include <pthread.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static int level;

static void *raises(void *unused) {
    level = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, raises, NULL))
        return 1;
#ifdef TWIN
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#else
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
#endif
    const int seen = level;
#ifdef TWIN
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#else
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
    pthread_join(thread, NULL);
    return seen > 1;
}
