/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/turns.h"

#include "base/map.h"

/* The furthest that each thread is known to have got. */
typedef struct reached {
    rcp_map index;
    RCP_VEC(uint64_t) positions;
} reached;

static void note(reached *r, uint32_t thread, uint64_t position) {
    uint32_t *index = rcp_map_at(&r->index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)r->positions.len;
        rcp_vec_push(&r->positions, 0);
    }
    r->positions.at[*index] = position;
}

/* The last turn ends with the run: its thread has had what is left of all events. The others may have had some more
 * than is known, never less. */
static uint64_t last_end(const reached *r, uint32_t thread, uint64_t events) {
    uint32_t own = rcp_map_get(&r->index, thread);
    for (size_t i = 0; i < r->positions.len; i++)
        if (i != own)
            events = events > r->positions.at[i] ? events - r->positions.at[i] : 0;
    return events;
}

rcp_code rcp_turns_read(const char *path, rcp_turns *turns) {
    *turns = (rcp_turns){0};
    rcp_log *log;
    rcp_log_record record;
    RCP_TRY(rcp_log_open(path, &log));
    reached got = {0};
    rcp_map_init(&got.index);
    uint32_t thread = 0;
    bool forked = false, ended = false;
    while (rcp_log_next(log, &record) == RCP_OK && record.tag != RCP_LOG_END) {
        if (record.tag == RCP_LOG_SLICE) {
            if (turns->ends.len) {
                turns->ends.at[turns->ends.len - 1] = record.position;
                note(&got, thread, record.position);
            }
            thread = record.thread;
            rcp_vec_push(&turns->ends, UINT64_MAX);
        } else if (record.tag == RCP_LOG_THREAD_END && turns->ends.len) {
            turns->ends.at[turns->ends.len - 1] = record.position;
            note(&got, thread, record.position);
        }
        forked |= record.tag == RCP_LOG_FORK && !record.value;
        ended |= record.tag == RCP_LOG_EXIT;
    }
    rcp_clear_causes();
    const struct rcp_log_header *header = rcp_log_borrow_header(log);
    if (turns->ends.len && ended && header->ended == RCP_ENDED_EXIT && !forked)
        turns->ends.at[turns->ends.len - 1] = last_end(&got, thread, header->events);
    /* a signal, or another program, came: what is counted then may be less than was done, in a region */
    if (turns->ends.len && header->ended != RCP_ENDED_EXIT && header->ended != RCP_ENDED_NOT && !forked)
        turns->last = last_end(&got, thread, header->events);
    rcp_map_finish(&got.index);
    rcp_vec_finish(&got.positions);
    rcp_log_close(log);
    return RCP_OK;
}

void rcp_turns_finish(rcp_turns *turns) { rcp_vec_finish(&turns->ends); }

uint64_t rcp_turns_next(rcp_turns *turns) {
    return turns->next < turns->ends.len ? turns->ends.at[turns->next++] : UINT64_MAX;
}
