/* SPDX-License-Identifier: Apache-2.0 */
/* What threads of a library's pool leave, the main thread reads when the library says that all is done; the twin looks
 * before. What else the two share is ordered in both, by the library alone. */
#include <stdio.h>
#include <stdlib.h>

void pool_start(void (*run)(void *));
void pool_push(void *given);
void pool_wait(void);
void pool_end(void);

enum { JOBS = 6 };
struct job {
    int upto;
    int *sum;
};

static void add(void *given) {
    struct job *job = given;
    int *sum = malloc(sizeof *sum);
    *sum = 0;
    for (int i = 0; i < job->upto; i++)
        *sum += i;
    job->sum = sum;
}

static int count(const struct job *jobs) {
    int n = 0;
    for (int i = 0; i < JOBS; i++)
        n += jobs[i].sum != NULL;
    return n;
}

int main(void) {
    struct job *jobs = calloc(JOBS, sizeof *jobs);
    pool_start(add);
    for (int i = 0; i < JOBS; i++) {
        jobs[i].upto = 4 + i;
        pool_push(&jobs[i]);
    }
#ifdef TWIN
    int done = count(jobs);
    pool_wait();
#else
    pool_wait();
    int done = count(jobs);
#endif
    int all = 0;
    for (int i = 0; i < JOBS; i++) {
        all += *jobs[i].sum;
        free(jobs[i].sum);
    }
    pool_end();
    free(jobs);
    printf("%d %d\n", all, done > JOBS);
    return 0;
}
