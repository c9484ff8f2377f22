/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/warnings.h"

#include <string.h>

void rcp_warnings_init(rcp_warnings *warnings) {
    *warnings = (rcp_warnings){0};
    rcp_arena_init(&warnings->memory);
}

void rcp_warnings_finish(rcp_warnings *warnings) {
    rcp_vec_finish(&warnings->at);
    rcp_arena_finish(&warnings->memory);
}

/* A stretch of the text. */
typedef struct words {
    const char *at, *end;
} words;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

static words trim(words w) {
    while (w.at < w.end && is_blank(*w.at))
        w.at++;
    while (w.end > w.at && is_blank(w.end[-1]))
        w.end--;
    return w;
}

static bool begins(words w, const char *with) {
    size_t len = strlen(with);
    return (size_t)(w.end - w.at) >= len && !memcmp(w.at, with, len);
}

static const char *find(words w, const char *what) {
    size_t len = strlen(what);
    for (const char *p = w.at; (size_t)(w.end - p) >= len; p++)
        if (!memcmp(p, what, len))
            return p;
    return NULL;
}

/* 'path:12' or 'path:12:5' at the end of the words: where the path ends and which line. */
static bool read_place(words w, words *path, uint32_t *line) {
    for (int numbers = 0; numbers < 2; numbers++) {
        const char *p = w.end;
        while (p > w.at && is_digit(p[-1]))
            p--;
        if (p == w.end || p == w.at || p[-1] != ':' || w.end - p > 9)
            break;
        uint32_t number = 0;
        for (const char *d = p; d < w.end; d++)
            number = number * 10 + (uint32_t)(*d - '0');
        *line = number; /* the number in front, where there are two: the other one is a column */
        w.end = p - 1;
        *path = w;
    }
    return path->at && path->at < path->end && *line > 0;
}

typedef struct parser {
    const char *name;
    rcp_warnings *to;
    uint32_t line;
    /* the report in hand: how many of its accesses have begun, and which have their place */
    enum { NOTHING, TSAN, HELGRIND } tool;
    uint32_t began;
    int access;
    rcp_warned_place place[2];
} parser;

static rcp_warned_place keep(parser *p, words path, uint32_t line) {
    size_t len = (size_t)(path.end - path.at);
    char *copy = rcp_arena_alloc(&p->to->memory, len + 1);
    memcpy(copy, path.at, len);
    copy[len] = 0;
    return (rcp_warned_place){copy, line};
}

static bool same(const rcp_warned_place *a, const rcp_warned_place *b) {
    return a->line == b->line && !strcmp(a->file, b->file);
}

static void add(parser *p, rcp_warned_place a, rcp_warned_place b, uint32_t line) {
    for (size_t i = 0; i < p->to->at.len; i++) {
        const rcp_warning *w = &p->to->at.at[i];
        if ((same(&w->place[0], &a) && same(&w->place[1], &b)) || (same(&w->place[0], &b) && same(&w->place[1], &a)))
            return;
    }
    rcp_vec_push(&p->to->at, ((rcp_warning){{a, b}, line}));
}

static void end_report(parser *p) {
    if (p->tool == NOTHING)
        return;
    if (p->place[0].file && p->place[1].file)
        add(p, p->place[0], p->place[1], p->began);
    else
        p->to->incomplete++;
    p->tool = NOTHING;
}

static void begin_report(parser *p, int tool, int access) {
    end_report(p);
    p->to->reports++;
    p->tool = tool;
    p->began = p->line;
    p->access = access;
    p->place[0] = p->place[1] = (rcp_warned_place){0};
}

/* A frame of the access in hand; the first one with a source line counts. */
static void frame(parser *p, words where) {
    words path = {0};
    uint32_t line = 0;
    if (p->access >= 0 && p->access < 2 && !p->place[p->access].file && read_place(where, &path, &line))
        p->place[p->access] = keep(p, path, line);
}

/* "    #0 update /src/a.c:12:5 (prog+0x1234) (BuildId: …)" */
static void tsan_frame(parser *p, words line) {
    const char *open = find(line, " (");
    words where = trim((words){line.at, open ? open : line.end});
    const char *path = find(where, " "); /* after #0 */
    path = path ? find((words){path + 1, where.end}, " /") : NULL;
    if (!path) { /* a relative path: the last word */
        for (path = where.end; path > where.at && path[-1] != ' ';)
            path--;
        path--;
    }
    if (path >= where.at)
        frame(p, trim((words){path, where.end}));
}

static bool is_access(words line) {
    static const char *const heads[] = {"Write of size ",
                                        "Read of size ",
                                        "Atomic write of size ",
                                        "Atomic read of size ",
                                        "Previous write of size ",
                                        "Previous read of size ",
                                        "Previous atomic write of size ",
                                        "Previous atomic read of size "};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (begins(line, heads[i]))
            return true;
    return false;
}

static void tsan_line(parser *p, words line) {
    if (begins(line, "SUMMARY: ThreadSanitizer") || begins(line, "=================="))
        end_report(p);
    else if (is_access(line))
        p->access++;
    else if (begins(line, "#"))
        tsan_frame(p, line);
    else if (line.at < line.end)
        p->access = p->access < 1 ? p->access : 2; /* where the memory and the threads came from */
}

/* "   at 0x10936: update (a.c:12)" */
static void helgrind_line(parser *p, words line) {
    if (begins(line, "This conflicts with a previous ")) {
        p->access = 1;
    } else if (begins(line, "at 0x") || begins(line, "by 0x")) {
        const char *open = NULL;
        for (const char *c = line.at; c < line.end; c++)
            if (*c == '(')
                open = c;
        if (!open || line.end[-1] != ')')
            return;
        words where = {open + 1, line.end - 1};
        /* its own replacements of libc's functions */
        if (!begins(where, "vg_") && !begins(where, "hg_") && !begins(where, "in "))
            frame(p, where);
    } else if (begins(line, "Address 0x") || begins(line, "----")) {
        end_report(p);
    }
}

/* Without "==123== ". */
static bool helgrind_prefix(words *line) {
    if (!begins(*line, "=="))
        return false;
    const char *p = line->at + 2;
    while (p < line->end && is_digit(*p))
        p++;
    if (p == line->at + 2 || !begins((words){p, line->end}, "=="))
        return false;
    *line = trim((words){p + 2, line->end});
    return true;
}

static rcp_code pair_line(parser *p, words line) {
    const char *comment = find(line, "#");
    line = trim((words){line.at, comment ? comment : line.end});
    if (line.at == line.end)
        return RCP_OK;
    const char *gap = line.at;
    while (gap < line.end && !is_blank(*gap))
        gap++;
    words word[2] = {{line.at, gap}, trim((words){gap, line.end})}, path[2] = {{0}};
    uint32_t number[2] = {0};
    for (int i = 0; i < 2; i++)
        if (!read_place(word[i], &path[i], &number[i]) || find(word[i], " "))
            return rcp_fail(RCP_BAD_INPUT,
                            "%s:%u: two places are wanted, 'file:line file:line', or a report of ThreadSanitizer or "
                            "Helgrind",
                            p->name, p->line);
    add(p, keep(p, path[0], number[0]), keep(p, path[1], number[1]), p->line);
    return RCP_OK;
}

/* Calls back with each line; stops at the first failure. */
static rcp_code each_line(parser *p, const char *text, size_t len, rcp_code (*handle)(parser *p, words line)) {
    const char *end = text + len;
    p->line = 0;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        p->line++;
        RCP_TRY(handle(p, trim((words){text, stop})));
        text = stop + 1;
    }
    return RCP_OK;
}

static rcp_code report_line(parser *p, words line) {
    bool helgrind = helgrind_prefix(&line);
    if (begins(line, "WARNING: ThreadSanitizer: data race") ||
        begins(line, "WARNING: ThreadSanitizer: heap-use-after-free (race)"))
        begin_report(p, TSAN, -1);
    else if (helgrind && begins(line, "Possible data race during "))
        begin_report(p, HELGRIND, 0);
    else if (p->tool == TSAN && !helgrind)
        tsan_line(p, line);
    else if (p->tool == HELGRIND && helgrind)
        helgrind_line(p, line);
    return RCP_OK;
}

rcp_code rcp_warnings_parse(const char *name, const char *text, size_t len, rcp_warnings *warnings) {
    parser p = {.name = name, .to = warnings};
    size_t reports = warnings->reports, pairs = warnings->at.len;
    RCP_TRY(each_line(&p, text, len, report_line));
    end_report(&p);
    if (warnings->reports > reports)
        return RCP_OK;
    RCP_TRY(each_line(&p, text, len, pair_line));
    if (warnings->at.len == pairs && !pairs)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: no pair is in it: lines 'file:line file:line', or reports of ThreadSanitizer or Helgrind, "
                        "are wanted",
                        name);
    return RCP_OK;
}

/* Is one path the end of the other, whole names at a time? */
static bool same_file(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > m) {
        const char *swap = a;
        a = b;
        b = swap;
        size_t less = m;
        m = n;
        n = less;
    }
    return n && !strcmp(a, b + (m - n)) && (n == m || b[m - n - 1] == '/');
}

bool rcp_warned_place_is(const rcp_defs *defs, rcp_loc loc, const rcp_warned_place *place) {
    const rcp_location *at = &defs->locations.at[loc.v];
    const char *file = place->file;
    while (!strncmp(file, "./", 2))
        file += 2;
    return loc.v && at->line == place->line && same_file(rcp_defs_borrow_string(defs, at->file), file);
}
