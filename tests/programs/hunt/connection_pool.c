/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of connections: who finds none idle waits, and is handed the next one that comes back. A connection that was
 * tested meanwhile comes back, too: it is marked idle and handed over. Then whoever asks next has the same one. Of
 * HikariCP (github.com/brettwooldridge/HikariCP, issue 1909) one reads that a new connection is both in the list and
 * offered to who waits: there he looks whether it is still free.
 * Reachable: the tester has the one connection; a client finds none idle and waits; the tester is done, marks it idle,
 * and hands it to the client, who uses it; the other client finds it idle and uses it, too.
 */
/* expect: race pool.requests use/use */
#include <pthread.h>
#include <stdio.h>

enum { CONNECTIONS = 1, CLIENTS = 2 };

enum state { IDLE, BUSY, TESTED };

static struct connection {
    enum state state; /* under the lock, as is all of the pool */
    int requests;     /* whoever has it uses it alone */
} pool[CONNECTIONS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed_over = PTHREAD_COND_INITIALIZER;
static int waiting;
static struct connection *handed;

static struct connection *find_idle(enum state becomes) {
    for (int i = 0; i < CONNECTIONS; i++)
        if (pool[i].state == IDLE) {
            pool[i].state = becomes;
            return &pool[i];
        }
    return NULL;
}

static struct connection *borrow(void) {
    pthread_mutex_lock(&lock);
    struct connection *it = find_idle(BUSY);
    if (!it) {
        waiting++;
        while (!handed)
            pthread_cond_wait(&handed_over, &lock);
        waiting--;
        it = handed;
        handed = NULL;
    }
    pthread_mutex_unlock(&lock);
    return it;
}

static void give_back(struct connection *it) {
    pthread_mutex_lock(&lock);
    if (waiting) {
        handed = it;
        pthread_cond_signal(&handed_over);
    } else {
        it->state = IDLE;
    }
    pthread_mutex_unlock(&lock);
}

static void *tester(void *unused) {
    pthread_mutex_lock(&lock);
    struct connection *it = find_idle(TESTED);
    pthread_mutex_unlock(&lock);
    if (!it)
        return unused;
    it->requests++;
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    it->state = waiting ? BUSY : IDLE;
#else
    it->state = IDLE;
#endif
    if (waiting) {
        handed = it;
        pthread_cond_signal(&handed_over);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void use(struct connection *it) { it->requests++; }

static void *client(void *unused) {
    struct connection *it = borrow();
    use(it);
    give_back(it);
    return unused;
}

int main(void) {
    pthread_t threads[CLIENTS + 1];
    pthread_create(&threads[0], NULL, client, NULL);
    pthread_create(&threads[1], NULL, tester, NULL);
    pthread_create(&threads[2], NULL, client, NULL);
    for (int i = 0; i <= CLIENTS; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", pool[0].requests >= CLIENTS);
}
