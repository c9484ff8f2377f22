/* SPDX-License-Identifier: Apache-2.0 */
/* Atomicity violations as findings: what the summary has of them as JSON objects (docs/report.md). */
#include "report/finding.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* NULL: it is no object. */
static const rcp_json *parse(const char *told, rcp_arena *arena) {
    const rcp_json *object = NULL;
    if (rcp_json_parse("an atomicity violation", told, strlen(told), arena, &object) != RCP_OK)
        rcp_clear_causes();
    return object;
}

static void take_counts(rcp_findings *findings, const char *told) {
    static const char *const keys[RCP_PARTED_COUNTS] = {"places", "possible", "not_shown", "lost", "runs"};
    rcp_arena arena;
    rcp_arena_init(&arena);
    const rcp_json *asked = parse(told, &arena);
    for (int i = 0; i < RCP_PARTED_COUNTS; i++)
        findings->parted_counts[i] += (uint64_t)rcp_json_number(rcp_json_member(asked, keys[i]));
    const char *why_not = rcp_json_string(rcp_json_member(asked, "why_not"));
    if (why_not)
        rcp_gaps_add(&findings->gaps, RCP_GAP_CUT, 1,
                     "What other threads' sections part was not carried out, or not to its end (--atomicity): %s.",
                     why_not);
    findings->has_parted = true;
    rcp_arena_finish(&arena);
}

static void take(rcp_findings *findings, const char *told) {
    rcp_arena arena;
    rcp_arena_init(&arena);
    const rcp_json *object = parse(told, &arena);
    const char *word = rcp_json_string(rcp_json_member(object, "fingerprint"));
    const uint64_t fingerprint = strtoull(word ? word : "", NULL, 16);
    if (object)
        rcp_vec_push(&findings->parted, ((rcp_parted){.told = told, .process = "", .fingerprint = fingerprint}));
    rcp_arena_finish(&arena);
}

void rcp_findings_add_parted(rcp_findings *findings, const rcp_summary *summary) {
    for (size_t i = 0; i < summary->violations.len; i++) {
        const rcp_violation *v = &summary->violations.at[i];
        (v->variant ? take : take_counts)(findings, v->told);
    }
}

void rcp_findings_join_parted(rcp_findings *all, const rcp_findings *part, const char *process) {
    for (size_t i = 0; i < part->parted.len; i++) {
        rcp_parted one = part->parted.at[i];
        one.process = process;
        rcp_vec_push(&all->parted, one);
    }
    for (int i = 0; i < RCP_PARTED_COUNTS; i++)
        all->parted_counts[i] += part->parted_counts[i];
    all->has_parted |= part->has_parted;
}

void rcp_findings_finish_parted(rcp_findings *findings) {
    rcp_vec_finish(&findings->parted);
    rcp_vec_finish(&findings->known_parted);
}

void rcp_findings_set_parted_aside(rcp_findings *findings, bool (*is_known)(const void *context, uint64_t fingerprint),
                                   const void *context) {
    size_t kept = 0;
    for (size_t i = 0; i < findings->parted.len; i++) {
        const rcp_parted one = findings->parted.at[i];
        if (is_known(context, one.fingerprint))
            rcp_vec_push(&findings->known_parted, one);
        else
            findings->parted.at[kept++] = one;
    }
    findings->parted.len = kept;
}
