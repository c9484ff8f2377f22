/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/log_text.h"

#include "base/varint.h"
#include "program/ir/program.h"
#include "program/recording/log_reader.h"
#include "program/recording/plain_name.h"
#include "program/recording/thread_names.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const sync_names[RCP_SYNC_OPS] = {
    [RCP_SYNC_CREATE] = "create",
    [RCP_SYNC_JOIN] = "join",
    [RCP_SYNC_DETACH] = "detach",
    [RCP_SYNC_ACQUIRE] = "acquire",
    [RCP_SYNC_ACQUIRE_SHARED] = "acquire-shared",
    [RCP_SYNC_RELEASE] = "release",
    [RCP_SYNC_RELEASE_SHARED] = "release-shared",
    [RCP_SYNC_WAIT] = "wait",
    [RCP_SYNC_WAKE] = "wake",
    [RCP_SYNC_SIGNAL] = "signal",
    [RCP_SYNC_BROADCAST] = "broadcast",
    [RCP_SYNC_SEM_POST] = "sem-post",
    [RCP_SYNC_SEM_WAIT] = "sem-wait",
    [RCP_SYNC_SEM_GET] = "sem-get",
    [RCP_SYNC_BARRIER_ENTER] = "barrier-enter",
    [RCP_SYNC_BARRIER_LEAVE] = "barrier-leave",
    [RCP_SYNC_ONCE_BEGIN] = "once-begin",
    [RCP_SYNC_ONCE_END] = "once-end",
    [RCP_SYNC_ONCE_SKIP] = "once-skip",
    [RCP_SYNC_ONCE_ABORT] = "once-abort",
    [RCP_SYNC_INIT] = "init",
    [RCP_SYNC_DESTROY] = "destroy",
    [RCP_SYNC_DIVIDE] = "divide",
    [RCP_SYNC_SPARED] = "spared",
};
static const char *const object_names[] = {"mutex",     "recursive mutex", "spin lock", "rwlock", "condition",
                                           "semaphore", "barrier",         "once",      "thread"};
static const char *const sign_names[RCP_SIGNS] = {
    [RCP_SIGN_CANCELS] = "is asked to end",
    [RCP_SIGN_CANCELLED] = "acts on a cancellation",
    [RCP_SIGN_SIGNALLED] = "a signal ends what it waits in",
    [RCP_SIGN_SIGNALS] = "has to do with handlers or timers",
    [RCP_SIGN_TAKES] = "takes something in, unnoticed",
    [RCP_SIGN_DESCRIPTORS] = "is closed, gets another number or is handed on",
};
static const char *const outcome_names[] = {"done", "failed", "timeout", "spurious", "serial"};

typedef struct printing {
    rcp_program program;
    rcp_image_file *image;
    bool has_program;
    rcp_thread_names *names;
    rcp_text text;
} printing;

static void print_function(printing *p, uint64_t address) {
    rcp_routine *routine = p->has_program ? rcp_program_at(&p->program, address) : NULL;
    if (!routine) {
        rcp_text_printf(&p->text, "0x%" PRIx64, address);
        return;
    }
    char *name = rcp_take_plain_name(routine->name);
    rcp_text_puts(&p->text, name);
    free(name);
}

static void print_bytes(rcp_text *to, const uint8_t *bytes, uint64_t n) {
    for (uint64_t i = 0; i < n && i < 64; i++)
        rcp_text_printf(to, "%s%02x", i && i % 8 == 0 ? " " : "", bytes[i]);
    if (n > 64)
        rcp_text_puts(to, " …");
}

static void print_object(printing *p, uint64_t address, uint8_t object) {
    if (object == RCP_SYNC_THREAD)
        rcp_text_printf(&p->text, " thread %" PRIu64, address);
    else
        rcp_text_printf(&p->text, " %s 0x%" PRIx64, object <= RCP_SYNC_THREAD ? object_names[object] : "?", address);
}

static void print_sync(printing *p, const rcp_log_record *r) {
    unsigned shape = rcp_sync_shape(r->op);
    rcp_text_puts(&p->text, sync_names[r->op]);
    print_object(p, r->address, r->object);
    if (shape & RCP_SYNC_HAS_SECOND)
        print_object(p, r->second, r->second_object);
    if (shape & RCP_SYNC_HAS_NUMBER)
        rcp_text_printf(&p->text, " %" PRIu64, r->value);
    if (shape & RCP_SYNC_HAS_OUTCOME)
        rcp_text_printf(&p->text, " %s", r->outcome <= RCP_SYNC_SERIAL ? outcome_names[r->outcome] : "?");
}

static void print_callback(printing *p, const rcp_log_record *r) {
    if (r->value == RCP_LOG_SAME_SIGNAL)
        rcp_text_puts(&p->text, "the handler's next ");
    else if (r->value)
        rcp_text_printf(&p->text, "handler of signal %" PRIu64 ": ", r->value);
    rcp_text_puts(&p->text, "callback ");
    print_function(p, r->address);
    rcp_text_puts(&p->text, "(");
    const uint8_t *at = r->bytes;
    for (uint64_t i = 0; i < r->size; i++) {
        rcp_log_argument argument;
        at = rcp_log_argument_next(at, r->end, &argument);
        rcp_text_puts(&p->text, i ? ", " : "");
        if (argument.bytes)
            print_bytes(&p->text, argument.bytes, argument.n);
        else
            rcp_text_printf(&p->text, "0x%" PRIx64, argument.value);
    }
    rcp_text_puts(&p->text, ")");
}

static void print_strings(rcp_text *t, const rcp_log_record *r) {
    const uint8_t *at = r->bytes;
    rcp_text_puts(t, "reads by a list:");
    for (uint64_t i = 0; i < r->size; i++) {
        struct rcp_log_string string;
        at = rcp_log_string_next(at, r->end, &string);
        rcp_text_printf(t, " 0x%" PRIx64, string.address);
        if (string.most)
            rcp_text_printf(t, " (at most %" PRIu64 " bytes)", string.most - 1);
    }
}

static void print_thread(printing *p, const rcp_log_record *r) {
    rcp_thread_names_add(p->names, r->thread, r->value, r->second);
    rcp_text_printf(&p->text,
                    "thread %s begins, its stack objects below 0x%" PRIx64 ", %" PRIu64 " thread-local variables",
                    rcp_thread_names_borrow(p->names, r->thread), r->address, r->size);
    const uint8_t *at = r->bytes;
    for (uint64_t i = 0, address = 0; i < r->size && i < 16; i++) {
        at = rcp_varint_get(at, r->end, &address);
        rcp_text_printf(&p->text, "%s0x%" PRIx64, i ? " " : ": ", address);
    }
}

static void print_record(printing *p, const rcp_log_record *r) {
    rcp_text *t = &p->text;
    rcp_text_printf(t, "%8" PRIu64 " %-6s ", r->at, rcp_thread_names_borrow(p->names, r->thread));
    switch (r->tag) {
    case RCP_LOG_SLICE:
        rcp_text_printf(t, "slice thread %u, the one before at %" PRIu64, r->thread, r->position);
        break;
    case RCP_LOG_STOP: rcp_text_printf(t, "stop at %" PRIu64, r->position); break;
    case RCP_LOG_RETURN: rcp_text_printf(t, "return 0x%" PRIx64 " check %02x", r->value, r->check); break;
    case RCP_LOG_RETURN_0: rcp_text_printf(t, "return 0 check %02x", r->check); break;
    case RCP_LOG_RETURN_BYTES:
        rcp_text_printf(t, "return %" PRIu64 " bytes ", r->size);
        print_bytes(t, r->bytes, r->size);
        rcp_text_printf(t, " check %02x", r->check);
        break;
    case RCP_LOG_MISS:
        rcp_text_printf(t, "miss at %" PRIu64 " line 0x%" PRIx64 ": ", r->position, r->address);
        print_bytes(t, r->bytes, 64);
        break;
    case RCP_LOG_MISS_ZERO:
        rcp_text_printf(t, "miss at %" PRIu64 " line 0x%" PRIx64 ": zero", r->position, r->address);
        break;
    case RCP_LOG_EFFECT:
        rcp_text_printf(t, "effect 0x%" PRIx64 " %" PRIu64 " bytes: ", r->address, r->size);
        print_bytes(t, r->bytes, r->size);
        break;
    case RCP_LOG_FILL:
        rcp_text_printf(t, "fill 0x%" PRIx64 " %" PRIu64 " bytes with %" PRIu64, r->address, r->size, r->value);
        break;
    case RCP_LOG_COPY:
        rcp_text_printf(t, "copy to 0x%" PRIx64 " from 0x%" PRIx64 " %" PRIu64 " bytes", r->address, r->second,
                        r->size);
        break;
    case RCP_LOG_CALLBACK: print_callback(p, r); break;
    case RCP_LOG_LANDING:
        rcp_text_puts(t, "landing in ");
        print_function(p, r->address);
        rcp_text_printf(t, " pad %u exception 0x%" PRIx64 " selector %" PRIu64 " check %02x", r->pad, r->second,
                        r->value, r->check);
        break;
    case RCP_LOG_JUMP: rcp_text_printf(t, "jump to buffer 0x%" PRIx64 " with %" PRIu64, r->address, r->value); break;
    case RCP_LOG_LEFT: rcp_text_printf(t, "left %" PRIu64 " callbacks, which do not return", r->value); break;
    case RCP_LOG_VALUE: rcp_text_printf(t, "value 0x%" PRIx64, r->value); break;
    case RCP_LOG_THREAD: print_thread(p, r); break;
    case RCP_LOG_THREAD_END: rcp_text_printf(t, "thread ends at %" PRIu64, r->position); break;
    case RCP_LOG_PART: rcp_text_printf(t, "part %" PRIu64 " of the image", r->value); break;
    case RCP_LOG_ALLOC:
        rcp_text_printf(t, "alloc 0x%" PRIx64 " %" PRIu64 " kind %u", r->address, r->size, r->kind);
        break;
    case RCP_LOG_FREE: rcp_text_printf(t, "free 0x%" PRIx64, r->address); break;
    case RCP_LOG_ALIAS:
        rcp_text_printf(t, "alias 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu64, r->address, r->second, r->size);
        break;
    case RCP_LOG_FAULT:
        rcp_text_printf(t, "fault: signal %" PRIu64 " address 0x%" PRIx64 " ", r->value, r->address);
        if (r->size)
            rcp_text_printf(t, "in one of %" PRIu64 " events from %" PRIu64, r->size, r->position);
        else
            rcp_text_printf(t, "segment ends at %" PRIu64, r->position);
        break;
    case RCP_LOG_FORK: rcp_text_printf(t, "fork: child %" PRIu64, r->value); break;
    case RCP_LOG_NOTE: rcp_text_printf(t, "note: %.*s", (int)r->size, (const char *)r->bytes); break;
    case RCP_LOG_STRINGS: print_strings(t, r); break;
    case RCP_LOG_SIGN:
        rcp_text_printf(t, "%s %" PRIu64 ": %s", r->value == RCP_SIGN_DESCRIPTORS ? "descriptor" : "thread", r->address,
                        sign_names[r->value]);
        break;
    case RCP_LOG_EXIT: rcp_text_printf(t, "exit %" PRIu64, r->value); break;
    case RCP_LOG_SYNC: print_sync(p, r); break;
    default: rcp_text_puts(t, "end"); break;
    }
    rcp_text_puts(t, "\n");
}

static void print_header(printing *p, const struct rcp_log_header *h) {
    static const char *const policies[] = {"rr", "random", "pct", "file"};
    static const char *const ends[] = {"not ended", "exit", "a signal", "exec"};
    rcp_text_printf(
        &p->text,
        "# pid %u, policy %s, seed %" PRIu64 ", quantum %" PRIu64 ", ended by %s, %" PRIu64 " bytes of records\n"
        "# switches %" PRIu64 ", syncs %" PRIu64 ", calls outside %" PRIu64 ", effects %" PRIu64 " (%" PRIu64
        " bytes), misses %" PRIu64 " (%" PRIu64 " bytes), callbacks %" PRIu64 ", steals %" PRIu64 ", events %" PRIu64
        "\n",
        h->pid, h->policy < 4 ? policies[h->policy] : "?", h->seed, h->quantum, h->ended < 4 ? ends[h->ended] : "?",
        RCP_LOG_MARK_LENGTH(h->mark), h->switches, h->syncs, h->outside_calls, h->effects, h->effect_bytes, h->misses,
        h->miss_bytes, h->callbacks, h->steals, h->events);
    if (h->world & RCP_WORLD_PRINTS)
        rcp_text_puts(&p->text, "# what is printed may come back, or be answered\n");
    if (h->unseen & RCP_UNSEEN_SIGNALS)
        rcp_text_puts(&p->text, "# signals may come where no recorded code takes them\n");
    if (h->unseen & RCP_UNSEEN_CONSTANTS)
        rcp_text_puts(&p->text, "# constants were made writable, or mapped over\n");
    if (h->unseen & RCP_UNSEEN_ENDS)
        rcp_text_puts(&p->text, "# threads may run code when they end that is not recorded\n");
    if (h->unseen & RCP_UNSEEN_DESCRIPTORS)
        rcp_text_puts(&p->text, "# descriptors of its own may be others', too\n");
}

/* Names of functions are worth having, but a log is worth printing without. */
static void load_part(printing *p, uint64_t number) {
    if (p->image && rcp_program_add_part(&p->program, p->image, number, NULL, NULL) != RCP_OK) {
        rcp_text_printf(&p->text, "# no names of functions: %s\n", rcp_borrow_cause(0));
        rcp_clear_causes();
        rcp_image_close(p->image);
        p->image = NULL;
    }
}

rcp_code rcp_log_text_print(const char *dir, rcp_log_text_put *put, void *context) {
    rcp_text path = {0};
    rcp_text_printf(&path, "%s/log", dir);
    rcp_log *log;
    rcp_code code = rcp_log_open(path.at, &log);
    if (code != RCP_OK) {
        rcp_text_finish(&path);
        return code;
    }
    printing p = {.names = rcp_thread_names_create(), .has_program = true};
    rcp_program_init(&p.program, dir);
    print_header(&p, rcp_log_borrow_header(log));
    rcp_text_clear(&path);
    rcp_text_printf(&path, "%s/image", dir);
    if (rcp_image_open(path.at, &p.image) != RCP_OK) {
        rcp_clear_causes();
        p.image = NULL;
    }
    load_part(&p, 0);
    rcp_log_record record = {.tag = RCP_LOG_SLICE};
    while (record.tag != RCP_LOG_END && (code = rcp_log_next(log, &record)) == RCP_OK) {
        if (record.tag == RCP_LOG_PART)
            load_part(&p, record.value);
        if (record.tag != RCP_LOG_END)
            print_record(&p, &record);
        if (p.text.len > 1 << 16 && !put(context, &p.text))
            break;
    }
    put(context, &p.text);
    rcp_text_finish(&p.text);
    rcp_text_finish(&path);
    rcp_thread_names_destroy(p.names);
    rcp_image_close(p.image);
    rcp_program_finish(&p.program);
    rcp_log_close(log);
    return code;
}
