/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/label.h"

#include <stdarg.h>
#include <stdio.h>

rcp_label rcp_label_thread(const rcp_defs *defs, rcp_tid tid) {
    rcp_label label;
    const char *name = rcp_defs_borrow_string(defs, defs->threads.at[tid.v].name);
    if (*name)
        snprintf(label.at, sizeof label.at, "T%u (%.32s)", tid.v + 1, name);
    else
        snprintf(label.at, sizeof label.at, "T%u", tid.v + 1);
    return label;
}

rcp_label rcp_label_object(const rcp_defs *defs, rcp_obj object) {
    rcp_label label;
    const rcp_object *o = &defs->objects.at[object.v];
    const char *name = rcp_defs_borrow_string(defs, o->name);
    if (*name)
        snprintf(label.at, sizeof label.at, "%s %.36s", rcp_object_kind_name(o->kind), name);
    else
        snprintf(label.at, sizeof label.at, "%s #%u", rcp_object_kind_name(o->kind), object.v);
    return label;
}

bool rcp_refuse(char why[RCP_REASON_ROOM], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, RCP_REASON_ROOM, format, arguments);
    va_end(arguments);
    return false;
}
