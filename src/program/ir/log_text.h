/* SPDX-License-Identifier: Apache-2.0 */
/* A log for people: one line per record, functions by their names where the bitcode has them. Nothing is kept. */
#ifndef RECIPE_PROGRAM_IR_LOG_TEXT_H
#define RECIPE_PROGRAM_IR_LOG_TEXT_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>

/* Prints the log of the recorded directory `dir`; `put` is called with each stretch of text, clears it, and says
 * whether to go on. */
typedef bool rcp_log_text_put(void *context, rcp_text *text);
rcp_code rcp_log_text_print(const char *dir, rcp_log_text_put *put, void *context) RCP_MUST_USE;

#endif
