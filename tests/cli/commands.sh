#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe run of a command: every process of it that recipe built is recorded, analysed and reported together, each race with its
# process, and replayed by itself or with the whole command.
. "$(dirname "$0")/lib.bash"

# json FILTER: what jq makes of the JSON report of the last run.
json() {
    jq -r "$1" report
}

# is FILTER VALUE
is() {
    [ "$(json "$1")" = "$2" ] || {
        cat report err >&2
        fail "$1 is $(json "$1"), not $2"
    }
}

# run_command CODE WORDS…: the report is in ./report, what the command printed in ./printed.
run_command() {
    local code=$1
    shift
    rm -rf dir
    run "$code" run --format json --report report -o dir "$@"
    cp out printed
}

build racy <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int shared;
static void *work(void *a) {
    shared += *(int *)a;
    return NULL;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t t;
    pthread_create(&t, NULL, work, &n);
    shared += n;
    pthread_join(t, NULL);
    printf("%d\n", shared);
    return 0;
}
C
build calm <<'C'
#include <stdio.h>
int main(int argc, char **argv) { return printf("calm %d\n", argc) < 0; }
C

script() {
    cat >"$1"
    chmod +x "$1"
}

# --- a script that starts two programs ---
script two.sh <<'SH'
#!/bin/sh
./calm x
echo between
./racy 3
SH
run_command 1 ./two.sh
printf 'calm 2\nbetween\n6\n' | cmp - printed || fail "the script prints $(cat printed)"
is '.races | length' 3
is '[.races[].status] | unique | join(" ")' confirmed
is '[.races[].process] | unique | join(" ")' process.2
is '.races[0].command | join(" ")' "./racy 3"
is '.command | join(" ")' ./two.sh
is '[.processes[] | .name + ":" + (.single_threaded | tostring)] | join(" ")' "process.1:true process.2:false"
is '.processes[1].races | join(" ")' "1 2 3"
is '.processes[1].directory' "$PWD"
# the same directory once more: the report, an analysis, a replay by the report's number
run 1 report dir
says out "Process: process.2: ./racy 3, in $PWD" "2 processes"
run 1 analyze dir
says out "  Pair 1 on shared" "1 race (1 confirmed) in 3 pairs of accesses"
run 0 replay dir 2
says out "Race 2 on shared" "confirmed"
says err "racy 3"
run 3 replay dir 4
says err "there is no race 4; the report has 3"
run 0 replay dir all
absent dir/log

# --- what starts nothing that recipe built ---
run 125 run true
says err "was not built by recipe, and started no program that was"
absent true.recipe
script fails.sh <<'SH'
#!/bin/sh
./racy 1
exit 7
SH
run 1 run -o failing ./fails.sh
says err "fails.sh exited with 7; its run is analysed all the same"

# --- children by fork: the one that races, known by its fork; what was before the forks is the parent's alone ---
build forks <<'C'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int early, late;
static void *begin(void *a) {
    early++;
    return a;
}
static void *go_on(void *a) {
    late++;
    return a;
}
static void spawn(void *(*function)(void *), int *at) {
    pthread_t t;
    pthread_create(&t, NULL, function, NULL);
    ++*at;
    pthread_join(t, NULL);
}
int main(void) {
    spawn(begin, &early);
    for (int i = 0; i < 3; i++) {
        int status;
        pid_t pid = fork();
        if (!pid) {
            if (i == 1 && !fork())
                spawn(go_on, &late);
            wait(&status);
            _exit(0);
        }
        waitpid(pid, &status, 0);
    }
    return 0;
}
C
run_command 1 ./forks
is '[.races[].status] | unique | join(" ")' confirmed
is '[.races[] | select(.variable == "early") | .process] | unique | join(" ")' ""
is '[.races[] | select(.variable == "early") | .also_in | length] | add' 0
is '[.races[] | select(.variable == "late") | .process] | unique | length' 1
grandchild=$(json '[.races[] | select(.variable == "late") | .process][0]')
is ".processes[] | select(.name == \"$grandchild\") | .forked_by" process.2
says "dir/$grandchild/meant" " 1 2 1"

# --- many at once: one race of many processes is one race ---
{
    echo 'all: 1 2 3 4 5 6 7 8 9 10 11 12 ; @:'
    echo '%: ; ./racy $@'
} >Makefile
run_command 1 make -j8
is '.races | length' 3
is '.races[0].also_in | length' 11
is '.races[0].status' confirmed
is '[.processes[].command[1]] | sort | unique | length' 12
is '[.processes[].analysed] | unique | join(" ")' true

# --- 200 processes ---
script many.sh <<'SH'
#!/bin/sh
for i in $(seq 199); do ./calm $i; done
./racy 5
SH
run_command 1 ./many.sh
is '.processes | length' 200
is '[.processes[] | select(.single_threaded)] | length' 199
is '[.races[].process] | unique | join(" ")' process.200
is '[.races[].status] | unique | join(" ")' confirmed

# --- a child that outlives its parent ---
build late <<'C'
#include <pthread.h>
#include <unistd.h>
static int shared;
static void *work(void *a) {
    shared++;
    return a;
}
int main(void) {
    char c;
    pthread_t t;
    if (read(0, &c, 1)) /* the shell has the other end, and ends */
        return 1;
    pthread_create(&t, NULL, work, NULL);
    shared++;
    pthread_join(t, NULL);
    return 0;
}
C
mkfifo held
script leave.sh <<'SH'
#!/bin/sh
./late <held &
exec 3>held
SH
run_command 1 ./leave.sh
is '.races | length' 3
is '[.races[].status] | unique | join(" ")' confirmed
# and one that does not end: what it did until then is analysed, and it is left alone
build stay <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int shared;
static void *work(void *a) {
    shared++;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    shared++;
    pthread_join(t, NULL);
    close(open("ready", O_WRONLY));
    pause();
    return 0;
}
C
mkfifo ready
script stay.sh <<'SH'
#!/bin/sh
./stay >/dev/null 2>&1 </dev/null &
read nothing <ready
SH
code=0
timeout 120 "$RECIPE" run --set outlive-seconds=0 --format json --report report -o staying ./stay.sh >out 2>err </dev/null || code=$?
pid=$(json '.processes[0].pid')
kill "$pid" || fail "it does not run any more"
[ $code -eq 1 ] || fail "exit code $code: $(cat err)"
says err "1 recorded process runs still; what it did until now is analysed"
is '.races | length' 3
is '[.analysis.not_looked_at[].reason] | map(select(startswith("The recording was cut off"))) | length' 1

# --- a server and its clients: the whole command once more ---
build server <<'C'
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
static int begun;
static void *serve(void *a) {
    int fd = (int)(long)a;
    char c;
    begun++;
    while (read(fd, &c, 1) == 1) {
    }
    close(fd);
    return NULL;
}
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]), s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t l = sizeof a;
    pthread_t t[16];
    if (bind(s, (struct sockaddr *)&a, l) || listen(s, 8) || getsockname(s, (struct sockaddr *)&a, &l))
        return 1;
    FILE *f = fopen("port", "w"); /* a pipe: whoever reads it waits for us */
    fprintf(f, "%d\n", ntohs(a.sin_port));
    fclose(f);
    for (int i = 0; i < n; i++) {
        int c = accept(s, NULL, NULL);
        pthread_create(&t[i], NULL, serve, (void *)(long)c);
        begun++;
    }
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
cat >client.c <<'C'
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    a.sin_port = htons(atoi(argv[argc - 1]));
    return connect(s, (struct sockaddr *)&a, sizeof a) || write(s, "hello", 5) != 5;
}
C
"${CC:-cc}" client.c -o client || fail "client.c is not compiled"
mkfifo port
script serve.sh <<'SH'
#!/bin/sh
./server 2 &
read port <port
./client $port
./client $port
wait
SH
run_command 1 ./serve.sh
is '[.races[] | select(.variable == "begun")] | length >= 3' true
is '[.races[].status] | unique | join(" ")' confirmed
is '[.races[].process] | unique | join(" ")' process.1
is '[.races[] | select(.replay | contains("with the whole command, run again: ./serve.sh."))] | length > 0' true
# 'replay' runs the whole command only where it is told to: a recording from elsewhere may name any
run 1 replay --limit 2 dir 2
says out "The whole command was not run again; --whole does that."
run 0 replay --whole dir 2
says out "That was with the whole command, run again: ./serve.sh."
says err "serve.sh"

# --- a command that does not end: its recorded processes are ended with it ---
build endless <<'C'
#include <pthread.h>
#include <unistd.h>
static int shared;
static void *work(void *a) {
    shared++;
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    shared++;
    pthread_join(t, NULL);
    for (;;)
        pause();
}
C
script endless.sh <<'SH'
#!/bin/sh
./endless
SH
run_command 1 --for 1 ./endless.sh
is '[.races[].status] | unique | join(" ")' confirmed
is '.races | length' 3
grep -qs '^State:.*Z' "/proc/$(json '.processes[0].pid')/status" || ! kill -0 "$(json '.processes[0].pid')" 2>/dev/null || fail "what the command started runs still"

# --- the same command line several times: the second of its like is meant ---
build turns <<'C'
#include <pthread.h>
#include <stdio.h>
static int shared;
static void *work(void *a) {
    shared++;
    return a;
}
int main(void) {
    int n = 0;
    pthread_t t;
    FILE *f = fopen("count", "r+");
    if (!f || fscanf(f, "%d", &n) != 1)
        return 1;
    rewind(f);
    fprintf(f, "%d\n", n + 1);
    fclose(f);
    pthread_create(&t, NULL, n == 1 ? work : (void *(*)(void *))pthread_self, NULL);
    if (n == 1)
        shared++;
    pthread_join(t, NULL);
    return 0;
}
C
script turns.sh <<'SH'
#!/bin/sh
echo 0 >count
./turns
./turns
./turns
SH
run_command 1 ./turns.sh
is '[.races[].process] | unique | join(" ")' process.2
is '[.races[].status] | unique | join(" ")' confirmed
says dir/process.2/meant " 2"

