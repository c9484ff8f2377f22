/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

#include "trace/text/witness_text.h"

static rcp_witness witness;

static rcp_code parse(const char *text) {
    rcp_witness_init(&witness);
    return rcp_witness_parse("w.txt", text, strlen(text), &trace, &witness);
}

static void two_threads(void) {
    for (int i = 0; i < 3; i++) {
        wr(1, 0x10, 1);
        wr(2, 0x10, 1);
    }
    rcp_trace_index(&trace);
}

START_TEST(there_and_back) {
    two_threads();
    const char *text = "recipe witness 1\nrecorded to 1\nT1 to 1\nT2 to 2\nT1 to 2\nrace T1 2 T2 2\n";
    ck_assert_int_eq(parse(text), RCP_OK);
    ck_assert_uint_eq(witness.recorded, 1);
    ck_assert_uint_eq(witness.steps.len, 3);
    ck_assert_uint_eq(witness.steps.at[1].tid.v, 1);
    ck_assert_uint_eq(witness.steps.at[1].to, 2);
    ck_assert_uint_eq(witness.race[0].v, 4);
    ck_assert_uint_eq(witness.race[1].v, 5);
    rcp_text out = {0};
    rcp_witness_print(&out, &trace, &witness);
    ck_assert_str_eq(out.at, text);
    rcp_text_finish(&out);
    rcp_witness_finish(&witness);
}
END_TEST

START_TEST(no_race_and_comments) {
    two_threads();
    ck_assert_int_eq(parse("# made by hand\n\n  recipe\twitness 1 # yes\r\n T2 to 1#here\nT2 to 3"), RCP_OK);
    ck_assert_uint_eq(witness.steps.len, 1);
    ck_assert_uint_eq(witness.steps.at[0].to, 3);
    ck_assert_uint_eq(witness.race[0].v, RCP_NO_EID.v);
    rcp_text out = {0};
    rcp_witness_print(&out, &trace, &witness);
    ck_assert_str_eq(out.at, "recipe witness 1\nT2 to 3\n");
    rcp_text_finish(&out);
    rcp_witness_finish(&witness);
}
END_TEST

START_TEST(refused) {
    two_threads();
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "w.txt:1: a witness begins with the line 'recipe witness 1'"},
        {"T1 to 1\n", "w.txt:1: a witness begins"},
        {"recipe trace 1\n", "w.txt:1: a witness begins"},
        {"\nrecipe witness 2\n", "w.txt:2: this version reads witnesses of version 1, not '2'"},
        {"recipe witness 1\nT9 to 1\n",
         "w.txt:2: the name of a thread belongs here, as in the text form of the trace, not 'T9'"},
        {"recipe witness 1\nT1 to 4\n", "w.txt:2: position 4 of T1 is past its last event: it has 3 events"},
        {"recipe witness 1\nT1 to x\n", "w.txt:2: a position is a number, not 'x'"},
        {"recipe witness 1\nT1 to -1\n", "w.txt:2: a position is a number, not '-1'"},
        {"recipe witness 1\nT1 to 99999999999999999999\n", "w.txt:2: a position is a number"},
        {"recipe witness 1\nT1 to 2\nT2 to 1\nT1 to 1\n",
         "w.txt:4: T1 has executed 2 events already and can't go back to 1"},
        {"recipe witness 1\nT1 at 2\n", "w.txt:2: a line is 'recorded to 20', 'T1 to 3' or 'race T1 3 T2 5', not 'T1'"},
        {"recipe witness 1\nT1 to 1 2 3 4 5 6\n", "w.txt:2: a line is"},
        {"recipe witness 1\nT1 to 1\nrecorded to 2\n", "w.txt:3: 'recorded' is the first line of a schedule"},
        {"recipe witness 1\nrecorded to 99\n", "w.txt:2: the trace has only"},
        {"recipe witness 1\nrecorded to 1\nT1 to 0\n", "w.txt:3: T1 has executed 1 events already"},
        {"recipe witness 1\nrace T1 3 T2 0\n", "w.txt:2: position 3 of T1 is past its last event"},
        {"recipe witness 1\nrace T1 0 T3 0\n", "w.txt:2: T3 has no events"},
        {"recipe witness 1\nrace T1 0 T2 0\nT1 to 1\n", "w.txt:3: the race line is the last one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(parse(cases[i].text), RCP_BAD_INPUT);
        const char *cause = rcp_borrow_cause(0);
        ck_assert_msg(!strncmp(cause, cases[i].reason, strlen(cases[i].reason)), "'%s' is not '%s'", cause,
                      cases[i].reason);
        rcp_witness_finish(&witness);
    }
}
END_TEST

START_TEST(any_bytes) {
    two_threads();
    static const char text[] = "recipe witness 1\nT1\0 to 1\n";
    rcp_witness_init(&witness);
    ck_assert_int_eq(rcp_witness_parse("w", text, sizeof text - 1, &trace, &witness), RCP_BAD_INPUT);
    rcp_witness_finish(&witness);
    for (size_t n = 0; n < sizeof text; n++) {
        rcp_witness_init(&witness);
        (void)!rcp_witness_parse("w", text, n, &trace, &witness);
        rcp_witness_finish(&witness);
    }
}
END_TEST

START_TEST(steps_of_one_thread_merge) {
    rcp_witness_init(&witness);
    rcp_witness_run(&witness, (rcp_tid){0}, 1);
    rcp_witness_run(&witness, (rcp_tid){0}, 3);
    rcp_witness_run(&witness, (rcp_tid){0}, 2); /* has been there */
    rcp_witness_run(&witness, (rcp_tid){1}, 1);
    rcp_witness_run(&witness, (rcp_tid){0}, 4);
    ck_assert_uint_eq(witness.steps.len, 3);
    ck_assert_uint_eq(witness.steps.at[0].to, 3);
    rcp_witness_finish(&witness);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {there_and_back, no_race_and_comments, refused, any_bytes, steps_of_one_thread_merge};
    return RUN_TESTS("witness_text", tests);
}
