#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recipe cc says, on both channels, and its exit code are clang's: build systems ask compilers questions and read
# the answers. Each warning comes once, though the code goes through clang twice.
. "$(dirname "$0")/lib.bash"
clang=${RECIPE_CLANG:-clang-19}

cat >good.c <<'C'
#include <stdio.h>
int main(void) {
    printf("hello\n");
    return 0;
}
C
cat >warns.c <<'C'
int unused(void) {
    int x;
    char large[4000];
    return 0;
}
C
cat >wrong.c <<'C'
int main(void) { return missing; }
C
cat >macros.c <<'C'
#ifdef __OPTIMIZE__
optimised
#endif
#ifdef __NO_INLINE__
not inlined
#endif
_FORTIFY_SOURCE __OPTIMIZE_SIZE__ __PIC__ __PIE__ __FAST_MATH__
C
cat >good.cc <<'C'
#include <vector>
int main() { return (int)std::vector<int>(3).size() - 3; }
C
cat >asm.s <<'C'
.globl nothing
nothing: ret
C
echo '-c good.c -o "with space.o"' >words.rsp
mkdir theirs ours

# same ARGS…: by clang in one directory and by recipe in another (sources are in the directory above)
same() {
    local theirs=0 ours=0 mode=${MODE:-cc} driver=gcc name=clang
    [ "$mode" = cc ] || driver=g++ name=clang++
    (cd theirs && exec -a $name "$(command -v "$clang")" --driver-mode=$driver "$@" </dev/null >../out.theirs 2>../err.theirs) || theirs=$?
    (cd ours && "$RECIPE" "$mode" "$@" </dev/null >../out.ours 2>../err.ours) || ours=$?
    [ $theirs -eq $ours ] || {
        cat err.ours >&2
        fail "$*: exit code $ours, clang's is $theirs"
    }
    for side in theirs ours; do
        sed -i "s|$work/$side|$work|g" err.$side
    done
    cmp -s out.theirs out.ours || fail "$*: standard output differs: $(diff out.theirs out.ours | head -5)"
    if grep -q "linker command failed" err.theirs; then # the code around what is missing is another
        grep -q "linker command failed" err.ours || fail "$*: does not say that the linker failed"
    else
        cmp -s err.theirs err.ours || fail "$*: standard error differs: $(diff err.theirs err.ours | head -20)"
    fi
    [ "$(cd theirs && ls)" = "$(cd ours && ls)" ] || fail "$*: leaves $(cd ours && ls | tr '\n' ' '), clang $(cd theirs && ls | tr '\n' ' ')"
    for file in theirs/*.d theirs/*.i theirs/*.ll; do
        [ ! -f "$file" ] || cmp -s "$file" "ours/${file#theirs/}" || fail "$*: ${file#theirs/} differs"
    done
    rm -rf theirs/* ours/*
}

# questions
same --version
same -dumpversion
same -dumpmachine
same -print-search-dirs
same -print-file-name=libc.so
same -print-prog-name=ld
same -print-multiarch
same -v
same -E -v -x c /dev/null
same
same -c
same --help

# preprocessing, at every level what the user's own level defines
take_part 3 "levels of optimisation" "" -O0 -O1 -O2 -O3 -Os -Og "-O2 -D_FORTIFY_SOURCE=2" "-O2 -ffast-math" "-fPIC" "-fno-pie" "-O2 -fno-inline"
for level in "${part[@]}"; do
    same -E -P $level ../macros.c
done
same -E ../good.c
same -E ../good.c -o good.i
same -P -E -dM -x c /dev/null
same -M ../good.c
same -MM ../good.c
same -MM -MG -MT target ../good.c
same -c -MD ../good.c
same -c -MMD -MF deps.d -MP -MQ 'a$b' -MT other ../good.c -o out.o
same -MD ../good.c -o program

# warnings and errors, once
same -c ../warns.c
same -Wall -Wextra -c ../warns.c
same -Wall -Werror -c ../warns.c
same -Wall -Wno-error -Werror=unused-variable -c ../warns.c
same -Wframe-larger-than=100000 -O0 -c ../warns.c
same -Wall -fcolor-diagnostics -c ../warns.c
same -Wall -fdiagnostics-format=msvc -c ../warns.c
same -w -c ../warns.c
same -Wno-such-warning -c ../good.c
same -c ../wrong.c
same ../wrong.c ../good.c
same -c ../wrong.c ../good.c
same -c ../missing.c
same -fno-such-option -c ../good.c
same -c ../good.c -lm -L.
same -Qunused-arguments -c ../good.c -lm
same ../warns.c -o none
same -fsyntax-only ../good.c
same -fsyntax-only ../wrong.c
same -c -o missing/good.o ../good.c

# what is left behind
same -c ../good.c ../warns.c
same -c ../good.c -o other.o
same ../good.c
same ../good.c -o program
same -S ../good.c
same -S -emit-llvm -g0 ../good.c
same -c -emit-llvm ../good.c
same -c ../asm.s
same -x assembler-with-cpp -c ../asm.s
same -save-temps -c ../good.c -DX
same -save-temps=obj -c ../good.c -o z.o
same -g -gsplit-dwarf -c ../good.c
same --coverage -c ../good.c
same -fsave-optimization-record -O2 -c ../good.c
same -fno-integrated-as -c ../good.c
same -ftime-trace -c ../good.c
cp good.c words.rsp theirs && cp good.c words.rsp ours
same @words.rsp
MODE=c++ same -c ../good.cc
MODE=c++ same ../good.cc -o program
MODE=c++ same -E -P ../macros.c
MODE=c++ same --version
