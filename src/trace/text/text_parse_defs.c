/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text_parser.h"

#include <inttypes.h>

enum { SHOWN = 40 };

static int shown(rcp_text_piece slice) { return slice.len < SHOWN ? (int)slice.len : SHOWN; }

bool rcp_text_is_keyword(const char *at, size_t len) {
    static const char *const keywords[] = {"recipe", "string", "fact", "thread", "var",
                                           "image",  "reach",  "loc",  "stack",  "term"};
    rcp_text_piece word = {at, len};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (rcp_slice_is(word, keywords[i]))
            return true;
    for (int kind = 0; kind < RCP_OBJECT_KINDS; kind++)
        if (rcp_slice_is(word, rcp_object_kind_name((rcp_object_kind)kind)))
            return true;
    return false;
}

static rcp_code fresh_word(rcp_text_parser *p, const char *what, const rcp_names *names, rcp_text_piece *word) {
    if (!rcp_scan_word(&p->scan, word))
        return rcp_scan_fail(&p->scan, p->scan.at, "the name of a %s is missing here", what);
    if ((names == &p->threads && rcp_text_is_keyword(word->at, word->len)) ||
        (names == &p->terms && rcp_slice_is(*word, "all")))
        return rcp_scan_fail(&p->scan, word->at, "no %s can be called '%.*s': the word has a meaning of its own", what,
                             shown(*word), word->at);
    if (rcp_names_get(names, word->at, word->len) != RCP_NAMES_NONE)
        return rcp_scan_fail(&p->scan, word->at, "there is a %s called '%.*s' already", what, shown(*word), word->at);
    return RCP_OK;
}

rcp_code rcp_text_parse_known(rcp_text_parser *p, const char *what, const char *how, const rcp_names *names,
                              uint32_t *id) {
    rcp_text_piece word;
    if (!rcp_scan_word(&p->scan, &word))
        return rcp_scan_fail(&p->scan, p->scan.at, "the name of a %s is missing here", what);
    *id = rcp_names_get(names, word.at, word.len);
    if (*id == RCP_NAMES_NONE)
        return rcp_scan_fail(&p->scan, word.at, "no %s is called '%.*s': declare it first, with '%s %.*s'", what,
                             shown(word), word.at, how, shown(word), word.at);
    return RCP_OK;
}

/* The name that stands in quotes after the word, if one does; else the word itself. */
static rcp_code display_name(rcp_text_parser *p, rcp_text_piece word) {
    if (!rcp_scan_line_ends(&p->scan) && *p->scan.at == '"')
        return rcp_scan_string(&p->scan, "a name", &p->string);
    rcp_text_clear(&p->string);
    rcp_text_add(&p->string, word.at, word.len);
    return RCP_OK;
}

static rcp_code inside(rcp_text_parser *p, const char *at, uint64_t addr, uint64_t size) {
    if (addr > UINT64_MAX - size)
        return rcp_scan_fail(&p->scan, at, "the range reaches past the end of the address space");
    return RCP_OK;
}

rcp_code rcp_text_parse_value(rcp_text_parser *p, uint64_t size, uint64_t *word, rcp_text *bytes) {
    rcp_scan *scan = &p->scan;
    (void)rcp_scan_at_digit(scan); /* passes blanks: messages point at the value */
    const char *begin = scan->at;
    rcp_text_clear(bytes);
    if (size > 8) {
        RCP_TRY(rcp_scan_bytes(scan, bytes));
        if (bytes->len != size)
            return rcp_scan_fail(scan, begin, "%zu bytes stand here where %" PRIu64 " are needed (two digits a byte)",
                                 bytes->len, size);
        return RCP_OK;
    }
    bool negative;
    RCP_TRY(rcp_scan_signed(scan, word, &negative));
    uint64_t half = size ? UINT64_C(1) << (8 * size - 1) : 0, most = size ? half | (half - 1) : 0;
    if (*word > (negative ? half : most))
        return rcp_scan_fail(scan, begin, "the value is wider than %" PRIu64 " bytes", size);
    if (negative)
        *word = (0 - *word) & most;
    return RCP_OK;
}

rcp_code rcp_text_parse_location(rcp_text_parser *p, rcp_loc *loc) {
    rcp_scan *scan = &p->scan;
    rcp_defs *defs = &p->trace->defs;
    rcp_location l = {0};
    RCP_TRY(rcp_scan_file(scan, &p->file));
    l.file = rcp_defs_string(defs, p->file.at, p->file.len);
    uint32_t *numbers[2] = {&l.line, &l.column};
    for (int i = 0; i < 2 && rcp_scan_take_here(scan, ":"); i++) {
        uint64_t number;
        const char *at = scan->at;
        RCP_TRY(rcp_scan_number(scan, &number));
        if (number > UINT32_MAX)
            return rcp_scan_fail(scan, at, "a line or column has at most 32 bits");
        *numbers[i] = (uint32_t)number;
    }
    rcp_text_piece word;
    if (rcp_scan_peek_word(scan, &word) && rcp_slice_is(word, "in")) {
        scan->at += word.len;
        RCP_TRY(rcp_scan_string(scan, "the name of a function", &p->string));
        l.function = rcp_defs_string(defs, p->string.at, p->string.len);
    }
    if (rcp_scan_peek_word(scan, &word) && rcp_slice_is(word, "of")) {
        scan->at += word.len;
        RCP_TRY(rcp_scan_string(scan, "the name of a member", &p->string));
        l.member = rcp_defs_string(defs, p->string.at, p->string.len);
    }
    *loc = rcp_defs_location(defs, l);
    return RCP_OK;
}

static rcp_code parse_string(rcp_text_parser *p) {
    RCP_TRY(rcp_scan_string(&p->scan, "a string", &p->string));
    (void)rcp_defs_string(&p->trace->defs, p->string.at, p->string.len);
    return RCP_OK;
}

static rcp_code parse_fact(rcp_text_parser *p) {
    RCP_TRY(rcp_scan_string(&p->scan, "the fact's name", &p->file));
    RCP_TRY(rcp_scan_string(&p->scan, "the fact's value", &p->string));
    rcp_defs_fact(&p->trace->defs, p->file.at, p->string.at);
    return RCP_OK;
}

static rcp_code parse_thread(rcp_text_parser *p) {
    rcp_text_piece word;
    RCP_TRY(fresh_word(p, "thread", &p->threads, &word));
    RCP_TRY(display_name(p, word));
    rcp_tid tid = rcp_defs_thread(&p->trace->defs, p->string.at);
    rcp_names_add(&p->threads, word.at, word.len, tid.v);
    return RCP_OK;
}

static rcp_code parse_variable(rcp_text_parser *p) {
    rcp_scan *scan = &p->scan;
    rcp_defs *defs = &p->trace->defs;
    rcp_text_piece word;
    uint64_t addr, size, initial = 0;
    RCP_TRY(fresh_word(p, "variable", &p->variables, &word));
    RCP_TRY(display_name(p, word));
    RCP_TRY(rcp_scan_number(scan, &addr));
    RCP_TRY(rcp_scan_number(scan, &size));
    rcp_names_add(&p->variables, word.at, word.len, (uint32_t)defs->variables.len);
    rcp_defs_variable(defs, p->string.at, addr, size);
    if (!rcp_scan_take(scan, "="))
        return RCP_OK;
    RCP_TRY(inside(p, word.at, addr, size));
    RCP_TRY(rcp_text_parse_value(p, size, &initial, &p->bytes));
    rcp_defs_image(defs, addr, size > 8 ? (const uint8_t *)p->bytes.at : (const uint8_t *)&initial, size);
    return RCP_OK;
}

static rcp_code parse_image(rcp_text_parser *p) {
    uint64_t addr;
    const char *at = p->scan.at;
    RCP_TRY(rcp_scan_number(&p->scan, &addr));
    rcp_text_clear(&p->bytes);
    rcp_text_add(&p->bytes, "", 0);
    RCP_TRY(rcp_scan_bytes(&p->scan, &p->bytes));
    RCP_TRY(inside(p, at, addr, p->bytes.len));
    rcp_defs_image(&p->trace->defs, addr, (const uint8_t *)p->bytes.at, p->bytes.len);
    return RCP_OK;
}

static rcp_code parse_object(rcp_text_parser *p, rcp_object_kind kind) {
    rcp_text_piece word;
    uint64_t addr = 0, initial = 0;
    RCP_TRY(fresh_word(p, "synchronisation object", &p->objects, &word));
    RCP_TRY(display_name(p, word));
    if (rcp_scan_take(&p->scan, "@"))
        RCP_TRY(rcp_scan_number(&p->scan, &addr));
    if (rcp_scan_take(&p->scan, "="))
        RCP_TRY(rcp_scan_number(&p->scan, &initial));
    else if (kind == RCP_SEM || kind == RCP_BARRIER)
        return rcp_scan_fail(&p->scan, p->scan.at, "a %s needs its %s, as in '%s %.*s = 2'", rcp_object_kind_name(kind),
                             kind == RCP_SEM ? "count" : "number of members", rcp_object_kind_name(kind), shown(word),
                             word.at);
    rcp_obj object = rcp_defs_object(&p->trace->defs, kind, p->string.at, addr, initial);
    rcp_names_add(&p->objects, word.at, word.len, object.v);
    return RCP_OK;
}

static rcp_code parse_reach(rcp_text_parser *p) {
    rcp_scan *scan = &p->scan;
    rcp_text_piece word;
    RCP_TRY(fresh_word(p, "reach", &p->reaches, &word));
    p->spans.len = 0;
    while (!rcp_scan_line_ends(scan)) {
        rcp_span span;
        RCP_TRY(rcp_scan_number(scan, &span.lo));
        if (!rcp_scan_take_here(scan, "-"))
            return rcp_scan_fail(scan, scan->at, "a range has two ends, as in 0x1000-0x1008");
        RCP_TRY(rcp_scan_number(scan, &span.hi));
        rcp_vec_push(&p->spans, span);
    }
    rcp_reach reach;
    rcp_vec_reserve(&p->spans, 1);
    rcp_code code = rcp_defs_reach(&p->trace->defs, p->spans.at, p->spans.len, &reach);
    if (code != RCP_OK)
        return rcp_scan_place(scan, word.at, code);
    rcp_names_add(&p->reaches, word.at, word.len, reach.v);
    return RCP_OK;
}

static rcp_code parse_loc(rcp_text_parser *p) {
    rcp_loc loc;
    return rcp_text_parse_location(p, &loc);
}

static rcp_code parse_stack(rcp_text_parser *p) {
    rcp_text_piece word;
    rcp_frame frame = {0};
    RCP_TRY(fresh_word(p, "stack", &p->stacks, &word));
    if (!rcp_scan_take(&p->scan, "="))
        return rcp_scan_fail(&p->scan, p->scan.at, "'=' and a source location must stand here");
    if (!rcp_scan_take(&p->scan, "^")) {
        RCP_TRY(rcp_text_parse_location(p, &frame.loc));
        if (rcp_scan_take(&p->scan, "^"))
            RCP_TRY(rcp_text_parse_known(p, "stack", "stack", &p->stacks, &frame.caller.v));
    } else {
        RCP_TRY(rcp_text_parse_known(p, "stack", "stack", &p->stacks, &frame.caller.v));
    }
    rcp_names_add(&p->stacks, word.at, word.len, rcp_defs_stack(&p->trace->defs, frame).v);
    return RCP_OK;
}

static rcp_code parse_term_line(rcp_text_parser *p) {
    rcp_text_piece word;
    rcp_term term;
    RCP_TRY(fresh_word(p, "term", &p->terms, &word));
    if (!rcp_scan_take(&p->scan, "="))
        return rcp_scan_fail(&p->scan, p->scan.at, "'=' and a term must stand here");
    RCP_TRY(rcp_text_parse_term(p, &term));
    rcp_names_add(&p->terms, word.at, word.len, term.v);
    return RCP_OK;
}

static const struct {
    const char *word;
    rcp_code (*parse)(rcp_text_parser *);
} definitions[] = {
    {"string", parse_string}, {"fact", parse_fact},   {"thread", parse_thread},
    {"var", parse_variable},  {"image", parse_image}, {"reach", parse_reach},
    {"loc", parse_loc},       {"stack", parse_stack}, {"term", parse_term_line},
};

rcp_code rcp_text_parse_definition(rcp_text_parser *p, rcp_text_piece word, bool *is_one) {
    *is_one = true;
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
        if (rcp_slice_is(word, definitions[i].word))
            return definitions[i].parse(p);
    for (int kind = 0; kind < RCP_OBJECT_KINDS; kind++)
        if (rcp_slice_is(word, rcp_object_kind_name((rcp_object_kind)kind)))
            return parse_object(p, (rcp_object_kind)kind);
    *is_one = false;
    return RCP_OK;
}
