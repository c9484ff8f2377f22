/* SPDX-License-Identifier: Apache-2.0 */
/* What 'recipe report --format json' says, as far as this test asks: each race's models, status and two locations. Read
 * from the text alone, as any user of it would. */
#ifndef RECIPE_PROP_SMALL_REPORTED_H
#define RECIPE_PROP_SMALL_REPORTED_H

#include "prop/small/explore.h"

typedef enum rcp_small_model {
    RCP_SMALL_HB,
    RCP_SMALL_SHB,
    RCP_SMALL_WCP,
    RCP_SMALL_DC,
    RCP_SMALL_SDP,
    RCP_SMALL_WDP,
    RCP_SMALL_MC,
    RCP_SMALL_RV,
    RCP_SMALL_RECIPE_S,
    RCP_SMALL_RECIPE,
    RCP_SMALL_RECIPE_PLUS,
    RCP_SMALL_MODELS
} rcp_small_model;
extern const char *const rcp_small_model_names[RCP_SMALL_MODELS];

typedef struct rcp_small_reported {
    bool was_run[RCP_SMALL_MODELS];
    rcp_small_races races[RCP_SMALL_MODELS];
    rcp_small_races all;
    unsigned confirmed, not_confirmed; /* not: not replayed, or not carried out */
    unsigned unknown, unproven;
    unsigned long rejected; /* sides that could not be explored, for whatever reason */
    char odd[256];          /* what this reader did not understand; empty: nothing */
} rcp_small_reported;

/* A race that is not in the program's file is odd. */
void rcp_small_reported_read(rcp_small_reported *reported, const char *json, const rcp_small_program *program);
void rcp_small_reported_finish(rcp_small_reported *reported);

#endif
