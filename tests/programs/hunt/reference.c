/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that are counted, and a table in which they are found: who finds one there counts himself, and does not ask
 * whether the count was zero. Its last user may just have seen zero, and clear it. The rule that is broken is the third
 * of Documentation/core-api/kref.rst in Linux (kref_get_unless_zero; G. Kroah-Hartman, kobjects and krefs, OLS 2004).
 * Reachable: a user finds the object and is held up before he counts himself; the owner takes it out of the table,
 * takes his count away, sees zero, and clears the object; the user counts himself and reads.
 */
/* expect: race object.size use/clear */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { USERS = 2 };

static struct object {
    atomic_int references;
    int size;
    char name[8];
} object;

static struct object *_Atomic table;
static atomic_int sizes;

static void clear(struct object *it) {
    it->size = 0;
    it->name[0] = '\0';
}

static void put(struct object *it) {
    if (atomic_fetch_sub(&it->references, 1) == 1)
        clear(it);
}

static struct object *get(void) {
    struct object *it = atomic_load(&table);
    if (!it)
        return NULL;
#ifdef CLEAN
    int references = atomic_load(&it->references);
    do {
        if (!references)
            return NULL;
    } while (!atomic_compare_exchange_weak(&it->references, &references, references + 1));
#else
    atomic_fetch_add(&it->references, 1);
#endif
    return it;
}

static void *use(void *unused) {
    struct object *it = get();
    if (it) {
        atomic_fetch_add(&sizes, it->size);
        put(it);
    }
    return unused;
}

static void *owner(void *unused) {
    atomic_store(&table, NULL);
    put(&object);
    return unused;
}

int main(void) {
    pthread_t threads[USERS + 1];
    atomic_store(&object.references, 1);
    object.size = 4;
    snprintf(object.name, sizeof object.name, "%s", "one");
    atomic_store(&table, &object);
    for (int i = 0; i < USERS; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    pthread_create(&threads[USERS], NULL, owner, NULL);
    for (int i = 0; i <= USERS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", atomic_load(&sizes) <= 4 * USERS);
}
