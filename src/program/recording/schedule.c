/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/schedule.h"

#include "base/hash.h"
#include "base/map.h"

#include <inttypes.h>
#include <string.h>

enum { THREADS_MAX = 1 << 20 };

static char *copy(const char *bytes, size_t n) {
    char *string = rcp_alloc(n + 1);
    memcpy(string, bytes, n);
    string[n] = 0;
    return string;
}

void rcp_schedule_init(rcp_schedule *schedule) {
    *schedule = (rcp_schedule){0};
    rcp_vec_push(&schedule->names, copy("0", 1));
}

void rcp_schedule_finish(rcp_schedule *schedule) {
    for (size_t i = 0; i < schedule->names.len; i++)
        rcp_release(schedule->names.at[i]);
    rcp_vec_finish(&schedule->names);
    rcp_vec_finish(&schedule->steps);
}

void rcp_schedule_name_thread(rcp_schedule *schedule, uint64_t number, uint64_t parent, uint64_t nth) {
    rcp_text name = {0};
    const char *creator = parent < schedule->names.len ? schedule->names.at[parent] : NULL;
    rcp_text_printf(&name, "%s.%" PRIu64, creator ? creator : "?", nth);
    if (number >= THREADS_MAX) {
        rcp_text_finish(&name);
        return;
    }
    while (schedule->names.len <= number)
        rcp_vec_push(&schedule->names, NULL);
    rcp_release(schedule->names.at[number]);
    schedule->names.at[number] = name.at;
}

/* --- parsing: a line is words between blanks --- */

typedef struct word {
    const char *at;
    size_t n;
} word;

static bool is(word w, const char *string) { return string && strlen(string) == w.n && !memcmp(w.at, string, w.n); }

static bool number(word w, uint64_t *n) {
    *n = 0;
    for (size_t i = 0; i < w.n; i++) {
        unsigned digit = (unsigned)(w.at[i] - '0');
        if (digit > 9 || *n > (UINT64_MAX - digit) / 10)
            return false;
        *n = *n * 10 + digit;
    }
    return w.n > 0;
}

/* "0", then "." and a number from 1 on, any number of times. */
static bool is_name(word name) {
    if (!name.n || name.at[0] != '0')
        return false;
    for (size_t i = 1; i < name.n;) {
        size_t digits = 0;
        if (name.at[i++] != '.')
            return false;
        while (i + digits < name.n && name.at[i + digits] >= '0' && name.at[i + digits] <= '9')
            digits++;
        if (!digits || name.at[i] == '0')
            return false;
        i += digits;
    }
    return true;
}

typedef struct parser {
    rcp_schedule *schedule;
    rcp_map index; /* from a name's hash to the first of that hash */
} parser;

/* The number of the thread; as many as there are names where none has that one. */
static size_t find_name(const parser *p, word name) {
    uint32_t first = rcp_map_get(&p->index, rcp_hash_bytes(name.at, name.n));
    if (first == RCP_MAP_NONE)
        return p->schedule->names.len;
    size_t i = first;
    while (i < p->schedule->names.len && !is(name, p->schedule->names.at[i]))
        i++;
    return i;
}

static void index_name(parser *p, size_t i) {
    const char *name = p->schedule->names.at[i];
    uint32_t *first = rcp_map_at(&p->index, rcp_hash_bytes(name, strlen(name)));
    if (*first == RCP_MAP_NONE)
        *first = (uint32_t)i;
}

static rcp_code declare(parser *p, word name) {
    rcp_schedule *schedule = p->schedule;
    if (schedule->names.len == THREADS_MAX)
        return rcp_fail(RCP_BAD_INPUT, "no run has so many threads");
    if (is(name, "?")) {
        rcp_vec_push(&schedule->names, NULL);
        return RCP_OK;
    }
    if (!is_name(name) || name.n == 1)
        return rcp_fail(RCP_BAD_INPUT, "'%.*s' is no name of a thread: those are 0.1, 0.2.1 and so on", (int)name.n,
                        name.at);
    if (find_name(p, name) < schedule->names.len)
        return rcp_fail(RCP_BAD_INPUT, "thread %.*s is declared twice", (int)name.n, name.at);
    rcp_vec_push(&schedule->names, copy(name.at, name.n));
    index_name(p, schedule->names.len - 1);
    return RCP_OK;
}

static rcp_code find_thread(const parser *p, word name, uint64_t *thread) {
    if (number(name, thread) && (name.at[0] != '0' || name.n == 1))
        return *thread <= UINT32_MAX
                   ? RCP_OK
                   : rcp_fail(RCP_BAD_INPUT, "%.*s: no run has so many threads", (int)name.n, name.at);
    if (!is_name(name))
        return rcp_fail(RCP_BAD_INPUT, "'%.*s' is no thread: 0 is the main one, 0.1 the first that it creates",
                        (int)name.n, name.at);
    *thread = find_name(p, name);
    if (*thread < p->schedule->names.len)
        return RCP_OK;
    word last = {name.at + 2, name.n - 2};
    if (p->schedule->names.len == 1 && number(last, thread) && *thread <= UINT32_MAX)
        return RCP_OK;
    return rcp_fail(RCP_BAD_INPUT,
                    "thread %.*s is not declared: where threads other than the main one create threads, lines 'thread "
                    "NAME' give all of them in the order of their creation",
                    (int)name.n, name.at);
}

static rcp_code parse_line(parser *p, const char *at, const char *end) {
    word words[3];
    size_t n = 0;
    const char *comment = memchr(at, '#', (size_t)(end - at));
    end = comment ? comment : end;
    while (at < end) {
        size_t blanks = 0, length = 0;
        while (at + blanks < end && strchr(" \t\r", at[blanks]))
            blanks++;
        at += blanks;
        while (at + length < end && !strchr(" \t\r", at[length]))
            length++;
        if (length && n < 3)
            words[n] = (word){at, length};
        n += length > 0;
        at += length;
    }
    if (!n)
        return RCP_OK;
    if (n != 2)
        return rcp_fail(RCP_BAD_INPUT, "a line is 'THREAD UNTIL' or 'thread NAME', not %zu words", n);
    if (is(words[0], "thread"))
        return p->schedule->steps.len ? rcp_fail(RCP_BAD_INPUT, "'thread' lines stand before the first step")
                                      : declare(p, words[1]);
    struct rcp_run_step step;
    RCP_TRY(find_thread(p, words[0], &step.thread));
    if (is(words[1], "block"))
        step.until = RCP_RUN_BLOCK;
    else if (is(words[1], "end"))
        step.until = RCP_RUN_END;
    else if (!number(words[1], &step.until))
        return rcp_fail(RCP_BAD_INPUT, "'%.*s' is neither a number of events nor 'block' or 'end'", (int)words[1].n,
                        words[1].at);
    rcp_vec_push(&p->schedule->steps, step);
    return RCP_OK;
}

static rcp_code parse_lines(parser *p, const char *name, const char *text, size_t len) {
    size_t line = 1;
    for (const char *at = text, *end = text + len; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        rcp_code code = parse_line(p, at, newline ? newline : end);
        if (code != RCP_OK)
            return rcp_because(code, "%s:%zu", name, line);
        at = newline ? newline + 1 : end;
    }
    if (!p->schedule->steps.len)
        return rcp_fail(RCP_BAD_INPUT, "%s: the schedule has no steps", name);
    return RCP_OK;
}

rcp_code rcp_schedule_parse(const char *name, const char *text, size_t len, rcp_schedule *schedule) {
    if (memchr(text, 0, len))
        return rcp_fail(RCP_BAD_INPUT, "%s: is no schedule: it is no text", name);
    parser p = {.schedule = schedule};
    rcp_map_init(&p.index);
    index_name(&p, 0);
    rcp_code code = parse_lines(&p, name, text, len);
    rcp_map_finish(&p.index);
    return code;
}

void rcp_schedule_print(rcp_text *to, const rcp_schedule *schedule) {
    for (size_t i = 1; i < schedule->names.len; i++)
        rcp_text_printf(to, "thread %s\n", schedule->names.at[i] ? schedule->names.at[i] : "?");
    for (size_t i = 0; i < schedule->steps.len; i++) {
        const struct rcp_run_step *step = &schedule->steps.at[i];
        if (step->thread < schedule->names.len && schedule->names.at[step->thread])
            rcp_text_printf(to, "%s ", schedule->names.at[step->thread]);
        else
            rcp_text_printf(to, "%" PRIu64 " ", step->thread);
        if (step->until == RCP_RUN_BLOCK)
            rcp_text_puts(to, "block\n");
        else if (step->until == RCP_RUN_END)
            rcp_text_puts(to, "end\n");
        else
            rcp_text_printf(to, "%" PRIu64 "\n", step->until);
    }
}
