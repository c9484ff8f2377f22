/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/rival.h"

#include "base/file.h"
#include "base/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct rcp_rival {
    const rcp_run_facts *facts;
    const rcp_checker *checker;
    bool spurious;
    rcp_z3_limits limits;
    rcp_smt_facts *smt_facts;
    rcp_z3 *whole[RCP_MODELS]; /* made when first asked for */
    bool too_large[RCP_MODELS];
};

rcp_rival *rcp_rival_create(const rcp_run_facts *facts, const rcp_checker *checker, bool spurious_wakeups,
                            uint32_t steps) {
    rcp_rival *r = rcp_alloc_zero(1, sizeof *r);
    r->facts = facts;
    r->checker = checker;
    r->spurious = spurious_wakeups;
    r->limits = (rcp_z3_limits){.steps = steps, .formulas = (size_t)rcp_limit(RCP_LIMIT_Z3_FORMULAS)};
    r->smt_facts = rcp_smt_facts_create(&facts->observed);
    return r;
}

void rcp_rival_destroy(rcp_rival *r) {
    if (!r)
        return;
    for (int m = 0; m < RCP_MODELS; m++)
        rcp_z3_destroy(r->whole[m]);
    rcp_smt_facts_destroy(r->smt_facts);
    rcp_release(r);
}

static rcp_z3 *session(rcp_rival *r, rcp_model model) {
    if (!r->whole[model] && !r->too_large[model]) {
        r->whole[model] = rcp_z3_create_all(r->smt_facts, model, r->spurious, r->limits);
        r->too_large[model] = !r->whole[model];
    }
    return r->whole[model];
}

static rcp_code complain(const rcp_eid race[2], const char *reason) {
    return rcp_fail(RCP_INTERNAL,
                    "the checker refused Z3's witness of events %" PRIu64 " and %" PRIu64
                    " (%s): the encoding is wrong there; please report this trace",
                    race[0].v, race[1].v, reason);
}

rcp_code rcp_rival_ask(rcp_rival *r, rcp_model model, rcp_eid a, rcp_eid b, rcp_witness *witness, rcp_answer *answer) {
    rcp_eid race[2] = {a, b};
    rcp_slice cone;
    rcp_z3_answer found;
    rcp_z3_work work = {0};
    rcp_slice_small(&cone, r->facts, a, b);
    rcp_smt_query query = {{a, b}, model, r->spurious, cone.upto};
    bool whole = rcp_slice_is_whole(&cone);
    rcp_code code = rcp_z3_solve(r->smt_facts, r->checker, &query, r->limits, witness, &found, &work);
    rcp_slice_finish(&cone);
    RCP_TRY(code);
    if ((found == RCP_Z3_NONE || found == RCP_Z3_UNKNOWN) && !whole) {
        rcp_z3 *all = session(r, model);
        found = RCP_Z3_UNKNOWN;
        if (all)
            RCP_TRY(rcp_z3_ask(all, r->checker, race, witness, &found, &work));
    }
    *answer = found == RCP_Z3_RACE ? RCP_ANSWER_WITNESS : found == RCP_Z3_NONE ? RCP_ANSWER_NONE : RCP_ANSWER_LIMIT;
    if (*answer == RCP_ANSWER_LIMIT) {
        bool is_long = r->facts->trace->events.len > rcp_limit(RCP_LIMIT_Z3_EVENTS);
        rcp_limit_reached(whole || !r->too_large[model] ? RCP_LIMIT_SOLVER_STEPS
                          : is_long                     ? RCP_LIMIT_Z3_EVENTS
                                                        : RCP_LIMIT_Z3_FORMULAS);
    }
    return found == RCP_Z3_REFUSED ? complain(race, work.verdict.reason) : RCP_OK;
}

rcp_code rcp_rival_write(const char *directory, const char *name, const rcp_text *text) {
    RCP_TRY(rcp_file_make_directory(directory));
    char *path = rcp_file_take_path(directory, name);
    rcp_code code = rcp_file_replace(path, text->at, text->len);
    rcp_release(path);
    return code;
}

rcp_code rcp_rival_save(rcp_rival *r, const char *directory, rcp_model model, rcp_eid a, rcp_eid b) {
    rcp_slice slice;
    rcp_smt *smt = NULL;
    for (int small = 0; small < 2 && !smt; small++) {
        if (small)
            rcp_slice_small(&slice, r->facts, a, b);
        else
            rcp_slice_whole(&slice, r->facts, a, b);
        rcp_smt_query query = {{a, b}, model, r->spurious, slice.upto};
        smt = rcp_smt_create(r->smt_facts, &query, r->limits.formulas);
        rcp_code code = RCP_OK;
        if (smt) {
            rcp_text text = {0};
            char name[96];
            snprintf(name, sizeof name, "e%" PRIu64 "-e%" PRIu64 "-%s.smt2", a.v, b.v, rcp_model_name(model));
            if (small)
                rcp_text_puts(&text, "; The small cone alone: 'unsat' does not mean that there is no race.\n");
            rcp_smt_print(&text, smt, &query);
            code = rcp_rival_write(directory, name, &text);
            rcp_text_finish(&text);
        }
        rcp_slice_finish(&slice);
        if (code != RCP_OK) {
            rcp_smt_destroy(smt);
            return code;
        }
    }
    if (!smt)
        return rcp_fail(RCP_LIMIT,
                        "events %" PRIu64 " and %" PRIu64 ": their query has more than %zu formulas and was not saved",
                        a.v, b.v, r->limits.formulas);
    rcp_smt_destroy(smt);
    return RCP_OK;
}
