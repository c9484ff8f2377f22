/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/maker.h"

/* Not held, and after those that are: seldom in another order, which may deadlock. */
bool rcp_make_may_lock(rcp_maker *m, int which) {
    return !(m->held >> which & 1) && (!(m->held >> which) || rcp_make_percent(m, 3));
}

void rcp_make_lock(rcp_maker *m, int which) {
    uint16_t line = rcp_make_say(m, "pthread_mutex_lock(&m[%d]);", which);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_LOCK, .object = (int16_t)which, .line = line});
    m->held |= 1u << which;
}

void rcp_make_unlock(rcp_maker *m, int which) {
    uint16_t line = rcp_make_say(m, "pthread_mutex_unlock(&m[%d]);", which);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_UNLOCK, .object = (int16_t)which, .line = line});
    m->held &= ~(1u << which);
}

void rcp_make_section(rcp_maker *m) {
    int which = (int)rcp_make_below(m, RCP_SMALL_LOCKS);
    if (!rcp_make_may_lock(m, which))
        return;
    rcp_make_lock(m, which);
    rcp_make_block(m, 1 + rcp_make_below(m, 3));
    rcp_make_unlock(m, which);
}

/* A lock of two, which one is a register's matter. None may be held. */
void rcp_make_chosen_section(rcp_maker *m) {
    uint8_t r = rcp_make_register(m);
    if (m->held || m->frozen >> r & 1)
        return;
    rcp_small_op op = {.kind = RCP_SMALL_LOCK, .is_chosen = true, .object = r};
    op.line = rcp_make_say(m, "pthread_mutex_lock(&m[r%d & 1]);", r);
    rcp_make_put(m, op);
    m->held |= 3;
    m->frozen |= 1u << r;
    rcp_make_block(m, 1 + rcp_make_below(m, 2));
    m->frozen &= ~(1u << r);
    m->held &= ~3u;
    op.kind = RCP_SMALL_UNLOCK;
    op.line = rcp_make_say(m, "pthread_mutex_unlock(&m[r%d & 1]);", r);
    rcp_make_put(m, op);
}

/* if (c) lock … if (c) unlock */
void rcp_make_maybe_section(rcp_maker *m) {
    int which = (int)rcp_make_below(m, RCP_SMALL_LOCKS);
    uint8_t r = rcp_make_register(m);
    char text[RCP_MAKE_NAME];
    if (!rcp_make_may_lock(m, which) || m->frozen >> r & 1)
        return;
    rcp_small_expression condition = {RCP_SMALL_DIFFERS, r, 0, (int32_t)rcp_make_below(m, 2)};
    unsigned frozen = m->frozen;
    for (int i = 0; i < 2; i++) {
        rcp_make_say(m, "if (%s) {", rcp_make_value_text(condition, text));
        uint16_t branch = rcp_make_here(m);
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = condition});
        m->depth++;
        if (i)
            rcp_make_unlock(m, which);
        else
            rcp_make_lock(m, which);
        m->depth--;
        rcp_make_land(m, branch);
        rcp_make_say(m, "}");
        m->frozen |= 1u << r;
        if (!i)
            rcp_make_block(m, 1 + rcp_make_below(m, 2));
    }
    m->frozen = frozen;
}

void rcp_make_try_section(rcp_maker *m) {
    int which = (int)rcp_make_below(m, RCP_SMALL_LOCKS);
    uint8_t r = rcp_make_free_register(m);
    if (m->held >> which & 1 || r == RCP_MAKE_COUNTER)
        return;
    uint16_t line = rcp_make_say(m, "r%d = !pthread_mutex_trylock(&m[%d]);", r, which);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_TRYLOCK, .to = r, .object = (int16_t)which, .line = line});
    rcp_make_say(m, "if (r%d != 0) {", r);
    uint16_t branch = rcp_make_here(m);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = {RCP_SMALL_DIFFERS, r, 0, 0}});
    m->depth++;
    m->held |= 1u << which;
    rcp_make_block(m, 1 + rcp_make_below(m, 2));
    rcp_make_unlock(m, which);
    m->depth--;
    rcp_make_land(m, branch);
    rcp_make_say(m, "}");
}

/* The read-write lock comes after all others. */
void rcp_make_read_section(rcp_maker *m) {
    const unsigned all = ~0u;
    bool writes = rcp_make_percent(m, 50);
    unsigned held = m->held;
    if (held == all)
        return;
    uint16_t line = rcp_make_say(m, writes ? "pthread_rwlock_wrlock(&w);" : "pthread_rwlock_rdlock(&w);");
    rcp_make_put(m, (rcp_small_op){.kind = writes ? RCP_SMALL_WRITE_LOCK : RCP_SMALL_READ_LOCK, .line = line});
    m->held = all;
    rcp_make_block(m, 1 + rcp_make_below(m, 2));
    m->held = held;
    line = rcp_make_say(m, "pthread_rwlock_unlock(&w);");
    rcp_make_put(m, (rcp_small_op){.kind = writes ? RCP_SMALL_WRITE_UNLOCK : RCP_SMALL_READ_UNLOCK, .line = line});
}

void rcp_make_semaphore(rcp_maker *m) {
    uint8_t r = rcp_make_free_register(m);
    switch (rcp_make_below(m, r == RCP_MAKE_COUNTER ? 3 : 4)) {
    case 0:
    case 1: rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_POST, .line = rcp_make_say(m, "sem_post(&s);")}); break;
    case 2:
        if (!m->held)
            rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SEM_WAIT, .line = rcp_make_say(m, "sem_wait(&s);")});
        break;
    default: {
        uint16_t line = rcp_make_say(m, "r%d = !sem_trywait(&s);", r);
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_SEM_TRY, .to = r, .line = line});
        rcp_make_branch(m, (rcp_small_expression){RCP_SMALL_DIFFERS, r, 0, 0}, rcp_make_percent(m, 40));
        break;
    }
    }
}

/* The condition belongs to lock 0, its flag is x0 or x1. */
void rcp_make_wait(rcp_maker *m) {
    uint8_t r = rcp_make_free_register(m);
    if (m->held || r == RCP_MAKE_COUNTER)
        return;
    rcp_small_place flag = {.where = RCP_SMALL_AT, .cell = (uint8_t)rcp_make_below(m, 2)};
    bool again = rcp_make_percent(m, 70);
    rcp_make_lock(m, 0);
    rcp_make_load(m, flag, r, false);
    rcp_make_say(m, again ? "while (r%d == 0) {" : "if (r%d == 0) {", r);
    uint16_t branch = rcp_make_here(m);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_BRANCH, .value = {RCP_SMALL_EQUAL, r, 0, 0}});
    m->depth++;
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_WAIT, .line = rcp_make_say(m, "pthread_cond_wait(&c, &m[0]);")});
    rcp_make_load(m, flag, r, false);
    m->depth--;
    if (again)
        rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_JUMP, .target = branch});
    rcp_make_land(m, branch);
    rcp_make_say(m, "}");
    rcp_make_unlock(m, 0);
}

void rcp_make_announce(rcp_maker *m) {
    bool all = rcp_make_percent(m, 50), locks = rcp_make_may_lock(m, 0);
    rcp_small_place flag = {.where = RCP_SMALL_AT, .cell = (uint8_t)rcp_make_below(m, 2)};
    if (locks)
        rcp_make_lock(m, 0);
    rcp_make_store(m, flag, (rcp_small_expression){RCP_SMALL_CONST, 0, 0, 1 + (int32_t)rcp_make_below(m, 2)}, false);
    uint16_t line = rcp_make_say(m, all ? "pthread_cond_broadcast(&c);" : "pthread_cond_signal(&c);");
    rcp_make_put(m, (rcp_small_op){.kind = all ? RCP_SMALL_BROADCAST : RCP_SMALL_SIGNAL, .line = line});
    if (locks)
        rcp_make_unlock(m, 0);
}

/* Who creates it waits for its end, so that it has ended when main prints. */
void rcp_make_late_thread(rcp_maker *m) {
    unsigned late = m->program->late;
    if (!m->may_fork || m->in_function || m->frozen >> RCP_MAKE_COUNTER & 1)
        return;
    m->may_fork = false;
    bool may_return = m->may_return;
    m->may_return = false;
    uint16_t line = rcp_make_say(m, "pthread_create(&l, 0, thread%u, 0);", late);
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_FORK, .object = (int16_t)late, .line = line});
    rcp_make_block(m, 1 + rcp_make_below(m, 2));
    line = rcp_make_say(m, "pthread_join(l, 0);");
    rcp_make_put(m, (rcp_small_op){.kind = RCP_SMALL_JOIN, .object = (int16_t)late, .line = line});
    m->may_return = may_return;
}
