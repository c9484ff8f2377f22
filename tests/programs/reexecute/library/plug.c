/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded while the program runs, and calls the other one. */
_Thread_local long calls;
static long sum;
long twice(long);
long plug(long x) {
    calls++;
    sum += twice(x);
    return sum + calls;
}
