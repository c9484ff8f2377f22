/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/overlap.h"

#include "base/vec.h"

typedef struct state {
    bool *lives; /* by thread: it was forked, or is the first one, and nobody has joined it */
    bool *acted; /* it, or one that it has joined, did something that others who live may not be ordered after */
    size_t threads, living, acting;
    bool has_first;
} state;

static void set(bool *flag, size_t *count, bool to) {
    *count += (size_t)to - (size_t)*flag;
    *flag = to;
}

/* What orders threads, and what nobody can race with. */
static bool is_act(const rcp_event *e) {
    switch ((rcp_kind)e->kind) {
    case RCP_BEGIN:
    case RCP_END:
    case RCP_FORK:
    case RCP_JOIN:
    case RCP_EXIT:
    case RCP_BRANCH: return false;
    default: return true;
    }
}

/* True: two have acted, and nothing says in which order; or a thread is there that nobody has forked. */
static bool look(state *s, const rcp_event *e) {
    uint32_t tid = e->tid.v;
    if (!s->lives[tid] && s->has_first)
        return true;
    s->has_first = true;
    set(&s->lives[tid], &s->living, true);
    if (e->kind == RCP_FORK) {
        if (s->living == 1) /* what it did until now comes before all that the new one does */
            set(&s->acted[tid], &s->acting, false);
        set(&s->lives[e->child.v], &s->living, true);
    } else if (e->kind == RCP_JOIN && e->outcome == RCP_DONE) {
        bool did = s->acted[e->child.v];
        set(&s->lives[e->child.v], &s->living, false);
        set(&s->acted[e->child.v], &s->acting, false);
        if (did && s->living > 1) /* the others are not ordered after it */
            set(&s->acted[tid], &s->acting, true);
    } else if (is_act(e))
        set(&s->acted[tid], &s->acting, true);
    return s->acting > 1;
}

rcp_code rcp_overlap_find(rcp_reader *reader, uint64_t most, bool *overlap) {
    state s = {.threads = rcp_reader_borrow_defs(reader)->threads.len};
    rcp_batch batch;
    s.lives = rcp_alloc_zero(s.threads + 1, sizeof *s.lives);
    s.acted = rcp_alloc_zero(s.threads + 1, sizeof *s.acted);
    *overlap = false;
    rcp_code code = rcp_reader_seek(reader, (rcp_eid){0});
    for (uint64_t n = 0; code == RCP_OK && n < most && !*overlap;) {
        code = rcp_reader_next(reader, &batch);
        if (code != RCP_OK || !batch.n)
            break;
        for (size_t i = 0; i < batch.n && n < most && !*overlap; i++, n++)
            *overlap = look(&s, &batch.at[i]);
    }
    *overlap |= s.living > 1; /* a thread whose end is not there may have had more to do */
    rcp_release(s.lives);
    rcp_release(s.acted);
    return code;
}
