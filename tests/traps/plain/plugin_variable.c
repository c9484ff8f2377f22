// SPDX-License-Identifier: Apache-2.0
// A library that is loaded where plugin_table.c's was, most likely: it writes where that had a constant.
enum { WORDS = 1 << 15 };
static int table[WORDS] = {1};

const int *plugin_table(void);
const int *plugin_table(void) {
    return &table[WORDS / 2];
}

int plugin_publish(void);
int plugin_publish(void) {
    __atomic_store_n(&table[WORDS / 2], 1, __ATOMIC_RELEASE);
    return 0;
}
