/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files, and the directories that they are in: what stands between the system's calls and whoever wants a file
 * read, made or gone. (What a command prints, to a file or a pipe, is cli/output.h; what grows piece by piece is
 * base/spool.h.)
 *
 * Invariant: a write that is cut short or interrupted goes on until all bytes are there or the system refuses. What
 * fails says the file's name and the system's reason. Names that are 'taken' are the caller's to release.
 */
#ifndef RECIPE_BASE_FILE_H
#define RECIPE_BASE_FILE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* "directory/name". */
char *rcp_file_take_path(const char *directory, const char *name);

/* Is there such a file? One that the system does not tell of (no memory, an error of the disk, a directory that is not
 * to be read) counts as there: whoever opens it says why it can't be had, and what is there is not taken for missing.
 */
bool rcp_file_is_there(const char *path);

/* The same for whoever can do without: what the system does not tell of is a failure then. */
rcp_code rcp_file_find(const char *path, bool *is_there) RCP_MUST_USE;

/* Reads directory/name where there is such a file; where there is none, `text` stays as it is and nothing is wrong. */
rcp_code rcp_file_read_if_there(const char *directory, const char *name, rcp_text *text) RCP_MUST_USE;

/* All of the bytes, at where the descriptor stands or at `offset`. False: errno says why. */
bool rcp_file_put(int fd, const void *bytes, size_t n);
bool rcp_file_put_at(int fd, const void *bytes, size_t n, uint64_t offset);

/* A file that was not there before; where there is one, that is a failure. */
rcp_code rcp_file_make(const char *path, const void *bytes, size_t n) RCP_MUST_USE;
/* A file that appears whole or not at all: it is written under another name and renamed. One that is there is replaced;
 * whoever reads it meanwhile reads the one or the other. */
rcp_code rcp_file_replace(const char *path, const void *bytes, size_t n) RCP_MUST_USE;

/* One that is there already will do. */
rcp_code rcp_file_make_directory(const char *path) RCP_MUST_USE;
/* A directory and all that is in it, or a file; links are removed and not followed. What can't be removed stays. */
void rcp_file_remove_tree(const char *path);

/* What the files in it take of the disk; links are not followed. */
uint64_t rcp_file_tree_bytes(const char *path);
/* Nobody sees what is written there: it is closed, or /dev/null. */
bool rcp_file_leads_nowhere(int fd);

/* The mode that a new file gets by the user's umask. */
unsigned rcp_file_default_mode(void);

#endif
