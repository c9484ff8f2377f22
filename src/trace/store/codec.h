/* SPDX-License-Identifier: Apache-2.0 */
/* What the encoder and the decoder of events share: the columns of a chunk and the model that predicts the next event.
 *
 * The naive model: an event is written as its difference from a prediction, and both sides make the same prediction
 * because both have seen the same events. A *site* is everything about an event that its place in the program decides:
 * kind, mode, outcome, size, source location, stack, and for each term whether it is CONST, ALL or real. A chunk
 * defines each of its sites once; after that an event is: which site (mostly one of the two that followed its
 * predecessor in its thread), then what varies: address, value, object, term.
 *
 * - An address is guessed twice: where the site goes by its last stride, and at the site's last distance from the
 *   thread's access before (fields of one object).
 * - A value is guessed three times: what the address held last, the site's last value, and that plus its last step.
 *
 * Invariant: whatever rcp_codec_model_* does depends on events of this chunk alone, so chunks decode by themselves. The
 * encoder and the decoder each own one model.
 */
#ifndef RECIPE_TRACE_STORE_CODEC_H
#define RECIPE_TRACE_STORE_CODEC_H

#include "base/vec.h"
#include "trace/store/chunk.h"
#include "trace/model/event.h"
#include "trace/model/term.h"

#include <string.h>

/* Each kind of datum has a column of its own: neighbours are alike, which is what zstd lives on. */
typedef enum rcp_column {
    RCP_COLUMN_HEAD,    /* a byte per event: RCP_HEAD_* */
    RCP_COLUMN_OPERAND, /* how address and value, or ids, are coded */
    RCP_COLUMN_SITE,    /* sites: their definitions, their numbers */
    RCP_COLUMN_THREAD,  /* threads, where they change */
    RCP_COLUMN_ADDRESS,
    RCP_COLUMN_VALUE,
    RCP_COLUMN_ID,   /* children, objects, locks, callees, reaches */
    RCP_COLUMN_TERM, /* real terms */
    RCP_COLUMN_WIDE, /* values of more than 8 bytes */
    RCP_COLUMNS
} rcp_column;

enum {
    RCP_HEAD_SITE = 3,   /* 0, 1: the site's guess; then: */
    RCP_HEAD_KNOWN = 2,  /* a site of this chunk, by number */
    RCP_HEAD_NEW = 3,    /* a new one */
    RCP_HEAD_SWITCH = 4, /* another thread than the event before */
};

/* Low half of an access's operand. 2 to 9: 1 to 8 bytes of zigzag difference from the site's last address; 10 to 15: 1
 * to 6 bytes of that from the thread's. */
enum { RCP_ADDRESS_STRIDE = 0, RCP_ADDRESS_OFFSET = 1, RCP_ADDRESS_SITE = 1, RCP_ADDRESS_THREAD = 9 };

/* High half. 2 to 10: the value in 0 to 8 bytes; 11 to 14: 1 to 4 bytes of zigzag difference from what was there. */
enum {
    RCP_VALUE_THERE = 0,
    RCP_VALUE_SITE = 1,
    RCP_VALUE_BYTES = 2,
    RCP_VALUE_DELTA = 10,
    RCP_VALUE_STEP = 15,
};

/* Two bits for each id of an operand. */
enum { RCP_ID_SITE = 0, RCP_ID_THREAD = 1, RCP_ID_GIVEN = 2 };

/* What follows the head of a site's events, besides real terms. */
typedef enum rcp_form {
    RCP_FORM_BARE,    /* nothing */
    RCP_FORM_ACCESS,  /* address, value */
    RCP_FORM_RMW,     /* address, value, written */
    RCP_FORM_WIDE,    /* address, value in WIDE (RMW: both) */
    RCP_FORM_ADDRESS, /* an access without values */
    RCP_FORM_EXTENT,  /* address, number of bytes */
    RCP_FORM_BRANCH,  /* value */
    RCP_FORM_ID,      /* child or object */
    RCP_FORM_TWO_IDS, /* object and lock, callee and reach */
} rcp_form;

/* Bits of rcp_site.real. */
enum { RCP_REAL_VALUE = 1, RCP_REAL_ADDR = 2, RCP_REAL_COND = 4 };

typedef struct rcp_guess {
    uint64_t last, step;
} rcp_guess;

/* Two cache lines: a chunk has hundreds of sites, and each event touches one or two of them. */
typedef struct rcp_site {
    uint64_t key[2];       /* encoder: the site's identity in two words */
    uint64_t addr, stride; /* last one, last difference */
    uint64_t offset;       /* last difference from the thread's access before */
    rcp_guess value;
    uint32_t next[2]; /* the sites that followed, the last one first */

    uint64_t mask;          /* of a value */
    uint8_t form, real;     /* rcp_form, RCP_REAL_* */
    uint32_t first, second; /* the last ids */
    uint64_t line;          /* encoder: the last line that the index was told of */
    rcp_guess written;
} rcp_site;
_Static_assert(sizeof(rcp_site) <= 128, "two cache lines");

typedef struct rcp_codec_thread {
    uint32_t chunk; /* the chunk that the rest belongs to: a thread costs nothing where it does not run */
    uint32_t site;  /* of its last event */
    uint32_t id;    /* of its last event that had one */
    uint64_t addr;  /* of its last access */
} rcp_codec_thread;

enum { RCP_SLOT_BITS = 13 };

typedef struct rcp_codec_model {
    RCP_VEC(rcp_site) sites;   /* at[0] is none */
    RCP_VEC(rcp_event) shapes; /* of each site an event with all that varies left out */
    RCP_VEC(rcp_codec_thread) strands;
    uint64_t *slots; /* what memory holds, by a hash of the address; collisions only cost a guess */
    uint32_t chunk;
    uint32_t tid;              /* of the last event; UINT32_MAX: there was none */
    uint32_t loc, stack, term; /* the last ones that were written */
} rcp_codec_model;

void rcp_codec_model_init(rcp_codec_model *model);
void rcp_codec_model_finish(rcp_codec_model *model);
/* A new chunk, of a trace with so many threads. */
void rcp_codec_model_reset(rcp_codec_model *model, size_t threads);
/* Adds a site; `shape` has the markers CONST or ALL where `real` does not say otherwise. */
uint32_t rcp_codec_model_add(rcp_codec_model *model, const rcp_event *shape, uint8_t real, const uint64_t key[2]);

static inline rcp_codec_thread *rcp_codec_model_strand(rcp_codec_model *model, uint32_t tid) {
    rcp_codec_thread *strand = &model->strands.at[tid];
    if (strand->chunk != model->chunk)
        *strand = (rcp_codec_thread){.chunk = model->chunk};
    return strand;
}

/* `salt` keeps what a FREE looks for (the size of the block) apart from the block's contents. */
static inline uint64_t *rcp_codec_model_slot(rcp_codec_model *model, uint64_t addr, uint64_t salt) {
    return &model->slots[(addr + salt) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RCP_SLOT_BITS)];
}
#define RCP_SLOT_EXTENT UINT64_C(0x5851f42d4c957f2d)

static inline void rcp_guess_learn(rcp_guess *guess, uint64_t value) {
    guess->step = value - guess->last;
    guess->last = value;
}

static inline void rcp_codec_model_learn_address(rcp_site *site, rcp_codec_thread *strand, uint64_t addr) {
    site->stride = addr - site->addr;
    site->addr = addr;
    site->offset = addr - strand->addr;
    strand->addr = addr;
}

/* Do the real terms of an access, ALLOC, FREE or branch exist and have the widths that rcp_event_validate() asks for?
 * The rest of the event is known to be right. 'No' means: ask that function. */
static inline bool rcp_codec_model_terms_fit(const rcp_terms *terms, const rcp_site *site, const rcp_event *e) {
    size_t n = rcp_terms_count(terms);
    if (site->real & RCP_REAL_VALUE) {
        uint32_t i = e->value_term.v - RCP_TERM_FIRST;
        if (i >= n || e->size > 8 || terms->nodes.at[i].width != 8 * e->size)
            return false;
    }
    if (site->real & RCP_REAL_ADDR) {
        uint32_t i = e->addr_term.v - RCP_TERM_FIRST;
        if (i >= n || terms->nodes.at[i].width != 64)
            return false;
    }
    if (site->real & RCP_REAL_COND) {
        uint32_t i = e->cond.v - RCP_TERM_FIRST;
        if (i >= n || (e->kind != RCP_BRANCH && terms->nodes.at[i].width != 1))
            return false;
    }
    return true;
}

static inline uint64_t rcp_low_bytes(unsigned n) { return n >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * n)) - 1; }

#endif
