# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# c-blosc: C, a pool of pthreads with barriers; built by CMake with a shared library; zlib and libzstd are the system's,
# so not instrumented.
packages=(c-blosc)
binary=build/bench/bench
configure() {
    cmake -S c-blosc -B build -DBUILD_FUZZERS=OFF -DPREFER_EXTERNAL_ZSTD=ON -DPREFER_EXTERNAL_ZLIB=ON \
        -DDEACTIVATE_LZ4=ON -DDEACTIVATE_SNAPPY=ON -DCMAKE_BUILD_TYPE=Release
}
build() {
    cmake --build build
}
run_program() {
    local name
    ln -s "$built/build/tests" tests # they print how they were called
    for name in test_nthreads test_forksafe test_api; do
        "${launch[@]}" "tests/$name" >$name.txt || return
    done
    # type size, elements, alignment, level, shuffle, threads
    "${launch[@]}" tests/test_compress_roundtrip 8 16000 32 5 1 4
    "${launch[@]}" tests/test_getitem 8 16000 32 5 1 4
    rm tests
}
measured() {
    "${launch[@]}" "$built/build/bench/bench" blosclz shuffle single 4 2097152 8 19 >/dev/null
}
# It makes its data itself.
measured_input() {
    echo 0
}
