/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/label.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* T and a number: reads like the names that we make up. */
static bool is_numbered(const char *name) {
    size_t digits = strspn(name + 1, "0123456789");
    return name[0] == 'T' && digits && !name[1 + digits];
}

rcp_label rcp_label_thread(const rcp_defs *defs, rcp_tid tid) {
    rcp_label label;
    const char *name = rcp_defs_borrow_string(defs, defs->threads.at[tid.v].name);
    if (*name && is_numbered(name))
        snprintf(label.at, sizeof label.at, "%.40s", name);
    else if (*name)
        snprintf(label.at, sizeof label.at, "T%u (%.32s)", tid.v, name);
    else
        snprintf(label.at, sizeof label.at, "T%u", tid.v);
    return label;
}

rcp_label rcp_label_object(const rcp_defs *defs, rcp_obj object) {
    rcp_label label;
    const rcp_object *o = &defs->objects.at[object.v];
    const char *name = rcp_defs_borrow_string(defs, o->name);
    if (*name)
        snprintf(label.at, sizeof label.at, "%s %.36s", rcp_object_kind_name(o->kind), name);
    else
        snprintf(label.at, sizeof label.at, "%s o%u", rcp_object_kind_name(o->kind), object.v);
    return label;
}

bool rcp_refuse(char why[RCP_REASON_ROOM], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, RCP_REASON_ROOM, format, arguments);
    va_end(arguments);
    return false;
}
