/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/importer.h"

#include <string.h>

/* Where variables are put: away from 0, 8 bytes each. */
enum { FIRST_ADDRESS = 0x10000000, VARIABLE_BYTES = 8 };

static const char negative_mark[] = "negative";

void rcp_importer_init(rcp_importer *in, const char *name, const char *format, const char *text, size_t len,
                       rcp_trace *trace) {
    *in = (rcp_importer){.trace = trace};
    rcp_scan_init(&in->scan, name, text, len);
    rcp_names_init(&in->threads);
    rcp_names_init(&in->locks);
    rcp_names_init(&in->variables);
    rcp_defs_fact(&trace->defs, "format", format);
    rcp_defs_fact(&trace->defs, "source", name);
    rcp_defs_fact(&trace->defs, "branches", "implicit");
    in->file = rcp_defs_string(&trace->defs, name, strlen(name));
    in->next = text;
}

void rcp_importer_finish(rcp_importer *in) {
    rcp_names_finish(&in->threads);
    rcp_names_finish(&in->locks);
    rcp_names_finish(&in->variables);
    rcp_vec_finish(&in->holders);
    rcp_vec_finish(&in->depths);
    rcp_text_finish(&in->string);
}

bool rcp_importer_line(rcp_importer *in, rcp_text_piece *line) {
    rcp_scan *scan = &in->scan;
    if (in->next == scan->end)
        return false;
    if (scan->line_begin != in->next)
        scan->line++;
    scan->line_begin = scan->at = in->next;
    const char *end = memchr(in->next, '\n', (size_t)(scan->end - in->next));
    *line = (rcp_text_piece){.at = in->next, .len = (size_t)((end ? end : scan->end) - in->next)};
    in->next = end ? end + 1 : scan->end;
    if (line->len && line->at[line->len - 1] == '\r')
        line->len--;
    return true;
}

rcp_code rcp_importer_check_name(const rcp_importer *in, const char *what, rcp_text_piece name, bool blanks) {
    if (!name.len)
        return rcp_scan_fail(&in->scan, name.at, "the name of a %s is missing here", what);
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.at[i];
        if (c < 0x20 || c == 0x7f || (c == ' ' && !blanks))
            return rcp_scan_fail(&in->scan, name.at + i, "the name of a %s can't hold %s", what,
                                 c == ' ' || c == '\t' ? "a blank" : "a control character");
    }
    return RCP_OK;
}

static const char *terminated(rcp_importer *in, rcp_text_piece name) {
    rcp_text_clear(&in->string);
    rcp_text_add(&in->string, name.at, name.len);
    return in->string.at;
}

rcp_tid rcp_importer_thread(rcp_importer *in, rcp_text_piece name) {
    rcp_tid tid = {rcp_names_get(&in->threads, name.at, name.len)};
    if (tid.v == RCP_NAMES_NONE) {
        tid = rcp_defs_thread(&in->trace->defs, terminated(in, name));
        rcp_names_add(&in->threads, name.at, name.len, tid.v);
    }
    return tid;
}

void rcp_importer_variable(rcp_importer *in, rcp_text_piece name, rcp_event *e) {
    rcp_defs *defs = &in->trace->defs;
    uint32_t i = rcp_names_get(&in->variables, name.at, name.len);
    if (i == RCP_NAMES_NONE) {
        i = (uint32_t)defs->variables.len;
        rcp_defs_variable(defs, terminated(in, name), FIRST_ADDRESS + (uint64_t)i * VARIABLE_BYTES, VARIABLE_BYTES);
        rcp_names_add(&in->variables, name.at, name.len, i);
    }
    e->addr = defs->variables.at[i].addr;
    e->size = VARIABLE_BYTES;
}

void rcp_importer_lock(rcp_importer *in, rcp_text_piece name, rcp_event *e) {
    rcp_defs *defs = &in->trace->defs;
    uint32_t i = rcp_names_get(&in->locks, name.at, name.len);
    if (i == RCP_NAMES_NONE) {
        i = rcp_defs_object(defs, RCP_MUTEX, terminated(in, name), 0, 0).v;
        rcp_names_add(&in->locks, name.at, name.len, i);
        rcp_vec_push(&in->holders, 0);
        rcp_vec_push(&in->depths, 0);
    }
    e->object.v = i;
    uint32_t me = e->tid.v + 1;
    if (e->kind == RCP_ACQUIRE) {
        if (in->holders.at[i] == me)
            defs->objects.at[i].kind = RCP_RECURSIVE;
        if (!in->holders.at[i])
            in->holders.at[i] = me;
        in->depths.at[i] += in->holders.at[i] == me;
    } else if (in->holders.at[i] == me && !--in->depths.at[i]) {
        in->holders.at[i] = 0;
    }
}

rcp_loc rcp_importer_location(rcp_importer *in, int64_t number) {
    rcp_location l = {.file = in->file, .line = (uint32_t)(number < 0 ? -number : number)};
    if (number < 0)
        l.function = rcp_defs_string(&in->trace->defs, negative_mark, sizeof negative_mark - 1);
    return rcp_defs_location(&in->trace->defs, l);
}

rcp_code rcp_importer_add(rcp_importer *in, const char *at, const rcp_event *e) {
    rcp_code code = rcp_trace_add(in->trace, e);
    return code == RCP_OK ? RCP_OK : rcp_scan_place(&in->scan, at, code);
}

bool rcp_defs_are_imported(const rcp_defs *defs) {
    const char *format = rcp_defs_borrow_fact(defs, "format");
    return format && (!strcmp(format, "std") || !strcmp(format, "valued"));
}

int64_t rcp_imported_location(const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *l = &defs->locations.at[loc.v];
    return strcmp(rcp_defs_borrow_string(defs, l->function), negative_mark) ? l->line : -(int64_t)l->line;
}
