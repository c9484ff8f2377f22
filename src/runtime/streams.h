/* SPDX-License-Identifier: Apache-2.0 */
/* Can anybody in the program know what was printed? Printing on standard output and standard error is no
 * synchronisation as long as nobody can; where somebody could, the log says so (RCP_WORLD_PRINTS, once, for the whole
 * run), and what is printed is told like any other call of the system's.
 *
 * That it was printed can be known in two ways.
 * - It comes back: the streams were led elsewhere, or what they lead to is read, asked for, polled, mapped, opened or
 *   duplicated. Looked at from outside, so that it does not matter who made it so, nor how: the variables stdout and
 *   stderr and what descriptors 1 and 2 lead to, whenever another thread goes on after something was printed. Who leads
 *   them elsewhere, prints and leads them back in one turn is alone meanwhile, and by his own calls before whoever
 *   reads it. A look costs two fstat; who prints nothing pays nothing.
 * - Somebody else saw it, and answers: by a descriptor that the program was started with, a socket, a pipe that has a
 *   name, a signal, a lock of a file, a process of the program's own, or a file. What has not changed since the program
 *   began answers nothing: a file and its name are looked at by the time of their last change, which nobody can set.
 *
 * Where both streams lead to /dev/null, or are closed, the second does not happen. And what was asked before there was
 * a second thread stands where it does, before or after what is printed, in every run.
 *
 * In a replay, the file that the recorded run printed to is still there, and what it holds is from another run. Its
 * name stands for what the replay prints to; a witness that comes by it in another way is lost.
 *
 * Owns nothing; by any thread, and by handlers of signals, but where it says otherwise. */
#ifndef RECIPE_RUNTIME_STREAMS_H
#define RECIPE_RUNTIME_STREAMS_H

#include "runtime/runtime.h"

struct stat;
struct rcp_log_place;

/* What descriptors 1 and 2 lead to, where that is a file. */
void rcp_streams_places(struct rcp_log_place places[2]);
/* Before the program's first instruction. */
void rcp_streams_start(void);
/* A run that follows a witness: where the recorded one printed to. */
void rcp_streams_follow(const struct rcp_log_place recorded[2]);
/* In the child of a fork, whose log is another. */
void rcp_streams_part(void);

/* Something may be printed now. */
extern bool rcp_streams_were_printed __attribute__((visibility("hidden")));
static inline void rcp_streams_printed(void) { rcp_streams_were_printed = true; }
/* The thread has the baton from here on. */
void rcp_streams_look(void);
static inline void rcp_streams_turn(void) {
    if (__builtin_expect(rcp_streams_were_printed, 0))
        rcp_streams_look();
}
/* The baton is taken from a thread that waits in code that is not recorded: it may wait to print. */
void rcp_streams_stolen(void);

/* The descriptor was read, polled or mapped, or its file's end was asked for. Of a file it is what it was read before
 * this that is looked at, so this comes after; of all others it does not matter when. */
void rcp_streams_read(int fd);
/* It gets another number, by which where it stands can be asked: `to`, which then leads there; below 0: a new one. */
void rcp_streams_duplicated(int fd, int to);
/* In a replay: what the path would lead to if this were the recorded run, where that is what it prints to. */
const char *rcp_streams_meant(int at, const char *path);
/* A path was asked for, or changed in a way that tells what was there; a descriptor was asked for. After it, too. */
void rcp_streams_path(int at, const char *path);
void rcp_streams_file(int fd);
/* What a descriptor leads to that was opened. */
void rcp_streams_opened(const struct stat *facts);
/* What has come now may be an answer of another process's. */
void rcp_streams_answered(void);
/* Is it a pipe or a socket that the program was started with? Also of one that nobody writes to any more. */
bool rcp_streams_was_given(int fd);
/* From here on answers may come that nobody looks at; of a descriptor: if it is one by which they come. */
void rcp_streams_tied(void);
void rcp_streams_kept(int fd);
/* The program makes a process. */
void rcp_streams_forked(void);
/* The same, if a signal of this kind comes from one. */
void rcp_streams_signalled(int number, int code, int process);

#endif
