/* SPDX-License-Identifier: Apache-2.0 */
#include "results/statistics.h"

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

static const rcp_statistic_row rows[RCP_STATISTICS] = {
#define ROW(id, group_, label_, json_) [RCP_STATISTIC_##id] = {group_, label_, json_},
#include "results/statistics.def"
#undef ROW
};

const rcp_statistic_row *rcp_statistic_borrow_row(rcp_statistic_id id) {
    RCP_CHECK(id < RCP_STATISTICS);
    return &rows[id];
}

void rcp_statistic_key(rcp_statistic_id id, const char *of, char key[RCP_STATISTIC_KEY]) {
    const rcp_statistic_row *row = rcp_statistic_borrow_row(id);
    RCP_CHECK(!of == (row->group && row->label));
    const char *group = row->group ? row->group : of, *label = row->label ? row->label : of;
    int n = snprintf(key, RCP_STATISTIC_KEY, "%s%s%s", group, *group ? ": " : "", label);
    RCP_CHECK(n > 0 && n < RCP_STATISTIC_KEY);
}

const char *rcp_statistic_label(const char *key) {
    const char *colon = strstr(key, ": ");
    return colon ? colon + 2 : key;
}

rcp_statistic_id rcp_statistic_find(const char *key) {
    const char *label = rcp_statistic_label(key);
    size_t n = label > key ? (size_t)(label - key) - 2 : 0;
    rcp_statistic_id any =
        RCP_STATISTICS; /* of one model, or of one of several: where no row has the words themselves */
    for (unsigned i = 0; i < RCP_STATISTICS; i++) {
        const rcp_statistic_row *row = &rows[i];
        bool is_group = row->group && strlen(row->group) == n && !memcmp(row->group, key, n);
        bool is_label = row->label && !strcmp(row->label, label);
        if (is_group && is_label)
            return (rcp_statistic_id)i;
        if ((is_group && !row->label) || (is_label && !row->group && n))
            any = (rcp_statistic_id)i;
    }
    return any;
}
