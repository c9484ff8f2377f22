/* SPDX-License-Identifier: Apache-2.0 */
/* sscanf and its kin: the C library writes what it has found to wherever it was told, and the log has that. What is not
 * certain to be written (%n behind a conversion that keeps nothing, the end of what %5c finds) is left out: it is seen
 * where the program reads it, as all is that code outside has written. */
#include "runtime/runtime.h"

#include <errno.h>
#include <float.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

typedef struct conversion {
    unsigned position; /* of its argument, from 1; 0: the next one */
    bool keeps;        /* has an argument */
    bool allocates;
    int size; /* of a number's bytes: 1, 2, 4 or 8; 16: a long double */
    char what;
} conversion;

static unsigned digits(const char **p) {
    unsigned n = 0;
    for (; **p >= '0' && **p <= '9'; ++*p)
        n = n * 10 + (unsigned)(**p - '0');
    return n;
}

/* Behind the set that begins there: [^]abc]. */
static const char *behind_set(const char *p) {
    p += *p == '^';
    p += *p == ']';
    while (*p && *p != ']')
        p++;
    return *p ? p + 1 : p;
}

/* `is_old`: %as, %aS and %a[ allocate. Returns what is behind it. */
static const char *parse(const char *p, bool is_old, conversion *c) {
    *c = (conversion){.keeps = true, .size = 4};
    const char *begin = p;
    unsigned n = digits(&p);
    if (n && *p == '$') {
        c->position = n;
        p++;
    } else {
        p = begin;
    }
    for (; *p == '*' || *p == '\'' || *p == 'I'; p++)
        c->keeps &= *p != '*';
    (void)digits(&p);
    for (bool goes_on = true; goes_on && *p; p += goes_on) {
        switch (*p) {
        case 'h': c->size = c->size == 2 ? 1 : 2; break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
        case 'q': c->size = 8; break;
        case 'L': c->size = 16; break;
        case 'm': c->allocates = true; break;
        case 'a':
            goes_on = is_old && (p[1] == 's' || p[1] == 'S' || p[1] == '[');
            c->allocates |= goes_on;
            break;
        default: goes_on = false; break;
        }
    }
    c->what = *p;
    return !*p ? p : *p == '[' ? behind_set(p + 1) : p + 1;
}

/* What it has written to the place that it was given. */
static void tell_text(const conversion *c, void *at) {
    const bool is_wide = c->size == 8 || c->what == 'S' || c->what == 'C';
    const void *text = at;
    if (c->allocates) {
        rcp_effect(at, sizeof(void *));
        text = *(void **)at;
    }
    if (c->what == 'c' || c->what == 'C')
        rcp_effect(text, is_wide ? sizeof(wchar_t) : 1);
    else
        rcp_effect(text, is_wide ? (wcslen(text) + 1) * sizeof(wchar_t) : strlen(text) + 1);
}

static void tell(const conversion *c, void *at) {
    switch (c->what) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'n': rcp_effect(at, c->size == 16 ? 8 : (size_t)c->size); break;
    case 'e':
    case 'f':
    case 'g':
    case 'a':
    case 'E':
    case 'F':
    case 'G':
    case 'A': rcp_effect(at, c->size != 16 ? (size_t)c->size : LDBL_MANT_DIG == 64 ? 10 : sizeof(long double)); break;
    case 'p': rcp_effect(at, sizeof(void *)); break;
    case 's':
    case 'S':
    case 'c':
    case 'C':
    case '[': tell_text(c, at); break;
    default: break;
    }
}

/* (A va_list that a function is given goes on for its caller, or not: as the machine has it.) */
typedef struct arguments {
    va_list all, next;
} arguments;

static void *argument(arguments *given, unsigned position) {
    va_list from;
    void *at = NULL;
    if (!position)
        return va_arg(given->next, void *);
    va_copy(from, given->all);
    while (position--)
        at = va_arg(from, void *);
    va_end(from);
    return at;
}

static void tell_all(const char *format, int kept, bool is_old, va_list all) {
    conversion c;
    arguments given;
    bool is_sure = true; /* that it has come so far */
    va_copy(given.all, all);
    va_copy(given.next, all);
    for (const char *p = format; *p;) {
        if (*p++ != '%' || *p == '%') {
            p += p[-1] == '%';
            is_sure &= kept > 0; /* it may not have matched */
            continue;
        }
        p = parse(p, is_old, &c);
        if (!c.keeps) {
            is_sure &= kept > 0;
            continue;
        }
        if (!kept && (c.what != 'n' || !is_sure))
            break;
        tell(&c, argument(&given, c.position));
        kept -= c.what != 'n';
    }
    va_end(given.next);
    va_end(given.all);
}

typedef int scanner(const char *, const char *, va_list);

static int scan(scanner *real, const char *text, const char *format, va_list list, bool is_old) {
    va_list again;
    va_copy(again, list);
    int kept = real(text, format, list), error = errno;
    rcp_thread *self = kept >= 0 ? rcp_inside() : NULL;
    if (self) {
        tell_all(format, kept, is_old, again);
        rcp_outside(self);
    }
    va_end(again);
    errno = error;
    return kept;
}

/* By the names that the linker has, as in scan.c. */
#define FAMILY(of, prefix, is_old)                                                                                     \
    void *rcp_real_##of##_string;                                                                                      \
    static const struct rcp_real_entry rcp_real_entry_##of                                                             \
        __attribute__((used, retain, section("recipe_real"))) = {&rcp_real_##of##_string, prefix "vsscanf", NULL};     \
    int of##_vsscanf(const char *, const char *, va_list) __asm__(prefix "vsscanf");                                   \
    int of##_sscanf(const char *, const char *, ...) __asm__(prefix "sscanf");                                         \
    RCP_INTERCEPT int of##_vsscanf(const char *text, const char *format, va_list arguments) {                          \
        return scan((scanner *)rcp_real_##of##_string, text, format, arguments, is_old);                               \
    }                                                                                                                  \
    RCP_INTERCEPT int of##_sscanf(const char *text, const char *format, ...) {                                         \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int kept = scan((scanner *)rcp_real_##of##_string, text, format, arguments, is_old);                           \
        va_end(arguments);                                                                                             \
        return kept;                                                                                                   \
    }

FAMILY(plain, "", true)
FAMILY(isoc99, "__isoc99_", false)
FAMILY(isoc23, "__isoc23_", false)
