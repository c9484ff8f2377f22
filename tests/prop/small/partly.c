/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/partly.h"

#include "prop/random.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

#define OUT "__attribute__((noinline)) static "

#define LEAVE_OUT(type, name)                                                                                          \
    OUT "int m_load_" #name "(" #type " *at) { return __atomic_load_n(at, 5); }\n" OUT "void m_store_" #name "(" #type \
        " *at, int value) { __atomic_store_n(at, value, 5); }\n" OUT "int m_fetch_" #name "(" #type                    \
        " *at) { return __atomic_fetch_add(at, 1, 5); }\n" OUT "int m_swap_" #name "(" #type                           \
        " *at, int from, int to) { " #type                                                                             \
        " o = from; return __atomic_compare_exchange_n(at, &o, to, 0, 5, 5); }\n" OUT "int m_read_" #name "(" #type    \
        " *at) { return *at; }\n" OUT "void m_write_" #name "(" #type " *at, int value) { *at = value; }\n" OUT        \
        "void m_add_" #name "(" #type " *at) { *at += 1; }\n"
#define WRAP(name, type) OUT "int m_" #name "(" #type " *at) { return " #name "(at); }\n"
const char rcp_small_left_out[] = LEAVE_OUT(int, int) LEAVE_OUT(
    unsigned char,
    byte) "#define M_OF(at, what) _Generic(*(at), unsigned char: m_##what##_byte, default: m_##what##_int)\n" OUT
          "void m_point(int **at, int *to) { *at = to; }\n" OUT "int *m_pointer(int **at) { return *at; }\n" OUT
          "void *m_malloc(unsigned long size) { return malloc(size); }\n" WRAP(pthread_mutex_lock, pthread_mutex_t)
              WRAP(pthread_mutex_unlock, pthread_mutex_t) WRAP(pthread_mutex_trylock, pthread_mutex_t)
                  WRAP(pthread_rwlock_rdlock, pthread_rwlock_t) WRAP(pthread_rwlock_wrlock, pthread_rwlock_t)
                      WRAP(pthread_rwlock_unlock, pthread_rwlock_t) WRAP(sem_post, sem_t) WRAP(sem_wait, sem_t)
                          WRAP(sem_trywait, sem_t) WRAP(pthread_cond_signal, pthread_cond_t)
                              WRAP(pthread_cond_broadcast, pthread_cond_t) OUT
    "int m_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *at) { return pthread_cond_wait(c, at); }\n";

/* What a statement becomes: groups of the pattern by their number. */
#define PLACE "(x[0-3]|a\\[[^]]*\\]|\\*q[01]|\\(\\(unsigned char \\*\\)&x[0-3]\\)\\[[0-3]\\])"
static const struct {
    const char *pattern, *becomes;
} rules[] = {
    {"^( *r[0-3] = )__atomic_load_n\\((.*), __ATOMIC_SEQ_CST\\);$", "1M_OF(2, load)(2);"},
    {"^( *)__atomic_store_n\\((.*), ([^,]*), __ATOMIC_SEQ_CST\\);$", "1M_OF(2, store)(2, 3);"},
    {"^( *r[0-3] = )__atomic_fetch_add\\((.*), 1, __ATOMIC_SEQ_CST\\);$", "1M_OF(2, fetch)(2);"},
    {"^( *)\\{ int o = (.*); (r[0-3]) = __atomic_compare_exchange_n\\((.*), &o, (.*), 0, 5, 5\\); \\}$",
     "13 = M_OF(4, swap)(4, 2, 5);"},
    {"^( *)" PLACE " \\+= 1;$", "1M_OF(&2, add)(&2);"},
    {"^( *)(p[01]) = (.*);$", "1m_point(&2, 3);"},
    {"^( *q[01] = )(p[01]);$", "1m_pointer(&2);"},
    {"^( *q[01] = )(malloc.*)$", "1m_2"},
    {"^( *r[0-3] = )" PLACE ";$", "1M_OF(&2, read)(&2);"},
    {"^( *)" PLACE " = (.*);$", "1M_OF(&2, write)(&2, 3);"},
    {"^( *(r[0-3] = !)?)(pthread_mutex_|pthread_rwlock_|pthread_cond_|sem_[pwt])(.*)$", "1m_34"},
    {"^(#define function[01] )(.*)$", "1m_2"},
};
enum { RULES = sizeof rules / sizeof *rules, GROUPS = 6 };

static bool leave_out(const regex_t *patterns, const char *line, rcp_text *to) {
    regmatch_t at[GROUPS];
    for (size_t i = 0; i < RULES; i++) {
        if (regexec(&patterns[i], line, GROUPS, at, 0))
            continue;
        for (const char *p = rules[i].becomes; *p; p++) {
            const regmatch_t *group = *p >= '1' && *p < '0' + GROUPS ? &at[*p - '0'] : NULL;
            if (group)
                rcp_text_printf(to, "%.*s", (int)(group->rm_eo - group->rm_so), line + group->rm_so);
            else
                rcp_text_printf(to, "%c", *p);
        }
        rcp_text_puts(to, "\n");
        return true;
    }
    return false;
}

void rcp_small_partly(const rcp_small_program *program, rcp_text *to) {
    regex_t patterns[RULES];
    for (size_t i = 0; i < RULES; i++)
        RCP_CHECK(!regcomp(&patterns[i], rules[i].pattern, REG_EXTENDED));
    rcp_random random = {program->seed};
    unsigned part = 5 + rcp_random_below(&random, 60);
    for (const char *line = program->text.at, *end; *line; line = end + 1) {
        char text[512];
        end = strchr(line, '\n');
        snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
        if (!rcp_random_percent(&random, part) || !leave_out(patterns, text, to))
            rcp_text_printf(to, "%s\n", text);
    }
    for (size_t i = 0; i < RULES; i++)
        regfree(&patterns[i]);
}
