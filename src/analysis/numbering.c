/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/numbering.h"

#include "analysis/variant.h"
#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

rcp_code rcp_numbering_list_used(rcp_study *study, rcp_map *used) {
    rcp_summary summary;
    rcp_map_init(used);
    RCP_TRY(rcp_subject_open(&study->run)); /* it may rest */
    const uint64_t key = rcp_results_key(study->run.reader);
    rcp_code code = rcp_results_load(study->results, key, &summary);
    for (size_t i = 0; i < summary.races.len; i++)
        rcp_map_set(used, summary.races.at[i].variant, 1);
    for (size_t i = 0; i < summary.statistics.len; i++)
        if (summary.statistics.at[i].id == RCP_STATISTIC_HUNT_DEADLOCK ||
            summary.statistics.at[i].id == RCP_STATISTIC_HUNT_CRASH)
            rcp_map_set(used, (uint64_t)summary.statistics.at[i].value, 1);
    for (size_t i = 0; i < summary.violations.len; i++)
        rcp_map_set(used, summary.violations.at[i].variant, 1);
    rcp_summary_finish(&summary);
    rcp_hunted_variants needed = {0};
    if (code == RCP_OK)
        code = rcp_results_hunted_variants(study->results, key, &needed);
    for (size_t i = 0; i < needed.len; i++)
        rcp_map_set(used, needed.at[i], 1);
    rcp_vec_finish(&needed);
    return code;
}

rcp_code rcp_numbering_begin(rcp_numbering *n, rcp_study *study, uint32_t beyond) {
    *n = (rcp_numbering){.directory = study->options->directory, .next = 1, .beyond = beyond};
    return rcp_numbering_list_used(study, &n->used);
}

void rcp_numbering_finish(rcp_numbering *n) { rcp_map_finish(&n->used); }

char *rcp_numbering_take_place(const rcp_numbering *n) { return rcp_variant_take_path(n->directory, n->beyond); }

static rcp_code has_log(const char *variant, const rcp_text *log, bool *is_same) {
    rcp_text there = {0};
    rcp_code code = rcp_file_read_if_there(variant, "log", &there);
    *is_same = code == RCP_OK && there.len == log->len && !memcmp(there.at ? there.at : "", log->at, log->len);
    rcp_text_finish(&there);
    return code;
}

/* Does what was made get the number that is next? Its place is then that number's. */
static rcp_code try_next(rcp_numbering *n, const char *made, const rcp_text *log, bool *is_it) {
    char *path = rcp_variant_take_path(n->directory, n->next);
    const bool is_used = rcp_map_get(&n->used, n->next) != RCP_MAP_NONE;
    rcp_code code = RCP_OK;
    *is_it = !is_used;
    if (is_used && rcp_file_is_there(path))
        code = has_log(path, log, is_it);
    if (code == RCP_OK && *is_it && n->next != n->beyond) {
        rcp_file_remove_tree(path);
        if (rename(made, path))
            code = rcp_fail(RCP_SYSTEM, "%s: can't be moved to %s: %s", made, path, strerror(errno));
    }
    rcp_release(path);
    return code;
}

rcp_code rcp_numbering_settle(rcp_numbering *n, uint32_t *number) {
    char *made = rcp_numbering_take_place(n);
    rcp_text log = {0};
    bool is_it = false;
    rcp_code code = rcp_file_read_if_there(made, "log", &log);
    for (; code == RCP_OK && !is_it; n->next++) {
        code = try_next(n, made, &log, &is_it);
        *number = n->next;
    }
    if (n->beyond < n->next)
        n->beyond = n->next;
    rcp_text_finish(&log);
    rcp_release(made);
    return code;
}
