/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/witness_text.h"

#include "trace/model/label.h"
#include "trace/text/text.h"

#include <string.h>

/* One line's words. A well-formed line has at most five. */
enum { MOST_WORDS = 5 };

typedef struct word {
    const char *at;
    size_t len;
} word;

typedef struct parser {
    const char *name;
    size_t line;
    const rcp_trace *trace;
    rcp_witness *witness;
    rcp_printer *words; /* how the text form calls the threads */
    rcp_position *done; /* per thread: its last `to` */
} parser;

static rcp_code wrong(const parser *p, const char *what, word w) {
    int shown = w.len > 40 ? 40 : (int)w.len;
    return rcp_fail(RCP_BAD_INPUT, "%s:%zu: %s, not '%.*s'", p->name, p->line, what, shown, w.at);
}

static rcp_label label(const parser *p, rcp_tid tid) { return rcp_label_thread(&p->trace->defs, tid); }

static bool is(word w, const char *string) { return w.len == strlen(string) && !memcmp(w.at, string, w.len); }

/* Decimal digits, no sign, at most `most`. */
static bool number(word w, uint64_t most, uint64_t *value) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w.len; i++) {
        if (w.at[i] < '0' || w.at[i] > '9' || sum > (most - (uint64_t)(w.at[i] - '0')) / 10)
            return false;
        sum = sum * 10 + (uint64_t)(w.at[i] - '0');
    }
    *value = sum;
    return w.len > 0;
}

static rcp_code thread(const parser *p, word w, rcp_tid *tid) {
    char name[256];
    if (w.len >= sizeof name || memchr(w.at, '\0', w.len))
        return wrong(p, "the name of a thread belongs here", w);
    memcpy(name, w.at, w.len);
    name[w.len] = '\0';
    return rcp_printer_find_thread(p->words, name, tid)
               ? RCP_OK
               : wrong(p, "the name of a thread belongs here, as in the text form of the trace", w);
}

static rcp_code position(const parser *p, word w, rcp_tid tid, size_t most, rcp_position *to) {
    uint64_t n;
    if (!number(w, UINT32_MAX, &n))
        return wrong(p, "a position is a number", w);
    if (n > most)
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: position %llu of %s is past its last event: it has %zu events", p->name,
                        p->line, (unsigned long long)n, label(p, tid).at, rcp_trace_thread_len(p->trace, tid));
    *to = (rcp_position)n;
    return RCP_OK;
}

static rcp_code step(parser *p, const word *words) {
    rcp_tid tid;
    rcp_position to;
    RCP_TRY(thread(p, words[0], &tid));
    RCP_TRY(position(p, words[2], tid, rcp_trace_thread_len(p->trace, tid), &to));
    if (to < p->done[tid.v])
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: %s has executed %u events already and can't go back to %u", p->name,
                        p->line, label(p, tid).at, p->done[tid.v], to);
    p->done[tid.v] = to;
    rcp_witness_run(p->witness, tid, to);
    return RCP_OK;
}

static rcp_code recorded(parser *p, const word *words) {
    uint64_t n;
    if (p->witness->recorded || p->witness->steps.len)
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: 'recorded' is the first line of a schedule", p->name, p->line);
    if (!number(words[2], UINT64_MAX, &n))
        return wrong(p, "a number of events belongs here", words[2]);
    if (n > p->trace->events.len)
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: the trace has only %zu events", p->name, p->line, p->trace->events.len);
    for (uint64_t i = 0; i < n; i++)
        p->done[p->trace->events.at[i].tid.v]++;
    p->witness->recorded = n;
    return RCP_OK;
}

static rcp_code race(parser *p, const word *words) {
    for (int i = 0; i < 2; i++) {
        rcp_tid tid;
        rcp_position at;
        RCP_TRY(thread(p, words[1 + 2 * i], &tid));
        size_t len = rcp_trace_thread_len(p->trace, tid);
        if (!len)
            return rcp_fail(RCP_BAD_INPUT, "%s:%zu: %s has no events", p->name, p->line, label(p, tid).at);
        RCP_TRY(position(p, words[2 + 2 * i], tid, len - 1, &at));
        p->witness->race[i] = rcp_trace_event_of(p->trace, tid, at);
    }
    return RCP_OK;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* How many words the line has; MOST_WORDS + 1 where there are more. */
static size_t split(const char *at, const char *end, word words[MOST_WORDS]) {
    size_t n = 0;
    while (at < end) {
        while (at < end && blank(*at))
            at++;
        if (at == end || *at == '#')
            break;
        const char *from = at;
        while (at < end && !blank(*at) && *at != '#')
            at++;
        if (n == MOST_WORDS)
            return MOST_WORDS + 1;
        words[n++] = (word){from, (size_t)(at - from)};
    }
    return n;
}

static rcp_code lines(parser *p, const char *at, const char *end) {
    bool headed = false, raced = false;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            stop = end;
        word words[MOST_WORDS] = {{0}};
        size_t n = split(at, stop, words);
        p->line++;
        at = stop < end ? stop + 1 : end;
        if (!n)
            continue;
        if (!headed) {
            if (n != 3 || !is(words[0], "recipe") || !is(words[1], "witness"))
                return rcp_fail(RCP_BAD_INPUT, "%s:%zu: a witness begins with the line 'recipe witness 1'", p->name,
                                p->line);
            if (!is(words[2], "1"))
                return wrong(p, "this version reads witnesses of version 1", words[2]);
            headed = true;
        } else if (raced) {
            return rcp_fail(RCP_BAD_INPUT, "%s:%zu: the race line is the last one", p->name, p->line);
        } else if (n == 3 && is(words[1], "to") && is(words[0], "recorded")) {
            RCP_TRY(recorded(p, words));
        } else if (n == 3 && is(words[1], "to")) {
            RCP_TRY(step(p, words));
        } else if (n == 5 && is(words[0], "race")) {
            RCP_TRY(race(p, words));
            raced = true;
        } else {
            return wrong(p, "a line is 'recorded to 20', 'T1 to 3' or 'race T1 3 T2 5'", words[0]);
        }
    }
    if (!headed)
        return rcp_fail(RCP_BAD_INPUT, "%s:%zu: a witness begins with the line 'recipe witness 1'", p->name,
                        p->line ? p->line : 1);
    return RCP_OK;
}

rcp_code rcp_witness_parse(const char *name, const char *text, size_t len, const rcp_trace *trace,
                           rcp_witness *witness) {
    parser p = {.name = name, .trace = trace, .witness = witness};
    p.done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *p.done);
    p.words = rcp_printer_create(&trace->defs, &trace->terms);
    rcp_code code = lines(&p, text, text + len);
    rcp_printer_destroy(p.words);
    rcp_release(p.done);
    return code;
}

void rcp_witness_print(rcp_text *out, const rcp_trace *trace, const rcp_witness *witness) {
    rcp_printer *words = rcp_printer_create(&trace->defs, &trace->terms);
    rcp_text_puts(out, "recipe witness 1\n");
    if (witness->recorded)
        rcp_text_printf(out, "recorded to %llu\n", (unsigned long long)witness->recorded);
    for (size_t i = 0; i < witness->steps.len; i++)
        rcp_text_printf(out, "%s to %u\n", rcp_printer_borrow_thread(words, witness->steps.at[i].tid),
                        witness->steps.at[i].to);
    if (witness->race[0].v != RCP_NO_EID.v) {
        rcp_text_puts(out, "race");
        for (int i = 0; i < 2; i++) {
            size_t e = witness->race[i].v;
            rcp_text_printf(out, " %s %u", rcp_printer_borrow_thread(words, trace->events.at[e].tid),
                            trace->position[e]);
        }
        rcp_text_puts(out, "\n");
    }
    rcp_printer_destroy(words);
}
