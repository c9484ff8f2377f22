// SPDX-License-Identifier: Apache-2.0
// A dup2() that fails closes nothing: whoever uses the number meanwhile still has what it led to. The twin's does not fail.
// twin: descriptor
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, other;

static void *uses(void *unused) {
    return write(file, "a line", 6) == 6 ? unused : &file;
}

static void *replaces(void *unused) {
#ifdef TWIN
    const int from = other;
#else
    const int from = -1;
#endif
    return (dup2(from, file) < 0) == (from < 0) ? unused : &file;
}

int main(void) {
    pthread_t first, second;
    void *failed[2];
    file = open("/dev/null", O_WRONLY);
    other = open("/dev/null", O_WRONLY);
    if (pthread_create(&first, NULL, uses, NULL) || pthread_create(&second, NULL, replaces, NULL))
        return 1;
    pthread_join(first, &failed[0]);
    pthread_join(second, &failed[1]);
    return failed[0] || failed[1] || close(file) || close(other);
}
