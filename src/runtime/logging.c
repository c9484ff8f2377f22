/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/logging.h"

#include "abi/shadow.h"
#include "runtime/clock.h"
#include "runtime/objects.h"
#include "runtime/stack.h"
#include "runtime/stream.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

static rcp_stream stream;
static struct rcp_log_header *header; /* mapped of its own: windows come and go */
static struct rcp_log_header counted; /* the same, private; its counts go to the file when that is closed, and the
                                         child of a fork goes on from those of its own past */
#define COUNT(field, n) (counted.field += (n))
static uint64_t sum_due = RCP_LOG_CHUNK; /* bytes of records from which on there is a SUM */
static rcp_thread *slice;                /* whose the last SLICE was */
static uint64_t last_line, last_alloc;
static struct {
    uint64_t address;
    uint32_t kind; /* plus 1 */
} slots[RCP_LOG_SLOTS];

/* `n`: the most that the record takes. */
static void begin(uint8_t tag, uint64_t n) {
    rcp_stream_room(&stream, n + 64);
    *stream.at++ = tag;
}

static void number(uint64_t v) {
    while (v > 127) {
        *stream.at++ = (uint8_t)(v | 128);
        v >>= 7;
    }
    *stream.at++ = (uint8_t)v;
}

static void signed_number(uint64_t v) { number(v << 1 ^ (uint64_t)((int64_t)v >> 63)); }

static void bytes(const void *from, uint64_t n) {
    memcpy(stream.at, from, n);
    stream.at += n;
}

/* Any number of bytes, within a record. */
static void many_bytes(const uint8_t *from, uint64_t n) {
    while (n) {
        uint64_t piece = n < RCP_LOG_PIECE ? n : RCP_LOG_PIECE;
        rcp_stream_room(&stream, piece + 64);
        bytes(from, piece);
        from += piece;
        n -= piece;
    }
    rcp_stream_room(&stream, 64);
}

static void position(rcp_thread *t, uint64_t p) {
    number(p - t->logged);
    t->logged = p;
}

static void check(const rcp_thread *t) { *stream.at++ = RCP_LOG_CHECK(t->hot->position, t->hot->stack); }

/* Of all records. */
static uint64_t sum_up(uint64_t length) {
    uint64_t rest = 0, bits = length % 8 * 8;
    rcp_stream_sum(&stream);
    if (bits) { /* a word lies in one window, also where its end is not written yet */
        memcpy(&rest, stream.summed, sizeof rest);
        rest &= (UINT64_C(1) << bits) - 1;
    }
    return rcp_sum_last(stream.sum, rest, length);
}

static uint64_t length_now(void) { return rcp_stream_size(&stream) - RCP_LOG_HEADER_SIZE; }

static void mark(uint64_t length, uint64_t sum) {
    __atomic_store_n(&header->mark, RCP_LOG_MARK(length, sum), __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void put_sum(uint64_t sum) {
    begin(RCP_LOG_SUM, 0);
    bytes(&sum, sizeof sum);
    sum_due = length_now() + RCP_LOG_CHUNK;
    mark(length_now(), sum_up(length_now()));
}

void rcp_log_commit(void) {
    uint64_t length = length_now(), sum = sum_up(length);
    mark(length, sum);
    if (__builtin_expect(length >= sum_due, 0))
        put_sum(sum);
}

static uint64_t unseen_before;

static void map_header(void) {
    long at = rcp_sys(SYS_mmap, 0, RCP_LOG_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, stream.fd, 0);
    if (at < 0 && at > -4096)
        rcp_refuse("the trace can't be mapped into memory", stream.path);
    header = (struct rcp_log_header *)at;
}

void rcp_log_open(int fd, const char *path, const struct rcp_run_config *config) {
    rcp_stream_open(&stream, fd, path, RCP_LOG_HEADER_SIZE);
    map_header();
    header->version = RCP_LOG_VERSION;
    header->abi = RCP_ABI_VERSION;
#ifdef __aarch64__
    header->machine = EM_AARCH64;
#else
    header->machine = EM_X86_64;
#endif
    header->pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    header->seed = config->seed;
    header->policy = config->policy;
    header->flags = config->flags;
    header->quantum = config->quantum;
    rcp_clock_look(&header->began);
    memcpy(header->output, config->output, sizeof header->output);
    header->unseen = RCP_LOG_EIGHT(unseen_before);
    header->magic = RCP_LOG_MAGIC;
    header->sum = rcp_log_head_sum(header);
    rcp_stream_begin_sum(&stream);
    rcp_log_commit();
    counted = *header;
}

bool rcp_log_is_open(void) { return header; }
void rcp_log_world(uint64_t bits) {
    if (header && (header->world & bits) != bits)
        __atomic_fetch_or(&header->world, RCP_LOG_EIGHT(bits), __ATOMIC_RELAXED);
}
void rcp_log_unseen(uint64_t bits) {
    if (!header) /* a library's constructor, before the start */
        __atomic_fetch_or(&unseen_before, bits, __ATOMIC_RELAXED);
    if (header && (header->unseen & bits) != bits)
        __atomic_fetch_or(&header->unseen, RCP_LOG_EIGHT(bits), __ATOMIC_RELAXED);
}
void rcp_log_listens(void) {
    if (header)
        __atomic_store_n((uint64_t *)((char *)header + RCP_LOG_LISTENS), RCP_LOG_EIGHT(1), __ATOMIC_RELEASE);
}
void rcp_log_steal(rcp_thread *t) {
    COUNT(steals, 1);
    rcp_log_stop(t, t->at);
}

void rcp_log_close(enum rcp_ended how, uint64_t events) {
    put_sum(sum_up(length_now()));
    struct rcp_log_header counts = counted;
    counts.events = events;
    counts.length = length_now();
    counts.counts_sum = rcp_log_counts_sum(&counts);
    enum { COUNTS = offsetof(struct rcp_log_header, length) };
    memcpy((char *)header + COUNTS, (char *)&counts + COUNTS, sizeof counts - COUNTS);
    rcp_log_say_ended(how);
    if (how == RCP_ENDED_EXEC) /* it may fail, and then we go on */
        return;
    rcp_stream_close(&stream);
}

void rcp_log_say_ended(enum rcp_ended how) {
    if (how == RCP_ENDED_NOT) /* what was counted for an exec that failed */
        memset(&header->length, 0, sizeof *header - offsetof(struct rcp_log_header, length));
    __atomic_store_n(&header->ended, RCP_LOG_EIGHT(how), __ATOMIC_RELEASE);
}

void rcp_log_refuse(const char *why) {
    struct rcp_log_refusal *refusal = (struct rcp_log_refusal *)((char *)header + RCP_LOG_REFUSAL);
    size_t n = strlen(why), most = sizeof refusal->why - 1;
    memcpy(refusal->why, why, n < most ? n : most);
    refusal->sum = rcp_sum(refusal->why, sizeof refusal->why);
    rcp_log_say_ended(RCP_ENDED_REFUSED);
}

void rcp_log_deadlock(const struct rcp_log_deadlock *deadlock) {
    memcpy((char *)header + RCP_LOG_DEADLOCK, deadlock, sizeof *deadlock);
}

static struct rcp_log_header *inherited;

void rcp_log_disown(void) {
    inherited = header;
    header = NULL;
}

void rcp_log_part_ways(int fd, const char *path) {
    /* the header first: where there is no room for the rest, that is said there */
    bool is_there = RCP_SYS4(SYS_pwrite64, fd, inherited, RCP_LOG_HEADER_SIZE, 0) == RCP_LOG_HEADER_SIZE;
    long at = is_there ? rcp_sys(SYS_mmap, 0, RCP_LOG_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : -1;
    RCP_SYS2(SYS_munmap, inherited, RCP_LOG_HEADER_SIZE);
    inherited = NULL;
    header = at < 0 && at > -4096 ? NULL : (struct rcp_log_header *)at;
    rcp_stream_part(&stream, fd, path);
    if (!header)
        map_header();
    counted.pid = (uint32_t)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);
    counted.sum = rcp_log_head_sum(&counted);
    uint64_t world = header->world, unseen = header->unseen;
    *header = counted; /* the copy may have what the parent counted since */
    header->world = world;
    header->unseen = unseen;
    memset(&header->length, 0, sizeof *header - offsetof(struct rcp_log_header, length));
    rcp_log_commit();
}

void rcp_log_slice(rcp_thread *t) {
    if (slice == t)
        return;
    begin(RCP_LOG_SLICE, 0);
    number(t->number);
    if (slice)
        position(slice, slice->at);
    else
        number(0);
    slice = t;
    COUNT(switches, 1);
    rcp_log_commit();
}

void rcp_log_stop(rcp_thread *t, uint64_t p) {
    begin(RCP_LOG_STOP, 0);
    position(t, p);
    rcp_log_commit();
}

void rcp_log_returned(rcp_thread *self, uint64_t value) {
    COUNT(outside_calls, 1);
    begin(value ? RCP_LOG_RETURN : RCP_LOG_RETURN_0, 0);
    if (value)
        number(value);
    check(self);
    rcp_log_commit();
}

void rcp_log_returned_bytes(rcp_thread *self, const void *from, uint64_t n) {
    COUNT(outside_calls, 1);
    begin(RCP_LOG_RETURN_BYTES, 0);
    number(n);
    many_bytes(from, n);
    check(self);
    rcp_log_commit();
}

void rcp_log_miss(rcp_thread *self, uint64_t p, uint64_t line, const uint8_t *from) {
    static const uint8_t zeros[RCP_SHADOW_LINE];
    bool zero = !memcmp(from, zeros, sizeof zeros);
    begin(zero ? RCP_LOG_MISS_ZERO : RCP_LOG_MISS, RCP_SHADOW_LINE);
    position(self, p);
    signed_number(line / RCP_SHADOW_LINE - last_line);
    last_line = line / RCP_SHADOW_LINE;
    if (!zero)
        bytes(from, RCP_SHADOW_LINE);
    COUNT(misses, 1);
    COUNT(miss_bytes, zero ? 0 : RCP_SHADOW_LINE);
    rcp_log_commit();
}

void rcp_log_callback(uint64_t function, uint32_t arguments, uint32_t signal) {
    begin(RCP_LOG_CALLBACK, 0);
    number(function);
    number((uint64_t)arguments << 1 | (signal != 0));
    if (signal)
        number(signal);
    COUNT(callbacks, 1);
}

void rcp_log_argument(uint64_t value) {
    begin(0, 0);
    number(value);
}

void rcp_log_argument_bytes(const void *from, uint64_t n) {
    begin(1, 0);
    number(n);
    many_bytes(from, n);
}

void rcp_log_landing(rcp_thread *self, uint64_t function, uint32_t pad, uint64_t exception, uint64_t selector) {
    begin(RCP_LOG_LANDING, 0);
    number(function);
    number(pad);
    number(exception);
    number(selector);
    check(self);
    rcp_log_commit();
}

void rcp_log_jump(uint64_t buffer, uint64_t value) {
    begin(RCP_LOG_JUMP, 0);
    number(buffer);
    number(value);
    rcp_log_commit();
}

void rcp_log_left(uint64_t n) {
    begin(RCP_LOG_LEFT, 0);
    number(n);
    rcp_log_commit();
}

void rcp_log_value(uint64_t value) {
    begin(RCP_LOG_VALUE, 0);
    number(value);
    rcp_log_commit();
}

void rcp_log_thread(const rcp_thread *t, uint64_t top, void *const *addresses, uint64_t n) {
    COUNT(threads, 1);
    begin(RCP_LOG_THREAD, 0);
    number(t->creator ? t->creator->number : 0);
    number(t->nth);
    number(top);
    number(top - rcp_stack_bottom(t->stack));
    number(t->native_top);
    number(t->native_size);
    number(n);
    for (uint64_t i = 0; i < n; i++) {
        rcp_stream_room(&stream, 64);
        number((uint64_t)addresses[i]);
    }
    rcp_log_commit();
}

void rcp_log_thread_end(rcp_thread *t, uint64_t p) {
    begin(RCP_LOG_THREAD_END, 0);
    position(t, p);
    COUNT(events, p);
    rcp_log_commit();
}

void rcp_log_part(uint64_t n) {
    begin(RCP_LOG_PART, 0);
    number(n);
    rcp_log_commit();
}

static void object(uint64_t address, enum rcp_sync_object kind) {
    unsigned slot = RCP_LOG_SLOT(address);
    if (slots[slot].address == address && slots[slot].kind == (uint32_t)kind + 1) {
        *stream.at++ = (uint8_t)slot;
        return;
    }
    *stream.at++ = 255;
    number(address);
    number(kind);
    slots[slot].address = address;
    slots[slot].kind = (uint32_t)kind + 1;
    rcp_objects_saw(address, kind);
}

/* What comes to lie there next is named in full again: so rcp_objects_saw hears of it. (The reader need not know.) */
static void forget(uint64_t address) {
    if (slots[RCP_LOG_SLOT(address)].address == address)
        slots[RCP_LOG_SLOT(address)].kind = 0;
    rcp_objects_gone(address);
}

static void sync_record(enum rcp_sync_op op, uint64_t first, enum rcp_sync_object kind, uint64_t second,
                        enum rcp_sync_object second_kind, uint64_t n, enum rcp_sync_outcome outcome) {
    unsigned shape = rcp_sync_shape(op);
    begin((uint8_t)(RCP_LOG_SYNC + op), 0);
    object(first, kind);
    if (shape & RCP_SYNC_HAS_SECOND)
        object(second, second_kind);
    if (shape & RCP_SYNC_HAS_NUMBER)
        number(n);
    if (shape & RCP_SYNC_HAS_OUTCOME)
        number(outcome);
    COUNT(syncs, 1);
    if (op == RCP_SYNC_DESTROY || op == RCP_SYNC_DIVIDE)
        forget(first);
    rcp_log_commit();
}

void rcp_log_sync(enum rcp_sync_op op, uint64_t address, enum rcp_sync_object kind, enum rcp_sync_outcome outcome) {
    sync_record(op, address, kind, 0, kind, 0, outcome);
}

void rcp_log_sync_wait(enum rcp_sync_op op, uint64_t cond, uint64_t mutex, enum rcp_sync_object mutex_kind,
                       enum rcp_sync_outcome outcome) {
    sync_record(op, cond, RCP_SYNC_COND, mutex, mutex_kind, 0, outcome);
}

void rcp_log_sync_number(enum rcp_sync_op op, uint64_t address, enum rcp_sync_object kind, uint64_t n) {
    sync_record(op, address, kind, 0, kind, n, RCP_SYNC_DONE);
}

void rcp_log_alias(uint64_t address, uint64_t other, uint64_t size) {
    begin(RCP_LOG_ALIAS, 0);
    number(address);
    number(other);
    number(size);
    rcp_log_commit();
}

void rcp_log_alloc(uint64_t address, uint64_t size, enum rcp_alloc kind) {
    begin(RCP_LOG_ALLOC, 0);
    signed_number(address - last_alloc);
    number(size);
    number(kind);
    last_alloc = address;
    rcp_log_commit();
}

void rcp_log_free(uint64_t address) {
    begin(RCP_LOG_FREE, 0);
    signed_number(address - last_alloc);
    last_alloc = address;
    rcp_log_commit();
}

void rcp_log_count_effect(uint64_t size) {
    COUNT(effects, 1);
    COUNT(effect_bytes, size);
}

void rcp_log_effect(const void *address, const void *contents, uint64_t size) {
    begin(RCP_LOG_EFFECT, size);
    number((uint64_t)address);
    number(size);
    bytes(contents, size);
    rcp_log_commit();
}

void rcp_log_fill(uint64_t address, uint64_t size, uint8_t byte) {
    begin(RCP_LOG_FILL, 0);
    number(address);
    number(size);
    number(byte);
    rcp_log_commit();
}

void rcp_log_copy(uint64_t to, uint64_t from, uint64_t size) {
    begin(RCP_LOG_COPY, 0);
    number(to);
    number(from);
    number(size);
    rcp_log_commit();
}

void rcp_log_note(const char *text) {
    uint64_t n = strlen(text);
    COUNT(notes, 1);
    begin(RCP_LOG_NOTE, 0);
    number(n);
    many_bytes((const uint8_t *)text, n);
    rcp_log_commit();
}

void rcp_log_strings(const struct rcp_log_string *strings, uint64_t n) {
    enum { NUMBER = 10 }; /* bytes, at most */
    begin(RCP_LOG_STRINGS, (2 * n + 1) * NUMBER);
    number(n);
    for (uint64_t i = 0; i < n; i++) {
        number(strings[i].address);
        number(strings[i].most);
    }
    rcp_log_commit();
}

static void log_sign(enum rcp_sign sign, uint64_t of) {
    begin(RCP_LOG_SIGN, 0);
    number(sign);
    number(of);
    rcp_log_commit();
}
void rcp_log_sign(enum rcp_sign sign, const rcp_thread *thread) { log_sign(sign, thread->number); }
void rcp_log_descriptor(uint32_t fd) { log_sign(RCP_SIGN_DESCRIPTORS, fd); }

void rcp_log_fork(uint32_t pid) {
    begin(RCP_LOG_FORK, 0);
    number(pid);
    rcp_log_commit();
}

void rcp_log_exit(int status) {
    begin(RCP_LOG_EXIT, 0);
    number((uint64_t)(uint32_t)status);
    rcp_log_commit();
}

void rcp_log_fault(rcp_thread *self, int signal, uint64_t address) {
    begin(RCP_LOG_FAULT, 0);
    number((uint64_t)signal);
    number(address);
    position(self, self->hot->position);
    number(self->hot->region > self->hot->position ? self->hot->region - self->hot->position : 0);
    rcp_log_commit();
}
