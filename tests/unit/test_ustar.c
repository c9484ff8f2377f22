/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ustar.h"

#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* Put and read again: the same. */
static void survives(const rcp_ustar_member *member) {
    rcp_text block = {0};
    rcp_ustar_member again;
    bool ends;
    ck_assert(rcp_ustar_put(&block, member));
    ck_assert_uint_eq(block.len, RCP_USTAR_BLOCK);
    ck_assert(rcp_ustar_read((const uint8_t *)block.at, &again, &ends) && !ends);
    ck_assert_int_eq(again.kind, member->kind);
    ck_assert_str_eq(again.name, member->name);
    ck_assert_str_eq(again.target, member->target);
    ck_assert_uint_eq(again.size, member->size);
    ck_assert_int_eq(again.time, member->time);
    rcp_text_finish(&block);
}

/* "aaa…/bbb…": so many letters before the slash, and behind it. */
static rcp_ustar_member of_length(size_t before, size_t behind) {
    rcp_ustar_member member = {.kind = RCP_USTAR_FILE};
    memset(member.name, 'a', before);
    member.name[before] = '/';
    memset(member.name + before + 1, 'b', behind);
    return member;
}

START_TEST(members_survive) {
    survives(&(rcp_ustar_member){.kind = RCP_USTAR_FILE, .name = "d/a", .size = 1234567, .time = 1700000000});
    survives(&(rcp_ustar_member){.kind = RCP_USTAR_FILE, .name = "a", .size = UINT64_C(077777777777)});
    survives(&(rcp_ustar_member){.kind = RCP_USTAR_DIRECTORY, .name = "d"});
    survives(&(rcp_ustar_member){.kind = RCP_USTAR_LINK, .name = "d/l", .target = "../l"});
    survives(&(rcp_ustar_member){.kind = RCP_USTAR_FILE, .name = "new", .time = UINT64_C(077777777777)});
}
END_TEST

START_TEST(long_names_are_parted_at_a_slash) {
    const size_t room[][2] = {{1, 98}, {1, 99}, {99, 1}, {100, 1}, {155, 1}, {155, 100}, {56, 100}};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        rcp_ustar_member member = of_length(room[i][0], room[i][1]);
        survives(&member);
    }
}
END_TEST

START_TEST(what_has_no_room_is_refused) {
    rcp_text block = {0};
    const size_t none[][2] = {{156, 1}, {1, 101}, {155, 0}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        rcp_ustar_member member = of_length(none[i][0], none[i][1]);
        ck_assert(!rcp_ustar_put(&block, &member));
    }
    rcp_ustar_member large = {.kind = RCP_USTAR_FILE, .name = "a", .size = UINT64_C(0100000000000)};
    ck_assert(!rcp_ustar_put(&block, &large));
    ck_assert_uint_eq(block.len, 0);
}
END_TEST

START_TEST(files_are_whole_blocks) {
    const size_t sizes[] = {0, 1, 511, 512, 513};
    char bytes[513] = {1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rcp_text text = {0};
        rcp_ustar_member member;
        bool ends;
        ck_assert(rcp_ustar_put_file(&text, "a", 0, bytes, sizes[i]));
        ck_assert(rcp_ustar_read((const uint8_t *)text.at, &member, &ends));
        ck_assert_uint_eq(text.len, rcp_ustar_room(&member));
        ck_assert_uint_eq(text.len, RCP_USTAR_BLOCK + (sizes[i] + 511) / 512 * 512);
        rcp_text_finish(&text);
    }
}
END_TEST

START_TEST(no_bit_of_a_header_can_change) {
    const rcp_ustar_member member = {.kind = RCP_USTAR_FILE, .name = "d/a", .size = 7, .time = 1};
    rcp_text block = {0};
    rcp_ustar_member again;
    bool ends;
    ck_assert(rcp_ustar_put(&block, &member));
    for (size_t i = 0; i < RCP_USTAR_BLOCK * 8; i++) {
        block.at[i / 8] ^= (char)(1 << i % 8);
        if (i / 8 != 154 && i / 8 != 155) /* behind the sum's digits: nobody looks at these */
            ck_assert(!rcp_ustar_read((const uint8_t *)block.at, &again, &ends));
        block.at[i / 8] ^= (char)(1 << i % 8);
    }
    rcp_text_finish(&block);
}
END_TEST

START_TEST(zeros_end_it) {
    const uint8_t zeros[RCP_USTAR_BLOCK] = {0};
    rcp_ustar_member member;
    bool ends;
    ck_assert(rcp_ustar_read(zeros, &member, &ends) && ends);
}
END_TEST

int main(void) {
    return rcp_suite_run("ustar", members_survive, long_names_are_parted_at_a_slash, what_has_no_room_is_refused,
                         files_are_whole_blocks, no_bit_of_a_header_can_change, zeros_end_it, NULL);
}
