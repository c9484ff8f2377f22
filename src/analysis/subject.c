/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/subject.h"

#include "base/clock.h"
#include "program/recording/recording.h"

#include <string.h>

void rcp_subject_init(rcp_subject *subject, const char *directory, uint32_t variant, bool spurious_wakeups) {
    *subject = (rcp_subject){.variant = variant,
                             .turning = {RCP_NO_EID, RCP_NO_EID},
                             .is_recorded = rcp_recording_is_there(directory),
                             .spurious_wakeups = spurious_wakeups};
    subject->directory = rcp_alloc(strlen(directory) + 1);
    strcpy(subject->directory, directory);
}

/* What was made of the trace as it was. */
static void drop_groundwork(rcp_subject *subject) {
    rcp_groundwork_destroy(subject->groundwork);
    rcp_checker_destroy(subject->checker);
    subject->groundwork = NULL;
    subject->checker = NULL;
}

void rcp_subject_rest(rcp_subject *subject, bool with_trace) {
    rcp_judging_rest(&subject->judging);
    rcp_explorer_destroy(subject->explorer);
    subject->explorer = NULL;
    if (subject->reader)
        rcp_reader_close(subject->reader);
    subject->reader = NULL;
    if (with_trace || !subject->is_loaded)
        return;
    drop_groundwork(subject);
    rcp_trace_finish(&subject->trace);
    subject->is_loaded = false;
}

void rcp_subject_finish(rcp_subject *subject) {
    rcp_subject_rest(subject, false);
    rcp_release(subject->directory);
    rcp_release(subject->turned);
    subject->directory = subject->turned = NULL;
}

rcp_code rcp_subject_open(rcp_subject *subject) {
    return subject->reader ? RCP_OK : rcp_reader_open(subject->directory, &subject->reader);
}

static rcp_code load(rcp_subject *subject, uint64_t most) {
    uint64_t all;
    rcp_trace_init(&subject->trace);
    rcp_code code = rcp_trace_load_beginning(&subject->trace, subject->directory, most, &all);
    subject->is_loaded = code == RCP_OK;
    if (code != RCP_OK)
        rcp_trace_finish(&subject->trace);
    return code;
}

rcp_code rcp_subject_load(rcp_subject *subject, uint64_t most) {
    double began = rcp_seconds_used();
    RCP_TRY(rcp_subject_open(subject));
    uint64_t all = rcp_reader_count(subject->reader);
    most = most < all ? most : all;
    rcp_code code = RCP_OK;
    if (!subject->is_loaded)
        code = load(subject, most);
    else if (subject->trace.events.len != most) {
        drop_groundwork(subject);
        code = rcp_trace_resize(&subject->trace, subject->reader, most);
    }
    subject->seconds += rcp_seconds_used() - began;
    return code;
}

rcp_code rcp_subject_make_checker(rcp_subject *subject) {
    RCP_CHECK(subject->is_loaded);
    return subject->checker ? RCP_OK : rcp_checker_create(&subject->trace, &subject->checker);
}

rcp_code rcp_subject_lay_groundwork(rcp_subject *subject) {
    if (subject->groundwork)
        return RCP_OK;
    double began = rcp_seconds_used();
    RCP_TRY(rcp_subject_make_checker(subject));
    rcp_code code =
        rcp_groundwork_create(&subject->trace, subject->checker, subject->spurious_wakeups, &subject->groundwork);
    subject->seconds += rcp_seconds_used() - began;
    return code;
}

rcp_code rcp_subject_make_explorer(rcp_subject *subject) {
    return subject->explorer ? RCP_OK : rcp_explorer_create(subject->directory, &subject->explorer);
}
