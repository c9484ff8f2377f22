/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of the system: in a run that is fed, the recorded ones. (rand, random, drand48 and their kin have a
 * state that threads share, so what they give depends on the order of calls: they are real calls, always.) */
#include "runtime/answers.h"
#include "runtime/block.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

RCP_REAL_DEFINE(getrandom)
RCP_REAL_DEFINE(getentropy)
RCP_REAL_DEFINE(arc4random)
RCP_REAL_DEFINE(arc4random_buf)

RCP_INTERCEPT ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(getrandom)(buffer, size, flags);
    int error = errno;
    ssize_t result = (ssize_t)size;
    if (!size || !rcp_answer_bytes(self, buffer, size)) {
        result = RCP_REAL(getrandom)(buffer, size, flags);
        error = errno;
    }
    if (result > 0)
        rcp_effect(buffer, (uint64_t)result);
    rcp_outside(self);
    errno = error;
    return result;
}

RCP_INTERCEPT int getentropy(void *buffer, size_t size) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(getentropy)(buffer, size);
    int error = errno, result = 0;
    if (!size || !rcp_answer_bytes(self, buffer, size)) {
        result = RCP_REAL(getentropy)(buffer, size);
        error = errno;
    }
    if (!result && size)
        rcp_effect(buffer, size);
    rcp_outside(self);
    errno = error;
    return result;
}

/* Older libraries have none of these, and no program that asks for them. */
RCP_INTERCEPT void arc4random_buf(void *buffer, size_t size) {
    rcp_thread *self = rcp_inside();
    if (!self || !size || !rcp_answer_bytes(self, buffer, size))
        RCP_REAL(arc4random_buf)(buffer, size);
    if (!self)
        return;
    if (size)
        rcp_effect(buffer, size);
    rcp_outside(self);
}

/* Its number goes through memory, so that it is kept whoever calls it: a library, too. */
RCP_INTERCEPT uint32_t arc4random(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(arc4random)();
    uint32_t number;
    if (!rcp_answer_bytes(self, &number, sizeof number))
        number = RCP_REAL(arc4random)();
    rcp_effect(&number, sizeof number);
    rcp_outside(self);
    return number;
}

RCP_INTERCEPT uint32_t arc4random_uniform(uint32_t bound) {
    if (bound < 2)
        return 0;
    uint32_t number, least = -bound % bound; /* the rest would make small numbers likelier */
    do
        number = arc4random();
    while (number < least);
    return number % bound;
}
