/* SPDX-License-Identifier: Apache-2.0 */
/* What the user says of functions that are not recorded: the file of --opaque (docs/recording.md).
 *
 *   # comment
 *   barriers simple
 *   BZ2_bzBuffToBuff*    none
 *   queue_*              on 0
 *   log_line             reads 0 1, blocks
 *
 * A name may have * and ?; the last line that fits counts. `none`: no other thread's doing has to do with it. `pure`:
 * the same. `reads`, `writes` and `on` (what it synchronises on) list the arguments whose objects it works with;
 * `blocks`: it may wait for files, pipes and the like; `keeps`: it may remember what it is given; `everything`: no more
 * is known.
 *
 * `barriers simple`: all code that is not recorded counts as if it reached everything. `barriers off`: as if it did
 * nothing; what is found then may be false, it is for comparison. `barriers trees`: where an object leads is looked for
 * once (program/reach/trees.h), for comparison too.
 *
 * `volatile atomic` (--volatile): volatile loads and stores of recorded code count as relaxed atomics, for code that
 * lives by that; `volatile plain`: as the language has it.
 */
#ifndef RECIPE_PROGRAM_REACH_OPAQUE_FILE_H
#define RECIPE_PROGRAM_REACH_OPAQUE_FILE_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_opaque_rule {
    char *pattern;
    uint32_t arguments; /* a bit each */
    bool is_harmless, is_everything, blocks, keeps;
} rcp_opaque_rule;

typedef struct rcp_opaque_file {
    RCP_VEC(rcp_opaque_rule) rules;
    bool is_simple, is_off, has_trees;
    bool is_volatile_atomic;
} rcp_opaque_file;

/* `name` stands for the text in messages: 'name:line: reason'. */
rcp_code rcp_opaque_file_parse(rcp_opaque_file *file, const char *name, const char *text) RCP_MUST_USE;
/* A recording's own, DIR/opaque; empty where there is none. */
rcp_code rcp_opaque_file_read(rcp_opaque_file *file, const char *directory) RCP_MUST_USE;
void rcp_opaque_file_finish(rcp_opaque_file *file);
/* NULL: nothing is said of it. `file` may be NULL. */
const rcp_opaque_rule *rcp_opaque_file_find(const rcp_opaque_file *file, const char *name);

#endif
