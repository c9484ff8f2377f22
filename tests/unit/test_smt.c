/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' encoding as SMT-LIB: the texts of seed 003's figures are kept in tests/golden/smt2
 * (RECIPE_UPDATE_GOLDEN=1 writes them anew), Z3's answers are the figures' verdicts, and the constraints of Figure 2
 * are those of the paper's Table 2. */
#include "predict/rival/smt2.h"
#include "base/limits.h"
#include "predict/rival/z3.h"
#include "suite.h"
#include "trace/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <z3.h>

typedef struct subject {
    rcp_trace trace;
    rcp_observed observed;
    rcp_smt_facts *facts;
    rcp_checker *checker;
} subject;

static void read_source(rcp_text *text, const char *path) {
    const char *root = getenv("RECIPE_SOURCE_DIR");
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", root ? root : ".", path);
    if (rcp_text_read_file(text, full) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
}

static void begin(subject *s, const char *figure) {
    rcp_text text = {0};
    char path[256];
    snprintf(path, sizeof path, "tests/golden/figures/%s.txt", figure);
    read_source(&text, path);
    rcp_trace_init(&s->trace);
    if (rcp_text_parse(path, text.at, text.len, &s->trace) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
    rcp_trace_index(&s->trace);
    ck_assert_int_eq(rcp_observed_init(&s->observed, &s->trace), RCP_OK);
    ck_assert_int_eq(rcp_checker_create(&s->trace, &s->checker), RCP_OK);
    s->facts = rcp_smt_facts_create(&s->observed);
    rcp_text_finish(&text);
}

static void end(subject *s) {
    rcp_smt_facts_destroy(s->facts);
    rcp_checker_destroy(s->checker);
    rcp_observed_finish(&s->observed);
    rcp_trace_finish(&s->trace);
}

static const struct golden {
    const char *figure;
    rcp_model model;
    uint64_t race[2];
    rcp_z3_answer answer;
} goldens[] = {
    {"003-fig1", RCP_MODEL_MC, {5, 9}, RCP_Z3_RACE},
    {"003-fig1", RCP_MODEL_MC, {4, 10}, RCP_Z3_NONE},
    {"003-fig2", RCP_MODEL_MC, {1, 6}, RCP_Z3_RACE},
    {"003-fig2", RCP_MODEL_MC, {3, 9}, RCP_Z3_RACE},
    {"003-fig3", RCP_MODEL_MC, {5, 10}, RCP_Z3_NONE},
    {"003-fig3-no-branch", RCP_MODEL_RECIPE_S, {5, 10}, RCP_Z3_RACE},
    {"000-fig1-locked", RCP_MODEL_MC, {3, 11}, RCP_Z3_NONE},
    {"000-fig1-locked", RCP_MODEL_RECIPE_S, {3, 11}, RCP_Z3_RACE},
};

static void keep_or_compare(const char *path, const char *text) {
    if (getenv("RECIPE_UPDATE_GOLDEN")) {
        char full[4096];
        snprintf(full, sizeof full, "%s/%s", getenv("RECIPE_SOURCE_DIR"), path);
        FILE *to = fopen(full, "w");
        ck_assert_ptr_nonnull(to);
        fputs(text, to);
        ck_assert_int_eq(fclose(to), 0);
        return;
    }
    rcp_text wanted = {0};
    read_source(&wanted, path);
    ck_assert_msg(!strcmp(wanted.at, text), "%s is not what is printed now:\n%s", path, text);
    rcp_text_finish(&wanted);
}

START_TEST(figures_as_smt2) {
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        const struct golden *g = &goldens[i];
        subject s;
        begin(&s, g->figure);
        rcp_position upto[8];
        rcp_eid race[2] = {{g->race[0]}, {g->race[1]}};
        for (uint32_t t = 0; t < s.trace.defs.threads.len; t++)
            upto[t] = (rcp_position)rcp_trace_thread_len(&s.trace, (rcp_tid){t});
        for (int k = 0; k < 2; k++)
            upto[s.trace.events.at[race[k].v].tid.v] = s.trace.position[race[k].v];
        rcp_smt_query query = {{race[0], race[1]}, g->model, false, upto};
        rcp_smt *smt = rcp_smt_create(s.facts, &query, rcp_limit(RCP_LIMIT_Z3_FORMULAS));
        rcp_text text = {0};
        char path[256];
        rcp_smt_print(&text, smt, &query);
        snprintf(path, sizeof path, "tests/golden/smt2/%s-e%u-e%u-%s.smt2", g->figure, (unsigned)g->race[0],
                 (unsigned)g->race[1], rcp_model_name(g->model));
        keep_or_compare(path, text.at);
        rcp_text_finish(&text);
        rcp_smt_destroy(smt);
        rcp_witness witness;
        rcp_z3_answer answer;
        rcp_witness_init(&witness);
        ck_assert_int_eq(rcp_z3_solve(s.facts, s.checker, &query,
                                      (rcp_z3_limits){.formulas = rcp_limit(RCP_LIMIT_Z3_FORMULAS)}, &witness, &answer,
                                      NULL),
                         RCP_OK);
        ck_assert_msg(answer == g->answer, "%s: Z3 says %d", path, answer);
        rcp_witness_finish(&witness);
        end(&s);
    }
}
END_TEST

/* All assertions of a text as one. */
static Z3_ast conjunction(Z3_context context, const char *text) {
    Z3_ast_vector parsed = Z3_parse_smtlib2_string(context, text, 0, NULL, NULL, 0, NULL, NULL);
    Z3_ast all = Z3_mk_true(context);
    for (unsigned i = 0; i < Z3_ast_vector_size(context, parsed); i++)
        all = Z3_mk_and(context, 2, (Z3_ast[]){all, Z3_ast_vector_get(context, parsed, i)});
    return all;
}

/* Is there an order of all events that the first formula allows and the second does not? */
static Z3_lbool differs(Z3_context context, Z3_ast background, Z3_ast one, Z3_ast other) {
    Z3_solver solver = Z3_mk_solver(context);
    Z3_solver_inc_ref(context, solver);
    Z3_solver_assert(context, solver, background);
    Z3_solver_assert(context, solver, one);
    Z3_solver_assert(context, solver, Z3_mk_not(context, other));
    Z3_lbool answer = Z3_solver_check(context, solver);
    Z3_solver_dec_ref(context, solver);
    return answer;
}

START_TEST(table_2) {
    subject s;
    begin(&s, "003-fig2");
    rcp_smt *smt = rcp_smt_create_all(s.facts, RCP_MODEL_MC, false, rcp_limit(RCP_LIMIT_Z3_FORMULAS));
    rcp_text ours = {0}, theirs = {0}, every = {0};
    rcp_smt2_print(&ours, rcp_smt_borrow(smt), 0);
    read_source(&theirs, "tests/golden/smt2/003-table2.smt2");
    /* the paper's linearisations execute everything, at places of their own */
    rcp_text_puts(&every, "(declare-const race Int)\n");
    for (size_t i = 0; i < s.trace.events.len; i++)
        rcp_text_printf(&every, "(declare-const e%zu Int)\n(assert (< e%zu race))\n", i, i);
    rcp_text_puts(&every, "(assert (distinct");
    for (size_t i = 0; i < s.trace.events.len; i++)
        rcp_text_printf(&every, " e%zu", i);
    rcp_text_puts(&every, "))\n");
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_ast a = conjunction(context, ours.at), b = conjunction(context, theirs.at), all = conjunction(context, every.at);
    ck_assert_int_eq(differs(context, all, a, Z3_mk_false(context)), Z3_L_TRUE);
    ck_assert_int_eq(differs(context, all, a, b), Z3_L_FALSE);
    ck_assert_int_eq(differs(context, all, b, a), Z3_L_FALSE);
    Z3_del_context(context);
    rcp_text_finish(&ours);
    rcp_text_finish(&theirs);
    rcp_text_finish(&every);
    rcp_smt_destroy(smt);
    end(&s);
}
END_TEST

int main(void) { return rcp_suite_run("smt", figures_as_smt2, table_2, NULL); }
