/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/json.h"
#include "report/entries.h"
#include "report/hunted.h"
#include "report/suppressions.h"
#include "report/together.h"

#include <string.h>

static void separate(rcp_text *to, size_t i) { rcp_text_puts(to, i ? ", " : ""); }

typedef struct number {
    const char *key;
    uint64_t n;
} number;

static void numbers(rcp_text *to, const number *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        separate(to, i);
        rcp_json_put_number(to, at[i].key, at[i].n);
    }
}

static void models(rcp_text *to, uint32_t mask) {
    rcp_text_puts(to, "\"models\": [");
    for (unsigned i = 0, n = 0; i < RCP_MODELS; i++)
        if (mask & RCP_MODEL_BIT(i)) {
            separate(to, n++);
            rcp_json_quote(to, rcp_model_name((rcp_model)i));
        }
    rcp_text_puts(to, "]");
}

/* A piece of text made by one of the words of finding.h, quoted. */
static void quoted(rcp_text *to, rcp_text *piece) {
    rcp_json_quote(to, piece->at ? piece->at : "");
    rcp_text_clear(piece);
}

/* Innermost first. */
static void frames(rcp_text *to, const rcp_defs *defs, rcp_loc loc, rcp_stack stack) {
    rcp_text piece = {0};
    size_t n = 0;
    rcp_text_puts(to, "\"stack\": [");
    if (loc.v) {
        rcp_finding_frame(&piece, defs, loc);
        quoted(to, &piece);
        n++;
    }
    for (rcp_stack s = stack; s.v; s = defs->stacks.at[s.v].caller) {
        separate(to, n++);
        rcp_finding_frame(&piece, defs, defs->stacks.at[s.v].loc);
        quoted(to, &piece);
    }
    rcp_text_puts(to, "]");
    rcp_text_finish(&piece);
}

static void lock_objects(rcp_text *to, const rcp_defs *defs, const rcp_owned_list *locks) {
    rcp_text_puts(to, ", \"holds\": [");
    for (size_t i = 0; i < locks->len; i++) {
        const rcp_object *object = &defs->objects.at[locks->at[i].object.v];
        rcp_text_puts(to, i ? ",\n            { " : "\n            { ");
        rcp_json_put_string(to, "object", rcp_object_kind_name((rcp_object_kind)object->kind));
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "variable", rcp_defs_borrow_string(defs, object->name));
        rcp_text_printf(to, ", \"address\": \"0x%llx\", ", (unsigned long long)object->addr);
        rcp_json_put_string(to, "mode", rcp_mode_name((rcp_mode)locks->at[i].mode));
        rcp_text_puts(to, ", ");
        frames(to, defs, locks->at[i].loc, locks->at[i].stack);
        rcp_text_puts(to, " }");
    }
    rcp_text_puts(to, "]");
}

static void access_object(rcp_text *to, const rcp_defs *defs, const rcp_event *access, const rcp_deed *deed,
                          const rcp_owned_list *locks) {
    const rcp_location *at = &defs->locations.at[access->loc.v];
    rcp_text_printf(to, "        { \"thread\": %u, ", access->tid.v);
    rcp_json_put_string(to, "thread_name", rcp_defs_borrow_string(defs, defs->threads.at[access->tid.v].name));
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "op", rcp_finding_op(access));
    rcp_text_printf(to, ", \"atomic\": %s, ", rcp_event_is_atomic(access) ? "true" : "false");
    if (deed->is_known) {
        rcp_json_put_string(to, "does", rcp_deed_name(deed));
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "object", rcp_deed_object(deed));
        rcp_text_puts(to, ", ");
    }
    rcp_json_put_string(to, "file", rcp_defs_borrow_string(defs, at->file));
    rcp_text_printf(to, ", \"line\": %u, \"column\": %u,\n          ", at->line, at->column);
    rcp_json_put_string(to, "function", rcp_defs_borrow_string(defs, at->function));
    if (at->member.v) {
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "member", rcp_defs_borrow_string(defs, at->member));
    }
    rcp_text_puts(to, ", \"executed\": true, ");
    frames(to, defs, access->loc, access->stack);
    lock_objects(to, defs, locks);
    rcp_text_puts(to, " }");
}

/* Nothing where the search for them came to no end. */
static void put_cures(rcp_text *to, const rcp_race *race) {
    const bool is_by_language = race->models & RCP_MODEL_BIT(RCP_MODEL_C11);
    const char *at = NULL;
    size_t left = is_by_language ? rcp_race_borrow_cures(race, RCP_CURE_FIRST, &at) : 0;
    if (!left && (!is_by_language || !race->why || !strstr(race->why, RCP_CURE_NONE)))
        return;
    rcp_text_puts(to, "\"cures\": [");
    for (size_t n = 0; left; n++) {
        const char *next = memmem(at, left, RCP_CURE_NEXT, strlen(RCP_CURE_NEXT));
        const size_t len = next ? (size_t)(next - at) : left, taken = len + (next ? strlen(RCP_CURE_NEXT) : 0);
        rcp_text cure = {0};
        rcp_text_add(&cure, at, len);
        separate(to, n);
        quoted(to, &cure);
        rcp_text_finish(&cure);
        at += taken;
        left -= taken;
    }
    rcp_text_puts(to, "],\n      ");
}

/* "suppressed_by": { … } */
static void put_suppression(rcp_text *to, const rcp_suppression *by) {
    rcp_text_puts(to, "\"suppressed_by\": { ");
    rcp_json_put_string(to, "suppression", by->words);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "file", by->file);
    rcp_text_printf(to, ", \"line\": %u }", by->line);
}

static void finding_object(rcp_text *to, const rcp_defs *defs, const rcp_finding *finding) {
    rcp_text piece = {0};
    rcp_text_puts(to, "    { ");
    if (finding->id)
        rcp_text_printf(to, "\"id\": %u, ", finding->id);
    rcp_text_printf(to, "\"fingerprint\": \"%016llx\", ", (unsigned long long)finding->fingerprint);
    rcp_json_put_string(to, "model", rcp_model_name(rcp_model_first(finding->models)));
    rcp_text_puts(to, ", ");
    models(to, finding->models);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "status", rcp_race_status_name(finding->race->status));
    if (finding->suppressed) {
        rcp_text_puts(to, ", ");
        put_suppression(to, finding->suppressed);
    }
    if (finding->race->variant)
        rcp_text_printf(to, ", \"recording\": \"variants/%u\"", finding->race->variant);
    rcp_text_puts(to, ",\n      ");
    rcp_json_put_string(to, "why", finding->race->why ? finding->race->why : "");
    rcp_text_puts(to, ",\n      ");
    put_cures(to, finding->race);
    rcp_text_puts(to, "\"variable\": ");
    rcp_finding_variable(&piece, defs, finding);
    quoted(to, &piece);
    rcp_text_printf(
        to, ", \"address\": \"0x%llx\", \"size\": %llu, \"instances\": %llu,\n      \"events\": [%llu, %llu],\n",
        (unsigned long long)finding->address, (unsigned long long)finding->size, (unsigned long long)finding->instances,
        (unsigned long long)finding->race->event[0].v, (unsigned long long)finding->race->event[1].v);
    if (finding->allocated.v) {
        rcp_finding_frame(&piece, defs, finding->allocated);
        rcp_text_puts(to, "      \"allocated\": ");
        quoted(to, &piece);
        rcp_text_puts(to, ",\n");
    }
    if (finding->process) {
        rcp_text_puts(to, "      ");
        rcp_json_put_string(to, "process", finding->process->name);
        rcp_text_puts(to, ", ");
        rcp_json_put_strings(to, "command", finding->process->command.at, finding->process->command.len);
        rcp_text_puts(to, ", \"also_in\": [");
        for (size_t i = 0; i < finding->also.len; i++) {
            separate(to, i);
            rcp_json_quote(to, finding->also.at[i]->name);
        }
        rcp_text_puts(to, "],\n");
    }
    rcp_finding_test(&piece, finding);
    if (piece.len) {
        rcp_text_puts(to, "      \"test\": ");
        quoted(to, &piece);
        rcp_text_puts(to, ",\n");
    }
    rcp_text_puts(to, "      \"accesses\": [\n");
    access_object(to, defs, &finding->access[0], &finding->deed[0], &finding->held[0]);
    rcp_text_puts(to, ",\n");
    access_object(to, defs, &finding->access[1], &finding->deed[1], &finding->held[1]);
    rcp_text_puts(to, " ]");
    if (finding->id) {
        rcp_text_printf(to, ",\n      \"witness\": { \"recorded\": %llu, \"steps\": [",
                        (unsigned long long)finding->race->witness.recorded);
        for (size_t i = 0; i < finding->race->witness.steps.len; i++) {
            const rcp_stop *stop = &finding->schedule[i];
            rcp_text_printf(to, "%s\n        { \"thread\": %u, \"to\": ", i ? "," : "", stop->tid.v);
            rcp_finding_stop(&piece, defs, stop);
            quoted(to, &piece);
            rcp_text_printf(to, ", \"event\": %llu }", (unsigned long long)stop->eid.v);
        }
        rcp_text_puts(to, finding->race->witness.steps.len ? " ] }" : "] }");
    }
    if (finding->race->replay) {
        rcp_text_puts(to, ",\n      ");
        rcp_json_put_string(to, rcp_race_is_shown(finding->race) ? "shown" : "replay", finding->race->replay);
    }
    rcp_text_puts(to, " }");
    rcp_text_finish(&piece);
}

static bool is_race(const rcp_finding *finding) {
    return rcp_finding_fate(finding) == RCP_FATE_COUNTS && !rcp_race_is_unconfirmed(finding->race);
}
static bool is_unconfirmed(const rcp_finding *finding) {
    return rcp_finding_fate(finding) == RCP_FATE_COUNTS && rcp_race_is_unconfirmed(finding->race);
}
static bool is_known(const rcp_finding *finding) { return rcp_finding_fate(finding) == RCP_FATE_KNOWN; }
static bool is_suppressed(const rcp_finding *finding) { return rcp_finding_fate(finding) == RCP_FATE_SUPPRESSED; }

/* Those of one kind. */
static void finding_list(rcp_text *to, const char *key, const rcp_finding *at, size_t n,
                         bool (*is_listed)(const rcp_finding *)) {
    size_t listed = 0;
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        if (!is_listed(&at[i]))
            continue;
        rcp_text_puts(to, listed++ ? ",\n" : "\n");
        finding_object(to, at[i].defs, &at[i]);
    }
    rcp_text_puts(to, listed ? "\n  ]" : "]");
}

/* The findings' numbers by entries. */
static void entry_list(rcp_text *to, const char *key, const rcp_bugs *list, bool (*is_listed)(const rcp_finding *)) {
    size_t listed = 0;
    rcp_text headline = {0};
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < list->len; i++) {
        const rcp_bug *entry = &list->at[i];
        if (!is_listed(entry->findings.at[0]))
            continue;
        rcp_text_puts(to, listed++ ? ",\n    { \"headline\": " : "\n    { \"headline\": ");
        rcp_bug_headline(&headline, entry);
        quoted(to, &headline);
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "status", rcp_race_status_name(entry->status));
        rcp_text_puts(to, ", \"races\": [");
        for (size_t k = 0; k < entry->findings.len; k++)
            rcp_text_printf(to, "%s%u", k ? ", " : "", entry->findings.at[k]->id);
        rcp_text_puts(to, "] }");
    }
    rcp_text_puts(to, listed ? "\n  ],\n" : "],\n");
    rcp_text_finish(&headline);
}

static void deadlock_list(rcp_text *to, const char *key, const rcp_deadlocks *list) {
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < list->len; i++) {
        const rcp_deadlock *deadlock = &list->at[i];
        rcp_text_printf(to, "%s\n    { \"fingerprint\": \"%016llx\", \"status\": \"%s\", ", i ? "," : "",
                        (unsigned long long)deadlock->fingerprint, rcp_deadlock_status(deadlock));
        rcp_json_put_string(to, "process", deadlock->process);
        if (deadlock->suppressed) {
            rcp_text_puts(to, ", ");
            put_suppression(to, deadlock->suppressed);
        }
        if (deadlock->race)
            rcp_text_printf(to, ", \"race\": %u", deadlock->race);
        if (deadlock->replay) {
            rcp_text_puts(to, ", ");
            rcp_json_put_string(to, "replay", deadlock->replay);
        }
        if (deadlock->variant)
            rcp_text_printf(to, ", \"recording\": \"variants/%u\"", deadlock->variant);
        rcp_text_puts(to, ", \"threads\": [");
        for (size_t k = 0; k < deadlock->waits.len; k++)
            rcp_text_printf(to, "%s\n        %s", k ? "," : "", deadlock->waits.at[k]);
        rcp_text_puts(to, "] }");
    }
    rcp_text_puts(to, list->len ? "\n  ]" : "]");
}

/* Every line that was given, with how often it matched. */
static void suppression_list(rcp_text *to, const rcp_suppressions *all) {
    rcp_text_puts(to, "  \"suppressions\": [");
    for (size_t i = 0; all && i < all->lines.len; i++) {
        const rcp_suppression *s = &all->lines.at[i];
        rcp_text_puts(to, i ? ",\n    { " : "\n    { ");
        rcp_json_put_string(to, "suppression", s->words);
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "file", s->file);
        rcp_text_printf(to, ", \"line\": %u, \"matched\": %u }", s->line, s->matched);
    }
    rcp_text_puts(to, all && all->lines.len ? "\n  ],\n" : "],\n");
}

/* Of a hunt. */
static void crash_list(rcp_text *to, const char *key, const rcp_crashes *list) {
    rcp_text_printf(to, "  \"%s\": [", key);
    for (size_t i = 0; i < list->len; i++) {
        const rcp_crash *crash = &list->at[i];
        rcp_text signal = {0};
        const char *colon = strstr(crash->signal, ": ");
        rcp_text_printf(&signal, "%.*s", (int)(colon ? colon - crash->signal : (long)strlen(crash->signal)),
                        crash->signal);
        rcp_text_printf(to, "%s\n    { \"fingerprint\": \"%016llx\", ", i ? "," : "",
                        (unsigned long long)crash->fingerprint);
        rcp_json_put_string(to, "signal", signal.at);
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "message", colon ? colon + 2 : "");
        rcp_text_printf(to, ", \"recording\": \"variants/%u\" }", crash->variant);
        rcp_text_finish(&signal);
    }
    rcp_text_puts(to, list->len ? "\n  ],\n" : "],\n");
}

static void statistic(rcp_text *to, const rcp_summary *summary, rcp_statistic_id id) {
    rcp_json_put_number(to, rcp_statistic_borrow_row(id)->json, (uint64_t)rcp_summary_statistic(summary, id));
}

/* Of the models that explore: what was not looked at, by the reason. Nothing where none was run. */
static void rejected(rcp_text *to, const rcp_summary *summary) {
    const char *group = rcp_statistic_borrow_row(RCP_STATISTIC_REJECTED_END)->group;
    size_t n = 0;
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        const rcp_statistic_row *row = s->id < RCP_STATISTICS ? rcp_statistic_borrow_row(s->id) : NULL;
        if (!row || !row->json || *row->json || strcmp(row->group, group))
            continue;
        if (n++)
            rcp_text_puts(to, ", ");
        else
            rcp_text_printf(to, ", \"%s\": { ", group);
        rcp_json_quote(to, rcp_statistic_label(s->key));
        rcp_text_printf(to, ": %.0f", s->value);
    }
    if (n)
        rcp_text_puts(to, " }");
}

/* What had a first, cheap look, of the models that have one. */
static void first_looks(rcp_text *to, const rcp_summary *summary) {
    for (rcp_statistic_id s = RCP_STATISTIC_ORDERS_UNORDERED; s <= RCP_STATISTIC_ORDERS_ASKED_SECONDS; s++)
        if (summary->work.models & RCP_MODEL_BIT(RCP_MODEL_HB)) {
            rcp_text_puts(to, ", ");
            statistic(to, summary, s);
        }
    const uint32_t predicting =
        RCP_MODEL_BIT(RCP_MODEL_MC) | RCP_MODEL_BIT(RCP_MODEL_RV) | RCP_MODEL_BIT(RCP_MODEL_RECIPE_S);
    if (summary->work.models & predicting) {
        rcp_text_puts(to, ", ");
        statistic(to, summary, RCP_STATISTIC_PREDICTION_LOOKED);
    }
}

/* Of the model bold. */
static void guesses(rcp_text *to, const rcp_summary *summary) {
    if (!(summary->work.models & RCP_MODEL_BIT(RCP_MODEL_BOLD)))
        return;
    for (rcp_statistic_id s = RCP_STATISTIC_STEERING_GUESSES; s <= RCP_STATISTIC_REPLAY_SECONDS; s++) {
        rcp_text_puts(to, ", ");
        statistic(to, summary, s);
    }
}

/* In which run of a hunt, and when, each recording was made that shows something. Two rows have the same words: one
 * group comes after the other. */
static void found(rcp_text *to, const rcp_summary *summary) {
    size_t n = 0;
    for (size_t i = 0; i < summary->statistics.len; i++)
        for (size_t k = 0; summary->statistics.at[i].id == RCP_STATISTIC_HUNT_FOUND_RUN && k < summary->statistics.len;
             k++) {
            const rcp_statistic *run = &summary->statistics.at[i], *seconds = &summary->statistics.at[k];
            if (seconds->id != RCP_STATISTIC_HUNT_FOUND_SECONDS ||
                strcmp(rcp_statistic_label(run->key), rcp_statistic_label(seconds->key)))
                continue;
            rcp_text_printf(to, "%s\n    { \"recording\": \"variants/%s\", \"run\": %.0f, \"seconds\": %.3f }",
                            n++ ? "," : "", rcp_statistic_label(run->key), run->value, seconds->value);
        }
}

static void curve(rcp_text *to, const rcp_findings *findings) {
    rcp_hunted_curve points;
    rcp_hunted_curve_read(&points, findings);
    for (size_t i = 0; i < points.len; i++) {
        const rcp_hunted_point *p = &points.at[i];
        rcp_text_printf(to,
                        "%s\n    { \"seconds\": %.3f, \"runs\": %.0f, \"classes\": %.0f, \"branches\": %.0f, "
                        "\"races\": %.0f }",
                        i ? "," : "", p->seconds, p->runs, p->classes, p->branches, p->races);
    }
    rcp_vec_finish(&points);
}

/* Of a hunt. */
static void hunt(rcp_text *to, const rcp_findings *findings) {
    const rcp_summary *summary = findings->summary;
    size_t n = 0;
    if (!(summary->work.models & RCP_MODEL_BIT(RCP_MODEL_HUNT)))
        return;
    rcp_text_puts(to, "  \"hunt\": { ");
    for (rcp_statistic_id s = RCP_STATISTIC_HUNT_RUNS; s < RCP_STATISTIC_HUNT_SECONDS; s++) {
        statistic(to, summary, s);
        rcp_text_puts(to, ", ");
    }
    rcp_text_printf(to, "\"complete\": %s, \"seconds\": %.3f, \"seconds_before\": %.3f, \"reasons\": [",
                    rcp_findings_are_of_all_runs(findings) ? "true" : "false",
                    rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_SECONDS),
                    rcp_summary_statistic(summary, RCP_STATISTIC_HUNT_BEFORE));
    for (size_t i = 0; i < summary->statistics.len; i++)
        if (summary->statistics.at[i].id == RCP_STATISTIC_HUNT_REASON) {
            separate(to, n++);
            rcp_json_quote(to, rcp_statistic_label(summary->statistics.at[i].key));
        }
    rcp_text_puts(to, "], \"found\": [");
    found(to, summary);
    rcp_text_puts(to, "], \"curve\": [");
    curve(to, findings);
    rcp_text_puts(to, "] },\n");
}

static void not_looked_at(rcp_text *to, const rcp_gaps *gaps) {
    rcp_text_printf(to, ", \"complete\": %s, \"not_looked_at\": [", gaps->len ? "false" : "true");
    for (size_t i = 0; i < gaps->len; i++) {
        const rcp_gap *gap = &gaps->at[i];
        rcp_text_puts(to, i ? ",\n      { " : "\n      { ");
        rcp_json_put_string(to, "reason", gap->reason);
        rcp_text_printf(to, ", \"count\": %llu, ", (unsigned long long)gap->count);
        rcp_json_put_strings(to, "names", gap->names.at, gap->names.len);
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "kind", rcp_gap_kind_name(gap->kind));
        rcp_text_puts(to, " }");
    }
    rcp_text_puts(to, gaps->len ? " ]" : "]");
}

static void process_object(rcp_text *to, const rcp_findings *findings, const rcp_process *process) {
    size_t n = 0;
    rcp_text_puts(to, "    { ");
    rcp_json_put_string(to, "name", process->name);
    rcp_text_puts(to, ", ");
    rcp_json_put_strings(to, "command", process->command.at, process->command.len);
    rcp_text_puts(to, ", ");
    rcp_json_put_string(to, "directory", process->place);
    rcp_text_printf(to, ", \"pid\": %llu, ", (unsigned long long)process->pid);
    if (process->maker) {
        rcp_json_put_string(to, "forked_by", process->maker);
        rcp_text_puts(to, ", ");
    }
    rcp_text_printf(to, "\"analysed\": %s, \"single_threaded\": %s, \"threads\": %llu, \"events\": %llu, \"races\": [",
                    process->events ? "true" : "false", process->is_single ? "true" : "false",
                    (unsigned long long)process->threads, (unsigned long long)process->events);
    for (size_t i = 0; i < findings->proven.len; i++) {
        const rcp_finding *finding = &findings->proven.at[i];
        bool is_here = finding->process == process;
        for (size_t k = 0; k < finding->also.len; k++)
            is_here |= finding->also.at[k] == process;
        if (is_here && is_race(finding))
            rcp_text_printf(to, "%s%u", n++ ? ", " : "", finding->id);
    }
    rcp_text_puts(to, "] }");
}

static void process_list(rcp_text *to, const rcp_findings *findings) {
    rcp_text_puts(to, ",\n  \"processes\": [");
    for (size_t i = 0; i < findings->together->n; i++) {
        rcp_text_puts(to, i ? ",\n" : "\n");
        process_object(to, findings, &findings->together->processes[i]);
    }
    rcp_text_puts(to, "\n  ]");
}

void rcp_report_json(rcp_text *to, const rcp_findings *findings) {
    const rcp_defs *defs = findings->defs;
    const rcp_counts *trace = &findings->counts;
    const rcp_analysis *work = &findings->summary->work;
    const number sizes[] = {
        {"events", trace->events},
        {"threads", trace->threads},
        {"shared_locations", trace->shared},
        {"sync", trace->sync_events},
        {"branches", trace->kinds[RCP_BRANCH]},
        {"opaque_calls", trace->opaque_calls},
        {"weak_atomics", trace->weak},
    };
    rcp_text_puts(to, "{ \"version\": 1,\n  ");
    rcp_json_put_string(to, "program", findings->program);
    rcp_text_puts(to, ", \"command\": [");
    for (size_t i = 0; findings->together && i < findings->together->command.len; i++) {
        separate(to, i);
        rcp_json_quote(to, findings->together->command.at[i]);
    }
    for (size_t i = 0, n = 0; defs && i < defs->facts.len; i++) /* one fact per word of the command */
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), "command")) {
            separate(to, n++);
            rcp_json_quote(to, rcp_defs_borrow_string(defs, defs->facts.at[i].value));
        }
    rcp_text_puts(to, "],\n  \"trace\": { ");
    numbers(to, sizes, sizeof sizes / sizeof *sizes);
    if (findings->loss) {
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "loss", findings->loss);
    }
    rcp_text_puts(to, " },\n  \"analysis\": { ");
    models(to, work->models);
    rcp_text_puts(to, ", ");
    for (rcp_statistic_id s = RCP_STATISTIC_CANDIDATES; s <= RCP_STATISTIC_UNKNOWN; s++) {
        statistic(to, findings->summary, s);
        rcp_text_puts(to, ", ");
    }
    rcp_json_put_number(to, "unproven", findings->unproven.len);
    rcp_text_puts(to, ", ");
    statistic(to, findings->summary, RCP_STATISTIC_PREDICTION_OPAQUE);
    rcp_text_puts(to, ", ");
    statistic(to, findings->summary, RCP_STATISTIC_PREDICTION_REUSE);
    first_looks(to, findings->summary);
    guesses(to, findings->summary);
    rejected(to, findings->summary);
    rcp_text_printf(to, ", \"finished\": %s, \"%s\": %.3f", findings->summary->unfinished ? "false" : "true",
                    rcp_statistic_borrow_row(RCP_STATISTIC_SECONDS)->json, work->seconds);
    not_looked_at(to, &findings->gaps);
    rcp_text_puts(to, " },\n");
    hunt(to, findings);
    rcp_entries entries;
    rcp_entries_make(&entries, findings);
    finding_list(to, "races", findings->proven.at, findings->proven.len, is_race);
    rcp_text_puts(to, ",\n");
    entry_list(to, "entries", &entries.list, is_race);
    finding_list(to, "unconfirmed", findings->proven.at, findings->proven.len, is_unconfirmed);
    rcp_text_puts(to, ",\n");
    entry_list(to, "unconfirmed_entries", &entries.list, is_unconfirmed);
    finding_list(to, "known", findings->proven.at, findings->proven.len, is_known);
    rcp_text_puts(to, ",\n");
    entry_list(to, "known_entries", &entries.known, is_known);
    finding_list(to, "suppressed", findings->proven.at, findings->proven.len, is_suppressed);
    rcp_text_puts(to, ",\n");
    entry_list(to, "suppressed_entries", &entries.suppressed, is_suppressed);
    rcp_entries_finish(&entries);
    deadlock_list(to, "deadlocks", &findings->deadlocks);
    rcp_text_puts(to, ",\n");
    deadlock_list(to, "unconfirmed_deadlocks", &findings->possible);
    rcp_text_puts(to, ",\n");
    deadlock_list(to, "known_deadlocks", &findings->known_deadlocks);
    rcp_text_puts(to, ",\n");
    deadlock_list(to, "suppressed_deadlocks", &findings->suppressed_deadlocks);
    rcp_text_puts(to, ",\n");
    suppression_list(to, findings->suppressions);
    if (findings->summary->work.models & RCP_MODEL_BIT(RCP_MODEL_HUNT)) { /* whatever it has shown */
        crash_list(to, "crashes", &findings->crashes);
        crash_list(to, "known_crashes", &findings->known_crashes);
    }
    finding_list(to, "unproven", findings->unproven.at, findings->unproven.len, is_race);
    if (findings->together)
        process_list(to, findings);
    rcp_text_puts(to, " }\n");
}
