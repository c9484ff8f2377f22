#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way of putting a program together: it runs, it is recorded, and what must be shared between its parts is.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
clang=${RECIPE_CLANG:-clang-19}

cat >main.c <<'C'
#include <stdio.h>
int twice(int);
int main(void) {
    printf("%d\n", twice(21));
    return 0;
}
C
cat >twice.c <<'C'
static int times = 2;
int twice(int x) { return times * x; }
C
cat >load.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library)
        return puts(dlerror()), 1;
    int (*twice)(int) = (int (*)(int))dlsym(library, "twice");
    printf("%d\n", twice(21));
    return 0;
}
C
answers() { # PROGRAM ARGS…: prints 42, natively and recorded
    local program=$1 printed
    shift
    printed=$("./$program" "$@") || fail "$program does not run"
    [ "$printed" = 42 ] || fail "$program prints '$printed'"
    run 0 record -o "$program.recipe" -- "./$program" "$@"
    [ "$(cat out)" = 42 ] || fail "$program prints '$(cat out)' when it is recorded"
    rm -rf "$program.recipe" "$program"
}

cc() { run 0 cc "$@"; silent err; }
cc -c main.c twice.c
cc main.o twice.o -o p && answers p
cc main.c twice.c -o p && answers p
cc main.c twice.o -o p && answers p
ar rcs libtwice.a twice.o
cc main.c libtwice.a -o p && answers p
cc main.c -L. -ltwice -o p && answers p
cc main.c -Wl,--start-group -ltwice -Wl,--end-group -L. -Wl,--as-needed -lm -o p && answers p
cc -r main.o twice.o -o both.o && cc both.o -o p && answers p
cc -O2 -flto -fno-lto -s main.c twice.c -o p && answers p
take_part 3 "options" -O0 -O1 -O3 -Os "-fno-pie -no-pie" "-fPIE -pie" -fPIC "-ffunction-sections -fdata-sections -Wl,--gc-sections" \
    "-g -gz" "-rdynamic" "-fno-plt" "-fno-omit-frame-pointer -march=native" "-fno-integrated-as" "-save-temps" \
    "-fstack-protector-strong -D_FORTIFY_SOURCE=2 -O2 -fstack-clash-protection" "-fvisibility=hidden" "-fno-common" \
    "-ffast-math -O2" "-Wl,-z,relro,-z,now" "-fsanitize=undefined" "--coverage" "-pthread" "-nostdlib -lc -nostartfiles START"
for options in "${part[@]}"; do
    start=()
    if [[ $options == *START ]]; then
        options=${options% START}
        start=("$("$clang" -print-file-name=Scrt1.o)" "$("$clang" -print-file-name=crti.o)" "$("$clang" -print-file-name=crtn.o)")
    fi
    "$clang" $options "${start[@]}" main.c twice.c -o p 2>said || fail "clang $options: $(cat said)"
    run 0 cc $options "${start[@]}" main.c twice.c -o p # says what clang says (of some processors, with -march=native)
    diff said err >out || fail "$options: $(cat out)"
    answers p
done
if command -v ld.lld-19 >/dev/null; then
    cc -fuse-ld=lld main.c twice.c -o p && answers p
    cc -fuse-ld=lld -ffunction-sections -Wl,--gc-sections main.c twice.c -o p && answers p
fi

# shared libraries: linked, loaded, with nothing undefined, built otherwise
cc -fPIC -shared twice.c -o libshared.so
cc main.c libshared.so -Wl,-rpath,"\$ORIGIN" -o p && answers p
cc main.c libshared.so -Wl,-rpath,"\$ORIGIN" -Wl,--exclude-libs,ALL -o p && answers p
cc load.c -o p && answers p ./libshared.so
cc load.c -o p -ldl -Wl,--gc-sections && answers p ./libshared.so
cc -fPIC -shared -Wl,-soname,libfull.so.1 twice.c -Wl,-z,defs -o libfull.so.1
cc main.c libfull.so.1 -Wl,-rpath,"\$ORIGIN" -o p && answers p
echo 'int nowhere(void); int f(void) { return nowhere(); }' >open.c
run 1 cc -fPIC -shared open.c -Wl,--no-undefined -o libopen.so
says err "nowhere" "linker command failed"
! grep -q __recipe err || fail "a hook is said to be undefined: $(cat err)"
absent libopen.so
cc -fPIC -shared open.c -o libopen.so
"$clang" -fPIC -shared twice.c -o libforeign.so
cc main.c libforeign.so -Wl,-rpath,"\$ORIGIN" -o p && answers p
cc load.c -o p && answers p ./libforeign.so

# objects that others compiled
"$clang" -c twice.c -o foreign.o
cc main.c foreign.o -o p && answers p
printf '.globl twice\ntwice:\n' >twice.s
case $(uname -m) in
aarch64) printf '\tadd w0, w0, w0\n\tret\n' >>twice.s ;;
x86_64) printf '\tleal (%%rdi,%%rdi), %%eax\n\tret\n' >>twice.s ;;
esac
echo '.section .note.GNU-stack,"",%progbits' >>twice.s
cc main.c twice.s -o p && answers p
run 0 cc -Wrecipe -c twice.s
says err "twice.s: warning: assembly is not recorded" "[-Wrecipe]"
cp twice.s preprocessed.S
run 0 cc -Wrecipe -c preprocessed.S
says err "preprocessed.S: warning: assembly is not recorded"
cc -Wrecipe -Wno-recipe -c twice.s
cc -Wrecipe -save-temps -c twice.c -o saved.o

# assembly carries the program's bitcode by itself
cc -O2 -S main.c twice.c -Dx=y && cc main.s twice.s -o p && answers p
# bitcode: made plain, recorded when it becomes code
cc -O1 -emit-llvm -c twice.c -o twice.bc && cc main.c twice.bc -o p && answers p
# the same input gives the same object
cc -O2 -g -c main.c -o one.o && cc -O2 -g -c main.c -o two.o && cmp one.o two.o || fail "two compilations differ"

# what an optimiser must inline, and then knows at compile time: nobody defines 'no_such_size'; a race in it has its name
cat >sizes.c <<'C'
#include <pthread.h>
extern void no_such_size(void);
static inline __attribute__((always_inline)) void add(void *to, unsigned long n, int size) {
    if (!__builtin_constant_p(size))
        no_such_size();
    switch (size) {
    case 4:
        for (unsigned old = *(volatile unsigned *)to; !__sync_bool_compare_and_swap((unsigned *)to, old, old + (unsigned)n);)
            old = *(volatile unsigned *)to;
        return;
    case 8: *(unsigned long *)to += n; return;
    }
    no_such_size();
}
static unsigned small;
static unsigned long large;
static void *run(void *unused) {
    add(&small, 3, sizeof small);
    add(&large, 4, sizeof large);
    return unused;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, run, NULL);
    run(NULL);
    pthread_join(other, NULL);
    return small != 6;
}
C
for level in -O0 -O2; do
    cc $level -g sizes.c -o p -pthread
    ./p || fail "sizes.c, $level: exits with $?"
done
run 1 run -o sizes.recipe --report sizes.txt ./p
says sizes.txt "sizes.c:11:" "in add, thread 0" "sizes.c:19:5 in run"

# what is not asked for is not in the object; the embedded bitcode has lines all the same
cc -O2 -c main.c -o plain.o
readelf -SW plain.o >sections
! grep -q '\.debug_info' sections || fail "debug information without -g"
grep -q 'recipe_bitcode' sections || fail "no bitcode in the object"

# C++: exceptions, threads, guards, the library linked statically
cat >all.cc <<'C'
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
struct late { std::string s = "4"; late() { if (s.empty()) throw s; } };
static late &once() { static late it; return it; }
int main() {
    std::map<int, std::string> map;
    std::thread t([&] { map[1] = once().s + "2"; });
    t.join();
    try {
        map.at(2);
    } catch (const std::out_of_range &) {
        std::puts(map.at(1).c_str());
    }
}
C
cxx() { run 0 c++ "$@"; silent err; }
cxx -O2 -std=c++17 all.cc -o p && answers p
cxx -O0 -static-libstdc++ -static-libgcc all.cc -o p && answers p
cxx -x c main.c -x none twice.o -o p && answers p
