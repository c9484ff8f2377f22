/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_work.h"

#include "analysis/by_language.h"
#include "analysis/closed.h"
#include "analysis/decisions.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/file.h"

#include <inttypes.h>
#include <string.h>

bool rcp_hunt_is_cut(const rcp_hunt_work *w) {
    return *w->how->stop || rcp_deadline_is_over() || w->leftovers.why_not.len;
}

bool rcp_hunt_is_over(const rcp_hunt_work *w) {
    return rcp_hunt_is_cut(w) || w->is_full || w->state.made >= rcp_limit(RCP_LIMIT_HUNT_RUNS);
}

/* --- runs --- */

void rcp_hunt_charge(rcp_hunt_work *w, rcp_hunt_run *run) {
    rcp_limit_counts before = w->charged;
    rcp_limits_sum(&w->charged);
    for (size_t i = 0; run && i < RCP_LIMITS && !rcp_hunt_is_cut(w); i++) {
        run->reached.at[i] += w->charged.at[i] - before.at[i];
        run->is_changed |= w->charged.at[i] > before.at[i];
    }
}

rcp_code rcp_hunt_take_run(rcp_hunt_work *w, rcp_subject *subject, rcp_hunt_goal *aim, rcp_hunt_run **run) {
    rcp_decisions decisions;
    rcp_decisions_take(&decisions, &subject->trace);
    *run = NULL;
    if (aim)
        aim->has_ended = rcp_decisions_end_at(&aim->from->decisions, aim->place, &decisions);
    if (rcp_hunt_seen_has(&w->seen, &decisions)) {
        rcp_decisions_finish(&decisions);
        return RCP_OK;
    }
    *run = rcp_hunt_state_add(&w->state, subject);
    (*run)->decisions = decisions;
    RCP_TRY(rcp_subject_lay_groundwork(subject));
    const char *why = rcp_closed_why_not(subject->groundwork, &(*run)->may_stand);
    (*run)->why_open = why ? rcp_copy(why, strlen(why) + 1) : NULL;
    rcp_hunt_seen_note(&w->seen, *run);
    return RCP_OK;
}

double rcp_hunt_seconds(const rcp_hunt_work *w) { return w->state.seconds + rcp_seconds_now() - w->began; }

rcp_code rcp_hunt_put_find(const rcp_hunt_work *w, uint32_t variant, uint64_t made) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_HUNT_FOUND_RUN, (double)made + 1},
        {RCP_STATISTIC_HUNT_FOUND_SECONDS, rcp_hunt_seconds(w)},
    };
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, variant);
    return rcp_results_put_statistics(w->study.results, number, rows, sizeof rows / sizeof *rows);
}

/* What time has cut short is looked for once more. `made`: before it was. */
static rcp_code find_races(rcp_hunt_work *w, rcp_hunt_run *run, uint64_t made) {
    rcp_variant variant = {.run = run->subject, .models = RCP_MODEL_BIT(RCP_MODEL_HUNT)};
    uint64_t by_language = 0;
    rcp_code code = rcp_variant_analyze(&w->study, &variant, &w->options.predict);
    if (code == RCP_OK)
        code = rcp_by_language_take(&w->study, run->subject, &by_language);
    if (variant.races + by_language && run->variant)
        RCP_TRY(rcp_hunt_put_find(w, run->variant, made));
    if (code != RCP_OK || rcp_hunt_is_cut(w))
        return code;
    w->state.pairs += variant.pairs;
    run->is_searched = run->is_changed = true;
    rcp_hunt_charge(w, run);
    return RCP_OK;
}

/* --- how far it is --- */

/* Each pair once, whichever models have it. */
static uint64_t count_races(const rcp_hunt_work *w) {
    uint64_t n = w->study.known.len;
    RCP_MAP_EACH(&w->study.by_language, slot)
        n += rcp_map_get(&w->study.known, slot->key) == RCP_MAP_NONE;
    return n;
}

void rcp_hunt_note_point(rcp_hunt_work *w) {
    uint64_t sides;
    const rcp_hunt_point at = {.seconds = rcp_hunt_seconds(w),
                               .runs = w->state.made + 1,
                               .classes = w->state.runs.len,
                               .branches = rcp_hunt_seen_sides(&w->seen, &sides),
                               .races = count_races(w)};
    rcp_hunt_curve_add(&w->state.curve, &at);
    rcp_notices_progress(w->notices, &(rcp_progress){.stage = RCP_PROGRESS_HUNT,
                                                     .done = at.branches,
                                                     .all = sides,
                                                     .found = at.races,
                                                     .runs = at.runs,
                                                     .classes = at.classes,
                                                     .pairs = w->state.pairs,
                                                     .seconds = rcp_seconds_now() - w->began});
}

/* Whoever reports has them, should this call be killed. */
static rcp_code put_numbers(const rcp_hunt_work *w) {
    uint64_t sides;
    const uint64_t gone = rcp_hunt_seen_sides(&w->seen, &sides);
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_HUNT_RUNS, (double)w->state.made + 1},
        {RCP_STATISTIC_HUNT_CLASSES, (double)w->state.runs.len},
        {RCP_STATISTIC_HUNT_OPEN, (double)rcp_hunt_state_open(&w->state)},
        {RCP_STATISTIC_HUNT_AGAIN, (double)w->state.again},
        {RCP_STATISTIC_HUNT_LOST, (double)rcp_hunt_state_lost(&w->state)},
        {RCP_STATISTIC_HUNT_BRANCHES, (double)gone},
        {RCP_STATISTIC_HUNT_BRANCHES_ALL, (double)sides},
        {RCP_STATISTIC_HUNT_PAIRS, (double)w->state.pairs},
        {RCP_STATISTIC_HUNT_SECONDS, rcp_hunt_seconds(w)},
    };
    return rcp_results_put_statistics(w->study.results, NULL, rows, sizeof rows / sizeof *rows);
}

/* Runs in which nobody has looked for what others' sections part; of these, whose recordings are gone: of what an
 * earlier call has settled that did not ask for it. */
static uint64_t count_not_parted(const rcp_hunt_work *w, uint64_t *gone) {
    uint64_t n = 0;
    *gone = 0;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        n += !w->state.runs.at[i]->is_parted;
        *gone += !w->state.runs.at[i]->is_parted && !w->state.runs.at[i]->subject;
    }
    return n;
}

rcp_code rcp_hunt_put_atomicity(const rcp_hunt_work *w) {
    uint64_t gone;
    rcp_text why = {0};
    const uint64_t n = count_not_parted(w, &gone);
    if (w->staged.why_not || w->leftovers.why_not.len)
        rcp_text_puts(&why, w->staged.why_not ? w->staged.why_not : w->leftovers.why_not.at);
    else if (n)
        rcp_text_printf(&why, "of %zu classes of runs %" PRIu64 " were not looked at", w->state.runs.len, n);
    if (gone)
        rcp_text_printf(&why, "; %" PRIu64 " were hunted without it, and their recordings are gone", gone);
    rcp_code code = rcp_atomicity_keep(&w->atomicity, why.len ? why.at : NULL, NULL);
    rcp_text_finish(&why);
    return code;
}

rcp_code rcp_hunt_keep(rcp_hunt_work *w) {
    const double seconds = w->state.seconds;
    w->state.seconds = rcp_hunt_seconds(w);
    rcp_code code = rcp_hunt_state_keep(&w->state, w->study.results, w->asking);
    w->state.seconds = seconds;
    w->kept = rcp_seconds_now();
    if (code == RCP_OK && w->is_parting)
        code = rcp_hunt_put_atomicity(w);
    return code == RCP_OK ? put_numbers(w) : code;
}

rcp_code rcp_hunt_measure(rcp_hunt_work *w, uint32_t variant) {
    const uint64_t most = rcp_limit(RCP_LIMIT_HUNT_SIZE) << 20;
    char *path = rcp_variant_take_path(w->options.directory, variant);
    const uint64_t bytes = variant ? rcp_file_tree_bytes(path) : 0;
    rcp_release(path);
    w->bytes += bytes;
    w->most = bytes > w->most ? bytes : w->most;
    if (!most || w->bytes + w->most <= most)
        return RCP_OK;
    RCP_TRY(rcp_hunt_keep(w)); /* which says who is needed */
    RCP_TRY(rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory)));
    w->bytes = rcp_file_tree_bytes(w->options.directory);
    w->is_full = w->bytes + w->most > most;
    return RCP_OK;
}

/* --- a run is searched --- */

/* For what others' sections part; likewise. Recordings that show something stay. */
static rcp_code part(rcp_hunt_work *w, rcp_hunt_run *run) {
    const char *directory = w->options.directory;
    const uint32_t next = rcp_variants_next(directory);
    RCP_TRY(rcp_atomicity_look(&w->atomicity, run->subject));
    if (rcp_hunt_is_cut(w))
        return RCP_OK;
    rcp_atomicity_remember(&w->atomicity, &w->state.atomicity);
    run->is_parted = run->is_changed = true;
    rcp_hunt_charge(w, run);
    for (uint32_t i = next; i < rcp_variants_next(directory); i++)
        RCP_TRY(rcp_hunt_measure(w, i));
    return RCP_OK;
}

bool rcp_hunt_is_to_part(const rcp_hunt_work *w, const rcp_hunt_run *run) { return w->is_parting && !run->is_parted; }

rcp_code rcp_hunt_search(rcp_hunt_work *w, rcp_hunt_run *run, uint64_t made) {
    if (!run->is_searched)
        RCP_TRY(find_races(w, run, made));
    return rcp_hunt_is_to_part(w, run) && !rcp_hunt_is_cut(w) && !w->is_full ? part(w, run) : RCP_OK;
}
