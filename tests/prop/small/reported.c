/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/reported.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const rcp_small_model_names[RCP_SMALL_MODELS] = {"hb", "shb", "wcp",      "dc",     "sdp",    "wdp",
                                                             "mc", "rv",  "recipe-s", "recipe", "recipe+"};

/* What follows `key` between `at` and `end`; NULL: it is not there. */
static const char *after(const char *at, const char *end, const char *key) {
    const char *found = at ? strstr(at, key) : NULL;
    return found && found < end ? found + strlen(key) : NULL;
}

static unsigned number(const char *at, const char *end, const char *key) {
    const char *digits = after(at, end, key);
    return digits ? (unsigned)strtoul(digits, NULL, 10) : 0;
}

/* Models in the list that begins at `at`, a bit each. */
static unsigned models_in(const char *at) {
    const char *close = at ? strchr(at, ']') : NULL;
    unsigned models = 0;
    for (int i = 0; close && i < RCP_SMALL_MODELS; i++) {
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\"", rcp_small_model_names[i]);
        models |= (unsigned)(after(at, close, quoted) != NULL) << i;
    }
    return models;
}

static char what_does(const char *op) { return !strncmp(op, "rmw\"", 4) ? 'u' : op[0]; }

/* One that failed when it was recorded is a read. */
static bool is_swap(const rcp_small_program *program, uint16_t line) {
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        for (size_t at = 0; at < program->code[i].len; at++)
            if (program->code[i].at[at].kind == RCP_SMALL_SWAP && program->code[i].at[at].line == line)
                return true;
    return false;
}

/* The two accesses. False: they are not there, or not in the file. */
static bool read_race(const char *at, const char *end, const rcp_small_program *program, rcp_small_race *race) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "p%" PRIu64 ".c\"", program->seed);
    at = after(at, end, "\"accesses\": [");
    for (int i = 0; i < 2; i++) {
        const char *op = after(at, end, "\"op\": \""), *name = after(op, end, "\"file\": \""),
                   *line = after(name, end, "\"line\": ");
        if (!line || strncmp(name, quoted, strlen(quoted)) != 0)
            return false;
        race->line[i] = (uint16_t)strtoul(line, NULL, 10);
        race->does[i] = is_swap(program, race->line[i]) ? 'u' : what_does(op);
        at = line;
    }
    return true;
}

/* "rejected": { "reason": n, … }, or a number. */
static unsigned long read_rejected(const char *at, const char *end) {
    const char *list = after(at, end, "\"rejected\": ");
    unsigned long all = 0;
    if (!list)
        return 0;
    if (*list != '{')
        return strtoul(list, NULL, 10);
    const char *close = strchr(list, '}');
    for (const char *colon = list; close && (colon = after(colon, close, "\": "));)
        all += strtoul(colon, NULL, 10);
    return all;
}

void rcp_small_reported_read(rcp_small_reported *reported, const char *json, const rcp_small_program *program) {
    *reported = (rcp_small_reported){0};
    const char *end = json + strlen(json), *races = after(json, end, "\"races\": ["),
               *close = after(races, end, "\"unproven\": [");
    const char *analysis = after(json, end, "\"analysis\": {");
    if (!races || !analysis) {
        snprintf(reported->odd, sizeof reported->odd, "it has no races or no analysis");
        return;
    }
    unsigned models = models_in(after(analysis, races, "\"models\": ["));
    for (int i = 0; i < RCP_SMALL_MODELS; i++)
        reported->was_run[i] = models >> i & 1;
    reported->unknown = number(analysis, races, "\"unknown\": ");
    reported->unproven = number(analysis, races, "\"unproven\": ");
    reported->rejected = read_rejected(analysis, races);
    end = close ? close : end;
    for (const char *at = after(races, end, "{ \"id\": "), *next; at; at = next) {
        next = after(at, end, "{ \"id\": ");
        const char *stop = next ? next : end;
        rcp_small_race race;
        if (!read_race(at, stop, program, &race)) {
            snprintf(reported->odd, sizeof reported->odd, "race %.20s is not in the program's file", at);
            continue;
        }
        models = models_in(after(at, stop, "\"models\": ["));
        for (int i = 0; i < RCP_SMALL_MODELS; i++)
            if (models >> i & 1)
                rcp_small_races_add(&reported->races[i], race);
        rcp_small_races_add(&reported->all, race);
        if (after(at, stop, "\"status\": \"confirmed\""))
            reported->confirmed++;
        else
            reported->not_confirmed++;
    }
}

void rcp_small_reported_finish(rcp_small_reported *reported) {
    for (int i = 0; i < RCP_SMALL_MODELS; i++)
        rcp_vec_finish(&reported->races[i]);
    rcp_vec_finish(&reported->all);
}
