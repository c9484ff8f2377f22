# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# SQLite by one of its own tests of threads (test/threadtest4.c): C, mutexes, files, a cache that connections share. With more
# threads than three it ends now and then because two of them wait for each other, and says so, natively, too.
packages=(sqlite3)
binary=sqlite3/threadtest4
configure() {
    cd sqlite3
    ./configure --disable-tcl
    make sqlite3.c # all of it as one file, made by tclsh
}
build() {
    cd sqlite3
    $CC $CFLAGS -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -I. test/threadtest4.c sqlite3.c -o threadtest4 -pthread -lm
}
run_program() {
    "${launch[@]}" "$built/sqlite3/threadtest4" --multithread 2 | sort >said # threads report as they come
    rm -f tt4-*
}
measured() {
    "${launch[@]}" "$built/sqlite3/threadtest4" --multithread 3
}
measured_input() {
    echo 0
}
