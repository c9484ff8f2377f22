# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# libmicrohttpd: C, pthreads; tests of its own that start servers of every kind and end them, one with connections that stay open.
packages=(libmicrohttpd)
binary=libmicrohttpd/src/microhttpd/test_start_stop
configure() {
    cd libmicrohttpd
    ./configure --disable-shared --disable-https --disable-curl --disable-doc --disable-examples
}
build() {
    make -C libmicrohttpd/src/microhttpd test_start_stop test_shutdown_select
}
run_program() {
    "${launch[@]}" "$built/libmicrohttpd/src/microhttpd/test_start_stop" || return
    "${launch[@]}" "$built/libmicrohttpd/src/microhttpd/test_shutdown_select"
}
# The flag is written, then the listening socket shut down, for which the other thread's poll waits, without a time limit and with nobody who connects.
ordered=("daemon.c:4653 daemon.c:7667: shutdown poll")
