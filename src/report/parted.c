/* SPDX-License-Identifier: Apache-2.0 */
#include "report/parted.h"

#include "base/json.h"
#include "report/lines.h"
#include "report/people.h"
#include "trace/model/own_place.h"

#include <inttypes.h>
#include <string.h>

static const char *string_of(const rcp_json *object, const char *key) {
    const char *is = rcp_json_string(rcp_json_member(object, key));
    return is ? is : "";
}

/* NULL: it is no object. */
static const rcp_json *parse(const char *told, rcp_arena *arena) {
    const rcp_json *object = NULL;
    if (rcp_json_parse("an atomicity violation", told, strlen(told), arena, &object) != RCP_OK)
        rcp_clear_causes();
    return object;
}

/* --- for people --- */

static void put_place(rcp_text *to, const rcp_json *access) {
    rcp_text_printf(to, "%s:%.0f:%.0f", string_of(access, "file"), rcp_json_number(rcp_json_member(access, "line")),
                    rcp_json_number(rcp_json_member(access, "column")));
}

/* `x`; where it has no name, its address. */
static void put_variable(rcp_text *to, const rcp_json *object) {
    const char *name = string_of(object, "variable");
    rcp_text_printf(to, *name ? "`%s`" : "%s", *name ? name : string_of(object, "address"));
}

static const char *does(const rcp_json *access) {
    const char *op = string_of(access, "op");
    return !strcmp(op, "read") ? "reads" : !strcmp(op, "write") ? "writes" : "changes";
}

/* "f /usr/include/c++/12/bits/x.h:1:2": what a header of the C++ library does there says nothing. */
static bool is_library(const char *frame) {
    const char *file = strrchr(frame, ' ');
    return file && rcp_own_place_is_library(file + 1);
}

static void access_line(rcp_text *to, const rcp_json *access, const char *variable, const char *then, bool is_full) {
    rcp_text line = {0};
    rcp_text_printf(&line, "thread %s %s %s%s", string_of(access, "thread_name"), does(access), variable, then);
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(to, 2, 4, line.at);
    const rcp_json *stack = rcp_json_member(access, "stack");
    for (const rcp_json *frame = stack ? stack->first : NULL; frame; frame = frame->next) {
        const char *words = rcp_json_string(frame) ? rcp_json_string(frame) : "?";
        if (!is_full && is_library(words))
            continue;
        rcp_text_puts(to, "    ");
        rcp_people_name(to, words, is_full);
        rcp_text_puts(to, "\n");
    }
    rcp_text_finish(&line);
}

static void lines(rcp_text *to, const rcp_parted *parted, bool is_full) {
    static const char *const then[] = {", and goes by that:", " in between:", " then:"};
    rcp_arena arena;
    rcp_text line = {0}, variable = {0};
    size_t i = 0;
    rcp_arena_init(&arena);
    const rcp_json *object = parse(parted->told, &arena);
    const char *lock = string_of(object, "lock");
    put_variable(&variable, object);
    rcp_text_printf(
        &line,
        "Atomicity violation on %s%s%s: each of these sections of the lock %s is atomic, and what the first and "
        "the last one do together is not.",
        variable.at, *parted->process ? " of " : "", parted->process, *lock ? lock : string_of(object, "lock_address"));
    rcp_lines_ink(to, RCP_INK_BAD);
    rcp_lines_wrap(to, 0, 4, line.at);
    rcp_lines_ink(to, RCP_INK_END);
    const rcp_json *accesses = rcp_json_member(object, "accesses");
    for (const rcp_json *one = accesses ? accesses->first : NULL; one && i < 3; one = one->next)
        access_line(to, one, variable.at, then[i++], is_full);
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(to, 2, 2, string_of(object, "why"));
    rcp_text_clear(&line);
    rcp_text_printf(&line, "The program was led there twice; the run is %s%s%s.", parted->process,
                    *parted->process ? "/" : "", string_of(object, "recording"));
    rcp_text_puts(to, "  ");
    rcp_lines_wrap(to, 2, 2, line.at);
    rcp_text_puts(to, "\n");
    rcp_text_finish(&line);
    rcp_text_finish(&variable);
    rcp_arena_finish(&arena);
}

void rcp_parted_lines(rcp_text *to, const rcp_findings *findings) {
    for (size_t i = 0; i < findings->parted.len; i++)
        lines(to, &findings->parted.at[i], findings->has_full_names);
}

void rcp_parted_place(rcp_text *to, const rcp_parted *parted) {
    rcp_arena arena;
    rcp_arena_init(&arena);
    const rcp_json *accesses = rcp_json_member(parse(parted->told, &arena), "accesses");
    if (accesses && accesses->first)
        put_place(to, accesses->first);
    rcp_arena_finish(&arena);
}

void rcp_parted_headline(rcp_text *to, const rcp_parted *parted) {
    rcp_arena arena;
    rcp_arena_init(&arena);
    const rcp_json *object = parse(parted->told, &arena), *accesses = rcp_json_member(object, "accesses");
    const rcp_json *first = accesses ? accesses->first : NULL, *between = first ? first->next : NULL;
    rcp_text_puts(to, "what is read of ");
    put_variable(to, object);
    rcp_text_printf(to, " in %s is changed by %s before it is gone by", string_of(first, "function"),
                    string_of(between, "function"));
    rcp_arena_finish(&arena);
}

/* --- for programs --- */

/* With the process; the fingerprint comes first in what is told. */
static void put_list(rcp_text *to, const char *key, const rcp_parted_list *list) {
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < list->len; i++) {
        const rcp_parted *one = &list->at[i];
        const char *rest = strstr(one->told, ", ");
        rcp_text_printf(to, "%s\n    { \"fingerprint\": \"%016" PRIx64 "\", ", i ? "," : "", one->fingerprint);
        rcp_json_put_string(to, "process", one->process);
        rcp_text_puts(to, rest ? rest : " }");
    }
    rcp_text_puts(to, list->len ? "\n  ],\n" : "],\n");
}

void rcp_parted_json(rcp_text *to, const rcp_findings *findings) {
    static const char *const keys[RCP_PARTED_COUNTS] = {"places", "possible", "not_shown", "lost", "runs"};
    if (!findings->has_parted)
        return;
    put_list(to, "atomicity", &findings->parted);
    put_list(to, "known_atomicity", &findings->known_parted);
    rcp_text_puts(to, "  \"atomicity_asked\": { ");
    for (int i = 0; i < RCP_PARTED_COUNTS; i++) {
        rcp_text_puts(to, i ? ", " : "");
        rcp_json_put_number(to, keys[i], findings->parted_counts[i]);
    }
    rcp_text_puts(to, " },\n");
}
