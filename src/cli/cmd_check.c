/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace check: is the trace an execution, and is a schedule of it feasible? */
#include "cli/command.h"
#include "cli/output.h"
#include "cli/listener.h"
#include "program/concrete/judge.h"
#include "program/recording/recording.h"
#include "trace/check/checker.h"
#include "trace/check/refusals.h"
#include "trace/store/reader.h"
#include "trace/check/wellformed.h"
#include "trace/text/witness_text.h"

#include <inttypes.h>
#include <string.h>

enum { WITNESS, VALUES, SPURIOUS, VERBOSE };

static const rcp_option options[] = {
    [WITNESS] = {"witness", 0, "FILE", RCP_OPTION_PATH, "check this schedule instead of the trace",
                 "The text form of a witness: 'recipe witness 1', lines such as 'T2 to 5', and 'race T1 3 T2 5'."},
    [VALUES] =
        {"values", 0, "last-writer|same|relaxed|code", RCP_OPTION_CHOICE, "what the reads of the schedule must keep",
         "last-writer: reads that a branch or an address depends on keep their last writer. same: every "
         "read takes its recorded value. relaxed: every branch and address keeps its value. code, of a recorded run "
         "and "
         "a schedule that ends in a race: the program's code is run along it instead; locks and the like are not "
         "looked at then.",
         .usual = "same"},
    [SPURIOUS] = {"spurious-wakeups", 0, NULL, RCP_OPTION_FLAG, "let waits end without a signal", NULL},
    [VERBOSE] = RCP_VERBOSE_OPTION,
};

static void place(rcp_text *to, const rcp_defs *defs, rcp_eid eid, rcp_tid tid, rcp_loc loc) {
    const char *name = rcp_defs_borrow_string(defs, defs->threads.at[tid.v].name);
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_text_printf(to, "event %" PRIu64 " of thread ", eid.v);
    if (*name)
        rcp_text_puts(to, name);
    else
        rcp_text_printf(to, "T%u", tid.v); /* as the text form calls it */
    if (!loc.v)
        return;
    rcp_text_printf(to, " (%s", rcp_defs_borrow_string(defs, at->file));
    if (at->line)
        rcp_text_printf(to, ":%u", at->line);
    if (at->line && at->column)
        rcp_text_printf(to, ":%u", at->column);
    rcp_text_puts(to, ")");
}

/* The recorded order by the checker's rules. What they refuse makes no trace ill-formed: it happened. */
static rcp_code say_refusals(const char *directory, rcp_text *to) {
    rcp_trace trace;
    rcp_checker *checker = NULL;
    rcp_refusals refusals = {0};
    rcp_trace_init(&trace);
    rcp_code code = rcp_trace_load(&trace, directory);
    if (code == RCP_OK)
        code = rcp_checker_create(&trace, &checker);
    if (code == RCP_LIMIT) { /* too long for the checker */
        rcp_clear_causes();
        code = RCP_OK;
    } else if (code == RCP_OK)
        code = rcp_refusals_find(&refusals, &trace, checker);
    for (size_t i = 0; code == RCP_OK && i < refusals.n; i++) {
        const rcp_event *event = &trace.events.at[refusals.at[i].at.v];
        rcp_text_printf(to, "%s: the rules refuse the recorded order itself: ", directory);
        place(to, &trace.defs, refusals.at[i].at, event->tid, event->loc);
        rcp_text_puts(to, ": ");
        rcp_refusal_words(to, &refusals.at[i]);
        rcp_text_puts(to, "\n");
    }
    rcp_checker_destroy(checker);
    rcp_trace_finish(&trace);
    return code;
}

static rcp_exit check_trace(const char *directory) {
    rcp_reader *reader;
    rcp_code code = rcp_reader_open(directory, &reader);
    if (code != RCP_OK)
        return rcp_give_up(code);
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    rcp_wellformed *check = rcp_wellformed_create(defs, rcp_reader_borrow_terms(reader));
    bool whole = !rcp_reader_borrow_loss(reader); /* a file that was cut off can be read, but it is not well-formed */
    if (!whole)
        rcp_say("%s", rcp_reader_borrow_loss(reader));
    rcp_exit outcome;
    uint64_t all;
    code = rcp_wellformed_read(check, reader, &all);
    if (code != RCP_OK) {
        outcome = rcp_give_up(code);
    } else {
        uint64_t found = rcp_wellformed_finish(check);
        rcp_text text = {0};
        uint64_t shown = 0;
        for (const rcp_fault *f; (f = rcp_wellformed_borrow(check, shown)); shown++) {
            rcp_text_printf(&text, "%s: ", directory);
            place(&text, defs, f->eid, f->tid, f->loc);
            rcp_text_printf(&text, ": %s\n", f->reason);
        }
        if (found > shown)
            rcp_text_printf(&text, "%s: and %" PRIu64 " more\n", directory, found - shown);
        if (!found)
            rcp_text_printf(&text, "%s: well-formed%s, %" PRIu64 " event%s\n", directory,
                            whole ? "" : " as far as it goes", rcp_reader_count(reader),
                            rcp_reader_count(reader) == 1 ? "" : "s");
        code = found || !whole ? RCP_OK : say_refusals(directory, &text);
        if (code == RCP_OK)
            code = rcp_output_all(NULL, &text);
        outcome = code != RCP_OK ? rcp_give_up(code) : found || !whole ? RCP_EXIT_BAD_INPUT : RCP_EXIT_CLEAN;
        rcp_text_finish(&text);
    }
    rcp_wellformed_destroy(check);
    rcp_reader_close(reader);
    return outcome;
}

/* By running the code. */
static rcp_code run_code(const char *directory, const rcp_trace *trace, const rcp_witness *witness,
                         rcp_check_verdict *verdict) {
    rcp_judge *judge = NULL;
    rcp_judgement judgement;
    if (!rcp_recording_is_there(directory))
        return rcp_fail(RCP_BAD_INPUT, "%s: is no recorded run: there is no code to run", directory);
    if (witness->race[0].v == RCP_NO_EID.v)
        return rcp_fail(RCP_BAD_INPUT, "the schedule ends without a race: code is run along those that have one");
    /* does it name only what exists? */
    rcp_checker *checker;
    RCP_TRY(rcp_checker_create(trace, &checker));
    rcp_code code = rcp_checker_run(checker, witness, (rcp_check_options){.values = RCP_VALUES_SAME}, verdict);
    if (code == RCP_OK)
        code = rcp_judge_create(directory, &judge);
    if (code == RCP_OK)
        code = rcp_judge_ask(judge, rcp_checker_borrow_observed(checker), witness, &judgement);
    rcp_judge_destroy(judge);
    rcp_checker_destroy(checker);
    RCP_TRY(code);
    rcp_judgement_finish(&judgement);
    if (judgement.verdict == RCP_JUDGED_NOT)
        return rcp_fail(RCP_BAD_INPUT, "the code can't be run along the schedule: %s", judgement.why);
    *verdict = (rcp_check_verdict){.accepted = judgement.verdict == RCP_JUDGED_FEASIBLE, .at = RCP_NO_EID};
    snprintf(verdict->reason, sizeof verdict->reason, "%.*s", (int)sizeof verdict->reason - 1, judgement.why);
    return RCP_OK;
}

static rcp_code judge(const char *directory, const char *file, const rcp_check_options *how, rcp_text *said,
                      bool *accepted) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_witness witness;
    rcp_check_verdict verdict;
    rcp_trace_init(&trace);
    rcp_witness_init(&witness);
    rcp_code code = rcp_trace_load(&trace, directory);
    if (code == RCP_OK)
        code = rcp_text_read_file(&text, file);
    if (code == RCP_OK)
        code = rcp_witness_parse(file, text.at, text.len, &trace, &witness);
    if (code == RCP_OK)
        code =
            how ? rcp_check_witness(&trace, &witness, *how, &verdict) : run_code(directory, &trace, &witness, &verdict);
    if (code == RCP_OK) {
        *accepted = verdict.accepted;
        rcp_text_printf(said, "%s: %s", file, verdict.accepted ? "accepted" : "refused: ");
        if (!verdict.accepted && verdict.at.v != RCP_NO_EID.v) {
            const rcp_event *event = &trace.events.at[verdict.at.v];
            place(said, &trace.defs, verdict.at, event->tid, event->loc);
            rcp_text_puts(said, ": ");
        }
        rcp_text_printf(said, "%s\n", verdict.accepted ? "" : verdict.reason);
    }
    rcp_witness_finish(&witness);
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
    return code;
}

static rcp_exit check_witness(const rcp_arguments *arguments) {
    const char *values = arguments->word[VALUES];
    rcp_check_options how = {.values = !strcmp(values, "same")      ? RCP_VALUES_SAME
                                       : !strcmp(values, "relaxed") ? RCP_VALUES_RELAXED
                                                                    : RCP_VALUES_LAST_WRITER,
                             .spurious_wakeups = arguments->option[SPURIOUS] != NULL};
    rcp_text said = {0};
    bool accepted = false;
    bool by_code = !strcmp(values, "code");
    rcp_code code = judge(arguments->operand[0], arguments->option[WITNESS], by_code ? NULL : &how, &said, &accepted);
    if (code == RCP_OK)
        code = rcp_output_all(NULL, &said);
    rcp_text_finish(&said);
    return code != RCP_OK ? rcp_give_up(code) : accepted ? RCP_EXIT_CLEAN : RCP_EXIT_RACES;
}

static rcp_exit run(const rcp_arguments *arguments) {
    if (!arguments->option[WITNESS] && (arguments->option[VALUES] || arguments->option[SPURIOUS]))
        return rcp_usage(&rcp_cmd_trace_check, "--values and --spurious-wakeups go with --witness");
    rcp_code code = rcp_listener_prepare(arguments->operand[0], arguments->option[VERBOSE]);
    if (code != RCP_OK)
        return rcp_give_up(code);
    return arguments->option[WITNESS] ? check_witness(arguments) : check_trace(arguments->operand[0]);
}

const rcp_command rcp_cmd_trace_check = {
    .name = "trace check",
    .operands = "DIR",
    .summary = "Checks that a trace is an execution, or that a schedule of it is feasible.",
    .about =
        "Without --witness: locks, forks and joins, the lives of memory and objects, the value of every read against "
        "the "
        "last write, every term against what was recorded (docs/semantics.md). Exit codes: 0 well-formed, 3 not; a "
        "file "
        "that was cut off is not. Where the rules for schedules refuse the recorded order itself, that is said: what "
        "comes after that event can't be shown.\n\n"
        "With --witness: is the schedule in FILE a feasible execution, and do the two accesses race at its end? Exit "
        "codes: 0 accepted, 1 refused, with the reason.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
