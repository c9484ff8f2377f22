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

/* "a.c:12" */
static void put_line(rcp_text *to, const rcp_defs *defs, const rcp_location *at) {
    const char *file = rcp_defs_borrow_string(defs, at->file), *slash = strrchr(file, '/');
    rcp_text_printf(to, "%s:%u", slash && slash[1] ? slash + 1 : file, at->line);
}

/* "mutex m" */
static void put_object(rcp_text *to, const rcp_finding *finding, rcp_obj which) {
    const rcp_object *object = &finding->defs->objects.at[which.v];
    const char *name = rcp_defs_borrow_string(finding->defs, object->name);
    rcp_text_printf(to, *name ? "%s " : "that %s", rcp_finding_kind((rcp_object_kind)object->kind));
    rcp_name_shorten(to, name);
}

/* Of several "one of these locks". */
static void put_lock(rcp_text *to, const rcp_finding *finding, size_t side) {
    const rcp_owned_list *held = &finding->held[side];
    if (held->len > 1)
        rcp_text_puts(to, "one of these locks");
    else
        put_object(to, finding, held->at[0].object);
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

/* Where one of the two functions accesses the same object at another line, which must be in the same section. */
static const rcp_location *other_line(const rcp_finding *finding, const rcp_bug *entry, size_t side) {
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

/* One side has a lock: the other one must have it, too, and may have had it just before. */
static void help_one_side(rcp_text *to, const rcp_finding *finding) {
    const size_t without = finding->held[0].len ? 1 : 0;
    const rcp_owned *gave_up = &finding->gave_up[without];
    const rcp_location *at = location_of(finding, without), *before = &finding->defs->locations.at[gave_up->loc.v];
    if (gave_up->loc.v && has_lock(&finding->held[!without], gave_up->object) && before->function.v &&
        before->function.v == at->function.v) {
        rcp_finding_thread(to, finding->defs, finding->access[without].tid);
        rcp_text_puts(to, " must keep ");
        put_object(to, finding, gave_up->object);
        rcp_text_puts(to, " until ");
        put_line(to, finding->defs, at);
        rcp_text_puts(to, " is done: it gives it up at ");
        put_line(to, finding->defs, before);
        rcp_text_puts(to, ".");
        return;
    }
    rcp_text_puts(to, "to take ");
    put_lock(to, finding, !without);
    rcp_text_puts(to, " on the other side, too");
    if (at->line) {
        rcp_text_puts(to, ", around ");
        put_line(to, finding->defs, at);
        rcp_text_puts(to, " and what belongs to it (a test before it, a use after it)");
    }
    rcp_text_puts(to, ".");
}

/* The lock that one side gave up in the same function, shortly before or long: it may be the one. */
static void put_given_up(rcp_text *to, const rcp_finding *finding) {
    for (size_t k = 0; k < 2; k++) {
        const rcp_owned *gave_up = &finding->gave_up[k];
        const rcp_location *at = location_of(finding, k), *before = &finding->defs->locations.at[gave_up->loc.v];
        if (!gave_up->loc.v || !before->function.v || before->function.v != at->function.v || before->line >= at->line)
            continue;
        rcp_text_puts(to, " Is it ");
        put_object(to, finding, gave_up->object);
        rcp_text_puts(to, ", which ");
        rcp_finding_thread(to, finding->defs, finding->access[k].tid);
        rcp_text_puts(to, " gives up at ");
        put_line(to, finding->defs, before);
        rcp_text_puts(to, ", before ");
        put_line(to, finding->defs, at);
        rcp_text_puts(to, "?");
        return;
    }
}

static void help_without_locks(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry) {
    const rcp_location *one = location_of(finding, 0), *other = location_of(finding, 1), *also = NULL;
    const bool is_one_place = one == other;
    const char *early = finding->race->why ? strstr(finding->race->why, RCP_WHY_EARLY) : NULL;
    size_t side = 0;
    if (early) {
        rcp_text_puts(to, "what lets ");
        early += strlen(RCP_WHY_EARLY);
        const char *before = strstr(early, " before ");
        rcp_text_add(to, early, before ? (size_t)(before - early) : strlen(early));
        const char *at = before ? strrchr(before, ' ') : "";
        rcp_text_printf(to,
                        " (see below) should be written only after%.*s; or the one thread has to wait for the other "
                        "by a join or a condition. A lock around both lines would not say which comes first.",
                        (int)strcspn(at, "\n") - 1, at);
        return;
    }
    for (; side < 2 && !(also = other_line(finding, entry, side)); side++)
        ;
    if (also) { /* a test and what follows from it */
        rcp_text_puts(to, "one lock around ");
        put_line(to, finding->defs, also);
        rcp_text_puts(to, " and ");
        put_line(to, finding->defs, side ? other : one);
        rcp_text_puts(to, is_one_place
                              ? " together, in every thread: what one of the two lines finds must still be so at "
                                "the other."
                              : " together, and on the other side.");
    } else if (is_update(entry)) {
        rcp_text_puts(to, "one lock around ");
        rcp_text_puts(to, is_one_place ? "this line in every thread" : "each of the two lines, the same one");
        rcp_text_puts(to, " (and around what belongs to it), or an atomic update of what is one number: as it is, what "
                          "one thread adds can get lost.");
        put_given_up(to, finding);
    } else
        rcp_text_printf(
            to,
            "if one of the two must come first, the other thread has to wait for it: by a join, a condition, or an "
            "atomic flag that is set when it is done. Else one lock around %s, or an atomic object where nothing else "
            "goes with it.",
            is_one_place ? "this line in every thread" : "each of the two lines, the same one");
}

/* A variable of a thread's own is gone with it. */
static void help_lent(rcp_text *to, const rcp_finding *finding, size_t end) {
    rcp_text name = {0};
    const bool is_named = rcp_lent_name(&name, finding);
    rcp_finding_thread(to, finding->defs, finding->access[end].tid);
    rcp_text_puts(to, " must wait before it ends until ");
    rcp_finding_thread(to, finding->defs, finding->access[!end].tid);
    rcp_text_printf(to, is_named ? " is done with %s" : " is done with its variable", is_named ? name.at : "");
    rcp_text_puts(to, " (by a join, or a condition that the other thread signals then); or what the two share has to "
                      "live longer: in a block of the heap, or static, not local and not thread_local.");
    rcp_text_finish(&name);
}

/* Which side is no atomic access, where the other one is; 2: neither. */
static size_t plain_side(const rcp_finding *finding) {
    const bool first = rcp_event_is_atomic(&finding->access[0]), second = rcp_event_is_atomic(&finding->access[1]);
    return first == second ? 2 : first ? 1 : 0;
}

static void help_plain(rcp_text *to, const rcp_finding *finding) {
    rcp_text_puts(to, "one of the two is atomic already: ");
    put_line(to, finding->defs, location_of(finding, plain_side(finding)));
    rcp_text_puts(to, " has to be, too (with the memory order that what goes with it needs; relaxed where that is "
                      "nothing).");
}

/* Both have the lock for reading: where who writes has taken it. */
static void help_readers(rcp_text *to, const rcp_finding *finding) {
    const size_t writer = finding->access[0].kind == RCP_READ ? 1 : 0;
    const rcp_owned_list *held = &finding->held[writer];
    rcp_text_puts(to, "who writes has to take ");
    for (size_t i = 0; i < held->len; i++)
        if (has_lock(&finding->held[!writer], held->at[i].object)) {
            const rcp_location *at = &finding->defs->locations.at[held->at[i].loc.v];
            put_object(to, finding, held->at[i].object);
            rcp_text_puts(to, " for writing");
            if (at->line) {
                rcp_text_puts(to, " at ");
                put_line(to, finding->defs, at);
            }
            break;
        }
    rcp_text_puts(to, ", not for reading; or what is one number is updated atomically.");
}

/* What is too weak: the orders that would do, in the words of the proof. */
static void help_orders(rcp_text *to, const rcp_finding *finding) {
    const char *cure = finding->race->why ? strstr(finding->race->why, RCP_CURE_FIRST) : NULL;
    if (!cure)
        return;
    cure += strlen(RCP_CURE_FIRST);
    const char *end = strstr(cure, ". ");
    const size_t n = end ? (size_t)(end - cure) : strlen(cure) - 1;
    rcp_text_puts(to, "stronger memory orders: ");
    rcp_text_add(to, cure, n);
    rcp_text_puts(to, ". For this run that is enough.");
}

void rcp_help_put(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry) {
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
        rcp_text_puts(to, "in one of the two orders this is a use after free. Who frees the block must wait until the "
                          "other thread is done with it (join it, or count the references); a lock around each of the "
                          "two is not enough.");
    else if (plain_side(finding) < 2)
        help_plain(to, finding);
    else if (have_one_lock(finding))
        help_readers(to, finding);
    else if (locks[0] && locks[1])
        rcp_text_puts(to, "one and the same lock on both sides.");
    else if (locks[0] || locks[1])
        help_one_side(to, finding);
    else
        help_without_locks(to, finding, entry);
}
