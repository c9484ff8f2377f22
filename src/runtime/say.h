/* SPDX-License-Identifier: Apache-2.0 */
/* Text in a buffer of the caller's, and out to standard error: the runtime has no stdio. What does not fit is cut off.
 */
#ifndef RECIPE_RUNTIME_SAY_H
#define RECIPE_RUNTIME_SAY_H

#include <stddef.h>
#include <stdint.h>

typedef struct rcp_say {
    char *text; /* always ended by 0 */
    size_t n, size;
} rcp_say;

#define RCP_SAY(name, bytes)                                                                                           \
    char name##_text[bytes] = "";                                                                                      \
    rcp_say name = {name##_text, 0, bytes}

void rcp_say_text(rcp_say *say, const char *text);
void rcp_say_number(rcp_say *say, uint64_t number);
void rcp_say_hex(rcp_say *say, uint64_t number);
/* To standard error, with "recipe: " before and a newline after. */
void rcp_say_print(const rcp_say *say);

#endif
