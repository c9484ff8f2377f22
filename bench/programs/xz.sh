# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# xz with liblzma's threaded encoder and decoder: C, pthreads, condition variables with time limits.
packages=(xz-utils)
binary=xz-utils/src/xz/xz
configure() {
    cd xz-utils
    ./configure --disable-shared --disable-nls --disable-doc
}
build() {
    make -C xz-utils
}
inputs() {
    text 400000 5 >small
    text 3000000 6 >large
}
run_program() {
    "${launch[@]}" "$built/xz-utils/src/xz/xz" -T4 -1 --block-size=64KiB -c <"$inputs/small" >small.xz || return
    "${launch[@]}" "$built/xz-utils/src/xz/xz" -T4 -dc <small.xz >small
}
measured() {
    # Blocks and a dictionary that fit a cache, as for random access; docs/benchmarks/recording.md has the presets, too.
    "${launch[@]}" "$built/xz-utils/src/xz/xz" -T4 --block-size=256KiB --lzma2=preset=6,dict=256KiB -c <"$inputs/large" >large.xz
}
measured_input() {
    stat -c %s "$inputs/large"
}
partly() {
    text 20000 7 >small
    "${launch[@]}" "$built/xz-utils/src/xz/xz" -T3 -0 --block-size=7KiB -c <small >small.xz
}
