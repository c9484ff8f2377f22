/* SPDX-License-Identifier: Apache-2.0 */
/* What a call outside is: its name, its row of the table, and what this call of it amounts to in this run. */
#include "program/telling/annotations.h"
#include "program/telling/assembly.h"

#include <elf.h>
#include <string.h>

static const rcp_activation *top_of(const rcp_strand *strand) { return &strand->frames.at[strand->frames.len - 1]; }

static const rcp_call *call_of(const rcp_strand *strand) { return &top_of(strand)->routine->calls.at[strand->pc->b]; }

static bool is_answer_used(const rcp_strand *strand);

/* Calls of the system by their numbers that are known: a futex orders nothing, the atomics around it do (unless
 * somebody looks at how many it has woken); a membarrier orders what is in order here anyway. NULL: it is another call.
 */
static const rcp_outside *numbered(const rcp_telling *telling, const rcp_strand *strand) {
    enum { FUTEX_AARCH64 = 98, FUTEX_X86_64 = 202, BARRIER_AARCH64 = 283, BARRIER_X86_64 = 324, COMMAND = 127 };
    const rcp_call *call = call_of(strand);
    bool is_aarch64 = rcp_log_borrow_header(telling->machine->log)->machine == EM_AARCH64;
    if (!call->callee || call->arguments.len < 3 || !(call->called.roles & RCP_ROLE_BY_NUMBER))
        return NULL;
    const uint64_t *registers = top_of(strand)->registers;
    uint64_t number = registers[call->arguments.at[0]];
    if (number == (is_aarch64 ? FUTEX_AARCH64 : FUTEX_X86_64))
        return rcp_outside_futex(registers[call->arguments.at[2]] & COMMAND);
    if (number == (is_aarch64 ? BARRIER_AARCH64 : BARRIER_X86_64) && !is_answer_used(strand))
        return rcp_outside_membarrier((uint32_t)registers[call->arguments.at[1]]);
    return NULL;
}

/* The function of the C library that does what a call by its number does, where the runtime treats the two alike. */
static const rcp_outside *function_of(const rcp_telling *telling, const rcp_strand *strand) {
    static const struct {
        uint16_t aarch64, x86_64, arguments;
        rcp_outside_numbered function;
    } known[] = {{63, 0, 3, RCP_NUMBERED_READ},    {64, 1, 3, RCP_NUMBERED_WRITE},  {65, 19, 3, RCP_NUMBERED_READV},
                 {66, 20, 3, RCP_NUMBERED_WRITEV}, {67, 17, 4, RCP_NUMBERED_PREAD}, {57, 3, 1, RCP_NUMBERED_CLOSE}};
    const rcp_call *call = call_of(strand);
    bool is_aarch64 = rcp_log_borrow_header(telling->machine->log)->machine == EM_AARCH64;
    if (!call->callee || !call->arguments.len || !(call->called.roles & RCP_ROLE_BY_NUMBER))
        return NULL;
    uint64_t number = top_of(strand)->registers[call->arguments.at[0]];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (number == (is_aarch64 ? known[i].aarch64 : known[i].x86_64) && call->arguments.len > known[i].arguments)
            return rcp_outside_numbered_row(known[i].function);
    return NULL;
}

/* A pointer to a function outside may be one that is left out, whose address the program has taken by name, or that the
 * C++ library has. */
static void name_callee(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    const rcp_program *program = telling->machine->program;
    const rcp_call *call = call_of(strand);
    const rcp_outside *known = strand->pc->k ? NULL : numbered(telling, strand);
    const rcp_outside *as_function = strand->pc->k || known ? NULL : function_of(telling, strand);
    visit->shift = as_function != NULL;
    known = known ? known : as_function;
    visit->name = known ? known->name : call->name; /* "a pointer", where it is one */
    visit->called = known ? rcp_outside_resolve(known->name) : call->called;
    if (!strand->pc->k)
        return;
    uint64_t pointer = top_of(strand)->registers[strand->pc->a];
    const char *left_out = rcp_bodies_name_at(&telling->reachable.bodies, pointer);
    const rcp_outside_name *called;
    if (left_out) {
        visit->name = left_out;
        visit->called = rcp_outside_resolve(left_out);
    } else if (rcp_program_outside_at(program, pointer, &visit->name, &called))
        visit->called = *called;
}

static const rcp_outside request = {"a request to valgrind", RCP_OUTSIDE_HARMLESS, false, ""};
static const rcp_outside said = {"said to be harmless", RCP_OUTSIDE_HARMLESS, true, NULL};

/* What else is known to be harmless holds none that another thread could rely on. */
rcp_telling_fence rcp_telling_fence_of(const rcp_visit *visit) {
    if (!visit->outside) /* it has a pair, which counts as one of its thread */
        return visit->called.roles & RCP_ROLE_BY_NUMBER ? RCP_FENCE_ALL : RCP_FENCE_NONE;
    if (rcp_assembly_orders(visit->outside) || visit->outside == &said)
        return RCP_FENCE_OWN;
    return visit->outside->fences ? RCP_FENCE_ALL : RCP_FENCE_NONE;
}

static const rcp_outside *assembly_of(const rcp_telling *telling, const rcp_strand *strand) {
    const bool is_aarch64 = rcp_log_borrow_header(telling->machine->log)->machine == EM_AARCH64;
    const rcp_routine *routine = top_of(strand)->routine;
    LLVMValueRef called = LLVMGetCalledValue(routine->origin.at[strand->pc - routine->code.at]);
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(called, &len);
    return rcp_annotations_is_request(text, len, is_aarch64) ? &request : rcp_assembly_row(called, is_aarch64);
}

static const rcp_outside *outside_of(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    static const rcp_outside harmless = {"harmless", RCP_OUTSIDE_HARMLESS, true, NULL};
    const rcp_opaque_rule *rule = rcp_opaque_file_find(telling->reachable.file, visit->name);
    if (rule)
        return rule->is_harmless ? &said : NULL;
    if (!strcmp(visit->name, RCP_GLOBAL_CALL))
        return &harmless;
    if (visit->called.annotation.what)
        return rcp_outside_annotating((rcp_annotation_kind)visit->called.annotation.what);
    const rcp_program *program = telling->machine->program;
    if (strand->pc->k || call_of(strand)->called.roles & RCP_ROLE_BY_NUMBER)
        return rcp_outside_of(program, visit->name, visit->called.row);
    uint32_t *index = rcp_map_at(&telling->known, (uint64_t)(uintptr_t)call_of(strand));
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)telling->outsides.len;
        const rcp_call *call = call_of(strand);
        const rcp_outside *found =
            call->is_assembly ? assembly_of(telling, strand) : rcp_outside_of(program, visit->name, visit->called.row);
        rcp_vec_push(&telling->outsides, found);
    }
    return telling->outsides.at[*index];
}

bool rcp_telling_is_result_used(const rcp_strand *strand) {
    const rcp_routine *routine = top_of(strand)->routine;
    LLVMValueRef origin = routine->origin.at[strand->pc - routine->code.at];
    return !origin || LLVMGetFirstUse(origin);
}

/* Is the value looked at, but to be returned? `is_returned`: that, too. */
static bool is_looked_at(LLVMValueRef value, bool *is_returned) {
    for (LLVMUseRef use = value ? LLVMGetFirstUse(value) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_cast = LLVMIsATruncInst(user) || LLVMIsASExtInst(user) || LLVMIsAZExtInst(user);
        *is_returned |= LLVMIsAReturnInst(user) != NULL;
        if (is_cast ? is_looked_at(user, is_returned) : !LLVMIsAReturnInst(user))
            return true;
    }
    return !value;
}

/* Does the program look at the result? It may be returned by a function that only wraps the call. */
static bool is_answer_used(const rcp_strand *strand) {
    const rcp_ins *call = strand->pc;
    for (size_t i = strand->frames.len; i-- > 0; call = strand->frames.at[i].back) {
        const rcp_routine *routine = strand->frames.at[i].routine;
        bool is_returned = false;
        if (is_looked_at(routine->origin.at[call - routine->code.at], &is_returned))
            return true;
        if (!is_returned)
            return false;
        if (strand->frames.at[i].is_callback)
            return true;
    }
    return true;
}

/* stdout or stderr? What is printed there leaves the program. */
static bool is_standard(const rcp_telling *telling, uint64_t stream) {
    for (size_t i = 0; i < telling->standard.len; i++) {
        uint64_t word = 0;
        rcp_space_read(telling->machine->space, telling->standard.at[i], &word, sizeof word);
        if (word && word == stream)
            return true;
    }
    return false;
}

/* Cancellation points that are no pairs by themselves. */
static bool may_be_cancelled(uint64_t roles, rcp_outside_kind kind) {
    return kind == RCP_OUTSIDE_PRINTS || kind == RCP_OUTSIDE_STREAM ||
           ((kind == RCP_OUTSIDE_HARMLESS || kind == RCP_OUTSIDE_SYNC) && roles & RCP_ROLE_CANCELLATION);
}

/* Was it ended by a signal: after whoever sent that? Is its thread one that was asked to end: it comes back before
 * that, or not at all? */
static bool comes_after_another(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    return rcp_sharing_has_noted(telling->sharing, visit->number, RCP_ODD_SIGNALLED) ||
           (may_be_cancelled(visit->called.roles, (rcp_outside_kind)visit->outside->kind) &&
            rcp_sharing_has_noted(telling->sharing, strand->number, RCP_ODD_CANCELLED));
}

/* Is it given an exception, where these may go from one thread to another? Who has one last runs its destructor. */
static bool passes(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16], held = 0;
    if (!rcp_telling_tells(telling) || !(visit->called.roles & RCP_ROLE_PASSES) ||
        !rcp_sharing_has_learnt(telling->sharing, RCP_RUN_THROWN))
        return false;
    for (size_t i = 0, n = rcp_telling_call(telling, strand, visit, words).n; i < n && !held; i++)
        if (rcp_space_holds(words[i], sizeof held))
            rcp_space_read(telling->machine->space, words[i], &held, sizeof held);
    return held;
}

/* Has it to do with what the C++ library counts who has it, where threads may have one in common? */
static bool counts(const rcp_telling *telling, const rcp_visit *visit) {
    const bool is_one = rcp_sharing_has_learnt(telling->sharing, RCP_RUN_COUNTED);
    return rcp_telling_tells(telling) && is_one &&
           (visit->outside->counted || visit->outside->kind == RCP_OUTSIDE_THROWN);
}

/* What a stream of C++ takes in leaves the program, where it is a standard one; of another it may be read again. */
static rcp_outside_kind stream_kind(const rcp_telling *telling, bool is_standard) {
    if (is_standard && !rcp_sharing_has_learnt(telling->sharing, RCP_RUN_SOURCES))
        return RCP_OUTSIDE_STREAM;
    return rcp_sharing_has_learnt(telling->sharing, RCP_RUN_FILES) && !is_standard ? RCP_OUTSIDE_PAIR
                                                                                  : RCP_OUTSIDE_OBJECT;
}

/* What this call amounts to, whose row may leave that open. */
static rcp_outside_kind kind_of(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    if (!visit->outside)
        return RCP_OUTSIDE_UNKNOWN;
    uint64_t words[16];
    rcp_outside_kind kind = (rcp_outside_kind)visit->outside->kind;
    if (rcp_telling_tells(telling) && comes_after_another(telling, strand, visit))
        return RCP_OUTSIDE_PAIR;
    if (rcp_sharing_has_learnt(telling->sharing, RCP_RUN_WAKES) && visit->called.roles & RCP_ROLE_FUTEX)
        return RCP_OUTSIDE_PAIR;
    if (rcp_sharing_has_learnt(telling->sharing, RCP_RUN_TRACED) && kind != RCP_OUTSIDE_SYNC)
        return RCP_OUTSIDE_PAIR;
    if (counts(telling, visit))
        return RCP_OUTSIDE_PAIR;
    bool has_settings = rcp_sharing_has_learnt(telling->sharing, RCP_RUN_SETTINGS);
    if (kind == RCP_OUTSIDE_SETTING)
        return has_settings || rcp_sharing_has_learnt(telling->sharing, RCP_RUN_ZONE) ? RCP_OUTSIDE_PAIR
                                                                                      : RCP_OUTSIDE_HARMLESS;
    if (kind == RCP_OUTSIDE_THROWN)
        return rcp_sharing_has_learnt(telling->sharing, RCP_RUN_THROWN) ? RCP_OUTSIDE_PAIR : RCP_OUTSIDE_HARMLESS;
    if (kind == RCP_OUTSIDE_SOURCE) /* of a string, else it would not be known (is_open) */
        return RCP_OUTSIDE_OBJECT;
    if (kind == RCP_OUTSIDE_OBJECT && passes(telling, strand, visit))
        return RCP_OUTSIDE_PAIR;
    if (kind != RCP_OUTSIDE_PRINTS && kind != RCP_OUTSIDE_STREAM)
        return kind;
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    if (kind == RCP_OUTSIDE_STREAM)
        return stream_kind(telling, n && rcp_telling_is_stream(telling, words[0]));
    int stream = rcp_outside_stream(visit->outside);
    bool leaves = stream < 0 || ((size_t)stream < n && is_standard(telling, words[stream]));
    return leaves && !has_settings && !rcp_sharing_has_learnt(telling->sharing, RCP_RUN_STREAMS) ? kind
                                                                                                 : RCP_OUTSIDE_PAIR;
}

bool rcp_telling_has_unseen_signals(const rcp_telling *telling) {
    return rcp_sharing_has_learnt(telling->sharing, RCP_RUN_SIGNALS) ||
           rcp_sharing_has_learnt(telling->sharing, RCP_RUN_HANDLERS) ||
           rcp_sharing_has_learnt(telling->sharing, RCP_RUN_TRACED);
}

uint32_t rcp_telling_shares(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                            bool *is_whole) {
    const rcp_sharing *sharing = telling->sharing;
    /* In a file of the process's own whoever reads it may find what others asked for; who answers calls knows them all.
     * A signal ends what it ends after all that can have sent it. */
    *is_whole = rcp_sharing_has_learnt(sharing, RCP_RUN_TASKS) || rcp_sharing_has_learnt(sharing, RCP_RUN_TRACED) ||
                rcp_sharing_has_noted(sharing, visit->number, RCP_ODD_SIGNALLED) ||
                rcp_sharing_has_noted(sharing, strand->number, RCP_ODD_CANCELLED);
    if (*is_whole)
        return RCP_WITH_ALL;
    uint64_t words[16];
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    uint32_t with = RCP_WITH_ALL;
    switch ((rcp_outside_kind)visit->outside->kind) {
    case RCP_OUTSIDE_PAIR:
        with = rcp_outside_shares(visit->outside, words, n, rcp_telling_is_result_used(strand));
        break;
    case RCP_OUTSIDE_SETTING:
        with = rcp_sharing_has_learnt(sharing, RCP_RUN_ZONE) ? RCP_WITH_ALL : RCP_WITH_SETTINGS;
        break;
    case RCP_OUTSIDE_THROWN:
    case RCP_OUTSIDE_OBJECT:
        with = RCP_WITH_COUNTS;
        break; /* such an object is one that passes an exception, or counts */
    case RCP_OUTSIDE_PRINTS:
    case RCP_OUTSIDE_STREAM: with = RCP_WITH_WORLD | RCP_WITH_CLOCK | RCP_WITH_SETTINGS; break;
    default: break;
    }
    with |= counts(telling, visit) ? RCP_WITH_COUNTS : 0;
    bool is_signals = with & (RCP_WITH_HANDLERS | RCP_WITH_TIMERS);
    return is_signals && rcp_telling_has_unseen_signals(telling) ? RCP_WITH_ALL : with;
}

/* One of the C++ library's own streams, or the part of one that has its buffer? */
static bool is_in_stream(const rcp_telling *telling, uint64_t address) {
    enum { STREAM = 272 };
    for (size_t i = 0; i < telling->streams.len; i++)
        if (address - telling->streams.at[i] < STREAM)
            return true;
    return false;
}

/* From here on others may answer what the thread asks of the system: filters of its calls, tracers. */
static bool is_supervised(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                          const uint64_t *words, size_t n) {
    enum { TRACE_ME = 0, PR_SECCOMP = 22, SECCOMP_AARCH64 = 277, SECCOMP_X86_64 = 317 };
    bool is_aarch64 = rcp_log_borrow_header(telling->machine->log)->machine == EM_AARCH64;
    if (call_of(strand)->called.roles & RCP_ROLE_BY_NUMBER)
        return n && words[0] == (is_aarch64 ? SECCOMP_AARCH64 : SECCOMP_X86_64);
    return visit->called.roles & RCP_ROLE_SUPERVISES && n && (words[0] == PR_SECCOMP || words[0] == TRACE_ME);
}

/* Does it set TZ, or may it? Which zone that is says a file, which is read when somebody asks for local time. */
static bool sets_zone(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    char name[3] = "";
    if (!(visit->called.roles & RCP_ROLE_SETTINGS) || !rcp_telling_call(telling, strand, visit, words).n)
        return false;
    if (!rcp_space_holds(words[0], sizeof name))
        return false;
    rcp_space_read(telling->machine->space, words[0], name, sizeof name);
    return name[0] == 'T' && name[1] == 'Z' && (!name[2] || name[2] == '=');
}

/* Calls of the system by their numbers that have to do with no signal, whatever else they ask for: who it is, where it
 * runs, that others may go on. */
static bool spares_signals(const rcp_telling *telling, const rcp_strand *strand) {
    static const uint64_t numbers[2][4] = {{172, 178, 168, 124},
                                           {39, 186, 309, 24}}; /* getpid, gettid, getcpu, yield */
    const rcp_call *call = call_of(strand);
    bool is_aarch64 = rcp_log_borrow_header(telling->machine->log)->machine == EM_AARCH64;
    if (call->is_assembly || !call->arguments.len)
        return false;
    for (size_t i = 0; i < sizeof *numbers / sizeof **numbers; i++)
        if (top_of(strand)->registers[call->arguments.at[0]] == numbers[is_aarch64 ? 0 : 1][i])
            return true;
    return false;
}

/* The first re-execution: calls that make others than they are. */
static void learn(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    const uint64_t roles = visit->called.roles;
    if (telling->machine->strands.len > 1 && roles & RCP_ROLE_SETTINGS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_SETTINGS);
    if (sets_zone(telling, strand, visit))
        rcp_sharing_learn(telling->sharing, RCP_RUN_ZONE);
    rcp_bodies *bodies = &telling->reachable.bodies;
    const rcp_body *body = visit->outside ? NULL : rcp_bodies_find(bodies, top_of(strand)->routine->unit, visit->name);
    if (telling->machine->strands.len > 1 && !visit->outside &&
        ((body && body->changes_settings) || rcp_bodies_change_settings(bodies)))
        rcp_sharing_learn(telling->sharing, RCP_RUN_SETTINGS);
    bool is_bare = roles & RCP_ROLE_BY_NUMBER || call_of(strand)->is_assembly;
    if (!visit->outside && is_bare && !spares_signals(telling, strand)) /* perhaps signalfd() */
        rcp_sharing_learn(telling->sharing, RCP_RUN_SIGNALS);
    if (roles & RCP_ROLE_WAKES && is_answer_used(strand))
        rcp_sharing_learn(telling->sharing, RCP_RUN_WAKES);
    if (roles & RCP_ROLE_ASKS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_STREAMS);
    if (roles & RCP_ROLE_FILES)
        rcp_sharing_learn(telling->sharing, RCP_RUN_FILES);
    if (roles & RCP_ROLE_REBUFFERS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_SOURCES);
    if (roles & RCP_ROLE_PASSES)
        rcp_sharing_learn(telling->sharing, RCP_RUN_THROWN);
    if (visit->called.row && visit->called.row->counted == RCP_COUNTED_COPIES)
        rcp_sharing_learn(telling->sharing, RCP_RUN_COUNTED);
    uint64_t words[16];
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    if (roles & RCP_ROLE_PROTECTS && n > 1)
        rcp_sharing_guard(telling->sharing, words[0], words[1]);
    if (roles & RCP_ROLE_RESIZES)
        rcp_sharing_guard_seen(telling->sharing);
    if (rcp_outside_names_threads(visit->outside, telling->machine->space, words, n))
        rcp_sharing_learn(telling->sharing, RCP_RUN_TASKS);
    if (is_supervised(telling, strand, visit, words, n))
        rcp_sharing_learn(telling->sharing, RCP_RUN_TRACED);
    uint64_t fd = n && roles & RCP_ROLE_DESCRIPTOR ? words[0] : 0;
    bool leads_back = (uint32_t)fd == 1 || (uint32_t)fd == 2;
    leads_back |= roles & RCP_ROLE_REBUFFERS && n && is_in_stream(telling, words[0]);
    if (roles & RCP_ROLE_POSITION) {
        bool is_reset = roles & RCP_ROLE_BUFFER && n > 1 && !words[1]; /* no buffer of the program's */
        for (size_t i = 0; i < n && !is_reset; i++)
            leads_back |= is_standard(telling, words[i]);
    }
    if (leads_back)
        rcp_sharing_learn(telling->sharing, RCP_RUN_STREAMS);
}

/* The log has the strings of a list where the call begins: its next record, if nothing else came between. They are in
 * the log for as long as that is open. */
static void note_strings(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    const rcp_log_record *record = &telling->machine->record;
    bool is_list;
    if (record->tag != RCP_LOG_STRINGS || record->thread != strand->number ||
        rcp_outside_format(visit->outside, &is_list) < 0 || !is_list)
        return;
    visit->strings = record->bytes;
    visit->strings_end = record->end;
}

static size_t listed(const rcp_visit *visit) {
    size_t n = 0;
    struct rcp_log_string string;
    for (const uint8_t *at = visit->strings; at && at < visit->strings_end; n++)
        at = rcp_log_string_next(at, visit->strings_end, &string);
    return n;
}

/* Does its format, with the list that the log has, say all that it reads? */
static bool is_format_known(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    bool is_list;
    int at = rcp_outside_format(visit->outside, &is_list);
    if (at < 0)
        return true;
    uint64_t words[16];
    char format[4096];
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    const bool is_constant = (size_t)at < call.n && rcp_reachable_is_constant(&telling->reachable, words[at]);
    /* Text that leaves the program acts on nothing else, and neither does which text that is. */
    const bool leaves = visit->outside->kind == RCP_OUTSIDE_PRINTS && !rcp_telling_is_result_used(strand);
    if (leaves && !is_constant)
        return true;
    if (!is_constant || (!leaves && call.n != call_of(strand)->arguments.len))
        return false;
    uint64_t end = rcp_reachable_end(&telling->reachable, words[at]), n = end - words[at];
    n = n < sizeof format ? n : sizeof format;
    rcp_space_read(telling->machine->space, words[at], format, n);
    size_t strings;
    return memchr(format, 0, n) && rcp_outside_is_plain_format(format, n, &strings) &&
           (leaves || !is_list || strings == listed(visit));
}

/* Does it make code that is left out a signal's handler; or may it run one that is? */
static bool is_handler_left_out(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16], handler = 0;
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    if (visit->outside->calls_back)
        return true;
    if (call.n < 2)
        return false;
    handler = words[1];
    bool is_pointed = visit->called.row && visit->called.row->handler == RCP_HANDLER_POINTED;
    if (is_pointed && handler && rcp_space_holds(handler, sizeof handler))
        rcp_space_read(telling->machine->space, words[1], &handler, sizeof handler);
    return rcp_reachable_is_left_out(&telling->reachable, handler);
}

/* Is it handed code that is not recorded, to call back? */
static bool is_handed_left_out(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    enum { OBJECT = 376, STEPS = 3 }; /* a stream, its buffer, the buffer's virtual functions */
    if (!visit->outside->calls && !telling->reachable.bodies.functions.len)
        return false;
    uint64_t words[16], stranger;
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    if (rcp_outside_calls_stranger(telling->machine->program, visit->outside, words, call.n, &stranger)) {
        visit->has_stranger = !rcp_reachable_is_left_out(&telling->reachable, stranger);
        return true;
    }
    if ((visit->called.row && visit->called.row->handler) ||
        (visit->outside->kind == RCP_OUTSIDE_PAIR && visit->outside->calls_back &&
         rcp_sharing_has_learnt(telling->sharing, RCP_RUN_HANDLERS)))
        return is_handler_left_out(telling, strand, visit);
    bool has_virtuals = rcp_outside_is_object(visit->outside);
    for (size_t i = 0; i < call.n; i++)
        if (rcp_reachable_is_left_out(&telling->reachable, words[i]) ||
            (has_virtuals && words[i] >= RCP_SPACE_PAGE && rcp_space_holds(words[i], OBJECT) &&
             rcp_reachable_leads_out(&telling->reachable, words[i], words[i] + OBJECT, STEPS)))
            return true;
    return false;
}

bool rcp_telling_is_stream(const rcp_telling *telling, uint64_t address) {
    for (size_t i = 0; i < telling->streams.len; i++)
        if (telling->streams.at[i] == address)
            return true;
    return false;
}

/* What is known of the call does not hold of the run: a stream's buffer may be anybody's, a stream that is read may
 * lead out of the program, or what is thrown may be of a class that nobody knows. */
static bool is_open(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    const rcp_sharing *sharing = telling->sharing;
    uint64_t words[16];
    const bool may_print = rcp_sharing_has_learnt(sharing, RCP_RUN_STREAMS);
    switch ((rcp_outside_kind)visit->outside->kind) {
    case RCP_OUTSIDE_STREAM: return may_print;
    case RCP_OUTSIDE_SOURCE:
        return may_print || rcp_sharing_has_learnt(sharing, RCP_RUN_FILES) ||
               rcp_sharing_has_learnt(sharing, RCP_RUN_SOURCES) || !rcp_telling_call(telling, strand, visit, words).n ||
               words[0] == telling->input;
    default:
        return (visit->outside->kind == RCP_OUTSIDE_THROWN || visit->called.roles & RCP_ROLE_PASSES) &&
               rcp_sharing_has_learnt(sharing, RCP_RUN_RAISED);
    }
}

void rcp_telling_classify(rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    name_callee(telling, strand, visit);
    visit->outside = outside_of(telling, strand, visit);
    rcp_annotations_classify(telling, strand, visit, visit->outside == &request);
    if (!rcp_telling_tells(telling))
        learn(telling, strand, visit);
    bool is_handed = visit->outside && is_handed_left_out(telling, strand, visit);
    if (is_handed && visit->called.roles & RCP_ROLE_AT_THREAD_END)
        rcp_sharing_learn(telling->sharing, RCP_RUN_ENDS);
    bool is_list; /* a format may have the program's own functions called */
    if (!visit->outside && visit->called.row && telling->machine->program->linked.has_printers)
        visit->has_stranger |= rcp_outside_format(visit->called.row, &is_list) >= 0;
    if (visit->outside)
        note_strings(telling, strand, visit);
    if (is_handed || (visit->outside && (is_open(telling, strand, visit) || !is_format_known(telling, strand, visit))))
        visit->outside = NULL;
    visit->kind = (uint8_t)kind_of(telling, strand, visit);
}
