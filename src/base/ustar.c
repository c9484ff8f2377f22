/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ustar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Numbers are octal digits with a NUL behind them. */
struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], kind, target[100], magic[6], version[2],
        owner[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == RCP_USTAR_BLOCK, "a header is a block");

static const uint64_t most = UINT64_C(077777777777); /* of 11 octal digits */

uint64_t rcp_ustar_room(const rcp_ustar_member *member) {
    return RCP_USTAR_BLOCK + (member->size + RCP_USTAR_BLOCK - 1) / RCP_USTAR_BLOCK * RCP_USTAR_BLOCK;
}

static bool put_number(char *field, size_t n, uint64_t value) {
    char digits[24];
    if (snprintf(digits, sizeof digits, "%0*" PRIo64, (int)n - 1, value) != (int)n - 1)
        return false;
    memcpy(field, digits, n);
    return true;
}

/* A name that is too long for its field is parted at a slash. */
static bool put_name(struct header *h, const char *name) {
    const size_t n = strlen(name);
    const char *rest = name;
    if (n > sizeof h->name) {
        rest = strchr(name + n - sizeof h->name - 1, '/');
        if (!rest || (size_t)(rest - name) > sizeof h->prefix)
            return false;
        memcpy(h->prefix, name, (size_t)(rest - name));
        rest++;
    }
    memcpy(h->name, rest, strlen(rest));
    return *rest;
}

static uint64_t sum_of(const struct header *h) {
    uint64_t sum = 0;
    const uint8_t *bytes = (const uint8_t *)h;
    for (size_t i = 0; i < sizeof *h; i++)
        sum += i >= offsetof(struct header, sum) && i < offsetof(struct header, kind) ? ' ' : bytes[i];
    return sum;
}

bool rcp_ustar_put(rcp_text *to, const rcp_ustar_member *member) {
    struct header h = {.kind = (char)member->kind, .magic = "ustar", .version = {'0', '0'}};
    const size_t target = strlen(member->target);
    if (!put_name(&h, member->name) || target > sizeof h.target || !put_number(h.size, sizeof h.size, member->size))
        return false;
    memcpy(h.target, member->target, target);
    put_number(h.mode, sizeof h.mode, member->kind == RCP_USTAR_FILE ? 0644 : 0755);
    put_number(h.uid, sizeof h.uid, 0);
    put_number(h.gid, sizeof h.gid, 0);
    put_number(h.time, sizeof h.time, member->time > 0 && (uint64_t)member->time <= most ? (uint64_t)member->time : 0);
    put_number(h.sum, sizeof h.sum - 1, sum_of(&h)); /* by custom six digits, NUL, a blank */
    h.sum[sizeof h.sum - 1] = ' ';
    rcp_text_add(to, (const char *)&h, sizeof h);
    return true;
}

void rcp_ustar_fill(rcp_text *to, uint64_t size) {
    static const char zeros[RCP_USTAR_BLOCK];
    if (size % RCP_USTAR_BLOCK)
        rcp_text_add(to, zeros, RCP_USTAR_BLOCK - size % RCP_USTAR_BLOCK);
}

bool rcp_ustar_put_file(rcp_text *to, const char *name, int64_t time, const void *bytes, size_t n) {
    rcp_ustar_member member = {.kind = RCP_USTAR_FILE, .size = n, .time = time};
    if (snprintf(member.name, sizeof member.name, "%s", name) >= (int)sizeof member.name || !rcp_ustar_put(to, &member))
        return false;
    rcp_text_add(to, bytes, n);
    rcp_ustar_fill(to, n);
    return true;
}

static bool read_number(const char *field, size_t n, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < n - 1; i++) {
        if (field[i] < '0' || field[i] > '7')
            return false;
        *value = *value << 3 | (uint64_t)(field[i] - '0');
    }
    return !field[n - 1];
}

/* A field that is full has no NUL. */
static void add_field(char *to, const char *field, size_t n) { strncat(to, field, n); }

bool rcp_ustar_read(const uint8_t block[RCP_USTAR_BLOCK], rcp_ustar_member *member, bool *ends) {
    static const uint8_t zeros[RCP_USTAR_BLOCK];
    struct header h;
    uint64_t sum, time;
    memcpy(&h, block, sizeof h);
    *member = (rcp_ustar_member){.kind = (rcp_ustar_kind)h.kind};
    *ends = !memcmp(block, zeros, sizeof zeros);
    if (*ends)
        return true;
    if (memcmp(h.magic, "ustar", sizeof h.magic) || memcmp(h.version, "00", sizeof h.version) ||
        !read_number(h.sum, sizeof h.sum - 1, &sum) || sum != sum_of(&h) ||
        !read_number(h.size, sizeof h.size, &member->size) || !read_number(h.time, sizeof h.time, &time))
        return false;
    if (h.kind != RCP_USTAR_FILE && h.kind != RCP_USTAR_LINK && h.kind != RCP_USTAR_DIRECTORY)
        return false;
    add_field(member->name, h.prefix, sizeof h.prefix);
    if (*h.prefix)
        strcat(member->name, "/");
    add_field(member->name, h.name, sizeof h.name);
    const size_t n = strlen(member->name);
    if (h.kind == RCP_USTAR_DIRECTORY && n && member->name[n - 1] == '/') /* as some write it */
        member->name[n - 1] = 0;
    add_field(member->target, h.target, sizeof h.target);
    member->time = (int64_t)time;
    return h.kind == RCP_USTAR_FILE || !member->size;
}
