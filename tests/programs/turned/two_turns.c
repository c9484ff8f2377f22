/* SPDX-License-Identifier: Apache-2.0 */
/* A race behind two turns. The looker finds the flag set, where the setter comes first. Only who finds it clear asks the system, whose
 * answer nobody can think out, and looks again; in a run that is led there the setter has then come to its end, and it is once more the
 * other case in which the looker writes. TWIN: what it writes is its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int flag, done;
static int shared, own;

static void *setter(void *arg) {
    atomic_store(&flag, 1);
    atomic_store(&done, 1);
    return arg;
}

static void *looker(void *arg) {
    if (atomic_load(&flag) == 0 && getppid() != 1 << 30)
        if (atomic_load(&done) == 0) {
#ifdef TWIN
            own = 1;
#else
            shared = 1;
#endif
        }
    return arg;
}

static void *writer(void *arg) {
    shared = 2;
    return arg;
}

int main(void) {
    pthread_t threads[3];
    void *(*const code[3])(void *) = {setter, looker, writer};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, code[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    puts(own + shared > 1 ? "much" : "little");
    return 0;
}
