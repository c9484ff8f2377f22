/* SPDX-License-Identifier: Apache-2.0 */
/* One module through the recording pass: bitcode in, instrumented bitcode out.
 *
 * The pipeline is prepare.h (take out what re-execution could see otherwise), embed.h (the module as it is then goes
 * into the object, with the tables of abi/module.h), pass.h (hooks). The result is valid bitcode for the back end,
 * whatever its optimisation; the back end must not be told anything that changes floating-point arithmetic
 * (-ffast-math, -ffp-contract=fast): what those flags had the front end say was taken out again.
 *
 * Modules are independent and nothing is shared between two calls. The request is borrowed for the call; the report is
 * the caller's, filled on success, and to be finished in any case.
 */
#ifndef RECIPE_INSTRUMENT_INSTRUMENT_H
#define RECIPE_INSTRUMENT_INSTRUMENT_H

#include "base/status.h"
#include "instrument/report.h"

#include <stdbool.h>

typedef struct rcp_instrument_request {
    const char *input;        /* a bitcode file */
    const char *output;       /* where the instrumented bitcode goes */
    const char *inline_hooks; /* lib/recipe/inline-<arch>.bc */
    const char *scratch; /* an existing directory: takes the file that the output names by .incbin, so it must outlive
                            the back end; nobody else may write there meanwhile */
    bool verbose;        /* counts what was prepared, too */
    const char *log_values; /* functions to leave as they are: patterns, separated by commas; may be NULL */
    const char *exclude;    /* the same; a pattern with a dot or a slash means files */
    bool log_branches;      /* branches that are no events have a hook, for record --log-values */
    bool no_regions;        /* loops have no plain copies: for tests of the hooks */
    bool spares;            /* functions without the attribute sanitize_thread are not to be reported */
    bool is_cxx20;          /* the source is C++20 or later */
    bool drop_debug; /* the output has no debug information (the user asked for none); what is embedded keeps it */
} rcp_instrument_request;

rcp_code rcp_instrument(const rcp_instrument_request *request, rcp_instrument_report *report) RCP_MUST_USE;

#endif
