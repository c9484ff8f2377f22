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

static rcp_code parse_op(rcp_importer *in, rcp_text_piece op, rcp_event *e) {
    const rcp_scan *scan = &in->scan;
    if (begins_with(op, "begin") || begins_with(op, "end")) {
        e->kind = op.at[0] == 'b' ? RCP_BEGIN : RCP_END;
        return RCP_OK;
    }
    const char *open = memchr(op.at, '(', op.len);
    if (!open || op.at[op.len - 1] != ')')
        return rcp_scan_fail(scan, op.at, "an operation is acq(…), rel(…), r(…), w(…), fork(…), join(…), begin or end");
    rcp_text_piece word = {op.at, (size_t)(open - op.at)}, argument = {open + 1, op.len - word.len - 2};
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !rcp_slice_is(word, words[i].word))
        i++;
    if (i == sizeof words / sizeof *words)
        return rcp_scan_fail(scan, op.at,
                             "there is no operation '%.*s': only acq, rel, r, w, fork, join, begin and end",
                             (int)(word.len < 40 ? word.len : 40), word.at);
    e->kind = (uint8_t)words[i].kind;
    if (e->kind == RCP_READ || e->kind == RCP_WRITE) {
        RCP_TRY(rcp_importer_check_name(in, "variable", argument, false));
        rcp_importer_variable(in, argument, e);
    } else if (e->kind == RCP_FORK || e->kind == RCP_JOIN) {
        RCP_TRY(rcp_importer_check_name(in, "thread", argument, false));
        e->child = rcp_importer_thread(in, argument);
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

static rcp_code parse_line(rcp_importer *in, rcp_text_piece line) {
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
    RCP_TRY(parse_op(in, op, &e));
    e.loc = rcp_importer_location(in, number);
    return rcp_importer_add(in, op.at, &e);
}

rcp_code rcp_std_parse(const char *name, const char *text, size_t len, rcp_trace *trace) {
    rcp_importer in;
    rcp_text_piece line;
    rcp_code code = RCP_OK;
    rcp_importer_init(&in, name, "std", text, len, trace);
    if (!len)
        code = rcp_scan_fail(&in.scan, text, "the file is empty; each line of a trace is thread|operation|location");
    while (code == RCP_OK && rcp_importer_line(&in, &line))
        code = parse_line(&in, line);
    rcp_importer_finish(&in);
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
