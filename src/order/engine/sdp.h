/* SPDX-License-Identifier: Apache-2.0 */
/* Strong dependently precedes (seed 002, Algorithm 1): wcp, but two writes that meet in critical sections are not
 * ordered; the earlier section comes before the later writer's next read of the place.
 *
 * rcp_rules_sdp has the mend (order/engine/mend.h), and is what is run. rcp_rules_sdp_published is the algorithm to the
 * letter: for comparison, and for the counterexample that it flags. */
#ifndef RECIPE_ORDER_ENGINE_SDP_H
#define RECIPE_ORDER_ENGINE_SDP_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_sdp, rcp_rules_sdp_published;

#endif
