/* SPDX-License-Identifier: Apache-2.0 */
/* The position of an event: what schedules, logs and witnesses are made of.
 *
 * Instrumented code is a sequence of events per thread. An event is
 *   - a load, a store, an atomic read-modify-write, a compare-and-exchange, a fence: 1;
 *   - a branch, conditional or not, and a switch that can go to its own block or to one that stands before it, and
 * every indirect branch: 1 (so no loop is without events);
 *   - memcpy and memmove: 2 (the read, then the write); memset: 1;
 *   - a call that may leave instrumented code (every call but a direct one to a function that this module defines for
 *     good; inline assembly that is not empty): 1, counted when the call is made.
 * Loads of constants that the module itself defines are none, and neither are branches ahead: a thread that is to stop
 * before one may as well stop after it, and counting them costs more than they do. src/program/ir/steps.h says it in
 * terms of LLVM.
 *
 * The position of an event is the number of events that its thread had before it: the first has position 0. A thread
 * can be stopped before any event (before memcpy's write it can not). Positions depend on the program, its input and
 * the schedule, never on the clock or on addresses, so they are stable across runs.
 *
 * A thread is named by its place in the creation tree: the main thread is "0", the n-th thread that it creates "0.n"
 * (from 1), and so on. Within one log a thread also has a number: the order in which threads were created; main is 0.
 *
 * There is nothing to declare: a position is a uint64_t wherever it stands (abi/log.h, abi/run.h, abi/hooks.h).
 */
#ifndef RECIPE_ABI_POSITION_H
#define RECIPE_ABI_POSITION_H

#endif
