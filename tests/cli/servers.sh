#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Servers: --for ends a program, --client talks to it, in the recording and in replays that are real.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

"$RECIPE" cc -g -O1 -pthread "$RECIPE_SOURCE_DIR/tests/programs/servers/answers.c" -o answers
cat >client <<'CLIENT'
# client N: so many connections, one after the other; each answer must be what was asked. The server closes first: that both do at
# once is another story each time.
for ((i = 0; i < $1; i++)); do
    exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
    echo "line $i" >&3
    read -r -u 3 line
    [ "$line" = "line $i" ] || exit 9
    ! read -r -u 3 line || exit 9
    exec 3>&-
done
echo "all $1 answered"
CLIENT

# A server that ends by itself, and its client: recorded together, the race shown with a client beside every replay.
rm -rf trace
run 1 run --client 'bash client 3' -o trace ./answers 3
says out "has served all" "all 3 answered"
says trace/run.json '"clients": ["bash client 3"]'
run 1 report trace
says out "answers.c:29" " confirmed)"
run 0 replay trace 1
says err "& sh -c 'bash client 3'"
says out "first: "
! grep -q "exits with\|dies of" out || fail "an order does not end well: $(cat out)"

# One that does not end: after SECONDS, by SIGTERM, which it does not handle, handles, ignores.
rm -rf trace
run 1 run --for 2 --client 'bash client 3' -o trace ./answers
says trace/run.json '"how": "signal", "signal": 15, "name": "SIGTERM", "asked": 15'
! grep -q "died of" err || fail "what was asked for is said to be a death: $(cat err)"
says err "answers.c:29"
rm -rf trace
run 1 run --for 2 --client 'bash client 3' -o trace ./answers 0 handles
says out "was asked to end"
says err "answers.c:29"
says trace/run.json '"how": "exit", "code": 0, "asked": 15'
run 0 replay trace 1
says out "first: "
! grep -q "exits with\|dies of" out || fail "an order does not end well: $(cat out)"
rm -rf trace
run 1 run --for 2 --set end-grace=1 --client 'bash client 3' -o trace ./answers 0 ignores
says trace/run.json '"signal": 9, "name": "SIGKILL", "asked": 9'
says err "did not end by SIGTERM within 1 s and was killed"
says err "answers.c:29"

# 'record' exits with what the program does with it: one that our own signal ended has not failed.
rm -rf trace
run 0 record --for 1 -o trace ./answers
rm -rf trace
run 0 record --for 1 -o trace ./answers 0 handles
says out "was asked to end"
# A program that ends earlier is not waited for.
build_counter
SECONDS=0
run 3 record --for 100 -o soon ./counter 10 3
[ $SECONDS -lt 50 ] || fail "--for waits for its time"

# A client can end the program, is ended with it, and says so where it fails.
rm -rf trace
run 143 record --client 'kill $RECIPE_PID' -o trace ./answers
says trace/run.json '"name": "SIGTERM"}'
rm -rf trace
run 0 record --client 'sleep 1000' --client 'bash client 1; exit 7' -o trace ./answers 1
says err "the client 'bash client 1; exit 7' exited with 7" "the client 'sleep 1000' died of SIGTERM"
# One that does not listen has its client, too.
build quiet <<'C'
#include <unistd.h>
int main(void) {
    while (access("came", F_OK))
        usleep(1000);
    return 0;
}
C
run 0 record --client 'touch came' -o quiet.recipe ./quiet

# Recorded peers: a replay that is fed has what they sent, and needs nobody.
for program in loops obeys turns; do
    "$RECIPE" cc -g -O1 -pthread "$RECIPE_SOURCE_DIR/tests/programs/servers/$program.c" -o $program
done
cat >sender <<'CLIENT'
# sender N: as client, by datagrams.
until [ -s port ]; do :; done
for ((i = 0; i < $1; i++)); do
    exec 3<>"/dev/udp/127.0.0.1/$(cat port)"
    echo "line $i" >&3
    [ "$(dd bs=64 count=1 <&3 2>dd)" = "line $i" ] || exit 9
    exec 3>&-
done
CLIENT
# record_with CLIENT PROGRAM…: the client is ours, so that nobody will be there in a replay. It begins when the log says that the
# program listens (abi/log.h).
record_with() {
    local client=$1 recorder
    shift
    rm -rf trace port
    "$RECIPE" record -o trace "$@" >out 2>err &
    recorder=$!
    until [ "$(head -c 3080 trace/log 2>/dev/null | tail -c 8 | tr -d '\0' | wc -c)" -eq 8 ]; do :; done
    $client || fail "$*: its client fails"
    wait $recorder || fail "$*: $(cat err)"
    run 1 analyze --model wdp trace
}
# alone WHAT: all races of ./trace are shown all the same.
alone() {
    run 0 replay trace all
    says out " confirmed)"
    ! grep -q "not-replayed" out || fail "$1: $(cat out)"
}
record_with 'bash client 3' ./answers 3
alone answers
for way in poll select epoll edge; do
    record_with 'bash client 2' ./loops $way 2
    alone $way
done
record_with 'bash sender 2' ./loops datagrams 2
alone datagrams

# A piece is given only where what has gone out begins with what had gone out before it, for the same length, and in no other way.
cat >twice <<'CLIENT'
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
head -c 1 <&3 >answered
exec 4<>"/dev/tcp/127.0.0.1/$(cat port)"
printf 0123456789 >&4
cat <&3 >answered
CLIENT
echo same 4 plain >orders
record_with 'bash twice' ./obeys
alone obeys
not_given() { # ORDERS WORDS
    echo "$1" >orders
    run 1 replay trace 1
    tr -s ' \n' ' ' <out >lines
    says lines "$2" "Again, with who is really there"
}
not_given "other 4 plain" "accepts a connection that was not there by then"
not_given "same 5 plain" "reads from a socket what did not come there by then"
not_given "same 4 peek" "a socket is read in a way that is not followed"
not_given "same 4 tries" "reads from a socket what did not come there by then"
echo same 4 extra >orders
run 0 replay trace 1

# What was read of a connection by which more than 4 KB came is something that its sender can have noticed, less is not: whoever connects
# after that is there only once it was read.
cat >much <<'CLIENT'
# much N: so many bytes; then somebody else comes.
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
head -c "$1" /dev/zero >&3
exec 4<>"/dev/tcp/127.0.0.1/$(cat port)"
cat <&3 >answered
CLIENT
for n in 4096 4097; do
    echo accept take 0 $n accept >orders
    record_with "bash much $n" ./turns
    alone "turns $n"
    orders="accept accept take 0 $n"
    if [ $n -gt 4096 ]; then
        not_given "$orders" "accepts a connection that was not there by then"
    else
        echo "$orders" >orders
        run 0 replay trace 1
    fi
done

# A file that is sent goes out like bytes of the program's own.
cat >page_client <<'CLIENT'
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
[ "$(head -c 20 <&3)" = "a page of 20 letters" ] || exit 9
exec 4<>"/dev/tcp/127.0.0.1/$(cat port)"
cat <&3 >answered
CLIENT
printf 'a page of 20 letters' >page
echo accept page 0 accept >orders
record_with 'bash page_client' ./turns
alone "turns page"
printf 'a page of 20 figures' >page
not_given "accept page 0 accept" "accepts a connection that was not there by then"

# A shutdown that fails because both ends are gone is an answer of whoever was there.
cat >leaver <<'CLIENT'
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)"
cat <&3 >answered
CLIENT
echo accept shut 0 over 0 unshut 0 >orders
record_with 'bash leaver' ./turns
alone "turns unshut"

# That something is there may be known long before it is read, and more has gone out meanwhile.
cat >early <<'CLIENT'
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)" 4<>"/dev/tcp/127.0.0.1/$(cat port)"
printf 0123 >&4
cat <&3 >answered
CLIENT
echo accept accept wait 1 say 0 take 1 4 >orders
record_with 'bash early' ./turns
alone "turns wait"

# A thread that had the baton within its call, because the C library allocated memory there, and did not come back waits on in the replay.
build waits <<'C'
#include <pthread.h>
#include <stdio.h>
static volatile int x, done[2]; /* x is racy */
static void *work(void *argument) {
    for (int i = 0; i < 20000; i++)
        ++*(volatile int *)argument;
    puts("go");
    fflush(stdout);
    x++;
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)&done[i]);
    int c = getc(stdin);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return c != 'y';
}
C
mkfifo in out.pipe
exec 8<>in 7<>out.pipe
{ head -n 1 <out.pipe >heard; echo y >in; } 7>&- 8>&- &
rm -rf trace
"$RECIPE" record --quantum 20 -o trace ./waits <in >out.pipe 7>&- 8>&- 2>err || fail "waits: $(cat err)"
exec 7>&- 8>&-
run 1 analyze --model wdp trace
alone waits

# That nothing is there is an answer as long as nothing that came later has been given, by any connection.
cat >later <<'CLIENT'
exec 3<>"/dev/tcp/127.0.0.1/$(cat port)" 4<>"/dev/tcp/127.0.0.1/$(cat port)"
head -c 1 <&3 >answered
printf 0123 >&3
cat <&3 >answered
CLIENT
for way in try look; do
    echo accept accept $way 1 say 0 take 0 4 >orders
    record_with 'bash later' ./turns
    alone "turns $way"
    echo accept accept say 0 $way 1 take 0 4 >orders
    run 0 replay trace 1
done
not_given "accept accept say 0 take 0 4 look 1" "asks whether sockets are ready, which they were not by then"
echo accept accept try 1 say 0 take 0 4 >orders
record_with 'bash later' ./turns
not_given "accept accept say 0 take 0 4 try 1" "reads from a socket what did not come there by then"

# A real replay whose client is not there says so, and does not wait for the end of its time: this one looks before it reads.
echo same 4 peek >orders
record_with 'bash twice' ./obeys
SECONDS=0
run 1 replay --limit 60 trace 1
says out "waits in accept() for a client"
[ $SECONDS -lt 30 ] || fail "nobody will come, and that is waited for"
