/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "cli/compiler.h"
#include "cli/defaults.h"
#include "cli/completion.h"
#include "cli/entry.h"
#include "cli/limits.h"
#include "cli/manual.h"
#include "cli/output.h"
#include "cli/packed.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static const rcp_command *const commands[] = {
    &rcp_cmd_cc,
    &rcp_cmd_cxx,
    &rcp_cmd_record,
    &rcp_cmd_analyze,
    &rcp_cmd_run,
    &rcp_cmd_hunt,
    &rcp_cmd_replay,
    &rcp_cmd_report,
    &rcp_cmd_pack,
    &rcp_cmd_unpack,
    &rcp_cmd_trace_import,
    &rcp_cmd_trace_export,
    &rcp_cmd_trace_stat,
    &rcp_cmd_trace_dump,
    &rcp_cmd_trace_check,
    &rcp_cmd_trace_schedule,
    &rcp_cmd_trace_reexecute,
    &rcp_cmd_doctor,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const char about[] =
    "Models, from what proves least to what proves most: hb shb wcp dc sdp wdp mc rv recipe-s recipe recipe+.\n"
    "\n"
    "Exit codes: 0 no race, 1 races or a deadlock, 2 usage, 3 bad input, 4 a limit was reached (--strict),\n"
    "5 internal, or the system refused. replay: 0 confirmed, 1 not. record exits as its program does; 125 recipe "
    "failed,\n"
    "126 the program can't run, 127 not found.\n"
    "\n"
    "Options may stand in a file, recipe.opts, of the directory in hand or the nearest one above it, a line each, and\n"
    "in RECIPE_OPTIONS. Each command takes its own; the command line comes last and wins. --verbose says what was "
    "taken.";

void rcp_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("recipe: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

rcp_exit rcp_give_up(rcp_code code) {
    fputs("recipe: ", stderr);
    rcp_print_causes(stderr);
    return rcp_exit_of(code);
}

rcp_exit rcp_usage(const rcp_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "recipe%s%s: ", command ? " " : "", command ? command->name : "");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (see 'recipe help%s%s')\n", command ? " " : "", command ? command->name : "");
    va_end(arguments);
    return command && command->runs_program ? RCP_EXIT_FAILED : RCP_EXIT_USAGE;
}

static rcp_exit show(rcp_text *text) {
    rcp_code code = rcp_output_all(NULL, text);
    rcp_text_finish(text);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

static rcp_exit overview(bool full, const char *group) {
    rcp_text text = {0};
    size_t stem = group ? strlen(group) : 0;
    rcp_text_printf(&text, "Usage: recipe %s%sCOMMAND [OPTION…] …\n", group ? group : "", group ? " " : "");
    if (!group)
        rcp_text_puts(&text,
                      "Finds data races in one run of a multithreaded program, and proves each with a schedule.\n");
    rcp_text_puts(&text, "\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        if (!group || (!strncmp(commands[i]->name, group, stem) && commands[i]->name[stem] == ' '))
            rcp_text_printf(&text, "  %-15s %s\n", commands[i]->name, commands[i]->summary);
    if (!group)
        rcp_text_printf(&text, "  %-15s %s\n", "help", "Says how a command is used.");
    rcp_text_puts(
        &text,
        "\n'recipe help COMMAND' says more; 'recipe COMMAND -h' is short; 'recipe help limits' lists every limit.\n");
    if (full && !group)
        rcp_text_printf(&text, "\n%s\n", about);
    return show(&text);
}

/* How many of the words are the command's name: 0, 1 or 2. */
static int match(const rcp_command *command, int argc, char **argv) {
    size_t n = strcspn(command->name, " ");
    if (argc < 1 || strlen(argv[0]) != n || memcmp(argv[0], command->name, n))
        return 0;
    if (!command->name[n])
        return 1;
    return argc > 1 && !strcmp(argv[1], command->name + n + 1) ? 2 : 0;
}

static const rcp_command *find(int argc, char **argv, int *words) {
    for (size_t i = 0; i < COMMANDS; i++)
        if ((*words = match(commands[i], argc, argv)))
            return commands[i];
    return NULL;
}

/* Is it the first word of commands that have two? */
static bool is_group(const char *word) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strncmp(commands[i]->name, word, strlen(word)) && commands[i]->name[strlen(word)] == ' ')
            return *word != 0;
    return false;
}

static rcp_exit unknown_command(int argc, char **argv) {
    char given[80];
    bool group = is_group(argv[0]);
    if (group && argc < 2)
        return rcp_usage(NULL, "'%s' needs a second word", argv[0]);
    snprintf(given, sizeof given, "%s%s%s", argv[0], group ? " " : "", group ? argv[1] : "");
    const char *best = NULL;
    size_t least = 3;
    for (size_t i = 0; i < COMMANDS; i++) {
        size_t distance = rcp_options_distance(given, commands[i]->name);
        const char *second = strchr(commands[i]->name, ' '); /* 'recipe dump' for 'recipe trace dump' */
        if (second && rcp_options_distance(given, second + 1) < distance)
            distance = rcp_options_distance(given, second + 1);
        if (distance < least) {
            least = distance;
            best = commands[i]->name;
        }
    }
    if (best)
        return rcp_usage(NULL, "unknown command '%s'; did you mean '%s'?", given, best);
    return rcp_usage(NULL, "unknown command '%s'", given);
}

static rcp_exit help_on(const rcp_command *command, bool full) {
    rcp_text text = {0};
    rcp_options_help(&text, command, full);
    return show(&text);
}

/* `recipe help --man DIR`, for the build: no row of any table, since nobody else wants it. */
static rcp_exit write_manual(const char *directory) {
    rcp_code code = rcp_manual_write(directory, commands, COMMANDS, about);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

static rcp_exit write_completion(void) {
    rcp_text text = {0};
    rcp_completion(&text, commands, COMMANDS);
    return show(&text);
}

static rcp_exit help(int argc, char **argv) {
    int words;
    if (!argc)
        return overview(true, NULL);
    if (argc == 2 && !strcmp(argv[0], "--man"))
        return write_manual(argv[1]);
    if (argc == 1 && !strcmp(argv[0], "--completion"))
        return write_completion();
    const rcp_command *command = find(argc, argv, &words);
    if (command && argc > words)
        return rcp_usage(NULL, "'%s' is one operand too many", argv[words]);
    if (command)
        return help_on(command, true);
    if (argc == 1 && is_group(argv[0]))
        return overview(true, argv[0]);
    if (argc == 1 && !strcmp(argv[0], "limits")) {
        rcp_text text = {0};
        rcp_limits_list(&text);
        return show(&text);
    }
    if (argc == 1 && !strcmp(argv[0], "help"))
        return overview(true, NULL);
    return unknown_command(argc, argv);
}

static rcp_exit enter_and_run(const rcp_command *command, const rcp_arguments *arguments) {
    rcp_code code = RCP_OK;
    if (command->entry == RCP_ENTRY_READ)
        code = rcp_packed_open((const char **)&arguments->operand[0]);
    if (code == RCP_OK && command->entry)
        code = rcp_enter(arguments->operand[0], command->entry);
    rcp_exit outcome = code == RCP_OK ? command->run(arguments) : rcp_give_up(code);
    rcp_packed_close();
    return outcome;
}

/* With --verbose: what the command line does not say. */
static void say_defaults(const rcp_command *command, const rcp_arguments *arguments, const rcp_defaults *defaults) {
    for (size_t i = 0; i < command->n_options; i++)
        if (!strcmp(command->options[i].name, "verbose") && arguments->option[i])
            for (const char *line = defaults->taken.at; line && *line; line += strcspn(line, "\n") + 1)
                rcp_say("%.*s", (int)strcspn(line, "\n"), line);
}

static rcp_exit run(const rcp_command *command, int argc, char **argv) {
    rcp_arguments arguments;
    rcp_defaults defaults;
    rcp_text wrong = {0};
    rcp_exit code;
    switch (rcp_defaults_parse(&defaults, command, commands, COMMANDS, argc, argv, &arguments, &wrong)) {
    case RCP_PARSED:
        say_defaults(command, &arguments, &defaults);
        code = enter_and_run(command, &arguments);
        break;
    case RCP_PARSED_WRONG: code = rcp_usage(command, "%s", wrong.at); break;
    case RCP_PARSED_HELP: code = help_on(command, true); break;
    default: code = help_on(command, false);
    }
    rcp_text_finish(&wrong);
    rcp_defaults_finish(&defaults);
    return code;
}

static void (*pipe_was)(int), (*file_size_was)(int);

void rcp_restore_signals(void) {
    signal(SIGPIPE, pipe_was);
    signal(SIGXFSZ, file_size_was);
}

/* Files of ours must not get the numbers of a standard output or error that was closed: what is printed would go there.
 * A program that we start has them closed as it would without us, and who writes there is told so as ever. */
static void keep_clear(int fd) {
    int nowhere = fcntl(fd, F_GETFD) < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fd;
    if (nowhere >= 0 && nowhere != fd) { /* standard input is closed, too, and stays so */
        dup3(nowhere, fd, O_CLOEXEC);
        close(nowhere);
    }
}

/* It is as whatever else the system refuses; what was found until then is in its files. */
static void end_without_memory(void) { _exit(RCP_EXIT_INTERNAL); }

int main(int argc, char **argv) {
    int end;
    rcp_no_memory_ends(end_without_memory);
    keep_clear(STDOUT_FILENO);
    keep_clear(STDERR_FILENO);
    if (rcp_compiler_is_meant(argc, argv, &end))
        return end;
    pipe_was = signal(SIGPIPE, SIG_IGN);      /* output.c sees EPIPE and stops writing */
    file_size_was = signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is an error like a full disk */
    if (rcp_limits_share() != RCP_OK)
        return (int)rcp_give_up(RCP_SYSTEM);
    argc--, argv++;
    if (!argc)
        return rcp_usage(NULL, "a command is missing");
    if (!strcmp(argv[0], "--version")) {
        rcp_text text = {0};
        rcp_text_puts(&text, "recipe " RECIPE_VERSION "\n");
        return (int)show(&text);
    }
    if (!strcmp(argv[0], "-h") || !strcmp(argv[0], "--help"))
        return (int)overview(argv[0][1] == '-', NULL);
    if (!strcmp(argv[0], "help")) {
        if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")))
            return (int)overview(true, NULL);
        return (int)help(argc - 1, argv + 1);
    }
    if (argc == 2 && is_group(argv[0]) && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")))
        return (int)overview(false, argv[0]);
    int words;
    const rcp_command *command = find(argc, argv, &words);
    if (command)
        return (int)run(command, argc - words, argv + words);
    if (argv[0][0] == '-')
        return (int)rcp_usage(NULL, "unknown option %s", argv[0]);
    return (int)unknown_command(argc, argv);
}
