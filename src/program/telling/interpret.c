/* SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of the first re-execution: who touched what, and whose own memory became known to others. */
#include "program/machine/interpret.h"
#include "program/telling/sharing.h"
#include "program/telling/telling.h"

#define ON_LOAD(m, t, pc, R, S, at, address, value, size, is_event)                                                    \
    if ((is_event) && !(pc)->k)                                                                                        \
    rcp_sharing_touch((m)->space, at, (t)->number, address, size, false)
#define ON_STORE(m, t, pc, R, S, at, address, value, size) stored(m, t, at, address, value, size)
#define ON_LOAD_WIDE(m, t, pc, R, S, layout)                                                                           \
    if ((pc)->op == RCP_INS_LOAD_WIDE && !(pc)->k)                                                                     \
    rcp_sharing_touch((m)->space, NULL, (t)->number, R[(pc)->a], (layout)->size, false)
#define ON_STORE_WIDE(m, t, pc, R, S, layout) stored_wide(m, t, R[(pc)->a], (layout)->size)
#define ON_ATOMIC(m, t, pc, R, S, old, result, writes, shadow)                                                         \
    rcp_sharing_touch((m)->space, NULL, (t)->number, R[(pc)->a], rcp_atomic_size(pc), writes)
#define ON_ATOMIC_DONE(m, address, size)        rcp_telling_expose_words((m)->context, address, size)
#define ON_ARRIVAL(m, t, pc, R, S)              arrived(m, t, R[(pc)->a], (uint64_t)(pc)->x)
#define CARRY_COPY(m, t, pc, S, to, from, size) carry_copy(m, t, pc, to, from, size)
#define CARRY_FILL(m, t, pc, S, to, byte, size) carry_fill(m, t, to, byte, size)

static inline void stored(rcp_machine *m, const rcp_strand *t, uint8_t *at, uint64_t address, uint64_t value,
                          uint64_t size) {
    rcp_telling *telling = m->context;
    rcp_sharing_touch(m->space, at, t->number, address, size, true);
    if (size == 8 && UNLIKELY(value - telling->own_lo < telling->own_size))
        rcp_telling_expose(telling, value);
}

static inline void stored_wide(rcp_machine *m, const rcp_strand *t, uint64_t address, uint64_t size) {
    rcp_sharing_touch(m->space, NULL, t->number, address, size, true);
    rcp_telling_expose_words(m->context, address, size);
}

/* What others find there is the thread's own doing, and who finds it changed need not look for a cause. */
static inline bool arrived(rcp_machine *m, const rcp_strand *t, uint64_t address, uint64_t size) {
    rcp_telling *telling = m->context;
    rcp_sharing_touch(m->space, NULL, t->number, address, size, true);
    rcp_sharing_unsure(telling->sharing, address, size);
    return true;
}

static inline bool carry_copy(rcp_machine *m, const rcp_strand *t, const rcp_ins *pc, uint64_t to, uint64_t from,
                              uint64_t size) {
    if (!rcp_ins_reads_padding(pc))
        rcp_sharing_touch(m->space, NULL, t->number, from, size, false);
    rcp_sharing_touch(m->space, NULL, t->number, to, size, true);
    rcp_space_copy(m->space, to, from, size);
    return true;
}

static inline bool carry_fill(rcp_machine *m, const rcp_strand *t, uint64_t to, uint8_t byte, uint64_t size) {
    rcp_sharing_touch(m->space, NULL, t->number, to, size, true);
    rcp_space_fill(m->space, to, byte, size);
    return true;
}

#define INTERPRET rcp_telling_interpret
#include "program/machine/interpret_body.inc"
