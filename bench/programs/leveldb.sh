# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# leveldb: C++ with std::thread for its background compactions, atomics, files; driven by its C test.
packages=(leveldb)
binary=c_test
configure() {
    cmake -S leveldb -B build -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF -DCMAKE_BUILD_TYPE=Release
}
build() {
    cmake --build build
    $CC $CFLAGS -Ileveldb/include -c leveldb/db/c_test.c -o c_test.o
    $CXX $CXXFLAGS c_test.o build/libleveldb* -pthread -o c_test
}
run_program() {
    # Its database is in a directory that is named after the user alone.
    mkdir temporary
    TEST_TMPDIR=$PWD/temporary "${launch[@]}" "$built/c_test" 2>steps || return
    grep -E '^(===|PASS)' steps
    rm -r temporary steps
}
