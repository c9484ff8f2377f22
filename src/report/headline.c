/* SPDX-License-Identifier: Apache-2.0 */
#include "report/entries.h"
#include "report/lent.h"
#include "report/names.h"
#include "trace/model/own_place.h"

#include <string.h>

/* What an access does, from what says least to what says most. */
enum { READ, READ_ATOMICALLY, UPDATED_ATOMICALLY, WRITTEN_ATOMICALLY, WRITTEN, DEED, FREED };

/* One side of an entry: a function of the program, with what it does there. */
typedef struct side {
    const rcp_defs *defs;
    rcp_loc at;       /* the program's own place */
    uint32_t line;    /* of what is told */
    bool is_one_line; /* all that is told is done there */
    int verb;
    const rcp_deed *deed;
    const rcp_event *access;
    uint64_t eid;
} side;

static int verb_of(const rcp_finding *finding, size_t slot) {
    const rcp_event *access = &finding->access[slot];
    bool is_atomic = rcp_event_is_atomic(access);
    return finding->deed[slot].is_known ? DEED
           : access->kind == RCP_FREE   ? FREED
           : access->kind == RCP_RMW    ? (is_atomic ? UPDATED_ATOMICALLY : WRITTEN)
           : access->kind == RCP_WRITE  ? (is_atomic ? WRITTEN_ATOMICALLY : WRITTEN)
                                        : (is_atomic ? READ_ATOMICALLY : READ);
}

int rcp_finding_verbs(const rcp_finding *finding) { return verb_of(finding, 0) + verb_of(finding, 1); }

/* The participle of a deed's name. */
static const char *done(const rcp_deed *deed) {
    static const char *const all[][2] = {
        {"lock", "locked"},    {"unlock", "unlocked"}, {"signal", "signalled"}, {"broadcast", "broadcast"},
        {"post", "posted"},    {"wait", "waited for"}, {"init", "initialised"}, {"destroy", "destroyed"},
        {"free", "freed"},     {"use", "used"},        {"close", "closed"},     {"delete", "deleted"},
        {"change", "changed"},
    };
    const char *name = rcp_deed_name(deed);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i][0], name))
            return all[i][1];
    return name;
}

static const char *participle(const side *s) {
    static const char *const all[] = {[READ] = "read",
                                      [READ_ATOMICALLY] = "read atomically",
                                      [UPDATED_ATOMICALLY] = "updated atomically",
                                      [WRITTEN_ATOMICALLY] = "written atomically",
                                      [WRITTEN] = "written",
                                      [FREED] = "freed"};
    return s->verb == DEED ? done(s->deed) : all[s->verb];
}

static bool is_same_function(const side *s, const rcp_finding *finding, size_t slot) {
    const rcp_loc loc = rcp_own_place(finding->defs, &finding->access[slot]);
    const rcp_location *a = &s->defs->locations.at[s->at.v], *b = &finding->defs->locations.at[loc.v];
    bool has_function = a->function.v && b->function.v;
    return !strcmp(rcp_defs_borrow_string(s->defs, a->file), rcp_defs_borrow_string(finding->defs, b->file)) &&
           !strcmp(rcp_defs_borrow_string(s->defs, a->function), rcp_defs_borrow_string(finding->defs, b->function)) &&
           (has_function || a->line == b->line);
}

static bool is_line_of(const side *s, const rcp_finding *finding, size_t slot) {
    const rcp_loc loc = rcp_own_place(finding->defs, &finding->access[slot]);
    return s->defs->locations.at[s->at.v].line == finding->defs->locations.at[loc.v].line;
}

/* The first pair, which stands below the headline, is the one that says what is done; the others, where. */
static void look(side *s, const rcp_finding *finding, size_t slot) {
    const rcp_loc at = rcp_own_place(finding->defs, &finding->access[slot]);
    if (verb_of(finding, slot) == s->verb)
        s->is_one_line &= s->line == finding->defs->locations.at[at.v].line;
}

static side begin_side(const rcp_finding *finding, size_t slot) {
    const rcp_loc at = rcp_own_place(finding->defs, &finding->access[slot]);
    return (side){.defs = finding->defs,
                  .at = at,
                  .line = finding->defs->locations.at[at.v].line,
                  .is_one_line = true,
                  .verb = verb_of(finding, slot),
                  .deed = &finding->deed[slot],
                  .access = &finding->access[slot],
                  .eid = finding->race->event[slot].v};
}

/* Nothing but a place. */
static side side_at(const rcp_finding *finding, rcp_loc at) {
    return (side){.defs = finding->defs, .at = at, .line = finding->defs->locations.at[at.v].line, .is_one_line = true};
}

/* "in push (heap.c:22)"; of many lines "in push (heap.c)"; "at trace.std:7" */
static void put_place(rcp_text *to, const side *s) {
    const rcp_location *at = &s->defs->locations.at[s->at.v];
    const char *file = rcp_defs_borrow_string(s->defs, at->file), *slash = strrchr(file, '/');
    if (!s->at.v) {
        rcp_text_printf(to, "by event %llu", (unsigned long long)s->eid);
        return;
    }
    rcp_text_puts(to, at->function.v ? "in " : "at ");
    if (at->function.v)
        rcp_name_shorten(to, rcp_defs_borrow_string(s->defs, at->function));
    if (at->function.v && *file)
        rcp_text_puts(to, " (");
    rcp_text_puts(to, slash && slash[1] ? slash + 1 : file);
    if (*file && s->line && s->is_one_line)
        rcp_text_printf(to, ":%u", s->line);
    if (at->function.v && *file)
        rcp_text_puts(to, ")");
}

/* "written in push (heap.c:22)" */
static void put_deed(rcp_text *to, const side *s, bool is_told) {
    if (is_told)
        rcp_text_printf(to, "%s ", participle(s));
    put_place(to, s);
}

static const rcp_finding *first_named(const rcp_bug *entry) {
    for (size_t i = 0; i < entry->findings.len; i++)
        if (entry->findings.at[i]->variable)
            return entry->findings.at[i];
    return NULL;
}

static const char *object_word(const rcp_deed *deed) {
    static const char *const all[][2] = {
        {"recursive", "mutex"}, {"spin", "spin lock"},        {"cond", "condition"},
        {"sem", "semaphore"},   {"state", "library's state"}, {"key", "key of threads' values"},
    };
    const char *word = rcp_deed_object(deed);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i][0], word))
            return all[i][1];
    return word;
}

/* How much of the member's names all findings of the entry have in common, up to a member's end: of "x.count" and
 * "x.sum" "x". A local variable is of one function, and whole. */
static size_t common_member(const rcp_bug *entry) {
    const char *member = rcp_finding_member(entry->findings.at[0]);
    size_t n = strlen(member);
    for (size_t i = 1; i < entry->findings.len; i++) {
        const char *other = rcp_finding_member(entry->findings.at[i]);
        size_t same = 0;
        while (same < n && member[same] == other[same])
            same++;
        const bool ends = (!member[same] || strchr(".[", member[same])) && (!other[same] || strchr(".[", other[same]));
        for (n = same; n && !ends && !strchr(".[", member[n]);)
            n--;
    }
    return strstr(member, " of ") && member[n] ? 0 : n;
}

/* "`pool.completed`", "A `pool`", "`count` of main" */
static void put_member(rcp_text *to, const char *member, size_t n) {
    const char *of = memmem(member, n, " of ", 4);
    rcp_text name = {0};
    if (!of && n < strlen(member) && !memchr(member, '.', n) && !memchr(member, '[', n)) /* what is left is a class */
        rcp_text_puts(to, "A ");
    rcp_text_add(&name, member, of ? (size_t)(of - member) : n);
    rcp_text_puts(to, "`");
    rcp_name_shorten(to, name.at);
    rcp_text_puts(to, "`");
    rcp_text_puts(to, of ? of : "");
    rcp_text_finish(&name);
}

/* "`own` of thread 0.1, whose address is stored in T1 (a.c:13)," */
static void put_lent(rcp_text *to, const rcp_finding *finding) {
    rcp_text name = {0};
    if (rcp_lent_name(&name, finding))
        rcp_text_printf(to, "`%s` of ", name.at);
    else
        rcp_text_puts(to, "A variable, local or thread_local, of ");
    rcp_finding_thread(to, finding->defs, finding->access[rcp_finding_end_side(finding)].tid);
    if (finding->lent.v) {
        const side at = side_at(finding, finding->lent);
        rcp_text_puts(to, ", whose address is stored ");
        put_place(to, &at);
        rcp_text_puts(to, ",");
    }
    rcp_text_finish(&name);
}

/* A synchronisation object, or what the system or the library keeps, is called what it is. */
static void put_shared(rcp_text *to, const rcp_bug *entry) {
    const rcp_finding *first = entry->findings.at[0], *named = first_named(entry);
    const rcp_deed *deed = first->deed[0].is_known ? &first->deed[0] : &first->deed[1];
    bool is_object = deed->is_known && (deed->slot || deed->kind != RCP_END);
    const char *member = is_object || deed->is_known ? "" : rcp_finding_member(first);
    size_t n = *member ? common_member(entry) : 0;
    if (is_object)
        rcp_text_printf(to, "The %s", object_word(deed));
    if (named && n == strlen(rcp_defs_borrow_string(named->defs, named->variable->name)))
        n = 0; /* nothing but the variable itself */
    if (n && (!named || rcp_defs_is_member_of(named->defs, member, named->variable))) {
        put_member(to, member, n);
        if (first->allocated.v && !named) {
            const side at = side_at(first, first->allocated);
            rcp_text_puts(to, ", allocated ");
            put_place(to, &at);
            rcp_text_puts(to, ",");
        }
    } else if (named) {
        rcp_text_puts(to, is_object ? " `" : "`");
        rcp_name_shorten(to, rcp_defs_borrow_string(named->defs, named->variable->name));
        rcp_text_puts(to, "`");
    } else if (first->allocated.v) {
        const side at = side_at(first, first->allocated);
        rcp_text_puts(to, is_object ? " in memory allocated " : "Memory allocated ");
        put_place(to, &at);
    } else if (deed->is_known && !is_object)
        put_lent(to, first);
    else if (!is_object)
        rcp_text_puts(to, "Memory without a name");
}

/* Which of the finding's accesses is at that side? */
static bool is_turned(const side of[2], const rcp_finding *finding, bool is_one_function) {
    if (!is_one_function)
        return !is_same_function(&of[0], finding, 0);
    return !is_line_of(&of[0], finding, 0) && is_line_of(&of[1], finding, 0);
}

/* The end of a thread is at no place: "written in T2 (a.c:26), when thread 0.1 may have ended" */
static void put_end(rcp_text *to, const rcp_bug *entry, const side of[2]) {
    const size_t end = rcp_finding_end_side(entry->findings.at[0]);
    const bool is_unconfirmed = rcp_bug_is_unconfirmed(entry);
    put_deed(to, &of[!end], true);
    rcp_text_puts(to, is_unconfirmed ? ", when perhaps " : ", when ");
    rcp_finding_thread(to, of[end].defs, of[end].access->tid);
    rcp_text_puts(to, is_unconfirmed ? " has ended" : " may have ended");
}

void rcp_bug_headline(rcp_text *to, const rcp_bug *entry) {
    const rcp_finding *first = entry->findings.at[0];
    side of[2] = {begin_side(first, 0), begin_side(first, 1)};
    const bool is_one_function = is_same_function(&of[0], first, 1);
    bool is_with_itself = is_one_function && is_line_of(&of[0], first, 1); /* two threads run the same code */
    for (size_t i = 0; i < entry->findings.len; i++) {
        const rcp_finding *finding = entry->findings.at[i];
        const bool turn = is_turned(of, finding, is_one_function);
        look(&of[0], finding, turn);
        look(&of[1], finding, !turn);
    }
    const side *one = of[0].verb >= of[1].verb ? &of[0] : &of[1], *two = one == of ? &of[1] : of;
    put_shared(to, entry);
    rcp_text_puts(to, " is ");
    if (rcp_finding_end_side(first) < 2) {
        put_end(to, entry, of);
        return;
    }
    put_deed(to, one, true);
    const char *unordered = rcp_bug_is_unconfirmed(entry) ? "perhaps nothing" : "nothing";
    if (is_with_itself && one->at.v) {
        rcp_text_printf(to, " by two threads, and %s orders them", unordered);
        return;
    }
    rcp_text_puts(to, " and ");
    put_deed(to, two, strcmp(participle(one), participle(two)) != 0);
    rcp_text_printf(to, ", and %s orders the two", unordered);
}
