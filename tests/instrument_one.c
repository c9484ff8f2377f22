/* SPDX-License-Identifier: Apache-2.0 */
/* instrument_one INPUT OUTPUT HOOKS SCRATCH: one module through the recording pass, and what it says of it. */
#include "instrument/instrument.h"

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: instrument_one INPUT OUTPUT HOOKS SCRATCH\n");
        return 2;
    }
    rcp_instrument_request request = {
        .input = argv[1], .output = argv[2], .inline_hooks = argv[3], .scratch = argv[4], .verbose = true};
    rcp_instrument_report report;
    rcp_code code = rcp_instrument(&request, &report);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    else
        printf("functions %u, opaque %u, events %u, bitcode %llu\n%s", report.functions, report.opaque, report.events,
               (unsigned long long)report.bitcode, report.notes.len ? report.notes.at : "");
    rcp_instrument_report_finish(&report);
    return code != RCP_OK;
}
