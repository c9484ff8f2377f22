# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# lbzip2: C, pthreads, its own work queues.
packages=(lbzip2)
binary=lbzip2/src/lbzip2
configure() {
    cd lbzip2
    # Its gnulib is older than this glibc, which no longer says what it is by this macro.
    CPPFLAGS="-D_IO_ftrylockfile -D_IO_ERR_SEEN=0x20" ./configure
}
build() {
    make -C lbzip2
}
inputs() {
    text 400000 3 >small
    text 4000000 4 >large
}
run_program() {
    "${launch[@]}" "$built/lbzip2/src/lbzip2" -n4 -1 -c <"$inputs/small" >small.bz2 || return
    "${launch[@]}" "$built/lbzip2/src/lbzip2" -n4 -dc <small.bz2 >small
}
measured() {
    "${launch[@]}" "$built/lbzip2/src/lbzip2" -n4 -c <"$inputs/large" >large.bz2
}
measured_input() {
    stat -c %s "$inputs/large"
}
hunted() {
    text 3000 7 >small
    "${launch[@]}" "$built/lbzip2/src/lbzip2" -n3 -1 -c <small
}
partly() {
    text 3000 7 >small
    "${launch[@]}" "$built/lbzip2/src/lbzip2" -n3 -1 -c <small >small.bz2
}
