# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# civetweb: C, pthreads; a thread that accepts connections, a queue of them, and workers that answer.
packages=(civetweb)
binary=civetweb/civetweb
build() {
    cd civetweb
    # shellcheck disable=SC2086
    $CC $CFLAGS -Iinclude -DNO_SSL -DNO_CGI -o civetweb src/main.c src/civetweb.c -ldl -lpthread -lm
}
inputs() {
    mkdir pages
    local i
    for i in 1 2 3; do
        text 2000 "$i" >"pages/$i.txt"
    done
}
yard() {
    "${launch[@]}" "$built/civetweb/civetweb" -document_root "$inputs/pages" -listening_ports 127.0.0.1:28373 -num_threads 4
}
hunted() {
    yard
}
# Four connections at once, then the server is told to end.
visit() {
    local i fd fds=()
    for i in 1 2 3 4; do
        until { exec {fd}<>/dev/tcp/127.0.0.1/28373; } 2>/dev/null; do
            sleep 0.02
        done
        fds+=("$fd")
    done
    for i in 1 2 3 4; do
        printf 'GET /%d.txt HTTP/1.0\r\n\r\n' $i >&"${fds[i - 1]}"
    done
    for i in 1 2 3 4; do
        cat <&"${fds[i - 1]}" >"$1/answers.$i"
    done
    kill "$RECIPE_PID"
}
