/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text.h"

#include "trace/text/text_parser.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 40 };

static int shown(rcp_text_piece slice) { return slice.len < SHOWN ? (int)slice.len : SHOWN; }

static rcp_code known_object(rcp_text_parser *p, rcp_obj *object) {
    return rcp_text_parse_known(p, "synchronisation object", "mutex", &p->objects, &object->v);
}

/* x, x+2:1, x:2 or 0x3000:16 */
static rcp_code place(rcp_text_parser *p, uint64_t *addr, uint64_t *size) {
    rcp_scan *scan = &p->scan;
    rcp_text_piece word;
    if (!rcp_scan_peek_word(scan, &word)) {
        const char *at = scan->at;
        RCP_TRY(rcp_scan_number(scan, addr));
        if (!rcp_scan_take_here(scan, ":"))
            return rcp_scan_fail(scan, at, "an address needs a number of bytes, as in 0x3000:4");
        return rcp_scan_number(scan, size);
    }
    uint32_t id;
    RCP_TRY(rcp_text_parse_known(p, "variable", "var", &p->variables, &id));
    const rcp_variable *v = &p->trace->defs.variables.at[id];
    uint64_t offset = 0;
    bool part = rcp_scan_take_here(scan, "+");
    *size = v->size;
    if (part)
        RCP_TRY(rcp_scan_number(scan, &offset));
    if (rcp_scan_take_here(scan, ":"))
        RCP_TRY(rcp_scan_number(scan, size));
    else if (part)
        return rcp_scan_fail(scan, scan->at, "a part of a variable needs a number of bytes, as in x+2:1");
    if (offset > v->size || *size > v->size - offset)
        return rcp_scan_fail(scan, word.at, "the variable '%.*s' has %" PRIu64 " bytes: the part reaches past its end",
                             shown(word), word.at, v->size);
    if (v->addr > UINT64_MAX - offset)
        return rcp_scan_fail(scan, word.at, "the range reaches past the end of the address space");
    *addr = v->addr + offset;
    return RCP_OK;
}

/* What stands between the kind and the modifiers. */
static rcp_code operands(rcp_text_parser *p, const rcp_traits *traits, rcp_event *e) {
    rcp_scan *scan = &p->scan;
    rcp_text_piece word;
    if (traits->uses & RCP_USES_CHILD)
        RCP_TRY(rcp_text_parse_known(p, "thread", "thread", &p->threads, &e->child.v));
    if (traits->uses & RCP_USES_OBJECT)
        RCP_TRY(known_object(p, &e->object));
    if (traits->uses & RCP_USES_LOCK)
        RCP_TRY(known_object(p, &e->lock));
    if (traits->uses & RCP_USES_ADDR) {
        uint64_t size = 0;
        const char *at = scan->at;
        RCP_TRY(place(p, &e->addr, &size));
        if (traits->uses & RCP_USES_EXTENT) {
            e->value = size;
        } else {
            if (size > UINT32_MAX)
                return rcp_scan_fail(scan, at, "an access has at most %" PRIu32 " bytes", UINT32_MAX);
            e->size = (uint32_t)size;
        }
    }
    if (e->kind == RCP_BRANCH && rcp_scan_at_digit(scan)) {
        RCP_TRY(rcp_scan_number(scan, &e->value));
        e->valued = 1;
    }
    if (traits->uses & RCP_USES_REACH) {
        bool named = rcp_scan_peek_word(scan, &word) && !rcp_slice_is(word, "reaches");
        if (named || (!rcp_scan_line_ends(scan) && *scan->at == '"')) {
            RCP_TRY(rcp_scan_string(scan, "the name of a function", &p->string));
            e->callee = rcp_defs_string(&p->trace->defs, p->string.at, p->string.len);
        }
        if (rcp_scan_peek_word(scan, &word) && rcp_slice_is(word, "reaches")) {
            scan->at += word.len;
            RCP_TRY(rcp_text_parse_known(p, "reach", "reach", &p->reaches, &e->reach.v));
        }
    }
    return RCP_OK;
}

enum {
    SEEN_VALUE = 1,
    SEEN_WRITTEN = 2,
    SEEN_VALUE_TERM = 4,
    SEEN_ADDR_TERM = 8,
    SEEN_COND = 16,
    SEEN_LOC = 32,
    SEEN_STACK = 64,
    SEEN_MODE = 128,
    SEEN_OUTCOME = 256
};

static bool find_word(rcp_text_piece word, const char *(*name_of)(int), int n, uint8_t *found) {
    for (int i = 0; i < n; i++)
        if (rcp_slice_is(word, name_of(i))) {
            *found = (uint8_t)i;
            return true;
        }
    return false;
}
static const char *order_name(int i) { return rcp_order_name((rcp_order)i); }
static const char *mode_name(int i) { return rcp_mode_name((rcp_mode)i); }
static const char *outcome_name(int i) { return rcp_outcome_name((rcp_outcome)i); }

/* One modifier; *seen is which. */
static rcp_code modifier(rcp_text_parser *p, const rcp_traits *traits, rcp_event *e, unsigned *seen) {
    rcp_scan *scan = &p->scan;
    const char *begin = scan->at;
    uint32_t uses = traits->uses;
    rcp_text_piece word;
    if (uses & RCP_USES_SIZE && rcp_scan_take(scan, "=")) {
        *seen = SEEN_VALUE;
        return rcp_text_parse_value(p, e->size, &e->value, &p->bytes);
    }
    if (uses & RCP_USES_WRITTEN && rcp_scan_take(scan, "->")) {
        *seen = SEEN_WRITTEN;
        return rcp_text_parse_value(p, e->size, &e->written, &p->written);
    }
    if (uses & RCP_USES_VALUE_TERM && rcp_scan_take(scan, "<-")) {
        *seen = SEEN_VALUE_TERM;
        return rcp_text_parse_slot(p, &e->value_term);
    }
    if (rcp_scan_take(scan, "@")) {
        *seen = SEEN_LOC;
        return rcp_text_parse_location(p, &e->loc);
    }
    if (rcp_scan_take(scan, "^")) {
        *seen = SEEN_STACK;
        return rcp_text_parse_known(p, "stack", "stack", &p->stacks, &e->stack.v);
    }
    if (!rcp_scan_word(scan, &word))
        return rcp_scan_fail(scan, begin, "this can't follow '%s'", traits->name);
    if (uses & RCP_USES_ADDR_TERM && rcp_slice_is(word, "at")) {
        *seen = SEEN_ADDR_TERM;
        return rcp_text_parse_slot(p, &e->addr_term);
    }
    if (uses & RCP_USES_COND && rcp_slice_is(word, "if")) {
        *seen = SEEN_COND;
        return rcp_text_parse_slot(p, &e->cond);
    }
    *seen = SEEN_MODE;
    if (uses & RCP_USES_ORDER && find_word(word, order_name, RCP_ORDERS, &e->mode))
        return RCP_OK;
    if (uses & RCP_USES_MODE && find_word(word, mode_name, RCP_MODES, &e->mode))
        return RCP_OK;
    *seen = SEEN_OUTCOME;
    if (uses & RCP_USES_OUTCOME && find_word(word, outcome_name, RCP_OUTCOMES, &e->outcome))
        return RCP_OK;
    return rcp_scan_fail(scan, word.at, "'%.*s' can't follow '%s'", shown(word), word.at, traits->name);
}

/* The rest of an event's line, from the kind on. */
static rcp_code parse_event(rcp_text_parser *p, rcp_text_piece thread) {
    rcp_scan *scan = &p->scan;
    rcp_event e = {0};
    rcp_text_piece word;
    e.tid.v = rcp_names_get(&p->threads, thread.at, thread.len);
    if (e.tid.v == RCP_NAMES_NONE)
        return rcp_scan_fail(scan, thread.at, "no thread is called '%.*s': declare it first, with 'thread %.*s'",
                             shown(thread), thread.at, shown(thread), thread.at);
    if (!rcp_scan_word(scan, &word))
        return rcp_scan_fail(scan, scan->at, "what '%.*s' does is missing here", shown(thread), thread.at);
    int kind = 0;
    while (kind < RCP_KINDS && !rcp_slice_is(word, rcp_event_traits((rcp_kind)kind)->name))
        kind++;
    if (kind == RCP_KINDS)
        return rcp_scan_fail(scan, word.at, "no kind of event is called '%.*s'", shown(word), word.at);
    const rcp_traits *traits = rcp_event_traits((rcp_kind)kind);
    e.kind = (uint8_t)kind;
    RCP_TRY(operands(p, traits, &e));
    p->current = &e;
    unsigned seen = 0;
    rcp_code code = RCP_OK;
    while (code == RCP_OK && !rcp_scan_line_ends(scan)) {
        const char *at = scan->at;
        unsigned one = 0;
        code = modifier(p, traits, &e, &one);
        if (code == RCP_OK && seen & one)
            code = rcp_scan_fail(scan, at, "this stands on the line a second time");
        seen |= one;
    }
    p->current = NULL;
    if (code != RCP_OK)
        return code;
    if (seen & SEEN_VALUE)
        e.valued = 1;
    if (e.kind == RCP_RMW && !(seen & SEEN_VALUE) != !(seen & SEEN_WRITTEN))
        return rcp_scan_fail(scan, word.at, "an rmw has what it read and what it wrote, as in '= 3 -> 4', or neither");
    if (e.size > 8 && e.valued) {
        e.bytes = (const uint8_t *)p->bytes.at;
        if (e.kind == RCP_RMW)
            e.written_bytes = (const uint8_t *)p->written.at;
    }
    code = rcp_trace_add(p->trace, &e);
    return code == RCP_OK ? RCP_OK : rcp_scan_place(scan, word.at, code);
}

static rcp_code parse_line(rcp_text_parser *p) {
    rcp_scan *scan = &p->scan;
    rcp_text_piece word;
    if (!rcp_scan_word(scan, &word))
        return rcp_scan_fail(scan, scan->at, "a line begins with a thread, a label or a kind of definition");
    bool is_definition;
    RCP_TRY(rcp_text_parse_definition(p, word, &is_definition));
    if (is_definition)
        return RCP_OK;
    if (rcp_scan_take_here(scan, ":")) {
        if (!rcp_names_add(&p->labels, word.at, word.len, (uint32_t)p->label_events.len))
            return rcp_scan_fail(scan, word.at, "an event above has the label '%.*s' already", shown(word), word.at);
        rcp_vec_push(&p->label_events, ((rcp_eid){p->trace->events.len}));
        if (!rcp_scan_word(scan, &word))
            return rcp_scan_fail(scan, scan->at, "after a label a thread must stand");
    }
    return parse_event(p, word);
}

static rcp_code parse_header(rcp_scan *scan) {
    rcp_text_piece word;
    const char *at;
    do {
        if (!rcp_scan_line_ends(scan))
            break;
    } while (rcp_scan_next_line(scan));
    at = scan->at;
    if (!rcp_scan_word(scan, &word) || !rcp_slice_is(word, "recipe") || !rcp_scan_word(scan, &word) ||
        !rcp_slice_is(word, "trace"))
        return rcp_scan_fail(scan, at, "the first line of a text trace is 'recipe trace 1'");
    uint64_t version;
    RCP_TRY(rcp_scan_number(scan, &version));
    if (version != 1)
        return rcp_scan_fail(scan, at, "version %" PRIu64 " of the text form is not known here; 1 is", version);
    return RCP_OK;
}

static rcp_code parse_all(rcp_text_parser *p) {
    rcp_scan *scan = &p->scan;
    RCP_TRY(parse_header(scan));
    do {
        if (!rcp_scan_line_ends(scan))
            return rcp_scan_fail(scan, scan->at, "the line should end here");
        if (!rcp_scan_next_line(scan))
            return RCP_OK;
        if (!rcp_scan_line_ends(scan))
            RCP_TRY(parse_line(p));
    } while (true);
}

bool rcp_text_is_ours(const char *text, size_t len) {
    rcp_scan scan;
    rcp_scan_init(&scan, "", text, len);
    rcp_text_piece word;
    while (rcp_scan_line_ends(&scan))
        if (!rcp_scan_next_line(&scan))
            return false;
    return rcp_scan_word(&scan, &word) && rcp_slice_is(word, "recipe") && rcp_scan_word(&scan, &word) &&
           rcp_slice_is(word, "trace");
}

rcp_code rcp_text_parse(const char *name, const char *text, size_t len, rcp_trace *trace) {
    rcp_text_parser parser = {.trace = trace};
    rcp_names *tables[] = {&parser.threads, &parser.objects, &parser.variables, &parser.reaches,
                           &parser.stacks,  &parser.terms,   &parser.labels};
    enum { TABLES = sizeof tables / sizeof *tables };
    for (size_t i = 0; i < TABLES; i++)
        rcp_names_init(tables[i]);
    rcp_scan_init(&parser.scan, name, text, len);
    rcp_code code = parse_all(&parser);
    for (size_t i = 0; i < TABLES; i++)
        rcp_names_finish(tables[i]);
    rcp_vec_finish(&parser.label_events);
    rcp_vec_finish(&parser.spans);
    rcp_text_finish(&parser.string);
    rcp_text_finish(&parser.file);
    rcp_text_finish(&parser.bytes);
    rcp_text_finish(&parser.written);
    return code;
}
