/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/z3.h"

#include "base/clock.h"
#include "predict/rival/smt2.h"

#include <stdlib.h>
#include <z3.h>

struct rcp_z3 {
    const rcp_smt_facts *facts;
    rcp_smt *smt;
    const rcp_formulas *pool; /* its, or the caller's */
    bool incremental, spurious;
    rcp_model model;
    rcp_z3_limits limits;
    Z3_context context;
    Z3_solver solver;
    rcp_z3_work work; /* of what all questions share */
};

/* Errors are looked at where they matter; the default handler would end the process. */
static void ignore(Z3_context context, Z3_error_code code) {
    (void)context;
    (void)code;
}

static bool failed(const rcp_z3 *z) { return Z3_get_error_code(z->context) != Z3_OK; }

/* Hands the assertions from number `from` on to the solver; false: Z3 gave up. */
static bool load(rcp_z3 *z, size_t from, rcp_z3_work *work) {
    rcp_text text = {0};
    double start = rcp_seconds_used();
    rcp_text_puts(&text, "");
    rcp_smt2_print(&text, z->pool, from);
    work->bytes += text.len;
    Z3_ast_vector parsed = Z3_parse_smtlib2_string(z->context, text.at, 0, NULL, NULL, 0, NULL, NULL);
    rcp_text_finish(&text);
    if (failed(z))
        return false;
    Z3_ast_vector_inc_ref(z->context, parsed);
    for (unsigned i = 0; i < Z3_ast_vector_size(z->context, parsed) && !failed(z); i++)
        Z3_solver_assert(z->context, z->solver, Z3_ast_vector_get(z->context, parsed, i));
    Z3_ast_vector_dec_ref(z->context, parsed);
    work->reading += rcp_seconds_used() - start;
    return !failed(z);
}

static void open_context(rcp_z3 *z) {
    Z3_config config = Z3_mk_config();
    z->context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(z->context, ignore);
    z->solver = Z3_mk_solver(z->context); /* its default tactics: it sees by itself that these are differences */
    Z3_solver_inc_ref(z->context, z->solver);
    Z3_params params = Z3_mk_params(z->context);
    Z3_params_inc_ref(z->context, params);
    if (z->limits.milliseconds)
        Z3_params_set_uint(z->context, params, Z3_mk_string_symbol(z->context, "timeout"), z->limits.milliseconds);
    if (z->limits.steps)
        Z3_params_set_uint(z->context, params, Z3_mk_string_symbol(z->context, "rlimit"), z->limits.steps);
    Z3_solver_set_params(z->context, z->solver, params);
    Z3_params_dec_ref(z->context, params);
}

static rcp_z3 *create(const rcp_smt_facts *facts, rcp_smt *smt, rcp_model model, bool spurious, rcp_z3_limits limits) {
    if (!smt)
        return NULL;
    rcp_z3 *z = rcp_alloc_zero(1, sizeof *z);
    z->facts = facts;
    z->smt = smt;
    z->pool = rcp_smt_borrow(smt);
    z->model = model;
    z->spurious = spurious;
    z->limits = limits;
    open_context(z);
    return z;
}

rcp_z3 *rcp_z3_create(const rcp_smt_facts *facts, const rcp_smt_query *query, rcp_z3_limits limits) {
    rcp_smt *smt = rcp_smt_create(facts, query, limits.formulas);
    return create(facts, smt, query->model, query->spurious_wakeups, limits);
}

rcp_z3 *rcp_z3_create_all(const rcp_smt_facts *facts, rcp_model model, bool spurious_wakeups, rcp_z3_limits limits) {
    rcp_smt *smt = rcp_smt_create_all(facts, model, spurious_wakeups, limits.formulas);
    rcp_z3 *z = create(facts, smt, model, spurious_wakeups, limits);
    if (!z)
        return NULL;
    z->incremental = true;
    if (load(z, 0, &z->work))
        return z;
    rcp_z3_destroy(z);
    return NULL;
}

void rcp_z3_destroy(rcp_z3 *z) {
    if (!z)
        return;
    Z3_solver_dec_ref(z->context, z->solver);
    Z3_del_context(z->context);
    rcp_smt_destroy(z->smt);
    rcp_release(z);
}

rcp_z3 *rcp_z3_create_plain(const rcp_formulas *pool, rcp_z3_limits limits) {
    rcp_z3 *z = rcp_alloc_zero(1, sizeof *z);
    z->pool = pool;
    z->limits = limits;
    open_context(z);
    if (load(z, 0, &z->work))
        return z;
    rcp_z3_destroy(z);
    return NULL;
}

struct rcp_z3_model {
    rcp_z3 *z3;
    Z3_model model;
};

static bool evaluate(const rcp_z3_model *m, const char *name, Z3_sort sort, Z3_ast *result) {
    Z3_context context = m->z3->context;
    Z3_ast constant = Z3_mk_const(context, Z3_mk_string_symbol(context, name), sort);
    return !failed(m->z3) && Z3_model_eval(context, m->model, constant, true, result);
}

bool rcp_z3_model_int(const rcp_z3_model *m, const char *name, int64_t *value) {
    Z3_context context = m->z3->context;
    Z3_ast result;
    return evaluate(m, name, Z3_mk_int_sort(context), &result) && Z3_get_numeral_int64(context, result, value) &&
           !failed(m->z3);
}

bool rcp_z3_model_bool(const rcp_z3_model *m, const char *name, bool *value) {
    Z3_context context = m->z3->context;
    Z3_ast result;
    if (!evaluate(m, name, Z3_mk_bool_sort(context), &result))
        return false;
    *value = Z3_get_bool_value(context, result) == Z3_L_TRUE;
    return !failed(m->z3);
}

bool rcp_z3_model_bits(const rcp_z3_model *m, const char *name, uint64_t *value) {
    Z3_context context = m->z3->context;
    Z3_ast result;
    return evaluate(m, name, Z3_mk_bv_sort(context, 64), &result) && Z3_get_numeral_uint64(context, result, value) &&
           !failed(m->z3);
}

/* The model of what was satisfied last; false: there is none. */
static bool open_model(rcp_z3 *z, rcp_z3_model *m) {
    *m = (rcp_z3_model){z, Z3_solver_get_model(z->context, z->solver)};
    if (failed(z) || !m->model)
        return false;
    Z3_model_inc_ref(z->context, m->model);
    return true;
}

rcp_z3_answer rcp_z3_check(rcp_z3 *z, size_t first, rcp_z3_model_reader *read, void *context) {
    rcp_z3_work work = {0};
    rcp_z3_answer answer = RCP_Z3_UNKNOWN;
    Z3_solver_push(z->context, z->solver);
    if (load(z, first, &work)) {
        Z3_lbool found = Z3_solver_check(z->context, z->solver);
        if (!failed(z))
            answer = found == Z3_L_TRUE ? RCP_Z3_RACE : found == Z3_L_FALSE ? RCP_Z3_NONE : RCP_Z3_UNKNOWN;
        rcp_z3_model model;
        if (answer == RCP_Z3_RACE && read) {
            bool is_there = open_model(z, &model);
            if (!is_there || !read(context, &model))
                answer = RCP_Z3_UNKNOWN;
            if (is_there)
                Z3_model_dec_ref(z->context, model.model);
        }
    }
    Z3_solver_pop(z->context, z->solver, 1);
    return answer;
}

/* ---- From a model to a witness: what comes before the race, in the order of its places. */

typedef struct placed {
    int64_t place;
    uint64_t eid;
} placed;

static int by_place(const void *a, const void *b) {
    const placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->eid < y->eid ? -1 : x->eid > y->eid;
}

/* How far the thread has got. */
static rcp_position reached(const rcp_witness *witness, rcp_tid tid) {
    for (size_t i = witness->steps.len; i-- > 0;)
        if (witness->steps.at[i].tid.v == tid.v)
            return witness->steps.at[i].to;
    return 0;
}

static bool decode(rcp_z3 *z, const rcp_eid race[2], rcp_witness *witness) {
    const rcp_trace *trace = z->facts->trace;
    rcp_z3_model model;
    if (!open_model(z, &model))
        return false;
    RCP_VEC(placed) order = {0};
    int64_t end = 0;
    bool good = rcp_z3_model_int(&model, RCP_SMT_RACE, &end);
    for (uint64_t eid = 0; eid < trace->events.len && good; eid++) {
        char name[32];
        int64_t place = 0;
        if (!rcp_smt_place(z->smt, (rcp_eid){eid}, name))
            continue;
        good = rcp_z3_model_int(&model, name, &place);
        if (place < end)
            rcp_vec_push(&order, ((placed){place, eid}));
    }
    Z3_model_dec_ref(z->context, model.model);
    if (order.len)
        qsort(order.at, order.len, sizeof *order.at, by_place);
    for (size_t i = 0; i < order.len; i++) {
        uint64_t eid = order.at[i].eid;
        if (eid == race[0].v || eid == race[1].v)
            continue; /* a compare-and-swap that must succeed, the last one */
        rcp_witness_run(witness, trace->events.at[eid].tid, trace->position[eid] + 1);
    }
    for (int i = 0; i < 2; i++) { /* branches right before the race have no place of their own */
        rcp_tid tid = trace->events.at[race[i].v].tid;
        if (reached(witness, tid) < trace->position[race[i].v])
            rcp_witness_run(witness, tid, trace->position[race[i].v]);
        witness->race[i] = race[i];
    }
    rcp_vec_finish(&order);
    return good;
}

/* The checker's word on a model. */
static rcp_code judge(rcp_z3 *z, const rcp_checker *checker, const rcp_eid race[2], rcp_witness *witness,
                      rcp_z3_answer *answer, rcp_z3_work *work) {
    *answer = RCP_Z3_UNKNOWN;
    if (!decode(z, race, witness))
        return RCP_OK;
    rcp_check_options options = {z->model == RCP_MODEL_MC ? RCP_VALUES_SAME : RCP_VALUES_RELAXED, z->spurious};
    RCP_TRY(rcp_checker_run(checker, witness, options, &work->verdict));
    *answer = work->verdict.accepted ? RCP_Z3_RACE : rcp_smt_is_approximate(z->smt) ? RCP_Z3_UNKNOWN : RCP_Z3_REFUSED;
    return RCP_OK;
}

rcp_code rcp_z3_ask(rcp_z3 *z, const rcp_checker *checker, const rcp_eid race[2], rcp_witness *witness,
                    rcp_z3_answer *answer, rcp_z3_work *work) {
    rcp_z3_work own = {0};
    work = work ? work : &own;
    *work = z->work;
    *answer = RCP_Z3_UNKNOWN;
    size_t first = 0;
    if (z->incremental) {
        Z3_solver_push(z->context, z->solver);
        first = rcp_smt_assert_race(z->smt, race);
    }
    rcp_code code = RCP_OK;
    if (load(z, first, work)) {
        double start = rcp_seconds_used();
        Z3_lbool found = Z3_solver_check(z->context, z->solver);
        work->solving = rcp_seconds_used() - start;
        if (found == Z3_L_FALSE && !failed(z))
            *answer = RCP_Z3_NONE;
        else if (found == Z3_L_TRUE && !failed(z))
            code = judge(z, checker, race, witness, answer, work);
    }
    work->formulas = rcp_smt_borrow(z->smt)->nodes.len;
    if (*answer != RCP_Z3_RACE) {
        rcp_witness_finish(witness);
        rcp_witness_init(witness);
    }
    if (z->incremental) {
        rcp_smt_forget(z->smt, first);
        Z3_solver_pop(z->context, z->solver, 1);
    }
    return code;
}

void rcp_z3_interrupt(rcp_z3 *z) { Z3_interrupt(z->context); }

rcp_code rcp_z3_solve(const rcp_smt_facts *facts, const rcp_checker *checker, const rcp_smt_query *query,
                      rcp_z3_limits limits, rcp_witness *witness, rcp_z3_answer *answer, rcp_z3_work *work) {
    rcp_z3 *z = rcp_z3_create(facts, query, limits);
    *answer = RCP_Z3_UNKNOWN;
    if (!z)
        return RCP_OK;
    rcp_code code = rcp_z3_ask(z, checker, query->race, witness, answer, work);
    rcp_z3_destroy(z);
    return code;
}
