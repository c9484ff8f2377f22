/* SPDX-License-Identifier: Apache-2.0 */
/* What the first re-execution has found out (program/telling/sharing.h, and what threads are called), kept beside the
 * events that were told with it: the file DIR/sharing. Whoever executes the run for its events again, for moments to go
 * back to (program/telling/checkpoints.h), needs the second re-execution alone.
 *
 * The file: a magic number with the format's version, then one chunk as traces have them (trace/store/chunk.h), so that
 * a changed byte is always noticed. The first number in it is the key: it stands for the log, for what the user says of
 * functions that are not recorded (DIR/opaque) and for the limits on events. The others are LEB128; addresses and
 * visits are differences from those before them.
 *
 * Invariant: what is read is what was written, under the same key; else nothing is.
 */
#ifndef RECIPE_PROGRAM_TELLING_SHARING_FILE_H
#define RECIPE_PROGRAM_TELLING_SHARING_FILE_H

#include "program/recording/thread_names.h"
#include "program/telling/sharing.h"

char *rcp_sharing_file_take_path(const char *directory);
/* Of the recorded run there, and of the limits of now. */
rcp_code rcp_sharing_file_key(const char *directory, uint64_t *key) RCP_MUST_USE;
/* After rcp_sharing_end(). A file that is there is replaced. What no chunk has room for is not kept, which is no
 * failure. */
rcp_code rcp_sharing_file_write(const char *path, uint64_t key, const rcp_sharing *sharing,
                                const rcp_thread_names *names) RCP_MUST_USE;
/* Makes both, or fails: there is no such file, it is damaged, or it has another key. */
rcp_code rcp_sharing_file_read(const char *path, uint64_t key, rcp_sharing **sharing,
                               rcp_thread_names **names) RCP_MUST_USE;

#endif
