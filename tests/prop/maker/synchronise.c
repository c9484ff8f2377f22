/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation that can't block for ever: locks (a semaphore of at least one is one) nest in one order only; between
 * phases all threads meet, holding nothing; what a queue's consumers take its producer, which waits for nobody, puts
 * in; a flag that threads spin on is set by main. A serial program has only what no other thread is needed for. */
#include "prop/maker/maker.h"

typedef enum lock_kind { PLAIN, RECURSIVE, READ_WRITE, SPIN, COUNTING } lock_kind;

static const lock_kind kinds[RCP_LOCKS] = {PLAIN, PLAIN, RECURSIVE, READ_WRITE, SPIN, COUNTING};
static const char *const names[RCP_LOCKS] = {"lock0", "lock1", "recursive", "readers", "spin", "places"};
enum { ITEMS = 3 }; /* that each thread takes from the queue */

void rcp_synchronise_declare(rcp_maker *m) {
    rcp_line(m, "static pthread_mutex_t lock0 = PTHREAD_MUTEX_INITIALIZER, lock1 = PTHREAD_MUTEX_INITIALIZER;");
    rcp_line(m, "static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;");
    rcp_line(m, "static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;");
    rcp_line(m, "static pthread_spinlock_t spin;");
    rcp_line(m, "static sem_t places, started;");
    rcp_line(m, "static pthread_barrier_t meeting;");
    rcp_line(m, "static pthread_once_t once = PTHREAD_ONCE_INIT;");
    rcp_line(m, "static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;");
    rcp_line(m, "static pthread_cond_t opened = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;");
    rcp_line(m, "static uint32_t arrived, taken, given, sum_of_items, queue[%u];", m->threads * ITEMS);
    rcp_line(m, "static uint32_t flag, once_ran;");
    rcp_line(m, "struct node {\n    struct node *next;\n    uint32_t value;\n};\nstatic struct node *list;");
    rcp_line(m, "static void run_once(void) { once_ran++; }\n");
}

void rcp_synchronise_start(rcp_maker *m) {
    rcp_line(m, "pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);");
    rcp_line(m, "sem_init(&places, 0, %u);", 1 + rcp_pick(m, 2));
    rcp_line(m, "sem_init(&started, 0, 0);");
    rcp_line(m, "pthread_barrier_init(&meeting, NULL, %u);", m->threads);
}

void rcp_synchronise_begin(rcp_maker *m, unsigned i) {
    if (m->serial)
        return;
    if (rcp_chance(m, 40)) {
        rcp_note(m, RCP_FEATURE_SPIN_ON_FLAG);
        rcp_line(m, "while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))%s", rcp_chance(m, 50) ? " sched_yield();" : ";");
    }
    if (m->has[RCP_FEATURE_QUEUE] || (i == 0 && rcp_chance(m, 50))) {
        rcp_note(m, RCP_FEATURE_QUEUE);
        rcp_open(m, "for (unsigned i = 0; i < %u; i++)", ITEMS);
        rcp_line(m, "pthread_mutex_lock(&gate);");
        rcp_line(m, "while (taken == given)");
        rcp_line(m, "    pthread_cond_wait(&filled, &gate);");
        rcp_line(m, "uint32_t item = queue[taken++];");
        rcp_line(m, "sum_of_items = sum_of_items * 3 + item;");
        rcp_line(m, "pthread_mutex_unlock(&gate);");
        rcp_close(m, "");
    }
}

void rcp_synchronise_feed(rcp_maker *m) {
    if (m->serial)
        return;
    rcp_line(m, "__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);");
    if (!m->has[RCP_FEATURE_QUEUE])
        return;
    rcp_open(m, "for (unsigned i = 0; i < %u; i++)", m->threads * ITEMS);
    rcp_line(m, "pthread_mutex_lock(&gate);");
    rcp_line(m, "queue[given++] = i * 7 + 1;");
    rcp_line(m, rcp_chance(m, 50) ? "pthread_cond_signal(&filled);" : "pthread_cond_broadcast(&filled);");
    rcp_line(m, "pthread_mutex_unlock(&gate);");
    rcp_close(m, "");
}

/* The same for every thread. */
void rcp_synchronise_phase(rcp_maker *m) {
    if (m->serial)
        return;
    if (m->phases & 1) {
        rcp_note(m, RCP_FEATURE_BARRIER);
        rcp_line(m, "pthread_barrier_wait(&meeting);");
        return;
    }
    rcp_note(m, RCP_FEATURE_CONDITION);
    rcp_block(m);
    rcp_line(m, "pthread_mutex_lock(&gate);");
    rcp_line(m, "arrived++;");
    rcp_line(m, "pthread_cond_broadcast(&opened);");
    if (rcp_chance(m, 40)) {
        rcp_note(m, RCP_FEATURE_CONDITION_TIMED);
        rcp_line(m, "struct timespec late = {.tv_sec = INT32_MAX};");
        rcp_line(m, "while (arrived < %u)", m->threads);
        rcp_line(m, "    pthread_cond_timedwait(&opened, &gate, &late);");
    } else {
        rcp_line(m, "while (arrived < %u)", m->threads);
        rcp_line(m, "    pthread_cond_wait(&opened, &gate);");
    }
    rcp_line(m, "pthread_mutex_unlock(&gate);");
    rcp_close(m, "");
}

static void take(rcp_maker *m, unsigned lock, bool *is_try) {
    *is_try = rcp_chance(m, 25);
    switch (kinds[lock]) {
    case PLAIN:
        rcp_note(m, *is_try ? RCP_FEATURE_MUTEX_TRYLOCK : RCP_FEATURE_MUTEX);
        if (*is_try)
            rcp_open(m, "if (!pthread_mutex_trylock(&%s))", names[lock]);
        else
            rcp_line(m, "pthread_mutex_lock(&%s);", names[lock]);
        break;
    case RECURSIVE:
        rcp_note(m, RCP_FEATURE_MUTEX_RECURSIVE);
        *is_try = false;
        rcp_line(m, "pthread_mutex_lock(&recursive);");
        rcp_line(m, "pthread_mutex_lock(&recursive);");
        break;
    case READ_WRITE: {
        bool reads = rcp_chance(m, 50);
        rcp_note(m, reads ? RCP_FEATURE_RWLOCK_READ : RCP_FEATURE_RWLOCK_WRITE);
        if (*is_try)
            rcp_open(m, "if (!pthread_rwlock_try%slock(&readers))", reads ? "rd" : "wr");
        else
            rcp_line(m, "pthread_rwlock_%slock(&readers);", reads ? "rd" : "wr");
        break;
    }
    case SPIN:
        rcp_note(m, RCP_FEATURE_SPINLOCK);
        if (*is_try)
            rcp_open(m, "if (!pthread_spin_trylock(&spin))");
        else
            rcp_line(m, "pthread_spin_lock(&spin);");
        break;
    case COUNTING:
        rcp_note(m, *is_try ? RCP_FEATURE_SEMAPHORE_TRY : RCP_FEATURE_SEMAPHORE);
        if (*is_try)
            rcp_open(m, "if (!sem_trywait(&places))");
        else
            rcp_line(m, "sem_wait(&places);");
        break;
    }
}

static void give(rcp_maker *m, unsigned lock) {
    switch (kinds[lock]) {
    case PLAIN: rcp_line(m, "pthread_mutex_unlock(&%s);", names[lock]); break;
    case RECURSIVE:
        rcp_line(m, "pthread_mutex_unlock(&recursive);");
        rcp_line(m, "pthread_mutex_unlock(&recursive);");
        break;
    case READ_WRITE: rcp_line(m, "pthread_rwlock_unlock(&readers);"); break;
    case SPIN: rcp_line(m, "pthread_spin_unlock(&spin);"); break;
    case COUNTING: rcp_line(m, "sem_post(&places);"); break;
    }
}

/* Statements with a lock held. Nothing leaves it by a jump: loops outside are not to be left from within. */
static void critical_section(rcp_maker *m) {
    if (m->lock >= RCP_LOCKS)
        return;
    unsigned lock = m->lock + rcp_pick(m, RCP_LOCKS - m->lock), before = m->lock;
    bool was_in_loop = m->in_loop, is_try;
    m->cost += m->factor * 4;
    rcp_block(m);
    take(m, lock, &is_try);
    m->in_loop = false;
    m->lock = lock + 1;
    rcp_body(m, 1 + rcp_pick(m, 4));
    m->lock = before;
    m->in_loop = was_in_loop;
    give(m, lock);
    if (is_try)
        rcp_close(m, "");
    rcp_close(m, "");
}

static void push_node(rcp_maker *m) {
    rcp_note(m, RCP_FEATURE_LIST);
    rcp_block(m);
    rcp_line(m, "struct node *made = malloc(sizeof *made);");
    rcp_line(m, "made->value = %s;", rcp_expression(m, RCP_U32, 2));
    rcp_line(m, "pthread_mutex_lock(&gate);");
    rcp_line(m, "made->next = list;");
    rcp_line(m, "list = made;");
    rcp_line(m, "pthread_mutex_unlock(&gate);");
    rcp_close(m, "");
}

void rcp_synchronise(rcp_maker *m) {
    if (rcp_chance(m, 10) && m->lock == 0) {
        rcp_note(m, RCP_FEATURE_ONCE);
        rcp_line(m, "pthread_once(&once, run_once);");
    } else if (rcp_chance(m, 10) && rcp_affords(m, 20)) {
        push_node(m);
        m->cost += m->factor * 10;
    } else
        critical_section(m);
}

void rcp_synchronise_end(rcp_maker *m) {
    rcp_line(m, "show(\"items\", sum_of_items);");
    rcp_line(m, "show(\"once\", once_ran);");
    rcp_line(m, "uint64_t nodes = 0;");
    rcp_open(m, "while (list)");
    rcp_line(m, "struct node *next = list->next;");
    rcp_line(m, "nodes = nodes * 5 + list->value;");
    rcp_line(m, "free(list);");
    rcp_line(m, "list = next;");
    rcp_close(m, "");
    rcp_line(m, "show(\"list\", nodes);");
}
