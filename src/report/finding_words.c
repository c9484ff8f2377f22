/* SPDX-License-Identifier: Apache-2.0 */
/* Findings in the words that all forms of the report share. */
#include "report/finding.h"

#include "report/names.h"
#include "report/testcase.h"
#include "trace/model/own_place.h"

#include <string.h>

const char *rcp_finding_op(const rcp_event *access) {
    return access->kind == RCP_READ    ? "read"
           : access->kind == RCP_WRITE ? "write"
           : access->kind == RCP_RMW   ? "rmw"
                                       : "free";
}

void rcp_finding_location(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_text_puts(to, at->file.v ? rcp_defs_borrow_string(defs, at->file) : "?");
    if (at->line)
        rcp_text_printf(to, ":%u", at->line);
    if (at->line && at->column)
        rcp_text_printf(to, ":%u", at->column);
}

void rcp_finding_frame(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    rcp_text_puts(to, at->function.v ? rcp_defs_borrow_string(defs, at->function) : "?");
    rcp_text_puts(to, " ");
    rcp_finding_location(to, defs, loc);
}

void rcp_finding_stop(rcp_text *to, const rcp_defs *defs, const rcp_stop *stop) {
    if (stop->loc.v)
        rcp_finding_location(to, defs, stop->loc);
    else
        rcp_text_printf(to, "event %llu", (unsigned long long)stop->eid.v);
}

void rcp_finding_thread(rcp_text *to, const rcp_defs *defs, rcp_tid tid) {
    const char *name = rcp_defs_borrow_string(defs, defs->threads.at[tid.v].name);
    rcp_text_puts(to, "thread ");
    if (*name)
        rcp_text_puts(to, name);
    else
        rcp_text_printf(to, "T%u", tid.v); /* as the text form calls it */
}

void rcp_finding_does(rcp_text *to, const rcp_event *access, const rcp_deed *deed) {
    if (deed->is_known)
        rcp_text_printf(to, "%s %s", rcp_deed_name(deed), rcp_deed_object(deed));
    else
        rcp_text_printf(to, "%s%s", rcp_event_is_atomic(access) ? "atomic " : "",
                        access->kind == RCP_RMW ? "update" : rcp_finding_op(access));
}

const char *rcp_finding_kind(rcp_object_kind kind) {
    switch (kind) {
    case RCP_RECURSIVE: return "recursive mutex";
    case RCP_SPIN: return "spin lock";
    case RCP_RWLOCK: return "read-write lock";
    case RCP_COND: return "condition";
    case RCP_SEM: return "semaphore";
    default: return rcp_object_kind_name(kind);
    }
}

const char *rcp_finding_member(const rcp_finding *finding) {
    const char *is = "";
    for (size_t k = 0; k < 2; k++) {
        const rcp_loc loc = rcp_own_place(finding->defs, &finding->access[k]);
        if (finding->deed[k].is_known)
            continue;
        const char *member = rcp_defs_borrow_string(finding->defs, finding->defs->locations.at[loc.v].member);
        bool is_better = finding->variable && rcp_defs_is_member_of(finding->defs, member, finding->variable);
        is_better |= strchr(is, '<') && !strchr(member, '<'); /* a name says more than a template of the library's */
        if (*member && (!*is || is_better))
            is = member;
    }
    return is;
}

void rcp_finding_variable(rcp_text *to, const rcp_defs *defs, const rcp_finding *finding) {
    rcp_defs_name_access(defs, finding->variable, finding->address, "", to);
}

void rcp_finding_line(rcp_text *to, const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    const char *file = rcp_defs_borrow_string(defs, at->file), *slash = strrchr(file, '/');
    rcp_text_printf(to, "%s:%u", slash && slash[1] ? slash + 1 : file, at->line);
}

void rcp_finding_object(rcp_text *to, const rcp_defs *defs, rcp_obj object) {
    const rcp_object *is = &defs->objects.at[object.v];
    const char *name = rcp_defs_borrow_string(defs, is->name);
    rcp_text_printf(to, *name ? "%s `" : "that %s", rcp_finding_kind((rcp_object_kind)is->kind));
    rcp_name_shorten(to, name);
    rcp_text_puts(to, *name ? "`" : "");
}

void rcp_finding_name(rcp_text *to, const rcp_finding *finding) {
    bool is_inside = false;
    for (size_t k = 0; k < 2; k++)
        is_inside |= rcp_own_place(finding->defs, &finding->access[k]).v != finding->access[k].loc.v;
    const uint64_t address = is_inside && finding->variable ? finding->variable->addr : finding->address;
    rcp_defs_name_access(finding->defs, finding->variable, address, rcp_finding_member(finding), to);
}

bool rcp_finding_shared(rcp_text *to, const rcp_finding *finding) {
    rcp_text name = {0}, first = {0};
    if (finding->variable) /* all of it: "x", and not "x+4" */
        rcp_defs_name_access(finding->defs, finding->variable, finding->variable->addr, rcp_finding_member(finding),
                             &name);
    else
        rcp_finding_name(&name, finding);
    const char *of = name.len ? strstr(name.at, " of ") : NULL;
    const bool is_named = name.len != 0;
    if (is_named) {
        rcp_text_add(&first, name.at, of ? (size_t)(of - name.at) : name.len);
        rcp_text_puts(to, "`");
        rcp_name_shorten(to, first.at);
        rcp_text_puts(to, "`");
        rcp_name_shorten(to, of ? of : "");
    }
    rcp_text_finish(&name);
    rcp_text_finish(&first);
    return is_named;
}

/* A test of CTest's may be one case of a program, or all of them. */
void rcp_finding_test(rcp_text *to, const rcp_finding *finding) {
    rcp_text cases[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        rcp_testcase_print(&cases[k], finding->defs, finding->test[k]);
        rcp_text_puts(&cases[k], "");
    }
    const char *first = cases[0].len ? cases[0].at : cases[1].at;
    if (finding->ctest)
        rcp_text_puts(to, finding->ctest);
    if (*first && !(finding->ctest && strstr(finding->ctest, first)))
        rcp_text_printf(to, "%s%s", to->len ? ": " : "", first);
    if (cases[1].len && strcmp(cases[1].at, first) != 0)
        rcp_text_printf(to, ", %s", cases[1].at);
    for (int k = 0; k < 2; k++)
        rcp_text_finish(&cases[k]);
}
