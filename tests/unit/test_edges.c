/* SPDX-License-Identifier: Apache-2.0 */
/* Each edge of docs/orders.md: with it the two writes of x are ordered; without it, or the other way, they race. */
#include "order/engine/edges.h"

#include "order_text.h"
#include "suite.h"

#define X "var x 0x1000 4\n"

START_TEST(fork_and_join) {
    expect_both(X "T1 w x\nT2 w x\n", "T2.0~T1.0");
    expect_both(X "T1 w x\nT1 fork T2\nT2 w x\n", "");
    expect_both(X "T1 fork T2\nT1 w x\nT2 w x\n", "T2.0~T1.1");
    expect_both(X "T1 w x\nT1 fork T3\nT2 join T3\nT2 w x\n", ""); /* T3 has no events */
    expect_both(X "T1 w x\nT1 fork T3\nT3 begin\nT2 join T3 failed\nT2 w x\n", "");
    expect_both(X "T2 w x\nT1 join T2\nT1 w x\n", "");
    expect_both(X "T2 w x\nT1 join T2 failed\nT1 w x\n", "T1.1~T2.0");
}
END_TEST

START_TEST(mutex) {
    expect_both(X "mutex m\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq m\nT2 w x\nT2 rel m\n", "");
    expect_both(X "mutex m\nmutex n\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq n\nT2 w x\nT2 rel n\n", "T2.1~T1.1");
    /* the critical sections order what comes before and after them */
    expect_both(X "mutex m\nT1 w x\nT1 acq m\nT1 rel m\nT2 acq m\nT2 rel m\nT2 w x\n", "");
    expect_both(X "mutex m\nT1 acq m\nT1 rel m\nT1 w x\nT2 acq m\nT2 rel m\nT2 w x\n", "T2.2~T1.2");
}
END_TEST

START_TEST(failed_acquire) {
    expect_both(X "mutex m\nT1 w x\nT1 acq m\nT2 acq m failed\nT2 w x\nT1 rel m\n", "");
    expect_both(X "mutex m\nT1 acq m\nT1 w x\nT2 acq m failed\nT2 w x\nT1 rel m\n", "T2.1~T1.1");
    expect_both(X "rwlock l\nT1 w x\nT1 acq l shared\nT2 acq l failed\nT2 w x\n", "");
    /* a shared acquisition fails for exclusive holders only */
    expect_both(X "rwlock l\nT1 w x\nT1 acq l shared\nT1 rel l shared\nT3 acq l\nT2 acq l shared failed\nT2 w x\n", "");
    expect_both(X "rwlock l\nT3 acq l\nT1 w x\nT2 acq l shared failed\nT2 w x\n", "T2.1~T1.0");
}
END_TEST

START_TEST(rwlock) {
    expect_both(X "rwlock l\nT1 acq l\nT1 w x\nT1 rel l\nT2 acq l shared\nT2 w x\nT2 rel l shared\n", "");
    expect_both(X "rwlock l\nT1 acq l shared\nT1 w x\nT1 rel l shared\nT2 acq l\nT2 w x\nT2 rel l\n", "");
    expect_both(X "rwlock l\nT1 acq l shared\nT1 w x\nT1 rel l shared\nT2 acq l shared\nT2 w x\nT2 rel l shared\n",
                "T2.1~T1.1");
    /* of two shared releases both come before the exclusive acquisition */
    expect_both(X "rwlock l\nT1 acq l shared\nT2 acq l shared\nT1 w x\nT1 rel l shared\nT2 rel l shared\n"
                  "T3 acq l\nT3 w x\n",
                "");
}
END_TEST

START_TEST(condition) {
    const char *signalled = X "mutex m\ncond c\nT2 acq m\nT2 wait c m\nT1 w x\nT1 signal c\nT2 wake c m\nT2 w x\n";
    const char *timeout =
        X "mutex m\ncond c\nT2 acq m\nT2 wait c m\nT1 w x\nT1 signal c\nT2 wake c m timeout\nT2 w x\n";
    expect_both(signalled, "");
    expect_both(timeout, "T2.3~T1.0");
    expect_both(X "mutex m\ncond c\nT2 acq m\nT2 wait c m\nT1 w x\nT1 broadcast c\nT2 wake c m\nT2 w x\n", "");
    /* a WAIT releases the mutex, a WAKE takes it */
    expect_both(X "mutex m\ncond c\nT1 acq m\nT1 w x\nT1 wait c m\nT2 acq m\nT2 w x\n", "");
    expect_both(X "mutex m\ncond c\nT1 acq m\nT1 wait c m\nT2 acq m\nT2 w x\nT2 rel m\nT1 wake c m timeout\nT1 w x\n",
                "");
}
END_TEST

START_TEST(semaphore) {
    expect_both(X "sem s = 0\nT1 w x\nT1 post s\nT2 down s\nT2 w x\n", "");
    expect_both(X "sem s = 0\nT1 w x\nT1 post s\nT3 post s\nT2 down s\nT2 w x\n", "");
    expect_both(X "sem s = 1\nT1 w x\nT1 down s\nT2 down s failed\nT2 w x\n", "");
    expect_both(X "sem s = 2\nT1 w x\nT1 down s\nT2 down s\nT2 w x\n", "T2.1~T1.0");
    expect_both(X "sem s = 0\nT1 w x\nT1 post s\nT2 post s\nT2 w x\n", "T2.1~T1.0");
}
END_TEST

START_TEST(barrier) {
    const char *b = X "barrier b = 2\nT1 w x\nT1 enter b\nT2 enter b\nT2 leave b\nT2 w x\nT1 leave b serial\n";
    expect_both(b, "");
    expect_both(X "barrier b = 2\nT1 w x\nT1 enter b\nT2 enter b\nT2 w x\n", "T2.1~T1.0");
    /* who waits in a generation that is not complete is not waited for */
    expect_both(X "barrier b = 2\nT1 enter b\nT2 enter b\nT3 w x\nT3 enter b\nT2 leave b\nT2 w x\n", "T2.2~T3.0");
}
END_TEST

START_TEST(once) {
    expect_both(X "once o\nT1 once-begin o\nT1 w x\nT1 once-end o\nT2 once-skip o\nT2 w x\n", "");
    expect_both(X "once o\nT1 once-begin o\nT1 once-end o\nT1 w x\nT2 once-skip o\nT2 w x\n", "T2.1~T1.2");
}
END_TEST

START_TEST(lives_of_objects) {
    expect_both(X "sem s = 1\nT1 w x\nT1 init s\nT2 down s\nT2 w x\n", "");
    expect_both(X "sem s = 1\nT1 init s\nT1 w x\nT2 down s\nT2 w x\n", "T2.1~T1.1");
    expect_both(X "sem s = 2\nT1 w x\nT1 down s\nT2 destroy s\nT2 w x\n", "");
    expect_both(X "mutex m\ncond c\nT1 init m\nT1 acq m\nT1 w x\nT1 wait c m\nT2 destroy m\nT2 w x\n", "");
}
END_TEST

int main(void) {
    return rcp_suite_run("edges", fork_and_join, mutex, failed_acquire, rwlock, condition, semaphore, barrier, once,
                         lives_of_objects, NULL);
}
