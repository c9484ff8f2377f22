/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/recording.h"

#include "base/file.h"
#include "base/map.h"
#include "program/recording/image_reader.h"
#include "program/recording/log_reader.h"
#include "program/recording/run_json.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool rcp_recording_is_there(const char *directory) {
    char *path = rcp_file_take_path(directory, "log");
    bool there = rcp_file_is_there(path);
    rcp_release(path);
    return there;
}

const char *const rcp_recording_shared[] = {"image", "modules", "command", "config", "inputs",  "left", "run.json",
                                            "stdin", "pieces",  "opaque",  "meant",  "started", "sums", NULL};

rcp_code rcp_recording_link_shared(const char *to) {
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && rcp_recording_shared[i]; i++) {
        rcp_text target = {0};
        rcp_text_printf(&target, "../../%s", rcp_recording_shared[i]);
        char *from = rcp_file_take_path(to, target.at), *there = rcp_file_take_path(to, rcp_recording_shared[i]);
        if (rcp_file_is_there(from) && symlink(target.at, there) && errno != EEXIST)
            code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", there, strerror(errno));
        rcp_release(from);
        rcp_release(there);
        rcp_text_finish(&target);
    }
    return code;
}

bool rcp_recording_has_link(const char *path, const char *target) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    static const char *const above[] = {"modules", "answers", "pieces", "opaque"};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        if (!strcmp(name, above[i]) && !strncmp(target, "../", 3) && !strcmp(target + 3, name))
            return true;
    for (size_t i = 0; rcp_recording_shared[i]; i++)
        if (!strcmp(name, rcp_recording_shared[i]) && !strncmp(target, "../../", 6) && !strcmp(target + 6, name))
            return true;
    return false;
}

static rcp_code add_refusal(const char *log, rcp_text *sentence) {
    rcp_text why = {0};
    rcp_code code = rcp_log_refusal(log, &why);
    if (code == RCP_OK && why.len)
        rcp_text_printf(sentence, "The program was not recorded to its end: %s.", why.at);
    rcp_text_finish(&why);
    return code;
}

rcp_code rcp_recording_cut(const char *directory, rcp_text *sentence) {
    char *image = rcp_file_take_path(directory, "image");
    struct stat is;
    bool recorded = rcp_recording_is_there(directory) && !lstat(image, &is) && S_ISREG(is.st_mode);
    rcp_release(image);
    if (!recorded) /* a variant's image is a link: nobody has recorded it */
        return RCP_OK;
    char *path = rcp_file_take_path(directory, "log");
    bool ended = true;
    rcp_code code = rcp_log_has_ended(path, &ended);
    if (code == RCP_OK)
        code = add_refusal(path, sentence);
    rcp_release(path);
    rcp_run_json run;
    rcp_code read = rcp_run_json_read(directory, &run);
    const rcp_json *end = rcp_json_member(run.all, "ended");
    if (code == RCP_OK)
        code = read;
    if (code == RCP_OK && !ended)
        rcp_text_puts(sentence, "The recording was cut off: the program was killed, or its log has lost its end; what "
                                "it did until then is all that is known of it.");
    else if (code == RCP_OK && end && end->kind == RCP_JSON_NULL)
        rcp_text_puts(sentence, "The recording was cut off: the recorder was killed before it had put everything in "
                                "its place.");
    rcp_run_json_finish(&run);
    return code;
}

static rcp_code open_log(const char *directory, rcp_log **log) {
    char *path = rcp_file_take_path(directory, "log");
    rcp_code code = rcp_log_open(path, log);
    rcp_release(path);
    return code;
}

/* --- what the log says of itself --- */

static char *copy(const uint8_t *bytes, size_t n) {
    char *string = rcp_alloc(n + 1);
    memcpy(string, bytes, n);
    string[n] = 0;
    return string;
}

/* What the recorder counts, from the records; but not which turns the watchdog took. */
static void count(struct rcp_log_header *h, const rcp_log_record *r) {
    switch (r->tag) {
    case RCP_LOG_SLICE: h->switches++; break;
    case RCP_LOG_RETURN:
    case RCP_LOG_RETURN_0:
    case RCP_LOG_RETURN_BYTES: h->outside_calls++; break;
    case RCP_LOG_MISS:
        h->miss_bytes += r->size; /* and it is one: */
        __attribute__((fallthrough));
    case RCP_LOG_MISS_ZERO: h->misses++; break;
    case RCP_LOG_EFFECT:
    case RCP_LOG_FILL:
    case RCP_LOG_COPY:
        h->effects++;
        h->effect_bytes += r->size;
        break;
    case RCP_LOG_CALLBACK: h->callbacks++; break;
    case RCP_LOG_THREAD: h->threads++; break;
    case RCP_LOG_THREAD_END: h->events += r->position; break;
    case RCP_LOG_NOTE: h->notes++; break;
    case RCP_LOG_SYNC: h->syncs++; break;
    default: break;
    }
}

static rcp_code collect_notes(rcp_log *log, bool counted, rcp_recording *recording) {
    for (;;) {
        rcp_log_record record;
        RCP_TRY(rcp_log_next(log, &record));
        if (record.tag == RCP_LOG_END)
            return RCP_OK;
        if (!counted)
            count(&recording->header, &record);
        if (record.tag == RCP_LOG_NOTE)
            rcp_vec_push(&recording->notes, copy(record.bytes, record.size));
    }
}

rcp_code rcp_recording_read(const char *directory, rcp_recording *recording) {
    rcp_log *log;
    *recording = (rcp_recording){0};
    RCP_TRY(open_log(directory, &log));
    recording->header = *rcp_log_borrow_header(log);
    recording->bytes = rcp_log_length(log);
    bool counted = recording->header.length || !recording->bytes;
    rcp_code code = recording->header.notes || !counted ? collect_notes(log, counted, recording) : RCP_OK;
    rcp_log_close(log);
    return code;
}

void rcp_recording_finish(rcp_recording *recording) {
    for (size_t i = 0; i < recording->notes.len; i++)
        rcp_release(recording->notes.at[i]);
    rcp_vec_finish(&recording->notes);
}

static const char *ending(uint64_t ended) {
    switch (ended) {
    case RCP_ENDED_EXIT: return "by exit";
    case RCP_ENDED_SIGNAL: return "by a signal";
    case RCP_ENDED_EXEC: return "by executing another program";
    case RCP_ENDED_REFUSED: return "because recipe can't go on recording it";
    case RCP_ENDED_DEADLOCK: return "in a deadlock";
    default: return "without a word (killed, or still running)";
    }
}

void rcp_recording_print(rcp_text *to, const rcp_recording *recording) {
    const struct rcp_log_header *header = &recording->header;
    const struct {
        const char *what;
        uint64_t n;
    } rows[] = {
        {"threads", header->threads},
        {"events", header->events},
        {"switches", header->switches},
        {"of them taken by the watchdog", header->steals},
        {"synchronisation operations", header->syncs},
        {"calls outside", header->outside_calls},
        {"callbacks", header->callbacks},
        {"lines that outside code changed", header->misses},
        {"known effects of calls", header->effects},
        {"bytes of log", recording->bytes},
        {"of them lines", header->miss_bytes},
        {"of them effects", header->effect_bytes},
        {"notes in the log", header->notes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rcp_text_printf(to, "%-32s %" PRIu64 "\n", rows[i].what, rows[i].n);
    rcp_text_printf(to, "%-32s %s\n", "the log ended", ending(header->ended));
}

void rcp_recording_print_notes(rcp_text *to, const rcp_recording *recording) {
    for (size_t i = 0; i < recording->notes.len; i++)
        rcp_text_printf(to, "note: %s\n", recording->notes.at[i]);
}

/* --- its schedule --- */

typedef struct slices {
    rcp_schedule *schedule;
    struct rcp_run_step step; /* of the slice that goes on */
    bool begun, ended;        /* its thread has */
    rcp_map children;         /* of each thread, so far */
} slices;

static void end_slice(slices *run, uint64_t until) {
    run->step.until = run->ended ? RCP_RUN_END : until;
    run->ended = false;
    if (run->begun)
        rcp_vec_push(&run->schedule->steps, run->step);
}

static void add_record(slices *run, const rcp_log_record *record) {
    if (record->tag == RCP_LOG_SLICE) {
        end_slice(run, record->position);
        run->step.thread = record->thread;
        run->begun = true;
    } else if (record->tag == RCP_LOG_THREAD_END) {
        run->ended = true;
    } else if (record->tag == RCP_LOG_THREAD && record->thread) {
        rcp_schedule_name_thread(run->schedule, record->thread, record->value, record->second);
    } else if (record->tag == RCP_LOG_SYNC && record->op == RCP_SYNC_CREATE) { /* it may never begin */
        uint32_t *n = rcp_map_at(&run->children, record->thread);
        *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
        rcp_schedule_name_thread(run->schedule, record->address, record->thread, *n);
    } else if (record->tag == RCP_LOG_CALLBACK && record->value && record->value <= 64) {
        run->schedule->signals |= UINT64_C(1) << (record->value - 1);
    }
}

rcp_code rcp_recording_schedule(const char *directory, rcp_schedule *schedule) {
    rcp_log *log;
    RCP_TRY(open_log(directory, &log));
    slices run = {.schedule = schedule};
    rcp_log_record record;
    rcp_code code;
    rcp_map_init(&run.children);
    while ((code = rcp_log_next(log, &record)) == RCP_OK && record.tag != RCP_LOG_END)
        add_record(&run, &record);
    end_slice(&run, RCP_RUN_BLOCK); /* it went on as long as it could */
    rcp_map_finish(&run.children);
    rcp_log_close(log);
    return code;
}

/* --- its objects --- */

static rcp_code visit_part(rcp_image_file *image, rcp_recording_visitor *each, void *context) {
    for (;;) {
        rcp_image_entry entry;
        RCP_TRY(rcp_image_next(image, &entry));
        if (entry.tag == RCP_IMAGE_END)
            return RCP_OK;
        if (entry.tag != RCP_IMAGE_OBJECT)
            continue;
        char *path = copy(entry.bytes, entry.size);
        rcp_code code = each(context, path);
        rcp_release(path);
        if (code != RCP_OK)
            return code;
    }
}

rcp_code rcp_recording_objects(const char *directory, rcp_recording_visitor *each, void *context) {
    char *path = rcp_file_take_path(directory, "image");
    rcp_image_file *image;
    rcp_code code = rcp_image_open(path, &image);
    rcp_release(path);
    if (code != RCP_OK)
        return code;
    for (uint64_t part = 0; code == RCP_OK && (!part || !rcp_image_is_over(image)); part++) {
        code = rcp_image_seek(image, part);
        if (code == RCP_OK)
            code = visit_part(image, each, context);
    }
    rcp_image_close(image);
    return code;
}

/* A library that was being loaded when the program was killed has left the beginning of a part, which no log names. */
static rcp_code check_image(const char *directory, bool ended) {
    char *path = rcp_file_take_path(directory, "image");
    rcp_image_file *image;
    rcp_code code = rcp_image_open(path, &image);
    rcp_release(path);
    RCP_TRY(code);
    if (!ended && !rcp_image_is_begun(image))
        code = rcp_fail(RCP_BAD_INPUT, "%s: The recording was cut off before the program began: record it again",
                        directory);
    else
        code = rcp_image_check(image, !ended);
    rcp_image_close(image);
    return code;
}

rcp_code rcp_recording_check(const char *directory) {
    rcp_log *log;
    if (!rcp_recording_is_there(directory))
        return RCP_OK;
    RCP_TRY(open_log(directory, &log));
    bool ended = rcp_log_borrow_header(log)->ended != RCP_ENDED_NOT;
    rcp_log_close(log);
    return check_image(directory, ended);
}
