# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# memcached: C, pthreads around the system's libevent, which calls back; driven over loopback by four connections at once.
packages=(memcached)
binary=memcached/memcached
configure() {
    cd memcached
    ./configure --disable-docs
}
build() {
    make -C memcached memcached
}
run_program() {
    local port=$PWD/port fd fds=() i n
    MEMCACHED_PORT_FILENAME=$port "${launch[@]}" "$built/memcached/memcached" -A -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 4 &
    local server=$!
    # The file appears, whole, when the server listens.
    until [ -s "$port" ]; do
        kill -0 $server 2>/dev/null || { echo "memcached ended before it listened" && return 1; }
        sleep 0.05
    done
    n=$(sed -n 's/^TCP INET: //p' "$port")
    rm "$port"
    for i in 0 1 2 3; do
        exec {fd}<>"/dev/tcp/127.0.0.1/$n"
        fds+=("$fd")
    done
    # Every connection has asked before any reads its answers.
    for i in 0 1 2 3; do
        requests $i >&"${fds[i]}"
    done
    for i in 0 1 2 3; do
        cat <&"${fds[i]}" >answers.$i
        fd=${fds[i]}
        exec {fd}>&-
    done
    exec {fd}<>"/dev/tcp/127.0.0.1/$n"
    printf 'shutdown\r\n' >&"$fd"
    wait $server
    exec {fd}>&-
}
requests() {
    local i
    for ((i = 0; i < 100; i++)); do
        printf 'set k%d.%d 0 0 6\r\nv%05d\r\n' "$1" $i $i
        printf 'get k%d.%d\r\n' "$1" $i
        printf 'incr n%d 1\r\nappend k%d.%d 0 0 2\r\nxy\r\nget k%d.%d\r\n' "$1" "$1" $i "$1" $i
    done
    printf 'add n%d 0 0 1\r\n0\r\nincr n%d 41\r\ndelete k%d.0\r\nget k%d.0\r\nquit\r\n' "$1" "$1" "$1" "$1"
}
# One connection after the other, each with all of its requests in one piece: a replay finds the same.
partly() {
    beside &
    MEMCACHED_PORT_FILENAME=$PWD/port "${launch[@]}" "$built/memcached/memcached" -A -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 3
    wait
}
its_port() { # once it listens
    until [ -s port ]; do
        sleep 0.02
    done
    sed -n 's/^TCP INET: //p' port
    rm port
}
beside() {
    local i fd n
    n=$(its_port)
    for i in 0 1 2; do
        printf 'set k%d 0 0 6\r\nvalue0\r\nget k%d\r\nquit\r\n' $i $i >asked
        exec {fd}<>"/dev/tcp/127.0.0.1/$n"
        cat asked >&"$fd"
        cat <&"$fd" >answered
        exec {fd}>&-
    done
    exec {fd}<>"/dev/tcp/127.0.0.1/$n"
    printf 'shutdown\r\n' >&"$fd"
    cat <&"$fd" >answered
    exec {fd}>&-
}
# Three connections ask, and ask again after the server's clock has ticked.
yard() {
    MEMCACHED_PORT_FILENAME=$PWD/port "${launch[@]}" "$built/memcached/memcached" -A -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 3
}
visit() {
    local i fd fds=() n
    n=$(its_port)
    for i in 0 1 2; do
        exec {fd}<>"/dev/tcp/127.0.0.1/$n"
        fds+=("$fd")
    done
    for i in 0 1 2; do
        printf 'set k%d 0 0 6\r\nvalue0\r\nset n 0 0 1\r\n1\r\nget k%d\r\nincr n 1\r\n' $i $i >&"${fds[i]}"
    done
    sleep 1.5
    for i in 0 1 2; do
        printf 'get k0 k1 k2\r\nincr n 1\r\nappend k0 0 0 1\r\nx\r\ntouch k1 100\r\ndelete k%d\r\nget n\r\nquit\r\n' $i >&"${fds[i]}"
    done
    for i in 0 1 2; do
        cat <&"${fds[i]}" >"$1/answers.$i"
        fd=${fds[i]}
        exec {fd}>&-
    done
    exec {fd}<>"/dev/tcp/127.0.0.1/$n"
    printf 'shutdown\r\n' >&"$fd"
    cat <&"$fd" >"$1/answers"
    exec {fd}>&-
}
# For ../unlocked.sh: the lock of an item, which is that of its hash value; and the one of the server's counters.
without_items() {
    sed -i '/^void item_lock(/,/^}/s/mutex_lock(.*/(void)hv;/; /^void item_unlock(/,/^}/s/mutex_unlock(.*/(void)hv;/' memcached/thread.c
}
without_counters() {
    sed -i '/^void STATS_LOCK(/,/^}/s/pthread_mutex_lock(/(void)(/; /^void STATS_UNLOCK(/,/^}/s/pthread_mutex_unlock(/(void)(/' memcached/thread.c
}
