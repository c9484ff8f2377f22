/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/recorded_events.h"

#include "trace/model/limit_facts.h"
#include "abi/run.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/stage.h"
#include "base/tally.h"
#include "base/text.h"
#include "program/recording/recording.h"
#include "program/recording/run_json.h"
#include "program/recording/sums.h"
#include "program/telling/lead.h"
#include "program/telling/moments.h"
#include "program/telling/sharing_file.h"
#include "trace/store/reader.h"
#include "trace/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Where that can't be found out they are made again. */
bool rcp_recorded_events_are_missing(const char *directory) {
    char *events = rcp_store_take_path(directory);
    bool missing = access(events, F_OK) && rcp_recording_is_there(directory);
    rcp_release(events);
    return missing;
}

/* What a crash has left; refuses where another process is at work. */
static rcp_code clear(const char *part) {
    char *events = rcp_store_take_path(part);
    int fd = open(events, O_RDWR | O_CLOEXEC);
    bool busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    rcp_release(events);
    if (busy)
        return rcp_fail(RCP_SYSTEM, "%s: another recipe is making the events of this run: wait for it", part);
    rcp_file_remove_tree(part);
    return RCP_OK;
}

/* A string is told without its quotes, a list word by word, anything else as it stands in run.json. */
static void add_fact(rcp_defs *defs, const char *key, const rcp_json *value) {
    if (!value || value->kind == RCP_JSON_NULL)
        return;
    if (value->kind == RCP_JSON_LIST) {
        for (const rcp_json *word = value->first; word; word = word->next)
            add_fact(defs, key, word);
        return;
    }
    rcp_text text = {0};
    if (rcp_json_string(value))
        rcp_text_puts(&text, rcp_json_string(value));
    else
        rcp_text_add(&text, value->raw, value->raw_len);
    rcp_defs_fact(defs, key, text.at);
    rcp_text_finish(&text);
}

/* Whoever reports says it: what the program would have done after that is not known. */
static rcp_code add_cut(const char *directory, rcp_defs *defs) {
    rcp_text cut = {0};
    rcp_code code = rcp_recording_cut(directory, &cut);
    if (code == RCP_OK && cut.len)
        rcp_defs_fact(defs, "cut", cut.at);
    rcp_text_finish(&cut);
    return code;
}

static rcp_code add_facts(const char *directory, rcp_defs *defs) {
    static const char *const keys[] = {"program", "command", "policy", "seed", "quantum"};
    rcp_run_json run;
    rcp_code code = rcp_run_json_read(directory, &run); /* other processes have none */
    rcp_defs_fact(defs, "source", "recipe record");
    rcp_limit_facts_put_values(defs);
    rcp_defs_fact(defs, "fences", "told"); /* all of them: analysis/analyze.c */
    for (size_t i = 0; code == RCP_OK && i < sizeof keys / sizeof *keys; i++)
        add_fact(defs, keys[i], rcp_json_member(run.all, keys[i]));
    rcp_run_json_finish(&run);
    return code == RCP_OK ? add_cut(directory, defs) : code;
}

/* For whoever tells the run again. */
static rcp_code keep_sharing(const char *directory, const char *to, const rcp_sharing *sharing,
                             const rcp_thread_names *names) {
    uint64_t key;
    RCP_TRY(rcp_sharing_file_key(directory, &key));
    char *path = rcp_sharing_file_take_path(to);
    rcp_code code = rcp_sharing_file_write(path, key, sharing, names);
    rcp_release(path);
    return code;
}

/* --- the beginning of a run --- */

static const char part_key[] = "told until";

static void keep_part(rcp_defs *defs, const rcp_told_part *part) {
    char text[160];
    snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.6f %.3f %" PRIu64, part->told.byte,
             part->told.position, part->sharing.byte, part->sharing.position, part->part, part->seconds,
             part->executed);
    rcp_defs_fact(defs, part_key, text);
}

rcp_told_part rcp_recorded_events_part(const char *directory) {
    rcp_told_part part = {0};
    rcp_reader *reader;
    if (rcp_reader_open(directory, &reader) != RCP_OK) {
        rcp_clear_causes(); /* whoever wants the events says it */
        return part;
    }
    const char *fact = rcp_defs_borrow_fact(rcp_reader_borrow_defs(reader), part_key);
    /* of an older one the last number is missing */
    if (fact && sscanf(fact, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf %" SCNu64, &part.told.byte,
                       &part.told.position, &part.sharing.byte, &part.sharing.position, &part.part, &part.seconds,
                       &part.executed) < 6)
        part = (rcp_told_part){0};
    rcp_reader_close(reader);
    return part;
}

/* --- both re-executions --- */

static rcp_code tell(const char *directory, const char *part, bool all, rcp_lead_purpose *purpose,
                     rcp_limit_counts *reached, rcp_recorded_events *made) {
    const rcp_limit_counts first = *reached;
    rcp_checkpoints *checkpoints = purpose->checkpoints;
    rcp_sink *sink;
    rcp_reexecution result = {0};
    rcp_tally_count(RCP_TALLY_TELLINGS);
    RCP_TRY(rcp_sink_create(part, purpose->sharing, purpose->names, &sink));
    purpose->sink = sink;
    char *moments = rcp_moments_take_path(part), *answers = rcp_file_take_path(part, "answers");
    rcp_code code = rcp_sink_keep_for_replay(sink, moments, answers);
    rcp_release(moments);
    rcp_release(answers);
    if (code == RCP_OK && !all) /* as it is before the second one learns more */
        code = keep_sharing(directory, part, purpose->sharing, purpose->names);
    if (code == RCP_OK)
        code = add_facts(directory, rcp_sink_borrow_defs(sink));
    if (code == RCP_OK) {
        code = rcp_lead_terms(directory, purpose, &result);
        made->seconds[1] = result.seconds;
        if (result.is_narrow)
            rcp_defs_fact(rcp_sink_borrow_defs(sink), RCP_SEQUENCES_FACT, RCP_SEQUENCES_NARROW);
    }
    made->cut.told = result.cut.byte ? result.cut : purpose->end.until;
    if (code == RCP_OK && made->cut.told.byte) {
        made->cut.part = result.share;
        made->cut.executed = result.events;
        const bool is_wanted = purpose->end.n_stops && !rcp_deadline_is_over();
        if (!is_wanted)
            rcp_limit_reached(purpose->end.most && result.events >= purpose->end.most ? RCP_LIMIT_TELL_EVENTS
                                                                                      : RCP_LIMIT_TELL_SHARE);
        keep_part(rcp_sink_borrow_defs(sink), &made->cut);
    }
    made->told = rcp_sink_next(sink).v;
    /* both re-executions look what calls reach: what is too much for both is counted once */
    static const rcp_limit_name twice[] = {RCP_LIMIT_REACH_OBJECTS, RCP_LIMIT_REACH_BYTES};
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        uint64_t before = first.at[twice[i]], again = reached->at[twice[i]] - before;
        reached->at[twice[i]] = before > again ? before : again;
    }
    if (code == RCP_OK)
        rcp_limit_facts_put_reached(rcp_sink_borrow_defs(sink), reached);
    if (rcp_checkpoints_is_asked(checkpoints)) /* this process is a copy, for another trace */
        rcp_checkpoints_answer(checkpoints, code == RCP_OK ? rcp_sink_close(sink) : code, NULL);
    if (code != RCP_OK) { /* that is what is wrong, whatever closing says */
        rcp_sink_abandon(sink);
        return code;
    }
    return rcp_sink_close(sink);
}

/* `until`: of the second re-execution, beside the clock's. */
static rcp_code make(const char *directory, const char *part, bool all, rcp_lead_end until,
                     rcp_checkpoints *checkpoints, rcp_recorded_events *made) {
    rcp_sharing *sharing = rcp_sharing_create();
    if (all)
        rcp_sharing_tell_all(sharing);
    rcp_thread_names *names = rcp_thread_names_create();
    rcp_reexecution result;
    rcp_limit_counts reached = {0}, *before = rcp_limits_capture(&reached);
    /* a part of the time is for the first one: what it has not come to is not told */
    double began = rcp_seconds_now(), end = rcp_deadline();
    if (end > 0)
        rcp_deadline_set(began + (end - began) * (double)rcp_limit(RCP_LIMIT_SHARING_SHARE) / 100);
    rcp_stage_begin("executing the run again, to see what is shared");
    rcp_code code = rcp_lead_sharing(directory, (rcp_lead_end){.may_be_cut = end > 0}, sharing, names, &result);
    rcp_stage_end();
    rcp_deadline_set(end > 0 ? end + result.loading : end);
    made->seconds[0] = result.seconds;
    made->executed = result.events;
    made->cut = (rcp_told_part){.sharing = result.cut, .seconds = end > 0 ? end - began : 0};
    rcp_lead_purpose purpose = {.sharing = sharing, .checkpoints = checkpoints, .names = names, .end = until};
    purpose.end.until = result.cut;
    purpose.end.may_be_cut = end > 0 || until.most || until.n_stops;
    rcp_stage_begin("executing the run again, for its events");
    if (code == RCP_OK)
        code = tell(directory, part, all, &purpose, &reached, made);
    rcp_stage_end();
    rcp_deadline_set(end);
    rcp_limits_capture(before);
    rcp_thread_names_destroy(names);
    rcp_sharing_destroy(sharing);
    return code;
}

/* What was found out when the events were made, if it is kept, and as it was. */
static bool read_sharing(const char *directory, rcp_sharing **sharing, rcp_thread_names **names) {
    uint64_t key;
    char *path = rcp_sharing_file_take_path(directory);
    bool is_there =
        rcp_sharing_file_key(directory, &key) == RCP_OK && rcp_sharing_file_read(path, key, sharing, names) == RCP_OK;
    rcp_release(path);
    if (!is_there)
        rcp_clear_causes();
    return is_there;
}

/* The same; where it is not there, by executing the run. */
static rcp_code find_sharing(const char *directory, rcp_cut until, rcp_sharing **sharing, rcp_thread_names **names) {
    if (read_sharing(directory, sharing, names))
        return RCP_OK;
    rcp_reexecution result;
    *sharing = rcp_sharing_create();
    *names = rcp_thread_names_create();
    rcp_code code = rcp_lead_sharing(directory, (rcp_lead_end){.until = until}, *sharing, *names, &result);
    if (code == RCP_OK && keep_sharing(directory, directory, *sharing, *names) != RCP_OK)
        rcp_clear_causes(); /* a directory that can't be written to: the next one executes, too */
    return code;
}

rcp_code rcp_recorded_events_may_be_answered(const char *directory, bool *may) {
    rcp_sharing *sharing = NULL;
    rcp_thread_names *names = NULL;
    rcp_code code = find_sharing(directory, rcp_recorded_events_part(directory).sharing, &sharing, &names);
    *may = code != RCP_OK || rcp_sharing_has_learnt(sharing, RCP_RUN_STREAMS);
    if (code != RCP_OK && code != RCP_SYSTEM) {
        rcp_clear_causes();
        code = RCP_OK;
    }
    rcp_thread_names_destroy(names);
    rcp_sharing_destroy(sharing);
    return code;
}

rcp_code rcp_recorded_events_again(const char *directory, rcp_checkpoints *checkpoints) {
    rcp_sharing *sharing = NULL;
    rcp_thread_names *names = NULL;
    rcp_reexecution result;
    bool was_repetition = rcp_limits_repeat_events(true);
    const rcp_told_part part = rcp_recorded_events_part(directory);
    rcp_code code = find_sharing(directory, part.sharing, &sharing, &names);
    if (code == RCP_OK) {
        rcp_tally_count(RCP_TALLY_TELLINGS);
        rcp_sink *sink = rcp_sink_create_mute(sharing, names);
        const rcp_lead_purpose purpose = {
            .sharing = sharing, .sink = sink, .checkpoints = checkpoints, .names = names, .end.until = part.told};
        code = rcp_lead_terms(directory, &purpose, &result);
        rcp_sink_abandon(sink);
    }
    rcp_limits_repeat_events(was_repetition);
    rcp_thread_names_destroy(names);
    rcp_sharing_destroy(sharing);
    return code;
}

static rcp_code tell_changed(const char *directory, const char *to, rcp_sharing *sharing, rcp_thread_names *names,
                             rcp_override *change, bool *fits) {
    rcp_sink *sink;
    rcp_reexecution result;
    RCP_TRY(rcp_sink_create(to, sharing, names, &sink));
    const rcp_lead_purpose purpose = {.sharing = sharing, .sink = sink, .names = names, .change = change};
    *fits = rcp_lead_terms(directory, &purpose, &result) == RCP_OK;
    if (!*fits)
        rcp_clear_causes();
    return rcp_sink_close(sink);
}

rcp_code rcp_recorded_events_change(const char *directory, const char *to, rcp_override *change, bool *fits) {
    rcp_sharing *sharing = NULL;
    rcp_thread_names *names = NULL;
    rcp_code code = find_sharing(directory, (rcp_cut){0}, &sharing, &names);
    if (code == RCP_OK)
        code = tell_changed(directory, to, sharing, names, change, fits);
    rcp_thread_names_destroy(names);
    rcp_sharing_destroy(sharing);
    return code;
}

/* Of what was made beside the events, and of what they were made by. */
static rcp_code list_sums(const char *directory, const char *part) {
    rcp_text list = {0};
    rcp_code code = rcp_sums_add_file(&list, part, "answers");
    if (code == RCP_OK)
        code = rcp_sums_add_file(&list, part, "moments");
    if (code == RCP_OK)
        code = rcp_sums_add_file(&list, directory, "opaque");
    if (code == RCP_OK)
        code = rcp_sums_write(&list, part, "events.sums");
    rcp_text_finish(&list);
    return code;
}

/* The events last: whoever finds them finds the others, too; but for the sharing, which may be too large to be kept. */
static rcp_code move_in(const char *directory, const char *part) {
    static const char *const names[] = {"sharing", "answers", "moments", "events.sums", RCP_TRACE_FILE};
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *from = rcp_file_take_path(part, names[i]), *to = rcp_file_take_path(directory, names[i]);
        bool may_lack = !i;
        if (code == RCP_OK && rename(from, to) && !(may_lack && errno == ENOENT))
            code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", to, strerror(errno));
        rcp_release(from);
        rcp_release(to);
    }
    return code;
}

static rcp_code keep(const char *directory, const char *part) {
    RCP_TRY(list_sums(directory, part));
    return move_in(directory, part);
}

static rcp_code make_here(const char *directory, rcp_lead_end until, rcp_checkpoints *checkpoints,
                          rcp_recorded_events *made) {
    *made = (rcp_recorded_events){0};
    char *part = rcp_file_take_path(directory, "events.part");
    rcp_code code = clear(part);
    if (code == RCP_OK) {
        code = make(directory, part, false, until, checkpoints, made);
        if (code == RCP_OK)
            code = keep(directory, part);
        rcp_file_remove_tree(part);
    }
    rcp_release(part);
    return code;
}

rcp_code rcp_recorded_events_make(const char *directory, uint64_t most, rcp_checkpoints *checkpoints,
                                  rcp_recorded_events *made) {
    return make_here(directory, (rcp_lead_end){.most = most}, checkpoints, made);
}

rcp_code rcp_recorded_events_make_until(const char *directory, const rcp_stand *stops, size_t n,
                                        rcp_recorded_events *made) {
    return make_here(directory, (rcp_lead_end){.stops = stops, .n_stops = n}, NULL, made);
}

/* --- farther, beside those that are there --- */

static char *take_next_path(const char *directory) { return rcp_file_take_path(directory, "events.next"); }

bool rcp_recorded_events_have_next(const char *directory) {
    char *next = take_next_path(directory), *events = rcp_store_take_path(next);
    bool have = rcp_file_is_there(events);
    rcp_release(events);
    rcp_release(next);
    return have;
}

rcp_code rcp_recorded_events_make_next(const char *directory, uint64_t most, rcp_recorded_events *made) {
    *made = (rcp_recorded_events){0};
    char *part = rcp_file_take_path(directory, "events.part"), *next = take_next_path(directory);
    rcp_code code = clear(part);
    if (code == RCP_OK)
        code = make(directory, part, false, (rcp_lead_end){.most = most}, NULL, made);
    if (code == RCP_OK)
        code = list_sums(directory, part);
    rcp_file_remove_tree(next);
    if (code == RCP_OK && rename(part, next))
        code = rcp_fail(RCP_SYSTEM, "%s: can't be made: %s", next, strerror(errno));
    rcp_file_remove_tree(part);
    rcp_release(part);
    rcp_release(next);
    return code;
}

/* Whoever is killed in between leaves none: they are made again. */
rcp_code rcp_recorded_events_turn_over(const char *directory) {
    char *next = take_next_path(directory), *events = rcp_store_take_path(directory);
    rcp_code code = RCP_OK;
    if (unlink(events) && errno != ENOENT)
        code = rcp_fail(RCP_SYSTEM, "%s: can't be removed: %s", events, strerror(errno));
    if (code == RCP_OK)
        code = move_in(directory, next);
    rcp_file_remove_tree(next);
    rcp_release(next);
    rcp_release(events);
    return code;
}

rcp_code rcp_recorded_events_tell_all(const char *directory, const char *to) {
    rcp_recorded_events made = {0};
    return make(directory, to, true, (rcp_lead_end){0}, NULL, &made);
}
