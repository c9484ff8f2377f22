/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace reexecute: a recorded run once more, from its log. */
#include "cli/command.h"
#include "cli/output.h"
#include "program/machine/reexecute.h"

#include <inttypes.h>

enum { STATS, MEMORY };

static const rcp_option options[] = {
    [STATS] = {"stats", 0, NULL, RCP_OPTION_FLAG, "also count instructions and events by kind",
               "The run is executed a second time to count, so that the time is that of the first."},
    [MEMORY] = {"memory", 0, "VARIABLE", RCP_OPTION_TEXT,
                "print what a global variable held in the end, and nothing else",
                "Its bytes go to standard output as they are."},
};

static void print_counts(rcp_text *to, const rcp_reexecution *r, double seconds) {
    rcp_text_printf(to,
                    "loads         %" PRIu64 "\nstores        %" PRIu64 "\natomics       %" PRIu64
                    "\nfences        %" PRIu64 "\nbranches      %" PRIu64 "\nticks         %" PRIu64
                    "\ncopies        %" PRIu64 "\nfills         %" PRIu64 "\ncalls         %" PRIu64 "\n",
                    r->loads, r->stores, r->atomics, r->fences, r->branches, r->ticks, r->copies, r->fills, r->calls);
    rcp_text_printf(to, "instructions  %" PRIu64 " (%.0f M/s)\n", r->instructions,
                    seconds > 0 ? (double)r->instructions / seconds / 1e6 : 0);
}

static rcp_exit print_memory(const char *dir, const char *variable) {
    rcp_text bytes = {0};
    rcp_code code = rcp_reexecute_memory(dir, variable, &bytes);
    if (code == RCP_OK)
        code = rcp_output_all(NULL, &bytes);
    rcp_text_finish(&bytes);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

static rcp_exit run(const rcp_arguments *arguments) {
    if (arguments->option[MEMORY])
        return print_memory(arguments->operand[0], arguments->option[MEMORY]);
    rcp_reexecution result, counted;
    rcp_code code = rcp_reexecute(arguments->operand[0], false, &result);
    if (code == RCP_OK && arguments->option[STATS])
        code = rcp_reexecute(arguments->operand[0], true, &counted);
    if (code != RCP_OK)
        return rcp_give_up(code);
    rcp_text text = {0};
    rcp_text_printf(&text,
                    "threads       %" PRIu64 "\nevents        %" PRIu64 "\nswitches      %" PRIu64
                    "\ncalls outside %" PRIu64 "\ncallbacks     %" PRIu64 "\nlog bytes     %" PRIu64 " of %" PRIu64
                    "\nseconds       %.3f\n",
                    result.threads, result.events, result.switches, result.outside, result.callbacks, result.log_bytes,
                    result.log_length, result.seconds);
    if (arguments->option[STATS])
        print_counts(&text, &counted, result.seconds);
    if (result.has_values)
        rcp_text_printf(&text, "compared      %" PRIu64 " logged values\n", result.compared);
    rcp_text_puts(&text, "mismatches    0\n");
    code = rcp_output_all(NULL, &text);
    rcp_text_finish(&text);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_reexecute = {
    .name = "trace reexecute",
    .operands = "DIR",
    .summary = "Executes a recorded run again from its log, and checks it.",
    .about =
        "DIR is what 'recipe record' left. Every thread's code is interpreted in the recorded order; what came from "
        "outside is taken from the log. Where the run was recorded with --log-values, each event's kind, address and "
        "value is compared. The first mismatch is an error that says where it is.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
