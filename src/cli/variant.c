/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/variant.h"

#include "base/hash.h"
#include "cli/judging.h"
#include "cli/recorded.h"
#include "cli/targets.h"
#include "trace/check/wellformed.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

char *rcp_variant_take_path(const char *directory, uint32_t number) {
    const rcp_race race = {.variant = number};
    return rcp_race_take_directory(&race, directory);
}

void rcp_variant_remove(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        rcp_text file = {0};
        rcp_text_printf(&file, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlink(file.at);
        rcp_text_finish(&file);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

uint64_t rcp_variants_pair_of(const rcp_defs *a_defs, const rcp_event *a, const rcp_defs *b_defs, const rcp_event *b) {
    uint64_t one = rcp_targets_point(a_defs, a), two = rcp_targets_point(b_defs, b);
    return rcp_hash_join(one < two ? one : two, one < two ? two : one);
}

uint64_t rcp_variants_pair(const rcp_defs *defs, const rcp_event *a, const rcp_event *b) {
    return rcp_variants_pair_of(defs, a, defs, b);
}

static rcp_code check(const char *path, bool *is) {
    rcp_reader *reader;
    RCP_TRY(rcp_recorded_prepare(path, false));
    RCP_TRY(rcp_reader_open(path, &reader));
    rcp_wellformed *check = rcp_wellformed_create(rcp_reader_borrow_defs(reader), rcp_reader_borrow_terms(reader));
    rcp_code code = rcp_wellformed_read(check, reader);
    *is = code == RCP_OK && !rcp_wellformed_finish(check);
    rcp_wellformed_destroy(check);
    rcp_reader_close(reader);
    return code;
}

bool rcp_variant_is_run(const char *path, rcp_text *why) {
    bool is = false;
    rcp_code code = check(path, &is);
    const char *cause = code == RCP_OK ? NULL : rcp_borrow_cause(0);
    if (!is)
        rcp_text_puts(why, cause ? cause : "it breaks a rule of traces");
    rcp_clear_causes();
    return is;
}

typedef struct analysing {
    rcp_variant *variant;
    rcp_judging judging;
} analysing;

static bool is_known(void *context, const rcp_trace *trace, rcp_candidate pair) {
    const rcp_variant *v = ((const analysing *)context)->variant;
    uint64_t key = rcp_variants_pair(&trace->defs, &trace->events.at[pair.a], &trace->events.at[pair.b]);
    return (v->only && rcp_map_get(v->only, key) == RCP_MAP_NONE) || rcp_map_get(v->known, key) != RCP_MAP_NONE;
}

static rcp_code take_race(void *context, rcp_race *race) {
    analysing *a = context;
    rcp_variant *v = a->variant;
    rcp_code code = RCP_OK;
    bool was_proven = rcp_race_is_proven(race);
    uint64_t feasible = a->judging.feasible;
    if (was_proven)
        rcp_judging_race(&a->judging, race);
    if (was_proven && a->judging.feasible > feasible) {
        race->variant = v->number;
        race->models = v->models;
        race->model = rcp_model_name(rcp_model_first(race->models));
        v->races++;
        const rcp_event *e = a->judging.trace.events.at;
        rcp_map_set(v->known, rcp_variants_pair(&a->judging.trace.defs, &e[race->event[0].v], &e[race->event[1].v]), 1);
        code = v->sink(v->context, race, v->path);
    } else
        v->not_judged += was_proven;
    rcp_race_finish(race);
    return code;
}

rcp_code rcp_variant_analyze(rcp_variant *v, const rcp_predict_options *with) {
    rcp_predict_options how = *with;
    rcp_predict_report report;
    analysing a = {.variant = v};
    how.models = RCP_MODEL_BIT(RCP_MODEL_RECIPE_S);
    how.is_known = is_known;
    how.memory = NULL;
    how.progress = NULL;
    how.warnings = NULL;
    rcp_judging_init(&a.judging, v->path);
    rcp_code code = rcp_predict_analyze(v->path, &how, take_race, &a, &report);
    rcp_judging_finish(&a.judging);
    rcp_predict_report_finish(&report);
    return code;
}
