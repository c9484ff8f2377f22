/* Counts words of several texts at once, a thread each. */
#ifndef TALLY_H
#define TALLY_H

typedef struct tally {
    unsigned long words, longest;
} tally;

tally tally_texts(const char *const *texts, unsigned n);

#endif
