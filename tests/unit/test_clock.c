/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/clock.h"

#include "suite.h"

static rcp_clocks clocks;
static rcp_runner a, b, c;

static void start(void) {
    rcp_clocks_init(&clocks);
    a = (rcp_runner){.tid = 0, .count = 1};
    b = (rcp_runner){.tid = 1, .count = 1};
    c = (rcp_runner){.tid = 2, .count = 1};
}

static void stop(void) { rcp_clocks_finish(&clocks); }

START_TEST(knows_what_was_received_and_all_before_it) {
    start();
    rcp_stamp from_a = {0}, from_b = {0};
    a.count = 3;
    rcp_stamp_set(&clocks, &from_a, &a);
    ck_assert(!rcp_runner_knows(&b, 0, 1));
    rcp_clock_receive(&clocks, &b, from_a);
    ck_assert(rcp_runner_knows(&b, 0, 3));
    ck_assert(!rcp_runner_knows(&b, 0, 4));
    rcp_stamp_set(&clocks, &from_b, &b);
    rcp_clock_receive(&clocks, &c, from_b);
    ck_assert(rcp_runner_knows(&c, 1, 1) && rcp_runner_knows(&c, 0, 3) && !rcp_runner_knows(&c, 1, 2));
    ck_assert(rcp_runner_knows(&c, 2, 1000)); /* itself, whatever its array says */
    stop();
}
END_TEST

START_TEST(a_stamp_does_not_change_when_its_thread_learns_more) {
    start();
    rcp_stamp early = {0}, from_a = {0};
    rcp_stamp_set(&clocks, &from_a, &a);
    rcp_clock_receive(&clocks, &b, from_a);
    rcp_stamp_set(&clocks, &early, &b);
    rcp_stamp from_c = {0};
    rcp_stamp_set(&clocks, &from_c, &c);
    b.count = 2;
    rcp_clock_receive(&clocks, &b, from_c);
    ck_assert_uint_eq(rcp_clock_entry(&clocks, early.clock, 0), 1);
    ck_assert_uint_eq(rcp_clock_entry(&clocks, early.clock, 2), 0);
    ck_assert(rcp_runner_knows(&b, 2, 1));
    stop();
}
END_TEST

START_TEST(arrays_are_shared_until_somebody_learns_something) {
    start();
    rcp_stamp from_a = {0}, stamps[100] = {0};
    rcp_stamp_set(&clocks, &from_a, &a);
    rcp_clock_receive(&clocks, &b, from_a);
    uint64_t copies = clocks.copies;
    for (size_t i = 0; i < 100; i++, b.count++)
        rcp_stamp_set(&clocks, &stamps[i], &b);
    ck_assert_uint_eq(clocks.copies, copies);
    ck_assert_uint_eq(clocks.slots.at[b.clock.v].holders, 101);
    for (size_t i = 0; i < 100; i++)
        rcp_stamp_drop(&clocks, &stamps[i]);
    ck_assert_uint_eq(clocks.slots.at[b.clock.v].holders, 1);
    stop();
}
END_TEST

START_TEST(what_nobody_holds_is_used_again) {
    start();
    rcp_clock clock = {0};
    for (uint32_t i = 1; i <= 1000; i++) {
        rcp_clock_raise(&clocks, &clock, 5, i);
        rcp_clock other = {0};
        rcp_clock_put(&clocks, &other, clock);
        rcp_clock_raise(&clocks, &other, 7, i); /* a copy: clock has two holders */
        ck_assert_uint_eq(rcp_clock_entry(&clocks, clock, 7), 0);
        rcp_clock_drop(&clocks, other);
    }
    ck_assert_uint_le(clocks.slots.len, 4);
    ck_assert_uint_eq(rcp_clock_entry(&clocks, clock, 5), 1000);
    stop();
}
END_TEST

START_TEST(a_channel_of_ordered_events_keeps_one) {
    start();
    rcp_channel channel = {0};
    for (uint32_t i = 1; i < 10; i++) {
        rcp_runner *turn = i % 2 ? &a : &b;
        turn->count = i;
        rcp_channel_receive(&clocks, &channel, turn);
        rcp_channel_send(&clocks, &channel, turn);
    }
    ck_assert_uint_eq(channel.rest.v, 0);
    rcp_channel_receive(&clocks, &channel, &c);
    ck_assert(rcp_runner_knows(&c, 0, 9) && rcp_runner_knows(&c, 1, 8) && !rcp_runner_knows(&c, 1, 9));
    stop();
}
END_TEST

START_TEST(a_channel_of_unordered_events_keeps_all) {
    start();
    rcp_channel channel = {0}, copy = {0};
    rcp_channel_send(&clocks, &channel, &a);
    rcp_channel_send(&clocks, &channel, &b);
    rcp_channel_copy(&clocks, &copy, &channel);
    rcp_runner d = {.tid = 3, .count = 1};
    rcp_channel_send(&clocks, &channel, &d);
    rcp_channel_receive(&clocks, &copy, &c);
    ck_assert(rcp_runner_knows(&c, 0, 1) && rcp_runner_knows(&c, 1, 1) && !rcp_runner_knows(&c, 3, 1));
    rcp_channel_receive(&clocks, &channel, &c);
    ck_assert(rcp_runner_knows(&c, 3, 1));
    rcp_vec_finish(&channel.senders);
    rcp_vec_finish(&copy.senders);
    stop();
}
END_TEST

START_TEST(ten_thousand_threads_are_not_a_square) {
    start();
    rcp_runner *all = calloc(10000, sizeof *all);
    rcp_channel lock = {0};
    for (uint32_t t = 0; t < 10000; t++) {
        all[t] = (rcp_runner){.tid = t, .count = 1};
        if (t % 100 == 0) { /* most threads meet nobody */
            rcp_channel_receive(&clocks, &lock, &all[t]);
            rcp_channel_send(&clocks, &lock, &all[t]);
        }
    }
    ck_assert(rcp_runner_knows(&all[9900], 0, 1) && rcp_runner_knows(&all[9900], 5000, 1));
    ck_assert(!rcp_runner_knows(&all[9900], 5001, 1));
    ck_assert_uint_lt(rcp_clocks_bytes(&clocks), 10000000);
    free(all);
    stop();
}
END_TEST

/* Random sending and receiving between a few threads, beside clocks that are plain arrays. */
START_TEST(the_same_as_plain_arrays) {
    enum { N = 5, CHANNELS = 3 };
    start();
    rcp_runner threads[N];
    uint32_t plain[N][N] = {0}, sent[CHANNELS][N] = {0};
    rcp_channel channels[CHANNELS] = {0};
    for (uint32_t t = 0; t < N; t++)
        threads[t] = (rcp_runner){.tid = t};
    uint32_t state = 7;
    for (int i = 0; i < 20000; i++) {
        state = state * 1664525 + 1013904223;
        uint32_t t = (state >> 8) % N, k = (state >> 16) % CHANNELS;
        threads[t].count++;
        plain[t][t]++;
        for (uint32_t u = 0; u < N; u++) {
            if (state >> 24 & 1)
                plain[t][u] = sent[k][u] > plain[t][u] ? sent[k][u] : plain[t][u];
            else
                sent[k][u] = plain[t][u] > sent[k][u] ? plain[t][u] : sent[k][u];
        }
        if (state >> 24 & 1)
            rcp_channel_receive(&clocks, &channels[k], &threads[t]);
        else
            rcp_channel_send(&clocks, &channels[k], &threads[t]);
        for (uint32_t u = 0; u < N; u++)
            if (u != t)
                ck_assert_uint_eq(u < threads[t].len ? threads[t].at[u] : 0, plain[t][u]);
    }
    stop();
}
END_TEST

int main(void) {
    return rcp_suite_run("clock", knows_what_was_received_and_all_before_it,
                         a_stamp_does_not_change_when_its_thread_learns_more,
                         arrays_are_shared_until_somebody_learns_something, what_nobody_holds_is_used_again,
                         a_channel_of_ordered_events_keeps_one, a_channel_of_unordered_events_keeps_all,
                         ten_thousand_threads_are_not_a_square, the_same_as_plain_arrays, NULL);
}
