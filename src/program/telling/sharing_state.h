/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of sharing: what the first re-execution has found out.
 *
 *   sharing.c          finds it, and answers the second one's questions (sharing.h)
 *   sharing_objects.c  the part of synchronisation objects
 *   sharing_file.c     keeps it in a file (sharing_file.h)
 *
 * What the second re-execution asks for is in the file; a member that it comes to ask for must be put there, too.
 */
#ifndef RECIPE_PROGRAM_TELLING_SHARING_STATE_H
#define RECIPE_PROGRAM_TELLING_SHARING_STATE_H

#include "base/map.h"
#include "base/ranges.h"
#include "program/telling/descriptor_uses.h"
#include "program/telling/sharing.h"

/* Granules that are shared in a life. */
typedef struct rcp_shared_run {
    uint32_t life;
    rcp_span span;
} rcp_shared_run;

/* Bytes of a shared granule that were read in a life, and that nobody has written in all of it. */
typedef struct rcp_bare_bytes {
    uint32_t life;
    uint8_t mask;
    uint64_t address;
} rcp_bare_bytes;

/* What was done with a synchronisation object in a life of its memory. */
typedef struct rcp_object_use {
    uint32_t who; /* as a mark's */
    bool is_written;
} rcp_object_use;

/* One of the C library's tables of characters, as far as it was looked at. */
enum { RCP_TABLE_SIZE = 384 * 4 }; /* of the largest */
typedef struct rcp_character_table {
    uint64_t address;
    uint8_t bytes[RCP_TABLE_SIZE];
} rcp_character_table;

struct rcp_sharing {
    RCP_VEC(rcp_shared_run) runs;  /* in the order of their lives' ends; after rcp_sharing_end() by life and address */
    RCP_VEC(rcp_span) spans;       /* those of `runs` */
    RCP_VEC(rcp_bare_bytes) bares; /* after rcp_sharing_end() by life and address */
    unsigned facts;                /* rcp_run_fact */
    uint32_t callers;              /* who has called what nobody knows: 0 nobody, a thread's number + 1, MANY */
    uint32_t everything;           /* the same of what may reach everything */
    bool tells_all;                /* rcp_sharing_tell_all() */
    rcp_ranges variables;
    rcp_ranges handled;      /* what handlers of signals change that are left out */
    rcp_ranges own, exposed; /* memory of threads' own; what of it others may know of */
    rcp_ranges aliases;      /* memory that is mapped twice */
    rcp_ranges seen;         /* by others than the process */
    rcp_ranges divided;      /* synchronisation objects: the first byte of each that other processes came to use */
    rcp_ranges objects;      /* synchronisation objects: the first byte of each → object_uses */
    RCP_VEC(rcp_object_use) object_uses;
    rcp_ranges freed;   /* what had no marks when it was freed → who did that, as a mark has it */
    rcp_ranges guarded; /* what may be done with it has changed */
    rcp_ranges errnos;
    rcp_ranges slots;     /* where pointers to the C library's tables of characters are */
    rcp_ranges tables;    /* those, and the tables */
    rcp_ranges constants; /* that can't be written: who finds one changed says so by a miss */
    RCP_VEC(rcp_character_table) contents;
    rcp_ranges natives;   /* the system's stacks of threads that have not ended → their numbers */
    rcp_map result_index; /* visit → results */
    RCP_VEC(uint64_t) results;
    RCP_VEC(uint64_t) oddities; /* RCP_ODDITIES * visit + rcp_oddity */
    rcp_ranges unsure, known;
    rcp_ranges reached;    /* by calls of code that nobody knows */
    rcp_ranges lasting;    /* of these: by such as may change it later */
    rcp_map callees;       /* name's hash → whether it is suspect */
    bool has_callees;      /* some that is not suspect yet */
    rcp_map further_index; /* visit → first of its spans in `further`, which are one after the other
                              once it is over */
    RCP_VEC(rcp_span) further;
    RCP_VEC(uint64_t) further_of; /* their visits */
    RCP_VEC(rcp_span) missed;     /* bytes that changed unseen, in a granule that had been touched; and nobody's */
    RCP_VEC(rcp_span) restless;   /* those that are shared */
    rcp_span arguments;           /* what the process was started with; hi 0: it is not known where that is */
    rcp_span touched;             /* of it, from the first granule to the last one that is nobody's; hi 0: none is */
    rcp_descriptors descriptors;  /* of the program's own, and who uses them */
};

/* The life of [lo, hi) ends, or the run does: the marks of memory learn which objects in it are shared. */
void rcp_sharing_objects_settle(rcp_sharing *sharing, rcp_space *space, uint64_t lo, uint64_t hi);

#endif
