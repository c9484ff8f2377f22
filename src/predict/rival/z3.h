/* SPDX-License-Identifier: Apache-2.0 */
/* Z3 as a solver of queries: --solver=z3. It is given the text that --save-smt2 writes, and its model is turned into a
 * witness, which the checker judges like any other.
 *
 * A session is one formula in one Z3 context. Either of one query, or of a whole trace, to which the race of one pair
 * after the other is added and taken back while Z3 keeps what it has learned (seed 003 §5).
 *
 * Z3 stops at a limit of its own steps (deterministic) or of milliseconds; it can overshoot both. Whatever goes wrong
 * inside it, 'canceled' from any call included, is 'unknown'.
 *
 * Ownership: a session owns its context and encoding; it borrows facts and checker.
 */
#ifndef RECIPE_PREDICT_RIVAL_Z3_H
#define RECIPE_PREDICT_RIVAL_Z3_H

#include "predict/rival/smt.h"
#include "trace/check/checker.h"

typedef enum rcp_z3_answer {
    RCP_Z3_RACE,    /* the checker has accepted the witness */
    RCP_Z3_NONE,    /* not within the query's bounds */
    RCP_Z3_UNKNOWN, /* a limit, or a value that SMT-LIB can't say */
    RCP_Z3_REFUSED, /* the checker refused what should have been a witness: our own mistake */
} rcp_z3_answer;

typedef struct rcp_z3_limits {
    uint32_t milliseconds; /* of the clock; 0: none */
    uint32_t steps;        /* Z3's resource limit; 0: none */
    size_t formulas;       /* of the encoding */
} rcp_z3_limits;

typedef struct rcp_z3_work {
    size_t formulas, bytes;    /* of the encoding, of its text */
    double solving;            /* CPU seconds inside Z3, parsing not counted */
    double reading;            /* CPU seconds of parsing the text */
    rcp_check_verdict verdict; /* RCP_Z3_REFUSED: why */
} rcp_z3_work;

typedef struct rcp_z3 rcp_z3;

/* NULL where the encoding is larger than limits.formulas. */
rcp_z3 *rcp_z3_create(const rcp_smt_facts *facts, const rcp_smt_query *query, rcp_z3_limits limits);
rcp_z3 *rcp_z3_create_all(const rcp_smt_facts *facts, rcp_model model, bool spurious_wakeups, rcp_z3_limits limits);
void rcp_z3_destroy(rcp_z3 *z3);

/* What a satisfied formula's variables are, by name. False: Z3 does not say. */
typedef struct rcp_z3_model rcp_z3_model;
bool rcp_z3_model_int(const rcp_z3_model *model, const char *name, int64_t *value);
bool rcp_z3_model_bool(const rcp_z3_model *model, const char *name, bool *value);
bool rcp_z3_model_bits(const rcp_z3_model *model, const char *name, uint64_t *value); /* of 64 bits */
/* False: the model can't be used, and the answer is 'unknown'. */
typedef bool rcp_z3_model_reader(void *context, const rcp_z3_model *model);

/* Formulas of the caller's own, which must outlive it; NULL: Z3 gave up. Are they satisfiable with the assertions from
 * number `first` on, which are not kept? `read`, which may be NULL, is shown how. No checker sees what comes of it. */
rcp_z3 *rcp_z3_create_plain(const rcp_formulas *pool, rcp_z3_limits limits);
rcp_z3_answer rcp_z3_check(rcp_z3 *z3, size_t first, rcp_z3_model_reader *read, void *context);

/* `race`: of a session for a whole trace the pair to ask for; else the query's. `witness` is initialised and empty;
 * RCP_Z3_RACE fills it. `work` may be NULL. */
rcp_code rcp_z3_ask(rcp_z3 *z3, const rcp_checker *checker, const rcp_eid race[2], rcp_witness *witness,
                    rcp_z3_answer *answer, rcp_z3_work *work) RCP_MUST_USE;

/* Ends the question that is being asked, with 'unknown'; from a signal handler or another thread. */
void rcp_z3_interrupt(rcp_z3 *z3);

/* One query, one session. */
rcp_code rcp_z3_solve(const rcp_smt_facts *facts, const rcp_checker *checker, const rcp_smt_query *query,
                      rcp_z3_limits limits, rcp_witness *witness, rcp_z3_answer *answer,
                      rcp_z3_work *work) RCP_MUST_USE;

#endif
