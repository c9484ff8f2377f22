/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/recorded.h"

#include "trace/store/reader.h"
#include "trace/model/limit_facts.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/opts.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/reach/opaque_file.h"
#include "program/telling/recorded_events.h"
#include "program/recording/embedded.h"
#include "program/recording/recording.h"
#include "trace/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rcp_code drop_events(const char *directory) {
    char *events = rcp_store_take_path(directory), *next = rcp_file_take_path(directory, "events.next");
    rcp_file_remove_tree(next);
    rcp_release(next);
    rcp_code code = RCP_OK;
    if (unlink(events) && errno != ENOENT)
        code = rcp_fail(RCP_SYSTEM, "%s: can't be removed: %s", events, strerror(errno));
    rcp_release(events);
    return code;
}

/* Of a run that only the beginning was told of: is there now time for more, and by how much would be worth it? What was
 * told can't be gone on with but from the run's beginning, so a little more time is not. */
static bool is_worth_more(const rcp_told_part *part) {
    double left = rcp_deadline() > 0 ? rcp_deadline() - rcp_seconds_now() : 0;
    return part->told.byte &&
           (rcp_deadline() <= 0 || left * 100 > part->seconds * (double)rcp_limit(RCP_LIMIT_TELL_MORE));
}

static void say_part(const char *directory, const rcp_notices *notices, const rcp_told_part *part) {
    if (!notices || !part->told.byte)
        return;
    if (part->seconds <= 0) {
        rcp_notices_say(notices,
                        "%s: the beginning of the run is looked at, %.1f %% of it (the limit tell-events); the next "
                        "analysis goes on from there",
                        directory, part->part * 100);
        return;
    }
    double again = (double)rcp_limit(RCP_LIMIT_TELL_AGAIN_SHARE) / 100;
    bool goes_on =
        (double)rcp_limit(RCP_LIMIT_BUDGET) * again * 100 > part->seconds * (double)rcp_limit(RCP_LIMIT_TELL_MORE);
    rcp_notices_say(
        notices,
        "%s: the beginning of the run is looked at, %.1f %% of it: there was no time for more (%s; --budget "
        "%.0f would tell all of it, about)",
        directory, part->part * 100,
        goes_on ? "the next analysis tells more of it" : "with this budget no analysis tells more",
        part->seconds / (part->part + 1e-6) * 1.1 / again + 1);
}

/* Why the events of the run are to be made anew; NULL: they stay. `limits`: also where they are of other ones. */
static rcp_code look(const char *directory, bool limits, const rcp_notices *notices, const char **why) {
    rcp_reader *reader;
    *why = NULL;
    if (!rcp_recording_is_there(directory) || rcp_recorded_events_are_missing(directory))
        return RCP_OK;
    RCP_TRY(rcp_reader_open(directory, &reader));
    if (rcp_reader_borrow_loss(reader))
        *why = "its events.rcp was cut off, and is made again from its log";
    else if (limits && !rcp_limit_facts_are_ours(rcp_reader_borrow_defs(reader)))
        *why = "its events were made under other limits";
    if (*why && notices && (notices->verbose || rcp_reader_borrow_loss(reader)))
        rcp_notices_say(notices, "%s: %s", directory, *why);
    rcp_reader_close(reader);
    return RCP_OK;
}

/* What was told since, farther than what is there, takes its place. */
static rcp_code turn_over(const char *directory) {
    bool has_next = rcp_recorded_events_have_next(directory) && !access(directory, W_OK);
    return has_next ? rcp_recorded_events_turn_over(directory) : RCP_OK;
}

rcp_code rcp_recorded_renew(const char *directory, const rcp_notices *notices) {
    const char *why;
    RCP_TRY(turn_over(directory));
    RCP_TRY(look(directory, true, notices, &why));
    return why ? drop_events(directory) : RCP_OK;
}

/* What a recorder does at its end and one that was killed did not: the bitcode of libraries. What can't be had any more
 * is missed by whoever needs it. */
static rcp_code save_object(void *context, const char *path) {
    size_t saved;
    if (rcp_embedded_save(path, context, &saved) != RCP_OK)
        rcp_clear_causes();
    return RCP_OK;
}

static void complete(const char *directory) {
    rcp_text cut = {0};
    struct stat is;
    char *modules = rcp_file_take_path(directory, "modules");
    bool own = !lstat(modules, &is) && S_ISDIR(is.st_mode); /* not a link to another run's */
    if (own && rcp_recording_cut(directory, &cut) != RCP_OK)
        rcp_clear_causes();
    if (cut.len && rcp_recording_objects(directory, save_object, modules) != RCP_OK)
        rcp_clear_causes();
    rcp_release(modules);
    rcp_text_finish(&cut);
}

rcp_code rcp_recorded_prepare(const char *directory, const rcp_notices *notices) {
    bool verbose = notices && notices->verbose;
    uint64_t most = rcp_limit(RCP_LIMIT_TELL_EVENTS);
    rcp_recorded_events made;
    const char *why;
    RCP_TRY(turn_over(directory));
    RCP_TRY(look(directory, false, notices, &why));
    if (why && !access(directory, W_OK))
        RCP_TRY(drop_events(directory));
    if (rcp_recording_is_there(directory) && !rcp_recorded_events_are_missing(directory)) {
        const rcp_told_part part = rcp_recorded_events_part(directory);
        if (!is_worth_more(&part)) {
            say_part(directory, notices, &part);
            return RCP_OK;
        }
        most += most ? part.executed : 0;
        RCP_TRY(drop_events(directory));
    }
    if (!rcp_recorded_events_are_missing(directory))
        return RCP_OK;
    complete(directory);
    if (verbose)
        rcp_notices_say(notices, "%s: the run is executed again for its events", directory);
    rcp_code code = rcp_recorded_events_make(directory, most, NULL, &made);
    if (code != RCP_OK)
        return rcp_because(code, "%s: the events of the recorded run can't be made", directory);
    if (verbose)
        rcp_notices_say(notices,
                        "%s: %" PRIu64 " events of shared memory and synchronisation, of %" PRIu64
                        " that were executed (%.1f s to see what is shared, %.1f s to tell)",
                        directory, made.told, made.executed, made.seconds[0], made.seconds[1]);
    say_part(directory, notices, &made.cut);
    return RCP_OK;
}

rcp_code rcp_recorded_prepare_until(const char *directory, const rcp_stand *stops, size_t n) {
    rcp_recorded_events made;
    complete(directory);
    rcp_code code = rcp_recorded_events_make_until(directory, stops, n, &made);
    return code == RCP_OK ? code : rcp_because(code, "%s: the events of the run can't be made", directory);
}

bool rcp_recorded_is_begun(const char *directory) {
    return rcp_recording_is_there(directory) && !rcp_recorded_events_are_missing(directory) &&
           rcp_recorded_events_part(directory).told.byte;
}

rcp_code rcp_recorded_go_on(const char *directory, const rcp_notices *notices, bool *done) {
    const rcp_told_part part = rcp_recorded_events_part(directory);
    const uint64_t more = rcp_limit(RCP_LIMIT_TELL_EVENTS);
    rcp_recorded_events made;
    *done = rcp_deadline() > 0 && is_worth_more(&part) && !rcp_recorded_events_have_next(directory) &&
            !access(directory, W_OK);
    if (!*done)
        return RCP_OK;
    RCP_TRY(rcp_recorded_events_make_next(directory, more ? part.executed + more : 0, &made));
    rcp_notices_say(
        notices,
        "%s: more of the run was told, %.1f %% of it where it was %.1f %%: the next analysis looks at that, "
        "and this one has found no more than the one before it",
        directory, made.cut.told.byte ? made.cut.part * 100 : 100, part.part * 100);
    return RCP_OK;
}

rcp_code rcp_recorded_tell_all(const char *directory, const char *to) {
    rcp_code code = rcp_recorded_events_tell_all(directory, to);
    return code == RCP_OK ? code : rcp_because(code, "%s: the events of the run can't be made", directory);
}

/* The file that recipe.opts names, from its own directory on; false: none. */
static bool find_in_opts(rcp_text *file) {
    static const char option[] = "--opaque=";
    rcp_text path = {0}, text = {0};
    const char *end;
    file->len = 0;
    if (rcp_opts_find(&path, &text)) {
        const char *at = text.at;
        for (const char *begin; (begin = rcp_opts_next(&at, &end));) {
            size_t n = (size_t)(end - begin);
            if (n <= sizeof option - 1 || memcmp(begin, option, sizeof option - 1))
                continue;
            begin += sizeof option - 1;
            file->len = 0;
            if (*begin != '/')
                rcp_text_printf(file, "%.*s", (int)(strrchr(path.at, '/') - path.at + 1), path.at);
            rcp_text_printf(file, "%.*s", (int)(end - begin), begin);
        }
    }
    rcp_text_finish(&path);
    rcp_text_finish(&text);
    return file->len;
}

static rcp_code keep_opaque(const char *directory, const rcp_text *text) {
    rcp_text path = {0}, before = {0};
    rcp_opaque_file parsed = {0};
    rcp_text_printf(&path, "%s/opaque", directory);
    if (rcp_file_is_there(path.at) && rcp_text_read_file(&before, path.at) != RCP_OK)
        rcp_clear_causes();
    bool is_same = before.len == text->len && !memcmp(before.at ? before.at : "", text->at, text->len);
    rcp_code code = is_same ? RCP_OK : rcp_opaque_file_parse(&parsed, "--opaque", text->at);
    if (code == RCP_OK && !is_same) /* events that are there were made by what it says */
        code = drop_events(directory);
    if (code == RCP_OK && !is_same)
        code = rcp_file_replace(path.at, text->at, text->len);
    rcp_opaque_file_finish(&parsed);
    rcp_text_finish(&path);
    rcp_text_finish(&before);
    return code;
}

rcp_code rcp_recorded_opaque(const char *directory, const char *file, const char *barriers, const char *volatiles) {
    rcp_text named = {0}, text = {0};
    if (!file && rcp_recording_is_there(directory) && find_in_opts(&named))
        file = named.at;
    rcp_code code = RCP_OK;
    if ((file || barriers || volatiles) && !rcp_recording_is_there(directory))
        code = rcp_fail(RCP_BAD_INPUT,
                        "%s: --opaque, --barriers and --volatile are for recorded runs, which this is not", directory);
    if (code == RCP_OK && barriers)
        rcp_text_printf(&text, "barriers %s\n", barriers);
    if (code == RCP_OK && volatiles)
        rcp_text_printf(&text, "volatile %s\n", volatiles);
    if (code == RCP_OK && file)
        code = rcp_text_read_file(&text, file);
    if (code == RCP_OK && (file || barriers || volatiles))
        code = keep_opaque(directory, &text);
    rcp_text_finish(&named);
    rcp_text_finish(&text);
    return code;
}
