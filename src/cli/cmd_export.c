/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace export: a trace in a text form that other tools read. */
#include "cli/command.h"
#include "cli/formats.h"
#include "cli/output.h"
#include "cli/listener.h"
#include "trace/store/reader.h"

enum { FORMAT, OUTPUT, VERBOSE };

static const rcp_option options[] = {
    [FORMAT] = {"format", 0, RCP_FORMATS, RCP_OPTION_CHOICE, "the form to write",
                "text holds everything. std and valued hold less: what they can't is left out, counted and said.",
                .usual = "text"},
    [OUTPUT] = {"output", 'o', "FILE", RCP_OPTION_PATH, "write to FILE instead of standard output",
                "FILE appears when it is complete; one that is there before is replaced then.", .writes_there = true},
    [VERBOSE] = RCP_VERBOSE_OPTION,
};

static rcp_code export(rcp_trace *trace, const char *directory, const rcp_format *format, const char *path) {
    rcp_text text = {0}, notes = {0};
    RCP_TRY(rcp_trace_load(trace, directory));
    if (trace->loss)
        rcp_say("%s", trace->loss);
    rcp_code code = format->print(&text, trace, &notes);
    if (code == RCP_OK)
        code = rcp_output_all(path, &text);
    if (code == RCP_OK && notes.len)
        rcp_say("%s: what %s can't hold as it is:\n%.*s", directory, format->name, (int)notes.len - 1, notes.at);
    rcp_text_finish(&text);
    rcp_text_finish(&notes);
    return code;
}

static rcp_exit run(const rcp_arguments *arguments) {
    const rcp_format *format = rcp_format_find(arguments->word[FORMAT]);
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_code code = rcp_listener_prepare(arguments->operand[0], arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = export(&trace, arguments->operand[0], format, arguments->option[OUTPUT]);
    rcp_trace_finish(&trace);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_export = {
    .name = "trace export",
    .operands = "DIR",
    .summary = "Writes a trace in a text form.",
    .about = "The whole trace is held in memory; 'recipe trace dump' streams the text form.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
