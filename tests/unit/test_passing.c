/* SPDX-License-Identifier: Apache-2.0 */
/* Rule P3 of docs/semantics.md: points of time. */
#include "builder.h"
#include "trace/check/barriers.h"

#define AT(addr) (addr), (addr) + 1

static uint64_t look(unsigned thread) { /* at the clock */
    uint64_t begin = opaque(thread, RCP_OPAQUE_BEGIN, AT(RCP_REACH_CLOCK));
    opaque(thread, RCP_OPAQUE_END, AT(RCP_REACH_CLOCK));
    return begin;
}

static void fall_asleep(unsigned thread) { opaque(thread, RCP_OPAQUE_BEGIN, AT(RCP_REACH_NOT_AFTER)); }
static void wake_up(unsigned thread) { opaque(thread, RCP_OPAQUE_END, AT(RCP_REACH_NOT_BEFORE)); }

/* Of two that are executed the one that was recorded earlier comes first, and neither needs the other. */
START_TEST(p3_readings) {
    uint64_t first = look(1);
    look(2);
    ACCEPT("22");
    ACCEPT("1122");
    REFUSE("221", first, "was recorded after it");
}
END_TEST

/* A sleep is not over before whoever looked at the clock before it was. */
START_TEST(p3_a_sleep_is_no_shorter) {
    uint64_t first = look(1);
    fall_asleep(2);
    uint64_t in_time = look(1);
    wake_up(2);
    look(3);
    ACCEPT("11211233");
    REFUSE("221", first, "was recorded after it");
    REFUSE("11221", in_time, "was recorded after it");
    ACCEPT("2112"); /* it may begin earlier */
    ACCEPT("33");   /* and whoever looks later does not need it */
}
END_TEST

/* It may begin later, and end later; but then nobody may tell. */
START_TEST(p3_a_sleep_that_begins_later) {
    fall_asleep(2);
    look(1);
    wake_up(2);
    uint64_t later = look(3);
    ACCEPT("1122");
    ACCEPT("11233"); /* it is not over */
    ACCEPT("21123");
    REFUSE("11223", later, "was not over by then");
}
END_TEST

/* Two sleeps at once are no two sleeps one after the other. */
START_TEST(p3_two_sleeps) {
    look(3);
    fall_asleep(1);
    fall_asleep(2);
    wake_up(1);
    wake_up(2);
    uint64_t later = look(3);
    ACCEPT("3312123");
    ACCEPT("3312213"); /* the second one is over first: it could be */
    ACCEPT("331122");
    REFUSE("3311223", later, "was not over by then");
}
END_TEST

/* Who has set a timer is not before its time, who was told that it has not gone off not after it. */
START_TEST(p3_not_before_and_not_after) {
    opaque(1, RCP_OPAQUE_BEGIN, AT(RCP_REACH_NOT_BEFORE));
    opaque(1, RCP_OPAQUE_END, AT(RCP_REACH_NOT_BEFORE));
    uint64_t asks = opaque(1, RCP_OPAQUE_BEGIN, 0x80, 0x88);
    uint64_t told = opaque(1, RCP_OPAQUE_END, AT(RCP_REACH_NOT_AFTER));
    look(2);
    (void)asks;
    ACCEPT("22111");
    REFUSE("221111", told, "was recorded after it");
}
END_TEST

/* What is next has not come yet. */
START_TEST(p3_is_not_asked_of_a_race) {
    opaque(1, RCP_OPAQUE_BEGIN, AT(RCP_REACH_CLOCK));
    uint64_t mine = wr(1, 0x10, 1);
    opaque(1, RCP_OPAQUE_END, AT(RCP_REACH_CLOCK));
    look(2);
    uint64_t other = wr(2, 0x10, 2);
    ACCEPT_RACE("122", mine, other);
    REFUSE("1221", mine, "was recorded after it");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        p3_readings,   p3_a_sleep_is_no_shorter,    p3_a_sleep_that_begins_later,
        p3_two_sleeps, p3_not_before_and_not_after, p3_is_not_asked_of_a_race,
    };
    return RUN_TESTS("passing", tests);
}
