/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of the values used last: one lock for the index (which key is where), one for the order of use. Who looks up
 * a key takes the value when he has let go of the index, before he has moved it to the front: meanwhile it may be the
 * last one, and be evicted and overwritten. So it was in the cache of dcrd (github.com/decred/dcrd, pull request 2464:
 * 'fetched outside the mutex lock').
 * Reachable: the cache is full; a lookup finds the entry that was used longest ago, and lets go of the index; an
 * insertion takes that entry from the end of the list and writes its value; the lookup reads it.
 */
/* expect: race entries.value lookup/insert */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ENTRIES = 2 };

static struct entry {
    int key, value;
    struct entry *newer, *older;
} entries[ENTRIES];

static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER, order_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *newest, *oldest; /* under order_lock */
static atomic_int found;

static void unlink_entry(struct entry *entry) {
    *(entry->newer ? &entry->newer->older : &newest) = entry->older;
    *(entry->older ? &entry->older->newer : &oldest) = entry->newer;
}

static void link_first(struct entry *entry) {
    entry->newer = NULL;
    entry->older = newest;
    *(newest ? &newest->newer : &oldest) = entry;
    newest = entry;
}

static int lookup(int key) {
    struct entry *entry = NULL;
    int value = 0;
    pthread_mutex_lock(&index_lock);
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i].key == key)
            entry = &entries[i];
#ifdef CLEAN
    if (entry)
        value = entry->value;
#endif
    pthread_mutex_unlock(&index_lock);
    if (!entry)
        return 0;
#ifndef CLEAN
    value = entry->value;
#endif
    pthread_mutex_lock(&order_lock);
    unlink_entry(entry);
    link_first(entry);
    pthread_mutex_unlock(&order_lock);
    return value;
}

static void insert(int key, int value) {
    pthread_mutex_lock(&order_lock);
    struct entry *victim = oldest;
    unlink_entry(victim);
    link_first(victim);
    pthread_mutex_unlock(&order_lock);
    pthread_mutex_lock(&index_lock);
    victim->key = key;
    victim->value = value;
    pthread_mutex_unlock(&index_lock);
}

static void *reader(void *key) {
    atomic_fetch_add(&found, lookup(*(int *)key) != 0);
    return NULL;
}

static void *writer(void *key) {
    insert(*(int *)key, 30);
    return NULL;
}

int main(void) {
    int keys[] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < ENTRIES; i++) {
        entries[i] = (struct entry){i + 1, 10 * (i + 1), NULL, NULL};
        link_first(&entries[i]);
    }
    pthread_create(&threads[0], NULL, reader, &keys[0]);
    pthread_create(&threads[1], NULL, reader, &keys[1]);
    pthread_create(&threads[2], NULL, writer, &keys[2]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", atomic_load(&found) > 0);
}
