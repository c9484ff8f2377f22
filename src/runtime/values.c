/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/values.h"

#include "runtime/stream.h"

#include <string.h>

static rcp_stream stream;
static rcp_values_listener *listens;

void rcp_values_open(int fd, const char *path) { rcp_stream_open(&stream, fd, path, 0); }
void rcp_values_close(void) { rcp_stream_close(&stream); }
void rcp_values_part_ways(int fd, const char *path) { rcp_stream_part(&stream, fd, path); }

void rcp_values_listen(rcp_values_listener *listener) {
    listens = listener;
    rcp_baton.values = listener || stream.base;
}

static uint64_t value_of(const void *bytes, uint64_t size) {
    uint64_t v = 0;
    if (!bytes)
        return 0;
    if (size > sizeof v)
        return rcp_logged_hash(bytes, size);
    memcpy(&v, bytes, size);
    return v;
}

static void put(const rcp_thread *self, uint64_t kind, uint64_t address, const void *bytes, uint64_t size) {
    if (listens)
        listens((uint32_t)kind, address, bytes, size);
    if (!stream.base)
        return;
    struct rcp_logged_value v = {kind | size << 8 | (uint64_t)self->number << 40, address, value_of(bytes, size)};
    rcp_stream_room(&stream, sizeof v);
    memcpy(stream.at, &v, sizeof v);
    stream.at += sizeof v;
}

void rcp_values_settle(rcp_thread *self) {
    rcp_value_pending p = self->value;
    self->value.size = 0;
    put(self, p.what, p.address, (const void *)p.address, p.size);
}

void rcp_values_event(rcp_thread *self, uint32_t kind, uint64_t address, const void *bytes, uint64_t size) {
    rcp_values_flush(self);
    put(self, kind, address, bytes, size);
}

void rcp_values_expect(rcp_thread *self, uint32_t kind, uint64_t address, uint64_t size) {
    rcp_values_flush(self);
    self->value = (rcp_value_pending){kind, address, size};
}
