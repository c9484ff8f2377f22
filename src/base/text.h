/* SPDX-License-Identifier: Apache-2.0 */
/* A string that grows: reports and dumps are built in one and written once.
 *
 * Invariant: at[len] is NUL whenever at is not NULL. The text owns its bytes.
 */
#ifndef RECIPE_BASE_TEXT_H
#define RECIPE_BASE_TEXT_H

#include "base/status.h"

#include <stddef.h>

typedef struct rcp_text {
    char *at;
    size_t len, cap;
} rcp_text;

void rcp_text_finish(rcp_text *text);
void rcp_text_clear(rcp_text *text);
void rcp_text_add(rcp_text *text, const char *bytes, size_t n);
void rcp_text_puts(rcp_text *text, const char *string);
void rcp_text_printf(rcp_text *text, const char *format, ...) RCP_PRINTF(2, 3);

/* Reads a whole file ('-' is standard input) into `text`; fails with the system's reason. */
rcp_code rcp_text_read_file(rcp_text *text, const char *path) RCP_MUST_USE;

#endif
