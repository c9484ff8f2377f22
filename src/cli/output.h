/* SPDX-License-Identifier: Apache-2.0 */
/* Where results go: standard output, standard error, or a file that appears whole or not at all.
 *
 * A regular file is written under another name beside it and renamed when it is complete; what is no regular file (a
 * pipe, a device) is written to directly. A reader that closes the pipe has seen enough: writing stops and nothing is
 * wrong.
 *
 * Invariant: after rcp_output_close() nothing half-written stands under the name that was asked for, and no temporary
 * file is left. The output owns its stream and its temporary name, and borrows the path.
 */
#ifndef RECIPE_CLI_OUTPUT_H
#define RECIPE_CLI_OUTPUT_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct rcp_output {
    FILE *to;
    const char *path; /* as the user named it; "standard output", "standard error" */
    char *target;     /* where the temporary file goes in the end; NULL: written directly */
    char *temporary;
    bool closed; /* the reader has gone */
    int error;   /* errno of the first failure */
} rcp_output;

/* For whoever leaves standard output to a program: a path of its own kind. */
extern const char rcp_output_to_stderr[];

/* NULL or "-": standard output. */
rcp_code rcp_output_open(rcp_output *output, const char *path) RCP_MUST_USE;
/* Could it be opened now? For who has much to do before there is something to write; leaves nothing behind. */
rcp_code rcp_output_try(const char *path) RCP_MUST_USE;
/* Writes the text and clears it. False: no use to go on, rcp_output_close() says why. */
bool rcp_output_put(rcp_output *output, rcp_text *text);
/* Flushes and closes. With `keep` false, or where anything failed, a file that was to be made is not. */
rcp_code rcp_output_close(rcp_output *output, bool keep) RCP_MUST_USE;

/* One text from beginning to end. */
rcp_code rcp_output_all(const char *path, rcp_text *text) RCP_MUST_USE;

#endif
