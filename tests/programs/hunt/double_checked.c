/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked initialisation whose second check is right, and whose object is nearly always whole when it is
 * published: but if the settings changed while it was made, it is mended after that, when others may have it. The
 * pattern: Schmidt and Harrison, Double-Checked Locking, PLoP 1996; what is wrong with objects that are not whole:
 * Bacon and others, The 'Double-Checked Locking is Broken' Declaration.
 * Reachable: the first thread has read the settings and made the object; the settings change; it publishes the object;
 * another one takes it without the lock and reads `limit`; the first one finds the settings changed and writes `limit`.
 */
/* expect: race ->limit get/admit */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static struct table {
    int settings, limit, used;
} *_Atomic instance;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int settings = 1, admitted;

static struct table *make(int with) {
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        abort();
    table->settings = with;
    table->limit = with * 10;
    return table;
}

static struct table *get(void) {
    struct table *table = atomic_load(&instance);
    if (table)
        return table;
    int with = atomic_load(&settings);
    struct table *made = make(with); /* takes long, so not under the lock */
    pthread_mutex_lock(&lock);
    table = atomic_load(&instance);
    if (!table) {
        table = made;
        made = NULL;
#ifdef CLEAN
        if (atomic_load(&settings) != with)
            table->limit = atomic_load(&settings) * 10;
        atomic_store(&instance, table);
#else
        atomic_store(&instance, table);
        if (atomic_load(&settings) != with)
            table->limit = atomic_load(&settings) * 10;
#endif
    }
    pthread_mutex_unlock(&lock);
    free(made);
    return table;
}

static void *admit(void *wanted) {
    if (*(int *)wanted <= get()->limit)
        atomic_fetch_add(&admitted, 1);
    return NULL;
}

static void *change(void *unused) {
    atomic_store(&settings, 2);
    return unused;
}

int main(void) {
    int wanted[] = {5, 15};
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, admit, &wanted[0]);
    pthread_create(&threads[1], NULL, change, NULL);
    pthread_create(&threads[2], NULL, admit, &wanted[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", atomic_load(&admitted) > 0);
    free(atomic_load(&instance));
}
