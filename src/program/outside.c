/* SPDX-License-Identifier: Apache-2.0 */
#include "program/outside.h"

/* What is read up to a NUL that memory does not have yet (outside code wrote it) ends here. */
enum { STRING_MAX = 1 << 16 };

/* Bytes up to a NUL, which is included; at most `most`. */
static uint64_t string_size(rcp_space *space, uint64_t address, uint64_t most) {
    most = most < STRING_MAX ? most : STRING_MAX;
    for (uint64_t n = 0; n < most;) {
        const uint8_t *at = rcp_space_holds(address + n, 1) ? rcp_space_at(space, address + n, 1) : NULL;
        if (!at)
            return n ? n : 1;
        uint64_t room = RCP_SPACE_PAGE - ((address + n) & (RCP_SPACE_PAGE - 1));
        room = room < most - n ? room : most - n;
        const uint8_t *end = memchr(at, 0, room);
        if (end)
            return n + (uint64_t)(end - at) + 1;
        n += room;
    }
    return most;
}

static uint64_t argument(const rcp_outside_call *call, char digit) {
    size_t i = (size_t)(digit - '0');
    return i < call->n ? call->arguments[i] : 0;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t product(uint64_t a, uint64_t b) {
    uint64_t c;
    return __builtin_mul_overflow(a, b, &c) ? 0 : c;
}

static uint64_t number_at(const char **at) {
    uint64_t n = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = 10 * n + (uint64_t)(**at - '0');
    return n;
}

/* Reads one word. False: it needs the result. */
static bool evaluate(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch) {
    const char *p = *at;
    bool known = true;
    touch->how = *p++;
    touch->address = argument(call, *p++);
    touch->size = 0;
    switch (*p++) {
    case 'z': touch->size = string_size(space, touch->address, STRING_MAX); break;
    case 'Z': touch->size = string_size(space, touch->address, argument(call, *p++)); break;
    case '#': touch->size = argument(call, *p++); break;
    case '8': touch->size = product(8, argument(call, *p++)); break;
    case '*':
        touch->size = product(argument(call, p[0]), argument(call, p[1]));
        p += 2;
        break;
    case '=': touch->size = number_at(&p); break;
    case 'S':
        known = call->has_returned && (int32_t)call->result >= 0;
        touch->size = (uint32_t)call->result + UINT64_C(1);
        break;
    case 'N':
        known = call->has_returned && (int32_t)call->result >= 0;
        touch->size = least((uint32_t)call->result + UINT64_C(1), argument(call, *p++));
        break;
    case 'B': touch->size = call->block; break;
    case 'C': touch->size = string_size(space, argument(call, *p++), STRING_MAX); break;
    default: /* 'A' */
        touch->address += string_size(space, touch->address, STRING_MAX) - 1;
        touch->size = string_size(space, argument(call, *p++), STRING_MAX);
        break;
    }
    *at = p + (*p == ' ');
    return known && touch->address && touch->size && rcp_space_holds(touch->address, touch->size);
}

bool rcp_outside_next(const rcp_outside_call *call, rcp_space *space, const char **at, rcp_outside_touch *touch) {
    if (!*at)
        *at = call->outside && call->outside->touches ? call->outside->touches : "";
    while (**at)
        if (evaluate(call, space, at, touch))
            return true;
    return false;
}
