/* SPDX-License-Identifier: Apache-2.0 */
#include "report/entries.h"

#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

/* --- which findings belong together: those that have a key in common, and those that others link --- */

typedef struct key {
    char *words;
    uint32_t finding;
} key;

typedef RCP_VEC(key) keys;

static const char *name_of(const rcp_defs *defs, rcp_str string) { return rcp_defs_borrow_string(defs, string); }

/* A function of the program; with `line`, or where no function is known, the line in it. */
static void add_side(rcp_text *to, const rcp_finding *finding, size_t slot, bool line) {
    const rcp_loc loc = rcp_own_place(finding->defs, &finding->access[slot]);
    const rcp_location *at = &finding->defs->locations.at[loc.v];
    rcp_text_printf(to, "%s\n%s\n", name_of(finding->defs, at->file), name_of(finding->defs, at->function));
    if (line || !at->function.v)
        rcp_text_printf(to, "%u", at->line);
    rcp_text_puts(to, "\n");
}

/* Both, in an order that does not depend on which came first. */
static void add_sides(rcp_text *to, const rcp_finding *finding, bool line) {
    rcp_text side[2] = {{0}, {0}};
    for (size_t k = 0; k < 2; k++)
        add_side(&side[k], finding, k, line);
    bool turn = strcmp(side[0].at, side[1].at) > 0;
    rcp_text_puts(to, side[turn].at);
    rcp_text_puts(to, side[!turn].at);
    rcp_text_finish(&side[0]);
    rcp_text_finish(&side[1]);
}

/* Memory that nothing is known of is told apart by its address where no place in the program does it. */
static void add_object(rcp_text *to, const rcp_finding *finding) {
    bool is_placed = finding->access[0].loc.v && finding->access[1].loc.v;
    const char *member = rcp_finding_member(finding), *of = strstr(member, " of ");
    if (finding->variable)
        rcp_text_printf(to, "variable %s", name_of(finding->defs, finding->variable->name));
    else if (finding->allocated.v) {
        rcp_text_puts(to, "allocated ");
        rcp_finding_frame(to, finding->defs, finding->allocated);
    } else if (*member) { /* of one object, mostly */
        rcp_text_printf(to, "member %.*s%s", (int)strcspn(member, ".["), member, of ? of : "");
    } else if (!is_placed || finding->deed[0].slot)
        rcp_text_printf(to, "at %llx", (unsigned long long)finding->address);
}

static bool is_in_library(const rcp_finding *finding) {
    for (size_t k = 0; k < 2; k++)
        if (rcp_own_place(finding->defs, &finding->access[k]).v != finding->access[k].loc.v)
            return true;
    return false;
}

static void add_keys(keys *to, const rcp_finding *finding, uint32_t place) {
    const rcp_fate fate = rcp_finding_fate(finding);
    const char *apart = fate == RCP_FATE_SUPPRESSED              ? "suppressed"
                        : fate == RCP_FATE_KNOWN                 ? "known"
                        : rcp_race_is_unconfirmed(finding->race) ? "unconfirmed"
                                                                 : "shown";
    rcp_text object = {0}, lines = {0};
    rcp_text_printf(&object, "%s object ", apart);
    add_sides(&object, finding, false);
    add_object(&object, finding);
    rcp_vec_push(to, ((key){object.at, place}));
    if (!is_in_library(finding))
        return;
    rcp_text_printf(&lines, "%s lines ", apart);
    add_sides(&lines, finding, true);
    rcp_vec_push(to, ((key){lines.at, place}));
}

static int by_words(const void *x, const void *y) {
    const key *a = x, *b = y;
    int c = strcmp(a->words, b->words);
    return c ? c : a->finding < b->finding ? -1 : a->finding > b->finding;
}

static uint32_t root_of(uint32_t *parent, uint32_t at) {
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

/* Who stands for each finding: the first one that belongs to it. */
static uint32_t *link_all(const rcp_findings *findings) {
    keys all = {0};
    uint32_t *parent = rcp_alloc_zero(findings->proven.len + 1, sizeof *parent);
    for (uint32_t i = 0; i < findings->proven.len; i++) {
        parent[i] = i;
        add_keys(&all, &findings->proven.at[i], i);
    }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_words);
    for (size_t i = 1; i < all.len; i++) {
        if (strcmp(all.at[i - 1].words, all.at[i].words) != 0)
            continue;
        uint32_t a = root_of(parent, all.at[i - 1].finding), b = root_of(parent, all.at[i].finding);
        parent[a < b ? b : a] = a < b ? a : b;
    }
    for (size_t i = 0; i < all.len; i++)
        rcp_release(all.at[i].words);
    rcp_vec_finish(&all);
    for (uint32_t i = 0; i < findings->proven.len; i++)
        parent[i] = root_of(parent, i);
    return parent;
}

/* --- which one to read first --- */

/* Shown on the program rather than accepted by the checkers, with what either order leads to; in the recorded run
 * rather than in one that was thought out; along a schedule rather than by the rules of the language; at the program's
 * own lines; of what has a name; what says most of the bug; soon.
 */
static int compare_ease(const rcp_finding *a, const rcp_finding *b) {
    const bool is_harder[][2] = {
        {a->race->status != RCP_RACE_CONFIRMED, b->race->status != RCP_RACE_CONFIRMED},
        {a->race->status == RCP_RACE_NOT_TRIED, b->race->status == RCP_RACE_NOT_TRIED},
        {rcp_race_is_beside(a->race), rcp_race_is_beside(b->race)},
        {a->race->variant != 0, b->race->variant != 0},
        {rcp_model_first(a->models) == RCP_MODEL_C11, rcp_model_first(b->models) == RCP_MODEL_C11},
        {is_in_library(a), is_in_library(b)},
        {!a->variable, !b->variable},
    };
    for (size_t i = 0; i < sizeof is_harder / sizeof *is_harder; i++)
        if (is_harder[i][0] != is_harder[i][1])
            return is_harder[i][0] ? 1 : -1;
    const int more = rcp_finding_verbs(b) - rcp_finding_verbs(a);
    if (more)
        return more;
    size_t x = a->race->witness.steps.len, y = b->race->witness.steps.len;
    return x != y ? (x < y ? -1 : 1) : a->id < b->id ? -1 : a->id > b->id;
}

static int by_ease(const void *x, const void *y) {
    return compare_ease(*(const rcp_finding *const *)x, *(const rcp_finding *const *)y);
}

/* Those that `root` says are one entry, which is all of them. */
static void make_list(rcp_bugs *list, const rcp_findings *findings, const uint32_t *root, rcp_fate fate) {
    uint32_t *place = rcp_alloc_zero(findings->proven.len + 1, sizeof *place); /* of the entry, by who stands for it */
    for (uint32_t i = 0; i < findings->proven.len; i++) {
        if (rcp_finding_fate(&findings->proven.at[i]) != fate)
            continue;
        if (root[i] == i) {
            place[i] = (uint32_t)list->len;
            rcp_vec_push(list, ((rcp_bug){0}));
        }
        rcp_vec_push(&list->at[place[root[i]]].findings, &findings->proven.at[i]);
    }
    for (size_t i = 0; i < list->len; i++) {
        rcp_bug *entry = &list->at[i];
        qsort(entry->findings.at, entry->findings.len, sizeof *entry->findings.at, by_ease);
        entry->status = entry->findings.at[0]->race->status; /* which is how they are sorted */
    }
    rcp_release(place);
}

void rcp_entries_make(rcp_entries *entries, const rcp_findings *findings) {
    *entries = (rcp_entries){0};
    uint32_t *root = link_all(findings);
    make_list(&entries->list, findings, root, RCP_FATE_COUNTS);
    make_list(&entries->known, findings, root, RCP_FATE_KNOWN);
    make_list(&entries->suppressed, findings, root, RCP_FATE_SUPPRESSED);
    for (size_t i = 0; i < entries->list.len; i++)
        entries->count[entries->list.at[i].status]++;
    rcp_release(root);
}

static void finish_list(rcp_bugs *list) {
    for (size_t i = 0; i < list->len; i++)
        rcp_vec_finish(&list->at[i].findings);
    rcp_vec_finish(list);
}

void rcp_entries_finish(rcp_entries *entries) {
    finish_list(&entries->list);
    finish_list(&entries->known);
    finish_list(&entries->suppressed);
}
