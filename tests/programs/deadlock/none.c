/* SPDX-License-Identifier: Apache-2.0 */
/* Programs all of whose threads wait, and that go on all the same: nobody may end them. Each waits for longer than a
 * recorder looks, so that it looks.
 *   none signal|alarm|timer|mutex|shared|word|eventfd|pipe|child|deadline
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *kind;
static sem_t go;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static struct {
    sem_t sem;
    pthread_mutex_t mutex;
    int word;
} *shared;

static int is(const char *what) { return !strcmp(kind, what); }

static void a_while(void) {
    struct timespec time = {0, 300000000};
    nanosleep(&time, NULL);
}

static void handler(int signal) {
    (void)signal;
    sem_post(&go);
}

static void expired(union sigval unused) {
    (void)unused;
    sem_post(&go);
}

static void handle(int signal) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(signal, &action, NULL);
}

static void *wait_for_it(void *unused) {
    if (is("deadline")) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_mutex_lock(&m);
        while (!pthread_cond_timedwait(&never, &m, &until))
            ;
        pthread_mutex_unlock(&m);
    } else if (is("mutex")) {
        pthread_mutex_lock(&shared->mutex);
        pthread_mutex_unlock(&shared->mutex);
    } else if (is("shared")) {
        sem_wait(&shared->sem);
    } else if (is("word")) {
        while (!__atomic_load_n(&shared->word, __ATOMIC_SEQ_CST))
            syscall(SYS_futex, &shared->word, FUTEX_WAIT, 0, NULL, NULL, 0);
    } else if (!is("eventfd") && !is("pipe") && !is("child")) {
        while (sem_wait(&go))
            ;
    }
    return unused;
}

/* What the child does after a while; the parent's threads wait by then. */
static void let_go(int event, const int ends[2], pid_t parent) {
    uint64_t one = 1;
    if (is("mutex")) {
        pthread_mutex_lock(&shared->mutex);
        if (write(ends[1], "x", 1) != 1)
            _exit(1);
    }
    a_while();
    if (is("signal"))
        kill(parent, SIGUSR1);
    else if (is("mutex"))
        pthread_mutex_unlock(&shared->mutex);
    else if (is("shared"))
        sem_post(&shared->sem);
    else if (is("word")) {
        __atomic_store_n(&shared->word, 1, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, &shared->word, FUTEX_WAKE, 1, NULL, NULL, 0);
    } else if (is("eventfd"))
        _exit(write(event, &one, sizeof one) != sizeof one);
    else if (is("pipe"))
        _exit(write(ends[1], "x", 1) != 1);
    _exit(0);
}

int main(int n, char **words) {
    kind = n > 1 ? words[1] : "signal";
    pthread_mutexattr_t of_all;
    int event = eventfd(0, 0), ends[2];
    pid_t child = 0, self = getpid();
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&go, 0, 0);
    sem_init(&shared->sem, 1, 0);
    pthread_mutexattr_init(&of_all);
    pthread_mutexattr_setpshared(&of_all, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex, &of_all);
    if (pipe(ends))
        return 3;
    handle(is("signal") ? SIGUSR1 : is("alarm") ? SIGALRM : SIGUSR2);
    if (!is("signal") && !is("alarm"))
        signal(SIGUSR2, SIG_DFL);
    if (is("alarm"))
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 300000}}, NULL);
    if (is("timer")) {
        timer_t timer;
        struct sigevent how = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
        if (timer_create(CLOCK_MONOTONIC, &how, &timer) ||
            timer_settime(timer, 0, &(struct itimerspec){.it_value = {0, 300000000}}, NULL))
            return 3;
    }
    if (!is("alarm") && !is("timer") && !is("deadline")) {
        child = fork();
        if (!child)
            let_go(event, ends, self);
    }
    pthread_t t;
    uint64_t count = 0;
    if (is("mutex") && read(ends[0], &count, 1) != 1) /* the child has it */
        return 4;
    pthread_create(&t, NULL, wait_for_it, NULL);
    if (is("eventfd") && read(event, &count, sizeof count) != sizeof count)
        return 4;
    if (is("pipe") && read(ends[0], &count, 1) != 1)
        return 4;
    pthread_join(t, NULL);
    if (child)
        waitpid(child, NULL, 0);
    puts("went on");
    return 0;
}
