/* SPDX-License-Identifier: Apache-2.0 */
/* Equal terms have one id, wherever the table keeps them: beside an argument, in the list of reads, in the hash table.
 */
#include "trace/model/term.h"
#include "trace/model/term_table.h"

#include "suite.h"

enum { MANY = 5000 };

static rcp_terms terms;

static void setup(void) { rcp_terms_init(&terms); }
static void teardown(void) { rcp_terms_finish(&terms); }

static rcp_term read_of(uint64_t event, unsigned offset) { return rcp_term_read(&terms, (rcp_eid){event}, offset, 32); }
static rcp_term plus(rcp_term a, rcp_term b) { return rcp_term_make(&terms, RCP_OP_ADD, 0, a, b, RCP_TERM_CONST); }

/* Twice the same, and all of the first time different: `n` terms more. */
static void make_twice(rcp_term make(uint64_t i), size_t n) {
    size_t before = rcp_terms_count(&terms);
    uint32_t *ids = rcp_alloc(n * sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = make(i).v;
    ck_assert_uint_eq(rcp_terms_count(&terms) - before, n);
    for (size_t i = n; i-- > 0;)
        ck_assert_uint_eq(make(i).v, ids[i]);
    ck_assert_uint_eq(rcp_terms_count(&terms) - before, n);
    rcp_release(ids);
}

static rcp_term literal(uint64_t i) { return rcp_term_const(&terms, 64, i * 0x9e3779b97f4a7c15); }
START_TEST(literals) { make_twice(literal, MANY); }
END_TEST

static rcp_term ascending(uint64_t i) { return read_of(i / 3, (unsigned)(i % 3) * 4); }
static rcp_term descending(uint64_t i) { return read_of(2 * MANY - i, 0); }
static rcp_term scattered(uint64_t i) { return read_of(3 * MANY + i * 7919 % MANY, 8); }
START_TEST(reads_in_any_order) {
    make_twice(ascending, MANY);
    make_twice(descending, MANY / 2);
    make_twice(scattered, MANY);
}
END_TEST

/* A literal that is younger than all the reads that it is added to: their sums stand beside it. */
static rcp_term young;
static rcp_term sum(uint64_t i) { return plus(read_of(i, 0), young); }
START_TEST(one_argument_of_many) {
    for (uint64_t i = 0; i < MANY; i++)
        read_of(i, 0);
    young = rcp_term_const(&terms, 32, 77);
    make_twice(sum, MANY);
}
END_TEST

static rcp_term part(uint64_t i) { return rcp_term_extract(&terms, read_of(0, 0), (unsigned)i, 1); }
START_TEST(low_bits_are_no_arguments) {
    read_of(0, 0);
    make_twice(part, 32);
}
END_TEST

/* What a file has twice keeps both ids; who asks for it gets the first one. */
START_TEST(appended) {
    rcp_term_node node = {.op = RCP_OP_READ, .width = 32, .word = 5};
    rcp_term_node twice = {.op = RCP_OP_ADD, .width = 32, .a = RCP_TERM_FIRST, .b = RCP_TERM_FIRST + 1};
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(rcp_terms_append(&terms, node), RCP_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(rcp_terms_append(&terms, twice), RCP_OK);
    ck_assert_uint_eq(rcp_terms_count(&terms), 4);
    ck_assert_uint_eq(read_of(5, 0).v, RCP_TERM_FIRST);
    rcp_term found;
    ck_assert_int_eq(rcp_terms_intern(&terms, twice, &found), RCP_OK);
    ck_assert_uint_eq(found.v, RCP_TERM_FIRST + 2);
    ck_assert_uint_eq(rcp_terms_count(&terms), 4);
    node.word = 4; /* before the last one of the list */
    ck_assert_int_eq(rcp_terms_append(&terms, node), RCP_OK);
    ck_assert_uint_eq(read_of(4, 0).v, RCP_TERM_FIRST + 4);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, literals);
    tcase_add_test(tests, reads_in_any_order);
    tcase_add_test(tests, one_argument_of_many);
    tcase_add_test(tests, low_bits_are_no_arguments);
    tcase_add_test(tests, appended);
    return rcp_suite_run_case("term table", tests);
}
