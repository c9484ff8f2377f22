/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of the partial orders (order/analyze.h): flags from the store, loads the trace only where something was
 * flagged, as far as that goes, proves, and hands on what it found.
 */
#ifndef RECIPE_ANALYSIS_ORDERS_H
#define RECIPE_ANALYSIS_ORDERS_H

#include "analysis/study.h"
#include "order/analyze.h"

/* `report` is initialised; the caller's. */
rcp_code rcp_orders_find(rcp_study *study, uint32_t models, rcp_order_report *report) RCP_MUST_USE;
/* Races and statistics into the results, which have begun. */
rcp_code rcp_orders_keep(rcp_study *study, rcp_order_report *report) RCP_MUST_USE;

#endif
