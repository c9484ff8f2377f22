#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recipe cc as builds use it: make, CMake with CTest, a configure script's questions, libtool's, response files, precompiled
# headers, standard input, an interrupted build. The compiler is named by one word or by two.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
bin=$(dirname "$RECIPE")
export TMPDIR=$work/temporary
mkdir "$TMPDIR"
clean() { [ -z "$(ls -A "$TMPDIR")" ] || fail "$1 leaves $(ls "$TMPDIR") in TMPDIR"; }

cat >main.c <<'C'
#include "part.h"
#include <stdio.h>
int main(void) {
    printf("%d\n", part(20));
    return part(20) != 42;
}
C
echo 'int part(int x);' >part.h
printf '#include "part.h"\nint part(int x) { return x + 22; }\n' >part.c

# plain make: both spellings, in parallel, dependencies by -MMD
cat >Makefile <<'M'
CFLAGS = -O2 -Wall -Werror -MMD
prog: main.o part.o
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
-include $(wildcard *.d)
M
for compiler in "$RECIPE cc" "$bin/recipe-cc"; do
    make -j4 CC="$compiler" >out 2>err || fail "make CC='$compiler': $(cat err)"
    silent err
    [ "$(./prog)" = 42 ] || fail "make CC='$compiler': prints '$(./prog)'"
    touch part.h
    make -n CC="$compiler" >out
    grep -q main.c out || fail "dependencies are not tracked"
    rm -f prog ./*.o ./*.d
done
clean make

# the names decide; any other name is recipe itself
ln -s "$RECIPE" recipe-c++
printf '#include <string>\nint main() { return std::string("ab").size() != 2; }\n' >s.cc
./recipe-c++ s.cc -o s && ./s || fail "recipe-c++ by a link of its name"

# configure: compiler checks as autoconf writes them
try() { "$RECIPE" cc "$@" conftest.c >conftest.out 2>conftest.err; }
echo 'int main(void) { return 0; }' >conftest.c
try -o conftest && ./conftest || fail "configure: C compiler can't create executables"
try -c -fPIC -DPIC && [ ! -s conftest.err ] || fail "configure: -fPIC does not work"
try -c -Werror -Wunknown-nonsense && fail "configure: every warning option seems to work"
try -Werror -Wl,--no-such-option -o conftest && fail "configure: every linker option seems to work"
echo 'int main(void) { return nowhere(); }' >conftest.c
try -std=gnu99 -Werror=implicit-function-declaration && fail "configure: every function seems to be declared"
echo 'extern int nowhere(void); int main(void) { return nowhere(); }' >conftest.c
try -o conftest && fail "configure: every function seems to exist"
for function in pthread_create dlopen sem_init; do
    echo "char $function(void); int main(void) { return $function(); }" >conftest.c
    try -w -o conftest || fail "configure: $function is not found: $(cat conftest.err)"
done
printf '#include <stdio.h>\nint main(void) { FILE *f = fopen("conftest.val", "w"); return !f || fprintf(f, "%%d", (int)sizeof(long)) < 0 || fclose(f); }' >conftest.c
try -o conftest && ./conftest && [ "$(cat conftest.val)" = 8 ] || fail "configure: sizeof long"
printf '#ifdef __OPTIMIZE__\n#error optimised\n#endif\nint x;' >conftest.c
try -c || fail "configure: -O0 is not -O0: $(cat conftest.err)"
echo 'void f(void) { __asm__ volatile("" ::: "memory"); }' >conftest.c
try -c -Werror && [ ! -s conftest.err ] || fail "configure: inline assembly is warned of"
rm -f conftest*
clean "a configure script"

# libtool: one source twice, a versioned library, -L and -l from what -v says, a convenience library
mkdir .libs
"$RECIPE" cc -O2 -c part.c -fPIC -DPIC -o .libs/part.o && "$RECIPE" cc -O2 -c part.c -o part.o
"$RECIPE" cc -shared -fPIC -DPIC .libs/part.o -O2 -Wl,-soname -Wl,libpart.so.1 -o .libs/libpart.so.1.0.0
ln -s libpart.so.1.0.0 .libs/libpart.so.1 && ln -s libpart.so.1 .libs/libpart.so
ar cr .libs/libpart.a part.o && ranlib .libs/libpart.a
"$RECIPE" cc -O2 -o .libs/prog main.c .libs/libpart.so -Wl,-rpath -Wl,"$work/.libs"
[ "$(.libs/prog)" = 42 ] || fail "libtool: prints '$(.libs/prog)'"
nm -B .libs/part.o >out
grep -q ' T part' out || fail "libtool: nm does not find the function"
"$RECIPE" cc -v -shared .libs/part.o -o none.so 2>err && grep -q -e ' -L/' err || fail "libtool: -v does not say where libraries are"
"$RECIPE" cc -print-search-dirs >out && grep -q '^libraries:' out || fail "libtool: -print-search-dirs"
rm -rf .libs none.so
clean libtool

# CMake and CTest
if command -v cmake >/dev/null; then
    mkdir cmake && cat >cmake/CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.20)
project(prog C CXX)
enable_testing()
find_package(Threads REQUIRED)
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wshadow HAVE_SHADOW)
check_c_compiler_flag(-Wnonsense HAVE_NONSENSE)
if(NOT HAVE_SHADOW OR HAVE_NONSENSE OR NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
  message(FATAL_ERROR "the compiler answers wrongly")
endif()
add_library(part SHARED ../part.c)
target_include_directories(part PUBLIC ..)
add_executable(prog ../main.c)
target_link_libraries(prog part Threads::Threads)
add_executable(s ../s.cc)
target_precompile_headers(s PRIVATE <string> <vector>)
add_test(NAME prog COMMAND prog)
add_test(NAME s COMMAND s)
M
    cmake -S cmake -B cmake/build -G Ninja -DCMAKE_C_COMPILER="$bin/recipe-cc" -DCMAKE_CXX_COMPILER="$bin/recipe-c++" \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo >out 2>err || fail "cmake: $(cat out err)"
    cmake --build cmake/build >out 2>err || fail "cmake: $(cat out err)"
    ctest --test-dir cmake/build -j2 >out 2>err || fail "ctest: $(cat out err)"
    rm -rf cmake
    clean CMake
fi

# precompiled headers, with and without optimisation
for level in -O0 -O2 "-O2 -g"; do
    "$RECIPE" cc $level -x c-header part.h -o part.h.pch && "$RECIPE" cc $level -include-pch part.h.pch -c part.c ||
        fail "a precompiled header with $level"
done
rm part.h.pch

# standard input, -x for some, response files (nested, quoted, very long)
echo 'int main(void) { return 7; }' | "$RECIPE" cc -x c - -o seven
got=0 && ./seven || got=$?
[ $got -eq 7 ] || fail "from standard input: $got"
cp main.c main.txt && "$RECIPE" cc -x c main.txt -x none part.c -o prog && [ "$(./prog)" = 42 ] || fail "-x c, -x none"
printf -- '-DWORDS="\\"a b\\"" @inner.rsp\n' >outer.rsp && printf -- "main.c 'part.c'\n-o prog\n" >inner.rsp
"$RECIPE" cc @outer.rsp && [ "$(./prog)" = 42 ] || fail "response files"
{ echo 'main.c part.c -o prog' && for ((i = 0; i < 30000; i++)); do echo "-DA_LONG_NAME_FOR_A_MACRO_THAT_NOBODY_USES_$i=1 -L/nowhere/at/all/there/$i"; done; } >long.rsp
"$RECIPE" cc @long.rsp && [ "$(./prog)" = 42 ] || fail "a command line of 3 MB"
clean "response files"

# what is run is said; -### runs nothing
"$RECIPE" cc -v -c part.c -o v.o 2>err && says err "-cc1" "recording pass" "functions recorded" || fail "-v"
RECIPE_CC_VERBOSE=1 "$RECIPE" cc -c part.c -o v.o 2>err && says err "recording pass" || fail "RECIPE_CC_VERBOSE"
rm v.o && "$RECIPE" cc -### -c part.c -o v.o 2>err && says err '"-cc1"' "recording pass" && absent v.o

# interrupted: nothing stays, and the signal is what ended it
mkfifo endless.c
for signal in INT TERM HUP; do
    (
        trap - INT # a background job of a script ignores it
        exec env --default-signal=INT "$RECIPE" cc -c endless.c -o endless.o
    ) 2>/dev/null &
    exec 3>endless.c # the compiler has opened it: it is reading
    kill -$signal $!
    got=0 && wait $! || got=$?
    exec 3>&-
    [ $got -eq $((128 + $(kill -l $signal))) ] || fail "SIG$signal: ended with $got"
    absent endless.o
    clean "SIG$signal"
done
