/* SPDX-License-Identifier: Apache-2.0 */
#include "report/suppressions.h"

#include "base/json.h"
#include "report/names.h"
#include "report/pattern.h"
#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

/* --- reading a file --- */

enum { FRAMES = 63 }; /* of one line: with the end of it they are the bits of a word */

static const char *const kinds[RCP_SUPPRESSION_KINDS] = {
    [RCP_SUPPRESS_RACE] = "race",         [RCP_SUPPRESS_RACE_TOP] = "race_top",
    [RCP_SUPPRESS_THREAD] = "thread",     [RCP_SUPPRESS_CALLED_FROM_LIB] = "called_from_lib",
    [RCP_SUPPRESS_MUTEX] = "mutex",       [RCP_SUPPRESS_SIGNAL] = "signal",
    [RCP_SUPPRESS_DEADLOCK] = "deadlock",
};

/* Others are no frames. */
static bool is_of_frames(rcp_suppression_kind kind) {
    return kind == RCP_SUPPRESS_RACE || kind == RCP_SUPPRESS_RACE_TOP || kind == RCP_SUPPRESS_MUTEX ||
           kind == RCP_SUPPRESS_DEADLOCK;
}

static void trim(const char **begin, const char **end) {
    while (*begin < *end && strchr(" \t\r", **begin))
        ++*begin;
    while (*begin < *end && strchr(" \t\r", (*end)[-1]))
        --*end;
}

static char *take_copy(const char *begin, const char *end) {
    rcp_text text = {0};
    rcp_text_add(&text, begin, (size_t)(end - begin));
    return text.at;
}

/* A linker's name is found as the source's, which is all that a trace has: whole, as the symbol is. */
static char *take_pattern(const char *begin, const char *end, char *(*take_plain)(const char *)) {
    char *pattern = take_copy(begin, end);
    const bool is_tied = *pattern == '^';
    if (strncmp(pattern + is_tied, "_Z", 2) != 0)
        return pattern;
    const bool ends_there = end[-1] == '$';
    char *symbol = take_copy(begin + is_tied, end - ends_there);
    char *plain = take_plain(symbol);
    if (strcmp(plain, symbol) != 0) {
        rcp_text all = {0};
        rcp_text_printf(&all, "^%s$", plain);
        rcp_release(pattern);
        pattern = all.at;
    }
    free(plain);
    rcp_release(symbol);
    return pattern;
}

/* "A <- B": the frames of a line. False: one of them is empty, or there are too many. */
static bool read_frames(rcp_suppression *to, const char *begin, const char *end, char *(*take_plain)(const char *)) {
    static const char arrow[] = " <- ";
    for (;;) {
        const char *next = is_of_frames(to->kind) ? memmem(begin, (size_t)(end - begin), arrow, strlen(arrow)) : NULL;
        const char *from = begin, *until = next ? next : end;
        trim(&from, &until);
        if (from == until || to->frames.len == FRAMES)
            return false;
        rcp_vec_push(&to->frames, take_pattern(from, until, take_plain));
        if (!next)
            return true;
        begin = next + strlen(arrow);
    }
}

static rcp_code read_line(rcp_suppressions *to, const char *file, unsigned number, const char *begin, const char *end,
                          char *(*take_plain)(const char *)) {
    rcp_suppression line = {.line = number, .first = to->patterns};
    const int len = (int)(end - begin < 200 ? end - begin : 200);
    const char *colon = memchr(begin, ':', (size_t)(end - begin));
    if (memchr(begin, 0, (size_t)(end - begin)))
        return rcp_fail(RCP_BAD_INPUT, "%s:%u: has a NUL byte in it; a suppression is a line of text, as race:NAME",
                        file, number);
    for (line.kind = 0; colon && line.kind < RCP_SUPPRESSION_KINDS; line.kind++)
        if (strlen(kinds[line.kind]) == (size_t)(colon - begin) &&
            !memcmp(kinds[line.kind], begin, (size_t)(colon - begin)))
            break;
    if (!colon || line.kind == RCP_SUPPRESSION_KINDS)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s:%u: '%.*s' is no suppression; write race:NAME, or race_top, called_from_lib, thread, "
                        "mutex, deadlock or signal instead of race; '#' begins a comment",
                        file, number, len, begin);
    line.file = take_copy(file, file + strlen(file));
    line.words = take_copy(begin, end);
    const bool is_whole = read_frames(&line, colon + 1, end, take_plain);
    to->patterns += line.frames.len;
    rcp_vec_push(&to->lines, line); /* what is wrong with it, too: it is finished with the others */
    if (is_whole)
        return RCP_OK;
    if (line.frames.len == FRAMES)
        return rcp_fail(RCP_BAD_INPUT, "%s:%u: has more than %d frames; '...' stands for any", file, number, FRAMES);
    return rcp_fail(RCP_BAD_INPUT, "%s:%u: '%.*s' lacks a name; write one after the ':', and on both sides of ' <- '",
                    file, number, len, begin);
}

rcp_code rcp_suppressions_parse(rcp_suppressions *to, const char *file, const char *text, size_t len,
                                char *(*take_plain)(const char *)) {
    const char *end = text + len;
    for (unsigned number = 1; text < end; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *from = text, *until = newline ? newline : end;
        trim(&from, &until);
        if (from < until && *from != '#')
            RCP_TRY(read_line(to, file, number, from, until, take_plain));
        text = newline ? newline + 1 : end;
    }
    return RCP_OK;
}

void rcp_suppressions_finish(rcp_suppressions *suppressions) {
    for (size_t i = 0; i < suppressions->lines.len; i++) {
        rcp_suppression *line = &suppressions->lines.at[i];
        for (size_t k = 0; k < line->frames.len; k++)
            rcp_release(line->frames.at[k]);
        rcp_vec_finish(&line->frames);
        rcp_release(line->file);
        rcp_release(line->words);
    }
    rcp_vec_finish(&suppressions->lines);
}

void rcp_suppression_print(rcp_text *to, const rcp_suppression *suppression) {
    rcp_text_printf(to, "%s (%s:%u)", suppression->words, suppression->file, suppression->line);
}

/* --- matching: each pattern is put to each place of the program once --- */

enum { NOT_ASKED, NO, YES };

typedef struct places {
    const rcp_defs *defs;
    const char *program; /* that its places are in */
    uint8_t *answers;    /* by pattern and location */
} places;

typedef RCP_VEC(rcp_loc) stack; /* innermost first */

typedef struct matcher {
    rcp_suppressions *of;
    RCP_VEC(places) asked;
    stack stack[2]; /* of the race in hand, by access; of a thread that waits, the first */
} matcher;

static places *places_of(matcher *m, const rcp_defs *defs, const char *program) {
    for (size_t i = 0; i < m->asked.len; i++)
        if (m->asked.at[i].defs == defs)
            return &m->asked.at[i];
    uint8_t *answers = rcp_alloc_zero(m->of->patterns * defs->locations.len + 1, sizeof *answers);
    rcp_vec_push(&m->asked, ((places){defs, program, answers}));
    return &m->asked.at[m->asked.len - 1];
}

static void finish_matcher(matcher *m) {
    for (size_t i = 0; i < m->asked.len; i++)
        rcp_release(m->asked.at[i].answers);
    rcp_vec_finish(&m->asked);
    rcp_vec_finish(&m->stack[0]);
    rcp_vec_finish(&m->stack[1]);
}

/* Functions count as the compiler has their names, and as people read them in the report. */
static bool names_match(const char *pattern, const char *function, const char *file) {
    rcp_text plain = {0};
    if (rcp_pattern_matches(pattern, function) || rcp_pattern_matches(pattern, file))
        return true;
    rcp_name_shorten(&plain, function);
    const bool is = plain.len && rcp_pattern_matches(pattern, plain.at);
    rcp_text_finish(&plain);
    return is;
}

static bool place_matches(const places *p, const rcp_suppression *s, size_t frame, rcp_loc loc) {
    uint8_t *answer = &p->answers[(s->first + frame) * p->defs->locations.len + loc.v];
    if (*answer == NOT_ASKED) {
        const rcp_location *at = &p->defs->locations.at[loc.v];
        const char *pattern = s->frames.at[frame];
        const bool is = names_match(pattern, rcp_defs_borrow_string(p->defs, at->function),
                                    rcp_defs_borrow_string(p->defs, at->file)) ||
                        rcp_pattern_matches(pattern, p->program);
        *answer = is ? YES : NO;
    }
    return *answer == YES;
}

static bool is_any(const char *pattern) { return !strcmp(pattern, "...") || !strcmp(pattern, "…"); }

/* What may be next, where any frames may also be none. */
static uint64_t pass_any(const rcp_suppression *s, uint64_t open) {
    for (size_t i = 0; i < s->frames.len; i++)
        if (open >> i & 1 && is_any(s->frames.at[i]))
            open |= UINT64_C(1) << (i + 1);
    return open;
}

/* Frame by frame from the innermost out; bit i of `open`: this one may be what pattern i is of. */
static bool frames_match(const places *p, const rcp_suppression *s, const stack *frames) {
    const bool is_top = s->kind == RCP_SUPPRESS_RACE_TOP;
    uint64_t open = 0;
    for (size_t f = 0; f < frames->len; f++) {
        const rcp_loc loc = frames->at[f];
        const rcp_str file = p->defs->locations.at[loc.v].file;
        const bool is_library = rcp_own_place_is_library(rcp_defs_borrow_string(p->defs, file));
        uint64_t next = 0;
        open = pass_any(s, open | (!f || !is_top));
        for (size_t i = 0; i < s->frames.len; i++) {
            if (!(open >> i & 1))
                continue;
            const bool is_skipped = is_any(s->frames.at[i]) || (is_library && (i || is_top));
            next |= (uint64_t)is_skipped << i;
            next |= (uint64_t)place_matches(p, s, i, loc) << (i + 1);
        }
        open = pass_any(s, next);
        if (open >> s->frames.len & 1)
            return true;
    }
    return false;
}

static void take_stack(stack *to, const rcp_defs *defs, rcp_loc loc, rcp_stack callers) {
    to->len = 0;
    if (loc.v)
        rcp_vec_push(to, loc);
    for (; callers.v; callers = defs->stacks.at[callers.v].caller)
        rcp_vec_push(to, defs->stacks.at[callers.v].loc);
}

/* --- races --- */

static bool is_on_lock(const rcp_deed *deed) {
    return deed->is_known && !deed->slot && deed->kind != RCP_END &&
           (deed->object == RCP_MUTEX || deed->object == RCP_RECURSIVE || deed->object == RCP_SPIN ||
            deed->object == RCP_RWLOCK);
}

/* By its own name, and as the report has it. */
static bool variable_matches(const rcp_suppression *s, const rcp_finding *finding) {
    if (s->frames.len != 1 || !finding->variable)
        return false;
    rcp_text name = {0};
    rcp_finding_variable(&name, finding->defs, finding);
    const bool is =
        rcp_pattern_matches(s->frames.at[0], rcp_defs_borrow_string(finding->defs, finding->variable->name)) ||
        (name.len && rcp_pattern_matches(s->frames.at[0], name.at));
    rcp_text_finish(&name);
    return is;
}

static bool thread_matches(const rcp_suppression *s, const rcp_finding *finding, size_t slot) {
    rcp_text name = {0};
    rcp_finding_thread(&name, finding->defs, finding->access[slot].tid);
    const bool is = rcp_pattern_matches(s->frames.at[0], name.at + strlen("thread "));
    rcp_text_finish(&name);
    return is;
}

static bool side_matches(const matcher *m, const places *p, const rcp_suppression *s, const rcp_finding *finding,
                         size_t slot) {
    const stack *frames = &m->stack[slot];
    switch (s->kind) {
    case RCP_SUPPRESS_RACE: return frames_match(p, s, frames) || variable_matches(s, finding);
    case RCP_SUPPRESS_RACE_TOP: return frames_match(p, s, frames);
    case RCP_SUPPRESS_MUTEX:
        return (is_on_lock(&finding->deed[0]) || is_on_lock(&finding->deed[1])) && frames_match(p, s, frames);
    case RCP_SUPPRESS_CALLED_FROM_LIB: return frames->len > 1 && rcp_pattern_matches(s->frames.at[0], p->program);
    case RCP_SUPPRESS_THREAD: return thread_matches(s, finding, slot);
    default: return false;
    }
}

/* The first line that matches; all of them are counted. */
static rcp_suppression *match_race(matcher *m, const rcp_findings *findings, const rcp_finding *finding) {
    const char *program = rcp_defs_borrow_fact(finding->defs, "program");
    const places *p = places_of(m, finding->defs, program ? program : findings->program);
    rcp_suppression *by = NULL;
    for (size_t k = 0; k < 2; k++)
        take_stack(&m->stack[k], finding->defs, finding->access[k].loc, finding->access[k].stack);
    for (size_t i = 0; i < m->of->lines.len; i++) {
        rcp_suppression *line = &m->of->lines.at[i];
        if (!side_matches(m, p, line, finding, 0) && !side_matches(m, p, line, finding, 1))
            continue;
        line->matched++;
        by = by ? by : line;
    }
    return by;
}

/* --- deadlocks: their stacks are words --- */

/* "one a.c:12:5" as a place; the function may have blanks in it. */
static rcp_loc place_of(rcp_defs *defs, const char *frame) {
    const char *blank = strrchr(frame, ' '), *file = blank ? blank + 1 : frame, *end = file + strlen(file);
    for (int i = 0; i < 2; i++) { /* line and column */
        const char *colon = memrchr(file, ':', (size_t)(end - file));
        end = colon && colon + 1 + strspn(colon + 1, "0123456789") == end ? colon : end;
    }
    const rcp_str function = rcp_defs_string(defs, frame, (size_t)(blank ? blank - frame : 0));
    return rcp_defs_location(
        defs, (rcp_location){.file = rcp_defs_string(defs, file, (size_t)(end - file)), .function = function});
}

/* One thread's wait; its places are in `defs`, which are the deadlock's alone. */
static void take_wait(stack *to, rcp_defs *defs, const rcp_json *wait) {
    const rcp_json *frames = rcp_json_member(wait, "stack");
    to->len = 0;
    for (const rcp_json *frame = frames ? frames->first : NULL; frame; frame = frame->next)
        rcp_vec_push(to, place_of(defs, rcp_json_string(frame) ? rcp_json_string(frame) : ""));
}

static bool wait_matches(const rcp_suppressions *of, const rcp_suppression *s, const char *words, const char *program) {
    rcp_arena arena;
    rcp_defs defs;
    const rcp_json *wait;
    stack frames = {0};
    rcp_arena_init(&arena);
    rcp_defs_init(&defs);
    rcp_code code = rcp_json_parse("a wait", words, strlen(words), &arena, &wait);
    RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
    take_wait(&frames, &defs, wait);
    const char *variable = rcp_json_string(rcp_json_member(wait, "variable"));
    const places p = {&defs, program, rcp_alloc_zero(of->patterns * defs.locations.len, 1)};
    const bool is = frames_match(&p, s, &frames) ||
                    (s->frames.len == 1 && variable && rcp_pattern_matches(s->frames.at[0], variable));
    rcp_release(p.answers);
    rcp_vec_finish(&frames);
    rcp_defs_finish(&defs);
    rcp_arena_finish(&arena);
    return is;
}

/* One that is a replay's end is told with that race, and goes with it. */
static const rcp_suppression *match_deadlock(rcp_suppressions *of, const rcp_findings *findings,
                                             const rcp_deadlock *deadlock) {
    const rcp_suppression *by = deadlock->race ? findings->proven.at[deadlock->race - 1].suppressed : NULL;
    for (size_t i = 0; i < of->lines.len; i++) {
        rcp_suppression *line = &of->lines.at[i];
        bool is = false;
        for (size_t k = 0; line->kind == RCP_SUPPRESS_DEADLOCK && k < deadlock->waits.len && !is; k++)
            is = wait_matches(of, line, deadlock->waits.at[k], findings->program);
        line->matched += is;
        by = by ? by : is ? line : NULL;
    }
    return by;
}

static void apply_to_deadlocks(rcp_suppressions *of, rcp_findings *findings, rcp_deadlocks *list) {
    for (size_t i = 0; i < list->len;) {
        const rcp_suppression *by = match_deadlock(of, findings, &list->at[i]);
        if (by)
            rcp_findings_set_deadlock_aside(findings, list, i, by);
        else
            i++;
    }
}

void rcp_suppressions_apply(rcp_suppressions *of, rcp_findings *findings) {
    matcher m = {.of = of};
    findings->suppressions = of;
    for (size_t i = 0; i < of->lines.len; i++)
        of->lines.at[i].matched = 0;
    for (size_t i = 0; i < findings->proven.len; i++) {
        rcp_suppression *by = match_race(&m, findings, &findings->proven.at[i]);
        if (by)
            rcp_findings_set_aside(findings, &findings->proven.at[i], by);
    }
    finish_matcher(&m);
    rcp_findings_note_not_tried(findings);
    apply_to_deadlocks(of, findings, &findings->deadlocks);
    apply_to_deadlocks(of, findings, &findings->possible);
}
