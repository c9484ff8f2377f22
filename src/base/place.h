/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that somebody else may have made, before work in it begins.
 *
 * Nothing outside of it may be written, made or removed by way of what is in it; so it holds files and directories, and
 * no links but those that the caller knows. The directory itself may be a link: it is the user's word.
 *
 * One process at a time works in it: rcp_place_lock(). The lock ends with the process, and with its copies.
 */
#ifndef RECIPE_BASE_PLACE_H
#define RECIPE_BASE_PLACE_H

#include "base/text.h"

#include <stdbool.h>

/* Is the link `path` (within the directory) one of ours, if it leads to `target`? */
typedef bool rcp_place_linker(const char *path, const char *target);
/* RCP_BAD_INPUT names what is in the directory and must not be. */
rcp_code rcp_place_check(const char *directory, rcp_place_linker *is_ours) RCP_MUST_USE;

/* Nobody else works there from now on. Where somebody does, `wait` is told who, once, and it is waited for. A directory
 * that can't be locked (its file system knows no locks) is as good as locked. */
typedef void rcp_place_waiter(const char *directory, const char *who);
rcp_code rcp_place_lock(const char *directory, rcp_place_waiter *wait) RCP_MUST_USE;

/* Does the directory belong to somebody else than who asks? `owner` takes the name. */
bool rcp_place_is_foreign(const char *directory, rcp_text *owner);

#endif
