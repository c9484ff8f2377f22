/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for libFuzzer's main: runs the target once over every file of the directories given. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run(const char *path) {
    FILE *from = fopen(path, "rb");
    if (!from)
        return 0;
    fseek(from, 0, SEEK_END);
    long size = ftell(from);
    rewind(from);
    uint8_t *data = malloc((size_t)size + 1);
    size_t n = fread(data, 1, (size_t)size, from);
    fclose(from);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    return 1;
}

int main(int argc, char **argv) {
    int ran = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        if (!directory) {
            fprintf(stderr, "%s: can't be opened\n", argv[i]);
            return 1;
        }
        for (struct dirent *entry; (entry = readdir(directory));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                ran += run(path);
        }
        closedir(directory);
    }
    printf("%d inputs, no finding\n", ran);
    return ran ? 0 : 1;
}
