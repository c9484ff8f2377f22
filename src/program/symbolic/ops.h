/* SPDX-License-Identifier: Apache-2.0 */
/* What the interpreter asks of program/symbolic/symbolic.h, instruction by instruction, where a term is at hand.
 *
 * `R` and `T`: the registers of the innermost activation and their terms. The concrete value is the interpreter's to
 * compute.
 */
#ifndef RECIPE_PROGRAM_SYMBOLIC_OPS_H
#define RECIPE_PROGRAM_SYMBOLIC_OPS_H

#include "program/machine/machine.h"

typedef struct rcp_symbolic rcp_symbolic;

/* The term of the one slot that the instruction gives; 0: a constant. Called before the registers change. */
uint32_t rcp_symbolic_apply(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T);
/* The same for instructions on rows: puts the terms into place. */
void rcp_symbolic_rows(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T);

/* A conditional branch goes where `is_so` says. */
void rcp_symbolic_branch(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         bool is_so);
void rcp_symbolic_switch(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const rcp_switch *ways, int32_t way);

/* BELOW, whose operand has a term. */
void rcp_symbolic_below(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T);

/* Memory. Of a load `value` is what memory has; it returns the value's term. A store, a fill and an effect have been
 * carried out; a copy carries itself out; of an atomic operation memory is not changed yet, `terms` are of the old
 * value. */
uint32_t rcp_symbolic_load(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                           uint32_t size, bool is_event, void *value);
void rcp_symbolic_store(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                        uint32_t size);
/* Of a store within a granule that is not shared, whose address has no term: `term` is the value's. */
void rcp_symbolic_store_own(rcp_symbolic *s, const rcp_strand *t, uint64_t address, uint32_t size, uint32_t term);
void rcp_symbolic_load_wide(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                            const rcp_layout *layout);
void rcp_symbolic_store_wide(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                             const rcp_layout *layout);
void rcp_symbolic_atomic(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const uint64_t old[2], const uint64_t result[2], uint32_t terms[2]);
/* The machine has put something there that is not known yet: a va_list. */
void rcp_symbolic_arrived(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size);
void rcp_symbolic_fence(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins);
void rcp_symbolic_pin_operands(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T); /* of COPY, FILL */
void rcp_symbolic_copy(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t from, uint64_t size);
void rcp_symbolic_filled(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t size);

#endif
