/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/defs_codec.h"

#include "base/varint.h"

#include <string.h>

enum { SECTION_HEADER = 1 + 4 }; /* table, number of entries */

static const char *const table_names[RCP_TABLES] = {"strings",   "locations", "stacks", "threads", "objects",
                                                    "variables", "reaches",   "images", "facts",   "terms"};

rcp_defs_mark rcp_defs_mark_none(void) {
    rcp_defs_mark mark = {0};
    mark.done[RCP_TABLE_STRINGS] = mark.done[RCP_TABLE_LOCATIONS] = 1;
    mark.done[RCP_TABLE_STACKS] = mark.done[RCP_TABLE_REACHES] = 1;
    return mark;
}

rcp_defs_mark rcp_defs_mark_all(const rcp_defs *defs, const rcp_terms *terms) {
    return (rcp_defs_mark){{
        [RCP_TABLE_STRINGS] = defs->strings.len,
        [RCP_TABLE_LOCATIONS] = defs->locations.len,
        [RCP_TABLE_STACKS] = defs->stacks.len,
        [RCP_TABLE_THREADS] = defs->threads.len,
        [RCP_TABLE_OBJECTS] = defs->objects.len,
        [RCP_TABLE_VARIABLES] = defs->variables.len,
        [RCP_TABLE_REACHES] = defs->reaches.len,
        [RCP_TABLE_IMAGES] = defs->images.len,
        [RCP_TABLE_FACTS] = defs->facts.len,
        [RCP_TABLE_TERMS] = rcp_terms_count(terms),
    }};
}

static void put(rcp_bytes *to, uint64_t x) {
    rcp_vec_reserve(to, RCP_VARINT_MAX);
    to->len = (size_t)(rcp_varint_put(to->at + to->len, x) - to->at);
}

static rcp_code put_block(rcp_bytes *to, const char *what, const void *bytes, size_t n) {
    if (n > RCP_CHUNK_MAX_ITEM)
        return rcp_fail(RCP_LIMIT, "%s of %zu bytes; at most %d can be stored", what, n, RCP_CHUNK_MAX_ITEM);
    put(to, n);
    if (n)
        memcpy(rcp_vec_extend(to, n), bytes, n);
    return RCP_OK;
}

/* The number of the last event that a READ named stands in `event`: reads come nearly in order. Terms are many, hence
 * the care for speed. */
static void put_term(rcp_bytes *to, const rcp_term_node *node, uint32_t self, uint64_t *event) {
    rcp_vec_reserve(to, 5 * RCP_VARINT_MAX);
    uint8_t *at = rcp_varint_put(to->at + to->len, node->op);
    at = rcp_varint_put(at, node->width);
    if (node->op == RCP_OP_CONST) {
        at = rcp_varint_put(at, node->word);
    } else if (node->op == RCP_OP_READ) {
        at = rcp_varint_put(at, node->a);
        at = rcp_varint_put(at, rcp_zigzag((int64_t)(node->word - *event)));
        *event = node->word;
    } else {
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        at = rcp_varint_put(at, self - node->a);
        if (arity > 1)
            at = rcp_varint_put(at, self - node->b);
        else if (node->op == RCP_OP_EXTRACT)
            at = rcp_varint_put(at, node->b);
        if (arity > 2)
            at = rcp_varint_put(at, self - node->c);
    }
    to->len = (size_t)(at - to->at);
}

static rcp_code put_entry(const rcp_defs *defs, const rcp_terms *terms, rcp_table table, size_t i, uint64_t *event,
                          rcp_bytes *to) {
    switch (table) {
    case RCP_TABLE_STRINGS: return put_block(to, "a string", defs->strings.at[i].at, defs->strings.at[i].len);
    case RCP_TABLE_LOCATIONS:
        put(to, defs->locations.at[i].file.v);
        put(to, defs->locations.at[i].function.v);
        put(to, defs->locations.at[i].member.v);
        put(to, defs->locations.at[i].line);
        put(to, defs->locations.at[i].column);
        break;
    case RCP_TABLE_STACKS:
        put(to, defs->stacks.at[i].loc.v);
        put(to, defs->stacks.at[i].caller.v);
        break;
    case RCP_TABLE_THREADS: put(to, defs->threads.at[i].name.v); break;
    case RCP_TABLE_OBJECTS:
        put(to, defs->objects.at[i].kind);
        put(to, defs->objects.at[i].name.v);
        put(to, defs->objects.at[i].addr);
        put(to, defs->objects.at[i].initial);
        break;
    case RCP_TABLE_VARIABLES:
        put(to, defs->variables.at[i].name.v);
        put(to, defs->variables.at[i].addr);
        put(to, defs->variables.at[i].size);
        break;
    case RCP_TABLE_REACHES: {
        const rcp_reach_def *reach = &defs->reaches.at[i];
        size_t n = reach->n + reach->followed;
        if (n > RCP_CHUNK_MAX_ITEM / sizeof *reach->spans)
            return rcp_fail(RCP_LIMIT, "a reach of %zu spans; at most %zu can be stored", n,
                            RCP_CHUNK_MAX_ITEM / sizeof *reach->spans);
        uint64_t end = 0;
        put(to, n);
        for (size_t j = 0; j < n; j++) {
            put(to, reach->spans[j].lo - end);
            put(to, reach->spans[j].hi - reach->spans[j].lo);
            end = reach->spans[j].hi;
        }
        break;
    }
    case RCP_TABLE_IMAGES:
        put(to, defs->images.at[i].addr);
        return put_block(to, "an image", defs->images.at[i].bytes, defs->images.at[i].n);
    case RCP_TABLE_FACTS:
        put(to, defs->facts.at[i].key.v);
        put(to, defs->facts.at[i].value.v);
        break;
    case RCP_TABLE_TERMS: put_term(to, &terms->nodes.at[i], (uint32_t)i + RCP_TERM_FIRST, event); break;
    case RCP_TABLES: break;
    }
    return RCP_OK;
}

rcp_code rcp_defs_put(const rcp_defs *defs, const rcp_terms *terms, rcp_defs_mark *mark, rcp_bytes *to) {
    rcp_defs_mark all = rcp_defs_mark_all(defs, terms);
    for (int table = 0; table < RCP_TABLES; table++) {
        if (mark->done[table] == all.done[table])
            continue;
        if (to->len >= RCP_CHUNK_SOFT_RAW)
            break;
        size_t begin = to->len;
        uint64_t event = 0;
        uint32_t n = 0;
        (void)rcp_vec_extend(to, SECTION_HEADER);
        for (; mark->done[table] < all.done[table] && to->len < RCP_CHUNK_SOFT_RAW; n++)
            RCP_TRY(put_entry(defs, terms, (rcp_table)table, mark->done[table]++, &event, to));
        to->at[begin] = (uint8_t)table;
        memcpy(to->at + begin + 1, &n, sizeof n);
    }
    return RCP_OK;
}

/* Reading: a cursor that is stuck at the end after the first bad number. */
typedef struct cursor {
    const uint8_t *at, *end;
    bool bad;
} cursor;

static uint64_t get(cursor *c) {
    uint64_t x = 0;
    const uint8_t *at = c->bad ? NULL : rcp_varint_get(c->at, c->end, &x);
    if (!at) {
        c->bad = true;
        return 0;
    }
    c->at = at;
    return x;
}

static uint32_t get_u32(cursor *c) {
    uint64_t x = get(c);
    c->bad |= x > UINT32_MAX;
    return (uint32_t)x;
}

/* An index below `len`. */
static uint32_t get_ref(cursor *c, size_t len) {
    uint64_t x = get(c);
    c->bad |= x >= len;
    return c->bad ? 0 : (uint32_t)x;
}

/* A size, then so many bytes. */
static const uint8_t *get_block(cursor *c, size_t *n) {
    uint64_t size = get(c);
    if (c->bad || size > (size_t)(c->end - c->at)) {
        c->bad = true;
        *n = 0;
        return c->at;
    }
    const uint8_t *at = c->at;
    c->at += size;
    *n = size;
    return at;
}

static rcp_code get_reach(rcp_defs *defs, cursor *c) {
    uint64_t n = get(c), end = 0;
    if (c->bad || n > (size_t)(c->end - c->at) / 2) {
        c->bad = true;
        return RCP_OK;
    }
    rcp_span *spans = rcp_alloc((n + 1) * sizeof *spans);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t gap = get(c), len = get(c);
        c->bad |= gap > UINT64_MAX - end || len > UINT64_MAX - end - gap;
        spans[i] = (rcp_span){end + gap, end + gap + len};
        end = spans[i].hi;
    }
    rcp_reach reach;
    rcp_code code = c->bad ? RCP_OK : rcp_defs_reach(defs, spans, n, &reach);
    rcp_release(spans);
    return code;
}

static uint32_t get_argument(cursor *c, uint32_t self) {
    uint32_t back = get_u32(c);
    c->bad |= back > self;
    return self - back;
}

static rcp_code get_term(rcp_terms *terms, cursor *c, uint64_t *event) {
    uint32_t self = (uint32_t)rcp_terms_count(terms) + RCP_TERM_FIRST;
    uint64_t op = get(c), width = get(c);
    if (op >= RCP_OPS || width > 64)
        c->bad = true;
    if (c->bad)
        return RCP_OK;
    rcp_term_node node = {.op = (uint8_t)op, .width = (uint8_t)width};
    if (op == RCP_OP_CONST) {
        node.word = get(c);
    } else if (op == RCP_OP_READ) {
        node.a = get_u32(c);
        node.word = *event += (uint64_t)rcp_unzigzag(get(c));
    } else {
        unsigned arity = rcp_op_borrow_traits((rcp_op)op)->arity;
        node.a = get_argument(c, self);
        if (arity > 1)
            node.b = get_argument(c, self);
        else if (op == RCP_OP_EXTRACT)
            node.b = get_u32(c);
        if (arity > 2)
            node.c = get_argument(c, self);
    }
    return c->bad ? RCP_OK : rcp_terms_append(terms, node);
}

/* An interned entry must be new, or its id would not be its place. */
static rcp_code fresh(uint32_t id, size_t before) {
    return id == before ? RCP_OK : rcp_fail(RCP_BAD_INPUT, "the entry is empty or stands there twice");
}

static rcp_code get_entry(rcp_defs *defs, rcp_terms *terms, rcp_table table, cursor *c, uint64_t *event) {
    size_t strings = defs->strings.len;
    switch (table) {
    case RCP_TABLE_STRINGS: {
        size_t n;
        const uint8_t *at = get_block(c, &n);
        if (c->bad)
            return RCP_OK;
        if (memchr(at, 0, n))
            return rcp_fail(RCP_BAD_INPUT, "a string holds a NUL");
        return fresh(rcp_defs_string(defs, (const char *)at, n).v, strings);
    }
    case RCP_TABLE_LOCATIONS: {
        rcp_location l = {.file = {get_ref(c, strings)}, .function = {get_ref(c, strings)}};
        l.member.v = get_ref(c, strings);
        l.line = get_u32(c);
        l.column = get_u32(c);
        size_t before = defs->locations.len;
        return c->bad ? RCP_OK : fresh(rcp_defs_location(defs, l).v, before);
    }
    case RCP_TABLE_STACKS: {
        size_t before = defs->stacks.len;
        rcp_frame f = {.loc = {get_ref(c, defs->locations.len)}, .caller = {get_ref(c, before)}};
        return c->bad ? RCP_OK : fresh(rcp_defs_stack(defs, f).v, before);
    }
    case RCP_TABLE_THREADS: {
        rcp_thread_def thread = {.name = {get_ref(c, strings)}};
        rcp_vec_push(&defs->threads, thread);
        return RCP_OK;
    }
    case RCP_TABLE_OBJECTS: {
        rcp_object object = {.kind = (uint8_t)get_ref(c, RCP_OBJECT_KINDS), .name = {get_ref(c, strings)}};
        object.addr = get(c);
        object.initial = get(c);
        rcp_vec_push(&defs->objects, object);
        return RCP_OK;
    }
    case RCP_TABLE_VARIABLES: {
        rcp_variable variable = {.name = {get_ref(c, strings)}};
        variable.addr = get(c);
        variable.size = get(c);
        rcp_defs_add_variable(defs, variable);
        return RCP_OK;
    }
    case RCP_TABLE_REACHES: return get_reach(defs, c);
    case RCP_TABLE_IMAGES: {
        uint64_t addr = get(c);
        size_t n;
        const uint8_t *bytes = get_block(c, &n);
        if (!c->bad)
            rcp_defs_image(defs, addr, bytes, n);
        return RCP_OK;
    }
    case RCP_TABLE_FACTS: {
        rcp_fact fact = {.key = {get_ref(c, strings)}, .value = {get_ref(c, strings)}};
        rcp_vec_push(&defs->facts, fact);
        return RCP_OK;
    }
    case RCP_TABLE_TERMS: return get_term(terms, c, event);
    case RCP_TABLES: break;
    }
    return rcp_fail(RCP_INTERNAL, "there is no table %d", table);
}

rcp_code rcp_defs_get(rcp_defs *defs, rcp_terms *terms, const uint8_t *at, size_t n) {
    cursor c = {at, at + n, false};
    while (c.at < c.end) {
        uint32_t count;
        if (c.end - c.at < SECTION_HEADER || *c.at >= RCP_TABLES)
            return rcp_fail(RCP_BAD_INPUT, "there is no such table of definitions, or its header is cut off");
        rcp_table table = (rcp_table)*c.at;
        memcpy(&count, c.at + 1, sizeof count);
        c.at += SECTION_HEADER;
        uint64_t event = 0;
        for (uint32_t i = 0; i < count; i++) {
            rcp_code code = get_entry(defs, terms, table, &c, &event);
            if (code == RCP_OK && c.bad)
                code = rcp_fail(RCP_BAD_INPUT, "a number is cut off, too large, or names what does not exist");
            if (code != RCP_OK)
                return rcp_because(code, "definitions, %s, entry %u of %u", table_names[table], i, count);
        }
    }
    return RCP_OK;
}
