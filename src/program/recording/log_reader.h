/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the log of a run (abi/log.h), record by record.
 *
 * Differences are undone here: a record has whole positions, addresses and lines. Whatever the file holds, nothing is
 * read out of bounds: a record that is cut off or makes no sense is refused with its place in the file.
 *
 * Invariant: after RCP_OK from rcp_log_next() every field that its tag names is set; the others are 0. Bytes are
 * borrowed from the log, which owns the mapped file and lives until rcp_log_close().
 */
#ifndef RECIPE_PROGRAM_RECORDING_LOG_READER_H
#define RECIPE_PROGRAM_RECORDING_LOG_READER_H

#include "abi/log.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_log_record {
    enum rcp_log_tag tag; /* RCP_LOG_SYNC for all of those; RCP_LOG_END: there are no more */
    uint32_t thread;      /* whose it is; of SLICE: who goes on */
    uint64_t at;          /* offset in the file */
    uint64_t position;    /* of STOP, MISS, MISS_ZERO, THREAD_END, FAULT; of SLICE: of the thread before */
    uint64_t address; /* of a line, an effect, an allocation; of CALLBACK, LANDING: the function; of JUMP: the buffer;
                         of SYNC: the object; of THREAD: the top of its recipe stack */
    uint64_t second;  /* of COPY: from; of SYNC: the second object; of LANDING: the exception */
    uint64_t value;   /* of RETURN, VALUE, JUMP, FILL's byte; SYNC's number; LANDING's selector; THREAD's parent;
                         PART's number; FAULT's signal; CALLBACK's, 0: no handler; FORK's pid; EXIT's status */
    uint64_t size;    /* bytes of an effect, a fill, a copy, an allocation; arguments of CALLBACK; addresses of
                         THREAD; nth of THREAD is in `second`; FAULT's events; strings of STRINGS */
    uint64_t room;    /* of THREAD: bytes of its recipe stack */
    uint64_t native_lo, native_hi; /* of THREAD: what is certain of the system's stack for it */
    const uint8_t *bytes; /* of RETURN_BYTES, EFFECT, NOTE, MISS (64 of them): `size` bytes; CALLBACK: its arguments as
                             they are in the log, THREAD: its addresses, STRINGS: rcp_log_string_next() */
    const uint8_t *end;   /* where the record ends */
    uint32_t pad;         /* of LANDING */
    uint8_t check, op, outcome, object, second_object, kind; /* kind: enum rcp_alloc */
} rcp_log_record;

typedef struct rcp_log rcp_log;

/* Maps the file. Refuses what is no log, one of another version, and one that is damaged: checksums cover all that is
 * read. A file that has lost its end is read up to the last checksum within, as one of a run that has not ended. */
rcp_code rcp_log_open(const char *path, rcp_log **log) RCP_MUST_USE;
/* The same over bytes that the caller keeps while the log is open. */
rcp_code rcp_log_open_memory(const char *name, const void *bytes, size_t n, rcp_log **log) RCP_MUST_USE;
void rcp_log_close(rcp_log *log);
/* Has the run ended, and the file its end? Its records are not looked at. */
rcp_code rcp_log_has_ended(const char *path, bool *ended) RCP_MUST_USE;
/* Why the runtime ended the program, because it could not be recorded any further; nothing where it did not. */
rcp_code rcp_log_refusal(const char *path, rcp_text *why) RCP_MUST_USE;
/* Who waits for what, where a deadlock ended the run; `listed` is 0 where none did. Its records are not looked at. */
rcp_code rcp_log_deadlock(const char *path, struct rcp_log_deadlock *to) RCP_MUST_USE;

/* `ended` is an enum rcp_ended here; NOT: the run was cut off, or goes on, and nobody has counted. */
const struct rcp_log_header *rcp_log_borrow_header(const rcp_log *log);
/* Who waits for what, where a deadlock ended the run; NULL: none did. */
const struct rcp_log_deadlock *rcp_log_borrow_deadlock(const rcp_log *log);
/* Bytes of records that were read, and how many there are. */
uint64_t rcp_log_consumed(const rcp_log *log);
uint64_t rcp_log_length(const rcp_log *log);

/* From now on it ends before the record that begins at that byte of the file (rcp_log_record.at). */
void rcp_log_cut(rcp_log *log, uint64_t at);

rcp_code rcp_log_next(rcp_log *log, rcp_log_record *record) RCP_MUST_USE;

/* An argument of a callback: a value, or `n` bytes. Takes the place of the next one from `at`, which starts as
 * record->bytes; what rcp_log_next() accepted is whole. */
typedef struct rcp_log_argument {
    uint64_t value;
    const uint8_t *bytes; /* NULL: a value */
    uint64_t n;
} rcp_log_argument;
const uint8_t *rcp_log_argument_next(const uint8_t *at, const uint8_t *end, rcp_log_argument *argument);
/* The same of a string of STRINGS. */
const uint8_t *rcp_log_string_next(const uint8_t *at, const uint8_t *end, struct rcp_log_string *string);

#endif
