/* SPDX-License-Identifier: Apache-2.0 */
/* The script is a function with three tables in it: which words a command's name has, which options it takes (with '='
 * behind those that want a value), and which words a choice has. Everything else is a file's name, by readline. */
#include "cli/completion.h"

#include <string.h>

static const char head[] =
    "# Completion of recipe's command line for bash, by `recipe help --completion`.\n"
    "_recipe() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
    "    local first=2 runs= options= words= i\n"
    "    if [[ $word == '=' ]]; then # bash takes --option=value apart\n"
    "        word=\n"
    "    elif [[ $before == '=' ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

static const char complete_name[] = "    esac\n"
                                    "    if [[ $COMP_CWORD -lt $first ]]; then\n"
                                    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                                    "        return\n"
                                    "    fi\n"
                                    "    case $command in\n";

/* What follows the program's name is the program's. */
static const char complete_option[] = "    esac\n"
                                      "    for ((i = first; i < COMP_CWORD && ${#runs}; i++)); do\n"
                                      "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
                                      "            return\n"
                                      "        elif [[ ${COMP_WORDS[i + 1]} == '=' ]]; then\n"
                                      "            i=$((i + 2))\n"
                                      "        elif [[ \" $options \" == *\" ${COMP_WORDS[i]}= \"* ]]; then\n"
                                      "            i=$((i + 1))\n"
                                      "        fi\n"
                                      "    done\n"
                                      "    words=\n"
                                      "    case \"$command $before\" in\n";

static const char tail[] = "    *) [[ $word != -* ]] || words=$options ;;\n"
                           "    esac\n"
                           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                           "    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
                           "}\n"
                           "complete -o default -F _recipe recipe\n";

static size_t stem_of(const rcp_command *command) { return strcspn(command->name, " "); }

static bool is_second(const rcp_command *command) { return command->name[stem_of(command)]; }

static bool has_same_stem(const rcp_command *one, const rcp_command *other) {
    return stem_of(one) == stem_of(other) && !memcmp(one->name, other->name, stem_of(one));
}

/* Where names are of two words, the first one chooses among the second ones. */
static void put_names(rcp_text *to, const rcp_command *const *commands, size_t n) {
    rcp_text_puts(to, "    words=\"help");
    for (size_t i = 0; i < n; i++)
        if (!i || !has_same_stem(commands[i - 1], commands[i]))
            rcp_text_printf(to, " %.*s", (int)stem_of(commands[i]), commands[i]->name);
    rcp_text_puts(to, "\"\n    [[ $COMP_CWORD -gt 1 ]] || command=\n    case $command in\n");
    for (size_t i = 0; i < n; i++) {
        const rcp_command *is = commands[i];
        if (!is_second(is) || (i && has_same_stem(commands[i - 1], is)))
            continue;
        rcp_text_printf(to, "    %.*s)\n        first=3 command+=\" ${COMP_WORDS[2]}\" words=\"", (int)stem_of(is),
                        is->name);
        for (size_t j = i; j < n && has_same_stem(is, commands[j]); j++)
            rcp_text_printf(to, "%s%s", j == i ? "" : " ", commands[j]->name + stem_of(is) + 1);
        rcp_text_puts(to, "\"\n        ;;\n");
    }
}

static void put_options(rcp_text *to, const rcp_command *command) {
    if (command->most < 0)
        return; /* a compiler's */
    rcp_text_printf(to, "    '%s')\n%s        options=\"", command->name,
                    command->runs_program ? "        runs=yes\n" : "");
    for (size_t i = 0; i < command->n_options; i++) {
        const rcp_option *option = &command->options[i];
        rcp_text_printf(to, "--%s%s ", option->name, option->argument && option->type != RCP_OPTION_SWITCH ? "=" : "");
    }
    rcp_text_puts(to, "--help\"\n        ;;\n");
}

static void put_choices(rcp_text *to, const rcp_command *command) {
    for (size_t i = 0; i < command->n_options; i++) {
        const rcp_option *option = &command->options[i];
        if (option->type != RCP_OPTION_CHOICE && option->type != RCP_OPTION_SWITCH)
            continue;
        rcp_text_printf(to, "    '%s --%s') words=\"", command->name, option->name);
        for (const char *p = option->argument; *p; p++)
            rcp_text_add(to, *p == '|' ? " " : p, 1);
        rcp_text_puts(to, "\" ;;\n");
    }
}

void rcp_completion(rcp_text *to, const rcp_command *const *commands, size_t n) {
    rcp_text_puts(to, head);
    put_names(to, commands, n);
    rcp_text_puts(to, complete_name);
    for (size_t i = 0; i < n; i++)
        put_options(to, commands[i]);
    rcp_text_puts(to, complete_option);
    for (size_t i = 0; i < n; i++)
        put_choices(to, commands[i]);
    rcp_text_puts(to, tail);
}
