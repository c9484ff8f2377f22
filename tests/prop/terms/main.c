/* SPDX-License-Identifier: Apache-2.0 */
/* check_terms [--changes N] [--seed S] [--set LIMIT=N] DIR: are the terms of a recorded run's events right?
 *
 * Each is evaluated at the values that were recorded, and must give what was recorded. Then N times one of the reads
 * that terms are made of reads another value, and the run must go on as the terms predict (changed_run.h). */
#include "prop/random.h"
#include "prop/terms/changed_run.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "program/telling/recorded_events.h"
#include "trace/store/reader.h"
#include "trace/store/store.h"
#include "trace/text/text.h"
#include "trace/check/wellformed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const change_names[RCP_CHANGES] = {"no other branch", "another branch", "another value pinned",
                                                      "another address", "unknown",        "wrong"};

typedef struct counts {
    uint64_t branches, addresses, values, reads, changes[RCP_CHANGES];
    uint64_t others; /* reads that can't be changed, or with which the run does not end */
} counts;

static void print_event(const rcp_trace *trace, uint64_t i) {
    if (i >= trace->events.len)
        return;
    rcp_text text = {0};
    rcp_printer *printer = rcp_printer_create(&trace->defs, &trace->terms);
    rcp_text_print_excerpt(printer, &text, (rcp_eid){i}, &trace->events.at[i]);
    fputs(text.at, stdout);
    rcp_printer_destroy(printer);
    rcp_text_finish(&text);
}

static void count(const rcp_trace *trace, counts *n) {
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        n->branches += e->kind == RCP_BRANCH && rcp_term_is_real(e->cond);
        n->addresses += rcp_term_is_real(e->addr_term);
        n->values += rcp_term_is_real(e->value_term);
        n->reads += e->kind == RCP_READ;
    }
}

/* How many faults the trace has; each is printed. */
static uint64_t check_recorded(const rcp_trace *trace) {
    rcp_wellformed *check = rcp_wellformed_create(&trace->defs, &trace->terms);
    for (size_t i = 0; i < trace->events.len; i++)
        if (rcp_wellformed_add(check, (rcp_eid){i}, &trace->events.at[i]) != RCP_OK)
            break;
    uint64_t faults = rcp_wellformed_finish(check);
    for (size_t i = 0; i < 10 && rcp_wellformed_borrow(check, i); i++) {
        const rcp_fault *fault = rcp_wellformed_borrow(check, i);
        printf("event %" PRIu64 ": %s\n  ", fault->eid.v, fault->reason);
        print_event(trace, fault->eid.v);
    }
    rcp_wellformed_destroy(check);
    return faults;
}

static bool can_change(const rcp_trace *trace, uint64_t eid) {
    if (eid >= trace->events.len)
        return false;
    const rcp_event *e = &trace->events.at[eid];
    return e->kind == RCP_READ && e->size <= 8 && !rcp_term_is_real(e->cond);
}

/* Is it a branch of the program's, and no value that is pinned? */
static bool is_open(const rcp_trace *trace, const rcp_event *e) {
    if (e->kind != RCP_BRANCH || !rcp_term_is_real(e->cond))
        return false;
    const rcp_term_node *node = rcp_term_borrow(&trace->terms, e->cond);
    return node->op != RCP_OP_EQ || !e->value;
}

/* One that a branch depends on. */
static rcp_eid choose_read_of_branch(const rcp_trace *trace, rcp_random *random) {
    rcp_eid chosen = RCP_NO_EID;
    rcp_eids reads = {0};
    for (unsigned tries = 0; tries < 200 && trace->events.len && chosen.v == RCP_NO_EID.v; tries++) {
        const rcp_event *e = &trace->events.at[rcp_random_below(random, (uint32_t)trace->events.len)];
        reads.len = 0;
        if (is_open(trace, e))
            rcp_term_reads(&trace->terms, e->cond, &reads);
        if (reads.len && can_change(trace, reads.at[reads.len - 1].v))
            chosen = reads.at[reads.len - 1];
    }
    rcp_vec_finish(&reads);
    return chosen;
}

/* Which reads are symbols of terms: one flag per event. */
static uint8_t *find_symbols(const rcp_trace *trace) {
    uint8_t *is_symbol = rcp_alloc_zero(trace->events.len + 1, 1);
    for (size_t i = 0; i < trace->terms.nodes.len; i++) {
        const rcp_term_node *node = &trace->terms.nodes.at[i];
        if (node->op == RCP_OP_READ && can_change(trace, node->word))
            is_symbol[node->word] = 1;
    }
    return is_symbol;
}

/* A read of up to 8 bytes that some term is made of; RCP_NO_EID: there is none. First a place in the code, so that
 * loops do not have them all, then one of its reads. Most of the main thread's are for the sums that the program
 * prints, and matter to nothing else. */
static rcp_eid choose_read(const rcp_trace *trace, const uint8_t *is_symbol, rcp_random *random) {
    if (rcp_random_percent(random, 40)) {
        rcp_eid of_branch = choose_read_of_branch(trace, random);
        if (of_branch.v != RCP_NO_EID.v)
            return of_branch;
    }
    bool main_too = rcp_random_percent(random, 15);
    rcp_map place; /* location → its index in `seen` and `chosen` */
    RCP_VEC(uint32_t) seen = {0};
    RCP_VEC(rcp_eid) chosen = {0};
    rcp_map_init(&place);
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (!is_symbol[i] || (!main_too && !e->tid.v))
            continue;
        uint32_t *index = rcp_map_at(&place, e->loc.v);
        if (*index == RCP_MAP_NONE) {
            *index = (uint32_t)seen.len;
            rcp_vec_push(&seen, 0);
            rcp_vec_push(&chosen, (rcp_eid){i});
        }
        if (!rcp_random_below(random, ++seen.at[*index]))
            chosen.at[*index] = (rcp_eid){i};
    }
    rcp_eid read = chosen.len ? chosen.at[rcp_random_below(random, (uint32_t)chosen.len)] : RCP_NO_EID;
    rcp_map_finish(&place);
    rcp_vec_finish(&seen);
    rcp_vec_finish(&chosen);
    return read;
}

static uint64_t another_value(const rcp_event *e, rcp_random *random) {
    uint64_t mask = e->size < 8 ? (UINT64_C(1) << 8 * e->size) - 1 : UINT64_MAX, value = e->value;
    switch (rcp_random_below(random, 6)) {
    case 0: value ^= UINT64_C(1) << rcp_random_below(random, 8 * e->size); break;
    case 1: value += 1; break;
    case 2: value -= 1; break;
    case 3: value = 0; break;
    case 4: value = ~value; break;
    default: value = rcp_random_next(random); break;
    }
    value &= mask;
    return value == e->value ? value ^ 1 : value;
}

static void remove_trace(const char *dir) {
    char *events = rcp_store_take_path(dir);
    unlink(events);
    rmdir(dir);
    rcp_release(events);
}

/* The changed run in a process of its own, which is ended where the run goes round in a loop for ever: waiting, say,
 * for a flag that it now reads as not set. RCP_LIMIT: that was so. */
static rcp_code run_changed(const char *dir, const char *scratch, rcp_override *other, bool *fits) {
    enum { SECONDS = 10, FITS = 1, APPLIED = 2, DONE = 4 };
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return rcp_fail(RCP_SYSTEM, "fork failed");
    if (!child) {
        alarm(SECONDS);
        bool done = rcp_recorded_events_change(dir, scratch, other, fits) == RCP_OK;
        if (!done)
            rcp_print_causes(stderr);
        _exit((done ? DONE : 0) | (*fits ? FITS : 0) | (other->is_applied ? APPLIED : 0));
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return RCP_LIMIT;
    if (!WIFEXITED(status) || !(WEXITSTATUS(status) & DONE))
        return rcp_fail(RCP_SYSTEM, "the changed run failed, status %#x", status);
    *fits = WEXITSTATUS(status) & FITS;
    other->is_applied = WEXITSTATUS(status) & APPLIED;
    return RCP_OK;
}

/* False: the prediction was wrong. */
static bool change_read(const char *dir, const char *scratch, const rcp_trace *trace, const uint8_t *is_symbol,
                        rcp_random *random, counts *n) {
    rcp_eid read = choose_read(trace, is_symbol, random);
    if (read.v == RCP_NO_EID.v)
        return true;
    rcp_override other = {.read = read, .value = another_value(&trace->events.at[read.v], random)};
    rcp_trace changed;
    rcp_trace_init(&changed);
    bool ended = false;
    rcp_code code = run_changed(dir, scratch, &other, &ended);
    bool is_endless = code == RCP_LIMIT;
    bool good = is_endless || (code == RCP_OK && rcp_trace_load(&changed, scratch) == RCP_OK);
    if (is_endless || (good && !other.is_applied))
        n->others++;
    else if (good) {
        rcp_changed_run run = {trace, &changed, read, other.value, ended, {0}, ""};
        rcp_change change = rcp_changed_run_compare(&run);
        n->changes[change]++;
        good = change != RCP_CHANGE_WRONG;
        if (!good) {
            printf("read %" PRIu64 " changed to %#" PRIx64 ": event %" PRIu64 ": %s\n  ", read.v, other.value, run.at.v,
                   run.why);
            print_event(trace, read.v);
            printf("  recorded: ");
            print_event(trace, run.at.v);
            printf("  changed:  ");
            print_event(&changed, run.at.v);
        }
    } else {
        fputs("check_terms: the changed run: ", stderr);
        rcp_print_causes(stderr);
    }
    rcp_trace_finish(&changed);
    remove_trace(scratch);
    return good;
}

static int usage(void) {
    fputs("usage: check_terms [--changes N] [--seed S] [--set LIMIT=N] DIR\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    uint64_t changes = 0, seed = 1;
    const char *dir = NULL;
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && !strcmp(argv[i], "--changes"))
            changes = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--seed"))
            seed = strtoull(argv[++i], NULL, 0);
        else if (i + 1 < argc && !strcmp(argv[i], "--set")) {
            if (rcp_limits_assign(argv[++i]) != RCP_OK)
                return usage();
        } else if (!dir)
            dir = argv[i];
        else
            return usage();
    }
    if (!dir)
        return usage();
    rcp_recorded_events made;
    rcp_trace trace;
    rcp_trace_init(&trace);
    rcp_code code = rcp_recorded_events_are_missing(dir) ? rcp_recorded_events_make(dir, 0, NULL, &made) : RCP_OK;
    if (code == RCP_OK)
        code = rcp_trace_load(&trace, dir);
    if (code != RCP_OK) {
        fputs("check_terms: ", stderr);
        rcp_print_causes(stderr);
        rcp_trace_finish(&trace);
        return 3;
    }
    counts n = {0};
    rcp_random random = {seed};
    bool good = !check_recorded(&trace);
    count(&trace, &n);
    rcp_text scratch = {0};
    rcp_text_printf(&scratch, "%s/changed", dir);
    uint8_t *is_symbol = find_symbols(&trace);
    for (uint64_t i = 0; good && i < changes; i++)
        good = change_read(dir, scratch.at, &trace, is_symbol, &random, &n);
    rcp_release(is_symbol);
    printf("events %zu, reads %" PRIu64 ", terms of branches %" PRIu64 ", of addresses %" PRIu64 ", of values %" PRIu64,
           trace.events.len, n.reads, n.branches, n.addresses, n.values);
    for (int i = 0; changes && i < RCP_CHANGES; i++)
        printf(", %s %" PRIu64, change_names[i], n.changes[i]);
    printf("\n");
    rcp_text_finish(&scratch);
    rcp_trace_finish(&trace);
    return !good;
}
