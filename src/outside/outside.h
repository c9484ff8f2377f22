/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of functions that are not recorded: what is known of them, a row each, by name (rows/).
 *
 * A function that is in no row may do anything: look at all memory, wait for other threads, let them go on. For what
 * the C and C++ libraries do often, a row says better: what it is (its kind), the memory that it touches, and the roles
 * that it plays elsewhere. A wrong row is a wrong report later: whatever threads can wait for each other by (pipes,
 * sockets, signals, locks of files) is never harmless, and neither is what has a state of its own behind it: time runs
 * forward, and who calls rand() first gets the first number.
 *
 *   ROW(pthread_mutex_timedlock, SYNC, "r1=16", TIMED(ACQUIRE, MUTEX, 1, ETIMEDOUT))
 *
 * reads: the log says what it did to the mutex; it reads the 16 bytes that argument 1 points to; a thread that nobody
 * recorded can call it, too (the model): it acquires a mutex, at the latest when the time in argument 1 has come, and
 * returns ETIMEDOUT where it does not get it. A row begins with its name and its kind; its words, which may be left out
 * where nothing follows them ("" where something does); then columns in any order, by the macros of outside.c:
 *
 *   AS(ROLE, …)      its roles (roles.def)
 *   UNLIKE(ROLE)     one that its name would give it (rows/parts.def), and that it has not
 *   STARTS(k)        creates a thread, whose first function is argument k
 *   CALLS(k)         calls the function that argument k is, at once or later
 *   PRINTERS         makes functions of the program's own print some conversion of a format
 *   HANDLER(how)     makes a function a signal's handler: argument 1 (GIVEN), or what that points to (POINTED)
 *   MODEL(model)     what it does where nobody recorded it, of the heap and strings (rcp_outside_model)
 *   WAITS, TRIES, TIMED, FAILING …   the same of synchronisation (rcp_outside_sync)
 *   COMPILED(…)      instrumented code does the same without a call
 *   LEAF(n)          of an OBJECT: in its first n bytes are the pointers to what belongs to it, and no more
 *   WITH(OBJECT, …)  of a pair: all that it has to do with of what the system keeps (objects.def); not said: all of it
 *   USES, OPENS      the same, of descriptors and streams that are there; of what finds, makes or closes some
 *   TAKES, LETS      as USES, of what takes something in by argument 0, a descriptor; of what lets something out, and
 *                    no more
 *   LATER            when it ends it has to do with all of it: it has waited for something that anybody may have sent
 *   LASTS            of what is harmless: takes as long as it is told to, or longer
 *   FENCES           is a fence in every thread
 *   CHANGES          changes the stream of C++ that argument 0 is, as no two threads may at once
 *   COUNTED(how)     of an OBJECT and its kin: what it has others may have, too, and the library counts how many do
 * (HAS); or it makes one more of those (COPIES) ONLY(when, k)    so it is only where argument k is as that says
 * (rcp_outside_when); else all of it
 *
 * BACK(…) is a row whose callbacks are its own, FAMILY(…) one for all names that begin so. The kind UNKNOWN is that of
 * a function of which nothing is known but its other columns.
 *
 * A row says what the C library's function does. Whether a name stands for that one is not known here: a program may
 * have a function of its own by that name (rcp_outside_of() of program/reach/outside_call.h).
 *
 * Ownership: all of it is constant, and nobody's.
 */
#ifndef RECIPE_OUTSIDE_OUTSIDE_H
#define RECIPE_OUTSIDE_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rcp_outside_kind {
    RCP_OUTSIDE_UNKNOWN,  /* a barrier pair that reaches everything */
    RCP_OUTSIDE_HARMLESS, /* no other thread's doing has to do with it, but for the memory that it touches */
    RCP_OUTSIDE_PRINTS,   /* harmless on a standard stream, and only its result depends on the values that it is given;
                             on another stream a pair */
    RCP_OUTSIDE_SETTING,  /* harmless as long as nobody changes the locale or the environment; else a pair */
    RCP_OUTSIDE_THROWN,   /* harmless as long as no exception goes from one thread to another (std::exception_ptr): who
                             lets go of one last frees it; else a pair with COUNTS of objects.def, and no more */
    RCP_OUTSIDE_SYNC,     /* the log has what it did; where it has nothing, a barrier pair */
    RCP_OUTSIDE_PAIR,     /* a barrier pair that touches only the memory that is said */
    RCP_OUTSIDE_OBJECT,   /* harmless where nobody shares what it is given; else unknown */
    RCP_OUTSIDE_STREAM,   /* the same; but the standard streams are made to be shared */
    RCP_OUTSIDE_SOURCE /* as an OBJECT where all streams of the run that are read are strings; unknown of std::cin, and
                          where one may lead to a file, or to a buffer that somebody gave it */
} rcp_outside_kind;

/* RCP_ROLE_NAME is a bit, for each row of roles.def; their number is RCP_ROLES. */
enum {
#define ROLE(name, meaning) RCP_ROLE_BIT_##name,
#include "outside/roles.def"
#undef ROLE
    RCP_ROLES
};
typedef enum rcp_outside_role {
#define ROLE(name, meaning)                                                                                            \
    RCP_ROLE_##name = UINT64_C(1) << RCP_ROLE_BIT_##name, /* wider than C17 has them; both compilers do */
#include "outside/roles.def"
#undef ROLE
} rcp_outside_role;

_Static_assert(RCP_ROLES <= 64, "roles are bits of a uint64_t");

/* RCP_WITH_NAME is a bit, for each row of objects.def; their number is RCP_OBJECTS. */
enum {
#define OBJECT(name, meaning) RCP_OBJECT_##name,
#include "outside/objects.def"
#undef OBJECT
    RCP_OBJECTS,
    RCP_OBJECTS_OUT = RCP_OBJECT_SETTINGS /* those before are between the process and others */
};
typedef enum rcp_outside_with {
#define OBJECT(name, meaning) RCP_WITH_##name = 1 << RCP_OBJECT_##name,
#include "outside/objects.def"
#undef OBJECT
    RCP_WITH_ALL = (1 << RCP_OBJECTS) - 1
} rcp_outside_with;

/* How it has to do with the world. */
typedef enum rcp_outside_way {
    RCP_WAY_BOTH,
    RCP_WAY_IN, /* may be: whether it lets nothing out is known when it was called */
    RCP_WAY_OUT
} rcp_outside_way;
/* What a function has to do with descriptors: descriptors.def. */
typedef enum rcp_outside_descriptors {
    RCP_DESCRIPTORS_UNSAID,
    RCP_DESCRIPTORS_NONE,
    RCP_DESCRIPTORS_USES,
    RCP_DESCRIPTORS_SENDS,
    RCP_DESCRIPTORS_ASKS,
    RCP_DESCRIPTORS_ASKS_BOTH,
    RCP_DESCRIPTORS_CONTROLS,
    RCP_DESCRIPTORS_POLLS,
    RCP_DESCRIPTORS_SELECTS,
    RCP_DESCRIPTORS_WATCHES,
    RCP_DESCRIPTORS_AWAITS,
    RCP_DESCRIPTORS_MAKES_TWO,
    RCP_DESCRIPTORS_MAKES_PAIR,
    RCP_DESCRIPTORS_MAKES,
    RCP_DESCRIPTORS_MAKES_WATCH,
    RCP_DESCRIPTORS_MAKES_TIMER,
    RCP_DESCRIPTORS_SETS_TIMER,
    RCP_DESCRIPTORS_ASKS_TIMER,
    RCP_DESCRIPTORS_OPENS,
    RCP_DESCRIPTORS_DUPLICATES,
    RCP_DESCRIPTORS_REPLACES,
    RCP_DESCRIPTORS_CLOSES,
    RCP_DESCRIPTORS_GIVES,
    RCP_DESCRIPTORS_LOSES
} rcp_outside_descriptors;

/* When a call has to do with no more than its row says. */
typedef enum rcp_outside_when {
    RCP_WHEN_ALWAYS,
    RCP_WHEN_NULL,   /* argument k is null: it does not ask how things were before */
    RCP_WHEN_UNUSED, /* nobody looks at its result (k is 0) */
    RCP_WHEN_SENT,   /* argument k is a signal that somebody sends: no call raises it in its own thread, as a write to a
                        pipe that nobody reads does */
    RCP_WHEN_FIXED,  /* argument k is a question to sysconf() whose answer no call changes */
    RCP_WHEN_CLOCK,  /* argument k is a clock that has a name; that of the thread itself is nobody else's */
    RCP_WHEN_PRIVATE /* argument k are flags of mmap(): new memory that nobody else has so far, no file's, and not of
                        the pool of huge pages that all processes share */
} rcp_outside_when;

/* What an object has that others may have, too: who lets go of it last destroys it. */
typedef enum rcp_outside_counted { RCP_COUNTED_NOT, RCP_COUNTED_HAS, RCP_COUNTED_COPIES } rcp_outside_counted;

/* What a call does that nobody recorded (program/explore/models.c, heap.c). Those over strings are the C library's
 * functions of that name. */
typedef enum rcp_outside_model {
    RCP_MODEL_NONE,             /* nobody knows */
    RCP_MODEL_SYNC,             /* as rcp_outside_sync says */
    RCP_MODEL_ALLOCATE,         /* argument 0 bytes */
    RCP_MODEL_ALLOCATE_ZEROED,  /* argument 0 times argument 1 */
    RCP_MODEL_ALLOCATE_ALIGNED, /* argument 1 bytes, at a multiple of argument 0 */
    RCP_MODEL_ALLOCATE_AT,      /* argument 0 bytes, at a multiple of argument 1 */
    RCP_MODEL_ALLOCATE_INTO,    /* argument 2 bytes, at a multiple of argument 1; argument 0 points to who gets it */
    RCP_MODEL_RESIZE,           /* argument 0, to argument 1 bytes */
    RCP_MODEL_RESIZE_ARRAY,     /* argument 0, to argument 1 times argument 2 bytes */
    RCP_MODEL_FREE,             /* argument 0 */
    RCP_MODEL_STRLEN,
    RCP_MODEL_STRNLEN,
    RCP_MODEL_STRCMP,
    RCP_MODEL_STRNCMP,
    RCP_MODEL_MEMCMP,
    RCP_MODEL_MEMCHR,
    RCP_MODEL_STRCHR,
    RCP_MODEL_STRRCHR,
    RCP_MODEL_STRSTR,
    RCP_MODEL_STRSPN,
    RCP_MODEL_STRCSPN,
    RCP_MODEL_STRPBRK,
    RCP_MODEL_STRDUP,
    RCP_MODEL_STRNDUP,
    RCP_MODEL_STRCPY,
    RCP_MODEL_STPCPY,
    RCP_MODEL_STRCAT,
    RCP_MODEL_STRNCAT,
    RCP_MODEL_STRNCPY,
    RCP_MODEL_ABS, /* of an int; LABS: of a long */
    RCP_MODEL_LABS,
    RCP_MODEL_FFS, /* likewise */
    RCP_MODEL_FFSL,
    RCP_MODEL_CLASS, /* is argument 0 a character of a kind? Where the locale is that which programs begin with */
    RCP_MODEL_CASE,  /* its other case, likewise */
    RCP_MODEL_ATOI,  /* the number that argument 0 says, an int, likewise; ATOL: a long */
    RCP_MODEL_ATOL,
    RCP_MODEL_EQUAL, /* are its arguments the same? */
    RCP_MODEL_SAME,  /* what the thread was answered before: nothing but who asks makes a difference */
    RCP_OUTSIDE_MODELS
} rcp_outside_model;

typedef enum rcp_outside_does {
    RCP_DOES_ACQUIRE,
    RCP_DOES_ACQUIRE_SHARED,
    RCP_DOES_RELEASE,
    RCP_DOES_SEM_WAIT,
    RCP_DOES_SEM_POST,
    RCP_DOES_WAIT, /* on the condition, with the mutex that argument 1 is */
    RCP_DOES_SIGNAL,
    RCP_DOES_BROADCAST
} rcp_outside_does;

/* What argument 0 is, where it was never used before. */
typedef enum rcp_outside_object {
    RCP_ON_MUTEX,
    RCP_ON_SPIN,
    RCP_ON_RWLOCK,
    RCP_ON_SEM,
    RCP_ON_COND
} rcp_outside_object;

typedef enum rcp_outside_patience {
    RCP_PATIENCE_WAITS, /* until it can go on */
    RCP_PATIENCE_TRIES, /* fails where it would have to wait */
    RCP_PATIENCE_TIMED  /* fails where it has waited too long */
} rcp_outside_patience;

typedef struct rcp_outside_sync {
    uint8_t does, object, patience;
    uint8_t clock;    /* TIMED: the argument that has the time */
    int32_t busy;     /* what it returns where it fails */
    bool is_in_errno; /* and why is in errno */
} rcp_outside_sync;

typedef enum rcp_outside_handler { RCP_HANDLER_NONE, RCP_HANDLER_GIVEN, RCP_HANDLER_POINTED } rcp_outside_handler;

/* What instrumented code does instead of the call (instrument/memory_calls.h). */
typedef enum rcp_outside_compiled {
    RCP_COMPILED_NOT,
    RCP_COMPILED_COPY,
    RCP_COMPILED_MOVE,
    RCP_COMPILED_FILL,
    RCP_COMPILED_COMPARE
} rcp_outside_compiled;

typedef struct rcp_outside {
    const char *name; /* as the linker has it */
    uint8_t kind;     /* rcp_outside_kind */
    bool calls_back;  /* a callback from it is its own, and no signal's handler */
    /* Words, each of them: how (r, a, l, c, w, x, m, M: rcp_outside_touch in program/reach/outside_call.h), the
     * argument that points there, and how far:
     *   z        up to a NUL, which is included
     *   Zk       the same, at most argument k bytes
     *   #k       argument k bytes
     *   8k       8 times argument k bytes
     *   qk       the first 6 of each 8 bytes, argument k times (poll: what it is asked, not what it answers)
     *   ik       16 times argument k bytes: a list of so many pieces (struct iovec)
     *   Ik       the pieces of such a list, one after the other, as many bytes as its result says (writev)
     *   h        a struct msghdr, and its list of pieces
     *   g        its name, and what it carries beside
     *   H        its pieces, one after the other, as many bytes as its result says (sendmsg)
     *   *jk      argument j times argument k bytes
     *   ekj      from where argument j points up to where argument k does
     *   =n       n bytes
     *   S        one byte more than its result, an int, says
     *   Nk       the same, at most argument k bytes
     *   L        one byte more than its result, a size, says (strlen)
     *   Tk       the same, at most argument k bytes
     *   P        up to where its result points; up to a NUL where that is null (strchr)
     *   pk       the same, argument k bytes where it is null (memchr)
     *   Rk       as many bytes as its result says; none where that is negative (write); k: what it was asked for
     *   Ck       as far as argument k goes up to its NUL (strcpy)
     *   lkj      the same, at most argument j bytes (strlcpy)
     *   Ak       as Ck, from its own NUL on (strcat)
     *   akj      the same, of argument k at most j bytes and a NUL (strncat)
     *   dk       up to where it differs from what argument k points to, or a NUL (strcmp)
     *   Dkj      the same, at most argument j bytes (strncmp)
     *   B        the block of the heap that argument 0 is (realloc)
     * Beside these: fk, argument k is the stream that it prints on; Fk, argument k is a format of printf, whose
     * strings are read; Vk, the same, with a va_list, whose strings the log has; vk, argument k is a va_list. Of pairs:
     * ok, it looks at the object of synchronisation that argument k points to; tk, argument k is a thread's handle, and
     * it sees whether that has ended; nk, the same with the number of a process or a thread, of any unless it is 0.
     * Arguments are single digits. What the log tells as an effect is not said here. */
    const char *touches;
    uint64_t roles, unlike;       /* rcp_outside_role */
    uint8_t starts;               /* 0: it creates no thread that is known of */
    uint8_t calls;                /* 1 + the argument that is a function which it calls; 0: it calls none */
    bool makes_printers;          /* PRINTERS */
    uint8_t handler;              /* rcp_outside_handler */
    uint8_t leaf;                 /* of an OBJECT: how many bytes of it lead on, and no farther; 0: all, and on */
    uint8_t model;                /* rcp_outside_model */
    uint8_t compiled;             /* rcp_outside_compiled */
    bool is_checked, returns_end; /* compiled: argument 3 is the object's size; where it ends is returned */
    rcp_outside_sync sync;        /* RCP_MODEL_SYNC */
    uint32_t with;                /* rcp_outside_with; 0: all of it */
    uint8_t when, when_at;        /* rcp_outside_when, and the argument that it is about */
    bool is_later;                /* LATER */
    bool lasts;                   /* LASTS */
    bool fences;                  /* FENCES */
    uint8_t way;                  /* rcp_outside_way */
    bool changes_stream;          /* CHANGES */
    uint8_t counted;              /* rcp_outside_counted */
} rcp_outside;

/* Does it work on an object that it is given, and on what belongs to that? */
static inline bool rcp_outside_is_object(const rcp_outside *row) {
    return row->kind == RCP_OUTSIDE_OBJECT || row->kind == RCP_OUTSIDE_STREAM || row->kind == RCP_OUTSIDE_SOURCE;
}

/* NULL: there is no row. */
const rcp_outside *rcp_outside_find(const char *name);

/* What a function has to do with a state of the library that nobody protects: states.def, CHANGES. */
typedef enum rcp_outside_state_of {
    RCP_STATE_NONE,
    RCP_STATE_STREAM,  /* argument `argument` is it */
    RCP_STATE_OSTREAM, /* likewise, of C++ (CHANGES) */
    RCP_STATE_ENVIRONMENT,
    RCP_STATE_RANDOM48,
    RCP_STATE_TOKEN,
    RCP_STATE_KEY /* argument `argument` is it */
} rcp_outside_state_of;
typedef struct rcp_outside_state {
    uint8_t what, argument;
    bool is_changed; /* else it is used: that is atomic */
    uint8_t life;    /* OSTREAM: rcp_outside_stream_life */
    uint8_t at;      /* OSTREAM, of a life: how far behind the argument the std::ostream is */
} rcp_outside_state;
/* A constructor begins the life of a stream all of which is the C++ library's; a destructor ends it, and so does the
 * constructor of an std::ostream that is a part of somebody else's class. */
typedef enum rcp_outside_stream_life { RCP_STREAM_GOES_ON, RCP_STREAM_BEGINS, RCP_STREAM_ENDS } rcp_outside_stream_life;

/* What a program tells of its threads by a call: annotations.def. */
typedef enum rcp_annotation_kind {
    RCP_ANNOTATION_NONE,
    RCP_ANNOTATION_SAYS,
    RCP_ANNOTATION_ORDERS,
    RCP_ANNOTATION_BENIGN,
    RCP_ANNOTATION_BYTE,
    RCP_ANNOTATION_READS,
    RCP_ANNOTATION_READS_END,
    RCP_ANNOTATION_WRITES,
    RCP_ANNOTATION_WRITES_END
} rcp_annotation_kind;
typedef struct rcp_outside_annotation {
    uint8_t what;     /* rcp_annotation_kind */
    uint8_t argument; /* that points to the object */
} rcp_outside_annotation;

/* All that a name says: its row, and its roles, which it may have without a row, too. To be looked up once for each
 * function or call, and kept. */
typedef struct rcp_outside_name {
    const rcp_outside *row; /* NULL: none */
    uint64_t roles;
    uint8_t descriptors; /* rcp_outside_descriptors */
    rcp_outside_state state;
    rcp_outside_annotation annotation;
} rcp_outside_name;
rcp_outside_name rcp_outside_resolve(const char *name);

/* The rows by number, in the order of the files; NULL: there are no more. Families are not among them. */
const rcp_outside *rcp_outside_row(size_t i);
/* The first row from number *i on that has the role, *i its number; NULL: there is none. */
const rcp_outside *rcp_outside_having(rcp_outside_role role, size_t *i);

/* The row of a call that annotates: a pair with nothing that the system keeps where it orders, else harmless. */
const rcp_outside *rcp_outside_annotating(rcp_annotation_kind what);
/* The same of a request to valgrind's tools, by its code: what it says of its argument 1, whose size is argument 2. */
rcp_annotation_kind rcp_outside_request(uint64_t code, uint64_t first);

/* A call of the system by its number that is a futex goes by a name of its own: who waits looks at the word, some
 * change one, or hand on a lock; no other does. `command` is the kernel's, without flags. */
const rcp_outside *rcp_outside_futex(uint64_t command);

/* The same of a membarrier, whose result nobody looks at: memory is as everybody sees it anyway (docs/semantics.md),
 * and it waits for no one. NULL: the command is another one, which others can notice (those that register). */
const rcp_outside *rcp_outside_membarrier(uint64_t command);

/* Functions of the C library that a call of the system by its number may stand for. */
typedef enum rcp_outside_numbered {
    RCP_NUMBERED_READ,
    RCP_NUMBERED_WRITE,
    RCP_NUMBERED_READV,
    RCP_NUMBERED_WRITEV,
    RCP_NUMBERED_PREAD,
    RCP_NUMBERED_CLOSE
} rcp_outside_numbered;
const rcp_outside *rcp_outside_numbered_row(rcp_outside_numbered function);

/* Is the name one that only the compiler and its libraries may define, which may be part of a program's file:
 * __divtc3, std::? */
bool rcp_outside_is_reserved(const char *name);

/* Does it load libraries into the program as it runs? */
bool rcp_outside_loads(const char *name);
/* May it set the locale, or lead to a function that does? */
bool rcp_outside_sets_locale(const char *name);
/* Does it find a function by its name, whichever? (The runtime's file, which is the program's, wants it, too.) */
bool rcp_outside_looks_up(const char *name);
/* Is the name one of C++'s own classes'? */
bool rcp_outside_is_of_cxx(const char *name);
/* A facet may be used by several threads at once, by the language. Is it one of those functions of libstdc++'s headers
 * that keep in it what they have found, as if by one: whoever finds it again writes the same? */
bool rcp_outside_keeps_in_facet(const char *name);
/* Does it throw an exception of C++'s own library, and nothing else? */
bool rcp_outside_throws_own(const char *name);

/* A variable of the libraries by its name. */
typedef enum rcp_outside_variable {
    RCP_VARIABLE_OTHER,
    RCP_VARIABLE_OBJECT,  /* is a standard stream */
    RCP_VARIABLE_POINTER, /* points to a standard stream that is printed on */
    RCP_VARIABLE_TOLD,    /* the log has each change of it */
    RCP_VARIABLE_INPUT,   /* is the standard stream that is read */
    RCP_VARIABLE_SHARED   /* is a standard stream whose headers work on it themselves, for whatever thread */
} rcp_outside_variable;
rcp_outside_variable rcp_outside_variable_of(const char *name);

/* With what of the system a call has to do, as its row says: rcp_outside_with. `words`: its arguments. */
uint32_t rcp_outside_shares(const rcp_outside *outside, const uint64_t *words, size_t n, bool is_result_used);

/* The argument that is the stream to print on, the one that is a format; -1: there is none. `is_list`: its values are
 * in a va_list. */
int rcp_outside_stream(const rcp_outside *outside);
int rcp_outside_format(const rcp_outside *outside, bool *is_list);
/* Is one of its arguments a va_list? */
bool rcp_outside_takes_list(const rcp_outside *outside);
/* The argument that is an object, a thread's handle, a thread's number ('o', 't', 'n'); -1: there is none. */
int rcp_outside_beside(const rcp_outside *outside, char what);

#endif
