/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/json.h"
#include "report/entries.h"
#include "report/suppressions.h"
#include "report/together.h"
#include "trace/model/own_place.h"

#include <string.h>

/* In the order of `rules`. */
enum { RACE, UNCONFIRMED, DEADLOCK };

static const struct {
    const char *id, *name, *what, *more, *level;
} rules[] = {
    [RACE] =
        {"data-race", "DataRace", "Two threads access the same memory, one of them writes, and nothing orders them.",
         "The behaviour of the program is not defined. A schedule that leads to both accesses is in the code flow; "
         "'recipe replay' carries it out on the program.",
         "error"},
    [UNCONFIRMED] = {"unconfirmed-race", "UnconfirmedRace",
                     "A data race that the checkers accepted and no replay showed.",
                     "It may be none: it is not counted as a race.", "note"},
    [DEADLOCK] = {"deadlock", "Deadlock", "Every thread waits for another.",
                  "The recorded run, or the replay of a race, ended in it.", "error"},
};

static void separate(rcp_text *to, size_t i, const char *indent) {
    rcp_text_printf(to, "%s%s", i ? ",\n" : "\n", indent);
}

/* "message": { "text": … }. "[a](b)" would be a link: no name is one. */
static void message(rcp_text *to, const char *words) {
    rcp_text text = {0};
    rcp_text_puts(&text, "");
    for (; *words; words++) {
        rcp_text_add(&text, words, 1);
        if (words[0] == ']' && words[1] == '(')
            rcp_text_puts(&text, " ");
    }
    rcp_text_puts(to, "\"message\": { ");
    rcp_json_put_string(to, "text", text.at);
    rcp_text_puts(to, " }");
    rcp_text_finish(&text);
}

/* A path as a URI (RFC 3986), or as a reference to one where it is relative. */
static void put_uri(rcp_text *to, const char *path) {
    rcp_text uri = {0};
    rcp_text_puts(&uri, *path == '/' ? "file://" : "");
    for (; *path; path++) {
        const unsigned char c = (unsigned char)*path;
        const bool is_plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || strchr("/-._~", c);
        rcp_text_printf(&uri, is_plain ? "%c" : "%%%02X", c);
    }
    rcp_json_put_string(to, "uri", uri.at);
    rcp_text_finish(&uri);
}

typedef struct spot {
    const char *file, *function;
    uint32_t line, column;
} spot;

/* `id` 0: none is given. */
static void location(rcp_text *to, const spot *at, unsigned id, const char *words) {
    rcp_text_puts(to, "{ ");
    if (id)
        rcp_text_printf(to, "\"id\": %u, ", id);
    if (*at->file) {
        rcp_text_puts(to, "\"physicalLocation\": { \"artifactLocation\": { ");
        put_uri(to, at->file);
        rcp_text_puts(to, " }");
        if (at->line)
            rcp_text_printf(to, ", \"region\": { \"startLine\": %u", at->line);
        if (at->line && at->column)
            rcp_text_printf(to, ", \"startColumn\": %u", at->column);
        rcp_text_puts(to, at->line ? " } }, " : " }, ");
    }
    if (*at->function) {
        rcp_text_puts(to, "\"logicalLocations\": [{ ");
        rcp_json_put_string(to, "fullyQualifiedName", at->function);
        rcp_text_puts(to, ", \"kind\": \"function\" }], ");
    }
    message(to, words);
    rcp_text_puts(to, " }");
}

static spot spot_of(const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    return (spot){rcp_defs_borrow_string(defs, at->file), rcp_defs_borrow_string(defs, at->function), at->line,
                  at->column};
}

/* "write, thread 0.1 (race 2)" */
static void access_words(rcp_text *to, const rcp_finding *finding, size_t slot) {
    rcp_text_clear(to);
    rcp_finding_does(to, &finding->access[slot], &finding->deed[slot]);
    rcp_text_puts(to, ", ");
    rcp_finding_thread(to, finding->defs, finding->access[slot].tid);
    rcp_text_printf(to, " (race %u)", finding->id);
}

static void access_location(rcp_text *to, const rcp_finding *finding, size_t slot, unsigned id) {
    rcp_text words = {0};
    const spot at = spot_of(finding->defs, rcp_own_place(finding->defs, &finding->access[slot]));
    access_words(&words, finding, slot);
    location(to, &at, id, words.at);
    rcp_text_finish(&words);
}

/* --- the schedule: a flow per thread, whose places are numbered through --- */

typedef struct flow {
    rcp_text *to;
    const rcp_finding *finding;
    rcp_tid tid;
    size_t places;
} flow;

static void flow_place(flow *f, const spot *at, size_t order, const char *importance, const char *words) {
    separate(f->to, f->places++, "              ");
    rcp_text_puts(f->to, "{ \"location\": ");
    location(f->to, at, 0, words);
    rcp_text_printf(f->to, ", \"executionOrder\": %zu, \"importance\": \"%s\" }", order, importance);
}

static void flow_stop(flow *f, const rcp_stop *stop, size_t order, const char *before) {
    rcp_text words = {0};
    const rcp_defs *defs = f->finding->defs;
    const rcp_event event = {.loc = stop->loc, .stack = stop->stack};
    const spot at = spot_of(defs, rcp_own_place(defs, &event));
    rcp_text_puts(&words, before);
    rcp_finding_thread(&words, defs, stop->tid);
    rcp_text_puts(&words, " runs to ");
    rcp_finding_stop(&words, defs, stop);
    flow_place(f, &at, order, "important", words.at);
    rcp_text_finish(&words);
}

static void thread_flow(rcp_text *to, const rcp_finding *finding, rcp_tid tid) {
    flow f = {to, finding, tid, 0};
    rcp_text name = {0};
    rcp_finding_thread(&name, finding->defs, tid);
    rcp_text_puts(to, "{ ");
    rcp_json_put_string(to, "id", name.at);
    rcp_text_puts(to, ", \"locations\": [");
    rcp_text_finish(&name);
    size_t order = 1, steps = finding->race->witness.steps.len;
    if (finding->recorded.eid.v != RCP_NO_EID.v && order++ && finding->recorded.tid.v == tid.v)
        flow_stop(&f, &finding->recorded, 1, "all threads run as recorded: ");
    for (size_t i = 0; i < steps; i++, order++)
        if (finding->schedule[i].tid.v == tid.v)
            flow_stop(&f, &finding->schedule[i], order, "");
    for (size_t k = 0; k < 2; k++) { /* in either order: both have the same place in it */
        if (finding->access[k].tid.v != tid.v)
            continue;
        rcp_text words = {0};
        const spot at = spot_of(finding->defs, rcp_own_place(finding->defs, &finding->access[k]));
        access_words(&words, finding, k);
        rcp_text_puts(&words, " is next");
        flow_place(&f, &at, order, "essential", words.at);
        rcp_text_finish(&words);
    }
    rcp_text_puts(to, "] }");
}

static bool is_in_schedule(const rcp_finding *finding, rcp_tid tid) {
    if (finding->access[0].tid.v == tid.v || finding->access[1].tid.v == tid.v)
        return true;
    if (finding->recorded.eid.v != RCP_NO_EID.v && finding->recorded.tid.v == tid.v)
        return true;
    for (size_t i = 0; i < finding->race->witness.steps.len; i++)
        if (finding->schedule[i].tid.v == tid.v)
            return true;
    return false;
}

static void code_flow(rcp_text *to, const rcp_finding *finding) {
    rcp_text words = {0};
    rcp_text_printf(&words, "A schedule that leads to race %u", finding->id);
    rcp_text_puts(to, "{ ");
    message(to, words.at);
    rcp_text_finish(&words);
    rcp_text_puts(to, ", \"threadFlows\": [");
    for (uint32_t t = 0, n = 0; t < finding->defs->threads.len; t++)
        if (is_in_schedule(finding, (rcp_tid){t})) {
            separate(to, n++, "            ");
            thread_flow(to, finding, (rcp_tid){t});
        }
    rcp_text_puts(to, "] }");
}

static void stack(rcp_text *to, const rcp_finding *finding, size_t slot) {
    const rcp_defs *defs = finding->defs;
    rcp_text words = {0};
    access_words(&words, finding, slot);
    rcp_text_puts(to, "{ ");
    message(to, words.at);
    rcp_text_puts(to, ", \"frames\": [");
    size_t n = 0;
    rcp_loc loc = finding->access[slot].loc;
    for (rcp_stack s = finding->access[slot].stack;; s = defs->stacks.at[s.v].caller) {
        const spot at = spot_of(defs, loc);
        if (loc.v) {
            separate(to, n++, "            ");
            rcp_text_puts(to, "{ \"location\": ");
            location(to, &at, 0, at.function);
            rcp_text_puts(to, " }");
        }
        if (!s.v)
            break;
        loc = defs->stacks.at[s.v].loc;
    }
    rcp_text_puts(to, "] }");
    rcp_text_finish(&words);
}

/* --- results --- */

static void begin_result(rcp_text *to, int rule, const char *words) {
    rcp_text_printf(to, "{ \"ruleId\": \"%s\", \"ruleIndex\": %d, \"level\": \"%s\",\n        ", rules[rule].id, rule,
                    rules[rule].level);
    message(to, words);
}

static void entry_words(rcp_text *to, const rcp_bug *entry) {
    rcp_bug_headline(to, entry);
    rcp_text_puts(to, ". ");
    rcp_text_puts(to, entry->status == RCP_RACE_CONFIRMED      ? "Shown on the program."
                      : entry->status == RCP_RACE_PREDICTED    ? "A schedule of the recorded run proves it."
                      : entry->status == RCP_RACE_NOT_REPLAYED ? "The checkers accepted a schedule, and its replay did "
                                                                 "not show it."
                                                               : "The checkers accepted a schedule, and no replay was "
                                                                 "tried.");
}

static void entry_properties(rcp_text *to, const rcp_bug *entry) {
    rcp_text_puts(to, "\"properties\": { ");
    rcp_json_put_string(to, "status", rcp_race_status_name(entry->status));
    rcp_text_puts(to, ", \"races\": [");
    for (size_t i = 0; i < entry->findings.len; i++)
        rcp_text_printf(to, "%s%u", i ? ", " : "", entry->findings.at[i]->id);
    rcp_text_puts(to, "], \"fingerprints\": [");
    for (size_t i = 0; i < entry->findings.len; i++)
        rcp_text_printf(to, "%s\"%016llx\"", i ? ", " : "", (unsigned long long)entry->findings.at[i]->fingerprint);
    rcp_text_puts(to, "], ");
    rcp_json_put_string(to, "why", entry->findings.at[0]->race->why ? entry->findings.at[0]->race->why : "");
    rcp_text_puts(to, " }");
}

/* Where there is a baseline every result says how it stands to it. */
static void put_baseline_state(rcp_text *to, const rcp_findings *findings, bool is_known) {
    if (findings->has_baseline)
        rcp_text_printf(to, "\"baselineState\": \"%s\",\n        ", is_known ? "unchanged" : "new");
}

static void put_suppression(rcp_text *to, const rcp_suppression *by) {
    rcp_text words = {0};
    if (!by)
        return;
    rcp_suppression_print(&words, by);
    rcp_text_puts(to, "\"suppressions\": [{ \"kind\": \"external\", ");
    rcp_json_put_string(to, "justification", words.at);
    rcp_text_puts(to, " }],\n        ");
    rcp_text_finish(&words);
}

static void entry_result(rcp_text *to, const rcp_findings *findings, const rcp_bug *entry) {
    rcp_text words = {0};
    const rcp_finding *first = entry->findings.at[0];
    entry_words(&words, entry);
    begin_result(to, rcp_bug_is_unconfirmed(entry) ? UNCONFIRMED : RACE, words.at);
    rcp_text_finish(&words);
    rcp_text_puts(to, ",\n        \"locations\": [");
    access_location(to, first, 0, 0);
    rcp_text_puts(to, "],\n        \"relatedLocations\": [");
    for (size_t i = 0, n = 0; i < entry->findings.len; i++)
        for (size_t k = !i; k < 2; k++) { /* the very first is the location */
            separate(to, n++, "          ");
            access_location(to, entry->findings.at[i], k, (unsigned)n);
        }
    rcp_text_puts(to, "],\n        \"stacks\": [");
    for (size_t k = 0; k < 2; k++) {
        separate(to, k, "          ");
        stack(to, first, k);
    }
    rcp_text_puts(to, "],\n        \"codeFlows\": [");
    for (size_t i = 0; i < entry->findings.len; i++) {
        separate(to, i, "          ");
        code_flow(to, entry->findings.at[i]);
    }
    rcp_text_printf(to, "],\n        \"partialFingerprints\": { \"recipeRace/v1\": \"%016llx\" },\n        ",
                    (unsigned long long)first->fingerprint);
    put_baseline_state(to, findings, first->is_known);
    put_suppression(to, first->suppressed);
    entry_properties(to, entry);
    rcp_text_puts(to, " }");
}

static const char *member(const rcp_json *object, const char *key) {
    const char *string = rcp_json_string(rcp_json_member(object, key));
    return string ? string : "";
}

static void deadlock_result(rcp_text *to, const rcp_findings *findings, const rcp_deadlock *deadlock, bool is_known) {
    rcp_arena arena;
    rcp_arena_init(&arena);
    begin_result(to, DEADLOCK,
                 deadlock->race ? "Deadlock: every thread waits for another; the replay of a race ended so."
                                : "Deadlock: every thread waits for another; the recorded run ended so.");
    rcp_text_puts(to, ",\n        \"locations\": [");
    size_t listed = 0;
    for (size_t i = 0; i < deadlock->waits.len; i++) {
        const rcp_json *wait;
        rcp_code code = rcp_json_parse("a wait", deadlock->waits.at[i], strlen(deadlock->waits.at[i]), &arena, &wait);
        RCP_CHECK(code == RCP_OK); /* rcp_deadlock_add() has looked */
        const spot at = {member(wait, "file"), member(wait, "function"),
                         (uint32_t)rcp_json_number(rcp_json_member(wait, "line")),
                         (uint32_t)rcp_json_number(rcp_json_member(wait, "column"))};
        rcp_text words = {0};
        const char *name = member(wait, "variable");
        rcp_text_printf(&words, "thread %s waits for a %s%s%s", member(wait, "thread_name"), member(wait, "waits_for"),
                        *name ? " " : "", name);
        separate(to, listed++, "          ");
        location(to, &at, 0, words.at);
        rcp_text_finish(&words);
    }
    rcp_text_puts(to, "],\n        ");
    put_baseline_state(to, findings, is_known);
    put_suppression(to, deadlock->suppressed);
    rcp_text_puts(to, "\"properties\": { ");
    rcp_json_put_string(to, "process", deadlock->process);
    rcp_text_printf(to, ", \"race\": %u } }", deadlock->race);
    rcp_arena_finish(&arena);
}

static void entry_results(rcp_text *to, const rcp_findings *findings, const rcp_bugs *list, size_t *n) {
    for (size_t i = 0; i < list->len; i++) {
        separate(to, (*n)++, "      ");
        entry_result(to, findings, &list->at[i]);
    }
}

static void deadlock_results(rcp_text *to, const rcp_findings *findings, const rcp_deadlocks *list, size_t *n) {
    for (size_t i = 0; i < list->len; i++) {
        separate(to, (*n)++, "      ");
        deadlock_result(to, findings, &list->at[i], list == &findings->known_deadlocks);
    }
}

static void result_list(rcp_text *to, const rcp_findings *findings) {
    rcp_entries entries;
    size_t n = 0;
    rcp_entries_make(&entries, findings);
    rcp_text_puts(to, "    \"results\": [");
    entry_results(to, findings, &entries.list, &n);
    entry_results(to, findings, &entries.known, &n);
    entry_results(to, findings, &entries.suppressed, &n);
    deadlock_results(to, findings, &findings->deadlocks, &n);
    deadlock_results(to, findings, &findings->known_deadlocks, &n);
    deadlock_results(to, findings, &findings->suppressed_deadlocks, &n);
    rcp_text_puts(to, "],\n");
    rcp_entries_finish(&entries);
}

/* --- the run --- */

static void tool(rcp_text *to) {
    rcp_text_puts(to, "    \"tool\": { \"driver\": { \"name\": \"recipe\", \"version\": \"" RECIPE_VERSION "\",\n"
                      "      \"rules\": [");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        separate(to, i, "        ");
        rcp_text_puts(to, "{ ");
        rcp_json_put_string(to, "id", rules[i].id);
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "name", rules[i].name);
        rcp_text_puts(to, ", \"shortDescription\": { ");
        rcp_json_put_string(to, "text", rules[i].what);
        rcp_text_puts(to, " }, \"fullDescription\": { ");
        rcp_json_put_string(to, "text", rules[i].more);
        rcp_text_printf(to, " }, \"defaultConfiguration\": { \"level\": \"%s\" } }", rules[i].level);
    }
    rcp_text_puts(to, "] } },\n");
}

/* What was not looked at is said here, too: no result without a word is an answer. */
static void invocation(rcp_text *to, const rcp_findings *findings) {
    rcp_text_puts(to, "    \"invocations\": [{ \"executionSuccessful\": true, \"toolExecutionNotifications\": [");
    for (size_t i = 0; i < findings->gaps.len; i++) {
        const rcp_gap *gap = &findings->gaps.at[i];
        rcp_text words = {0};
        rcp_text_printf(&words, "Not looked at: %s", gap->reason);
        separate(to, i, "      ");
        rcp_text_puts(to, "{ \"level\": \"warning\", ");
        message(to, words.at);
        rcp_text_finish(&words);
        rcp_text_printf(to, ", \"properties\": { \"kind\": \"%s\", \"count\": %llu, ", rcp_gap_kind_name(gap->kind),
                        (unsigned long long)gap->count);
        rcp_json_put_strings(to, "names", gap->names.at, gap->names.len);
        rcp_text_puts(to, " } }");
    }
    rcp_text_puts(to, "] }],\n");
}

void rcp_report_sarif(rcp_text *to, const rcp_findings *findings) {
    const char *slash = strrchr(findings->program, '/');
    rcp_text id = {0};
    rcp_text_printf(&id, "recipe/%s/", slash && slash[1] ? slash + 1 : findings->program);
    rcp_text_puts(to, "{ \"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                      "sarif-schema-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n");
    tool(to);
    rcp_text_puts(to, "    \"automationDetails\": { ");
    rcp_json_put_string(to, "id", id.at);
    rcp_text_puts(to, " },\n");
    rcp_text_finish(&id);
    invocation(to, findings);
    result_list(to, findings);
    rcp_text_puts(to, "    \"properties\": { ");
    rcp_json_put_string(to, "program", findings->program);
    rcp_text_printf(to, ", \"complete\": %s } }] }\n", findings->gaps.len ? "false" : "true");
}
