/* SPDX-License-Identifier: Apache-2.0 */
#include "report/help.h"

#include "report/stored.h"
#include "trace/model/own_place.h"

#include <string.h>

#define ALONE ", if it is one number that no other memory has to agree with"

static rcp_loc place_of(const rcp_finding *finding, size_t side) {
    return rcp_own_place(finding->defs, &finding->access[side]);
}

static const rcp_location *location_of(const rcp_finding *finding, size_t side) {
    return &finding->defs->locations.at[place_of(finding, side).v];
}

static bool has_line(const rcp_finding *finding, rcp_loc loc) { return finding->defs->locations.at[loc.v].line; }

/* The program's own place. */
static rcp_loc taken_at(const rcp_finding *finding, const rcp_owned *lock) {
    const rcp_event taking = {.loc = lock->loc, .stack = lock->stack};
    return rcp_own_place(finding->defs, &taking);
}

static rcp_loc loc_of(const rcp_finding *finding, const rcp_location *at) {
    return (rcp_loc){(uint32_t)(at - finding->defs->locations.at)};
}

void rcp_help_line(rcp_help *to, const rcp_finding *finding, rcp_loc loc) {
    rcp_finding_line(&to->words, finding->defs, loc);
    rcp_vec_push(&to->lines, loc);
}

void rcp_help_access(rcp_help *to, const rcp_finding *finding, size_t side) {
    rcp_finding_line(&to->words, finding->defs, place_of(finding, side));
}

static void say(rcp_help *to, const char *words) { rcp_text_puts(&to->words, words); }

static void put_thread(rcp_help *to, const rcp_finding *finding, size_t side) {
    rcp_finding_thread(&to->words, finding->defs, finding->access[side].tid);
}

static void put_object(rcp_help *to, const rcp_finding *finding, rcp_obj object) {
    rcp_finding_object(&to->words, finding->defs, object);
}

/* Of several "one of these locks". */
static void put_lock(rcp_help *to, const rcp_finding *finding, size_t side) {
    const rcp_owned_list *held = &finding->held[side];
    if (held->len > 1)
        say(to, "one of these locks");
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

/* --- a lock that was given up too early --- */

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

/* "until a.c:21 and a.c:22 are done"; `also`: another line of that section; may be NULL. */
static void put_until(rcp_help *to, const rcp_finding *finding, const rcp_location *also) {
    const bool is_one_place = place_of(finding, 0).v == place_of(finding, 1).v;
    say(to, "until ");
    if (also) {
        rcp_help_line(to, finding, loc_of(finding, also));
        say(to, is_one_place ? " and " : ", ");
    }
    rcp_help_access(to, finding, 0);
    if (!is_one_place) {
        say(to, " and ");
        rcp_help_access(to, finding, 1);
    }
    say(to, also || !is_one_place ? " are done" : " is done");
}

/* Both threads had one lock, and gave it up. */
static void put_both_gave_up(rcp_help *to, const rcp_finding *finding, const rcp_owned of[2],
                             const rcp_location *also) {
    const bool is_one_place = of[0].loc.v == of[1].loc.v && place_of(finding, 0).v == place_of(finding, 1).v;
    if (is_one_place) {
        say(to, "both threads give up ");
        put_object(to, finding, of[0].object);
        say(to, " at ");
        rcp_help_line(to, finding, of[0].loc);
    } else {
        put_thread(to, finding, 0);
        say(to, " gives up ");
        put_object(to, finding, of[0].object);
        say(to, " at ");
        rcp_help_line(to, finding, of[0].loc);
        say(to, ", and ");
        put_thread(to, finding, 1);
        say(to, " at ");
        rcp_help_line(to, finding, of[1].loc);
    }
    if (is_one_place || also) {
        say(to, ": they must keep it ");
        put_until(to, finding, also);
    } else {
        say(to, ": each must keep it until its own access is done, ");
        rcp_help_access(to, finding, 0);
        say(to, " and ");
        rcp_help_access(to, finding, 1);
    }
    say(to, ".");
}

/* Neither has a lock now: the one that both have given up is the one to keep. Of one that only one of them had it is a
 * guess. False: there is none. */
static bool put_given_up(rcp_help *to, const rcp_finding *finding, bool may_guess, const rcp_location *also) {
    const rcp_owned of[2] = {given_up(finding, 0), given_up(finding, 1)};
    const bool both = of[0].loc.v && of[1].loc.v && of[0].object.v == of[1].object.v;
    const size_t side = of[0].loc.v ? 0 : 1;
    if (both) {
        put_both_gave_up(to, finding, of, also);
        return true;
    }
    if (!may_guess || !of[side].loc.v || (of[0].loc.v && of[1].loc.v))
        return false;
    say(to, "probably the lock is ");
    put_object(to, finding, of[side].object);
    say(to, ", which ");
    put_thread(to, finding, side);
    say(to, " gives up at ");
    rcp_help_line(to, finding, of[side].loc);
    say(to, ": then it must keep it until ");
    rcp_help_access(to, finding, side);
    say(to, " is done, and ");
    put_thread(to, finding, !side);
    say(to, " must take it");
    if (location_of(finding, !side)->line) {
        say(to, " around ");
        rcp_help_access(to, finding, !side);
    }
    say(to, ".");
    return true;
}

/* One side has a lock: the other one must have it, too, and may have had it just before. */
static void help_one_side(rcp_help *to, const rcp_finding *finding) {
    const size_t without = finding->held[0].len ? 1 : 0;
    const rcp_owned_list *held = &finding->held[!without];
    const rcp_owned gave_up = given_up(finding, without);
    put_thread(to, finding, without);
    if (gave_up.loc.v && has_lock(held, gave_up.object)) {
        say(to, " must keep ");
        put_object(to, finding, gave_up.object);
        say(to, " until ");
        rcp_help_access(to, finding, without);
        say(to, " is done: it gives it up at ");
        rcp_help_line(to, finding, gave_up.loc);
        say(to, ".");
        return;
    }
    say(to, " must take ");
    put_lock(to, finding, !without);
    say(to, ", too");
    if (held->len == 1 && has_line(finding, taken_at(finding, &held->at[0]))) {
        say(to, " (as ");
        put_thread(to, finding, !without);
        say(to, " does at ");
        rcp_help_line(to, finding, taken_at(finding, &held->at[0]));
        say(to, ")");
    }
    if (location_of(finding, without)->line) {
        say(to, ", around ");
        rcp_help_access(to, finding, without);
        say(to, " and what belongs to it (a test before it, a use after it)");
    }
    say(to, ".");
}

/* --- no lock on either side --- */

/* Is the lock of other accesses to the variable known, or that these have none? */
static rcp_guard guard_of(const rcp_finding *finding) {
    if (!finding->variable)
        return (rcp_guard){.is = RCP_GUARD_UNKNOWN};
    return rcp_stored_guard(finding->reader, finding->variable->addr, finding->variable->size);
}

/* " for `all.words`" */
static void put_for(rcp_help *to, const rcp_finding *finding, const rcp_guard *guard, const char *word) {
    const rcp_defs *defs = finding->defs;
    rcp_text name = {0};
    rcp_defs_name_access(defs, finding->variable, guard->addr,
                         rcp_defs_borrow_string(defs, defs->locations.at[guard->at.v].member), &name);
    if (name.len)
        rcp_text_printf(&to->words, "%s`%s`", word, name.at);
    rcp_text_finish(&name);
}

/* "mutex `m`, which is held at a.c:24 for `all.words`,"; else "one lock" */
static void put_guard(rcp_help *to, const rcp_finding *finding, const rcp_guard *guard, const char *name) {
    if (guard->is != RCP_GUARD_ONE || !has_line(finding, guard->at)) {
        say(to, "one lock");
        if (guard->is == RCP_GUARD_NONE)
            rcp_text_printf(&to->words, " (no access to %s in this run has any)", name);
        return;
    }
    put_object(to, finding, guard->object);
    say(to, ", which is held at ");
    rcp_help_line(to, finding, guard->at);
    put_for(to, finding, guard, " for ");
    say(to, ",");
}

/* "one lock around this line in every thread, and around the other accesses to `x`" */
static void put_one_lock(rcp_help *to, const rcp_finding *finding, const char *name) {
    const bool is_one_place = place_of(finding, 0).v == place_of(finding, 1).v;
    const rcp_guard guard = guard_of(finding);
    put_guard(to, finding, &guard, name);
    rcp_text_printf(&to->words, " around %s, and around the other accesses to %s",
                    is_one_place ? "this line in every thread" : "each of the two lines, the same one", name);
}

static void help_update(rcp_help *to, const rcp_finding *finding, const char *name) {
    enum { ONE_NUMBER = 8 }; /* bytes */
    const bool is_number = finding->access[0].size <= ONE_NUMBER && finding->access[1].size <= ONE_NUMBER;
    if (!put_given_up(to, finding, true, NULL)) {
        put_one_lock(to, finding, name);
        say(to, ".");
    }
    if (is_number)
        rcp_text_printf(&to->words, " Or an atomic update of %s" ALONE ".", name);
    say(to, " As it is, one of two updates can get lost.");
}

/* A test and what follows from it: one section. */
static void help_section(rcp_help *to, const rcp_finding *finding, size_t side, const rcp_location *also,
                         const char *name) {
    const bool is_one_line = location_of(finding, 0) == location_of(finding, 1);
    const rcp_guard guard = guard_of(finding);
    const bool was_given_up = put_given_up(to, finding, false, also);
    if (!was_given_up) {
        put_guard(to, finding, &guard, name);
        say(to, " around ");
        rcp_help_line(to, finding, loc_of(finding, also));
        say(to, " and ");
        rcp_help_access(to, finding, side);
        say(to, is_one_line ? " together, in every thread." : " together, and on the other side.");
    } else if (guard.is == RCP_GUARD_ONE && guard.object.v == finding->gave_up[0].object.v) {
        say(to, " ");
        rcp_help_line(to, finding, guard.at);
        say(to, " has it, too");
        put_for(to, finding, &guard, ", for ");
        say(to, ".");
    }
    say(to, " What ");
    rcp_help_line(to, finding, loc_of(finding, also));
    say(to, " finds must still be so at ");
    rcp_help_access(to, finding, side);
    say(to, ".");
}

static void help_without_locks(rcp_help *to, const rcp_finding *finding) {
    const rcp_location *also = NULL;
    rcp_text name = {0};
    size_t side = 0;
    if (rcp_help_early(to, finding))
        return;
    if (!rcp_finding_shared(&name, finding))
        rcp_text_puts(&name, "this memory");
    for (; side < 2 && !(also = rcp_help_other_line(finding, to->entry, side)); side++)
        ;
    if (also)
        help_section(to, finding, side, also, name.at);
    else if (is_update(to->entry))
        help_update(to, finding, name.at);
    else {
        say(to, put_given_up(to, finding, false, NULL) ? " Or, if" : "if");
        say(to, " one of the two must come first, the other thread has to wait for it: by a join, a condition, or an "
                "atomic flag that is set when it is done. Else ");
        put_one_lock(to, finding, name.at);
        say(to, "; or an atomic object" ALONE ".");
    }
    rcp_text_finish(&name);
}

/* The semaphore that both got lets several in: is it meant to? What helps if it is comes after this. */
static void help_many(rcp_help *to, const rcp_finding *finding, const rcp_handing *many) {
    const rcp_loc made = rcp_stored_init(finding->reader, many->object);
    say(to, "if ");
    put_object(to, finding, many->object);
    say(to, " is meant to let one thread in at a time, let it begin with 1");
    if (has_line(finding, made)) {
        say(to, " at ");
        rcp_help_line(to, finding, made);
        rcp_text_printf(&to->words, ", not with %llu",
                        (unsigned long long)finding->defs->objects.at[many->object.v].initial);
    }
    say(to, ". Else ");
}

/* --- other ways to be wrong --- */

/* Which side is no atomic access, where the other one is; 2: neither. */
static size_t plain_side(const rcp_finding *finding) {
    const bool first = rcp_event_is_atomic(&finding->access[0]), second = rcp_event_is_atomic(&finding->access[1]);
    return first == second ? 2 : first ? 1 : 0;
}

static void help_plain(rcp_help *to, const rcp_finding *finding) {
    say(to, "one of the two is atomic already: ");
    rcp_help_access(to, finding, plain_side(finding));
    say(to, " has to be, too (with the memory order that what goes with it needs; relaxed where that is nothing).");
}

/* Both have the lock for reading: where who writes has taken it. */
static void help_readers(rcp_help *to, const rcp_finding *finding) {
    const size_t writer = finding->access[0].kind == RCP_READ ? 1 : 0;
    const rcp_owned_list *held = &finding->held[writer];
    rcp_text name = {0};
    say(to, "who writes has to take ");
    for (size_t i = 0; i < held->len; i++)
        if (has_lock(&finding->held[!writer], held->at[i].object)) {
            put_object(to, finding, held->at[i].object);
            say(to, " for writing");
            if (has_line(finding, taken_at(finding, &held->at[i]))) {
                say(to, " at ");
                rcp_help_line(to, finding, taken_at(finding, &held->at[i]));
            }
            break;
        }
    say(to, ", not for reading.");
    if (rcp_finding_shared(&name, finding))
        rcp_text_printf(&to->words, " Or make %s atomic" ALONE ".", name.at);
    rcp_text_finish(&name);
}

/* Each has a lock, and they have none in common. */
static void help_other_locks(rcp_help *to, const rcp_finding *finding) {
    say(to, "one and the same lock on both sides: ");
    put_thread(to, finding, 0);
    say(to, finding->held[0].len > 1 ? " has " : " has only ");
    for (size_t k = 0; k < 2; k++) {
        if (k) {
            say(to, ", ");
            put_thread(to, finding, 1);
            say(to, finding->held[1].len > 1 ? " has " : " has only ");
        }
        if (finding->held[k].len > 1)
            say(to, "others");
        else
            put_object(to, finding, finding->held[k].at[0].object);
    }
    say(to, ".");
}

/* --- all of it --- */

static bool is_line_of(const rcp_finding *finding, rcp_loc loc, const rcp_location *at) {
    const rcp_location *is = &finding->defs->locations.at[loc.v];
    return at && at->line && is->line == at->line && is->file.v == at->file.v;
}

/* Lines without a place, those that stand there anyhow, and those that were named before. */
static void drop_lines(rcp_help *to, const rcp_finding *finding) {
    size_t kept = 0;
    for (size_t i = 0; i < to->lines.len; i++) {
        const rcp_loc loc = to->lines.at[i];
        bool is_there = !has_line(finding, loc);
        for (size_t k = 0; k < 2; k++)
            is_there |= is_line_of(finding, loc, location_of(finding, k)) ||
                        is_line_of(finding, loc, rcp_help_other_line(finding, to->entry, k));
        for (size_t k = 0; k < kept; k++)
            is_there |= is_line_of(finding, loc, &finding->defs->locations.at[to->lines.at[k].v]);
        if (!is_there)
            to->lines.at[kept++] = loc;
    }
    to->lines.len = kept;
}

/* Nothing where it is on a lock itself, or what the system keeps. */
static void make(rcp_help *to, const rcp_finding *finding, const rcp_handing *many) {
    const size_t locks[2] = {finding->held[0].len, finding->held[1].len}, end = rcp_finding_end_side(finding);
    for (size_t k = 0; k < 2; k++)
        if (finding->deed[k].is_known && finding->deed[k].kind != RCP_END)
            return;
    if (rcp_model_first(finding->models) == RCP_MODEL_C11)
        rcp_help_orders(to, finding);
    else if (end < 2)
        rcp_help_lent(to, finding, end);
    else if (finding->access[0].kind == RCP_FREE || finding->access[1].kind == RCP_FREE)
        rcp_help_free(to, finding, finding->access[0].kind == RCP_FREE ? 0 : 1);
    else if (plain_side(finding) < 2)
        help_plain(to, finding);
    else if (have_one_lock(finding))
        help_readers(to, finding);
    else if (locks[0] && locks[1])
        help_other_locks(to, finding);
    else if (locks[0] || locks[1])
        help_one_side(to, finding);
    else {
        if (many)
            help_many(to, finding, many);
        help_without_locks(to, finding);
    }
}

void rcp_help_make(rcp_help *to, const rcp_finding *finding, const rcp_bug *entry, const rcp_handing *many) {
    *to = (rcp_help){.entry = entry};
    make(to, finding, many);
    drop_lines(to, finding);
}

void rcp_help_finish(rcp_help *help) {
    rcp_text_finish(&help->words);
    rcp_vec_finish(&help->lines);
}
