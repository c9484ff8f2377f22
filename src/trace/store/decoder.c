/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/decoder.h"

#include "base/varint.h"

void rcp_decoder_init(rcp_decoder *d, const rcp_defs *defs, const rcp_terms *terms) {
    *d = (rcp_decoder){.defs = defs, .terms = terms};
    rcp_codec_model_init(&d->model);
}

void rcp_decoder_finish(rcp_decoder *d) {
    rcp_codec_model_finish(&d->model);
    *d = (rcp_decoder){0};
}

rcp_code rcp_decoder_begin(rcp_decoder *d, const rcp_chunk *chunk, const rcp_bytes *body) {
    const uint8_t *at = body->at, *end = at + body->len;
    uint64_t lengths[RCP_COLUMNS];
    d->left = 0;
    for (size_t i = 0; i < RCP_COLUMNS; i++) {
        at = rcp_varint_get(at, end, &lengths[i]);
        if (!at)
            return rcp_fail(RCP_BAD_INPUT, "the chunk does not say how long its columns are");
    }
    for (size_t i = 0; i < RCP_COLUMNS; i++) {
        if (lengths[i] > (size_t)(end - at))
            return rcp_fail(RCP_BAD_INPUT, "column %zu of the chunk reaches past its end", i);
        d->at[i] = at;
        d->end[i] = at += lengths[i];
    }
    if (at != end || lengths[RCP_COLUMN_HEAD] != chunk->count)
        return rcp_fail(RCP_BAD_INPUT, "the columns of the chunk do not fit its size");
    rcp_codec_model_reset(&d->model, d->defs->threads.len);
    d->left = chunk->count;
    d->event = chunk->first;
    return RCP_OK;
}

static rcp_code short_column(rcp_column column) {
    static const char *const names[RCP_COLUMNS] = {"heads",  "operands", "sites", "threads",    "addresses",
                                                   "values", "ids",      "terms", "wide values"};
    return rcp_fail(RCP_BAD_INPUT, "the column of %s ends too early or holds what can't be", names[column]);
}

static rcp_code past_the_end(void) {
    return rcp_fail(RCP_BAD_INPUT, "the range reaches past the end of the address space");
}

/* A varint of at most `most` from a column. */
static bool get_number(rcp_decoder *d, rcp_column column, uint64_t most, uint64_t *x) {
    const uint8_t *at = rcp_varint_get(d->at[column], d->end[column], x);
    if (!at || *x > most)
        return false;
    d->at[column] = at;
    return true;
}

/* The same as a difference from `from`; the sum is an id. */
static bool get_id_from(rcp_decoder *d, rcp_column column, uint32_t from, uint32_t *id) {
    uint64_t delta;
    if (!get_number(d, column, UINT64_C(1) << 33, &delta))
        return false;
    int64_t sum = (int64_t)from + rcp_unzigzag(delta);
    *id = (uint32_t)sum;
    return sum >= 0 && sum <= UINT32_MAX;
}

static rcp_term marker(uint32_t class) { return class == 0 ? RCP_TERM_CONST : RCP_TERM_ALL; }

static rcp_code new_site(rcp_decoder *d, rcp_tid tid, uint32_t *id) {
    const uint8_t **at = &d->at[RCP_COLUMN_SITE];
    uint32_t head;
    uint64_t size;
    if (d->end[RCP_COLUMN_SITE] - *at < 4)
        return short_column(RCP_COLUMN_SITE);
    memcpy(&head, *at, 4);
    *at += 4;
    rcp_event shape = {
        .kind = head & 0xff,
        .mode = head >> 8 & 0xff,
        .outcome = head >> 16 & 0xff,
        .valued = head >> 24 & 1,
        .tid = tid,
    };
    uint32_t classes[3] = {head >> 25 & 3, head >> 27 & 3, head >> 29 & 3};
    if (!get_number(d, RCP_COLUMN_SITE, UINT32_MAX, &size) ||
        !get_id_from(d, RCP_COLUMN_SITE, d->model.loc, &shape.loc.v) ||
        !get_id_from(d, RCP_COLUMN_SITE, d->model.stack, &shape.stack.v) || head >> 31 || classes[0] > 2 ||
        classes[1] > 2 || classes[2] > 2 || shape.kind >= RCP_KINDS)
        return short_column(RCP_COLUMN_SITE);
    shape.size = (uint32_t)size;
    shape.value_term = marker(classes[0]);
    shape.addr_term = marker(classes[1]);
    shape.cond = marker(classes[2]);
    uint8_t real = (classes[0] == 2 ? RCP_REAL_VALUE : 0) | (classes[1] == 2 ? RCP_REAL_ADDR : 0) |
                   (classes[2] == 2 ? RCP_REAL_COND : 0);
    uint32_t uses = rcp_event_traits(shape.kind)->uses;
    if (size && !(uses & RCP_USES_SIZE))
        return rcp_fail(RCP_BAD_INPUT, "'%s' has no size", rcp_event_traits(shape.kind)->name);
    /* Events with ids or real terms are validated one by one; their shape alone would not pass. */
    if (!(uses & (RCP_USES_CHILD | RCP_USES_OBJECT | RCP_USES_REACH)))
        RCP_TRY(rcp_event_validate(d->defs, d->terms, &shape));
    static const uint64_t no_key[2] = {0, 0};
    *id = rcp_codec_model_add(&d->model, &shape, real, no_key);
    return RCP_OK;
}

static inline uint64_t load_bytes(const uint8_t *at, unsigned n) {
    uint64_t x;
    memcpy(&x, at, 8);
    return x & rcp_low_bytes(n);
}

/* `n` bytes of a column as a number. */
static inline bool take_bytes(rcp_decoder *d, rcp_column column, unsigned n, uint64_t *x) {
    const uint8_t *at = d->at[column];
    if ((size_t)(d->end[column] - at) < n)
        return false;
    *x = load_bytes(at, n);
    d->at[column] = at + n;
    return true;
}

static inline bool get_address(rcp_decoder *d, const rcp_site *site, const rcp_codec_thread *strand, unsigned code,
                               uint64_t *addr) {
    if (code == RCP_ADDRESS_STRIDE) {
        *addr = site->addr + site->stride;
        return true;
    }
    if (code == RCP_ADDRESS_OFFSET) {
        *addr = strand->addr + site->offset;
        return true;
    }
    uint64_t delta;
    bool by_strand = code > RCP_ADDRESS_THREAD;
    if (!take_bytes(d, RCP_COLUMN_ADDRESS, code - (by_strand ? RCP_ADDRESS_THREAD : RCP_ADDRESS_SITE), &delta))
        return false;
    *addr = (by_strand ? strand->addr : site->addr) + (uint64_t)rcp_unzigzag(delta);
    return true;
}

static inline bool get_value(rcp_decoder *d, const rcp_guess *guess, uint64_t mask, uint64_t there, unsigned code,
                             uint64_t *value) {
    if (code == RCP_VALUE_THERE) {
        *value = there & mask;
        return true;
    }
    if (code == RCP_VALUE_SITE) {
        *value = guess->last;
        return true;
    }
    if (code == RCP_VALUE_STEP) {
        *value = (guess->last + guess->step) & mask;
        return true;
    }
    if (code > RCP_VALUE_DELTA) {
        uint64_t delta;
        if (!take_bytes(d, RCP_COLUMN_VALUE, code - RCP_VALUE_DELTA, &delta))
            return false;
        *value = ((there & mask) + (uint64_t)rcp_unzigzag(delta)) & mask;
        return true;
    }
    return take_bytes(d, RCP_COLUMN_VALUE, code - RCP_VALUE_BYTES, value) && !(*value & ~mask);
}

static bool get_id(rcp_decoder *d, uint32_t by_site, uint32_t by_strand, unsigned code, uint32_t *id) {
    uint64_t given;
    switch (code) {
    case RCP_ID_SITE: *id = by_site; return true;
    case RCP_ID_THREAD: *id = by_strand; return true;
    case RCP_ID_GIVEN:
        if (!get_number(d, RCP_COLUMN_ID, UINT32_MAX, &given))
            return false;
        *id = (uint32_t)given;
        return true;
    default: return false;
    }
}

static rcp_code get_ids(rcp_decoder *d, rcp_site *site, rcp_codec_thread *strand, unsigned operand, rcp_event *e) {
    if (!get_id(d, site->first, strand->id, operand & 3, &e->object.v))
        return short_column(RCP_COLUMN_ID);
    if (site->form == RCP_FORM_TWO_IDS) {
        if (!get_id(d, site->second, site->second, operand >> 2 & 3, &e->lock.v))
            return short_column(RCP_COLUMN_ID);
        site->second = e->lock.v;
    }
    if (operand >> (site->form == RCP_FORM_TWO_IDS ? 4 : 2))
        return short_column(RCP_COLUMN_OPERAND);
    site->first = strand->id = e->object.v;
    return RCP_OK;
}

static rcp_code get_wide(rcp_decoder *d, rcp_event *e) {
    const uint8_t **at = &d->at[RCP_COLUMN_WIDE];
    uint64_t need = e->kind == RCP_RMW ? (uint64_t)e->size * 2 : e->size;
    if ((uint64_t)(d->end[RCP_COLUMN_WIDE] - *at) < need)
        return short_column(RCP_COLUMN_WIDE);
    e->bytes = *at;
    if (e->kind == RCP_RMW)
        e->written_bytes = *at + e->size;
    *at += need;
    return RCP_OK;
}

/* What follows the operand byte of a READ or WRITE with a value of at most 8 bytes: nearly all events are. */
static inline rcp_code get_access(rcp_decoder *d, rcp_site *site, rcp_codec_thread *strand, unsigned operand,
                                  rcp_event *e) {
    if (!get_address(d, site, strand, operand & 15, &e->addr))
        return short_column(RCP_COLUMN_ADDRESS);
    uint64_t *slot = rcp_codec_model_slot(&d->model, e->addr, 0);
    if (!get_value(d, &site->value, site->mask, *slot, operand >> 4, &e->value))
        return short_column(RCP_COLUMN_VALUE);
    rcp_codec_model_learn_address(site, strand, e->addr);
    rcp_guess_learn(&site->value, e->value);
    *slot = e->value;
    return e->addr <= UINT64_MAX - e->size ? RCP_OK : past_the_end();
}

/* The same of any other access, an ALLOC or a FREE. */
static rcp_code get_memory(rcp_decoder *d, rcp_site *site, rcp_codec_thread *strand, unsigned operand, rcp_event *e) {
    if (!get_address(d, site, strand, operand & 15, &e->addr))
        return short_column(RCP_COLUMN_ADDRESS);
    rcp_codec_model_learn_address(site, strand, e->addr);
    if (site->form == RCP_FORM_RMW || site->form == RCP_FORM_EXTENT) {
        uint64_t *slot = rcp_codec_model_slot(&d->model, e->addr, site->form == RCP_FORM_EXTENT ? RCP_SLOT_EXTENT : 0);
        if (!get_value(d, &site->value, site->mask, *slot, operand >> 4, &e->value))
            return short_column(RCP_COLUMN_VALUE);
        rcp_guess_learn(&site->value, e->value);
        *slot = e->value;
        if (site->form == RCP_FORM_RMW) {
            if (d->at[RCP_COLUMN_OPERAND] == d->end[RCP_COLUMN_OPERAND] || *d->at[RCP_COLUMN_OPERAND] & 15)
                return short_column(RCP_COLUMN_OPERAND);
            unsigned code = *d->at[RCP_COLUMN_OPERAND]++ >> 4;
            if (!get_value(d, &site->written, site->mask, e->value, code, &e->written))
                return short_column(RCP_COLUMN_VALUE);
            rcp_guess_learn(&site->written, e->written);
            *slot = e->written;
        }
    } else {
        if (operand >> 4)
            return short_column(RCP_COLUMN_OPERAND);
        if (site->form == RCP_FORM_WIDE)
            RCP_TRY(get_wide(d, e));
    }
    return e->addr <= UINT64_MAX - (site->form == RCP_FORM_EXTENT ? e->value : e->size) ? RCP_OK : past_the_end();
}

static rcp_code get_operands(rcp_decoder *d, rcp_site *site, rcp_codec_thread *strand, rcp_event *e) {
    if (d->at[RCP_COLUMN_OPERAND] == d->end[RCP_COLUMN_OPERAND])
        return short_column(RCP_COLUMN_OPERAND);
    unsigned operand = *d->at[RCP_COLUMN_OPERAND]++;
    if (site->form == RCP_FORM_ACCESS)
        return get_access(d, site, strand, operand, e);
    switch (site->form) {
    case RCP_FORM_BRANCH:
        if (operand & 15)
            return short_column(RCP_COLUMN_OPERAND);
        if (!get_value(d, &site->value, UINT64_MAX, site->value.last, operand >> 4, &e->value))
            return short_column(RCP_COLUMN_VALUE);
        rcp_guess_learn(&site->value, e->value);
        return RCP_OK;
    case RCP_FORM_ID:
    case RCP_FORM_TWO_IDS: return get_ids(d, site, strand, operand, e);
    default: return get_memory(d, site, strand, operand, e);
    }
}

static bool get_term(rcp_decoder *d, rcp_term *term) {
    if (!get_id_from(d, RCP_COLUMN_TERM, d->model.term, &term->v) || !rcp_term_is_real(*term))
        return false;
    d->model.term = term->v;
    return true;
}

static rcp_code get_terms(rcp_decoder *d, const rcp_site *site, rcp_event *e) {
    if ((site->real & RCP_REAL_VALUE && !get_term(d, &e->value_term)) ||
        (site->real & RCP_REAL_ADDR && !get_term(d, &e->addr_term)) ||
        (site->real & RCP_REAL_COND && !get_term(d, &e->cond)))
        return short_column(RCP_COLUMN_TERM);
    return RCP_OK;
}

/* The site of the next event, by its head. */
static rcp_code get_site(rcp_decoder *d, rcp_codec_thread *strand, unsigned head, uint32_t *id) {
    rcp_site *before = &d->model.sites.at[strand->site];
    uint64_t known;
    switch (head & RCP_HEAD_SITE) {
    case 0: *id = before->next[0]; break;
    case 1: *id = before->next[1]; break;
    case RCP_HEAD_KNOWN:
        if (!get_number(d, RCP_COLUMN_SITE, d->model.sites.len - 1, &known))
            return short_column(RCP_COLUMN_SITE);
        *id = (uint32_t)known;
        break;
    default: RCP_TRY(new_site(d, (rcp_tid){d->model.tid}, id)); before = &d->model.sites.at[strand->site];
    }
    if (!*id)
        return short_column(RCP_COLUMN_SITE);
    if (head & RCP_HEAD_SITE) {
        before->next[1] = before->next[0];
        before->next[0] = *id;
    }
    strand->site = *id;
    return RCP_OK;
}

static rcp_code next_event(rcp_decoder *d, rcp_event *e) {
    rcp_codec_model *model = &d->model;
    unsigned head = *d->at[RCP_COLUMN_HEAD]++;
    if (head & RCP_HEAD_SWITCH) {
        uint64_t tid;
        if (!get_number(d, RCP_COLUMN_THREAD, UINT32_MAX, &tid))
            return short_column(RCP_COLUMN_THREAD);
        if (tid >= d->defs->threads.len)
            return rcp_fail(RCP_BAD_INPUT, "thread %u does not exist", (uint32_t)tid);
        model->tid = (uint32_t)tid;
    }
    if (model->tid == UINT32_MAX || head > (RCP_HEAD_SITE | RCP_HEAD_SWITCH))
        return short_column(RCP_COLUMN_HEAD);
    rcp_codec_thread *strand = rcp_codec_model_strand(model, model->tid);
    uint32_t id = 0;
    RCP_TRY(get_site(d, strand, head, &id));
    rcp_site *site = &model->sites.at[id];
    *e = model->shapes.at[id];
    e->tid.v = model->tid;
    if (site->form != RCP_FORM_BARE)
        RCP_TRY(get_operands(d, site, strand, e));
    if (site->real)
        RCP_TRY(get_terms(d, site, e));
    if (site->form >= RCP_FORM_ID || (site->real && !rcp_codec_model_terms_fit(d->terms, site, e)))
        return rcp_event_validate(d->defs, d->terms, e);
    return RCP_OK;
}

rcp_code rcp_decoder_next(rcp_decoder *d, rcp_event *events, size_t room, size_t *n) {
    size_t count = d->left < room ? d->left : room;
    for (size_t i = 0; i < count; i++) {
        rcp_code code = next_event(d, &events[i]);
        if (code != RCP_OK)
            return rcp_because(code, "event %llu", (unsigned long long)(d->event + i));
    }
    d->left -= (uint32_t)count;
    d->event += count;
    if (count && !d->left)
        for (size_t i = 0; i < RCP_COLUMNS; i++)
            if (d->at[i] != d->end[i])
                return rcp_fail(RCP_BAD_INPUT, "column %zu of the chunk has bytes that no event uses", i);
    *n = count;
    return RCP_OK;
}
