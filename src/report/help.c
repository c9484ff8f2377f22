/* SPDX-License-Identifier: Apache-2.0 */
#include "report/help.h"

#include "report/lent.h"
#include "report/names.h"
#include "trace/model/own_place.h"

#include <string.h>

static rcp_loc place_of(const rcp_finding *finding, size_t side) {
    return rcp_own_place(finding->defs, &finding->access[side]);
}

static const rcp_location *location_of(const rcp_finding *finding, size_t side) {
    return &finding->defs->locations.at[place_of(finding, side).v];
}

static const char *function_of(const rcp_finding *finding, rcp_loc loc) {
    return rcp_defs_borrow_string(finding->defs, finding->defs->locations.at[loc.v].function);
}

static void put_line(rcp_text *to, const rcp_finding *finding, size_t side) {
    rcp_finding_line(to, finding->defs, place_of(finding, side));
}

static void put_thread(rcp_text *to, const rcp_finding *finding, size_t side) {
    rcp_finding_thread(to, finding->defs, finding->access[side].tid);
}

/* Of several "one of these locks". */
static void put_lock(rcp_text *to, const rcp_finding *finding, size_t side) {
    const rcp_owned_list *held = &finding->held[side];
    if (held->len > 1)
        rcp_text_puts(to, "one of these locks");
    else
        rcp_finding_object(to, finding->defs, held->at[0].object);
}

static bool has_lock(const rcp_owned_list *held, rcp_obj object) {
    for (size_t i = 0; i < held->len; i++)
        if (held->at[i].object.v == object.v)
            return true;
    return false;
}

static bool have_one_lock(const rcp_finding *finding) {
    for (size_t i = 0; i < finding->held[0].len; i++)
        if (has_lock(&finding->held[1], finding->held[0].at[i].object))
            return true;
    return false;
}

const rcp_location *rcp_help_other_line(const rcp_finding *finding, const rcp_bug *entry, size_t side) {
    const rcp_location *at = location_of(finding, side);
    for (size_t i = 1; entry && i < entry->findings.len; i++)
        for (size_t k = 0; k < 2; k++) {
            const rcp_finding *also = entry->findings.at[i];
            const rcp_location *there = location_of(also, k);
            if (also->defs == finding->defs && also->address == finding->address && at->function.v &&
                there->function.v == at->function.v && there->file.v == at->file.v && there->line != at->line)
                return there;
        }
    return NULL;
}

static void put_location(rcp_text *to, const rcp_finding *finding, const rcp_location *at) {
    rcp_finding_line(to, finding->defs, (rcp_loc){(uint32_t)(at - finding->defs->locations.at)});
}

/* Is there a line of the program that reads the object and writes it: `x += 2`? */
static bool is_update(const rcp_bug *entry) {
    enum { MOST = 64 }; /* of large entries the first ones */
    size_t n = entry ? 2 * entry->findings.len : 0;
    n = n < MOST ? n : MOST;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const rcp_finding *one = entry->findings.at[i / 2], *other = entry->findings.at[k / 2];
            const rcp_location *read = location_of(one, i % 2), *written = location_of(other, k % 2);
            if (one->access[i % 2].kind == RCP_READ && other->access[k % 2].kind == RCP_WRITE &&
                one->defs == other->defs && one->address == other->address && read->line &&
                read->line == written->line && read->file.v == written->file.v)
                return true;
        }
    return false;
}

/* The lock that a side gave up in the function that it is in, shortly before or long; loc 0: there is none, or it kept
 * no other thread out. */
static rcp_owned given_up(const rcp_finding *finding, size_t side) {
    const rcp_owned *gave_up = &finding->gave_up[side];
    const rcp_location *at = location_of(finding, side), *before = &finding->defs->locations.at[gave_up->loc.v];
    const bool is_before = gave_up->loc.v && gave_up->mode == RCP_EXCLUSIVE && before->function.v &&
                           before->function.v == at->function.v && before->file.v == at->file.v &&
                           before->line < at->line;
    return is_before ? *gave_up : (rcp_owned){0};
}

/* "thread 0.2 gives up mutex `m` at a.c:21" */
static void put_giving(rcp_text *to, const rcp_finding *finding, const char *who, const rcp_owned *gave_up) {
    rcp_text_printf(to, "%s ", who);
    rcp_finding_object(to, finding->defs, gave_up->object);
    rcp_text_puts(to, " at ");
    rcp_finding_line(to, finding->defs, gave_up->loc);
}

/* One side has a lock: the other one must have it, too, and may have had it just before. */
static void help_one_side(rcp_text *to, const rcp_finding *finding) {
    const size_t without = finding->held[0].len ? 1 : 0;
    const rcp_owned gave_up = given_up(finding, without);
    put_thread(to, finding, without);
    if (gave_up.loc.v && has_lock(&finding->held[!without], gave_up.object)) {
        rcp_text_puts(to, " must keep ");
        rcp_finding_object(to, finding->defs, gave_up.object);
        rcp_text_puts(to, " until ");
        put_line(to, finding, without);
        rcp_text_puts(to, " is done: it gives it up at ");
        rcp_finding_line(to, finding->defs, gave_up.loc);
        rcp_text_puts(to, ".");
        return;
    }
    rcp_text_puts(to, " must take ");
    put_lock(to, finding, !without);
    rcp_text_puts(to, ", too");
    if (location_of(finding, without)->line) {
        rcp_text_puts(to, ", around ");
        put_line(to, finding, without);
        rcp_text_puts(to, " and what belongs to it (a test before it, a use after it)");
    }
    rcp_text_puts(to, ".");
}

/* Neither has a lock now: the one that both have given up is the one to keep. Of one that only one of them had it is a
 * guess. False: there is none. */
static bool put_given_up(rcp_text *to, const rcp_finding *finding, bool may_guess) {
    const rcp_owned of[2] = {given_up(finding, 0), given_up(finding, 1)};
    const bool both = of[0].loc.v && of[1].loc.v && of[0].object.v == of[1].object.v;
    const size_t side = of[0].loc.v ? 0 : 1;
    if (!both && (!may_guess || !of[side].loc.v || (of[0].loc.v && of[1].loc.v)))
        return false;
    rcp_text who = {0};
    put_thread(&who, finding, side);
    if (both && of[0].loc.v == of[1].loc.v && place_of(finding, 0).v == place_of(finding, 1).v) {
        put_giving(to, finding, "both threads give up", &of[0]);
        rcp_text_puts(to, ": they must keep it until ");
        put_line(to, finding, 0);
        rcp_text_puts(to, " is done.");
    } else if (both) {
        rcp_text_puts(&who, " gives up");
        put_giving(to, finding, who.at, &of[0]);
        rcp_text_puts(to, ", and ");
        put_thread(to, finding, 1);
        rcp_text_puts(to, " at ");
        rcp_finding_line(to, finding->defs, of[1].loc);
        rcp_text_puts(to, ": they must keep it until ");
        put_line(to, finding, 0);
        rcp_text_puts(to, " and ");
        put_line(to, finding, 1);
        rcp_text_puts(to, " are done.");
    } else {
        rcp_text_puts(to, "probably the lock is ");
        rcp_finding_object(to, finding->defs, of[side].object);
        rcp_text_printf(to, ", which %s gives up at ", who.at);
        rcp_finding_line(to, finding->defs, of[side].loc);
        rcp_text_puts(to, ": then it must keep it until ");
        put_line(to, finding, side);
        rcp_text_puts(to, " is done, and ");
        put_thread(to, finding, !side);
        rcp_text_puts(to, " must take it");
        if (location_of(finding, !side)->line) {
            rcp_text_puts(to, " around ");
            put_line(to, finding, !side);
        }
        rcp_text_puts(to, ".");
    }
    rcp_text_finish(&who);
    return true;
}

/* What turns in the run that was thought out is a value that the one thread writes too early: "`ready` (written at
 * a.c:13) …". False: the words do not tell. */
static bool help_early(rcp_text *to, const rcp_finding *finding) {
    const char *why = finding->race->why ? finding->race->why : "";
    const char *early = strstr(why, RCP_WHY_EARLY), *turned = strstr(why, RCP_WHY_TURNED);
    const char *writer = turned ? strstr(turned, RCP_WHY_WRITER) : NULL, *name = writer;
    const char *written = writer ? strstr(writer, RCP_WHY_WRITTEN) : NULL;
    while (name && name > turned && strncmp(name, RCP_WHY_READ, strlen(RCP_WHY_READ)))
        name--;
    if (!early || !written || written > early || name == turned)
        return false;
    name += strlen(RCP_WHY_READ);
    written += strlen(RCP_WHY_WRITTEN);
    const char *name_end = strstr(name, " as "), *end = written + strcspn(written, ";");
    end = end < early ? end : early - 1; /* without the full stop */
    const char *tid = early + strlen(RCP_WHY_EARLY), *before = strstr(tid, RCP_WHY_BEFORE);
    const char *at = before ? strstr(before, RCP_WHY_BEEN) : NULL;
    if (!name_end || name_end > writer || !at)
        return false;
    at += strlen(RCP_WHY_BEEN);
    rcp_text_add(to, name, (size_t)(name_end - name));
    rcp_text_puts(to, " (written at ");
    rcp_text_add(to, written, (size_t)(end - written));
    rcp_text_puts(to, ") should be written only after ");
    rcp_text_add(to, at, strlen(at) - 1);
    rcp_text_puts(to, ": ");
    rcp_text_add(to, tid, (size_t)(before - tid));
    rcp_text_puts(to, " takes it as the sign that it may go on. Or the one thread has to wait for the other by a join "
                      "or a condition. A lock around both lines would not say which comes first.");
    return true;
}

/* "one lock around this line in every thread, and around the other accesses to `x`" */
static void put_one_lock(rcp_text *to, const rcp_finding *finding, const char *name) {
    const bool is_one_place = place_of(finding, 0).v == place_of(finding, 1).v;
    rcp_text_printf(to, "one lock around %s, and around the other accesses to %s",
                    is_one_place ? "this line in every thread" : "each of the two lines, the same one", name);
}

static void help_update(rcp_text *to, const rcp_finding *finding, const char *name) {
    enum { ONE_NUMBER = 8 }; /* bytes */
    const bool is_number = finding->access[0].size <= ONE_NUMBER && finding->access[1].size <= ONE_NUMBER;
    if (put_given_up(to, finding, true))
        rcp_text_puts(to, is_number ? " Or" : "");
    else {
        put_one_lock(to, finding, name);
        rcp_text_puts(to, is_number ? "; or" : "");
    }
    if (is_number)
        rcp_text_printf(to, " an atomic update of %s", name);
    rcp_text_puts(to, is_number ? ": as it is, one of two updates can get lost."
                                : " As it is, one of two updates can get lost.");
}

static void help_without_locks(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry) {
    const rcp_location *also = NULL;
    rcp_text name = {0};
    size_t side = 0;
    if (help_early(to, finding))
        return;
    if (!rcp_finding_shared(&name, finding))
        rcp_text_puts(&name, "this memory");
    for (; side < 2 && !(also = rcp_help_other_line(finding, entry, side)); side++)
        ;
    if (also) { /* a test and what follows from it */
        rcp_text_puts(to, "one lock around ");
        put_location(to, finding, also);
        rcp_text_puts(to, " and ");
        put_line(to, finding, side);
        rcp_text_puts(to, location_of(finding, 0) == location_of(finding, 1)
                              ? " together, in every thread: what one of the two lines finds must still be so at "
                                "the other."
                              : " together, and on the other side.");
    } else if (is_update(entry)) {
        help_update(to, finding, name.at);
    } else {
        rcp_text_puts(to, put_given_up(to, finding, false) ? " Or, if" : "if");
        rcp_text_puts(to, " one of the two must come first, the other thread has to wait for it: by a join, a "
                          "condition, or an atomic flag that is set when it is done. Else ");
        put_one_lock(to, finding, name.at);
        rcp_text_puts(to, "; or an atomic object where nothing else goes with it.");
    }
    rcp_text_finish(&name);
}

/* A variable of a thread's own is gone with it. What is right in any case comes first; then what is right for a
 * variable of its kind. */
static void help_lent(rcp_text *to, const rcp_finding *finding, size_t end) {
    rcp_lent_variable lent;
    rcp_text name = {0}, owner = {0}, other = {0};
    const bool is_declared = rcp_lent_find(finding, &lent), is_local = is_declared && !lent.is_thread_local;
    rcp_finding_thread(&owner, finding->defs, finding->access[end].tid);
    rcp_finding_thread(&other, finding->defs, finding->access[!end].tid);
    if (rcp_lent_name(&name, finding))
        rcp_text_printf(to, "`%s` must live longer than ", name.at);
    else
        rcp_text_puts(to, "what the two share must live longer than ");
    rcp_text_printf(to,
                    "%s: %s where one for all threads is enough, else in a block of the heap that is freed when both "
                    "are done with it. Or ",
                    owner.at,
                    is_local      ? "static"
                    : is_declared ? "static and not thread_local"
                                  : "static, not local and not thread_local,");
    if (is_local) {
        rcp_name_shorten(to, function_of(finding, finding->lent));
        rcp_text_puts(to, ", which declares it (");
        rcp_lent_line(to, &lent);
        rcp_text_puts(to, "), must not return");
    } else if (is_declared) {
        rcp_text_printf(to, "%s must not end", owner.at);
    } else {
        rcp_text_printf(to, "%s must not end, nor leave the function that a local variable is of,", owner.at);
    }
    rcp_text_printf(to,
                    " before %s is done with it: it waits until %s signals that, on every path, also on one that "
                    "does not use it.",
                    other.at, other.at);
    rcp_text_finish(&name);
    rcp_text_finish(&owner);
    rcp_text_finish(&other);
}

/* Which side is no atomic access, where the other one is; 2: neither. */
static size_t plain_side(const rcp_finding *finding) {
    const bool first = rcp_event_is_atomic(&finding->access[0]), second = rcp_event_is_atomic(&finding->access[1]);
    return first == second ? 2 : first ? 1 : 0;
}

static void help_plain(rcp_text *to, const rcp_finding *finding) {
    rcp_text_puts(to, "one of the two is atomic already: ");
    put_line(to, finding, plain_side(finding));
    rcp_text_puts(to, " has to be, too (with the memory order that what goes with it needs; relaxed where that is "
                      "nothing).");
}

/* Both have the lock for reading: where who writes has taken it. */
static void help_readers(rcp_text *to, const rcp_finding *finding) {
    const size_t writer = finding->access[0].kind == RCP_READ ? 1 : 0;
    const rcp_owned_list *held = &finding->held[writer];
    rcp_text name = {0};
    rcp_text_puts(to, "who writes has to take ");
    for (size_t i = 0; i < held->len; i++)
        if (has_lock(&finding->held[!writer], held->at[i].object)) {
            rcp_finding_object(to, finding->defs, held->at[i].object);
            rcp_text_puts(to, " for writing");
            if (finding->defs->locations.at[held->at[i].loc.v].line) {
                rcp_text_puts(to, " at ");
                rcp_finding_line(to, finding->defs, held->at[i].loc);
            }
            break;
        }
    rcp_text_puts(to, ", not for reading");
    if (rcp_finding_shared(&name, finding))
        rcp_text_printf(to, "; or make %s atomic, if it is one number and nothing else goes with it", name.at);
    rcp_text_puts(to, ".");
    rcp_text_finish(&name);
}

/* Who frees must be the last one: there is no order of the two that is right but one. */
static void help_free(rcp_text *to, const rcp_finding *finding) {
    const size_t free = finding->access[0].kind == RCP_FREE ? 0 : 1;
    const rcp_event *other = &finding->access[!free];
    const bool has_line = location_of(finding, !free)->line, has_both = has_line && location_of(finding, free)->line;
    rcp_text_puts(to, "whoever frees the block must wait until the other thread is done with it: free it after that "
                      "thread was joined (");
    if (finding->joined[!free].loc.v) {
        rcp_text_puts(to, "at ");
        rcp_finding_line(to, finding->defs, finding->joined[!free].loc);
        if (finding->joined[!free].caller.v) {
            rcp_text_puts(to, ", called from ");
            rcp_finding_line(to, finding->defs, finding->defs->stacks.at[finding->joined[!free].caller.v].loc);
        }
    } else
        rcp_text_puts(to, "by whoever joins it");
    rcp_text_puts(to, "). Or let that thread post a semaphore after its last use");
    if (has_both) {
        rcp_text_puts(to, " (");
        put_line(to, finding, !free);
        rcp_text_puts(to, " or later), on every path, and wait for that before ");
        put_line(to, finding, free);
    } else
        rcp_text_puts(to, " and wait for that");
    rcp_text_puts(to,
                  ", or count the references; a lock around each of the two is not enough. If the free comes first, ");
    if (has_line)
        put_line(to, finding, !free);
    else
        put_thread(to, finding, !free);
    rcp_text_puts(to, other->kind == RCP_FREE   ? " frees what was freed."
                      : rcp_event_writes(other) ? " writes to freed memory."
                                                : " reads freed memory.");
}

/* What is too weak: the orders that would do, in the words of the proof. */
static void help_orders(rcp_text *to, const rcp_finding *finding) {
    const char *cures;
    const size_t n = rcp_race_borrow_cures(finding->race, RCP_CURE_MAKE, &cures);
    if (!n)
        return;
    rcp_text_puts(to, "stronger memory orders: make ");
    rcp_text_add(to, cures, n);
    rcp_text_puts(to, ". With these orders this race is gone from this run; other runs were not checked with them.");
}

/* The semaphore that both got lets several in. */
static void help_many(rcp_text *to, const rcp_finding *finding, const rcp_handing *many) {
    rcp_text_puts(to, " Or let ");
    rcp_finding_object(to, finding->defs, many->object);
    rcp_text_puts(to, " begin with 1, if it is meant to keep threads apart.");
}

void rcp_help_put(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, const rcp_handing *many) {
    const size_t locks[2] = {finding->held[0].len, finding->held[1].len};
    bool is_other = false;
    for (size_t k = 0; k < 2; k++)
        is_other |= finding->deed[k].is_known && finding->deed[k].kind != RCP_END;
    if (rcp_model_first(finding->models) == RCP_MODEL_C11 && !is_other)
        help_orders(to, finding);
    if (is_other || rcp_model_first(finding->models) == RCP_MODEL_C11)
        return;
    if (rcp_finding_end_side(finding) < 2)
        help_lent(to, finding, rcp_finding_end_side(finding));
    else if (finding->access[0].kind == RCP_FREE || finding->access[1].kind == RCP_FREE)
        help_free(to, finding);
    else if (plain_side(finding) < 2)
        help_plain(to, finding);
    else if (have_one_lock(finding))
        help_readers(to, finding);
    else if (locks[0] && locks[1])
        rcp_text_puts(to, "one and the same lock on both sides.");
    else if (locks[0] || locks[1])
        help_one_side(to, finding);
    else {
        help_without_locks(to, finding, entry);
        if (many)
            help_many(to, finding, many);
    }
}
