/* SPDX-License-Identifier: Apache-2.0 */
/* For people: one side of a pair, with its source, its frames and its locks; and where steps of a schedule end. */
#include "report/excerpts.h"
#include "report/help.h"
#include "report/lent.h"
#include "report/lines.h"
#include "report/names.h"
#include "report/people.h"
#include "trace/model/own_place.h"

#include <string.h>

void rcp_people_thread(rcp_text *to, const rcp_defs *defs, rcp_tid tid) {
    rcp_text piece = {0};
    rcp_finding_thread(&piece, defs, tid);
    rcp_lines_plain(to, piece.at);
    rcp_text_finish(&piece);
}

/* A name of C++, short unless `is_full`. */
void rcp_people_name(rcp_text *to, const char *name, bool is_full) {
    rcp_text piece = {0};
    if (is_full)
        rcp_text_puts(&piece, name);
    else
        rcp_name_shorten(&piece, name);
    rcp_lines_plain(to, piece.at ? piece.at : "");
    rcp_text_finish(&piece);
}

static void location(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    rcp_text piece = {0};
    rcp_finding_location(&piece, defs, loc);
    rcp_lines_plain(to, piece.at);
    rcp_text_finish(&piece);
}

static const char *function_name(const rcp_defs *defs, rcp_loc loc) {
    return rcp_defs_borrow_string(defs, defs->locations.at[loc.v].function);
}

static void place(rcp_text *to, const rcp_defs *defs, rcp_loc loc, bool is_full) {
    location(to, defs, loc);
    if (*function_name(defs, loc)) {
        rcp_text_puts(to, " in ");
        rcp_people_name(to, function_name(defs, loc), is_full);
    }
}

static bool is_library(const rcp_defs *defs, rcp_loc loc) {
    return rcp_own_place_is_library(rcp_defs_borrow_string(defs, defs->locations.at[loc.v].file));
}

/* The first one outside of the C++ library; 0: there is none. */
static rcp_stack own_frame(const rcp_defs *defs, rcp_stack stack) {
    while (stack.v && is_library(defs, defs->stacks.at[stack.v].loc))
        stack = defs->stacks.at[stack.v].caller;
    return stack;
}

static void frame_head(rcp_text *to, const char *word) { rcp_text_printf(to, "  %-13s   %s ", "", word); }

/* The function of the library that the program's own frame has called; returns how many calls below it `loc` is. */
static size_t called(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack, rcp_stack own) {
    size_t deep = 0;
    for (; stack.v != own.v; stack = defs->stacks.at[stack.v].caller, deep++)
        loc = defs->stacks.at[stack.v].loc;
    rcp_people_name(to, rcp_defs_borrow_string(defs, defs->locations.at[loc.v].function), false);
    return deep;
}

/* Whom the user's line has called in the library, and where the access is in there; our code in place of the library's
 * is nobody's to look at. */
static void inside_line(rcp_text *to, const rcp_defs *defs, const rcp_event *access, rcp_stack own) {
    frame_head(to, "inside");
    size_t deep = called(to, defs, access->loc, access->stack, own);
    if (rcp_own_place_is_ours(rcp_defs_borrow_string(defs, defs->locations.at[access->loc.v].file))) {
        rcp_text_puts(to, "\n");
        return;
    }
    rcp_text_puts(to, ", ");
    if (deep)
        rcp_text_printf(to, "%zu call%s down, ", deep, deep == 1 ? "" : "s");
    rcp_text_puts(to, "at ");
    location(to, defs, access->loc);
    rcp_text_puts(to, "\n");
}

/* Frames of the library between the program's own are counted; those that only begin a thread are not even that. */
static void frame_lines(rcp_text *to, const rcp_defs *defs, rcp_stack stack, bool is_full) {
    while (stack.v) {
        rcp_stack own = is_full ? stack : own_frame(defs, stack);
        size_t skipped = 0;
        for (rcp_stack s = stack; s.v != own.v; s = defs->stacks.at[s.v].caller)
            skipped++;
        if (!own.v)
            return;
        frame_head(to, "called from");
        place(to, defs, defs->stacks.at[own.v].loc, is_full);
        if (skipped)
            rcp_text_printf(to, ", through %zu call%s of the C++ library", skipped, skipped == 1 ? "" : "s");
        rcp_text_puts(to, "\n");
        stack = defs->stacks.at[own.v].caller;
    }
}

/* "holding mutex m, taken at a.c:12:5", a line each. */
static void lock_lines(rcp_text *to, const rcp_defs *defs, const rcp_owned_list *locks, bool is_full) {
    enum { SHOWN = 4 };
    for (size_t i = 0; i < locks->len && i < SHOWN; i++) {
        const rcp_owned *lock = &locks->at[i];
        const rcp_object *object = &defs->objects.at[lock->object.v];
        const char *name = rcp_defs_borrow_string(defs, object->name);
        frame_head(to, "holding");
        rcp_text_puts(to, rcp_finding_kind((rcp_object_kind)object->kind));
        if (*name) {
            rcp_text_puts(to, " `");
            rcp_people_name(to, name, is_full);
            rcp_text_puts(to, "`");
        } else if (object->addr)
            rcp_text_printf(to, " at 0x%llx", (unsigned long long)object->addr);
        rcp_text_puts(to, lock->mode == RCP_SHARED ? " for reading" : "");
        rcp_stack own = !is_full && is_library(defs, lock->loc) ? own_frame(defs, lock->stack) : (rcp_stack){0};
        if (lock->loc.v) {
            rcp_text_puts(to, ", taken at ");
            location(to, defs, own.v ? defs->stacks.at[own.v].loc : lock->loc);
        }
        rcp_text_puts(to, "\n");
    }
    if (locks->len > SHOWN) {
        frame_head(to, "holding");
        rcp_text_printf(to, "%zu more\n", locks->len - SHOWN);
    }
}

/* No lock is missing where one is destroyed or its thread ends. */
void rcp_people_locks(rcp_text *to, const rcp_finding *finding, size_t side, bool is_full) {
    if (finding->deed[side].is_known && !finding->deed[side].slot)
        return;
    if (finding->held[side].len)
        lock_lines(to, finding->defs, &finding->held[side], is_full);
    else {
        frame_head(to, "holding");
        rcp_lines_ink(to, RCP_INK_PERHAPS);
        rcp_text_puts(to, "no lock\n");
        rcp_lines_ink(to, RCP_INK_END);
    }
}

/* Both have locks: why these do not keep them apart. */
void rcp_people_lock_words(rcp_text *to, const rcp_finding *finding) {
    const rcp_owned_list *one = &finding->held[0], *other = &finding->held[1];
    for (size_t i = 0; i < one->len; i++)
        for (size_t k = 0; k < other->len; k++)
            if (one->at[i].object.v == other->at[k].object.v) {
                if (one->at[i].mode == RCP_SHARED && other->at[k].mode == RCP_SHARED)
                    rcp_text_puts(to, "  Both have that lock for reading, which keeps no reader out.\n");
                return;
            }
    if (one->len && other->len)
        rcp_text_puts(to, "  They have no lock in common.\n");
}

/* The user's line, with a mark where the access is in it; a line that is long around that. */
void rcp_people_source(rcp_text *to, const char *file, uint32_t number, uint32_t mark, int64_t recorded_at) {
    enum { LONGEST = 88, AROUND = 40 };
    rcp_text line = {0}, shown = {0};
    if (!rcp_excerpts_line(&line, file, number, recorded_at))
        return;
    const size_t column = mark && mark <= line.len ? mark - 1 : 0;
    size_t from = strspn(line.at, " \t"), end = line.len;
    if (end - from > LONGEST) {
        from = column > from + AROUND ? column - AROUND : from;
        end = end - from > LONGEST ? from + LONGEST : end;
        while (from < column && ((unsigned char)line.at[from] & 0xc0) == 0x80)
            from++;
        while (end > column && ((unsigned char)line.at[end] & 0xc0) == 0x80)
            end--;
    }
    rcp_text_add(&shown, line.at + from, end - from);
    for (char *p = shown.at; p && *p; p++)
        *p = *p == '\t' ? ' ' : *p;
    rcp_text_printf(to, "  %7u | ", number);
    rcp_lines_plain(to, shown.at ? shown.at : "");
    rcp_text_puts(to, "\n");
    if (mark && column >= from) {
        rcp_text_printf(to, "  %7s | ", "");
        for (size_t i = from; i < column; i++)
            if (((unsigned char)line.at[i] & 0xc0) != 0x80)
                rcp_text_puts(to, " ");
        rcp_text_puts(to, "^\n");
    }
    rcp_text_finish(&line);
    rcp_text_finish(&shown);
}

void rcp_people_quote(rcp_text *to, const rcp_finding *finding, rcp_loc loc) {
    enum { LONGEST = 64 };
    const rcp_location *at = &finding->defs->locations.at[loc.v];
    rcp_text line = {0}, shown = {0};
    if (!rcp_excerpts_line(&line, rcp_defs_borrow_string(finding->defs, at->file), at->line, finding->recorded_at))
        return;
    const char *code = line.at + strspn(line.at, " \t");
    size_t n = strlen(code);
    for (n = n > LONGEST ? LONGEST : n; n && ((unsigned char)code[n] & 0xc0) == 0x80;)
        n--;
    rcp_finding_line(&shown, finding->defs, loc);
    rcp_text_puts(&shown, " | ");
    rcp_text_add(&shown, code, n);
    rcp_text_puts(&shown, code[n] ? "…" : "");
    for (char *p = shown.at; *p; p++)
        *p = *p == '\t' ? ' ' : *p;
    rcp_text_puts(to, "              ");
    rcp_lines_plain(to, shown.at);
    rcp_text_puts(to, "\n");
    rcp_text_finish(&line);
    rcp_text_finish(&shown);
}

static void source_lines(rcp_text *to, const rcp_finding *finding, rcp_loc loc) {
    const rcp_location *at = &finding->defs->locations.at[loc.v];
    rcp_people_source(to, rcp_defs_borrow_string(finding->defs, at->file), at->line, at->column, finding->recorded_at);
}

static bool is_header(const rcp_defs *defs, rcp_loc loc) {
    const char *file = rcp_defs_borrow_string(defs, defs->locations.at[loc.v].file), *dot = strrchr(file, '.');
    return dot && dot[1] == 'h';
}

/* The line, and the one that the advice names beside it, in the order of the source. */
static void both_source_lines(rcp_text *to, const rcp_finding *finding, rcp_loc loc, const rcp_location *also) {
    const rcp_location *at = &finding->defs->locations.at[loc.v];
    const rcp_loc other = {also ? (uint32_t)(also - finding->defs->locations.at) : 0};
    if (also && also->line < at->line)
        source_lines(to, finding, other);
    source_lines(to, finding, loc);
    if (also && also->line > at->line)
        source_lines(to, finding, other);
}

/* Where that was done to its thread; whose that is, too, where both sides have one place in common, or it is a
 * header's. `other`: who called it on the other side. */
static void thread_lines(rcp_text *to, const rcp_defs *defs, const char *head, rcp_frame at, rcp_stack other,
                         bool is_alike, bool is_full) {
    enum { MOST = 4 };
    if (!at.loc.v)
        return;
    frame_head(to, head);
    place(to, defs, at.loc, is_full);
    rcp_text_puts(to, "\n");
    for (int i = 0; i < MOST && at.caller.v && (is_alike || is_header(defs, at.loc)); i++) {
        at = defs->stacks.at[at.caller.v];
        is_alike = is_alike && other.v && at.loc.v == defs->stacks.at[other.v].loc.v;
        frame_head(to, "  called from");
        place(to, defs, at.loc, is_full);
        rcp_text_puts(to, "\n");
        other = other.v ? defs->stacks.at[other.v].caller : other;
    }
}

/* Where its thread was created; and joined, where the other one frees what it uses: behind that nobody does. */
static void created_lines(rcp_text *to, const rcp_finding *finding, size_t k, bool is_full) {
    const rcp_frame at = {finding->created[k], finding->created_by[k]};
    const rcp_stack other = finding->created_by[!k];
    const bool is_alike = at.loc.v == finding->created[!k].v && at.caller.v != other.v;
    thread_lines(to, finding->defs, "created at", at, other, is_alike, is_full);
    if (finding->access[!k].kind == RCP_FREE)
        thread_lines(to, finding->defs, "joined at", finding->joined[k], (rcp_stack){0}, false, is_full);
}

/* What goes with its thread: how it is declared, and who stored its address. */
static void lent_lines(rcp_text *to, const rcp_finding *finding, bool is_full) {
    rcp_lent_variable lent;
    rcp_text name = {0};
    const bool is_declared = rcp_lent_find(finding, &lent), is_named = rcp_lent_name(&name, finding);
    if (is_declared) {
        rcp_text file = {0};
        frame_head(to, name.at);
        if (lent.is_thread_local)
            rcp_text_puts(to, "is thread_local");
        else {
            rcp_text_puts(to, "is a local variable of ");
            rcp_people_name(to, function_name(finding->defs, finding->lent), is_full);
        }
        rcp_text_add(&file, lent.file, lent.file_len);
        rcp_text_puts(to, ", declared at ");
        rcp_lines_plain(to, file.at);
        rcp_text_printf(to, ":%u\n", lent.line);
        rcp_people_source(to, file.at, lent.line, 0, finding->recorded_at);
        rcp_text_finish(&file);
    }
    if (finding->lent.v) {
        frame_head(to, is_declared ? "its address" : "the address");
        rcp_text_printf(to, is_named && !is_declared ? "of %s was stored at " : "was stored at ", name.at);
        place(to, finding->defs, finding->lent, is_full);
        rcp_text_puts(to, "\n");
        source_lines(to, finding, finding->lent);
    }
    rcp_text_finish(&name);
}

/* The first line is the program's own, whatever the library does below it; the line itself, where its thread comes from
 * and the callers follow, unless `is_brief`. */
void rcp_people_access(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, size_t k, bool is_full,
                       bool is_brief) {
    const rcp_defs *defs = finding->defs;
    const rcp_event *access = &finding->access[k];
    rcp_text op = {0};
    bool is_inside = !is_full && access->loc.v && is_library(defs, access->loc);
    rcp_stack own = is_inside ? own_frame(defs, access->stack) : (rcp_stack){0};
    const rcp_loc loc = own.v ? defs->stacks.at[own.v].loc : access->loc;
    rcp_finding_does(&op, access, &finding->deed[k]);
    rcp_text_printf(to, "  %-13s ", op.at);
    rcp_text_finish(&op);
    if (loc.v)
        place(to, defs, loc, is_full);
    else if (rcp_finding_end_side(finding) == k)
        rcp_text_puts(to, "after its last line");
    else
        rcp_text_printf(to, "event %llu", (unsigned long long)finding->race->event[k].v);
    rcp_text_puts(to, ", ");
    rcp_people_thread(to, defs, access->tid);
    rcp_text_puts(to, "\n");
    if (!is_brief && loc.v)
        both_source_lines(to, finding, loc, rcp_help_other_line(finding, entry, k));
    if (own.v)
        inside_line(to, defs, access, own);
    if (is_brief)
        return;
    if (rcp_finding_end_side(finding) == k)
        lent_lines(to, finding, is_full);
    if (access->kind == RCP_FREE && finding->allocated.v) {
        frame_head(to, "allocated at");
        place(to, defs, finding->allocated, is_full);
        rcp_text_puts(to, "\n");
    }
    frame_lines(to, defs, own.v ? defs->stacks.at[own.v].caller : access->stack, is_full || (is_inside && !own.v));
    created_lines(to, finding, k, is_full);
}

/* Like an access, it stands at the program's own line. */
static void stop_words(rcp_text *to, const rcp_defs *defs, const rcp_stop *stop, bool is_full) {
    bool is_inside = !is_full && stop->loc.v && is_library(defs, stop->loc);
    rcp_stack own = is_inside ? own_frame(defs, stop->stack) : (rcp_stack){0};
    if (own.v) {
        location(to, defs, defs->stacks.at[own.v].loc);
        rcp_text_puts(to, ", inside ");
        called(to, defs, stop->loc, stop->stack, own);
        return;
    }
    rcp_text piece = {0};
    rcp_finding_stop(&piece, defs, stop);
    rcp_lines_plain(to, piece.at);
    rcp_text_finish(&piece);
}

/* What has been done there: "has taken mutex m at a.c:12:5". */
void rcp_people_done(rcp_text *to, const rcp_defs *defs, const rcp_stop *stop, bool is_full) {
    static const char *const all[RCP_KINDS] = {
        [RCP_BEGIN] = "has begun",       [RCP_FORK] = "has created a thread", [RCP_JOIN] = "has joined a thread",
        [RCP_READ] = "has read",         [RCP_WRITE] = "has written",         [RCP_RMW] = "has updated",
        [RCP_ACQUIRE] = "has taken ",    [RCP_RELEASE] = "has given up ",     [RCP_WAIT] = "waits for ",
        [RCP_SIGNAL] = "has signalled ", [RCP_BROADCAST] = "has signalled ",  [RCP_SEM_POST] = "has posted ",
        [RCP_SEM_WAIT] = "has got ",
    };
    const char *words = all[stop->kind] ? all[stop->kind] : "has come"; /* to a branch, mostly */
    rcp_text_puts(to, words);
    if (words[strlen(words) - 1] == ' ') {
        const rcp_object *object = &defs->objects.at[stop->object.v];
        const char *name = rcp_defs_borrow_string(defs, object->name);
        rcp_text_puts(to, rcp_finding_kind((rcp_object_kind)object->kind));
        rcp_text_puts(to, *name ? " `" : "");
        rcp_people_name(to, name, is_full);
        rcp_text_puts(to, *name ? "`" : "");
    }
    if (stop->kind == RCP_READ || stop->kind == RCP_WRITE || stop->kind == RCP_RMW) {
        rcp_text name = {0};
        const rcp_variable *variable = rcp_defs_find_variable(defs, stop->addr);
        const bool is_inside = variable && is_library(defs, stop->loc);
        rcp_defs_name_access(defs, variable, is_inside ? variable->addr : stop->addr,
                             rcp_defs_borrow_string(defs, defs->locations.at[stop->loc.v].member), &name);
        rcp_text_puts(to, name.len ? " `" : "");
        rcp_people_name(to, name.len ? name.at : "", is_full);
        rcp_text_puts(to, name.len ? "`" : "");
        rcp_text_finish(&name);
    }
    rcp_text_puts(to, !stop->loc.v ? ", " : all[stop->kind] ? " at " : " to ");
    stop_words(to, defs, stop, is_full);
}
