/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace stat: how much of what is in a trace. */
#include "cli/command.h"
#include "cli/output.h"
#include "cli/listener.h"
#include "program/recording/recording.h"
#include "program/recording/run_json.h"
#include "trace/store/reader.h"
#include "trace/model/stat.h"
#include "trace/store/store.h"

enum { VERBOSE };

static const rcp_option options[] = {
    [VERBOSE] = RCP_VERBOSE_OPTION,
};

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

/* What run.json says, as it stands there, but for what the log says better and what is long. */
static void add_run(rcp_text *to, const rcp_json *run) {
    static const char *const wanted[] = {"program", "command", "directory", "policy",  "schedule",
                                         "seed",    "quantum", "depth",     "started", "ended"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const rcp_json *value = rcp_json_member(run, wanted[i]);
        if (value)
            rcp_text_printf(to, "%-32s %.*s\n", wanted[i], (int)value->raw_len, value->raw);
    }
}

/* Those of the log and of the compiler. */
static void add_notes(rcp_text *to, const rcp_json *notes) {
    for (const rcp_json *note = notes ? notes->first : NULL; note; note = note->next)
        if (rcp_json_string(note))
            rcp_text_printf(to, "note: %s\n", rcp_json_string(note));
}

/* A recorded run: what run.json and the log say. */
static rcp_code count_recording(const char *directory) {
    rcp_recording recording;
    rcp_run_json run = {0};
    rcp_text text = {0};
    rcp_code code = rcp_recording_read(directory, &recording);
    if (code == RCP_OK)
        code = rcp_run_json_read(directory, &run);
    if (code == RCP_OK) {
        rcp_text_puts(&text, "\n");
        add_run(&text, run.all);
        rcp_recording_print(&text, &recording);
        if (run.all)
            add_notes(&text, rcp_json_member(run.all, "notes"));
        else /* the directories of further processes have none */
            rcp_recording_print_notes(&text, &recording);
        code = rcp_output_all(NULL, &text);
    }
    rcp_recording_finish(&recording);
    rcp_run_json_finish(&run);
    rcp_text_finish(&text);
    return code;
}

/* The events, by kind and place. */
static rcp_code count_events(const char *directory) {
    rcp_reader *reader;
    RCP_TRY(rcp_reader_open(directory, &reader));
    if (rcp_reader_borrow_loss(reader))
        rcp_say("%s", rcp_reader_borrow_loss(reader));
    rcp_stat *stat = rcp_stat_create(rcp_reader_borrow_defs(reader));
    rcp_code code = count(reader, stat);
    if (code == RCP_OK) {
        rcp_text text = {0};
        rcp_stat_print(&text, rcp_stat_borrow_counts(stat));
        code = rcp_output_all(NULL, &text);
        rcp_text_finish(&text);
    }
    rcp_stat_destroy(stat);
    rcp_reader_close(reader);
    return code;
}

static rcp_exit run(const rcp_arguments *arguments) {
    const char *directory = arguments->operand[0];
    rcp_code code = rcp_listener_prepare(directory, arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = count_events(directory);
    if (code == RCP_OK && rcp_recording_is_there(directory))
        code = count_recording(directory);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_stat = {
    .name = "trace stat",
    .operands = "DIR",
    .summary = "Counts what is in a trace.",
    .about =
        "The first two lines are a table: threads, events (length), acquires and releases (lk-evs), waits and signals "
        "(wn-evs), accessed locations (rw), locks (lk), condition variables (wn). Below it events by kind, and the "
        "locations that several threads touch.\n\nOf a recorded run then follows how it was run, and what its log "
        "counts.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
