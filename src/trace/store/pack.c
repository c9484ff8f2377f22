/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/pack.h"

#include "base/file.h"
#include "base/ustar.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zstd.h>

enum { CHUNK = 1 << 17, LEVEL = 6, MEMBERS = 1 << 20 };

/* --- writing --- */

typedef struct packing {
    ZSTD_CCtx *zstd;
    rcp_text raw, packed; /* not packed yet; not handed over yet */
    rcp_pack_sink *sink;
    void *context;
    bool stops; /* nobody takes any more */
} packing;

typedef RCP_VEC(rcp_ustar_member) members;

static rcp_code flush(packing *p, ZSTD_EndDirective how) {
    ZSTD_inBuffer in = {p->raw.at, p->raw.len, 0};
    for (size_t left = 1; !p->stops && (left || in.pos < in.size);) {
        char bytes[CHUNK];
        ZSTD_outBuffer out = {bytes, sizeof bytes, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, how);
        if (ZSTD_isError(left))
            return rcp_fail(RCP_INTERNAL, "zstd: %s", ZSTD_getErrorName(left));
        rcp_text_add(&p->packed, bytes, out.pos);
        p->stops = out.pos && !p->sink(p->context, &p->packed);
        if (how == ZSTD_e_continue && in.pos == in.size)
            break;
    }
    rcp_text_clear(&p->raw);
    return RCP_OK;
}

static rcp_code changed(const char *path) { return rcp_fail(RCP_SYSTEM, "%s: was changed while it was packed", path); }

static rcp_code pack_bytes(packing *p, const char *path, int fd, uint64_t size) {
    char bytes[CHUNK];
    for (uint64_t left = size; left && !p->stops;) {
        ssize_t n = read(fd, bytes, left < sizeof bytes ? left : sizeof bytes);
        if (n < 0 && errno != EINTR)
            return rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path, strerror(errno));
        if (!n)
            return changed(path);
        if (n > 0) {
            rcp_text_add(&p->raw, bytes, (size_t)n);
            left -= (uint64_t)n;
            RCP_TRY(flush(p, ZSTD_e_continue));
        }
    }
    rcp_ustar_fill(&p->raw, size);
    return RCP_OK;
}

static rcp_code pack_member(packing *p, const char *directory, const rcp_ustar_member *member) {
    const char *name = member->name + strlen(RCP_PACK_ROOT);
    if (!rcp_ustar_put(&p->raw, member))
        return rcp_fail(RCP_LIMIT, "%s%s: a pack has no room for its name, or for so large a file", directory, name);
    if (member->kind != RCP_USTAR_FILE)
        return RCP_OK;
    rcp_text path = {0};
    rcp_text_printf(&path, "%s%s", directory, name);
    struct stat is;
    int fd = open(path.at, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    rcp_code code = fd < 0 ? rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", path.at, strerror(errno)) : RCP_OK;
    if (code == RCP_OK && (fstat(fd, &is) || !S_ISREG(is.st_mode) || (uint64_t)is.st_size != member->size))
        code = changed(path.at);
    if (code == RCP_OK)
        code = pack_bytes(p, path.at, fd, member->size);
    if (fd >= 0)
        close(fd);
    rcp_text_finish(&path);
    return code;
}

/* What rcp_place_check() lets pass: files, directories, links. */
static rcp_code list_entry(members *list, const FTSENT *entry, size_t root) {
    rcp_ustar_member member = {.time = entry->fts_statp->st_mtime};
    if (entry->fts_info == FTS_DP)
        return RCP_OK;
    if (entry->fts_errno)
        return rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", entry->fts_path, strerror(entry->fts_errno));
    if (entry->fts_info == FTS_F)
        member.size = (uint64_t)entry->fts_statp->st_size;
    else if (entry->fts_info != FTS_D && readlink(entry->fts_accpath, member.target, RCP_USTAR_TARGET) < 0)
        return rcp_fail(RCP_BAD_INPUT, "%s: is neither a file nor a directory", entry->fts_path);
    member.kind = entry->fts_info == FTS_F   ? RCP_USTAR_FILE
                  : entry->fts_info == FTS_D ? RCP_USTAR_DIRECTORY
                                             : RCP_USTAR_LINK;
    if (snprintf(member.name, sizeof member.name, RCP_PACK_ROOT "%s", entry->fts_path + root) >=
        (int)sizeof member.name)
        return rcp_fail(RCP_LIMIT, "%s: a pack has no room for its name", entry->fts_path);
    rcp_vec_push(list, member);
    return RCP_OK;
}

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

static rcp_code list_members(members *list, const char *directory, const char *without) {
    char *root = rcp_file_take_path(directory, "."); /* the directory itself may be a link */
    char *const roots[] = {root, NULL};
    const size_t below = strlen(root);
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    rcp_code code = walk ? RCP_OK : rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", directory, strerror(errno));
    for (FTSENT *entry; code == RCP_OK && walk && (entry = fts_read(walk));)
        if (entry->fts_level != 1 || strcmp(entry->fts_name, without) != 0)
            code = list_entry(list, entry, below);
    if (walk)
        fts_close(walk);
    rcp_release(root);
    return code;
}

rcp_code rcp_pack_write(const char *directory, const char *without, const rcp_text *more, rcp_pack_sink *sink,
                        void *context) {
    packing p = {.zstd = ZSTD_createCCtx(), .sink = sink, .context = context};
    members list = {0};
    uint64_t size = more->len + RCP_USTAR_END;
    static const char end[RCP_USTAR_END];
    RCP_CHECK(p.zstd);
    rcp_code code = list_members(&list, directory, without);
    for (size_t i = 0; i < list.len; i++)
        size += rcp_ustar_room(&list.at[i]);
    ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(p.zstd, size);
    for (size_t i = 0; code == RCP_OK && i < list.len && !p.stops; i++)
        code = pack_member(&p, directory, &list.at[i]);
    rcp_text_add(&p.raw, more->at ? more->at : "", more->len);
    rcp_text_add(&p.raw, end, sizeof end);
    if (code == RCP_OK)
        code = flush(&p, ZSTD_e_end);
    ZSTD_freeCCtx(p.zstd);
    rcp_text_finish(&p.raw);
    rcp_text_finish(&p.packed);
    rcp_vec_finish(&list);
    return code;
}

/* --- reading --- */

typedef struct unpacking {
    const char *path;
    FILE *from;
    ZSTD_DCtx *zstd;
    uint64_t size, taken; /* of the archive */
    bool has_ended;       /* the frame, with a checksum that is right */
    ZSTD_inBuffer in;
    char bytes[CHUNK];
} unpacking;

static rcp_code damaged(const unpacking *u, const char *why) {
    return rcp_fail(RCP_BAD_INPUT, "%s: the pack is damaged or cut off, or is none: %s", u->path, why);
}

static rcp_code refill(unpacking *u) {
    u->in = (ZSTD_inBuffer){u->bytes, fread(u->bytes, 1, sizeof u->bytes, u->from), 0};
    if (ferror(u->from))
        return rcp_fail(RCP_SYSTEM, "%s: can't be read: %s", u->path, strerror(errno));
    return u->in.size ? RCP_OK : damaged(u, "it ends too early");
}

/* `n` bytes of the archive, all of them; of none, the frame's end. */
static rcp_code take(unpacking *u, void *to, size_t n) {
    ZSTD_outBuffer out = {to, n, 0};
    if (n > u->size - u->taken)
        return damaged(u, "it has less in it than it says");
    while (n ? out.pos < n : !u->has_ended) {
        if (u->has_ended)
            return damaged(u, "it has less in it than it says");
        if (u->in.pos == u->in.size)
            RCP_TRY(refill(u));
        const size_t before = out.pos, left = ZSTD_decompressStream(u->zstd, &out, &u->in);
        if (ZSTD_isError(left))
            return damaged(u, ZSTD_getErrorName(left));
        u->has_ended = !left;
        if (!n && !u->has_ended && out.pos == before && u->in.pos < u->in.size)
            return damaged(u, "it has more in it than it says");
    }
    u->taken += n;
    return RCP_OK;
}

static rcp_code open_pack(unpacking *u, const char *directory) {
    struct statvfs there;
    u->from = fopen(u->path, "re");
    if (!u->from)
        return rcp_fail(rcp_code_of_errno(errno), "%s: can't be read: %s", u->path, strerror(errno));
    RCP_TRY(refill(u));
    u->size = ZSTD_getFrameContentSize(u->bytes, u->in.size);
    if (u->size >= ZSTD_CONTENTSIZE_ERROR)
        return damaged(u, "it does not say how much is in it");
    if (statvfs(directory, &there))
        return rcp_fail(RCP_SYSTEM, "%s: %s", directory, strerror(errno));
    if (u->size / 512 > (uint64_t)there.f_bavail * there.f_frsize / 512 / 2)
        return rcp_fail(RCP_BAD_INPUT,
                        "%s: holds %llu bytes, which is more than half of what is free where it would be unpacked",
                        u->path, (unsigned long long)u->size);
    return RCP_OK;
}

/* "recording/variants/1/log": no way up, no empty word, printable ASCII alone. */
static bool is_harmless(const char *name) {
    for (const char *at = name; *at; at++)
        if (*at < ' ' || *at > '~')
            return false;
    for (const char *at = name;; at++) {
        const size_t n = strcspn(at, "/");
        if (!n || (n == 1 && *at == '.') || (n == 2 && !memcmp(at, "..", 2)))
            return false;
        at += n;
        if (!*at)
            return true;
    }
}

/* It leads up no further than the link lies deep. */
static bool stays_within(const char *path, const char *target) {
    int depth = 0;
    for (; *path; path++)
        depth += *path == '/';
    for (; !strncmp(target, "../", 3); target += 3)
        depth--;
    return depth >= 0 && is_harmless(target);
}

/* The directory that `path` lies in, through no link; `*last`: its name there. -1: there is none such. */
static int open_parent(int root, char *path, const char **last) {
    int at = fcntl(root, F_DUPFD_CLOEXEC, 0);
    for (char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        *slash = 0;
        int next = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        *slash = '/';
        close(at);
        at = next;
    }
    *last = path;
    return at;
}

static rcp_code write_bytes(unpacking *u, int fd, const rcp_ustar_member *member) {
    char bytes[CHUNK];
    for (uint64_t left = rcp_ustar_room(member) - RCP_USTAR_BLOCK, own = member->size; left;) {
        const size_t n = left < sizeof bytes ? left : sizeof bytes, put = own < n ? own : n;
        RCP_TRY(take(u, bytes, n));
        if (!rcp_file_put(fd, bytes, put))
            return rcp_fail(RCP_SYSTEM, "%s: can't be unpacked: %s", u->path, strerror(errno));
        left -= n;
        own -= put;
    }
    const struct timespec times[2] = {{.tv_sec = member->time}, {.tv_sec = member->time}};
    return futimens(fd, times) ? rcp_fail(RCP_SYSTEM, "%s: can't be unpacked: %s", u->path, strerror(errno)) : RCP_OK;
}

static rcp_code make_member(unpacking *u, int parent, const char *last, const rcp_ustar_member *member) {
    int fd, failed = 0;
    switch (member->kind) {
    case RCP_USTAR_DIRECTORY: failed = mkdirat(parent, last, 0777); break;
    case RCP_USTAR_LINK: failed = symlinkat(member->target, parent, last); break;
    case RCP_USTAR_FILE:
        fd = openat(parent, last, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0) {
            rcp_code code = write_bytes(u, fd, member);
            close(fd);
            return code;
        }
        failed = -1;
    }
    return failed ? rcp_fail(errno == EEXIST ? RCP_BAD_INPUT : RCP_SYSTEM, "%s: %s can't be unpacked: %s", u->path,
                             member->name, strerror(errno))
                  : RCP_OK;
}

static rcp_code unpack_member(unpacking *u, int root, rcp_ustar_member *member, rcp_place_linker *is_ours) {
    static const char top[] = RCP_PACK_ROOT "/";
    if (!strcmp(member->name, RCP_PACK_ROOT) && member->kind == RCP_USTAR_DIRECTORY)
        return RCP_OK;
    char *path = member->name + strlen(top);
    const char *last;
    if (strncmp(member->name, top, strlen(top)) != 0 || !is_harmless(path))
        return rcp_fail(RCP_BAD_INPUT, "%s: has a name in it that may lead out of the directory; it is not unpacked",
                        u->path);
    if (member->kind == RCP_USTAR_LINK && !(is_ours(path, member->target) && stays_within(path, member->target)))
        return rcp_fail(RCP_BAD_INPUT, "%s: %s is a link that recipe has not made; it is not unpacked", u->path, path);
    int parent = open_parent(root, path, &last);
    if (parent < 0)
        return rcp_fail(RCP_BAD_INPUT, "%s: %s lies in no directory of the pack; it is not unpacked", u->path, path);
    rcp_code code = make_member(u, parent, last, member);
    close(parent);
    return code;
}

static rcp_code unpack(unpacking *u, int root, rcp_place_linker *is_ours) {
    for (size_t n = 0;; n++) {
        uint8_t block[RCP_USTAR_BLOCK];
        rcp_ustar_member member;
        bool ends;
        RCP_TRY(take(u, block, sizeof block));
        if (!rcp_ustar_read(block, &member, &ends) || n == MEMBERS)
            return damaged(u, n == MEMBERS ? "it has too many files" : "it has something else in it than files");
        if (ends)
            break;
        RCP_TRY(unpack_member(u, root, &member, is_ours));
    }
    if (u->size - u->taken != RCP_USTAR_END - RCP_USTAR_BLOCK)
        return damaged(u, "it has more in it than it says");
    uint8_t last[RCP_USTAR_BLOCK];
    RCP_TRY(take(u, last, sizeof last));
    RCP_TRY(take(u, NULL, 0));
    return u->in.pos < u->in.size || fgetc(u->from) != EOF ? damaged(u, "it goes on behind its end") : RCP_OK;
}

bool rcp_pack_is(const char *path) {
    static const uint8_t magic[] = {0x28, 0xb5, 0x2f, 0xfd};
    uint8_t first[sizeof magic];
    struct stat is;
    FILE *file = !stat(path, &is) && S_ISREG(is.st_mode) ? fopen(path, "re") : NULL;
    bool is_pack = file && fread(first, 1, sizeof first, file) == sizeof first && !memcmp(first, magic, sizeof magic);
    if (file)
        fclose(file);
    return is_pack;
}

rcp_code rcp_pack_read(const char *path, const char *directory, rcp_place_linker *is_ours) {
    unpacking *u = rcp_alloc_zero(1, sizeof *u);
    u->path = path;
    u->zstd = ZSTD_createDCtx();
    RCP_CHECK(u->zstd);
    rcp_code code = open_pack(u, directory);
    int root = code == RCP_OK ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (code == RCP_OK)
        code = root < 0 ? rcp_fail(RCP_SYSTEM, "%s: %s", directory, strerror(errno)) : unpack(u, root, is_ours);
    if (root >= 0)
        close(root);
    if (u->from)
        fclose(u->from);
    ZSTD_freeDCtx(u->zstd);
    rcp_release(u);
    return code;
}
