/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace stat: how much of what is in a trace. */
#include "cli/command.h"
#include "cli/output.h"
#include "trace/reader.h"
#include "trace/stat.h"

static rcp_code count(rcp_reader *reader, rcp_stat *stat) {
    rcp_batch batch;
    for (;;) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        if (!batch.n)
            return RCP_OK;
        for (size_t i = 0; i < batch.n; i++)
            rcp_stat_add(stat, &batch.at[i]);
    }
}

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_reader *reader;
    rcp_code code = rcp_reader_open(arguments->operand[0], &reader);
    if (code != RCP_OK)
        return rcp_give_up(code);
    if (rcp_reader_borrow_loss(reader))
        rcp_say("%s", rcp_reader_borrow_loss(reader));
    rcp_stat *stat = rcp_stat_create(rcp_reader_borrow_defs(reader));
    code = count(reader, stat);
    if (code == RCP_OK) {
        rcp_text text = {0};
        rcp_stat_print(&text, rcp_stat_borrow_counts(stat));
        code = rcp_output_all(NULL, &text);
        rcp_text_finish(&text);
    }
    rcp_stat_destroy(stat);
    rcp_reader_close(reader);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_stat = {
    .name = "trace stat",
    .operands = "DIR",
    .summary = "Counts what is in a trace.",
    .about =
        "The first two lines are a table: threads, events (length), acquires and releases (lk-evs), waits and signals "
        "(wn-evs), accessed locations (rw), locks (lk), condition variables (wn). Below it events by kind, and the "
        "locations that several threads touch.",
    .least = 1,
    .most = 1,
    .run = run,
};
