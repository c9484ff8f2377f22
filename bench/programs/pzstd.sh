# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# pzstd: C++ with std::thread, std::mutex and std::condition_variable around libzstd (C).
packages=(libzstd)
binary=libzstd/contrib/pzstd/pzstd
build() {
    make -C libzstd/contrib/pzstd pzstd
}
inputs() {
    text 1500000 9 >small
    text 12000000 10 >large
}
run_program() {
    "${launch[@]}" "$built/libzstd/contrib/pzstd/pzstd" -q -p4 -1 -c "$inputs/small" >small.zst || return
    "${launch[@]}" "$built/libzstd/contrib/pzstd/pzstd" -q -p4 -d -c small.zst >small
}
measured() {
    "${launch[@]}" "$built/libzstd/contrib/pzstd/pzstd" -q -p4 -6 -c "$inputs/large" >large.zst
}
measured_input() {
    stat -c %s "$inputs/large"
}
