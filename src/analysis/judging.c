/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/judging.h"

#include "analysis/values.h"
#include "base/deadline.h"
#include "base/limits.h"
#include "base/stage.h"
#include "base/text.h"

#include <string.h>

void rcp_judging_rest(rcp_judging *judging) {
    rcp_judge_destroy(judging->judge);
    judging->judge = NULL;
}

/* "x at a.c:12" */
static void name_access(const rcp_defs *defs, const rcp_event *e, rcp_text *to) {
    rcp_text place = {0};
    rcp_values_name(defs, e, to);
    rcp_values_place(defs, e->loc, &place);
    if (place.len)
        rcp_text_printf(to, " at %s", place.at);
    rcp_text_finish(&place);
}

static void put_change(uint64_t was, uint64_t is, uint64_t size, rcp_text *to) {
    rcp_values_put(is, size, to);
    rcp_text_puts(to, " (recorded: ");
    rcp_values_put(was, size, to);
    rcp_text_puts(to, ")");
}

/* Which values are others than they were, the first few of them. */
static void tell_values(const rcp_trace *trace, const rcp_judgement *judgement, const rcp_race *race, rcp_text *to) {
    enum { SHOWN = 3 };
    rcp_text_puts(to, " The code was executed along it, and goes there");
    for (size_t i = 0; i < judgement->changes.len && i < SHOWN; i++) {
        const rcp_change *c = &judgement->changes.at[i];
        const rcp_event *e = &trace->events.at[c->event];
        rcp_text_printf(to, "%sthread %s reads ", i ? ", then " : RCP_WHY_READS,
                        rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[e->tid.v].name));
        name_access(&trace->defs, e, to);
        rcp_text_puts(to, " as ");
        put_change(c->was, c->is, c->size, to);
    }
    if (judgement->changes.len > SHOWN)
        rcp_text_printf(to, " and %zu more", judgement->changes.len - SHOWN);
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &trace->events.at[race->event[i].v];
        if (!judgement->has_values[i] || judgement->was[i] == judgement->is[i])
            continue;
        rcp_text_puts(to, RCP_WHY_RACING);
        rcp_text_printf(to, "%s by thread %s of ", e->kind == RCP_WRITE ? "write" : "read",
                        rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[e->tid.v].name));
        name_access(&trace->defs, e, to);
        rcp_text_puts(to, " is of ");
        put_change(judgement->was[i], judgement->is[i], e->size, to);
    }
    rcp_text_puts(to, ".");
}

static void refuse(rcp_judging *judging, rcp_race *race, const rcp_judgement *judgement) {
    if (!judging->refused++)
        snprintf(judging->refusal, sizeof judging->refusal, "%s", judgement->why);
    race->status = RCP_RACE_UNPROVEN;
    rcp_race_explain(race, "The code does not go along the schedule: %s", judgement->why);
    rcp_witness_finish(&race->witness);
    rcp_witness_init(&race->witness);
}

/* What keeps the code from being run is no reason to have no report, unless it is the system: once more, and it may. */
static rcp_code ask(rcp_judging *judging, const char *directory, const rcp_observed *observed, const rcp_race *race,
                    rcp_judgement *judgement) {
    *judgement = (rcp_judgement){.verdict = RCP_JUDGED_NOT};
    const double end = rcp_deadline(), left = end - rcp_seconds_now();
    if (end > 0 && left > 0 && !judging->seconds)
        judging->seconds = left * (double)rcp_limit(RCP_LIMIT_JUDGE_SHARE) / 100;
    if (judging->has_failed) {
        memcpy(judgement->why, judging->obstacle, sizeof judgement->why);
        return RCP_OK;
    }
    if (judging->seconds > 0 && judging->used >= judging->seconds) {
        snprintf(judgement->why, sizeof judgement->why, "the time for that was over");
        return RCP_OK;
    }
    const double began = rcp_seconds_now();
    rcp_stage_begin("running the code along a schedule");
    if (judging->seconds > 0)
        rcp_deadline_set(began + judging->seconds - judging->used);
    rcp_code code = judging->judge ? RCP_OK : rcp_judge_create(directory, &judging->judge);
    rcp_deadline_set(end);
    judging->has_failed = code != RCP_OK;
    if (code == RCP_OK)
        code = rcp_judge_ask(judging->judge, observed, &race->witness, judgement);
    rcp_stage_end();
    judging->used += rcp_seconds_now() - began;
    if (code == RCP_OK || code == RCP_SYSTEM)
        return code;
    const char *why = rcp_borrow_cause(0);
    snprintf(judgement->why, sizeof judgement->why, "%s", why ? why : "no reason is known");
    judgement->verdict = RCP_JUDGED_NOT;
    rcp_clear_causes();
    return RCP_OK;
}

rcp_code rcp_judging_race(rcp_judging *judging, const char *directory, const rcp_observed *observed, rcp_race *race,
                          rcp_judged *verdict) {
    rcp_judgement judgement;
    rcp_text why = {0};
    RCP_TRY(ask(judging, directory, observed, race, &judgement));
    switch (judgement.verdict) {
    case RCP_JUDGED_FEASIBLE:
        judging->feasible++;
        rcp_text_puts(&why, race->why ? race->why : "");
        tell_values(observed->trace, &judgement, race, &why);
        rcp_race_explain(race, "%s", why.at);
        break;
    case RCP_JUDGED_REFUSED: refuse(judging, race, &judgement); break;
    default:
        if (!judging->not_judged++)
            snprintf(judging->obstacle, sizeof judging->obstacle, "%s", judgement.why);
        rcp_text_printf(&why, "%s The code could not be run along it: %s.", race->why ? race->why : "", judgement.why);
        rcp_race_explain(race, "%s", why.at);
        break;
    }
    rcp_text_finish(&why);
    *verdict = judgement.verdict;
    rcp_judgement_finish(&judgement);
    return RCP_OK;
}
