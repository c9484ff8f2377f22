/* SPDX-License-Identifier: Apache-2.0 */
#include "report/hunted.h"

#include <stdlib.h>

enum { MOST = 1000 }; /* that anybody may have kept */

void rcp_hunted_curve_read(rcp_hunted_curve *curve, const rcp_findings *findings) {
    const rcp_summary *summary = findings->summary;
    *curve = (rcp_hunted_curve){.len = 0};
    for (size_t i = 0; i < summary->statistics.len && !findings->together; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        const unsigned long number = strtoul(rcp_statistic_label(s->key), NULL, 10);
        if (s->id < RCP_STATISTIC_HUNT_AT_SECONDS || s->id > RCP_STATISTIC_HUNT_AT_RACES || number >= MOST)
            continue;
        while (curve->len <= number)
            rcp_vec_push(curve, (rcp_hunted_point){.seconds = 0});
        rcp_hunted_point *point = &curve->at[number];
        double *const of[] = {&point->seconds, &point->runs, &point->classes, &point->branches, &point->races};
        *of[s->id - RCP_STATISTIC_HUNT_AT_SECONDS] = s->value;
    }
}

void rcp_hunted_curve_print(rcp_text *to, const rcp_hunted_curve *curve) {
    enum { PARTS = 4 };
    const size_t n = curve->len;
    if (n < 2 || curve->at[n - 1].seconds < 1)
        return;
    size_t before = 0;
    for (size_t part = 1; part <= PARTS; part++) {
        const size_t at = (n - 1) * part / PARTS;
        const rcp_hunted_point *p = &curve->at[at];
        if (at == before)
            continue;
        rcp_text_printf(to, before ? ", after %.1f s %.0f%s and %.0f%s" : " After %.1f s %.0f%s and %.0f%s", p->seconds,
                        p->classes,
                        before           ? ""
                        : p->classes > 1 ? " classes"
                                         : " class",
                        p->races,
                        before                         ? ""
                        : p->races > 1 || p->races < 1 ? " races"
                                                       : " race");
        before = at;
    }
    rcp_text_puts(to, ".");
}
