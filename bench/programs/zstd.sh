# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# zstd with its pool of worker threads (zstdmt): C, pthreads.
packages=(libzstd)
binary=libzstd/programs/zstd
build() {
    make -C libzstd/programs zstd
}
inputs() {
    text 1500000 7 >small
    text 12000000 8 >large
}
run_program() {
    "${launch[@]}" "$built/libzstd/programs/zstd" -q -T4 -1 -B512KB -c <"$inputs/small" >small.zst || return
    "${launch[@]}" "$built/libzstd/programs/zstd" -q -dc <small.zst >small
}
measured() {
    "${launch[@]}" "$built/libzstd/programs/zstd" -q -T4 -6 -B1MB -c <"$inputs/large" >large.zst
}
measured_input() {
    stat -c %s "$inputs/large"
}
