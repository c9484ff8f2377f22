/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/variant.h"

#include "analysis/by_language.h"
#include "analysis/make_race.h"
#include "analysis/points.h"
#include "analysis/recorded.h"
#include "base/deadline.h"
#include "base/file.h"
#include "program/recording/recording.h"
#include "trace/check/wellformed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *rcp_variant_take_path(const char *directory, uint32_t number) {
    const rcp_race race = {.variant = number};
    return rcp_race_take_directory(&race, directory);
}

rcp_code rcp_variant_settle(const rcp_performance *p, const char *to) {
    static const char *const own[] = {"log", "image"};
    char *slash = strrchr(to, '/');
    char home[4200];
    snprintf(home, sizeof home, "%.*s", (int)(slash - to), to);
    if ((mkdir(home, 0777) && errno != EEXIST) || mkdir(to, 0777))
        return rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", to, strerror(errno));
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < sizeof own / sizeof *own; i++) {
        char *from = rcp_file_take_path(p->log, own[i]), *there = rcp_file_take_path(to, own[i]);
        if (rename(from, there))
            code = rcp_fail(RCP_SYSTEM, "%s: can't be moved: %s", from, strerror(errno));
        rcp_release(from);
        rcp_release(there);
    }
    return code == RCP_OK ? rcp_recording_link_shared(to) : code;
}

static rcp_code check(rcp_subject *run, const rcp_stand *stops, size_t n_stops, bool *is) {
    RCP_TRY(n_stops ? rcp_recorded_prepare_until(run->directory, stops, n_stops)
                    : rcp_recorded_prepare(run->directory, NULL));
    RCP_TRY(rcp_subject_open(run));
    rcp_wellformed *check =
        rcp_wellformed_create(rcp_reader_borrow_defs(run->reader), rcp_reader_borrow_terms(run->reader));
    uint64_t n;
    rcp_code code = rcp_wellformed_read(check, run->reader, &n);
    if (code == RCP_OK && n < rcp_reader_count(run->reader))
        code = rcp_deadline_fail("it was seen whether it is an execution");
    *is = code == RCP_OK && !rcp_wellformed_finish(check);
    rcp_wellformed_destroy(check);
    return code;
}

rcp_code rcp_variant_is_run(rcp_subject *run, bool *is, rcp_text *why) {
    return rcp_variant_is_run_until(run, NULL, 0, is, why);
}

rcp_code rcp_variant_is_run_until(rcp_subject *run, const rcp_stand *stops, size_t n, bool *is, rcp_text *why) {
    *is = false;
    rcp_code code = check(run, stops, n, is);
    if (code == RCP_SYSTEM)
        return code;
    const char *cause = code == RCP_OK ? NULL : rcp_borrow_cause(0);
    if (!*is)
        rcp_text_puts(why, cause ? cause : "it breaks a rule of traces");
    rcp_clear_causes();
    return RCP_OK;
}

typedef struct analysing {
    rcp_study *study;
    rcp_variant *variant;
} analysing;

static bool is_known(void *context, const rcp_trace *trace, rcp_candidate pair) {
    const analysing *a = context;
    const rcp_map *only = a->variant->only;
    uint64_t key = rcp_point_pair(&trace->defs, &trace->events.at[pair.a], &trace->events.at[pair.b]);
    return (only && rcp_map_get(only, key) == RCP_MAP_NONE) || rcp_map_get(&a->study->known, key) != RCP_MAP_NONE;
}

static rcp_code take_race(void *context, rcp_race *race) {
    analysing *a = context;
    rcp_variant *v = a->variant;
    rcp_code code = RCP_OK;
    if (rcp_race_is_proven(race)) {
        bool kept;
        race->models = v->models;
        race->model = rcp_model_name(rcp_model_first(race->models));
        code = rcp_make_race(a->study, v->run, race, &kept);
        v->races += code == RCP_OK && kept;
        v->not_judged += code == RCP_OK && !kept;
    }
    rcp_race_finish(race);
    return code;
}

rcp_code rcp_variant_analyze(rcp_study *study, rcp_variant *v, const rcp_predict_options *with) {
    rcp_predict_options how = *with;
    rcp_predict_report report;
    analysing a = {.study = study, .variant = v};
    how.models = RCP_MODEL_BIT(RCP_MODEL_RECIPE_S);
    how.is_known = is_known;
    how.memory = NULL;
    how.progress = NULL;
    how.warnings = NULL;
    RCP_TRY(rcp_subject_load(v->run, rcp_study_events(study->options)));
    RCP_TRY(rcp_subject_lay_groundwork(v->run));
    rcp_code code = rcp_predict_analyze(v->run->groundwork, &how, take_race, &a, &report);
    v->pairs += report.analysis.candidates;
    rcp_predict_report_finish(&report);
    uint64_t by_language = 0;
    if (code == RCP_OK && study->options->models & RCP_MODEL_BIT(RCP_MODEL_C11) && !v->only)
        code = rcp_by_language_take(study, v->run, &by_language);
    v->races += by_language;
    return code;
}
