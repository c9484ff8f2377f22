/* SPDX-License-Identifier: Apache-2.0 */
/* small_programs source FIRST COUNT        these programs as one C file, its argument says which one is run
 * small_programs partly FIRST COUNT        the same, with some statements in functions m_…, to be left out
 * small_programs show SEED                 the program, its races and its outcomes
 * small_programs outcomes SEED             its outcomes
 * small_programs guarded FIRST COUNT       their races by the papers' guarded formula, against every schedule of them
 * small_programs check SEED DIR OUT ERR REPORT
 *     a run of it that 'recipe run --format json --report REPORT -o DIR' recorded, analysed and replayed, against every
 * schedule of the program; OUT and ERR have what was printed. Prints a line of counts; 1 where something is wrong.
 * small_programs check-partly SEED DIR OUT ERR REPORT
 *     the same where some of it was left out: nothing may be reported that no schedule shows.
 * small_programs check-hunt SEED REPORT
 *     what 'recipe hunt --format json' reported of it, against every schedule: nothing that none shows, and where the
 *     hunt says that it saw all classes of runs, every race, and no end that there is besides. */
#include "prop/sample.h"
#include "prop/small/guarded.h"
#include "prop/small/partly.h"
#include "prop/small/reported.h"
#include "prop/small/walk.h"
#include "trace/store/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 100000, DEADLOCKS = 16, CLEAN = 3, GUARDED = 4 };

/* The program of a seed: the first attempt whose schedules can all be explored. Most can't deadlock, and most race. */
static void choose(rcp_small_program *program, uint64_t seed, rcp_small_exploration *found) {
    for (unsigned attempt = 0;; attempt++) {
        rcp_small_make(program, seed, attempt);
        rcp_small_explore(program, RCP_SMALL_FREE, NULL, STATES, found);
        bool may_deadlock = seed % DEADLOCKS == 0, may_be_clean = seed % CLEAN == 0;
        if (found->is_whole && (!found->deadlocks || may_deadlock) && (found->races.len || may_be_clean))
            return;
        rcp_small_exploration_finish(found);
        rcp_small_finish(program);
    }
}

static int print_source(uint64_t first, uint64_t count, bool partly) {
    printf("#include <pthread.h>\n#include <semaphore.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
           "#include <unistd.h>\n"
           "#define RESULT ((void *)(long)(int)(r0 + 10u * r1 + 100u * r2 + 1000u * r3))\n");
    if (partly)
        fputs(rcp_small_left_out, stdout);
    for (uint64_t i = first; i < first + count; i++) {
        rcp_small_program program;
        rcp_small_exploration found;
        rcp_text text = {0};
        choose(&program, i, &found);
        if (partly)
            rcp_small_partly(&program, &text);
        fputs(partly ? text.at : program.text.at, stdout);
        rcp_text_finish(&text);
        rcp_small_exploration_finish(&found);
        rcp_small_finish(&program);
    }
    printf("#line 1 \"choose.c\"\nint main(int argc, char **argv) {\n    switch (argc > 1 ? atol(argv[1]) : 0) {\n");
    for (uint64_t i = first; i < first + count; i++)
        printf("    case %" PRIu64 ": return program_%" PRIu64 "();\n", i, i);
    printf("    }\n    return 99;\n}\n");
    return 0;
}

static void print_races(FILE *to, const char *head, const rcp_small_races *races) {
    fprintf(to, "%s:", head);
    for (size_t i = 0; i < races->len; i++) {
        const rcp_small_race *r = &races->at[i];
        fprintf(to, " %d%c-%d%c", r->line[0], r->does[0], r->line[1], r->does[1]);
    }
    fprintf(to, "\n");
}

static int show(uint64_t seed, bool everything) {
    rcp_small_program program;
    rcp_small_exploration found;
    choose(&program, seed, &found);
    if (everything) {
        const char *body = strstr(program.text.at, "#line");
        unsigned line = 0;
        for (const char *at = strchr(body, '\n') + 1, *next; *at && *at != '#'; at = next) {
            next = strchr(at, '\n') + 1;
            printf("%3u %.*s", ++line, (int)(next - at), at);
        }
        printf("%zu states\n", found.states);
        print_races(stdout, "races", &found.races);
    }
    for (size_t i = 0; i < found.outcomes.len; i++)
        puts(found.outcomes.at[i]);
    rcp_small_exploration_finish(&found);
    rcp_small_finish(&program);
    return 0;
}

/* --- the guarded formula --- */

/* Those of `a` that neither `b` nor `also` has. */
static bool differ(const char *head, uint64_t seed, const rcp_small_races *a, const rcp_small_races *b,
                   const rcp_small_races *also) {
    rcp_small_races rest = {0};
    for (size_t i = 0; i < a->len; i++)
        if (!rcp_small_races_have(b, a->at[i]) && !(also && rcp_small_races_have(also, a->at[i])))
            rcp_small_races_add(&rest, a->at[i]);
    if (rest.len) {
        fprintf(stderr, "program %" PRIu64 ": ", seed);
        print_races(stderr, head, &rest);
    }
    bool some = rest.len;
    rcp_vec_finish(&rest);
    return some;
}

static bool compare_guarded(const rcp_small_program *program, const rcp_small_exploration *found,
                            const rcp_small_guarded *guarded) {
    bool more =
        differ("by the guarded formula, and in no schedule", program->seed, &guarded->races, &found->races, NULL);
    bool less = differ("in a schedule, and not by the guarded formula", program->seed, &found->races, &guarded->races,
                       &guarded->undecided);
    return more || less;
}

static int guard(uint64_t first, uint64_t count) {
    uint64_t told = 0, asked = 0, unknown = 0, races = 0, wrong = 0;
    if (rcp_is_sample()) {
        printf("sampled: %" PRIu64 " of %" PRIu64 " small random programs\n", count / 3, count);
        count /= 3;
    }
    for (uint64_t i = first; i < first + count; i++) {
        rcp_small_program program;
        rcp_small_exploration found;
        rcp_small_guarded guarded;
        choose(&program, i, &found);
        rcp_small_guard(&program, &guarded);
        if (guarded.is_told) {
            told++;
            asked += guarded.asked;
            unknown += guarded.unknown;
            races += guarded.races.len;
            wrong += compare_guarded(&program, &found, &guarded);
        }
        rcp_small_guarded_finish(&guarded);
        rcp_small_exploration_finish(&found);
        rcp_small_finish(&program);
    }
    printf("%" PRIu64 " of %" PRIu64 " programs, %" PRIu64 " pairs: %" PRIu64 " race, %" PRIu64 " unknown; %" PRIu64
           " programs disagree\n",
           told, count, asked, races, unknown, wrong);
    return wrong != 0;
}

/* --- check --- */

typedef struct checking {
    bool is_partly; /* some of it was left out: there is no path */
    rcp_small_program program;
    rcp_small_exploration all, same_way, same_values;
    rcp_small_path path;
    rcp_small_state last;
    rcp_trace trace;
    rcp_small_reported reported;
    rcp_small_guarded guarded; /* of some */
    unsigned wrong;
} checking;

static void complain(checking *c, const char *what, const rcp_small_races *races) {
    c->wrong++;
    fprintf(stderr, "program %" PRIu64 ": ", c->program.seed);
    if (races)
        print_races(stderr, what, races);
    else
        fprintf(stderr, "%s\n", what);
}

/* Those of `a` that `b` does not have. */
static rcp_small_races without(const rcp_small_races *a, const rcp_small_races *b) {
    rcp_small_races rest = {0};
    for (size_t i = 0; i < a->len; i++)
        if (!rcp_small_races_have(b, a->at[i]))
            rcp_small_races_add(&rest, a->at[i]);
    return rest;
}

static void expect_within(checking *c, const rcp_small_races *a, const rcp_small_races *b, const char *what) {
    rcp_small_races rest = without(a, b);
    if (rest.len)
        complain(c, what, &rest);
    rcp_vec_finish(&rest);
}

/* The same of those that some schedule shows: a compare-and-swap that succeeded when recorded may fail where it would
 * race, and then it only reads. */
static void expect_found(checking *c, const rcp_small_races *a, const rcp_small_races *b, const char *what) {
    rcp_small_races rest = without(a, b), never = without(&rest, &c->all.races), missed = without(&rest, &never);
    if (missed.len)
        complain(c, what, &missed);
    rcp_vec_finish(&rest);
    rcp_vec_finish(&never);
    rcp_vec_finish(&missed);
}

/* How the recorded run ended, in the words of rcp_small_outcome(). */
static void say_outcome(const char *printed, const char *said, rcp_text *outcome) {
    const char *code = strstr(said, " exited with ");
    if (strstr(said, " died of SIGSEGV"))
        rcp_text_puts(outcome, "crash");
    else if (strstr(said, " deadlocked, and was ended"))
        rcp_text_puts(outcome, "deadlock");
    else if (code)
        rcp_text_printf(outcome, "exit %lu", strtoul(code + strlen(" exited with "), NULL, 10));
    else
        rcp_text_puts(outcome, printed);
}

static void check_outcome(checking *c, const char *printed, const char *said) {
    rcp_text walked = {0}, outcome = {0};
    say_outcome(printed, said, &outcome);
    if (!c->is_partly)
        rcp_small_outcome(&c->program, &c->last, &walked);
    if (!c->is_partly && c->last.end == RCP_SMALL_RETURNED && strcmp(outcome.at, walked.at) != 0)
        complain(c, "it printed something else than the trace's events say", NULL);
    bool is_known = false;
    for (size_t i = 0; i < c->all.outcomes.len; i++)
        is_known |= !strcmp(c->all.outcomes.at[i], outcome.at);
    if (!is_known) {
        complain(c, "it did what no schedule does:", NULL);
        fprintf(stderr, "  %s\n", outcome.at);
    }
    rcp_text_finish(&outcome);
    rcp_text_finish(&walked);
}

/* What comes after the end of a run that was cut short is nobody's to know. */
static bool must_be_whole(const checking *c) {
    const rcp_small_reported *r = &c->reported;
    return !c->is_partly && r->was_run[RCP_SMALL_RECIPE_PLUS] && !r->unknown && !r->rejected &&
           c->last.end == RCP_SMALL_RETURNED;
}

static void check_models(checking *c) {
    const rcp_small_reported *r = &c->reported;
    char what[128];
    for (int i = 0; i < RCP_SMALL_MODELS; i++) {
        snprintf(what, sizeof what, "%s reports what no schedule shows", rcp_small_model_names[i]);
        expect_within(c, &r->races[i], &c->all.races, what);
    }
    static const uint8_t chains[][2] = {
        {RCP_SMALL_MC, RCP_SMALL_RV},           {RCP_SMALL_RV, RCP_SMALL_RECIPE_S},
        {RCP_SMALL_SHB, RCP_SMALL_MC},          {RCP_SMALL_WDP, RCP_SMALL_RECIPE_S},
        {RCP_SMALL_RECIPE_S, RCP_SMALL_RECIPE}, {RCP_SMALL_RECIPE, RCP_SMALL_RECIPE_PLUS}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        if (!r->was_run[chains[i][0]] || !r->was_run[chains[i][1]])
            continue;
        snprintf(what, sizeof what, "%s has them and %s does not", rcp_small_model_names[chains[i][0]],
                 rcp_small_model_names[chains[i][1]]);
        expect_within(c, &r->races[chains[i][0]], &r->races[chains[i][1]], what);
    }
    if (c->is_partly)
        return;
    if (r->was_run[RCP_SMALL_MC] && !r->unknown)
        expect_found(c, &c->same_values.races, &r->races[RCP_SMALL_MC], "mc misses");
    if (r->was_run[RCP_SMALL_MC])
        expect_within(c, &r->races[RCP_SMALL_MC], &c->same_values.races, "mc reports what needs other values");
    if (r->was_run[RCP_SMALL_RECIPE_S] && !r->unknown)
        expect_found(c, &c->same_way.races, &r->races[RCP_SMALL_RECIPE_S], "recipe-s misses");
    if (r->was_run[RCP_SMALL_RECIPE_S])
        expect_within(c, &r->races[RCP_SMALL_RECIPE_S], &c->same_way.races, "recipe-s reports what needs other ways");
    if (must_be_whole(c))
        expect_within(c, &c->all.races, &r->races[RCP_SMALL_RECIPE_PLUS], "recipe+ rejects nothing and misses");
}

/* Variants, against both sides in one formula. */
static void check_guarded(checking *c) {
    rcp_small_races *also = &c->guarded.undecided, *found = &c->reported.races[RCP_SMALL_RECIPE_PLUS];
    if (c->is_partly || c->program.seed % GUARDED != 1 || !c->reported.was_run[RCP_SMALL_RECIPE_PLUS])
        return;
    rcp_small_guard(&c->program, &c->guarded);
    if (!c->guarded.is_told)
        return;
    c->wrong +=
        differ("recipe+ reports what the guarded formula has not", c->program.seed, found, &c->guarded.races, also);
    if (must_be_whole(c))
        c->wrong += differ("the guarded formula has what recipe+ misses, and rejects nothing", c->program.seed,
                           &c->guarded.races, found, NULL);
}

static void print_counts(const checking *c) {
    printf("seed=%" PRIu64 " states=%zu all=%zu way=%zu values=%zu", c->program.seed, c->all.states, c->all.races.len,
           c->same_way.races.len, c->same_values.races.len);
    for (int i = 0; i < RCP_SMALL_MODELS; i++)
        if (c->reported.was_run[i])
            printf(" %s=%zu", rcp_small_model_names[i], c->reported.races[i].len);
    printf(" guarded=%d pairs=%u", c->guarded.is_told, c->guarded.asked);
    printf(" confirmed=%u unconfirmed=%u unknown=%u unproven=%u rejected=%lu whole=%d within=%zu\n",
           c->reported.confirmed, c->reported.not_confirmed, c->reported.unknown, c->reported.unproven,
           c->reported.rejected, must_be_whole(c), must_be_whole(c) ? c->all.races.len : 0);
}

static int check(uint64_t seed, const char *dir, char *const files[3], bool partly) {
    checking c = {.is_partly = partly};
    rcp_text printed = {0}, said = {0}, report = {0};
    rcp_trace_init(&c.trace);
    if (rcp_trace_load(&c.trace, dir) != RCP_OK || rcp_text_read_file(&printed, files[0]) != RCP_OK ||
        rcp_text_read_file(&said, files[1]) != RCP_OK || rcp_text_read_file(&report, files[2]) != RCP_OK) {
        rcp_print_causes(stderr);
        return 3;
    }
    rcp_text_puts(&said, "");
    rcp_text_puts(&printed, "");
    rcp_text_puts(&report, "");
    choose(&c.program, seed, &c.all);
    if (!partly && rcp_small_walk(&c.program, &c.trace, &c.path, &c.last) != RCP_OK) {
        complain(&c, "the recorded run is none of the program's:", NULL);
        rcp_print_causes(stderr);
        return 1;
    }
    if (!partly) {
        rcp_small_explore(&c.program, RCP_SMALL_SAME_WAY, &c.path, STATES, &c.same_way);
        rcp_small_explore(&c.program, RCP_SMALL_SAME_VALUES, &c.path, STATES, &c.same_values);
    }
    rcp_small_reported_read(&c.reported, report.at, &c.program);
    check_outcome(&c, printed.at, said.at);
    if (c.reported.odd[0])
        complain(&c, c.reported.odd, NULL);
    if (c.reported.not_confirmed)
        complain(&c, "a race was not confirmed by replay", NULL);
    check_models(&c);
    check_guarded(&c);
    print_counts(&c);
    rcp_small_guarded_finish(&c.guarded);
    rcp_small_reported_finish(&c.reported);
    rcp_small_exploration_finish(&c.all);
    rcp_small_exploration_finish(&c.same_way);
    rcp_small_exploration_finish(&c.same_values);
    rcp_small_path_finish(&c.path);
    rcp_small_finish(&c.program);
    rcp_trace_finish(&c.trace);
    rcp_text_finish(&report);
    rcp_text_finish(&printed);
    rcp_text_finish(&said);
    return c.wrong != 0;
}

/* --- hunts --- */

static bool has_outcome(const rcp_small_exploration *found, const char *outcome) {
    for (size_t i = 0; i < found->outcomes.len; i++)
        if (!strcmp(found->outcomes.at[i], outcome))
            return true;
    return false;
}

/* Is the list of that name there, and not empty? */
static bool has_items(const char *json, const char *name) {
    const char *list = strstr(json, name);
    return list && list[strlen(name)] != ']';
}

static uint64_t number_of(const char *hunt, const char *key) {
    const char *at = strstr(hunt, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static int check_hunt(uint64_t seed, const char *path) {
    checking c = {.is_partly = true};
    rcp_text report = {0};
    if (rcp_text_read_file(&report, path) != RCP_OK) {
        rcp_print_causes(stderr);
        return 3;
    }
    rcp_text_puts(&report, "");
    choose(&c.program, seed, &c.all);
    rcp_small_reported_read(&c.reported, report.at, &c.program);
    const char *hunt = strstr(report.at, "\"hunt\": {");
    if (c.reported.odd[0] || !hunt)
        complain(&c, c.reported.odd[0] ? c.reported.odd : "there is no hunt", NULL);
    hunt = hunt ? hunt : "";
    const bool is_complete = strstr(hunt, "\"complete\": true, \"seconds\"") != NULL;
    const bool crashed = has_items(report.at, "\"crashes\": ["), deadlocked = has_items(report.at, "\"deadlocks\": [");
    expect_within(&c, &c.reported.all, &c.all.races, "the hunt reports what no schedule shows");
    if (c.reported.not_confirmed)
        complain(&c, "a race was not confirmed by replay", NULL);
    if ((crashed && !has_outcome(&c.all, "crash")) || (deadlocked && !c.all.deadlocks))
        complain(&c, "the hunt reports an end that no schedule has", NULL);
    if (is_complete)
        expect_within(&c, &c.all.races, &c.reported.all, "the hunt ends and misses");
    if (is_complete && ((c.all.deadlocks && !deadlocked) || (has_outcome(&c.all, "crash") && !crashed)))
        complain(&c, "the hunt ends and misses a deadlock or a crash", NULL);
    printf("seed=%" PRIu64 " complete=%d runs=%" PRIu64 " classes=%" PRIu64 " again=%" PRIu64 " open=%" PRIu64
           " all=%zu found=%zu whole=%zu interleavings=%.0f\n",
           seed, is_complete, number_of(hunt, "\"runs\": "), number_of(hunt, "\"classes\": "),
           number_of(hunt, "\"runs_again\": "), number_of(hunt, "\"turns_open\": "), c.all.races.len,
           c.reported.all.len, is_complete ? c.all.races.len : 0, c.all.interleavings);
    rcp_small_reported_finish(&c.reported);
    rcp_small_exploration_finish(&c.all);
    rcp_small_finish(&c.program);
    rcp_text_finish(&report);
    return c.wrong != 0;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    if (argc == 4 && (!strcmp(argv[1], "source") || !strcmp(argv[1], "partly")))
        return print_source(seed, strtoull(argv[3], NULL, 0), argv[1][0] == 'p');
    if (argc == 4 && !strcmp(argv[1], "guarded"))
        return guard(seed, strtoull(argv[3], NULL, 0));
    if (argc == 3 && (!strcmp(argv[1], "show") || !strcmp(argv[1], "outcomes")))
        return show(seed, argv[1][0] == 's');
    if (argc == 4 && !strcmp(argv[1], "check-hunt"))
        return check_hunt(seed, argv[3]);
    if (argc == 7 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "check-partly")))
        return check(seed, argv[3], argv + 4, argv[1][5]);
    fputs("usage: small_programs source FIRST COUNT | partly FIRST COUNT | guarded FIRST COUNT | show SEED | "
          "outcomes SEED | check SEED DIR OUT ERR REPORT | check-partly SEED DIR OUT ERR REPORT | "
          "check-hunt SEED REPORT\n",
          stderr);
    return 2;
}
