/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/valued.h"

#include "trace/text/importer.h"

#include <inttypes.h>

static const struct {
    const char *word;
    rcp_kind kind;
} words[] = {
    {"Read", RCP_READ}, {"Write", RCP_WRITE}, {"Acq", RCP_ACQUIRE}, {"Rel", RCP_RELEASE},
    {"Fork", RCP_FORK}, {"Join", RCP_JOIN},   {"Begin", RCP_BEGIN}, {"End", RCP_END},
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Cuts the line into its four fields; false where there are more or fewer. */
static bool cut(rcp_text_piece line, rcp_text_piece fields[4]) {
    size_t n = 0;
    for (size_t i = 0; i < line.len;) {
        if (is_blank(line.at[i])) {
            i++;
            continue;
        }
        size_t begin = i;
        while (i < line.len && !is_blank(line.at[i]))
            i++;
        if (n == 4)
            return false;
        fields[n++] = (rcp_text_piece){line.at + begin, i - begin};
    }
    return n == 4;
}

/* A decimal of 64 bits, signed or not. */
static rcp_code parse_value(const rcp_importer *in, rcp_text_piece text, uint64_t *value) {
    bool minus = text.at[0] == '-';
    uint64_t sum = 0;
    for (size_t i = minus; i < text.len || i == minus; i++) {
        if (i >= text.len || text.at[i] < '0' || text.at[i] > '9')
            return rcp_scan_fail(&in->scan, text.at, "a value is a decimal number");
        unsigned digit = (unsigned)(text.at[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return rcp_scan_fail(&in->scan, text.at, "a value has at most 64 bits");
        sum = sum * 10 + digit;
    }
    if (minus && sum > UINT64_C(1) << 63)
        return rcp_scan_fail(&in->scan, text.at, "a value has at most 64 bits");
    *value = minus ? 0 - sum : sum;
    return RCP_OK;
}

static rcp_code parse_line(rcp_importer *in, rcp_text_piece line) {
    const rcp_scan *scan = &in->scan;
    rcp_text_piece fields[4];
    if (!cut(line, fields))
        return rcp_scan_fail(scan, line.at, "a line has four fields, as in 'Read T1 x 5' or 'Acq T1 m 0'");
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !rcp_slice_is(fields[0], words[i].word))
        i++;
    if (i == sizeof words / sizeof *words)
        return rcp_scan_fail(scan, fields[0].at,
                             "a line begins with Read, Write, Acq, Rel, Fork, Join, Begin or End, not '%.*s'",
                             (int)(fields[0].len < 40 ? fields[0].len : 40), fields[0].at);
    rcp_event e = {.kind = (uint8_t)words[i].kind};
    uint64_t value = 0; /* gcc does not see that it is set */
    RCP_TRY(rcp_importer_check_name(in, "thread", fields[1], false));
    RCP_TRY(rcp_importer_check_name(in, "variable, lock or thread", fields[2], false));
    RCP_TRY(parse_value(in, fields[3], &value));
    e.tid = rcp_importer_thread(in, fields[1]);
    switch ((rcp_kind)e.kind) {
    case RCP_READ:
    case RCP_WRITE:
        rcp_importer_variable(in, fields[2], &e);
        e.value = value;
        e.valued = 1;
        break;
    case RCP_ACQUIRE:
    case RCP_RELEASE: rcp_importer_lock(in, fields[2], &e); break;
    case RCP_FORK:
    case RCP_JOIN: e.child = rcp_importer_thread(in, fields[2]); break;
    default:
        if (!rcp_slice_is(fields[2], "0"))
            return rcp_scan_fail(scan, fields[2].at, "after Begin and End '0 0' must stand");
    }
    if (!e.valued && value)
        return rcp_scan_fail(scan, fields[3].at, "only Read and Write have a value; 0 must stand here");
    e.loc = rcp_importer_location(in, scan->line < INT32_MAX ? (int64_t)scan->line : INT32_MAX);
    return rcp_importer_add(in, line.at, &e);
}

rcp_code rcp_valued_parse(const char *name, const char *text, size_t len, rcp_trace *trace) {
    rcp_importer in;
    rcp_text_piece line;
    rcp_code code = RCP_OK;
    rcp_importer_init(&in, name, "valued", text, len, trace);
    if (!len)
        code = rcp_scan_fail(&in.scan, text, "the file is empty; each line of a trace has four fields");
    while (code == RCP_OK && rcp_importer_line(&in, &line))
        code = parse_line(&in, line);
    rcp_importer_finish(&in);
    return code;
}

static void print_event(void *context, const rcp_lowered *e) {
    static const char *const ops[] = {"Begin", "End", "Fork", "Join", "Read", "Write", "Acq", "Rel"};
    rcp_text *out = context;
    rcp_text_printf(out, "%s %s %s %" PRIu64 "\n", ops[e->op], e->thread, e->name ? e->name : "0", e->value);
}

rcp_code rcp_valued_print(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes) {
    rcp_text_add(out, "", 0);
    rcp_lower_options options = {.most_bytes = 8, .need_values = true, .bad = " ", .bad_in_thread = " "};
    return rcp_lower_trace(trace, options, print_event, out, notes);
}
