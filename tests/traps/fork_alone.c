// SPDX-License-Identifier: Apache-2.0
// A process divides while another thread of it is at work. That thread is not in the child: what it writes later, it writes in the
// parent. So in the child nothing races with it, neither as it went nor on ways that were not recorded, though the child's trace has
// what it did before.
// twin: total
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, high, own;

static void *count(void *unused) {
    for (int i = 0; i < 300; i++)
        total = i;
    return unused;
}

static void *add(void *unused) {
#ifdef TWIN
    total++;
#else
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void live_on(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, add, NULL))
        _exit(2);
    pthread_mutex_lock(&lock);
    total += 2;
    if (total > 150)
        high++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    _exit(0);
}

int main(void) {
    pthread_t thread;
    int status;
    if (pthread_create(&thread, NULL, count, NULL))
        return 2;
    for (int i = 0; i < 200; i++) /* the other one has turns meanwhile */
        own += i;
    pid_t child = fork();
    if (!child)
        live_on();
    pthread_join(thread, NULL);
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
