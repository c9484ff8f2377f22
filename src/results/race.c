/* SPDX-License-Identifier: Apache-2.0 */
#include "results/race.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const model_names[RCP_MODELS] = {
    [RCP_MODEL_HB] = "hb",
    [RCP_MODEL_SHB] = "shb",
    [RCP_MODEL_WCP] = "wcp",
    [RCP_MODEL_DC] = "dc",
    [RCP_MODEL_SDP] = "sdp",
    [RCP_MODEL_WDP] = "wdp",
    [RCP_MODEL_MC] = "mc",
    [RCP_MODEL_RV] = "rv",
    [RCP_MODEL_RECIPE_S] = "recipe-s",
    [RCP_MODEL_RECIPE] = "recipe",
    [RCP_MODEL_RECIPE_PLUS] = "recipe+",
    [RCP_MODEL_BOLD] = "bold",
    [RCP_MODEL_C11] = "c11",
    [RCP_MODEL_HUNT] = "hunt",
};

const char *rcp_model_name(rcp_model model) {
    RCP_CHECK(model < RCP_MODELS);
    return model_names[model];
}

bool rcp_model_find(const char *name, rcp_model *model) {
    for (unsigned i = 0; i < RCP_MODELS; i++)
        if (!strcmp(name, model_names[i])) {
            *model = (rcp_model)i;
            return true;
        }
    return false;
}

rcp_model rcp_model_first(uint32_t models) {
    for (unsigned i = 0; i < RCP_MODELS; i++)
        if (models & RCP_MODEL_BIT(i))
            return (rcp_model)i;
    return RCP_MODELS;
}

const char *rcp_race_status_name(rcp_race_status status) {
    static const char *const names[RCP_RACE_STATUSES] = {"unproven",  "undecided",    "predicted",
                                                         "confirmed", "not-replayed", "not-tried"};
    RCP_CHECK(status < RCP_RACE_STATUSES);
    return names[status];
}

bool rcp_race_is_beside(const rcp_race *race) { return race->replay && strstr(race->replay, RCP_REPLAY_BESIDE); }

bool rcp_replay_is_allowed(const char *told) { return !strncmp(told, RCP_REPLAY_ALLOWED, strlen(RCP_REPLAY_ALLOWED)); }

bool rcp_race_is_to_happen(const rcp_race *race) {
    return rcp_model_first(race->models) == RCP_MODEL_C11 && race->status != RCP_RACE_CONFIRMED &&
           (race->variant || race->witness.steps.len);
}

bool rcp_race_is_shown(const rcp_race *race) { return race->replay && rcp_replay_is_allowed(race->replay); }

/* What a value leads to that the program did not read by itself is none of its deadlocks. */
bool rcp_race_deadlocked(const rcp_race *race) {
    return race->replay && !rcp_race_is_shown(race) && strstr(race->replay, RCP_REPLAY_DEADLOCK);
}

size_t rcp_race_borrow_cures(const rcp_race *race, const char *after, const char **at) {
    static const char *const next[] = {"." RCP_CURE_MAKE, "." RCP_WHY_TURNED};
    const char *found = race->why ? strstr(race->why, after) : NULL;
    if (!found)
        return 0;
    *at = found + strlen(after);
    const char *end = *at + strlen(*at) - 1;
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        const char *before = strstr(*at, next[i]);
        end = before && before < end ? before : end;
    }
    return end > *at ? (size_t)(end - *at) : 0;
}

static const char *colon_before(const char *from, const char *at) {
    while (at > from && *at != ':')
        at--;
    return at;
}

bool rcp_cure_next(const char **at, const char *end, rcp_cure_word *place) {
    for (const char *p = *at; (p = strstr(p, RCP_CURE_PLACE)) && p < end;) {
        p += strlen(RCP_CURE_PLACE);
        const char *column = colon_before(p, p + strcspn(p, ",)"));
        const char *line = column > p ? colon_before(p, column - 1) : p;
        *place = (rcp_cure_word){.file = p,
                                 .n = (size_t)(line - p),
                                 .line = (uint32_t)strtoul(line + 1, NULL, 10),
                                 .column = (uint32_t)strtoul(column + 1, NULL, 10)};
        *at = p;
        if (place->n && place->line && place->column)
            return true;
    }
    return false;
}

void rcp_race_init(rcp_race *race) {
    *race = (rcp_race){.event = {RCP_NO_EID, RCP_NO_EID}, .instances = 1, .deciding = {RCP_NO_EID, RCP_NO_EID}};
    rcp_witness_init(&race->witness);
}

char *rcp_race_take_directory(const rcp_race *race, const char *directory) {
    rcp_text path = {0};
    rcp_text_puts(&path, directory);
    if (race->variant)
        rcp_text_printf(&path, "/variants/%u", race->variant);
    return path.at;
}

void rcp_race_finish(rcp_race *race) {
    rcp_release(race->why);
    rcp_release(race->replay);
    race->why = race->replay = NULL;
    rcp_witness_finish(&race->witness);
}

void rcp_race_explain(rcp_race *race, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    RCP_CHECK(n >= 0);
    char *why = rcp_alloc((size_t)n + 1);
    vsnprintf(why, (size_t)n + 1, format, again);
    va_end(again);
    va_end(arguments);
    rcp_release(race->why);
    race->why = why;
}

void rcp_race_tell_replay(rcp_race *race, const char *told) {
    char *copy = rcp_alloc(strlen(told) + 1);
    strcpy(copy, told);
    rcp_release(race->replay);
    race->replay = copy;
}

void rcp_races_finish(rcp_races *races) {
    for (size_t i = 0; i < races->len; i++)
        rcp_race_finish(&races->at[i]);
    rcp_vec_finish(races);
}
