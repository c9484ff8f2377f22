#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Forks, programs that are executed, daemons, libraries: each process has a recording, and all modules are there.
. "$(dirname "$0")/lib.bash"

build processes <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared = 1;
static int wait_for(pid_t pid) {
    int status;
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(int argc, char **argv) {
    if (argc > 1) {
        printf("executed with %s\n", argv[1]);
        return 4;
    }
    pid_t pid = fork();
    if (!pid) {
        shared = 2;
        exit(3);
    }
    printf("child %d, shared %d\n", wait_for(pid), shared);
    fflush(stdout);
    pid = fork();
    if (!pid) {
        execl("./processes", "processes", "one argument", NULL);
        _exit(9);
    }
    printf("executed %d\n", wait_for(pid));
    return 0;
}
C
run 0 record -v ./processes
printf 'child 3, shared 1\nexecuted with one argument\nexecuted 4\n' | cmp -s - out || fail "the output is $(cat out)"
says err "further processes                3"
says processes.recipe/run.json '"processes": 4'
# the child, the child that executes, what it executes
for n in 1 2 3; do
    run 0 trace stat processes.recipe/process.$n
    [ "$n" -ne 2 ] || says out "by executing another program"
    [ "$n" -eq 2 ] || says out "the log ended                    by exit"
    run 0 trace schedule processes.recipe/process.$n
    cmp -s processes.recipe/modules/*.bc processes.recipe/process.$n/modules/*.bc || fail "process.$n has no modules"
done
absent processes.recipe/process.4

# a daemon goes on when recipe has ended; its recording is whole when it ends
mkfifo done
build daemon <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    if (daemon(1, 0))
        return 1;
    int total = 0;
    for (int i = 0; i < 1000; i++)
        total += i;
    int fd = open("done", O_WRONLY);
    dprintf(fd, "%d\n", total);
    return 0;
}
C
run 0 record ./daemon
read -r total <done
[ "$total" = 499500 ] || fail "the daemon says $total"
for ((i = 0; i < 100000; i++)); do # it has yet to end
    run 0 trace stat daemon.recipe/process.1
    ! grep -q "without a word" out || continue
    break
done
says out "the log ended                    by exit"

# libraries, linked and loaded late
build libadd.so -fPIC -shared <<'C'
int added;
int add(int n) { return added += n; }
C
build liblate.so -fPIC -shared <<'C'
int late(int n) { return n * 2; }
C
build user -L. -l:libadd.so '-Wl,-rpath,$ORIGIN' -ldl <<'C'
#include <dlfcn.h>
#include <stdio.h>
int add(int n);
int main(void) {
    add(3);
    void *library = dlopen("./liblate.so", RTLD_NOW);
    int (*late)(int) = library ? (int (*)(int))dlsym(library, "late") : NULL;
    printf("%d\n", late ? late(add(4)) : -1);
    return 0;
}
C
run 0 record ./user
[ "$(cat out)" = 14 ] || fail "the libraries give $(cat out)"
[ "$(ls user.recipe/modules | wc -l)" -eq 3 ] || fail "not three modules: $(ls user.recipe/modules)"

# a crash: the recording is whole up to it
build crash <<'C'
#include <pthread.h>
#include <stddef.h>
static void *work(void *at) {
    *(volatile int *)at = 1;
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
C
code=0
{ bash -c '"$@" 2>err' - "$RECIPE" record ./crash; } 2>/dev/null || code=$?
[ "$code" -eq 139 ] || fail "a crash: exit code $code"
run 0 trace stat crash.recipe
says out "the log ended                    by a signal"
run 0 trace schedule crash.recipe
says out "0.1 "
