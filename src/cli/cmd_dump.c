/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace dump: the whole trace in the text form, or an excerpt of it. */
#include "cli/command.h"
#include "cli/output.h"
#include "cli/listener.h"
#include "program/ir/log_text.h"
#include "trace/store/reader.h"
#include "trace/text/text.h"

#include <string.h>

enum { THREAD, ADDRESS, RANGE, OBJECT, TERMS, LOG, VERBOSE };

static const rcp_option options[] = {
    [THREAD] = {"thread", 0, "T", RCP_OPTION_TEXT, "events of this thread alone",
                "T is the thread's word in the dump, or its number."},
    [ADDRESS] = {"address", 0, "X", RCP_OPTION_TEXT, "events that touch this memory",
                 "X is a variable, an address, or a range LOW-HIGH of addresses, HIGH not included."},
    [RANGE] = {"range", 0, "A:B", RCP_OPTION_TEXT, "events from number A up to, not including, B",
               "Either may be left out."},
    [OBJECT] = {"object", 0, "O", RCP_OPTION_TEXT, "events on this lock, condition, semaphore …",
                "O is the object's word in the dump, or its number."},
    [TERMS] = {"terms", 0, NULL, RCP_OPTION_FLAG, "also list the terms of the trace",
               "As comments, one node a line, in the order of the trace's table; an excerpt cuts long terms short."},
    [LOG] = {"log", 0, NULL, RCP_OPTION_FLAG, "the recorder's log instead: DIR is a recorded run",
             "One record a line: its place in the file, its thread, what it says. The other options do not apply."},
    [VERBOSE] = RCP_VERBOSE_OPTION,
};

enum { FLUSH_BYTES = 1 << 16 };

typedef struct dump {
    rcp_printer *printer;
    rcp_output *output;
    rcp_text text;
    bool excerpt;
} dump;

static rcp_code print_event(void *context, rcp_eid eid, const rcp_event *event) {
    dump *d = context;
    if (d->excerpt)
        rcp_text_print_excerpt(d->printer, &d->text, eid, event);
    else
        rcp_text_print_event(d->printer, &d->text, eid, event);
    if (d->text.len < FLUSH_BYTES || rcp_output_put(d->output, &d->text))
        return RCP_OK;
    return rcp_fail(RCP_SYSTEM, "output"); /* stops the scan; closing the output says what is wrong, if anything is */
}

static bool read_address(rcp_printer *printer, const char *word, rcp_filter *filter) {
    const char *end;
    rcp_span span;
    filter->by_address = true;
    if (rcp_printer_find_variable(printer, word, &span)) {
        filter->lo = span.lo;
        filter->hi = span.hi;
        return true;
    }
    if (!rcp_options_leading_number(word, &end, &filter->lo))
        return false;
    filter->hi = filter->lo + 1;
    return !*end || (*end == '-' && rcp_options_number(end + 1, &filter->hi) && filter->hi > filter->lo);
}

static bool read_range(const char *word, rcp_filter *filter) {
    const char *end = word;
    if (*word != ':' && !rcp_options_leading_number(word, &end, &filter->from))
        return false;
    if (*end != ':')
        return false;
    if (!end[1])
        return true;
    return rcp_options_number(end + 1, &filter->to) && filter->to > filter->from; /* to = 0 means 'no end' */
}

/* Which events? Says what makes no sense. */
static bool read_filter(const rcp_arguments *arguments, const rcp_defs *defs, rcp_printer *printer,
                        rcp_filter *filter) {
    const char *word;
    uint64_t number;
    *filter = (rcp_filter){0};
    if ((word = arguments->option[THREAD])) {
        filter->by_thread = true;
        if (!rcp_printer_find_thread(printer, word, &filter->tid)) {
            if (!rcp_options_number(word, &number) || number >= defs->threads.len)
                return rcp_usage(&rcp_cmd_trace_dump, "--thread %s: the trace has no such thread", word), false;
            filter->tid.v = (uint32_t)number;
        }
    }
    if ((word = arguments->option[OBJECT])) {
        filter->by_object = true;
        if (!rcp_printer_find_object(printer, word, &filter->object)) {
            if (!rcp_options_number(word, &number) || number >= defs->objects.len)
                return rcp_usage(&rcp_cmd_trace_dump, "--object %s: the trace has no such object", word), false;
            filter->object.v = (uint32_t)number;
        }
    }
    if ((word = arguments->option[ADDRESS]) && !read_address(printer, word, filter))
        return rcp_usage(&rcp_cmd_trace_dump,
                         "--address %s: neither a variable of the trace nor an address nor LOW-HIGH", word),
               false;
    if ((word = arguments->option[RANGE]) && !read_range(word, filter))
        return rcp_usage(&rcp_cmd_trace_dump, "--range %s: not A:B with A below B", word), false;
    return true;
}

/* The table of terms as it is: one node a line, arguments by number. */
static void print_terms(rcp_text *to, const rcp_terms *terms) {
    for (size_t i = 0; i < rcp_terms_count(terms); i++) {
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){(uint32_t)(RCP_TERM_FIRST + i)});
        const rcp_op_traits *traits = rcp_op_borrow_traits(node->op);
        rcp_text_printf(to, "# t%zu:%u = ", RCP_TERM_FIRST + i, node->width);
        if (node->op == RCP_OP_CONST)
            rcp_text_printf(to, "0x%llx\n", (unsigned long long)node->word);
        else if (node->op == RCP_OP_READ)
            rcp_text_printf(to, "read of event %llu, from byte %u on\n", (unsigned long long)node->word, node->a);
        else {
            const uint32_t argument[] = {node->a, node->b, node->c};
            rcp_text_printf(to, "(%s", traits->name);
            if (node->op == RCP_OP_EXTRACT)
                rcp_text_printf(to, ":%u", node->b);
            for (unsigned k = 0; k < traits->arity; k++)
                rcp_text_printf(to, " t%u", argument[k]);
            rcp_text_puts(to, ")\n");
        }
    }
}

static rcp_code print(dump *d, rcp_reader *reader, const rcp_filter *filter, bool terms) {
    rcp_code code = RCP_OK;
    if (!d->excerpt)
        rcp_text_print_head(d->printer, &d->text);
    else if (terms)
        print_terms(&d->text, rcp_reader_borrow_terms(reader));
    code = rcp_reader_scan(reader, filter, print_event, d);
    if (code == RCP_OK && !d->excerpt)
        rcp_text_print_tail(d->printer, &d->text);
    rcp_output_put(d->output, &d->text);
    return code;
}

static rcp_exit run_on(const rcp_arguments *arguments, rcp_reader *reader) {
    rcp_filter filter;
    dump d = {.excerpt = false};
    rcp_output output;
    d.printer = rcp_printer_create(rcp_reader_borrow_defs(reader), rcp_reader_borrow_terms(reader));
    d.output = &output;
    rcp_exit outcome = RCP_EXIT_USAGE;
    if (read_filter(arguments, rcp_reader_borrow_defs(reader), d.printer, &filter)) {
        for (int i = THREAD; i <= TERMS; i++)
            d.excerpt |= arguments->option[i] != NULL;
        rcp_code code = rcp_output_open(&output, NULL);
        if (code == RCP_OK) {
            code = print(&d, reader, &filter, arguments->option[TERMS]);
            bool stopped = output.closed || output.error;
            if (code != RCP_OK && !stopped)
                outcome = rcp_give_up(code);
            rcp_code closed = rcp_output_close(&output, true);
            if (closed != RCP_OK)
                outcome = rcp_give_up(closed);
            else if (code == RCP_OK || stopped)
                outcome = RCP_EXIT_CLEAN;
        }
    }
    rcp_text_finish(&d.text);
    rcp_printer_destroy(d.printer);
    return outcome;
}

static bool put_log(void *context, rcp_text *text) { return rcp_output_put(context, text); }

static rcp_exit run_on_log(const char *dir) {
    rcp_output output;
    rcp_code code = rcp_output_open(&output, NULL);
    if (code != RCP_OK)
        return rcp_give_up(code);
    code = rcp_log_text_print(dir, put_log, &output);
    rcp_exit outcome = code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
    rcp_code closed = rcp_output_close(&output, true);
    return closed == RCP_OK ? outcome : rcp_give_up(closed);
}

static rcp_exit run(const rcp_arguments *arguments) {
    if (arguments->option[LOG])
        return run_on_log(arguments->operand[0]);
    rcp_reader *reader;
    rcp_code code = rcp_listener_prepare(arguments->operand[0], arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = rcp_reader_open(arguments->operand[0], &reader);
    if (code != RCP_OK)
        return rcp_give_up(code);
    if (rcp_reader_borrow_loss(reader))
        rcp_say("%s", rcp_reader_borrow_loss(reader));
    rcp_exit outcome = run_on(arguments, reader);
    rcp_reader_close(reader);
    return outcome;
}

const rcp_command rcp_cmd_trace_dump = {
    .name = "trace dump",
    .operands = "DIR",
    .summary = "Prints a trace, or some events of it, as text.",
    .about = "Without options the whole trace is printed in the lossless text form, which 'recipe trace import' reads "
             "again. "
             "With options an excerpt is printed, each event with its number: the events that pass all of the filters.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
