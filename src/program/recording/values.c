/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/values.h"

#include <string.h>

rcp_code rcp_values_open(const char *path, rcp_values *values) {
    *values = (rcp_values){0};
    RCP_TRY(rcp_mapped_open(path, &values->file));
    values->n = values->file.size / sizeof(struct rcp_logged_value);
    /* The file grows in windows: what the recorder did not get to fill is zero at its end. No event is: its bytes and
     * its thread may be 0, but then it is no load, which is kind 0. */
    struct rcp_logged_value v;
    while (values->n) {
        memcpy(&v, values->file.at + (values->n - 1) * sizeof v, sizeof v);
        if (v.what || v.address || v.value)
            break;
        values->n--;
    }
    return RCP_OK;
}

void rcp_values_close(rcp_values *values) { rcp_mapped_close(&values->file); }

bool rcp_values_next(rcp_values *values, struct rcp_logged_value *value) {
    if (values->at >= values->n)
        return false;
    memcpy(value, values->file.at + values->at++ * sizeof *value, sizeof *value);
    return true;
}
