/* SPDX-License-Identifier: Apache-2.0 */
#include "papers.h"

#include "base/limits.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

static rcp_z3 *in_hand;

static void stop(int signal) {
    (void)signal;
    if (in_hand)
        rcp_z3_interrupt(in_hand);
}

static void set_timer(unsigned milliseconds) {
    struct itimerval timer = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
    signal(SIGPROF, stop);
    RCP_CHECK(!setitimer(ITIMER_PROF, &timer, NULL));
}

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

rcp_papers_answer rcp_papers_ask(const rcp_ladder *ladder, const rcp_smt_facts *facts, rcp_eid a, rcp_eid b,
                                 rcp_model model, unsigned limit_ms) {
    rcp_slice cone;
    rcp_witness witness;
    rcp_z3_answer answer = RCP_Z3_UNKNOWN;
    rcp_z3_work work = {0};
    rcp_slice_small(&cone, &rcp_ladder_borrow_groundwork(ladder)->facts, a, b);
    rcp_smt_query query = {{a, b}, model, false, cone.upto};
    rcp_witness_init(&witness);
    double start = cpu();
    rcp_z3 *z3 = rcp_z3_create(facts, &query, (rcp_z3_limits){.formulas = rcp_limit(RCP_LIMIT_Z3_FORMULAS)});
    if (z3) {
        in_hand = z3;
        set_timer(limit_ms);
        RCP_CHECK(rcp_z3_ask(z3, rcp_ladder_borrow_groundwork(ladder)->checker, query.race, &witness, &answer, &work) ==
                  RCP_OK);
        set_timer(0);
        in_hand = NULL;
    }
    double took = cpu() - start - work.reading * 1e3;
    rcp_z3_destroy(z3);
    rcp_witness_finish(&witness);
    rcp_slice_finish(&cone);
    return (rcp_papers_answer){took, answer};
}
