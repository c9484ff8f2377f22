/* SPDX-License-Identifier: Apache-2.0 */
#include "report/diff.h"

#include "base/map.h"
#include "report/lines.h"

#include <string.h>

rcp_code rcp_diff_read(rcp_diff_side *side, const char *name, rcp_text *take_text) {
    *side = (rcp_diff_side){.name = name, .text = *take_text};
    *take_text = (rcp_text){0};
    rcp_arena_init(&side->arena);
    rcp_baseline_init(&side->known);
    const char *at = side->text.at ? side->text.at : "";
    RCP_TRY(rcp_json_parse(name, at, side->text.len, &side->arena, &side->all));
    if (!rcp_json_member(side->all, "entries"))
        return rcp_fail(RCP_BAD_INPUT, "%s: is no report of recipe's --format json: it has no entries", name);
    return rcp_baseline_parse(&side->known, name, at, side->text.len);
}

void rcp_diff_finish(rcp_diff_side *side) {
    rcp_arena_finish(&side->arena);
    rcp_text_finish(&side->text);
    rcp_baseline_finish(&side->known);
}

/* --- what one side has and the other one has not --- */

typedef struct item {
    const rcp_json *is; /* an entry, a deadlock or a crash */
    const char *kind;   /* "race" … */
    unsigned id;        /* of an entry: of its first missing pair */
    size_t missing;     /* of its pairs; of what has none 1 */
    size_t all;
    bool is_unconfirmed;
} item;

typedef struct difference {
    RCP_VEC(item) missing; /* in the other one, all or a part */
    size_t same;           /* in both, whole */
} difference;

static const char *string_of(const rcp_json *object, const char *key) {
    const char *string = rcp_json_string(rcp_json_member(object, key));
    return string ? string : "";
}

static const rcp_json *first_of(const rcp_json *object, const char *key) {
    const rcp_json *list = rcp_json_member(object, key);
    return list && list->kind == RCP_JSON_LIST ? list->first : NULL;
}

static void add(difference *to, const item *found) {
    if (found->missing)
        rcp_vec_push(&to->missing, *found);
    else
        to->same++;
}

/* The ids of pairs that the other one has not. */
static void find_missing(const rcp_diff_side *side, const rcp_diff_side *other, rcp_map *ids) {
    static const char *const keys[] = {"races", "unconfirmed", "known"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (const rcp_json *race = first_of(side->all, keys[k]); race; race = race->next)
            if (!rcp_baseline_has(&other->known, race, true))
                rcp_map_set(ids, (uint64_t)rcp_json_number(rcp_json_member(race, "id")), 1);
}

static void compare_entries(difference *to, const rcp_diff_side *side, const rcp_map *missing, const char *key) {
    for (const rcp_json *entry = first_of(side->all, key); entry; entry = entry->next) {
        item found = {.is = entry, .kind = "race", .is_unconfirmed = !strncmp(string_of(entry, "status"), "not-", 4)};
        for (const rcp_json *id = first_of(entry, "races"); id; id = id->next, found.all++)
            if (rcp_map_get(missing, (uint64_t)rcp_json_number(id)) != RCP_MAP_NONE && !found.missing++)
                found.id = (unsigned)rcp_json_number(id);
        add(to, &found);
    }
}

/* Deadlocks, or crashes. */
static void compare_ends(difference *to, const rcp_diff_side *side, const rcp_diff_side *other, const char *key,
                         const char *kind) {
    for (const rcp_json *end = first_of(side->all, key); end; end = end->next) {
        const char *status = string_of(end, "status");
        const item found = {.is = end,
                            .kind = kind,
                            .all = 1,
                            .missing = !rcp_baseline_has(&other->known, end, false),
                            .is_unconfirmed = !strncmp(status, "not-", 4) || !strcmp(status, "predicted")};
        add(to, &found);
    }
}

static void compare(difference *to, const rcp_diff_side *side, const rcp_diff_side *other) {
    rcp_map missing;
    rcp_map_init(&missing);
    find_missing(side, other, &missing);
    *to = (difference){0};
    compare_entries(to, side, &missing, "entries");
    compare_entries(to, side, &missing, "known_entries");
    compare_ends(to, side, other, "deadlocks", "deadlock");
    compare_ends(to, side, other, "known_deadlocks", "deadlock");
    compare_ends(to, side, other, "crashes", "crash");
    compare_ends(to, side, other, "known_crashes", "crash");
    compare_ends(to, side, other, "atomicity", "atomicity violation");
    compare_ends(to, side, other, "known_atomicity", "atomicity violation");
    compare_entries(to, side, &missing, "unconfirmed_entries");
    compare_ends(to, side, other, "unconfirmed_deadlocks", "deadlock");
    rcp_map_finish(&missing);
}

size_t rcp_diff_new(const rcp_diff_side *before, const rcp_diff_side *after) {
    difference new;
    size_t n = 0;
    compare(&new, after, before);
    for (size_t i = 0; i < new.missing.len; i++)
        n += !new.missing.at[i].is_unconfirmed;
    rcp_vec_finish(&new.missing);
    return n;
}

/* --- words --- */

/* "`x` is written in …", "2 threads wait, each for another", "SIGABRT: …" */
static void describe(rcp_text *to, const item *found) {
    size_t threads = 0;
    if (!strcmp(found->kind, "race")) {
        rcp_text_puts(to, string_of(found->is, "headline"));
    } else if (!strcmp(found->kind, "crash")) {
        rcp_text_printf(to, "%s: %s", string_of(found->is, "signal"), string_of(found->is, "message"));
    } else if (!strcmp(found->kind, "atomicity violation")) {
        const rcp_json *read = first_of(found->is, "accesses");
        rcp_text_printf(to, "on %s: in %s (%s:%.0f)", string_of(found->is, "variable"), string_of(read, "function"),
                        string_of(read, "file"), rcp_json_number(rcp_json_member(read, "line")));
    } else {
        const rcp_json *wait = first_of(found->is, "threads");
        const char *function = string_of(wait, "function"), *file = string_of(wait, "file");
        for (const rcp_json *one = wait; one; one = one->next)
            threads++;
        rcp_text_printf(to, "%zu threads wait, each for another", threads);
        if (*file)
            rcp_text_printf(to, ", the first in %s (%s:%.0f)", function, file,
                            rcp_json_number(rcp_json_member(wait, "line")));
    }
}

static void item_line(rcp_text *to, const item *found) {
    rcp_text line = {0};
    const char *status = string_of(found->is, "status");
    rcp_text_printf(&line, "%s%s", found->is_unconfirmed ? "unconfirmed " : "", found->kind);
    if (found->id)
        rcp_text_printf(&line, " %u", found->id);
    rcp_text_puts(&line, ": ");
    describe(&line, found);
    if (*status)
        rcp_text_printf(&line, " (%s)", status);
    if (found->missing < found->all)
        rcp_text_printf(&line, ", %zu of %zu pairs", found->missing, found->all);
    rcp_text_puts(to, "  ");
    rcp_lines_plain(to, line.at);
    rcp_text_puts(to, "\n");
    rcp_text_finish(&line);
}

static void part(rcp_text *to, rcp_ink ink, const char *word, const char *name, const difference *of) {
    if (!of->missing.len)
        return;
    rcp_lines_ink(to, ink);
    rcp_text_printf(to, "%s ", word);
    rcp_lines_plain(to, name);
    rcp_text_puts(to, ":\n");
    rcp_lines_ink(to, RCP_INK_END);
    for (size_t i = 0; i < of->missing.len; i++)
        item_line(to, &of->missing.at[i]);
    rcp_text_puts(to, "\n");
}

void rcp_diff_text(rcp_text *to, const rcp_diff_side *before, const rcp_diff_side *after, bool is_coloured) {
    const size_t from = to->len;
    difference new, gone;
    compare(&new, after, before);
    compare(&gone, before, after);
    part(to, RCP_INK_BAD, "New in", after->name, &new);
    part(to, RCP_INK_GOOD, "Gone since", before->name, &gone);
    rcp_text_printf(to, "%zu new, %zu gone, %zu in both.\n", new.missing.len, gone.missing.len, new.same);
    rcp_lines_paint(to, from, is_coloured);
    rcp_vec_finish(&new.missing);
    rcp_vec_finish(&gone.missing);
}

/* --- JSON --- */

static void item_list(rcp_text *to, const char *key, const difference *of) {
    rcp_text words = {0};
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < of->missing.len; i++) {
        const item *found = &of->missing.at[i];
        rcp_text_puts(to, i ? ",\n    { " : "\n    { ");
        rcp_json_put_string(to, "kind", found->kind);
        if (found->id)
            rcp_text_printf(to, ", \"id\": %u", found->id);
        rcp_text_printf(to, ", \"unconfirmed\": %s, \"pairs\": %zu, \"pairs_missing\": %zu, ",
                        found->is_unconfirmed ? "true" : "false", found->all, found->missing);
        rcp_json_put_string(to, "status", string_of(found->is, "status"));
        rcp_text_puts(to, ", ");
        rcp_text_clear(&words);
        describe(&words, found);
        rcp_json_put_string(to, "headline", words.at ? words.at : "");
        rcp_text_puts(to, " }");
    }
    rcp_text_puts(to, of->missing.len ? "\n  ],\n" : "],\n");
    rcp_text_finish(&words);
}

void rcp_diff_json(rcp_text *to, const rcp_diff_side *before, const rcp_diff_side *after) {
    difference new, gone;
    compare(&new, after, before);
    compare(&gone, before, after);
    rcp_text_puts(to, "{ \"version\": 1, ");
    rcp_json_put_string(to, "before", before->name);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "after", after->name);
    rcp_text_puts(to, ",\n");
    item_list(to, "new", &new);
    item_list(to, "gone", &gone);
    rcp_text_printf(to, "  \"same\": %zu }\n", new.same);
    rcp_vec_finish(&new.missing);
    rcp_vec_finish(&gone.missing);
}
