/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: races joined with what the trace knows about their events. Every form of the report is made from these.
 *
 * Races of several models that are the same pair of program points are one finding. Findings are sorted by source
 * location, then by event, numbered from 1 in that order, and told apart by fingerprint; so two analyses of one trace
 * give the same list. Where the program was asked (rcp_race_is_unconfirmed()) only what it showed counts as a race;
 * the rest keeps its numbers. So does what is set aside, because it is suppressed (report/suppressions.h) or was known
 * before (report/baseline.h): it is in the list, and in no count but its own. Pairs that nobody proved are kept in a
 * list of their own and have no number; one that another model proved is not among them.
 *
 * What a process that fork made has in its trace from before that is its parent's: races there are the parent's
 * findings.
 *
 * Of a command several processes were recorded; their findings are joined into one list (report/together.h), in which
 * each says whose it is.
 *
 * Invariant: every id in a finding exists in the trace's tables, or in those of the variant that its race is of (those
 * are opened here, and owned). Findings own their memory; tables are borrowed from the reader and races from the
 * summary, both of which must outlive them.
 */
#ifndef RECIPE_REPORT_FINDING_H
#define RECIPE_REPORT_FINDING_H

#include "base/text.h"
#include "report/deed.h"
#include "report/gaps.h"
#include "report/owned.h"
#include "results/results.h"
#include "trace/store/reader.h"
#include "trace/model/stat.h"

/* How far a step of the schedule goes: the last event that it executes. */
typedef struct rcp_stop {
    rcp_tid tid;
    rcp_eid eid;
    rcp_loc loc;
    rcp_stack stack;
    rcp_obj object; /* of kinds that have one */
    uint64_t addr;  /* of accesses */
    uint8_t kind;
} rcp_stop;

/* A process of a command, as reports name it. */
typedef struct rcp_process {
    char *name;              /* "process.3"; "": the first one, in the directory itself */
    char *line;              /* its command line, for people */
    RCP_VEC(char *) command; /* the same, word by word */
    char *place;             /* where it worked */
    char *maker;             /* whose child by fork it is; NULL: it was executed */
    uint64_t pid;
    uint64_t threads, events; /* of its trace; 0: it was not looked at */
    bool is_single;           /* one thread, in which nothing races */
} rcp_process;

typedef struct rcp_finding {
    unsigned id;       /* 0: unproven */
    bool is_undecided; /* one that was joined with this is */
    uint64_t fingerprint;
    const rcp_race *race;
    rcp_reader *reader;     /* of the trace that it is of, or of its variant */
    const rcp_defs *defs;   /* what its ids are ids of: that one's */
    uint32_t models;        /* of this race and of those that were joined with it */
    uint64_t instances;     /* likewise: the most that one of them counted */
    rcp_event access[2];    /* in the order of the trace; values of more than 8 bytes are not kept */
    rcp_deed deed[2];       /* of a synchronisation object: what each of them does to it */
    rcp_owned_list held[2]; /* the locks that their threads have there */
    rcp_owned gave_up[2];   /* the lock that the thread gave up last before it, if by the same caller; loc 0: none */
    rcp_event deciding[2];  /* of a run that was thought out: as of a race; only where rcp_race_is_decided() */
    rcp_owned_list deciding_held[2]; /* the locks that their threads have there */
    int64_t recorded_at;             /* when its run was recorded, in seconds since 1970; 0: it was imported */
    rcp_loc created[2];              /* where somebody created their threads; 0: the first one, or not known */
    rcp_stack created_by[2];         /* who called that */
    rcp_frame joined[2];             /* where somebody waited for their threads' ends; loc 0: nobody, or not known */
    rcp_loc lent;                    /* of memory that goes with its thread: where its address was stored; 0: unknown */
    rcp_loc test[2];                 /* the frames of a test's case that they were made in; 0: in none */
    const char *ctest;               /* the test of CTest's that the process was; NULL: none is known */
    uint64_t address, size;          /* the bytes in common */
    const rcp_variable *variable;    /* NULL: memory without a name */
    rcp_loc allocated;               /* of the first one's memory: where the program did that; 0: not known */
    rcp_stop recorded;               /* the last event of the witness's recorded beginning; RCP_NO_EID: it has none */
    rcp_stop *schedule;              /* one per step of the witness */
    RCP_VEC(const rcp_race *) others;  /* proven, of the same pair of points: other events, or another schedule */
    const rcp_process *process;        /* of several: whose; NULL: there is one */
    RCP_VEC(const rcp_process *) also; /* in which it was found, too */
    const struct rcp_suppression *suppressed; /* by which line; NULL: it is not */
    bool is_known;                            /* by a baseline */
} rcp_finding;

/* Which side is the end of its thread, with which memory of its own goes; 2: neither. */
static inline size_t rcp_finding_end_side(const rcp_finding *finding) {
    size_t k = 0;
    while (k < 2 && !(finding->deed[k].is_known && finding->deed[k].kind == RCP_END))
        k++;
    return k;
}

/* What is suppressed is that, whether it was known or not. */
typedef enum rcp_fate { RCP_FATE_COUNTS, RCP_FATE_KNOWN, RCP_FATE_SUPPRESSED } rcp_fate;
static inline rcp_fate rcp_finding_fate(const rcp_finding *finding) {
    return finding->suppressed ? RCP_FATE_SUPPRESSED : finding->is_known ? RCP_FATE_KNOWN : RCP_FATE_COUNTS;
}

/* Threads that wait for each other: every one, where the recorded run or the replay of a race ended so; else those that
 * were predicted to. */
typedef struct rcp_deadlock {
    char *process;          /* of a process that the program started: its part of the recording; "": its own */
    unsigned race;          /* a replay of this one ended so; 0: */
    uint32_t variant;       /* or a run that was hunted for, of that number; 0: the recorded run itself, or */
    rcp_race_status status; /* of one that was predicted: as of a race; CONFIRMED: a replay showed it. Else UNPROVEN */
    char *replay;           /* of one that was predicted: what carrying it out showed; NULL: it was not */
    RCP_VEC(char *) waits;  /* by thread, where that is known: JSON objects (docs/report.md) */
    uint64_t fingerprint;
    int64_t recorded_at; /* as of a finding */
    const struct rcp_suppression *suppressed;
} rcp_deadlock;

typedef RCP_VEC(rcp_deadlock) rcp_deadlocks;

/* A run that was hunted for ended by a signal, and did so again. */
typedef struct rcp_crash {
    const char *signal; /* and what the program said, after ": "; the summary's */
    uint32_t variant;
    uint64_t fingerprint;
} rcp_crash;

typedef RCP_VEC(rcp_crash) rcp_crashes;

/* An atomicity violation: what another thread's section parts. */
typedef struct rcp_parted {
    const char *told;    /* a JSON object (docs/report.md), which begins with its fingerprint; the summary's */
    const char *process; /* of one that the program started; "": its own */
    uint64_t fingerprint;
} rcp_parted;

typedef RCP_VEC(rcp_parted) rcp_parted_list;
enum {
    RCP_PARTED_PLACES,
    RCP_PARTED_POSSIBLE,
    RCP_PARTED_NOT_SHOWN,
    RCP_PARTED_LOST,
    RCP_PARTED_RUNS,
    RCP_PARTED_COUNTS
};

typedef struct rcp_findings {
    const rcp_defs *defs;
    const rcp_summary *summary;
    const char *program; /* its name; for an imported trace the imported file's */
    char *ctest;         /* see rcp_finding; owned */
    const char *loss;    /* what of the trace could not be read; NULL: nothing */
    rcp_counts counts;
    RCP_VEC(rcp_reader *) variants; /* that races are of */
    RCP_VEC(rcp_finding) proven;    /* by id: races, and what is unconfirmed */
    RCP_VEC(rcp_finding) unproven;
    unsigned undecided;                                  /* of these */
    unsigned confirmed, predicted;                       /* races */
    unsigned not_replayed, not_tried;                    /* unconfirmed; with the races: proven.len */
    rcp_deadlocks deadlocks;                             /* of the recorded run, and those that a replay showed */
    rcp_deadlocks possible;                              /* predicted, and not shown */
    rcp_deadlocks suppressed_deadlocks, known_deadlocks; /* of either */
    bool has_baseline;
    const struct rcp_suppressions *suppressions; /* that were applied; NULL: none */
    rcp_crashes crashes, known_crashes;
    rcp_parted_list parted, known_parted;      /* report/parted.h */
    uint64_t parted_counts[RCP_PARTED_COUNTS]; /* what was asked about them */
    bool has_parted;                           /* somebody has asked for them */
    rcp_gaps gaps;                             /* what was not looked at; empty: the analysis is complete */
    const struct rcp_together *together;       /* of several processes; NULL: of one */
    bool has_full_names;                       /* to be printed: C++ names whole, and every frame */
    bool is_coloured;                          /* for people: with colours of a terminal */
} rcp_findings;

static inline unsigned rcp_findings_races(const rcp_findings *f) { return f->confirmed + f->predicted; }
static inline unsigned rcp_findings_unconfirmed(const rcp_findings *f) { return f->not_replayed + f->not_tried; }

/* One pass over the trace. Fails where a race names events or threads that the trace does not have. `findings` is the
 * caller's to finish, also where this fails. */
rcp_code rcp_findings_collect(rcp_findings *findings, rcp_reader *reader, const rcp_summary *summary,
                              const char *directory) RCP_MUST_USE;
void rcp_findings_finish(rcp_findings *findings);

/* Of a hunt: were all classes of runs seen, with nothing left that was not looked at? */
bool rcp_findings_are_of_all_runs(const rcp_findings *findings);

/* A new one at the end; the name is copied. */
rcp_deadlock *rcp_findings_deadlock(rcp_deadlocks *to, const char *process, unsigned race);
/* What was predicted, and came of that; copied. */
void rcp_deadlock_tell(rcp_deadlock *deadlock, rcp_race_status status, const char *replay);
/* Its word: "recorded", "replayed"; of what was not shown "predicted", "not-replayed", "not-tried". */
const char *rcp_deadlock_status(const rcp_deadlock *deadlock);
/* False: it is no JSON object, and not taken. Copied. */
bool rcp_deadlock_add(rcp_deadlock *deadlock, const char *wait);
/* One that is proven is `n` more of its status. */
void rcp_findings_count(rcp_findings *findings, const rcp_finding *finding, int n);
/* Atomicity violations (finding_parted.c). Of the summary; and what was asked. Where no run could be made for them,
 * that is a gap. */
void rcp_findings_add_parted(rcp_findings *findings, const rcp_summary *summary);
/* Those of a process, and its numbers. */
void rcp_findings_join_parted(rcp_findings *all, const rcp_findings *part, const char *process);
/* Those that a baseline knows go to the others. */
void rcp_findings_set_parted_aside(rcp_findings *findings, bool (*is_known)(const void *context, uint64_t fingerprint),
                                   const void *context);
void rcp_findings_finish_parted(rcp_findings *findings);
/* Those of the recorded run, and of the others that the summary speaks of. */
rcp_code rcp_findings_add_ends(rcp_findings *findings, const char *directory) RCP_MUST_USE;
/* Gives deadlocks and crashes their fingerprints, once all are there. */
void rcp_findings_name_ends(rcp_findings *findings);
/* It counts no more: `by` suppresses it; NULL: it is known. Who does that to some notes anew what was not tried. */
void rcp_findings_set_aside(rcp_findings *findings, rcp_finding *finding, const struct rcp_suppression *by);
/* The same of the list's deadlock `i`, which is moved. */
void rcp_findings_set_deadlock_aside(rcp_findings *findings, rcp_deadlocks *list, size_t i,
                                     const struct rcp_suppression *by);
/* All of them go. */
void rcp_findings_drop_deadlocks(rcp_findings *findings);
/* Says in a gap which were not tried, and in no other than that. */
void rcp_findings_note_not_tried(rcp_findings *findings);
/* The same pair of places in the program? */
bool rcp_finding_is_same(const rcp_finding *a, const rcp_finding *b);
/* A number for that pair: the same for those that are the same. */
uint64_t rcp_finding_points(const rcp_finding *finding);

/* Words that all forms share. */
const char *rcp_finding_op(const rcp_event *access);                                /* "read", "write", "rmw", "free" */
void rcp_finding_location(rcp_text *to, const rcp_defs *defs, rcp_loc loc);         /* "a.c:12:5"; "?" where unknown */
void rcp_finding_frame(rcp_text *to, const rcp_defs *defs, rcp_loc loc);            /* "one a.c:12:5" */
void rcp_finding_stop(rcp_text *to, const rcp_defs *defs, const rcp_stop *stop);    /* "a.c:12:5", else "event 17" */
void rcp_finding_thread(rcp_text *to, const rcp_defs *defs, rcp_tid tid);           /* "thread 0.1" */
void rcp_finding_does(rcp_text *to, const rcp_event *access, const rcp_deed *deed); /* "atomic update", "lock mutex" */
const char *rcp_finding_kind(rcp_object_kind kind);                                 /* in words: "read-write lock" */
void rcp_finding_variable(rcp_text *to, const rcp_defs *defs, const rcp_finding *finding); /* "x", "x+4", "" */
void rcp_finding_line(rcp_text *to, const rcp_defs *defs, rcp_loc loc);                    /* "a.c:12" */
void rcp_finding_object(rcp_text *to, const rcp_defs *defs, rcp_obj object); /* "mutex `m`", "that mutex" */
/* "pool.completed", "count of main", "x+4"; of what the C++ library does with an object, the object: "" where it has no
 * name. */
void rcp_finding_name(rcp_text *to, const rcp_finding *finding);
/* "`pool.completed`", "`count` of main": what both are to; false: it has no name. */
bool rcp_finding_shared(rcp_text *to, const rcp_finding *finding);
/* The test's case that it was found in, of two "a, b"; nothing where none is known. `to` is empty. */
void rcp_finding_test(rcp_text *to, const rcp_finding *finding);
/* "x.count": what the source calls what both are to; of a library, the object that it works for; "": no member, or not
 * known. */
const char *rcp_finding_member(const rcp_finding *finding);

#endif
