/* SPDX-License-Identifier: Apache-2.0 */
/* Printing into memory with a va_list: calls outside like others, of which the log has the strings that they read. */
#ifndef __NO_INLINE__ /* libc would define some of these itself */
#define __NO_INLINE__ 1
#endif
#include "runtime/formats.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

RCP_REAL_DEFINE(vsnprintf)
RCP_REAL_DEFINE(vsprintf)
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list);
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list);
RCP_REAL_DEFINE(__vsnprintf_chk)
RCP_REAL_DEFINE(__vsprintf_chk)

enum { STRINGS = 32 }; /* of one call: those of a longer list are not known */

typedef struct conversion {
    bool has_star_width, has_star_precision, has_precision;
    uint64_t precision;
    char size; /* of what is given: 0 an int, 'l' eight bytes, 'L' a long double */
    char what; /* 0: it is not known */
} conversion;

static uint64_t digits(const char **p) {
    uint64_t n = 0;
    for (; **p >= '0' && **p <= '9'; ++*p)
        n = n * 10 + (uint64_t)(**p - '0');
    return n;
}

/* The conversion behind a %; what is behind it. As program/reach/outside_call.c has it: what is not known there (wide
 * characters, %n, arguments by their numbers) is not known here. */
static const char *parse(const char *p, conversion *c) {
    *c = (conversion){0};
    p += strspn(p, "-+ #0'");
    c->has_star_width = *p == '*';
    p += c->has_star_width;
    (void)digits(&p);
    if (*p == '.') {
        c->has_precision = true;
        c->has_star_precision = *++p == '*';
        p += c->has_star_precision;
        c->precision = digits(&p);
    }
    const bool is_wide = *p == 'l';
    for (; *p && strchr("hlLqjzt", *p); p++)
        c->size = *p == 'h' ? 0 : *p == 'L' ? 'L' : 'l';
    c->what = *p && strchr("diouxXeEfFgGaAcspm%", *p) && !(is_wide && strchr("cs", *p)) ? *p : 0;
    return *p ? p + 1 : p;
}

/* Takes what it is given out of the list. */
static void skip(const conversion *c, va_list *list) {
    if (strchr("m%", c->what))
        return;
    if (c->what == 'p')
        (void)va_arg(*list, void *);
    else if (strchr("eEfFgGaA", c->what) && c->size == 'L')
        (void)va_arg(*list, long double);
    else if (strchr("eEfFgGaA", c->what))
        (void)va_arg(*list, double);
    else if (c->size)
        (void)va_arg(*list, long);
    else
        (void)va_arg(*list, int);
}

/* Their number; -1: they are not known. */
static int find(const char *format, va_list *list, struct rcp_log_string *to) {
    int n = 0;
    conversion c;
    for (const char *p = format; (p = strchr(p, '%'));) {
        p = parse(p + 1, &c);
        if (!c.what || (c.what == 's' && n == STRINGS))
            return -1;
        if (c.has_star_width)
            (void)va_arg(*list, int);
        if (c.has_star_precision) {
            const int given = va_arg(*list, int);
            c.has_precision = given >= 0;
            c.precision = (uint64_t)given;
        }
        if (c.what == 's')
            to[n++] =
                (struct rcp_log_string){(uint64_t)va_arg(*list, const char *), c.has_precision ? c.precision + 1 : 0};
        else
            skip(&c, list);
    }
    return n;
}

void rcp_formats_tell(const char *format, va_list list) {
    struct rcp_log_string strings[STRINGS];
    struct {
        va_list list;
    } again; /* (a va_list that a function is given may be a pointer) */
    int error = errno;
    rcp_thread *self = rcp_inside();
    if (!self)
        return;
    va_copy(again.list, list);
    int n = find(format, &again.list, strings);
    va_end(again.list);
    if (n > 0)
        rcp_log_strings(strings, (uint64_t)n);
    rcp_outside(self);
    errno = error;
}

int rcp_formats_print(char *to, size_t size, const char *format, va_list list) {
    return RCP_REAL(vsnprintf)(to, size, format, list);
}

RCP_INTERCEPT int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list) {
    rcp_formats_tell(format, list);
    return RCP_REAL(vsnprintf)(to, size, format, list);
}
RCP_INTERCEPT int vsprintf(char *restrict to, const char *restrict format, va_list list) {
    rcp_formats_tell(format, list);
    return RCP_REAL(vsprintf)(to, format, list);
}
RCP_INTERCEPT int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list) {
    rcp_formats_tell(format, list);
    return RCP_REAL(__vsnprintf_chk)(to, size, flag, room, format, list);
}
RCP_INTERCEPT int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list) {
    rcp_formats_tell(format, list);
    return RCP_REAL(__vsprintf_chk)(to, flag, room, format, list);
}
