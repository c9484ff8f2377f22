/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the report of a trace directory: what 'report' does, and 'analyze' and 'run' at their ends. Owns nothing. */
#ifndef RECIPE_CLI_SHOW_H
#define RECIPE_CLI_SHOW_H

#include "base/status.h"
#include "cli/asides.h"
#include "cli/exit_codes.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

/* What makes an answer without races exit with LIMIT (report/gaps.h). */
typedef enum rcp_strict {
    RCP_STRICT_NOT,
    RCP_STRICT,    /* whatever was not looked at */
    RCP_STRICT_ALL /* and what is assumed of code outside */
} rcp_strict;

typedef enum rcp_color {
    RCP_COLOR_AUTO, /* where a terminal is written to, and NO_COLOR is not set */
    RCP_COLOR_ALWAYS,
    RCP_COLOR_NEVER
} rcp_color;

typedef struct rcp_show {
    const char *directory;
    const char *path;      /* as rcp_output_open() takes it */
    rcp_report_form *form; /* NULL: for people */
    bool after_program;    /* the program had the same standard output and error, and may have left a line open there */
    bool statistics;       /* the numbers that the analyses kept follow on standard error */
    rcp_strict strict;
    bool count_unconfirmed; /* as if they were races */
    bool is_judged;         /* the program was to be asked: what no replay is stored of was not tried */
    bool is_alone;          /* of the program itself, whatever other processes were recorded */
    bool has_full_names;    /* C++ names whole, and every frame */
    bool is_brief;          /* for people: a line per entry */
    rcp_color color;        /* for people */
    bool is_silent;         /* nothing is printed: for the outcome */
    rcp_text *into;         /* where the report goes instead; NULL: to `path` */
    rcp_asides *asides;     /* what does not count; NULL: everything does */
    uint64_t race;          /* 0: the report; else only this race, whole, for people */
    uint64_t witness;       /* 0: the report; else only the witness of this race, in its text form */
} rcp_show;

#define RCP_STRICT_OPTION                                                                                              \
    {"strict",                                                                                                         \
     0,                                                                                                                \
     "all",                                                                                                            \
     RCP_OPTION_SWITCH,                                                                                                \
     "exit with 4 where something was not looked at",                                                                  \
     "A limit that was reached, a part that was cut off, threads that never ran, replays that were not made; with "    \
     "=all also where something hangs on what is assumed of code that is not recorded. Races beat it: then the exit "  \
     "code is 1."}
#define RCP_UNCONFIRMED_OPTION                                                                                         \
    {"count-unconfirmed",                                                                                              \
     0,                                                                                                                \
     NULL,                                                                                                             \
     RCP_OPTION_FLAG,                                                                                                  \
     "exit with 1 also for what is unconfirmed",                                                                       \
     "That is: accepted by the checkers, and not shown by a replay. The report is the same."}

#define RCP_BRIEF_OPTION                                                                                               \
    {"brief",                                                                                                          \
     0,                                                                                                                \
     NULL,                                                                                                             \
     RCP_OPTION_FLAG,                                                                                                  \
     "a line per race, as compilers have them",                                                                        \
     "FILE:LINE:COLUMN: race ID: what is shared, and where. The last lines follow, as ever; 'recipe report --race "    \
     "ID' "                                                                                                            \
     "has one whole."}
#define RCP_COLOR_OPTION                                                                                               \
    {"color",                                                                                                          \
     0,                                                                                                                \
     "auto|always|never",                                                                                              \
     RCP_OPTION_CHOICE,                                                                                                \
     "colour what is for people",                                                                                      \
     "auto: where a terminal is written to, unless it is dumb (TERM) or NO_COLOR is set and not empty. No colour "     \
     "says "                                                                                                           \
     "what the words do not.",                                                                                         \
     .usual = "auto"}

/* For people, there: in colour? */
bool rcp_show_is_coloured(const char *path, rcp_color color);
/* As --color was given. */
rcp_color rcp_color_of(const char *word);
/* Is --brief said with another form, in one breath? From recipe.opts it is for the text alone. */
bool rcp_show_is_brief_wrong(const rcp_arguments *arguments, int row, const char *form);
/* As --strict was given; NULL: it was not. */
rcp_strict rcp_strict_of(const char *given);

/* `*outcome`: RACES where there are any; LIMIT where it is strict and not everything was looked at; else CLEAN. */
rcp_code rcp_show_report(const rcp_show *what, rcp_exit *outcome) RCP_MUST_USE;

#endif
