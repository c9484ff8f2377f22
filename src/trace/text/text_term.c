/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/text_parser.h"

#include <inttypes.h>

/* Deeper nesting is written with `term` lines; it keeps the parser's own stack small. */
enum { DEEPEST = 200, SHOWN = 40 };

static int shown(rcp_text_piece slice) { return slice.len < SHOWN ? (int)slice.len : SHOWN; }

static rcp_code intern(rcp_text_parser *parser, const char *at, rcp_term_node node, rcp_term *term) {
    rcp_code code = rcp_terms_intern(&parser->trace->terms, node, term);
    return code == RCP_OK ? RCP_OK : rcp_scan_place(&parser->scan, at, code);
}

static rcp_code small(rcp_text_parser *parser, const char *what, uint64_t most, uint64_t *number) {
    const char *at = parser->scan.at;
    RCP_TRY(rcp_scan_number(&parser->scan, number));
    if (*number > most)
        return rcp_scan_fail(&parser->scan, at, "%s can be at most %" PRIu64, what, most);
    return RCP_OK;
}

/* $label, $12: what that event read, whole; $label+4:16: 16 bits from its byte 4 on. */
static rcp_code read_symbol(rcp_text_parser *parser, rcp_term *term) {
    rcp_scan *scan = &parser->scan;
    const char *begin = scan->at - 1;
    rcp_text_piece label;
    rcp_term_node node = {.op = RCP_OP_READ};
    const rcp_trace *trace = parser->trace;
    if (rcp_scan_at_digit(scan)) {
        uint64_t number;
        RCP_TRY(rcp_scan_number(scan, &number));
        node.word = number;
    } else if (rcp_scan_word(scan, &label)) {
        uint32_t i = rcp_names_get(&parser->labels, label.at, label.len);
        if (i == RCP_NAMES_NONE)
            return rcp_scan_fail(scan, begin, "no event above has the label '%.*s': write '%.*s:' before the read",
                                 shown(label), label.at, shown(label), label.at);
        node.word = parser->label_events.at[i].v;
    } else {
        return rcp_scan_fail(scan, begin, "after '$' the label or the number of a read must stand");
    }
    if (rcp_scan_take_here(scan, "+")) {
        uint64_t offset, width;
        RCP_TRY(small(parser, "an offset", UINT32_MAX, &offset));
        if (!rcp_scan_take_here(scan, ":"))
            return rcp_scan_fail(scan, scan->at, "after the offset ':' and a number of bits must stand");
        RCP_TRY(small(parser, "a width", 64, &width));
        node.a = (uint32_t)offset;
        node.width = (uint8_t)width;
        return intern(parser, begin, node, term);
    }
    const rcp_event *read = node.word < trace->events.len    ? &trace->events.at[node.word]
                            : node.word == trace->events.len ? parser->current
                                                             : NULL;
    if (!read)
        return rcp_scan_fail(scan, begin,
                             "event %" PRIu64 " is not there yet: state what it reads as in $%" PRIu64 "+0:32",
                             node.word, node.word);
    if (!rcp_event_reads(read))
        return rcp_scan_fail(scan, begin, "event %" PRIu64 " is no read but '%s'", node.word,
                             rcp_event_traits(read->kind)->name);
    if (read->size > 8)
        return rcp_scan_fail(scan, begin, "event %" PRIu64 " reads %u bytes: state a part as in $%" PRIu64 "+0:64",
                             node.word, read->size, node.word);
    node.width = (uint8_t)(8 * read->size);
    return intern(parser, begin, node, term);
}

static rcp_code literal(rcp_text_parser *parser, rcp_term *term) {
    rcp_scan *scan = &parser->scan;
    const char *begin = scan->at;
    uint64_t value, width;
    bool negative;
    RCP_TRY(rcp_scan_signed(scan, &value, &negative));
    if (!rcp_scan_take_here(scan, ":"))
        return rcp_scan_fail(scan, begin, "a literal needs its width in bits, as in 10:32");
    RCP_TRY(small(parser, "a width", 64, &width));
    if (negative && width) {
        uint64_t half = UINT64_C(1) << (width - 1);
        if (value > half)
            return rcp_scan_fail(scan, begin, "the literal is wider than its width");
        value = (0 - value) & (half | (half - 1));
    }
    return intern(parser, begin, (rcp_term_node){.op = RCP_OP_CONST, .width = (uint8_t)width, .word = value}, term);
}

static rcp_code expression(rcp_text_parser *parser, unsigned depth, rcp_term *term);

static unsigned width_of(const rcp_text_parser *parser, rcp_term term) {
    return rcp_term_borrow(&parser->trace->terms, term)->width;
}

/* (op a b …), (op:width a), (extract:width:low a) */
static rcp_code application(rcp_text_parser *parser, unsigned depth, rcp_term *term) {
    rcp_scan *scan = &parser->scan;
    const char *begin = scan->at - 1;
    rcp_text_piece word;
    if (!rcp_scan_word(scan, &word))
        return rcp_scan_fail(scan, scan->at, "after '(' an operator must stand");
    int op = RCP_OP_READ + 1;
    while (op < RCP_OPS && !rcp_slice_is(word, rcp_op_borrow_traits((rcp_op)op)->name))
        op++;
    if (op == RCP_OPS)
        return rcp_scan_fail(scan, word.at, "no operator is called '%.*s'", shown(word), word.at);
    const rcp_op_traits *traits = rcp_op_borrow_traits((rcp_op)op);
    bool stated = traits->shape == RCP_SHAPE_CHANGE || traits->shape == RCP_SHAPE_EXTRACT;
    uint64_t width = 0, low = 0;
    if (stated) {
        if (!rcp_scan_take_here(scan, ":"))
            return rcp_scan_fail(scan, scan->at, "'%s' needs the result's width in bits, as in %s", traits->name,
                                 op == RCP_OP_EXTRACT ? "(extract:8:16 a), 8 bits from bit 16 on" : "(zext:64 a)");
        RCP_TRY(small(parser, "a width", 64, &width));
        if (op == RCP_OP_EXTRACT) {
            if (!rcp_scan_take_here(scan, ":"))
                return rcp_scan_fail(scan, scan->at, "'extract' needs its low bit too, as in (extract:8:16 a)");
            RCP_TRY(small(parser, "a bit", 63, &low));
        }
    }
    rcp_term arguments[3] = {{0}, {0}, {0}};
    for (unsigned i = 0; i < traits->arity; i++) {
        if (rcp_scan_take(scan, ")"))
            return rcp_scan_fail(scan, scan->at - 1, "'%s' has %u argument%s, not %u", traits->name, traits->arity,
                                 traits->arity == 1 ? "" : "s", i);
        RCP_TRY(expression(parser, depth + 1, &arguments[i]));
    }
    if (!rcp_scan_take(scan, ")"))
        return rcp_scan_fail(scan, scan->at, "')' is missing here: '%s' has %u argument%s", traits->name, traits->arity,
                             traits->arity == 1 ? "" : "s");
    rcp_term_node node = {.op = (uint8_t)op, .a = arguments[0].v};
    node.b = op == RCP_OP_EXTRACT ? (uint32_t)low : arguments[1].v;
    node.c = arguments[2].v;
    unsigned first = width_of(parser, arguments[0]);
    switch ((rcp_shape)traits->shape) {
    case RCP_SHAPE_COMPARE: node.width = 1; break;
    case RCP_SHAPE_CHANGE:
    case RCP_SHAPE_EXTRACT: node.width = (uint8_t)width; break;
    case RCP_SHAPE_CONCAT: node.width = (uint8_t)(first + width_of(parser, arguments[1])); break;
    case RCP_SHAPE_ITE: node.width = (uint8_t)width_of(parser, arguments[1]); break;
    default: node.width = (uint8_t)first;
    }
    return intern(parser, begin, node, term);
}

static rcp_code expression(rcp_text_parser *parser, unsigned depth, rcp_term *term) {
    rcp_scan *scan = &parser->scan;
    rcp_text_piece word;
    if (depth > DEEPEST)
        return rcp_scan_fail(scan, scan->at,
                             "terms are nested more than %d deep: name the inner ones with 'term' lines", DEEPEST);
    if (rcp_scan_take(scan, "("))
        return application(parser, depth, term);
    if (rcp_scan_take(scan, "$"))
        return read_symbol(parser, term);
    if (rcp_scan_word(scan, &word)) {
        term->v = rcp_names_get(&parser->terms, word.at, word.len);
        if (term->v == RCP_NAMES_NONE)
            return rcp_scan_fail(scan, word.at, "no term is called '%.*s': declare it first with 'term %.*s = …'",
                                 shown(word), word.at, shown(word), word.at);
        return RCP_OK;
    }
    if (rcp_scan_at_digit(scan) || (scan->at < scan->end && *scan->at == '-'))
        return literal(parser, term);
    return rcp_scan_fail(scan, scan->at, "a term is missing here: (op …), $label, 10:32 or the name of a term");
}

rcp_code rcp_text_parse_term(rcp_text_parser *parser, rcp_term *term) { return expression(parser, 0, term); }

rcp_code rcp_text_parse_slot(rcp_text_parser *parser, rcp_term *term) {
    rcp_text_piece word;
    if (rcp_scan_peek_word(&parser->scan, &word) && rcp_slice_is(word, "all")) {
        parser->scan.at += word.len;
        *term = RCP_TERM_ALL;
        return RCP_OK;
    }
    return expression(parser, 0, term);
}
