#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What recipe can't record is refused with the option's name and a way out, exit code 1 as of a compiler; nothing is left.
. "$(dirname "$0")/lib.bash"
echo 'int main(void) { return 0; }' >a.c

refused() { # 'WORDS IN THE MESSAGE' ARGS…
    local words=$1
    shift
    run 1 cc "$@"
    says err "recipe cc: error: " "$words"
    silent out
    absent a.o
    absent a.out
}
for way in "-c a.c" "a.c" "-S a.c"; do
    refused "-flto" -flto $way
    refused "-flto" -flto=thin $way
    refused "-fsanitize=address" -fsanitize=address $way
    refused "-fsanitize=leak" -fsanitize=undefined,leak $way
done
refused "-fsanitize=memory" -fsanitize=memory -fPIE -c a.c
refused "-fprofile-instr-generate" -fprofile-instr-generate -c a.c
refused "-fprofile-generate" -fprofile-generate -c a.c
refused "-fsemantic-interposition" -fPIC -fsemantic-interposition -c a.c
refused "-static" -static a.c
refused "-static" -static-pie a.c
refused "riscv64" --target=riscv64-linux-gnu -c a.c
refused "i386" --target=x86_64-linux-gnu -m32 -c a.c

run 0 cc -c a.c -o real.o
for option in -flto -fsanitize=address -fsanitize=leak -static; do
    refused "$option" $option real.o
done

# taken back, or harmless
run 0 cc -flto -fno-lto -c a.c -o b.o
run 0 cc -fsanitize=address -fno-sanitize=address -c a.c -o b.o
run 0 cc -fsanitize=undefined a.c -o ubsan
# for the source alone: nothing of TSan's is in the program
echo '#if !__has_feature(thread_sanitizer)
#error
#endif
int x; int main(void) { return x; }' >t.c
run 0 cc -fsanitize=undefined,thread -c t.c -o t.o
run 0 cc -fsanitize=thread t.o -o tsan
nm t.o tsan | grep -E '__tsan_(read|write|func|init)' && fail "there is code of TSan's"
run 0 cc -static-libgcc a.c -o b
run 0 cc -Wl,-Bstatic -Wl,-Bdynamic a.c -o b
run 0 cc -flto -E a.c
silent err

# parts that are missing
mkdir -p alone && cp "$RECIPE" alone/recipe
RECIPE=$work/alone/recipe run 1 cc -c a.c
says err "lib/recipe" "install recipe whole"
RECIPE_CLANG=$work/nowhere run 1 cc -c a.c
says err "RECIPE_CLANG=" "nowhere"
printf '#!/bin/sh\necho "clang version 14.0.6" >&2\necho " \\"/bin/true\\" \\"-o\\" \\"x\\"" >&2\n' >old && chmod +x old
RECIPE_CLANG=$work/old run 1 cc -c a.c
says err "14.0.6" "recipe needs clang 19"
TMPDIR=$work/nowhere run 1 cc -c a.c
says err "TMPDIR"
