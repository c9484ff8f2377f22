/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded directory (abi/run.h) as a whole: what its log says of the run without re-executing it.
 *
 * Invariant: whatever the files hold, reading them ends with an answer or a refusal; a log that ends early (the program
 * was killed) is read as far as it is whole. The recording owns its notes.
 */
#ifndef RECIPE_PROGRAM_RECORDING_RECORDING_H
#define RECIPE_PROGRAM_RECORDING_RECORDING_H

#include "abi/log.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/recording/schedule.h"

#include <stdbool.h>

typedef struct rcp_recording {
    struct rcp_log_header header;
    uint64_t bytes; /* of records */
    RCP_VEC(char *) notes;
} rcp_recording;

/* Does the directory hold a log? */
bool rcp_recording_is_there(const char *directory);
/* What other runs have in common with the recorded one, and find by links to it; ends with NULL. Nobody writes through
 * them: what is written there is made anew. */
extern const char *const rcp_recording_shared[];
/* Makes these links in another run's directory, `to`: DIR/variants/N. What it has of its own stays. */
rcp_code rcp_recording_link_shared(const char *to) RCP_MUST_USE;
/* The links that a recorded directory may have in it (base/place.h): DIR/variants/N/NAME to ../../NAME,
 * DIR/process.N/modules to ../modules, and what a replay is fed to ../NAME. */
bool rcp_recording_has_link(const char *path, const char *target);
/* Are the log and the image, where there are any, as they were written? Both are read whole. */
rcp_code rcp_recording_check(const char *directory) RCP_MUST_USE;
/* Where the recording was cut off, a sentence that says so; else, and where there is no recording, nothing. */
rcp_code rcp_recording_cut(const char *directory, rcp_text *sentence) RCP_MUST_USE;

/* The header and the notes; `recording` is the caller's to finish, also where this fails. */
rcp_code rcp_recording_read(const char *directory, rcp_recording *recording) RCP_MUST_USE;
void rcp_recording_finish(rcp_recording *recording);
/* A line per number. */
void rcp_recording_print(rcp_text *to, const rcp_recording *recording);
void rcp_recording_print_notes(rcp_text *to, const rcp_recording *recording);

/* The schedule that the run had; `schedule` is initialised. */
rcp_code rcp_recording_schedule(const char *directory, rcp_schedule *schedule) RCP_MUST_USE;

/* Calls `each` with the path of every object that has instrumented modules, in the order of the image. */
typedef rcp_code rcp_recording_visitor(void *context, const char *path);
rcp_code rcp_recording_objects(const char *directory, rcp_recording_visitor *each, void *context) RCP_MUST_USE;

#endif
