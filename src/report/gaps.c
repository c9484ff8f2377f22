/* SPDX-License-Identifier: Apache-2.0 */
#include "report/gaps.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *rcp_gap_kind_name(rcp_gap_kind kind) {
    static const char *const names[RCP_GAP_KINDS] = {"limit",   "cut",       "threads",   "replays",
                                                     "refused", "annotated", "deadlocks", "outside"};
    RCP_CHECK(kind < RCP_GAP_KINDS);
    return names[kind];
}

static char *copy(const char *string) {
    char *is = rcp_alloc(strlen(string) + 1);
    return strcpy(is, string);
}

rcp_gap *rcp_gaps_add(rcp_gaps *gaps, rcp_gap_kind kind, uint64_t count, const char *format, ...) {
    char reason[1024];
    va_list arguments;
    if (!count)
        return NULL;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    rcp_vec_push(gaps, ((rcp_gap){.kind = kind, .reason = copy(reason), .count = count}));
    return &gaps->at[gaps->len - 1];
}

void rcp_gap_name(rcp_gap *gap, const char *name) { rcp_vec_push(&gap->names, copy(name)); }

bool rcp_gaps_matter(const rcp_gaps *gaps, bool all) {
    for (size_t i = 0; i < gaps->len; i++)
        if (all || (gaps->at[i].kind != RCP_GAP_OUTSIDE && gaps->at[i].kind != RCP_GAP_ANNOTATED &&
                    gaps->at[i].kind != RCP_GAP_DEADLOCKS))
            return true;
    return false;
}

static void finish_gap(rcp_gap *gap) {
    for (size_t k = 0; k < gap->names.len; k++)
        rcp_release(gap->names.at[k]);
    rcp_vec_finish(&gap->names);
    rcp_release(gap->reason);
}

void rcp_gaps_drop(rcp_gaps *gaps, rcp_gap_kind kind) {
    size_t kept = 0;
    for (size_t i = 0; i < gaps->len; i++)
        if (gaps->at[i].kind == kind)
            finish_gap(&gaps->at[i]);
        else
            gaps->at[kept++] = gaps->at[i];
    gaps->len = kept;
}

void rcp_gaps_finish(rcp_gaps *gaps) {
    for (size_t i = 0; i < gaps->len; i++)
        finish_gap(&gaps->at[i]);
    rcp_vec_finish(gaps);
}
