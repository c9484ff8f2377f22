/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/args.h"

#include "base/hash.h"
#include "prop/sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec;
}

static _Noreturn void usage(const char *program) {
    fprintf(stderr,
            "usage: %s [--seed N [--exact]] [--count N] [--sample N] [--time SECONDS] [--events N] [--stats]\n"
            "  --exact   the seed is one trace's own, as a failure prints it\n"
            "  --sample  the count where RECIPE_CHECK=sample\n",
            program);
    exit(2);
}

rcp_args rcp_args_parse(int argc, char **argv, uint64_t default_count) {
    rcp_args args = {.seed = 1, .count = default_count, .started = now()};
    uint64_t sample = 0;
    for (int i = 1; i < argc; i++) {
        uint64_t *number = NULL, events = 0;
        if (!strcmp(argv[i], "--seed"))
            number = &args.seed;
        else if (!strcmp(argv[i], "--count"))
            number = &args.count;
        else if (!strcmp(argv[i], "--sample"))
            number = &sample;
        else if (!strcmp(argv[i], "--time"))
            number = &args.seconds;
        else if (!strcmp(argv[i], "--events"))
            number = &events;
        else if (!strcmp(argv[i], "--stats"))
            args.stats = true;
        else if (!strcmp(argv[i], "--exact"))
            args.exact = true;
        else
            usage(argv[0]);
        if (!number)
            continue;
        char *end = NULL;
        if (i + 1 < argc)
            *number = strtoull(argv[++i], &end, 0);
        if (!end || *end || end == argv[i])
            usage(argv[0]);
        if (number == &events)
            args.max_events = (uint32_t)events;
    }
    if (sample && rcp_is_sample()) {
        printf("sampled: %" PRIu64 " of %" PRIu64 " traces\n", sample, args.count);
        args.count = sample;
    }
    if (args.exact)
        args.count = 1;
    printf("seed %" PRIu64 "%s, up to %" PRIu64 " traces\n", args.seed, args.exact ? " (exact)" : "", args.count);
    fflush(stdout);
    return args;
}

bool rcp_args_go_on(const rcp_args *args, uint64_t i) {
    return i < args->count && (!args->seconds || now() - args->started < args->seconds);
}

uint64_t rcp_args_seed(const rcp_args *args, uint64_t i) {
    return args->exact ? args->seed : rcp_hash_join(args->seed, i);
}
