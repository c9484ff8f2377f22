/* SPDX-License-Identifier: Apache-2.0 */
/* Failure as a return value plus a chain of causes.
 *
 * A function that can fail returns an rcp_code. The place that fails calls rcp_fail() with what happened, where and
 * why; a caller that knows more adds a line with rcp_because(). Only cli/ prints the chain and exits.
 *
 * Invariant: the chain of the calling thread is empty if and only if the last fallible call succeeded or the chain was
 * cleared. The chain is owned by the thread; nobody frees it by hand.
 */
#ifndef RECIPE_BASE_STATUS_H
#define RECIPE_BASE_STATUS_H

#include <stdio.h>

typedef enum rcp_code {
    RCP_OK = 0,
    RCP_BAD_INPUT, /* a file or text that breaks its format: exit code 3 */
    RCP_LIMIT,     /* a stated limit was reached: exit code 4 with --strict */
    RCP_SYSTEM,    /* the operating system refused: exit code 5 */
    RCP_INTERNAL,  /* our own mistake: exit code 5 */
} rcp_code;

#define RCP_MUST_USE     __attribute__((warn_unused_result))
#define RCP_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Starts a new chain with one cause and returns `code`. */
rcp_code rcp_fail(rcp_code code, const char *format, ...) RCP_PRINTF(2, 3);

/* What it is that the system refuses to open or to read: the user's, where the name is wrong or is not to be read. */
rcp_code rcp_code_of_errno(int error);

/* Adds what the caller was doing; returns `code` unchanged, so that it can stand in a return statement. */
rcp_code rcp_because(rcp_code code, const char *format, ...) RCP_PRINTF(2, 3);

/* What the chain began with, for whoever was only told that there is one; RCP_OK: it is empty. */
rcp_code rcp_failure(void);

/* Cause `i` of the chain, 0 being the innermost; NULL past the end. Borrowed until the next fallible call. */
const char *rcp_borrow_cause(size_t i);
void rcp_print_causes(FILE *to);
void rcp_clear_causes(void);

#define RCP_TRY(call)                                                                                                  \
    do {                                                                                                               \
        rcp_code rcp_try_code = (call);                                                                                \
        if (rcp_try_code != RCP_OK)                                                                                    \
            return rcp_try_code;                                                                                       \
    } while (0)

/* An invariant of ours; on in release too. Input never reaches one: input is refused with rcp_fail(). */
#define RCP_CHECK(condition) ((condition) ? (void)0 : rcp_check_failed(#condition, __FILE__, __LINE__))
_Noreturn void rcp_check_failed(const char *condition, const char *file, int line);

#ifdef NDEBUG
#define RCP_DCHECK(condition) ((void)sizeof(condition))
#else
#define RCP_DCHECK(condition) RCP_CHECK(condition)
#endif

#endif
