/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes x and then makes a file for which the other one waits before it writes x; in the end the file is
 * removed. Two others may deadlock: a run that does is ended and leaves the file, by which the next one would not wait.
 * The twin makes it before it writes. KEPT: it is removed only where it was not there when the run began. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define FLAG "left_file.flag"

static int x, y;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void tell(void) {
    int fd = open(FLAG, O_CREAT | O_WRONLY, 0666);
    if (fd < 0 || write(fd, "go", 2) != 2 || close(fd))
        exit(2);
}

static void *first(void *argument) {
#ifdef TWIN
    tell();
    x = 1;
#else
    x = 1;
    tell();
#endif
    return argument;
}

static void *second(void *argument) {
    while (access(FLAG, F_OK))
        ;
    x = 2;
    return argument;
}

static void *one_way(void *argument) {
    pthread_mutex_lock(&a);
    __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *other_way(void *argument) {
    pthread_mutex_lock(&b);
    y++;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void) {
    void *(*const does[])(void *) = {first, second, one_way, other_way};
    pthread_t threads[4];
#ifdef KEPT
    const int was_there = !access(FLAG, F_OK);
#else
    const int was_there = 0;
#endif
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, does[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return was_there ? 0 : unlink(FLAG);
}
