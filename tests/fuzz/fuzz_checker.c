/* SPDX-License-Identifier: Apache-2.0 */
/* Any trace in the text form, feasible or not: the well-formedness check and the witness checker come to an end without
 * a fault of their own, and a trace without a fault, and without a read where memory may be uninitialised, is
 * accepted as its own witness under 'same last writer'. */
#include "trace/check/checker.h"
#include "trace/text/text.h"
#include "trace/check/wellformed.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory is per byte: a few words can ask for gigabytes of it. */
static bool is_small(const rcp_trace *trace) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < trace->events.len; i++)
        bytes += trace->events.at[i].size;
    return bytes < 1 << 20;
}

static uint64_t count_faults(const rcp_trace *trace) {
    rcp_wellformed *check = rcp_wellformed_create(&trace->defs, &trace->terms);
    for (size_t i = 0; i < trace->events.len; i++)
        RCP_CHECK(rcp_wellformed_add(check, (rcp_eid){i}, &trace->events.at[i]) == RCP_OK);
    uint64_t faults = rcp_wellformed_finish(check);
    rcp_wellformed_destroy(check);
    return faults;
}

/* Does a read cover a byte that was freed, or allocated and not zeroed, before? Whether it was written since is not
 * looked at. */
static bool may_read_uninitialised(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++)
        for (size_t j = 0; j < i; j++) {
            const rcp_event *read = &trace->events.at[i], *block = &trace->events.at[j];
            bool begins = block->kind == RCP_FREE || (block->kind == RCP_ALLOC && block->outcome != RCP_ZEROED);
            if (begins && rcp_event_reads(read) && read->addr < block->addr + block->value &&
                block->addr < read->addr + read->size)
                return true;
        }
    return false;
}

/* The observed order; or, `reversed`, the threads one after another, the last one first. */
static void check(const rcp_checker *checker, const rcp_trace *trace, bool reversed, rcp_check_options options,
                  bool must_hold) {
    rcp_witness witness;
    rcp_check_verdict verdict;
    rcp_witness_init(&witness);
    for (size_t i = 0; i < trace->events.len && !reversed; i++)
        rcp_witness_run(&witness, trace->events.at[i].tid, trace->position[i] + 1);
    for (size_t t = trace->defs.threads.len; t-- && reversed;)
        rcp_witness_run(&witness, (rcp_tid){(uint32_t)t},
                        (rcp_position)rcp_trace_thread_len(trace, (rcp_tid){(uint32_t)t}));
    if (rcp_checker_run(checker, &witness, options, &verdict) != RCP_OK)
        abort();
    if (must_hold && !verdict.accepted)
        abort();
    rcp_witness_finish(&witness);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    rcp_trace trace;
    rcp_trace_init(&trace);
    if (rcp_text_parse("input", (const char *)data, size, &trace) == RCP_OK && is_small(&trace)) {
        rcp_checker *checker;
        bool good = !count_faults(&trace) && !may_read_uninitialised(&trace);
        rcp_trace_index(&trace);
        if (rcp_checker_create(&trace, &checker) != RCP_OK)
            abort();
        for (int choice = 0; choice < 12; choice++) {
            rcp_check_options options = {.values = (rcp_value_rule)(choice % 3), .spurious_wakeups = choice / 3 % 2};
            check(checker, &trace, choice >= 6, options,
                  good && options.values == RCP_VALUES_LAST_WRITER && choice < 6);
        }
        rcp_checker_destroy(checker);
    }
    rcp_clear_causes();
    rcp_trace_finish(&trace);
    return 0;
}
