#include "tally.h"

#include <stdio.h>

int main(void) {
    const char *const texts[] = {"one text", "another text altogether", "and a third"};
    const tally is = tally_texts(texts, 3);
    printf("%lu words, the longest of %lu letters\n", is.words, is.longest);
    return is.words != 8;
}
