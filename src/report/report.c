/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <string.h>

static const struct {
    const char *word;
    rcp_report_form *print;
} forms[] = {
    {"text", rcp_report_text},   {"json", rcp_report_json}, {"sarif", rcp_report_sarif},
    {"junit", rcp_report_junit}, {"html", rcp_report_html},
};

rcp_report_form *rcp_report_find_form(const char *word) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].word, word))
            return forms[i].print;
    RCP_CHECK(!"a form of the report");
    return NULL;
}
