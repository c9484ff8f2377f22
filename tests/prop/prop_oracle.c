/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle itself, on traces small enough to be judged by hand: which pairs race under which rule. The flags of the
 * other property tests are taken and make no difference: nothing here is random. */
#include "prop/args.h"
#include "prop/oracle.h"
#include "trace/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                           \
    "recipe trace 1\nthread T1\nthread T2\nthread T3\nvar x 0x1000 4\nvar y 0x1008 4\nvar h 0x2000 8\n"                \
    "mutex m\nmutex n\nrecursive q\nrwlock l\ncond c\nsem s = 0\nbarrier b = 2\nonce o\nreach D1 0x1000-0x1004\n"      \
    "reach O 0x1000000000100-0x1000000000101\nreach I 0x2000000000100-0x2000000000101\n"

typedef struct test_case {
    const char *name;
    const char *events;
    const char *races[3]; /* 'a-b c-d': all racing pairs, by number of event, a < b; under V1, V2, V3 */
    const char *spurious; /* under V2 with spurious wake-ups, where that differs; else NULL */
} test_case;

#define SAME(pairs) {pairs, pairs, pairs}
#define NONE        SAME("")

static const test_case cases[] = {
    {"two writes", "T1 w x = 1\nT2 w x = 2\n", SAME("0-1")},
    {"two reads", "T1 r x = 1\nT2 r x = 1\n", NONE},
    {"bytes side by side", "T1 w x:2 = 1\nT2 w x+2:2 = 2\n", NONE},
    {"bytes that overlap", "T1 w x:3 = 1\nT2 w x+2:2 = 2\n", SAME("0-1")},
    {"both atomic", "T1 w x = 1 release\nT2 r x = 1 acquire\n", NONE},
    {"one atomic", "T1 w x = 1 release\nT2 r x = 1\n", SAME("0-1")},
    {"T1", "T1 w x = 1\nT1 fork T2\nT1 w x = 2\nT2 w x = 3\n", SAME("2-3")},
    {"T2", "T1 fork T2\nT2 w x = 1\nT1 join T2\nT1 w x = 2\n", NONE},
    {"T3", "T1 fork T2\nT1 join T2 failed\nT1 w x = 1\nT2 w x = 2\nT2 end\n", SAME("2-3")},
    {"T4", "T1 w x = 1\nT2 w x = 2\nT2 exit\n", SAME("0-1")},
    {"L1", "T1 acq m\nT1 w x = 1\nT1 rel m\nT2 acq m\nT2 w x = 2\nT2 rel m\n", NONE},
    {"L1, different locks", "T1 acq m\nT1 w x = 1\nT1 rel m\nT2 acq n\nT2 w x = 2\nT2 rel n\n", SAME("1-4")},
    {"L1, recursive", "T1 acq q\nT1 acq q\nT1 rel q\nT1 w x = 1\nT1 rel q\nT2 acq q\nT2 w x = 2\nT2 rel q\n", NONE},
    {"L2, two readers", "T1 acq l shared\nT1 w x = 1\nT1 rel l shared\nT2 acq l shared\nT2 w x = 2\nT2 rel l shared\n",
     SAME("1-4")},
    {"L2, reader and writer", "T1 acq l\nT1 w x = 1\nT1 rel l\nT2 acq l shared\nT2 w x = 2\nT2 rel l shared\n", NONE},
    {"L3 orders", "T1 w x = 1\nT1 acq m\nT2 acq m failed\nT2 w x = 2\n", NONE},
    {"L3, nobody is ordered after it", "T1 acq m\nT2 acq m failed\nT2 w x = 1\nT1 rel m\nT1 w x = 2\n", SAME("2-4")},
    {"L4", "T1 w x = 1\nT1 acq l\nT2 acq l shared failed\nT2 w x = 2\n", NONE},
    {"C4, C6",
     "T1 acq m\nT1 wait c m\nT2 w x = 1\nT2 acq m\nT2 signal c\nT2 rel m\nT1 wake c m\nT1 rel m\nT1 w x = 2\n", NONE,
     "2-8"},
    {"C2, a lost signal serves nobody",
     "T2 acq m\nT2 signal c\nT2 rel m\nT1 acq m\nT1 wait c m\nT3 w x = 1\nT3 acq m\nT3 signal c\nT3 rel m\n"
     "T1 wake c m\nT1 rel m\nT1 w x = 2\n",
     SAME("5-11")}, /* T2's signal may come after the wait, too */
    {"C5", "T1 acq m\nT1 wait c m\nT2 w x = 1\nT2 signal c\nT1 wake c m timeout\nT1 rel m\nT1 w x = 2\n", SAME("2-6")},
    {"C5, no signal chooses it",
     "T1 acq m\nT1 wait c m\nT2 acq m\nT2 wait c m\nT3 w x = 1\nT3 signal c\nT2 wake c m\nT2 rel m\nT2 w x = 2\n"
     "T1 wake c m timeout\n",
     NONE, "4-8"},
    {"S2", "T1 w x = 1\nT1 post s\nT2 down s\nT2 w x = 2\n", NONE},
    {"S2, either post will do", "T1 w x = 1\nT1 post s\nT3 post s\nT2 down s\nT2 w x = 2\n", SAME("0-4")},
    {"S3", "T1 post s\nT1 down s\nT1 w x = 1\nT2 down s failed\nT2 w x = 2\n", SAME("2-4")},
    {"B2", "T1 w x = 1\nT1 enter b\nT2 enter b\nT2 leave b serial\nT1 leave b\nT2 w x = 2\n", NONE},
    {"B2, others fill it", /* T1 may wait for its own generation's other member alone */
     "T1 w x = 1\nT1 enter b\nT2 enter b\nT1 leave b serial\nT2 leave b\nT2 w x = 2\nT1 w x = 3\n", SAME("5-6")},
    {"O3", "T1 once-begin o\nT1 w x = 1\nT1 once-end o\nT2 once-skip o\nT2 w x = 2\n", NONE},
    {"J1", "T1 w x = 1\nT1 init m\nT2 acq m\nT2 rel m\nT2 w x = 2\n", NONE},
    {"J2: what would come after the DESTROY is not executed",
     "T1 acq m\nT1 rel m\nT1 w x = 1\nT1 acq m\nT1 rel m\nT2 destroy m\nT2 w x = 2\n", SAME("2-6")},
    {"J3, locks", "T1 acq m\nT1 w x = 1\nT1 rel m\nT2 destroy m\nT2 w x = 2\n", NONE},
    {"J3, conditions", "T1 acq m\nT1 wait c m\nT2 w x = 1\nT2 signal c\nT3 destroy c\nT3 w x = 2\n", SAME("2-5")},
    {"M1, free", "T1 w h = 1\nT2 free h\n", SAME("0-1")},
    {"M1, use after free", "T1 free h\nT2 r h = 1\n", SAME("0-1")},
    {"M1, reuse of an address", "T1 w h = 1\nT1 free h\nT2 alloc h\nT2 w h = 2\n", NONE},
    {"P1, P2", "T1 w x = 1\nT1 opaque-begin reaches D1\nT2 opaque-begin reaches D1\nT2 w x = 2\n", NONE},
    {"P1, in before out",
     "T1 w x = 1\nT1 opaque-begin reaches I\nT1 opaque-end reaches I\nT2 opaque-begin reaches O\nT2 w x = 2\n",
     SAME("0-4")},
    {"P1, out before in",
     "T1 w x = 1\nT1 opaque-begin reaches O\nT1 opaque-end reaches O\nT2 opaque-begin reaches I\nT2 w x = 2\n", NONE},
    {"V1: a read that decides nothing",
     "T1 acq m\nT1 r x = 0\nT1 w y = 1\nT1 rel m\nT2 acq m\nT2 w x = 1\nT2 rel m\nT2 r y = 1\n",
     {"2-7", "", "2-7"}},
    {"V1: one that does",
     "T1 acq m\nT1 r x = 0\nT1 br 1 if all\nT1 w y = 1\nT1 rel m\nT2 acq m\nT2 w x = 1\nT2 rel m\nT2 r y = 1\n", NONE},
    {"V1: by the value of a write that a branch sees", /* T3's branch sees y, which came from x */
     "T1 acq m\nT1 w x = 1\nT1 rel m\nT1 w h:1 = 1\n"
     "T2 acq m\ne5: T2 r x = 1\nT2 w y = 1 <- $e5\nT2 rel m\n"
     "T3 acq m\nT3 r y = 1\nT3 br 1 if all\nT3 rel m\nT3 w h:1 = 2\n",
     {"3-12", "3-12", "3-12"}},
    {"V1, V3: an address",
     "T1 acq m\nT1 w x = 1\nT1 rel m\nT1 w h:1 = 1\n"
     "T2 acq m\nT2 r x = 1\nT2 rel m\nT2 w h:1 = 2 at all\n",
     SAME("3-7")},
    {"V1, V3: an address before the write",
     "T1 w h:1 = 1\nT1 acq m\nT1 w x = 1\nT1 rel m\n"
     "T2 acq m\nT2 r x = 1\nT2 rel m\nT2 w h:1 = 2 at all\n",
     NONE},
    {"V3: another value takes the same branch",
     "T1 acq m\nT1 w y = 3\nT1 rel m\nT1 w x = 1\nT1 acq m\nT1 w y = 5\nT1 rel m\n"
     "T2 acq m\ne8: T2 r y = 5\nT2 rel m\nT2 br 1 if (ult 2:32 $e8)\nT2 r x = 1\n",
     {"", "", "3-11"}},
    {"V2: another writer of the same value",
     "T1 acq m\nT1 w y = 5\nT1 rel m\nT1 w x = 1\nT1 acq m\nT1 w y = 5\nT1 rel m\n"
     "T2 acq m\ne8: T2 r y = 5\nT2 rel m\nT2 br 1 if (ult 2:32 $e8)\nT2 r x = 1\n",
     {"", "3-11", "3-11"}},
    {"V3: through a written value", /* y = x + 1 stays 2 or becomes 1; both are above 0 */
     "T1 w h:1 = 1\nT1 acq m\nT1 w x = 1\nT1 rel m\n"
     "T2 acq m\ne5: T2 r x = 1\nT2 w y = 2 <- (add $e5 1:32)\ne7: T2 r y = 2\nT2 br 1 if (ult 0:32 $e7)\nT2 rel m\n"
     "T2 w h:1 = 2\nvar g 0x1000 4 = 0\n",
     {"", "", "0-10"}},
    {"V: uninitialised memory decides nothing", "T1 alloc h\nT1 r h:1 = 0\nT1 br 1 if all\nT1 w x = 1\nT2 w x = 2\n",
     SAME("")},
    {"V: nothing depends on uninitialised memory",
     "T1 alloc h\nT1 r h:1 = 0\nT1 br 1\nT1 w x = 1\nT2 w x = 2\n",
     {"3-4", "", "3-4"}},
    {"V: zeroed memory may", "T1 alloc h zeroed\nT1 r h:1 = 0\nT1 br 1 if all\nT1 w x = 1\nT2 w x = 2\n", SAME("3-4")},
};

static bool judge(const test_case *test, const rcp_trace *trace, rcp_value_rule values, bool spurious,
                  const char *wanted) {
    rcp_oracle *oracle = rcp_oracle_create(trace, values, spurious);
    bool right = rcp_oracle_explore(oracle, 1000000);
    rcp_text found = {0};
    rcp_text_puts(&found, "");
    for (uint64_t a = 0; a < trace->events.len; a++)
        for (uint64_t b = a + 1; b < trace->events.len; b++) {
            if (!rcp_oracle_races(oracle, (rcp_eid){a}, (rcp_eid){b}))
                continue;
            rcp_text_printf(&found, "%s%" PRIu64 "-%" PRIu64, found.len ? " " : "", a, b);
            rcp_witness witness;
            rcp_witness_init(&witness);
            rcp_oracle_witness(oracle, (rcp_eid){a}, (rcp_eid){b}, &witness);
            if (!rcp_oracle_feasible(oracle, &witness)) {
                printf("%s: the witness of %" PRIu64 "-%" PRIu64 " is not feasible\n", test->name, a, b);
                right = false;
            }
            rcp_witness_finish(&witness);
        }
    const char *got = found.len ? found.at : "";
    if (strcmp(got, wanted)) {
        printf("%s, V%d%s: wanted '%s', found '%s'\n", test->name, values + 1, spurious ? ", spurious" : "", wanted,
               got);
        right = false;
    }
    rcp_text_finish(&found);
    rcp_oracle_destroy(oracle);
    return right;
}

int main(int argc, char **argv) {
    rcp_args_parse(argc, argv, 0);
    bool right = true;
    size_t n = sizeof cases / sizeof *cases;
    for (size_t i = 0; i < n; i++) {
        const test_case *test = &cases[i];
        rcp_text text = {0};
        rcp_text_puts(&text, HEAD);
        rcp_text_puts(&text, test->events);
        rcp_trace trace;
        rcp_trace_init(&trace);
        if (rcp_text_parse(test->name, text.at, text.len, &trace) != RCP_OK) {
            rcp_print_causes(stdout);
            right = false;
        } else {
            rcp_trace_index(&trace);
            for (int v = 0; v < 3; v++)
                right &= judge(test, &trace, (rcp_value_rule)v, false, test->races[v]);
            right &= judge(test, &trace, RCP_VALUES_SAME, true, test->spurious ? test->spurious : test->races[1]);
        }
        rcp_trace_finish(&trace);
        rcp_text_finish(&text);
    }
    printf("%zu cases: %s\n", n, right ? "ok" : "failed");
    return !right;
}
