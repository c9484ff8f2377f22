/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/settle.h"

#include "base/clock.h"

bool rcp_proof_budget_is_over(rcp_proof_budget *budget) {
    if (budget->end > 0 && budget->left && rcp_seconds_now() >= budget->end)
        budget->left = 0;
    return !budget->left;
}

bool rcp_settled_already(const rcp_trace *trace, const rcp_pair_flags *flags, const rcp_race *race) {
    if (!rcp_race_is_proven(race))
        return false;
    for (size_t i = 0; i < rcp_pair_kept(flags); i++)
        if (flags->kept[i].later.v == race->event[1].v &&
            rcp_pair_earlier(trace, &flags->kept[i]).v == race->event[0].v)
            return true;
    return false;
}

static const char *in_words(rcp_value_rule values) {
    switch (values) {
    case RCP_VALUES_SAME: return "every read takes the value that it took";
    case RCP_VALUES_LAST_WRITER: return "every read that matters keeps its last writer";
    default: return "every branch and address keeps its value";
    }
}

void rcp_settle(rcp_race *race, rcp_model model, uint64_t instances, rcp_proof *proof) {
    uint32_t bit = RCP_MODEL_BIT(model);
    bool was_proven = rcp_race_is_proven(race);
    if (was_proven || (!proof->proven && race->models)) {
        race->models |= was_proven == proof->proven ? bit : 0;
        return;
    }
    race->event[0] = proof->earlier;
    race->event[1] = proof->later;
    race->instances = instances;
    race->model = rcp_model_name(model);
    race->models = bit;
    if (!proof->proven) {
        rcp_race_explain(race, "%s", proof->verdict.reason);
        return;
    }
    race->status = RCP_RACE_PREDICTED;
    rcp_race_explain(race, "The same events can come in another order: %s.", in_words(proof->values));
    rcp_witness_finish(&race->witness);
    race->witness = proof->witness;
    rcp_witness_init(&proof->witness);
}
