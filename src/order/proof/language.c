/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/language.h"

#include "order/proof/cure.h"
#include "trace/check/language.h"

enum { PASSES = 3 }; /* over the trace up to the later access, of one question */

/* As often as the run has the two, as far as it was kept. What the language orders stronger memory orders do, too. */
static void find_cures(const rcp_trace *trace, const rcp_pair_flags *flags, uint64_t *left, rcp_cures *cures) {
    const size_t n = rcp_pair_kept(flags);
    rcp_cure_instance *instances = rcp_alloc(n * sizeof *instances);
    for (size_t i = 0; i < n; i++)
        instances[i] = (rcp_cure_instance){rcp_pair_earlier(trace, &flags->kept[i]), flags->kept[i].later};
    rcp_cures_find(trace, instances, n, left, cures);
    rcp_release(instances);
}

static void accept(const rcp_trace *trace, rcp_race *race, const rcp_proof *proof, const rcp_pair_flags *flags,
                   uint64_t *cure_left) {
    race->event[0] = proof->earlier;
    race->event[1] = proof->later;
    race->instances = flags->count;
    race->model = rcp_model_name(RCP_MODEL_C11);
    race->models = RCP_MODEL_BIT(RCP_MODEL_C11);
    race->status = RCP_RACE_PREDICTED;
    race->witness.recorded = proof->later.v;
    race->witness.race[0] = proof->earlier;
    race->witness.race[1] = proof->later;
    rcp_text cure = {0};
    rcp_cures cures;
    find_cures(trace, flags, cure_left, &cures);
    rcp_cures_tell(&cures, &trace->defs, &cure);
    rcp_race_explain(race,
                     "By the rules of the language nothing orders the two: the atomic operations and fences that lead "
                     "from one to the other are too weak.%s%s",
                     cure.len ? " " : "", cure.len ? cure.at : "");
    rcp_text_finish(&cure);
}

/* Instance by instance. Returns whether one was accepted. */
static bool judge(const rcp_trace *trace, const rcp_pair_flags *flags, rcp_proof_budget *budget, rcp_race *race,
                  uint64_t *cure_left, bool *undecided) {
    for (size_t i = 0; i < rcp_pair_kept(flags); i++) {
        rcp_proof proof;
        rcp_language_verdict verdict;
        rcp_proof_init(&proof, rcp_pair_earlier(trace, &flags->kept[i]), flags->kept[i].later);
        if (rcp_proof_budget_is_over(budget) || budget->left < PASSES * proof.later.v) {
            *undecided = proof.undecided = true;
            rcp_settle(race, RCP_MODEL_C11, flags->count, &proof);
            return false;
        }
        budget->left -= PASSES * proof.later.v;
        rcp_language_check(trace, proof.earlier, proof.later, &verdict);
        if (!verdict.accepted)
            continue;
        if (rcp_race_is_proven(race))
            race->models |= RCP_MODEL_BIT(RCP_MODEL_C11);
        else
            accept(trace, race, &proof, flags, cure_left);
        return true;
    }
    return false;
}

void rcp_language_judge(const rcp_trace *trace, const rcp_pairs *pairs, rcp_proof_budget *budget, rcp_race *races,
                        bool *refuted) {
    uint64_t cure_left = rcp_limit(RCP_LIMIT_CURE_EVENTS);
    for (size_t p = 0; p < pairs->at.len; p++) {
        const rcp_pair_flags *flags = pairs->at.at[p].by[RCP_MODEL_C11];
        if (!flags)
            continue;
        const bool was_decided = !budget->undecided[p], is_ours = !races[p].models && !refuted[p];
        bool undecided = false;
        if (judge(trace, flags, budget, &races[p], &cure_left, &undecided))
            refuted[p] = false;
        else if (undecided)
            budget->undecided[p] |= is_ours;
        else if (is_ours && was_decided)
            refuted[p] = true;
    }
}
