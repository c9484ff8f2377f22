/* SPDX-License-Identifier: Apache-2.0 */
/* rows/ has the functions, by what they are about; here they become one table, which is looked up by name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CLOCK_TAI, MAP_ANONYMOUS */
#endif
#include "outside/outside.h"

#include "base/hash.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* A name, what it is (rcp_outside_kind without its prefix), the memory that it touches, other columns. */
#define ROW(name, kind, ...)    {#name, RCP_OUTSIDE_##kind, false, "" __VA_ARGS__},
#define BACK(name, kind, ...)   {#name, RCP_OUTSIDE_##kind, true, "" __VA_ARGS__},
#define FAMILY(name, kind, ...) {#name, RCP_OUTSIDE_##kind, false, "" __VA_ARGS__},
/* Of math.h, for the three kinds of numbers. */
#define MATH(name)                                                                                                     \
    {#name, RCP_OUTSIDE_HARMLESS, false, ""}, {#name "f", RCP_OUTSIDE_HARMLESS, false, ""},                            \
        {#name "l", RCP_OUTSIDE_HARMLESS, false, ""},

/* The other columns. */
#define PICK(one, two, which, ...) which
#define AS_1(one)                  RCP_ROLE_##one
#define AS_2(one, two)             RCP_ROLE_##one | RCP_ROLE_##two
#define AS(...)                    .roles = PICK(__VA_ARGS__, AS_2, AS_1, )(__VA_ARGS__)
#define UNLIKE(role)               .unlike = RCP_ROLE_##role
#define STARTS(argument)           .starts = argument
#define CALLS(argument)            .calls = 1 + (argument)
#define PRINTERS                   .makes_printers = true
#define HANDLER(how)               .handler = RCP_HANDLER_##how
#define LEAF(bytes)                .leaf = bytes
#define MODEL(which)               .model = RCP_MODEL_##which
#define SYNCHRONISES(what, on, how, at, fails, in_errno)                                                               \
    .model = RCP_MODEL_SYNC, .sync = {RCP_DOES_##what, RCP_ON_##on, RCP_PATIENCE_##how, at, fails, in_errno}
#define WAITS(what, on)               SYNCHRONISES(what, on, WAITS, 0, 0, false)
#define TRIES(what, on, fails)        SYNCHRONISES(what, on, TRIES, 0, fails, false)
#define TIMED(what, on, clock, fails) SYNCHRONISES(what, on, TIMED, clock, fails, false)
/* The same where -1 is returned, and why is in errno. */
#define WAITS_ERRNO(what, on)        SYNCHRONISES(what, on, WAITS, 0, -1, true)
#define TRIES_ERRNO(what, on)        SYNCHRONISES(what, on, TRIES, 0, -1, true)
#define TIMED_ERRNO(what, on, clock) SYNCHRONISES(what, on, TIMED, clock, -1, true)
/* With what of the system; when that is all. What comes in may tell the time. */
#define WITH_1(one)                               RCP_WITH_##one
#define WITH_2(one, two)                          WITH_1(one) | RCP_WITH_##two
#define WITH_3(one, two, three)                   WITH_2(one, two) | RCP_WITH_##three
#define WITH_4(one, two, three, four)             WITH_3(one, two, three) | RCP_WITH_##four
#define PICK_4(one, two, three, four, which, ...) which
#define WITH(...)                                 .with = PICK_4(__VA_ARGS__, WITH_4, WITH_3, WITH_2, WITH_1, )(__VA_ARGS__)
#define USES                                      WITH(WORLD, CLOCK)
#define TAKES                                     USES, .way = RCP_WAY_IN
#define LETS                                      USES, .way = RCP_WAY_OUT
#define OPENS                                     WITH(WORLD, CLOCK, NAMES, TABLE)
#define ONLY(how, argument)                       .when = RCP_WHEN_##how, .when_at = argument
#define LATER                                     .is_later = true
#define LASTS                                     .lasts = true
#define FENCES                                    .fences = true
#define CHANGES                                   .changes_stream = true
#define COUNTED(how)                              .counted = RCP_COUNTED_##how
/* What it becomes; IS_CHECKED, RETURNS_END. */
#define COMPILED(what, ...) .compiled = RCP_COMPILED_##what, ##__VA_ARGS__
#define IS_CHECKED          .is_checked = true
#define RETURNS_END         .returns_end = true

static const rcp_outside rows[] = {
#include "outside/rows/cxx.def"
#include "outside/rows/files.def"
#include "outside/rows/heap.def"
#include "outside/rows/math.def"
#include "outside/rows/numbers.def"
#include "outside/rows/process.def"
#include "outside/rows/signals.def"
#include "outside/rows/streams.def"
#include "outside/rows/strings.def"
#include "outside/rows/threads.def"
#include "outside/rows/time.def"
#include "outside/rows/waiting.def"
};
static const rcp_outside families[] = {
#include "outside/rows/cxx_families.def"
};

#define PART(text, role)      {#text, false, RCP_ROLE_##role},
#define BEGINNING(text, role) {#text, true, RCP_ROLE_##role},
static const struct part {
    const char *text;
    bool is_beginning;
    uint64_t roles;
} parts[] = {
#include "outside/rows/parts.def"
};

#define TEXT_8(a, b, c, d, e, f, g, h, ...) {#a, #b, #c, #d, #e, #f, #g, #h}
#define DESCRIPTORS(what, ...)              {RCP_DESCRIPTORS_##what, TEXT_8(__VA_ARGS__, , , , , , , , )},
static const struct users {
    rcp_outside_descriptors what;
    const char *names[8]; /* "": no more */
} users[] = {
#include "outside/descriptors.def"
};

enum { USED, CHANGED };
#define STATE(what, how, argument, ...)                                                                                \
    {{RCP_STATE_##what, argument, (how) == CHANGED}, TEXT_8(__VA_ARGS__, , , , , , , , )},
static const struct keeper {
    rcp_outside_state state;
    const char *names[8]; /* "": no more */
} keepers[] = {
#include "outside/states.def"
};

#define ANNOTATION(what, argument, ...) {{RCP_ANNOTATION_##what, argument}, TEXT_8(__VA_ARGS__, , , , , , , , )},
static const struct annotating {
    rcp_outside_annotation annotation;
    const char *names[8]; /* "": no more */
} annotating[] = {
#include "outside/annotations.def"
};

#define VARIABLE(name, what) {#name, RCP_VARIABLE_##what},
static const struct variable {
    const char *name;
    rcp_outside_variable what;
} variables[] = {
#include "outside/rows/variables.def"
};

enum {
    ROWS = sizeof rows / sizeof *rows,
    FAMILIES = sizeof families / sizeof *families,
    PARTS = sizeof parts / sizeof *parts,
    USERS = sizeof users / sizeof *users,
    KEEPERS = sizeof keepers / sizeof *keepers,
    ANNOTATING = sizeof annotating / sizeof *annotating,
    VARIABLES = sizeof variables / sizeof *variables,
    SLOTS = 8192, /* of the index: names lie thinly there */
};
_Static_assert(ROWS < SLOTS / 4, "an index with long stretches is slow");

static bool begins(const char *name, const char *beginning) { return !strncmp(name, beginning, strlen(beginning)); }

static size_t slot_of(const char *name) { return rcp_hash_bytes(name, strlen(name)) % SLOTS; }

/* Where rows are by their names' hashes: 1 + number, 0 where nothing is. Nobody has to keep the files in an order. (The
 * analysis has processes, no threads.) */
static const uint16_t *index_of_names(void) {
    static uint16_t index[SLOTS];
    static bool is_made;
    for (size_t i = 0; !is_made && i < ROWS; i++) {
        size_t slot = slot_of(rows[i].name);
        while (index[slot])
            slot = (slot + 1) % SLOTS;
        index[slot] = (uint16_t)(i + 1);
    }
    is_made = true;
    return index;
}

/* All families are of C++. */
static const rcp_outside *family_of(const char *name) {
    for (size_t i = 0; begins(name, "_Z") && i < FAMILIES; i++)
        if (begins(name, families[i].name))
            return &families[i];
    return NULL;
}

const rcp_outside *rcp_outside_find(const char *name) {
    const uint16_t *index = index_of_names();
    for (size_t slot = slot_of(name); index[slot]; slot = (slot + 1) % SLOTS)
        if (!strcmp(rows[index[slot] - 1].name, name))
            return &rows[index[slot] - 1];
    return family_of(name);
}

static rcp_outside_descriptors descriptors_of(const char *name) {
    for (size_t i = 0; i < USERS; i++)
        for (size_t k = 0; k < 8 && *users[i].names[k]; k++)
            if (!strcmp(users[i].names[k], name))
                return users[i].what;
    return RCP_DESCRIPTORS_UNSAID;
}

static rcp_outside_state state_of(const char *name) {
    for (size_t i = 0; i < KEEPERS; i++)
        for (size_t k = 0; k < 8 && *keepers[i].names[k]; k++)
            if (!strcmp(keepers[i].names[k], name))
                return keepers[i].state;
    return (rcp_outside_state){0};
}

static rcp_outside_annotation annotation_of(const char *name) {
    for (size_t i = 0; i < ANNOTATING; i++)
        for (size_t k = 0; k < 8 && *annotating[i].names[k]; k++)
            if (!strcmp(annotating[i].names[k], name))
                return annotating[i].annotation;
    return (rcp_outside_annotation){0};
}

const rcp_outside *rcp_outside_annotating(rcp_annotation_kind what) {
    static const rcp_outside orders = {"an annotation", RCP_OUTSIDE_PAIR, false, "", .with = RCP_WITH_OWN};
    static const rcp_outside says = {"an annotation", RCP_OUTSIDE_HARMLESS, false, ""};
    return what == RCP_ANNOTATION_ORDERS ? &orders : &says;
}

/* The codes of helgrind.h and drd.h, which are fixed: two letters, and a number. */
rcp_annotation_kind rcp_outside_request(uint64_t code, uint64_t first) {
    enum { HG = 'H' << 24 | 'G' << 16, DR = 'D' << 24 | 'R' << 16, FIRST = HG + 256 };
    switch (code) {
    case FIRST + 5:  /* a mutex is about to be let go, */
    case FIRST + 8:  /* was taken; */
    case FIRST + 9:  /* a condition is about to be signalled, */
    case FIRST + 10: /* to all, */
    case FIRST + 12: /* was waited for; */
    case FIRST + 17: /* a read-write lock was taken, */
    case FIRST + 18: /* is about to be let go; */
    case FIRST + 22: /* a semaphore likewise, */
    case FIRST + 23: /* and taken; */
    case FIRST + 25: /* a barrier is about to be waited for; */
    case FIRST + 27: /* a spin lock is about to be let go, */
    case FIRST + 30: /* was taken; */
    case FIRST + 33: /* happens before, */
    case FIRST + 34: /* and after; */
    case DR + 13:    /* DRD's semaphores */
    case DR + 14: return RCP_ANNOTATION_ORDERS;
    case FIRST + 39: /* memory that is not looked at; */
    case DR + 2: return RCP_ANNOTATION_BENIGN;
    case DR + 6: return first ? RCP_ANNOTATION_READS_END : RCP_ANNOTATION_READS;
    case DR + 7: return first ? RCP_ANNOTATION_WRITES_END : RCP_ANNOTATION_WRITES;
    default: return RCP_ANNOTATION_SAYS;
    }
}

/* Classes of the C++ library that are streams to write to, or strings to read, and where the std::ostream is in them.
 * Behind the name of the class, C1 is a constructor of a whole object, C2 of a part of one; D… are destructors.
 * `is_bare`: what comes behind the std::ostream's first 8 bytes is, in a part, the program's. */
static const struct stream_class {
    const char *name;
    uint8_t at;
    bool is_bare;
} stream_classes[] = {{"_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE", 0, false},
                      {"_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE", 16, false},
                      {"_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE", 0, false},
                      {"_ZNSt14basic_ofstreamIcSt11char_traitsIcEE", 0, false},
                      {"_ZNSt13basic_fstreamIcSt11char_traitsIcEE", 16, false},
                      {"_ZNSo", 0, true},
                      {"_ZNSd", 16, true}};

static rcp_outside_state stream_of(const char *name) {
    rcp_outside_state state = {0};
    for (size_t i = 0; i < sizeof stream_classes / sizeof *stream_classes; i++) {
        const struct stream_class *is = &stream_classes[i];
        if (!begins(name, is->name))
            continue;
        const char *member = name + strlen(is->name);
        bool is_made = *member == 'C' && (member[1] == '1' || (member[1] == '2' && !is->is_bare));
        if (*member == 'C' || *member == 'D')
            state = (rcp_outside_state){RCP_STATE_OSTREAM, .life = is_made ? RCP_STREAM_BEGINS : RCP_STREAM_ENDS,
                                        .at = is->at};
    }
    return state;
}

rcp_outside_name rcp_outside_resolve(const char *name) {
    rcp_outside_name is = {.row = rcp_outside_find(name), .descriptors = (uint8_t)descriptors_of(name)};
    is.state = state_of(name);
    is.annotation = annotation_of(name);
    for (size_t i = 0; i < PARTS; i++)
        if (parts[i].is_beginning ? begins(name, parts[i].text) : strstr(name, parts[i].text) != NULL)
            is.roles |= parts[i].roles;
    if (is.row)
        is.roles = (is.roles & ~is.row->unlike) | is.row->roles;
    if (is.row && is.row->changes_stream)
        is.state = (rcp_outside_state){RCP_STATE_OSTREAM, .is_changed = true};
    else if (!is.state.what)
        is.state = stream_of(name);
    return is;
}

const rcp_outside *rcp_outside_row(size_t i) { return i < ROWS ? &rows[i] : NULL; }

const rcp_outside *rcp_outside_having(rcp_outside_role role, size_t *i) {
    while (*i < ROWS && !(rows[*i].roles & role))
        ++*i;
    return rcp_outside_row(*i);
}

const rcp_outside *rcp_outside_futex(uint64_t command) {
    enum { WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAIT_BITSET = 9, WAKE_BITSET = 10 };
    switch (command) {
    case WAIT:
    case WAIT_BITSET: return rcp_outside_find("futex_wait");
    case WAKE:
    case WAKE_BITSET:
    case REQUEUE:
    case CMP_REQUEUE: return rcp_outside_find("futex_other");
    default: return rcp_outside_find("futex_changes"); /* WAKE_OP, locks that inherit priorities */
    }
}

const rcp_outside *rcp_outside_membarrier(uint64_t command) {
    enum { QUERY = 0, GLOBAL = 1, GLOBAL_EXPEDITED = 2, PRIVATE_EXPEDITED = 8, PRIVATE_SYNC_CORE = 32 };
    switch (command) {
    case QUERY:
    case GLOBAL:
    case GLOBAL_EXPEDITED:
    case PRIVATE_EXPEDITED:
    case PRIVATE_SYNC_CORE: return rcp_outside_find("membarrier");
    default: return NULL;
    }
}

bool rcp_outside_loads(const char *name) { return !strcmp(name, "dlopen") || !strcmp(name, "dlmopen"); }

bool rcp_outside_sets_locale(const char *name) {
    static const char *const names[] = {"setlocale", "uselocale", "__uselocale", "_ZNSt6locale6globalERKS_",
                                        "_ZNSt3__16locale6globalERKS0_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return rcp_outside_loads(name);
}

bool rcp_outside_looks_up(const char *name) { return !strcmp(name, "dlsym") || !strcmp(name, "dlvsym"); }

bool rcp_outside_is_of_cxx(const char *name) { return !strncmp(name, "_ZNS", 4); }

bool rcp_outside_keeps_in_facet(const char *name) {
    return !strcmp(name, "_ZNKSt5ctypeIcE6narrowEcc") || !strcmp(name, "_ZNKSt5ctypeIcE5widenEc");
}

bool rcp_outside_throws_own(const char *name) { return !strncmp(name, "_ZSt", 4) && strstr(name, "__throw_"); }

const rcp_outside *rcp_outside_numbered_row(rcp_outside_numbered function) {
    static const char *const names[] = {
        [RCP_NUMBERED_READ] = "read",     [RCP_NUMBERED_WRITE] = "write", [RCP_NUMBERED_READV] = "readv",
        [RCP_NUMBERED_WRITEV] = "writev", [RCP_NUMBERED_PREAD] = "pread", [RCP_NUMBERED_CLOSE] = "close"};
    return rcp_outside_find(names[function]);
}

bool rcp_outside_is_reserved(const char *name) {
    return begins(name, "__") || begins(name, "_ZS") || begins(name, "_ZNS") || begins(name, "_ZNKS");
}

rcp_outside_variable rcp_outside_variable_of(const char *name) {
    for (size_t i = 0; i < VARIABLES; i++)
        if (!strcmp(name, variables[i].name))
            return variables[i].what;
    return RCP_VARIABLE_OTHER;
}

/* Not so of those that a call raises in the thread that makes it: who is alive after it knows that they are handled. */
static bool is_sent(uint64_t signal) {
    switch ((uint32_t)signal) {
    case SIGPIPE:
    case SIGXFSZ:
    case SIGTTIN:
    case SIGTTOU: return false;
    default: return true;
    }
}

static bool is_fixed(uint64_t question) {
    switch ((uint32_t)question) {
    case _SC_PAGESIZE:
    case _SC_CLK_TCK:
    case _SC_IOV_MAX:
    case _SC_HOST_NAME_MAX:
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
    case _SC_PHYS_PAGES:
    case _SC_GETPW_R_SIZE_MAX:
    case _SC_GETGR_R_SIZE_MAX: return true;
    default: return false;
    }
}

static bool is_private(uint64_t flags) { return flags & MAP_ANONYMOUS && !(flags & (MAP_FIXED | MAP_HUGETLB)); }

uint32_t rcp_outside_shares(const rcp_outside *outside, const uint64_t *words, size_t n, bool is_result_used) {
    uint64_t word = outside->when_at < n ? words[outside->when_at] : 0;
    bool is_so = outside->with && (outside->when == RCP_WHEN_ALWAYS || outside->when_at < n);
    switch ((rcp_outside_when)outside->when) {
    case RCP_WHEN_ALWAYS: break;
    case RCP_WHEN_NULL: is_so &= !word; break;
    case RCP_WHEN_UNUSED: is_so &= !is_result_used; break;
    case RCP_WHEN_SENT: is_so &= is_sent(word); break;
    case RCP_WHEN_FIXED: is_so &= is_fixed(word); break;
    case RCP_WHEN_CLOCK:
        if (is_so && (uint32_t)word == CLOCK_THREAD_CPUTIME_ID)
            return RCP_WITH_OWN;
        is_so &= (uint32_t)word <= CLOCK_TAI;
        break;
    case RCP_WHEN_PRIVATE: is_so &= is_private(word); break;
    }
    return is_so ? outside->with : RCP_WITH_ALL;
}

/* The argument of the first word that begins with it. */
static int argument_of(const rcp_outside *outside, char how) {
    const char *p = outside->touches;
    for (; p && *p && *p != how; p += strcspn(p, " "), p += *p == ' ')
        continue;
    return p && *p ? p[1] - '0' : -1;
}

int rcp_outside_stream(const rcp_outside *outside) { return argument_of(outside, 'f'); }
int rcp_outside_beside(const rcp_outside *outside, char what) { return argument_of(outside, what); }

bool rcp_outside_takes_list(const rcp_outside *outside) {
    return argument_of(outside, 'V') >= 0 || argument_of(outside, 'v') >= 0;
}

int rcp_outside_format(const rcp_outside *outside, bool *is_list) {
    int plain = argument_of(outside, 'F'), list = argument_of(outside, 'V');
    *is_list = list >= 0;
    return *is_list ? list : plain;
}
