/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: calls outside that are with a pipe, a pair of sockets, a counter of events or the like of the program's own
 * (docs/semantics.md, 'Descriptors of the program's own'), and the order in which threads make them. What such a call
 * answers hangs on which others came before it on that object. What is in a message nobody knows, so in every order of
 * a run's events they come as they came (P1); that they could come otherwise only a run of the program can show.
 *
 * Calls that may be with anything (functions that nobody knows) are none of these, and orders nothing here.
 *
 * Nothing of the trace is owned. A follower owns its map and list, the caller the lists of overtakings.
 */
#ifndef RECIPE_ANALYSIS_MESSAGES_H
#define RECIPE_ANALYSIS_MESSAGES_H

#include "base/map.h"
#include "predict/facts/groundwork.h"

/* Is the event the beginning or the end of such a call? */
bool rcp_messages_has(const rcp_trace *trace, const rcp_event *event);

/* What each call has come after: one event after the other. */
typedef struct rcp_messages_follower {
    const rcp_trace *trace;
    rcp_map last; /* object → in `calls`, the one that has ended on it last */
    struct {
        RCP_VEC(uint64_t) names; /* the same for a thread's nth one in every run */
        RCP_VEC(uint32_t) ends;  /* their events */
    } calls;
    uint64_t *ended; /* by thread, how many */
} rcp_messages_follower;

void rcp_messages_follower_init(rcp_messages_follower *follower, const rcp_trace *trace);
void rcp_messages_follower_finish(rcp_messages_follower *follower);
/* Of the next event of the trace: is it the beginning or the end of such a call? *after: a number for what has ended
 * last on its objects. All of these together are the order of all calls on each object. */
bool rcp_messages_follow(rcp_messages_follower *follower, const rcp_event *event, uint64_t *after);

/* Two such calls of different threads on one object, by their beginnings; between them no third one has begun and ended
 * on it, and nothing that always holds puts them in order but P1 itself. */
typedef struct rcp_overtaking {
    uint32_t earlier, later;
} rcp_overtaking;
typedef RCP_VEC(rcp_overtaking) rcp_overtakings;

/* The later one first: which pairs could be asked for that. In the order of the later ones; each once. */
void rcp_messages_list(const rcp_groundwork *groundwork, rcp_overtakings *list);

/* Where the two come the other way round, after all that the run has before the later one but what hangs on the earlier
 * one: the number that the later one has there (rcp_messages_follow()), and the ends of calls that it is made of. */
typedef RCP_VEC(uint32_t) rcp_messages_ends;
uint64_t rcp_messages_after(const rcp_groundwork *groundwork, rcp_overtaking overtaking, rcp_messages_ends *ends);

#endif
