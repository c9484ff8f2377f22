// SPDX-License-Identifier: Apache-2.0
// What readdir() returns is in memory that the next call with that directory may write again, and sscanf() writes where it is told to: the
// threads share a directory, and a number, under a lock. The twin's read the number after they have let go of it.
// twin: number
// exact: what both functions have written is in the log
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static DIR *folder;
static int number;

static void *looks(void *text) {
    pthread_mutex_lock(&lock);
    const struct dirent *entry = readdir(folder);
    int n = sscanf(text, "%d", &number);
    int is = entry && entry->d_name[0] && n == 1;
#ifdef TWIN
    pthread_mutex_unlock(&lock);
    is &= number != 0;
#else
    is &= number != 0;
    pthread_mutex_unlock(&lock);
#endif
    return is ? text : NULL;
}

int main(void) {
    pthread_t threads[2];
    folder = opendir("/");
    if (!folder || pthread_create(&threads[0], NULL, looks, "1") || pthread_create(&threads[1], NULL, looks, "2"))
        return 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return closedir(folder);
}
