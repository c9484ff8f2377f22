/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/clock.h"

#include "base/status.h"

#include <string.h>

#define SMALLEST_CLASS 3 /* eight entries: two machine words of link fit, and few programs have fewer threads */

void rcp_clocks_init(rcp_clocks *clocks) {
    *clocks = (rcp_clocks){0};
    rcp_arena_init(&clocks->memory);
    rcp_vec_push(&clocks->slots, (rcp_clock_slot){0}); /* the empty clock */
}

void rcp_clocks_finish(rcp_clocks *clocks) {
    rcp_vec_finish(&clocks->slots);
    rcp_arena_finish(&clocks->memory);
    *clocks = (rcp_clocks){0};
}

size_t rcp_clocks_bytes(const rcp_clocks *clocks) {
    return clocks->memory.total + clocks->slots.cap * sizeof *clocks->slots.at;
}

static uint32_t *take_array(rcp_clocks *clocks, uint32_t size_class) {
    uint32_t *array = clocks->free_arrays[size_class];
    if (!array)
        return rcp_arena_alloc(&clocks->memory, sizeof(uint32_t) << size_class);
    memcpy(&clocks->free_arrays[size_class], array, sizeof(uint32_t *));
    return array;
}

static void give_array(rcp_clocks *clocks, uint32_t *array, uint32_t size_class) {
    memcpy(array, &clocks->free_arrays[size_class], sizeof(uint32_t *));
    clocks->free_arrays[size_class] = array;
}

void rcp_clock_forget(rcp_clocks *clocks, rcp_clock clock) {
    RCP_DCHECK(clock.v);
    rcp_clock_slot *slot = &clocks->slots.at[clock.v];
    give_array(clocks, slot->at, slot->size_class);
    slot->at = NULL;
    slot->len = 0;
    slot->next_spare = clocks->spare;
    clocks->spare = clock.v;
}

/* A clock of our own, one holder, whose array has room for `need` entries, of which the first `from->len` are copied
 * from `from` and the others up to `need` are 0. */
static rcp_clock copy(rcp_clocks *clocks, rcp_clock from, uint32_t need) {
    uint32_t v = clocks->spare;
    if (v) {
        clocks->spare = clocks->slots.at[v].next_spare;
    } else {
        RCP_CHECK(clocks->slots.len < UINT32_MAX);
        v = (uint32_t)clocks->slots.len;
        rcp_vec_push(&clocks->slots, (rcp_clock_slot){0});
    }
    const rcp_clock_slot *old = &clocks->slots.at[from.v];
    uint32_t len = old->len > need ? old->len : need, size_class = SMALLEST_CLASS;
    while (UINT64_C(1) << size_class < len)
        size_class++;
    uint32_t *at = take_array(clocks, size_class);
    if (old->len)
        memcpy(at, old->at, old->len * sizeof *at);
    memset(at + old->len, 0, (len - old->len) * sizeof *at);
    clocks->slots.at[v] = (rcp_clock_slot){.at = at, .len = len, .holders = 1, .size_class = size_class};
    clocks->copies++;
    return (rcp_clock){v};
}

rcp_clock rcp_clock_make(rcp_clocks *clocks, const uint32_t *at, uint32_t n) {
    rcp_clock clock = copy(clocks, (rcp_clock){0}, n);
    if (n)
        memcpy(clocks->slots.at[clock.v].at, at, n * sizeof *at);
    return clock;
}

/* Makes *clock an array of its own with at least `need` entries. */
static uint32_t *own(rcp_clocks *clocks, rcp_clock *clock, uint32_t need) {
    rcp_clock_slot *slot = &clocks->slots.at[clock->v];
    bool alone = clock->v && slot->holders == 1;
    if (alone && need <= UINT64_C(1) << slot->size_class) {
        if (need > slot->len) {
            memset(slot->at + slot->len, 0, (need - slot->len) * sizeof *slot->at);
            slot->len = need;
        }
        return slot->at;
    }
    rcp_clock fresh = copy(clocks, *clock, need);
    rcp_clock_drop(clocks, *clock);
    *clock = fresh;
    return clocks->slots.at[fresh.v].at;
}

static void raise_all(uint32_t *restrict at, const uint32_t *restrict other, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        at[i] = at[i] > other[i] ? at[i] : other[i];
}

/* How many entries of `other` are above those of `at`? */
static uint32_t count_above(const uint32_t *at, uint32_t len, const uint32_t *other, uint32_t other_len) {
    uint32_t above = 0, both = len < other_len ? len : other_len;
    for (uint32_t i = 0; i < both; i++)
        above += other[i] > at[i];
    for (uint32_t i = both; i < other_len; i++)
        above += other[i] > 0;
    return above;
}

void rcp_clock_join(rcp_clocks *clocks, rcp_clock *clock, rcp_clock other) {
    const rcp_clock_slot *from = &clocks->slots.at[other.v], *to = &clocks->slots.at[clock->v];
    if (other.v == clock->v || !count_above(to->at, to->len, from->at, from->len))
        return;
    clocks->joins++;
    uint32_t n = from->len;
    const uint32_t *source = from->at; /* the array stays where it is; the slots may move */
    raise_all(own(clocks, clock, n), source, n);
}

void rcp_clock_raise(rcp_clocks *clocks, rcp_clock *clock, uint32_t tid, uint32_t count) {
    if (count > rcp_clock_entry(clocks, *clock, tid))
        own(clocks, clock, tid + 1)[tid] = count;
}

void rcp_clock_join_stamp(rcp_clocks *clocks, rcp_clock *clock, rcp_stamp stamp) {
    if (rcp_clock_entry(clocks, *clock, stamp.tid) >= stamp.count)
        return; /* no event, or one that is known with all before it */
    rcp_clock_join(clocks, clock, stamp.clock);
    rcp_clock_raise(clocks, clock, stamp.tid, stamp.count);
}

static void mirror(rcp_clocks *clocks, rcp_runner *runner) {
    clocks->news = true;
    runner->at = clocks->slots.at[runner->clock.v].at;
    runner->len = clocks->slots.at[runner->clock.v].len;
}

void rcp_clock_learn(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp stamp) {
    const rcp_clock_slot *from = &clocks->slots.at[stamp.clock.v];
    const uint32_t *source = from->at;
    uint32_t n = from->len, need = n > stamp.tid + 1 ? n : stamp.tid + 1;
    bool same = stamp.clock.v == runner->clock.v;
    clocks->joins++;
    if (clocks->graph)
        rcp_order_graph_add(clocks->graph, stamp.tid, stamp.count, runner->tid, runner->weak);
    uint32_t *at = own(clocks, &runner->clock, need);
    if (!same)
        raise_all(at, source, n);
    RCP_DCHECK(at[stamp.tid] <= stamp.count);
    at[stamp.tid] = stamp.count; /* above what stood there, or the runner would have known it */
    mirror(clocks, runner);
}

/* A join of several events' clocks has no one event that it stands for: each entry that is news is an edge. */
static void add_edges(rcp_clocks *clocks, const rcp_runner *runner, const rcp_clock_slot *from) {
    for (uint32_t t = 0; t < from->len; t++)
        if (from->at[t] && !rcp_runner_knows(runner, t, from->at[t]))
            rcp_order_graph_add(clocks->graph, t, from->at[t], runner->tid, runner->weak);
}

void rcp_runner_join(rcp_clocks *clocks, rcp_runner *runner, rcp_clock other) {
    const rcp_clock_slot *from = &clocks->slots.at[other.v];
    if (other.v == runner->clock.v || !count_above(runner->at, runner->len, from->at, from->len))
        return;
    clocks->joins++;
    if (clocks->graph)
        add_edges(clocks, runner, from);
    uint32_t n = from->len;
    const uint32_t *source = from->at;
    raise_all(own(clocks, &runner->clock, n), source, n);
    mirror(clocks, runner);
}

static void note_sender(rcp_clocks *clocks, rcp_channel *channel, const rcp_runner *runner) {
    size_t i = 0;
    while (i < channel->senders.len && channel->senders.at[i].tid != runner->tid)
        i++;
    if (i == channel->senders.len)
        rcp_vec_push(&channel->senders, (rcp_stamp){0});
    rcp_stamp_set(clocks, &channel->senders.at[i], runner);
}

void rcp_channel_send(rcp_clocks *clocks, rcp_channel *channel, const rcp_runner *runner) {
    bool chain = !channel->last.count || rcp_runner_knows(runner, channel->last.tid, channel->last.count);
    if (!chain)
        rcp_clock_join_stamp(clocks, &channel->rest, channel->last);
    if (runner->weak && chain && !channel->rest.v)
        rcp_clock_put(clocks, &channel->weak, runner->weak->clock);
    else if (runner->weak)
        rcp_clock_join(clocks, &channel->weak, runner->weak->clock);
    rcp_stamp_set(clocks, &channel->last, runner);
    if (runner->weak)
        note_sender(clocks, channel, runner);
}

/* What the channel has beside its last stamp, as one clock. */
static void receive_rest(rcp_clocks *clocks, const rcp_channel *channel, rcp_runner *runner) {
    const rcp_clock_slot *rest = &clocks->slots.at[channel->rest.v];
    uint32_t above = count_above(runner->at, runner->len, rest->at, rest->len), tid = runner->tid;
    if (tid < rest->len && rest->at[tid] > (tid < runner->len ? runner->at[tid] : 0))
        above--; /* of itself every thread knows everything */
    if (above)
        rcp_runner_join(clocks, runner, channel->rest);
}

void rcp_channel_receive(rcp_clocks *clocks, const rcp_channel *channel, rcp_runner *runner) {
    rcp_clock_take(clocks, runner, channel->last);
    if (channel->rest.v)
        receive_rest(clocks, channel, runner);
    for (size_t i = 0; runner->weak && i < channel->senders.len; i++)
        rcp_clock_take(clocks, runner->weak, channel->senders.at[i]);
}

void rcp_channel_receive_lock(rcp_clocks *clocks, const rcp_channel *channel, rcp_runner *runner) {
    bool news =
        channel->rest.v || (channel->last.count && !rcp_runner_knows(runner, channel->last.tid, channel->last.count));
    if (!news)
        return; /* whoever knows the sender knows what the sender's weak clock knew */
    rcp_clock_take(clocks, runner, channel->last);
    if (channel->rest.v)
        receive_rest(clocks, channel, runner);
    if (runner->weak)
        rcp_runner_join(clocks, runner->weak, channel->weak);
}

void rcp_channel_copy(rcp_clocks *clocks, rcp_channel *to, const rcp_channel *from) {
    rcp_clock_put(clocks, &to->last.clock, from->last.clock);
    rcp_clock_put(clocks, &to->rest, from->rest);
    rcp_clock_put(clocks, &to->weak, from->weak);
    for (size_t i = 0; i < from->senders.len; i++) {
        if (i == to->senders.len)
            rcp_vec_push(&to->senders, (rcp_stamp){0});
        rcp_clock_put(clocks, &to->senders.at[i].clock, from->senders.at[i].clock);
        to->senders.at[i].tid = from->senders.at[i].tid;
        to->senders.at[i].count = from->senders.at[i].count;
    }
    to->last.tid = from->last.tid;
    to->last.count = from->last.count;
}
