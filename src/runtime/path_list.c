/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/path_list.h"

#include "runtime/process.h"
#include "runtime/say.h"
#include "runtime/sys.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

static uint64_t hash(const char *text, long n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (long i = 0; i < n; i++)
        h = (h ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return h ? h : 1;
}

/* Half of the places stay free, so the walk ends. */
static bool is_new(rcp_path_list *list, uint64_t h) {
    const uint64_t places = sizeof list->known / sizeof *list->known;
    for (uint64_t at = h;; at++) {
        uint64_t *place = &list->known[at % places];
        if (*place == h)
            return false;
        if (!*place) {
            *place = list->n < RCP_PATH_LIST_MOST ? h : 0;
            return true;
        }
    }
}

void rcp_path_list_add(rcp_path_list *list, int fd) {
    static const char more[] = "more\n";
    char path[4097];
    RCP_SAY(link, 64);
    rcp_say_text(&link, "/proc/self/fd/");
    rcp_say_number(&link, (uint64_t)fd);
    long n = RCP_SYS4(SYS_readlinkat, AT_FDCWD, link.text, path, sizeof path - 1);
    if (n <= 0 || path[0] != '/' || memchr(path, '\n', (size_t)n) || list->n > RCP_PATH_LIST_MOST ||
        !is_new(list, hash(path, n)))
        return;
    path[n] = '\n';
    if (list->n++ < RCP_PATH_LIST_MOST)
        rcp_process_append(list->name, path, (size_t)n + 1);
    else
        rcp_process_append(list->name, more, sizeof more - 1);
}
