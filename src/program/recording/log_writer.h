/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a log (abi/log.h) record by record: what program/recording/log_reader.h reads, and nothing else, comes back
 * the same. The recorder has a writer of its own (runtime/logging.c); this one is for runs that were thought out, not
 * recorded (program/explore/explore.h).
 *
 * Invariant: records of one thread have ascending positions. The writer owns its bytes until they are saved.
 */
#ifndef RECIPE_PROGRAM_RECORDING_LOG_WRITER_H
#define RECIPE_PROGRAM_RECORDING_LOG_WRITER_H

#include "base/map.h"
#include "base/vec.h"
#include "program/recording/log_reader.h"

typedef struct rcp_log_writer {
    RCP_VEC(uint8_t) bytes; /* of records */
    rcp_map index;          /* thread → its place in `positions` */
    RCP_VEC(uint64_t) positions;
    uint32_t thread; /* that has the baton */
    bool has_thread;
    uint64_t line, block;
    uint64_t slot[RCP_LOG_SLOTS];
    uint8_t slot_object[RCP_LOG_SLOTS];
    struct rcp_log_header header;
} rcp_log_writer;

/* The header is that of the run that it is made from, less what it says of its end. */
void rcp_log_writer_init(rcp_log_writer *writer, const struct rcp_log_header *header);
void rcp_log_writer_finish(rcp_log_writer *writer);

/* A record of the thread that has the baton; SLICE gives it to `record->thread`. */
void rcp_log_writer_put(rcp_log_writer *writer, const rcp_log_record *record);
/* As it stands in front of the bytes. */
struct rcp_log_header rcp_log_writer_header(const rcp_log_writer *writer);
/* Into a new file. */
rcp_code rcp_log_writer_save(const rcp_log_writer *writer, const char *path) RCP_MUST_USE;

#endif
