/* SPDX-License-Identifier: Apache-2.0 */
/* instrument_one INPUT OUTPUT HOOKS SCRATCH [no-regions]: one module through the recording pass, and what it says. */
#include "instrument/instrument.h"

int main(int argc, char **argv) {
    if (argc != 5 && argc != 6) {
        fprintf(stderr, "usage: instrument_one INPUT OUTPUT HOOKS SCRATCH [no-regions]\n");
        return 2;
    }
    rcp_instrument_request request = {.input = argv[1],
                                      .output = argv[2],
                                      .inline_hooks = argv[3],
                                      .scratch = argv[4],
                                      .verbose = true,
                                      .no_regions = argc == 6};
    rcp_instrument_report report;
    rcp_code code = rcp_instrument(&request, &report);
    if (code != RCP_OK)
        rcp_print_causes(stderr);
    else
        printf("functions %u, opaque %u, events %u, regions %u, bitcode %llu\n%s", report.functions, report.opaque,
               report.events, report.regions, (unsigned long long)report.bitcode,
               report.notes.len ? report.notes.at : "");
    rcp_instrument_report_finish(&report);
    return code != RCP_OK;
}
