/* SPDX-License-Identifier: Apache-2.0 */
/* Where one of the two must come first: what is written too early, memory that is freed or goes with its thread too
 * early, memory orders that are too weak. */
#include "report/help.h"

#include "report/lent.h"
#include "report/names.h"
#include "report/stored.h"
#include "trace/model/own_place.h"

#include <string.h>

static const rcp_location *location_of(const rcp_finding *finding, size_t side) {
    return &finding->defs->locations.at[rcp_own_place(finding->defs, &finding->access[side]).v];
}

static void put_thread(rcp_help *to, const rcp_finding *finding, rcp_tid tid) {
    rcp_finding_thread(&to->words, finding->defs, tid);
}

/* --- a value that another thread goes by is written too early --- */

/* Which of the two comes behind the write that decides, in its thread, while the other one comes behind the read;
 * 2: neither. */
static size_t early_side(const rcp_finding *finding) {
    const rcp_race *race = finding->race;
    const rcp_event *read = &finding->deciding[0], *write = &finding->deciding[1];
    if (!rcp_race_is_decided(race) || !rcp_event_is_access(read) || !rcp_event_is_access(write))
        return 2;
    for (size_t k = 0; k < 2; k++)
        if (finding->access[k].tid.v == write->tid.v && race->event[k].v > race->deciding[1].v &&
            finding->access[!k].tid.v == read->tid.v && race->event[!k].v > race->deciding[0].v &&
            finding->access[k].loc.v)
            return k;
    return 2;
}

/* "`ready`" */
static void put_name(rcp_text *to, const rcp_finding *finding, const rcp_event *e) {
    const rcp_defs *defs = finding->defs;
    const rcp_loc own = rcp_own_place(defs, e);
    rcp_text name = {0};
    rcp_defs_name_access(defs, rcp_defs_find_variable(defs, e->addr), e->addr,
                         rcp_defs_borrow_string(defs, defs->locations.at[own.v].member), &name);
    if (name.len) {
        rcp_text_puts(to, "`");
        rcp_name_shorten(to, name.at);
        rcp_text_puts(to, "`");
    } else
        rcp_text_printf(to, "the memory at 0x%llx", (unsigned long long)e->addr);
    rcp_text_finish(&name);
}

/* "a.c:13, called from a.c:18": which of its calls it is can be the caller's to say. */
static void put_call(rcp_help *to, const rcp_finding *finding, const rcp_event *e) {
    const rcp_loc own = rcp_own_place(finding->defs, e);
    rcp_help_line(to, finding, own);
    if (own.v == e->loc.v && e->stack.v) {
        rcp_text_puts(&to->words, ", called from ");
        rcp_help_line(to, finding, finding->defs->stacks.at[e->stack.v].loc);
    }
}

/* "plain, under mutex `m`", "atomic (release), without a lock" */
static void put_manner(rcp_text *to, const rcp_finding *finding, int k) {
    const rcp_owned_list *held = &finding->deciding_held[k];
    const rcp_event *e = &finding->deciding[k];
    if (rcp_event_is_atomic(e))
        rcp_text_printf(to, "atomic (%s)", rcp_order_name((rcp_order)e->mode));
    else
        rcp_text_puts(to, "plain");
    rcp_text_puts(to, held->len ? ", under " : ", without a lock");
    for (size_t i = 0; i < held->len; i++) {
        rcp_text_puts(to, i ? " and " : "");
        rcp_finding_object(to, finding->defs, held->at[i].object);
    }
}

/* Does whoever reads what the write has written come behind what its thread did before? */
static bool is_ordered(const rcp_finding *finding) {
    const rcp_event *read = &finding->deciding[0], *write = &finding->deciding[1];
    const rcp_owned_list *one = &finding->deciding_held[0], *other = &finding->deciding_held[1];
    for (size_t i = 0; i < one->len; i++)
        for (size_t k = 0; k < other->len; k++)
            if (one->at[i].object.v == other->at[k].object.v &&
                (one->at[i].mode == RCP_EXCLUSIVE || other->at[k].mode == RCP_EXCLUSIVE))
                return true;
    return rcp_event_is_atomic(read) && rcp_event_is_atomic(write) && rcp_order_acquires((rcp_order)read->mode) &&
           rcp_order_releases((rcp_order)write->mode);
}

/* The line above the early access, in its function, that makes the write: itself, or by what it calls; 0: none. */
static rcp_loc writing_line(const rcp_finding *finding, size_t early) {
    const rcp_defs *defs = finding->defs;
    const rcp_location *at = location_of(finding, early);
    const rcp_event *write = &finding->deciding[1];
    rcp_frame frame = {rcp_own_place(defs, write), write->stack};
    for (;;) {
        const rcp_location *is = &defs->locations.at[frame.loc.v];
        if (is->function.v && is->function.v == at->function.v && is->file.v == at->file.v)
            return is->line < at->line ? frame.loc : (rcp_loc){0};
        if (!frame.caller.v)
            return (rcp_loc){0};
        frame = defs->stacks.at[frame.caller.v];
    }
}

/* "a.c:18 must come after a.c:19: it writes `ready` (at a.c:13), which" */
static void put_early_write(rcp_help *to, const rcp_finding *finding, size_t early) {
    const rcp_event *write = &finding->deciding[1];
    const rcp_loc line = writing_line(finding, early), own = rcp_own_place(finding->defs, write);
    if (line.v) {
        rcp_help_line(to, finding, line);
        rcp_text_puts(&to->words, " must come after ");
        rcp_help_access(to, finding, early);
        rcp_text_puts(&to->words, ": it writes ");
        put_name(&to->words, finding, write);
        if (line.v != own.v) {
            rcp_text_puts(&to->words, " (at ");
            rcp_help_line(to, finding, own);
            rcp_text_puts(&to->words, ")");
        }
        rcp_text_puts(&to->words, ", which ");
    } else {
        put_name(&to->words, finding, write);
        rcp_text_puts(&to->words, " (written at ");
        put_call(to, finding, write);
        rcp_text_puts(&to->words, ") must be written only after ");
        rcp_help_access(to, finding, early);
        rcp_text_puts(&to->words, ": it is what ");
    }
}

bool rcp_help_early(rcp_help *to, const rcp_finding *finding) {
    const size_t early = early_side(finding);
    const rcp_event *read = &finding->deciding[0], *write = &finding->deciding[1];
    if (early == 2 || !read->loc.v || !write->loc.v)
        return false;
    put_early_write(to, finding, early);
    put_thread(to, finding, read->tid);
    rcp_text_puts(&to->words, " reads at ");
    put_call(to, finding, read);
    rcp_text_puts(&to->words, ", and takes as the sign that it may go on. That write is ");
    put_manner(&to->words, finding, 1);
    rcp_text_puts(&to->words, "; that read is ");
    put_manner(&to->words, finding, 0);
    rcp_text_puts(&to->words, is_ordered(finding)
                                  ? "."
                                  : ": that orders nothing, so make the write release and the read acquire, or both "
                                    "under one lock.");
    rcp_text_puts(&to->words, " A lock around ");
    rcp_help_access(to, finding, early);
    rcp_text_puts(&to->words, " and ");
    rcp_help_access(to, finding, !early);
    rcp_text_puts(&to->words, " alone would not say which comes first.");
    return true;
}

/* --- memory that is gone --- */

/* A variable of a thread's own is gone with it. Who has it must wait: whether one for all threads would do, nobody
 * knows here. */
void rcp_help_lent(rcp_help *to, const rcp_finding *finding, size_t end) {
    rcp_lent_variable lent;
    rcp_text name = {0}, owner = {0}, other = {0};
    const bool is_declared = rcp_lent_find(finding, &lent), is_local = is_declared && !lent.is_thread_local;
    const char *what = rcp_lent_name(&name, finding) ? name.at : NULL;
    rcp_finding_thread(&owner, finding->defs, finding->access[end].tid);
    rcp_finding_thread(&other, finding->defs, finding->access[!end].tid);
    if (is_local) {
        const rcp_location *at = &finding->defs->locations.at[finding->lent.v];
        rcp_name_shorten(&to->words, rcp_defs_borrow_string(finding->defs, at->function));
        rcp_text_puts(&to->words, " must not return");
    } else if (is_declared) {
        rcp_text_printf(&to->words, "%s must not end", owner.at);
    } else {
        rcp_text_printf(&to->words, "%s must not end, nor leave the function that a local variable is of,", owner.at);
    }
    rcp_text_printf(&to->words, " before %s is done with %s%s%s: let %s post a semaphore after its last use of it (",
                    other.at, what ? "`" : "", what ? what : "what the two share", what ? "`" : "", other.at);
    if (location_of(finding, !end)->line) {
        rcp_help_access(to, finding, !end);
        rcp_text_puts(&to->words, " or later");
    } else
        rcp_text_puts(&to->words, "or later");
    rcp_text_printf(&to->words, "), on every path, also on one that does not use it, and let %s wait for that ",
                    owner.at);
    const rcp_loc last = is_local ? (rcp_loc){0} : rcp_stored_last(finding->reader, finding->access[end].tid);
    if (last.v) {
        rcp_text_puts(&to->words, "after ");
        rcp_help_line(to, finding, last);
        rcp_text_puts(&to->words, ", ");
    }
    rcp_text_printf(&to->words,
                    "as the last thing before it %s. A lock around the access does not keep the variable alive.%s",
                    is_local ? "returns from there" : "ends",
                    !is_declared ? ""
                    : is_local   ? " Or let it live longer: static, or a block of the heap, freed when both are done."
                                 : " Or, where not each thread needs one of its own, let it be static and no "
                                   "thread_local, with a lock around each access.");
    rcp_text_finish(&name);
    rcp_text_finish(&owner);
    rcp_text_finish(&other);
}

/* Where its end was waited for: "threads.h:22, called from a.c:28" */
static void put_join(rcp_help *to, const rcp_finding *finding, rcp_frame joined) {
    rcp_help_line(to, finding, joined.loc);
    if (joined.caller.v) {
        rcp_text_puts(&to->words, ", called from ");
        rcp_help_line(to, finding, finding->defs->stacks.at[joined.caller.v].loc);
    }
}

/* Both free. */
static void help_twice(rcp_help *to, const rcp_finding *finding) {
    rcp_text_puts(&to->words,
                  "only one of the two threads may free the block, and only when the other one is done with "
                  "it. Count the references, atomically, so that whoever gives up the last one frees it; "
                  "or free it once, where both threads have been joined");
    if (finding->joined[0].loc.v && finding->joined[1].loc.v) {
        rcp_text_puts(&to->words, " (behind ");
        put_join(to, finding, finding->joined[0]);
        rcp_text_puts(&to->words, ", and ");
        put_join(to, finding, finding->joined[1]);
        rcp_text_puts(&to->words, ")");
    }
    rcp_text_puts(&to->words, ". As it is, the second free frees what was freed.");
}

/* Who frees must be the last one: there is no order of the two that is right but one. */
void rcp_help_free(rcp_help *to, const rcp_finding *finding, size_t free) {
    const rcp_frame joined = finding->joined[!free];
    const rcp_event *other = &finding->access[!free];
    const bool has_line = location_of(finding, !free)->line, has_both = has_line && location_of(finding, free)->line;
    if (other->kind == RCP_FREE) {
        help_twice(to, finding);
        return;
    }
    rcp_text_puts(&to->words, "whoever frees the block must wait until the other thread is done with it: ");
    if (has_both) {
        rcp_text_puts(&to->words, "take the free away from ");
        rcp_help_access(to, finding, free);
        rcp_text_puts(&to->words, ", and ");
    }
    rcp_text_puts(&to->words, "free it after that thread was joined (");
    if (joined.loc.v) {
        rcp_text_puts(&to->words, "at ");
        put_join(to, finding, joined);
    } else
        rcp_text_puts(&to->words, "by whoever joins it");
    rcp_text_puts(&to->words, "). Or let that thread post a semaphore after its last use");
    if (has_both) {
        rcp_text_puts(&to->words, " (");
        rcp_help_access(to, finding, !free);
        rcp_text_puts(&to->words, " or later), on every path, and wait for that before ");
        rcp_help_access(to, finding, free);
    } else
        rcp_text_puts(&to->words, " and wait for that");
    rcp_text_puts(&to->words,
                  ", or count the references; a lock around each of the two is not enough. If the free comes first, ");
    if (has_line)
        rcp_help_access(to, finding, !free);
    else
        put_thread(to, finding, other->tid);
    rcp_text_puts(&to->words, rcp_event_writes(other) ? " writes to freed memory." : " reads freed memory.");
}

/* --- memory orders --- */

/* The proof has its places as words. */
static rcp_loc find_place(const rcp_defs *defs, const rcp_cure_word *place) {
    for (uint32_t i = 1; i < defs->locations.len; i++) {
        const rcp_location *at = &defs->locations.at[i];
        const char *file = rcp_defs_borrow_string(defs, at->file);
        if (at->line == place->line && at->column == place->column && strlen(file) == place->n &&
            !memcmp(file, place->file, place->n))
            return (rcp_loc){i};
    }
    return (rcp_loc){0};
}

void rcp_help_orders(rcp_help *to, const rcp_finding *finding) {
    const char *cures;
    const size_t n = rcp_race_borrow_cures(finding->race, RCP_CURE_MAKE, &cures);
    rcp_cure_word place;
    if (!n)
        return;
    rcp_text_puts(&to->words, "stronger memory orders: make ");
    rcp_text_add(&to->words, cures, n);
    rcp_text_puts(&to->words, ". With these orders this race is gone from this run; other runs were not checked with "
                              "them.");
    for (const char *at = cures; rcp_cure_next(&at, cures + n, &place);)
        rcp_vec_push(&to->lines, find_place(finding->defs, &place));
}
