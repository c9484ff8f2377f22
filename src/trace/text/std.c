/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/std.h"

#include "trace/text/importer.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *word;
    rcp_kind kind;
} words[] = {
    {"acq", RCP_ACQUIRE}, {"rel", RCP_RELEASE}, {"r", RCP_READ},
    {"w", RCP_WRITE},     {"fork", RCP_FORK},   {"join", RCP_JOIN},
};

static bool begins_with(rcp_text_piece slice, const char *prefix) {
    size_t n = strlen(prefix);
    return slice.len >= n && !memcmp(slice.at, prefix, n);
}

typedef struct std_parser {
    rcp_importer in;
    rcp_names lines;                    /* threads that lines begin with */
    RCP_VEC(uint8_t) forked;            /* by thread */
    uint64_t renamed, repeated, waited; /* how many lines of each sort there are, and the first one's number */
    size_t first_renamed, first_repeated;
} std_parser;

/* 'T151', in `room`, for '151', and the other way round; the name itself where it is neither. */
static rcp_text_piece other_name(rcp_text_piece name, rcp_text *room) {
    bool has_letter = name.at[0] == 'T';
    for (size_t i = has_letter; i < name.len; i++)
        if (name.at[i] < '0' || name.at[i] > '9')
            return name;
    if (has_letter)
        return (rcp_text_piece){name.at + 1, name.len - 1};
    rcp_text_clear(room);
    rcp_text_puts(room, "T");
    rcp_text_add(room, name.at, name.len);
    return (rcp_text_piece){room->at, room->len};
}

/* Which thread is forked or joined? Other tools write fork(151) where the lines of that thread begin with T151. A name
 * that lines begin with is that thread's. */
static rcp_tid named_thread(std_parser *p, rcp_text_piece name) {
    rcp_text room = {0};
    if (rcp_names_get(&p->lines, name.at, name.len) == RCP_NAMES_NONE) {
        rcp_text_piece other = other_name(name, &room);
        if (other.len && rcp_names_get(&p->lines, other.at, other.len) != RCP_NAMES_NONE) {
            if (!p->renamed++)
                p->first_renamed = p->in.scan.line;
            name = other;
        }
    }
    rcp_tid tid = rcp_importer_thread(&p->in, name);
    rcp_text_finish(&room);
    return tid;
}

/* Has the thread been forked already? Now it has. */
static bool is_forked_again(std_parser *p, rcp_tid child) {
    while (p->forked.len <= child.v)
        rcp_vec_push(&p->forked, 0);
    bool again = p->forked.at[child.v];
    p->forked.at[child.v] = 1;
    if (again && !p->repeated++)
        p->first_repeated = p->in.scan.line;
    return again;
}

/* *is_event: there is one; else the line says nothing. */
static rcp_code parse_op(std_parser *p, rcp_text_piece op, rcp_event *e, bool *is_event) {
    rcp_importer *in = &p->in;
    const rcp_scan *scan = &in->scan;
    *is_event = true;
    if (begins_with(op, "begin") || begins_with(op, "end")) {
        e->kind = op.at[0] == 'b' ? RCP_BEGIN : RCP_END;
        return RCP_OK;
    }
    const char *open = memchr(op.at, '(', op.len);
    if (!open || op.at[op.len - 1] != ')')
        return rcp_scan_fail(scan, op.at,
                             "an operation is acq(…), rel(…), req(…), r(…), w(…), fork(…), join(…), begin or end");
    rcp_text_piece word = {op.at, (size_t)(open - op.at)}, argument = {open + 1, op.len - word.len - 2};
    if (rcp_slice_is(word, "req")) { /* a thread is about to acquire it: what comes of that is its acq */
        *is_event = false;
        p->waited++;
        return rcp_importer_check_name(in, "lock", argument, false);
    }
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !rcp_slice_is(word, words[i].word))
        i++;
    if (i == sizeof words / sizeof *words)
        return rcp_scan_fail(scan, op.at,
                             "there is no operation '%.*s': only acq, rel, req, r, w, fork, join, begin and end",
                             (int)(word.len < 40 ? word.len : 40), word.at);
    e->kind = (uint8_t)words[i].kind;
    if (e->kind == RCP_READ || e->kind == RCP_WRITE) {
        RCP_TRY(rcp_importer_check_name(in, "variable", argument, false));
        rcp_importer_variable(in, argument, e);
    } else if (e->kind == RCP_FORK || e->kind == RCP_JOIN) {
        RCP_TRY(rcp_importer_check_name(in, "thread", argument, false));
        e->child = named_thread(p, argument);
        *is_event = e->kind != RCP_FORK || !is_forked_again(p, e->child);
    } else {
        RCP_TRY(rcp_importer_check_name(in, "lock", argument, false));
        rcp_importer_lock(in, argument, e);
    }
    return RCP_OK;
}

/* A signed 32-bit decimal, and nothing else. */
static rcp_code parse_location(const rcp_importer *in, rcp_text_piece text, int64_t *number) {
    bool minus = text.len && text.at[0] == '-';
    size_t i = minus || (text.len && text.at[0] == '+');
    bool digits = i < text.len;
    int64_t sum = 0;
    for (; i < text.len && sum <= INT32_MAX; i++) {
        digits = digits && text.at[i] >= '0' && text.at[i] <= '9';
        sum = sum * 10 + (text.at[i] - '0');
        if (!digits)
            break;
    }
    if (!digits)
        return rcp_scan_fail(&in->scan, text.at, "a location is a decimal number");
    if (i < text.len || sum > (int64_t)INT32_MAX + minus)
        return rcp_scan_fail(&in->scan, text.at, "a location has at most 32 bits, with its sign");
    *number = minus ? -sum : sum;
    return RCP_OK;
}

static rcp_code parse_line(std_parser *p, rcp_text_piece line) {
    rcp_importer *in = &p->in;
    const rcp_scan *scan = &in->scan;
    const char *end = line.at + line.len;
    if (!line.len)
        return rcp_scan_fail(scan, line.at, "a line is empty; each is thread|operation|location");
    const char *first = memchr(line.at, '|', line.len);
    const char *second = first ? memchr(first + 1, '|', (size_t)(end - first - 1)) : NULL;
    const char *third = second ? memchr(second + 1, '|', (size_t)(end - second - 1)) : NULL;
    if (!second || third)
        return rcp_scan_fail(scan, third ? third : end, "a line has exactly two '|': thread|operation|location");
    rcp_text_piece thread = {line.at, (size_t)(first - line.at)}, op = {first + 1, (size_t)(second - first - 1)};
    rcp_text_piece location = {second + 1, (size_t)(end - second - 1)};
    rcp_event e = {0};
    int64_t number = 0; /* gcc does not see that it is set */
    if (!op.len)
        return rcp_scan_fail(scan, op.at, "the operation is missing here");
    RCP_TRY(rcp_importer_check_name(in, "thread", thread, true));
    RCP_TRY(parse_location(in, location, &number));
    e.tid = rcp_importer_thread(in, thread);
    bool is_event;
    RCP_TRY(parse_op(p, op, &e, &is_event));
    if (!is_event)
        return RCP_OK;
    e.loc = rcp_importer_location(in, number);
    return rcp_importer_add(in, op.at, &e);
}

static void find_threads(std_parser *p, const char *text, size_t len) {
    const char *end = text + len, *next;
    for (const char *at = text; at < end; at = next) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        next = line_end ? line_end + 1 : end;
        const char *bar = memchr(at, '|', (size_t)(next - at));
        if (bar && rcp_names_get(&p->lines, at, (size_t)(bar - at)) == RCP_NAMES_NONE)
            rcp_names_add(&p->lines, at, (size_t)(bar - at), 0);
    }
}

static const char *ending(uint64_t n) { return n == 1 ? "" : "s"; }

/* What was not taken as it stands: facts, so that whoever has the trace can say so. */
static void leave_notes(const std_parser *p) {
    rcp_defs *defs = &p->in.trace->defs;
    rcp_text text = {0};
    if (p->renamed) {
        rcp_text_printf(&text,
                        "%" PRIu64
                        " fork%s and joins name a thread by its number alone, or with a T before it, first in "
                        "line %zu: that is taken to be the thread whose lines begin with the other form",
                        p->renamed, ending(p->renamed), p->first_renamed);
        rcp_defs_fact(defs, "note names", text.at);
    }
    if (p->repeated) {
        rcp_text_clear(&text);
        rcp_text_printf(&text, "%" PRIu64 " fork%s of a thread that was forked before left out, first in line %zu",
                        p->repeated, ending(p->repeated), p->first_repeated);
        rcp_defs_fact(defs, "note forks", text.at);
    }
    if (p->waited) {
        rcp_text_clear(&text);
        rcp_text_printf(&text, "%" PRIu64 " req%s, after which a thread may wait for a lock, left out: no event",
                        p->waited, ending(p->waited));
        rcp_defs_fact(defs, "note requests", text.at);
    }
    rcp_text_finish(&text);
}

rcp_code rcp_std_parse(const char *name, const char *text, size_t len, rcp_trace *trace) {
    std_parser p = {0};
    rcp_text_piece line;
    rcp_code code = RCP_OK;
    rcp_importer_init(&p.in, name, "std", text, len, trace);
    rcp_names_init(&p.lines);
    find_threads(&p, text, len);
    if (!len)
        code = rcp_scan_fail(&p.in.scan, text, "the file is empty; each line of a trace is thread|operation|location");
    while (code == RCP_OK && rcp_importer_line(&p.in, &line))
        code = parse_line(&p, line);
    leave_notes(&p);
    rcp_names_finish(&p.lines);
    rcp_vec_finish(&p.forked);
    rcp_importer_finish(&p.in);
    return code;
}

typedef struct printing {
    rcp_text *out;
    const rcp_defs *defs;
    bool imported;
} printing;

static void print_event(void *context, const rcp_lowered *e) {
    static const char *const ops[] = {"begin", "end", "fork", "join", "r", "w", "acq", "rel"};
    const printing *p = context;
    int64_t location = p->imported ? rcp_imported_location(p->defs, e->loc) : e->loc.v;
    rcp_text_printf(p->out, "%s|%s", e->thread, ops[e->op]);
    if (e->name)
        rcp_text_printf(p->out, "(%s)", e->name);
    /* a location has 31 bits there; more places than that are no program */
    rcp_text_printf(p->out, "|%" PRId64 "\n", location > INT32_MAX ? INT32_MAX : location);
}

rcp_code rcp_std_print(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes) {
    printing p = {.out = out, .defs = &trace->defs, .imported = rcp_defs_are_imported(&trace->defs)};
    rcp_text_add(out, "", 0);
    return rcp_lower_trace(trace, (rcp_lower_options){.bad = "| ", .bad_in_thread = "|"}, print_event, &p, notes);
}
