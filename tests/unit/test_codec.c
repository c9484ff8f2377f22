/* SPDX-License-Identifier: Apache-2.0 */
/* Encoder and decoder against each other, and against rcp_event_validate(): what goes in is what is valid, what comes
 * out is what went in, and whatever the bytes are, what comes out is valid. */
#include "trace/store/decoder.h"
#include "trace/store/encoder.h"

#include "random_events.h"
#include "same_trace.h"
#include "suite.h"

static rcp_defs defs;
static rcp_terms terms;
static random_events r;

static void setup_tables(uint64_t seed) {
    rcp_defs_init(&defs);
    rcp_terms_init(&terms);
    r = (random_events){.seed = seed, .defs = &defs, .terms = &terms};
    for (int i = 0; i < 3; i++)
        random_define(&r);
}

static void drop_tables(void) {
    rcp_terms_finish(&terms);
    rcp_defs_finish(&defs);
}

/* A copy with room after it, as an rcp_unpacker leaves it. */
static rcp_bytes padded(const rcp_bytes *body) {
    rcp_bytes copy = {0};
    rcp_vec_reserve(&copy, body->len + RCP_UNPACK_SLACK);
    memset(copy.at, 0, body->len + RCP_UNPACK_SLACK);
    memcpy(copy.at, body->at, body->len);
    copy.len = body->len;
    return copy;
}

START_TEST(chunks_decode_by_themselves) {
    setup_tables(1);
    rcp_encoder encoder;
    rcp_encoder_init(&encoder, &defs, &terms);
    rcp_trace events; /* holds the wide values too */
    rcp_trace_init(&events);
    rcp_bytes index = {0}, bodies[20] = {0}, body = {0};
    size_t ends[20];
    random_events mirror = {.seed = 1, .defs = &events.defs, .terms = &events.terms};
    for (int i = 0; i < 3; i++)
        random_define(&mirror);
    for (int chunk = 0; chunk < 20; chunk++) {
        for (uint64_t n = 1 + random_below(&r, 2000); n; n--) {
            rcp_event e = random_event(&r);
            ck_assert_int_eq(rcp_encoder_add(&encoder, &e), RCP_OK);
            ck_assert_int_eq(rcp_trace_add(&events, &e), RCP_OK);
        }
        rcp_encoder_take(&encoder, &index, &body);
        bodies[chunk] = padded(&body);
        ends[chunk] = events.events.len;
    }
    rcp_decoder decoder;
    rcp_decoder_init(&decoder, &defs, &terms);
    for (int chunk = 19; chunk >= 0; chunk--) { /* backwards: no chunk needs the ones before it */
        size_t first = chunk ? ends[chunk - 1] : 0;
        rcp_chunk head = {.first = first, .count = (uint32_t)(ends[chunk] - first)};
        ck_assert_int_eq(rcp_decoder_begin(&decoder, &head, &bodies[chunk]), RCP_OK);
        for (size_t n; first < ends[chunk]; first += n) {
            rcp_event out[100];
            ck_assert_int_eq(rcp_decoder_next(&decoder, out, 1 + random_below(&r, 100), &n), RCP_OK);
            ck_assert_uint_gt(n, 0);
            for (size_t i = 0; i < n; i++)
                ck_assert(same_event(&events.events.at[first + i], &out[i]));
        }
        rcp_vec_finish(&bodies[chunk]);
    }
    rcp_decoder_finish(&decoder);
    rcp_encoder_finish(&encoder);
    rcp_vec_finish(&index);
    rcp_vec_finish(&body);
    rcp_trace_finish(&events);
    drop_tables();
}
END_TEST

/* Changes one field to something that may or may not be allowed there. */
static void spoil(rcp_event *e) {
    uint64_t x = random_word(&r);
    switch (random_below(&r, 15)) {
    case 0: e->kind = (uint8_t)x; break;
    case 1: e->mode = x & 7; break;
    case 2: e->outcome = x & 7; break;
    case 3: e->valued = x & 3; break;
    case 4: e->tid.v = x & 3; break;
    case 5: e->loc.v = x & 15; break;
    case 6: e->stack.v = x & 15; break;
    case 7: e->addr = x; break;
    case 8: e->value = x; break;
    case 9: e->written = x; break;
    case 10: e->size = (uint32_t)x; break;
    case 11: e->object.v = x & 31; break;
    case 12: e->lock.v = x & 31; break;
    case 13: e->value_term.v = x & 127; break;
    default: *(random_once_in(&r, 2) ? &e->addr_term : &e->cond) = (rcp_term){x & 127};
    }
}

START_TEST(the_encoder_takes_what_is_valid) {
    setup_tables(2);
    rcp_encoder encoder;
    rcp_encoder_init(&encoder, &defs, &terms);
    rcp_bytes index = {0}, body = {0};
    uint64_t taken = 0, refused = 0;
    for (int i = 0; i < 200000; i++) {
        rcp_event e = random_event(&r);
        if (rcp_event_is_access(&e) && e.size > 8) { /* wide values are pointers, nothing to spoil */
            e.valued = 0;
            e.bytes = e.written_bytes = NULL;
        }
        if (random_once_in(&r, 2))
            spoil(&e);
        if (rcp_event_is_access(&e) && e.size > 8)
            e.valued = 0;
        uint32_t before = encoder.count;
        rcp_code valid = rcp_event_validate(&defs, &terms, &e), code = rcp_encoder_add(&encoder, &e);
        ck_assert_int_eq(valid, code);
        ck_assert_uint_eq(encoder.count, before + (code == RCP_OK));
        code == RCP_OK ? taken++ : refused++;
        if (rcp_encoder_is_full(&encoder) || random_once_in(&r, 500))
            rcp_encoder_take(&encoder, &index, &body);
    }
    ck_assert_uint_gt(taken, 50000);
    ck_assert_uint_gt(refused, 20000);
    rcp_encoder_finish(&encoder);
    rcp_vec_finish(&index);
    rcp_vec_finish(&body);
    drop_tables();
}
END_TEST

START_TEST(whatever_the_bytes_are_only_valid_events_come_out) {
    setup_tables(3);
    rcp_encoder encoder;
    rcp_decoder decoder;
    rcp_encoder_init(&encoder, &defs, &terms);
    rcp_decoder_init(&decoder, &defs, &terms);
    rcp_bytes index = {0}, body = {0};
    uint64_t whole = 0, refused = 0;
    for (int round = 0; round < 20000; round++) {
        uint32_t count = 1 + (uint32_t)random_below(&r, 40);
        for (uint32_t i = 0; i < count; i++) {
            rcp_event e = random_event(&r);
            ck_assert_int_eq(rcp_encoder_add(&encoder, &e), RCP_OK);
        }
        rcp_encoder_take(&encoder, &index, &body);
        rcp_bytes copy = padded(&body);
        for (uint64_t n = 1 + random_below(&r, 3); n; n--)
            copy.at[random_below(&r, copy.len)] ^= (uint8_t)(1 << random_below(&r, 8));
        rcp_chunk head = {.count = count};
        rcp_code code = rcp_decoder_begin(&decoder, &head, &copy);
        while (code == RCP_OK) {
            rcp_event out[16];
            size_t n = 0;
            code = rcp_decoder_next(&decoder, out, 16, &n);
            if (code == RCP_OK && !n)
                break;
            for (size_t i = 0; code == RCP_OK && i < n; i++)
                ck_assert_int_eq(rcp_event_validate(&defs, &terms, &out[i]), RCP_OK);
        }
        ck_assert(code == RCP_OK || code == RCP_BAD_INPUT);
        code == RCP_OK ? whole++ : refused++;
        rcp_vec_finish(&copy);
    }
    ck_assert_uint_gt(whole, 100);
    ck_assert_uint_gt(refused, 1000);
    rcp_encoder_finish(&encoder);
    rcp_decoder_finish(&decoder);
    rcp_vec_finish(&index);
    rcp_vec_finish(&body);
    drop_tables();
}
END_TEST

START_TEST(repetition_costs_little) {
    setup_tables(4);
    rcp_encoder encoder;
    rcp_encoder_init(&encoder, &defs, &terms);
    rcp_bytes index = {0}, body = {0};
    for (uint64_t i = 0; i < 10000; i++) { /* a loop: read a[i], write b[i], branch */
        rcp_event read = {.kind = RCP_READ, .loc = {1}, .addr = 4096 + 8 * i, .size = 8, .valued = 1, .value = 3 * i};
        rcp_event write = {.kind = RCP_WRITE, .loc = {2}, .addr = 999992 + 8 * i, .size = 8, .valued = 1, .value = 3};
        rcp_event branch = {.kind = RCP_BRANCH, .loc = {3}, .valued = 1, .value = 1};
        ck_assert_int_eq(rcp_encoder_add(&encoder, &read), RCP_OK);
        ck_assert_int_eq(rcp_encoder_add(&encoder, &write), RCP_OK);
        ck_assert_int_eq(rcp_encoder_add(&encoder, &branch), RCP_OK);
    }
    rcp_encoder_take(&encoder, &index, &body);
    ck_assert_uint_lt(body.len, 2 * 30000 + 200); /* a head and an operand each: all is foreseen */
    ck_assert_uint_lt(index.len, 64);
    rcp_encoder_finish(&encoder);
    rcp_vec_finish(&index);
    rcp_vec_finish(&body);
    drop_tables();
}
END_TEST

int main(void) {
    return rcp_suite_run("codec", chunks_decode_by_themselves, the_encoder_takes_what_is_valid,
                         whatever_the_bytes_are_only_valid_events_come_out, repetition_costs_little, NULL);
}
