/* SPDX-License-Identifier: Apache-2.0 */
/* make_program SEED: a random C program on standard output.
 * make_program --coverage N [SEED]: how many of N programs have each feature; fails if one never occurs. */
#include "prop/maker/maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fputs("usage: make_program SEED | --coverage N [FIRST SEED]\n", stderr);
    return 2;
}

static int cover(unsigned long n, unsigned long first) {
    unsigned long counts[RCP_FEATURE_COUNT] = {0}, bytes = 0;
    int never = 0;
    for (unsigned long i = 0; i < n; i++) {
        rcp_maker maker;
        rcp_maker_init(&maker, first + i, rcp_size_default());
        rcp_maker_run(&maker);
        for (int f = 0; f < RCP_FEATURE_COUNT; f++)
            counts[f] += maker.has[f];
        bytes += maker.out.len;
        rcp_maker_finish(&maker);
    }
    for (int f = 0; f < RCP_FEATURE_COUNT; f++) {
        printf("%-20s %lu\n", rcp_feature_names[f], counts[f]);
        never += !counts[f];
    }
    printf("%lu programs, %lu bytes each, %d features that never occur\n", n, n ? bytes / n : 0, never);
    return never != 0;
}

int main(int argc, char **argv) {
    if (argc >= 3 && !strcmp(argv[1], "--coverage"))
        return cover(strtoul(argv[2], NULL, 0), argc > 3 ? strtoul(argv[3], NULL, 0) : 1);
    if (argc != 2 || argv[1][0] == '-')
        return usage();
    rcp_maker maker;
    rcp_maker_init(&maker, strtoull(argv[1], NULL, 0), rcp_size_default());
    rcp_maker_run(&maker);
    printf("/* make_program %s%s */\n", argv[1], maker.serial ? ": serial" : "");
    fwrite(maker.out.at, 1, maker.out.len, stdout);
    rcp_maker_finish(&maker);
    return 0;
}
