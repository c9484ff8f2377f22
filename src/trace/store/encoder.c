/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/encoder.h"

#include "base/hash.h"
#include "base/varint.h"

/* The most bytes that one event adds to a column; a store of 8 bytes may pass the end by 8. */
static const uint8_t widest[RCP_COLUMNS] = {
    [RCP_COLUMN_HEAD] = 1,   [RCP_COLUMN_OPERAND] = 2,  [RCP_COLUMN_SITE] = 4 + 3 * RCP_VARINT_MAX,
    [RCP_COLUMN_THREAD] = 5, [RCP_COLUMN_ADDRESS] = 8,  [RCP_COLUMN_VALUE] = 16,
    [RCP_COLUMN_ID] = 2 * 5, [RCP_COLUMN_TERM] = 3 * 5,
};
enum { COLUMN_SLACK = 16, FIRST_TABLE = 1 << 12 };

static void begin_chunk(rcp_encoder *c) {
    memcpy(c->at, c->begin, sizeof c->at);
    c->wide.len = 0;
    c->count = 0;
    rcp_codec_model_reset(&c->model, c->defs->threads.len);
    rcp_index_builder_reset(&c->index);
    memset(c->table, 0, (c->mask + 1) * sizeof *c->table);
}

void rcp_encoder_init(rcp_encoder *c, const rcp_defs *defs, const rcp_terms *terms) {
    *c = (rcp_encoder){.defs = defs, .terms = terms, .mask = FIRST_TABLE - 1};
    rcp_codec_model_init(&c->model);
    rcp_index_builder_init(&c->index);
    c->table = rcp_alloc(FIRST_TABLE * sizeof *c->table);
    size_t room = 0;
    for (size_t i = 0; i < RCP_COLUMNS; i++)
        room += (size_t)widest[i] * RCP_CHUNK_MAX_EVENTS + COLUMN_SLACK;
    c->buffer = rcp_alloc(room);
    uint8_t *at = c->buffer;
    for (size_t i = 0; i < RCP_COLUMNS; i++) {
        c->begin[i] = at;
        at += (size_t)widest[i] * RCP_CHUNK_MAX_EVENTS + COLUMN_SLACK;
    }
    begin_chunk(c);
}

void rcp_encoder_finish(rcp_encoder *c) {
    rcp_codec_model_finish(&c->model);
    rcp_index_builder_finish(&c->index);
    rcp_release(c->table);
    rcp_release(c->buffer);
    rcp_vec_finish(&c->wide);
    *c = (rcp_encoder){0};
}

static uint64_t term_class(rcp_term term) { return term.v < RCP_TERM_FIRST ? term.v : 2; }

/* The site's identity in two words. `valued` leaves 7 bits of its byte to the terms' classes. */
static void key_of(const rcp_event *e, uint64_t key[2]) {
    uint64_t size = e->kind >= RCP_READ && e->kind <= RCP_RMW ? e->size : 0;
    uint64_t terms = term_class(e->value_term) | term_class(e->addr_term) << 2 | term_class(e->cond) << 4;
    key[0] = (uint64_t)e->kind | (uint64_t)e->mode << 8 | (uint64_t)e->outcome << 16 | (uint64_t)e->valued << 24 |
             terms << 25 | size << 32;
    key[1] = (uint64_t)e->loc.v | (uint64_t)e->stack.v << 32;
}

static uint32_t *find(rcp_encoder *c, const uint64_t key[2]) {
    size_t i = rcp_hash_join(key[0], key[1]) & c->mask;
    for (; c->table[i]; i = (i + 1) & c->mask) {
        const rcp_site *site = &c->model.sites.at[c->table[i]];
        if (site->key[0] == key[0] && site->key[1] == key[1])
            break;
    }
    return &c->table[i];
}

static rcp_term marker(rcp_term term) { return term.v < RCP_TERM_FIRST ? term : RCP_TERM_ALL; }

static uint32_t add_site(rcp_encoder *c, const rcp_event *e, const uint64_t key[2]) {
    rcp_event shape = {
        .kind = e->kind,
        .mode = e->mode,
        .outcome = e->outcome,
        .valued = e->valued,
        .loc = e->loc,
        .stack = e->stack,
        .size = (uint32_t)(key[0] >> 32),
        .value_term = marker(e->value_term),
        .addr_term = marker(e->addr_term),
        .cond = marker(e->cond),
    };
    uint8_t real = (rcp_term_is_real(e->value_term) ? RCP_REAL_VALUE : 0) |
                   (rcp_term_is_real(e->addr_term) ? RCP_REAL_ADDR : 0) |
                   (rcp_term_is_real(e->cond) ? RCP_REAL_COND : 0);

    uint32_t head = (uint32_t)key[0];
    uint8_t *at = c->at[RCP_COLUMN_SITE];
    memcpy(at, &head, 4);
    at = rcp_varint_put(at + 4, shape.size);
    at = rcp_varint_put(at, rcp_zigzag((int64_t)shape.loc.v - c->model.loc));
    at = rcp_varint_put(at, rcp_zigzag((int64_t)shape.stack.v - c->model.stack));
    c->at[RCP_COLUMN_SITE] = at;

    uint32_t id = rcp_codec_model_add(&c->model, &shape, real, key);
    *find(c, key) = id;
    if (c->model.sites.len * 2 > c->mask) {
        c->mask = c->mask * 2 + 1;
        rcp_release(c->table);
        c->table = rcp_alloc_zero(c->mask + 1, sizeof *c->table);
        for (uint32_t i = 1; i < c->model.sites.len; i++)
            *find(c, c->model.sites.at[i].key) = i;
    }
    return id;
}

/* Does what varies hold the rules? The rest of the event equals one that was validated. 'No' means: look closer. */
static bool quick_check(const rcp_terms *terms, const rcp_site *site, const rcp_event *e) {
    if (site->real && !rcp_codec_model_terms_fit(terms, site, e))
        return false;
    switch (site->form) {
    case RCP_FORM_BARE:
    case RCP_FORM_BRANCH: return true;
    case RCP_FORM_RMW:
        if (e->written & ~site->mask)
            return false; /* fall through */
    case RCP_FORM_ACCESS:
        if (e->value & ~site->mask)
            return false; /* fall through */
    case RCP_FORM_ADDRESS: return e->addr <= UINT64_MAX - e->size;
    case RCP_FORM_EXTENT: return e->addr <= UINT64_MAX - e->value;
    default: return false;
    }
}

static rcp_code storable(const rcp_event *e) {
    if (!rcp_event_is_access(e) || !e->valued || e->size <= 8)
        return RCP_OK;
    if (!e->bytes || (e->kind == RCP_RMW && !e->written_bytes))
        return rcp_fail(RCP_BAD_INPUT, "a valued access of %u bytes comes without them", e->size);
    return RCP_OK;
}

/* Bytes that a number needs: 0 for 0, up to 8. */
static inline unsigned bytes_of(uint64_t x) { return x ? (unsigned)(71 - __builtin_clzll(x)) / 8 : 0; }

static inline uint8_t *put_bytes(uint8_t *at, uint64_t x, unsigned n) {
    memcpy(at, &x, 8);
    return at + n;
}

static inline unsigned put_address(rcp_encoder *c, rcp_site *site, rcp_codec_thread *strand, uint64_t addr) {
    if (addr == site->addr + site->stride)
        return RCP_ADDRESS_STRIDE;
    if (addr == strand->addr + site->offset)
        return RCP_ADDRESS_OFFSET;
    uint64_t by_site = rcp_zigzag((int64_t)(addr - site->addr)), by_strand = rcp_zigzag((int64_t)(addr - strand->addr));
    unsigned n = bytes_of(by_site | 1), m = bytes_of(by_strand | 1);
    if (m < n && m <= 6) {
        c->at[RCP_COLUMN_ADDRESS] = put_bytes(c->at[RCP_COLUMN_ADDRESS], by_strand, m);
        return RCP_ADDRESS_THREAD + m;
    }
    c->at[RCP_COLUMN_ADDRESS] = put_bytes(c->at[RCP_COLUMN_ADDRESS], by_site, n);
    return RCP_ADDRESS_SITE + n;
}

static inline unsigned put_value(rcp_encoder *c, rcp_guess *guess, uint64_t mask, uint64_t there, uint64_t value) {
    there &= mask;
    if (value == there)
        return RCP_VALUE_THERE;
    if (value == guess->last)
        return RCP_VALUE_SITE;
    if (value == ((guess->last + guess->step) & mask))
        return RCP_VALUE_STEP;
    uint64_t delta = rcp_zigzag((int64_t)(value - there));
    unsigned n = bytes_of(value), m = bytes_of(delta);
    if (m < n && m <= 4) {
        c->at[RCP_COLUMN_VALUE] = put_bytes(c->at[RCP_COLUMN_VALUE], delta, m);
        return RCP_VALUE_DELTA + m;
    }
    c->at[RCP_COLUMN_VALUE] = put_bytes(c->at[RCP_COLUMN_VALUE], value, n);
    return RCP_VALUE_BYTES + n;
}

static void put_wide(rcp_encoder *c, const uint8_t *bytes, size_t n) { memcpy(rcp_vec_extend(&c->wide, n), bytes, n); }

static unsigned put_id(rcp_encoder *c, uint32_t by_site, uint32_t by_strand, uint32_t id) {
    if (id == by_site)
        return RCP_ID_SITE;
    if (id == by_strand)
        return RCP_ID_THREAD;
    c->at[RCP_COLUMN_ID] = rcp_varint_put(c->at[RCP_COLUMN_ID], id);
    return RCP_ID_GIVEN;
}

static void put_term(rcp_encoder *c, rcp_term term) {
    uint64_t delta = rcp_zigzag((int64_t)term.v - c->model.term);
    c->at[RCP_COLUMN_TERM] = rcp_varint_put(c->at[RCP_COLUMN_TERM], delta);
    c->model.term = term.v;
}

static inline void index_memory(rcp_encoder *c, rcp_site *site, uint64_t addr, uint64_t extent) {
    uint64_t line = addr >> RCP_LINE_BITS;
    if (!extent || (line == site->line && (addr + extent - 1) >> RCP_LINE_BITS == line))
        return;
    site->line = line;
    rcp_index_builder_memory(&c->index, addr, extent);
}

static void put_ids(rcp_encoder *c, rcp_site *site, rcp_codec_thread *strand, const rcp_event *e) {
    unsigned operand = put_id(c, site->first, strand->id, e->object.v);
    if (site->form == RCP_FORM_TWO_IDS) {
        operand |= put_id(c, site->second, site->second, e->lock.v) << 2;
        site->second = e->lock.v;
    }
    *c->at[RCP_COLUMN_OPERAND]++ = (uint8_t)operand;
    site->first = strand->id = e->object.v;
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (uses & RCP_USES_OBJECT)
        rcp_index_builder_object(&c->index, e->object);
    if (uses & RCP_USES_LOCK)
        rcp_index_builder_object(&c->index, e->lock);
}

/* A READ or WRITE with a value of at most 8 bytes: nearly all events are. */
static inline void put_access(rcp_encoder *c, rcp_site *site, rcp_codec_thread *strand, const rcp_event *e) {
    uint64_t *slot = rcp_codec_model_slot(&c->model, e->addr, 0);
    unsigned operand = put_address(c, site, strand, e->addr);
    operand |= put_value(c, &site->value, site->mask, *slot, e->value) << 4;
    rcp_codec_model_learn_address(site, strand, e->addr);
    rcp_guess_learn(&site->value, e->value);
    *slot = e->value;
    *c->at[RCP_COLUMN_OPERAND]++ = (uint8_t)operand;
    index_memory(c, site, e->addr, e->size);
}

static void put_operands(rcp_encoder *c, rcp_site *site, rcp_codec_thread *strand, const rcp_event *e) {
    if (site->form == RCP_FORM_BARE)
        return;
    if (site->form >= RCP_FORM_ID) {
        put_ids(c, site, strand, e);
        return;
    }
    if (site->form == RCP_FORM_BRANCH) {
        *c->at[RCP_COLUMN_OPERAND]++ =
            (uint8_t)(put_value(c, &site->value, UINT64_MAX, site->value.last, e->value) << 4);
        rcp_guess_learn(&site->value, e->value);
        return;
    }
    unsigned operand = put_address(c, site, strand, e->addr);
    rcp_codec_model_learn_address(site, strand, e->addr);
    if (site->form == RCP_FORM_RMW || site->form == RCP_FORM_EXTENT) {
        uint64_t *slot = rcp_codec_model_slot(&c->model, e->addr, site->form == RCP_FORM_EXTENT ? RCP_SLOT_EXTENT : 0);
        operand |= put_value(c, &site->value, site->mask, *slot, e->value) << 4;
        rcp_guess_learn(&site->value, e->value);
        *slot = e->value;
        if (site->form == RCP_FORM_RMW) {
            *c->at[RCP_COLUMN_OPERAND]++ = (uint8_t)operand;
            operand = put_value(c, &site->written, site->mask, e->value, e->written) << 4;
            rcp_guess_learn(&site->written, e->written);
            *slot = e->written;
        }
    } else if (site->form == RCP_FORM_WIDE) {
        put_wide(c, e->bytes, e->size);
        if (e->kind == RCP_RMW)
            put_wide(c, e->written_bytes, e->size);
    }
    *c->at[RCP_COLUMN_OPERAND]++ = (uint8_t)operand;
    index_memory(c, site, e->addr, site->form == RCP_FORM_EXTENT ? e->value : e->size);
}

rcp_code rcp_encoder_add(rcp_encoder *c, const rcp_event *e) {
    rcp_codec_model *model = &c->model;
    RCP_DCHECK(!rcp_encoder_is_full(c));
    if (e->valued > 1) /* would spill over its bit of the key */
        return rcp_event_validate(c->defs, c->terms, e);
    uint64_t key[2];
    key_of(e, key);
    if (e->tid.v >= model->strands.len) {
        RCP_TRY(rcp_event_validate(c->defs, c->terms, e));
        size_t more = c->defs->threads.len - model->strands.len;
        memset(rcp_vec_extend(&model->strands, more), 0, more * sizeof *model->strands.at);
    }
    rcp_codec_thread *strand = rcp_codec_model_strand(model, e->tid.v);
    rcp_site *before = &model->sites.at[strand->site];
    uint32_t id = before->next[0];
    unsigned head = 0;
    if (model->sites.at[id].key[0] != key[0] || model->sites.at[id].key[1] != key[1]) {
        id = before->next[1];
        head = 1;
        if (model->sites.at[id].key[0] != key[0] || model->sites.at[id].key[1] != key[1]) {
            id = *find(c, key);
            head = id ? RCP_HEAD_KNOWN : RCP_HEAD_NEW;
        }
    }
    if (head == RCP_HEAD_NEW || !quick_check(c->terms, &model->sites.at[id], e)) {
        RCP_TRY(rcp_event_validate(c->defs, c->terms, e));
        RCP_TRY(storable(e));
    }

    if (head == RCP_HEAD_NEW) {
        id = add_site(c, e, key);
        before = &model->sites.at[strand->site];
    } else if (head == RCP_HEAD_KNOWN) {
        c->at[RCP_COLUMN_SITE] = rcp_varint_put(c->at[RCP_COLUMN_SITE], id);
    }
    if (head) {
        before->next[1] = before->next[0];
        before->next[0] = id;
    }
    strand->site = id;
    if (e->tid.v != model->tid) {
        head |= RCP_HEAD_SWITCH;
        c->at[RCP_COLUMN_THREAD] = rcp_varint_put(c->at[RCP_COLUMN_THREAD], e->tid.v);
        rcp_index_builder_thread(&c->index, e->tid);
        model->tid = e->tid.v;
    }
    *c->at[RCP_COLUMN_HEAD]++ = (uint8_t)head;

    rcp_site *site = &model->sites.at[id];
    if (site->form == RCP_FORM_ACCESS)
        put_access(c, site, strand, e);
    else
        put_operands(c, site, strand, e);
    if (site->real) {
        if (site->real & RCP_REAL_VALUE)
            put_term(c, e->value_term);
        if (site->real & RCP_REAL_ADDR)
            put_term(c, e->addr_term);
        if (site->real & RCP_REAL_COND)
            put_term(c, e->cond);
    }
    c->count++;
    return RCP_OK;
}

void rcp_encoder_take(rcp_encoder *c, rcp_bytes *index, rcp_bytes *body) {
    index->len = body->len = 0;
    rcp_index_builder_put(&c->index, index);
    size_t lengths[RCP_COLUMNS], total = RCP_COLUMNS * RCP_VARINT_MAX;
    for (size_t i = 0; i < RCP_COLUMNS; i++) {
        lengths[i] = i == RCP_COLUMN_WIDE ? c->wide.len : (size_t)(c->at[i] - c->begin[i]);
        total += lengths[i];
    }
    rcp_vec_reserve(body, total);
    uint8_t *at = body->at;
    for (size_t i = 0; i < RCP_COLUMNS; i++)
        at = rcp_varint_put(at, lengths[i]);
    for (size_t i = 0; i < RCP_COLUMNS; i++) {
        if (lengths[i])
            memcpy(at, i == RCP_COLUMN_WIDE ? c->wide.at : c->begin[i], lengths[i]);
        at += lengths[i];
    }
    body->len = (size_t)(at - body->at);
    begin_chunk(c);
}
