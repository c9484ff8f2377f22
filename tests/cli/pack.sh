#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 'recipe pack': one file that says all that its directory did once the directory, the program and the source are gone; and
# nothing that stands in such a file writes outside of where it is unpacked, or leaves something there.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited # the page is made by python, too
export TMPDIR=$work/tmp
mkdir tmp there

# --- packed, moved, and everything else removed ---
mkdir here
(
    cd here
    build racy <<'C'
#include <pthread.h>
#include <stdio.h>
static int ready, value; // shared
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *p) {
    value = 42; // the write
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return p;
}





// nobody is shown this





static void *look(void *p) {
    pthread_mutex_lock(&m);
    int seen = ready;
    pthread_mutex_unlock(&m);
    return seen + value ? p : NULL; // the read
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
    cp racy.c "$work/there/full.c"
)
source=$PWD/here/racy.c
"$RECIPE" cc -g -O1 -pthread "$source" -o here/racy # by its whole name, as CMake does
run 1 run -o here/racy.recipe here/racy

# all that is said, of DIR or a pack of it, into directory $2
forms=(text json sarif html brief race witness dump check stat schedule reexecute)
say_all() {
    mkdir "$2"
    for form in text json sarif html; do run 1 report --format $form -o "$2/$form" "$1"; done
    run 1 report --brief -o "$2/brief" "$1"
    run 1 report --race 1 -o "$2/race" "$1"
    run 1 report --witness 1 -o "$2/witness" "$1"
    run 0 trace dump "$1" && cp out "$2/dump"
    run 0 trace check "$1" && sed "s|^[^ ]*: ||" out >"$2/check"
    run 0 trace stat "$1" && sed "s|^[^ ]*\.rec[a-z]*||" out >"$2/stat"
    run 0 trace schedule "$1" && cp out "$2/schedule"
    run 0 trace reexecute "$1" && sed /^seconds/d out >"$2/reexecute"
}
say_all here/racy.recipe before
says before/text "value = 42; // the write"
says before/html "shared"
run 0 pack here/racy.recipe
says err "racy.rcpack: 1 source file; has the program's input, memory and environment in it"
mv racy.rcpack there
run 0 pack -o again.rcpack here/racy.recipe
cmp again.rcpack there/racy.rcpack || fail "two packs of one directory differ"
run 0 pack -o none.rcpack --without-sources here/racy.recipe
if tar --zstd -tf again.rcpack >listed 2>err; then
    says listed recording/events.rcp recording/results.db recording/log
    says listed -racy.c
    tar --zstd -xf again.rcpack && run 0 trace check recording
    ! grep -rq 'nobody is shown' recording/sources || fail "a line is packed that no report shows"
    rm -r recording
fi
rm -r here
say_all there/racy.rcpack after
for form in "${forms[@]}"; do
    cmp before/$form after/$form || fail "of the pack it says something else: $form"
done
run 1 report none.rcpack
! grep -q 'the write' out || fail "there is source all the same"
run 0 report --diff again.rcpack there/racy.rcpack
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# --- so are the lines that the text alone quotes: what its advice names, what a thread lends ---
for kin in racy/semaphore racy/freed lives/local; do
    name=${kin#*/}
    mkdir -p advice/clean advice/here
    cp "$RECIPE_SOURCE_DIR"/tests/programs/clean/trap.h advice/clean
    cp "$RECIPE_SOURCE_DIR"/tests/programs/racy/threads.h "$RECIPE_SOURCE_DIR/tests/programs/$kin.c" advice/here
    "$RECIPE" cc -g -O0 -w -DRACY -pthread "$work/advice/here/$name.c" -o "$name"
    run 1 run --budget 60 -o "$name.recipe" "./$name"
    run 1 report -o "$name.text" "$name.recipe"
    run 0 pack -o "$name.rcpack" "$name.recipe"
    rm -r advice "$name.recipe"
    run 1 report -o packed.text "$name.rcpack"
    cmp "$name.text" packed.text || fail "$name: a line is not packed: $(diff "$name.text" packed.text)"
done
grep -q 'semaphore.c:18 | sem_init' semaphore.text || fail "$(cat semaphore.text)"

# --- unpacked, it is a directory like others; but what it runs is not taken for one's own ---
run 0 unpack there/racy.rcpack
say_all racy.recipe unpacked
for form in "${forms[@]}"; do cmp before/$form unpacked/$form || fail "unpacked it says something else: $form"; done
run 2 unpack there/racy.rcpack
says err "racy.recipe is there already"
run 1 analyze --model hb,recipe racy.recipe
run 3 replay racy.recipe 1
says err "was packed, perhaps by somebody else" "--force"
run 3 replay --force racy.recipe 1
says err "here/racy"
run 3 analyze there/racy.rcpack
says err "'recipe unpack there/racy.rcpack'"
run 0 pack -o third.rcpack racy.recipe
run 1 report -o third third.rcpack
cmp before/text third || fail "packed again it says something else"

# --- what is damaged or cut off says what it said, or is refused; and nothing is left ---
size=$(stat -c %s again.rcpack)
damaged() { # refused, or the report as it was
    local code=0
    "$RECIPE" report bad.rcpack >out 2>err || code=$?
    [ $code -eq 3 ] || cmp -s out before/text || fail "$1: exit code $code: $(cat err)"
    [ $code -ne 3 ] || says err bad.rcpack
    [ -z "$(ls tmp)" ] || fail "$1: left behind: $(ls tmp)"
}
refused=0
n=$(few 60 20 "changed bytes")
for i in $(seq "$n"); do
    at=$((i % 2 ? i / 2 : size * i / n - 1)) # at its head, and all over it
    cp again.rcpack bad.rcpack
    byte=$(od -An -tu1 -j $at -N1 bad.rcpack)
    printf "\\x$(printf %02x $((byte ^ 1 << i % 8)))" | dd of=bad.rcpack bs=1 seek=$at conv=notrunc status=none
    damaged "byte $at"
    [ ! -s err ] || refused=$((refused + 1))
done
[ $((refused * 2)) -ge "$n" ] || fail "of the changed bytes only $refused were noticed"
for n in 0 3 4 17 $((size / 2)) $((size - 5)) $((size - 1)); do
    head -c $n again.rcpack >bad.rcpack
    run 3 unpack -o cut bad.rcpack
    absent cut
done
cat again.rcpack again.rcpack >bad.rcpack
run 3 unpack -o cut bad.rcpack
says err "goes on behind its end"
[ -z "$(ls -d cut* 2>&1 | grep -v 'No such')" ] || fail "left behind: $(ls -d cut*)"

# --- hostile packs, by another hand than ours ---
cat >forge.py <<'PY'
import ctypes, io, sys, tarfile
zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_compress.restype = zstd.ZSTD_compressBound.restype = ctypes.c_size_t
def forge(name, *members, claim=None, keep=None):
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, kind, what in members:
            info = tarfile.TarInfo(path)
            info.type = kind
            data = b""
            if kind == tarfile.REGTYPE:
                data = what
                info.size = len(data)
            else:
                info.linkname = what
            tar.addfile(info, io.BytesIO(data))
    raw = to.getvalue()
    end = 512 * sum(1 + (len(w) + 511) // 512 if k == tarfile.REGTYPE else 1 for _, k, w in members) + 1024
    raw = raw[:end]
    out = ctypes.create_string_buffer(len(raw) * 2 + 1000)
    n = zstd.ZSTD_compress(out, len(out), raw, ctypes.c_size_t(len(raw)), 1)
    open(name + ".rcpack", "wb").write(out.raw[:n])
F, L, D, H = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.LNKTYPE
top = ("recording", D, "")
forge("plain", top, ("recording/a", F, b"harmless"))
forge("absolute", top, (sys.argv[1] + "/evil", F, b"x"))
forge("up", top, ("recording/../../evil", F, b"x"))
forge("up_first", ("../evil", F, b"x"))
forge("inside", top, ("recording/a/../../../evil", F, b"x"))
forge("dot", top, ("recording/./evil", F, b"x"))
forge("other", ("elsewhere", D, ""), ("elsewhere/evil", F, b"x"))
forge("escape", top, ("recording/evil\x1b[2J", F, b"x"))
forge("letter", top, ("recording/\u00e9vil", F, b"x"))
forge("link", top, ("recording/evil", L, sys.argv[1]))
forge("link_out", top, ("recording/image", L, "../../image"))
forge("link_through", top, ("recording/v", D, ""), ("recording/v/1", D, ""), ("recording/modules", D, ""),
      ("recording/v/1/modules", L, "../../modules"), ("recording/v/1/modules/evil", F, b"x"))
forge("link_chain", top, ("recording/v", D, ""), ("recording/v/1", D, ""), ("recording/modules", D, ""),
      ("recording/v/1/modules", L, "../../modules"), ("recording/v/1/modules/image", L, "../../image"))
forge("hard", top, ("recording/evil", H, "/etc/passwd"))
forge("device", top, ("recording/evil", tarfile.CHRTYPE, ""))
forge("fifo", top, ("recording/evil", tarfile.FIFOTYPE, ""))
forge("twice", top, ("recording/a", F, b"x"), ("recording/a", F, b"y"))
forge("no_parent", top, ("recording/b/a", F, b"x"))
forge("file_parent", top, ("recording/b", F, b""), ("recording/b/a", F, b"x"))
forge("empty", top, ("recording/", F, b"x"))
# a frame that says it holds 2^60 bytes
open("huge.rcpack", "wb").write(b"\x28\xb5\x2f\xfd\xe0" + (1 << 60).to_bytes(8, "little") + b"\x03\x00\x00" + b"a")
PY
mkdir forged
cd forged
python3 ../forge.py "$work"
run 0 unpack -o plain plain.rcpack
says plain/a harmless
for pack in *.rcpack; do
    [ "$pack" != plain.rcpack ] || continue
    run 3 unpack -o target "$pack"
    says err "$pack: "
    absent target
    cat err >>../why
    run 3 trace stat "$pack"
done
for left in "$work/evil" ../evil ../../evil evil; do absent "$left"; done
[ "$(ls | grep -v 'rcpack$')" = $'err\nout\nplain' ] && [ -z "$(ls ../tmp)" ] || fail "left behind: $(ls . ../tmp)"
cd ..
says why "may lead out of the directory" "is a link that recipe has not made" "lies in no directory" "something else in it than files" \
    "is more than half of what is free" "File exists"

# --- of a command with several processes ---
cat >two.sh <<'SH'
#!/bin/sh
./racy 1
./racy 2
SH
chmod +x two.sh
sed 's/seen + value/seen + value + value/' there/full.c | build racy
run 1 run -o several ./two.sh
run 1 report several
cp out before/several
run 0 pack several
says err "several.rcpack: 1 source file"
rm -r several racy racy.c
run 1 report several.rcpack
cmp before/several out || fail "of a pack of several processes it says something else"
says out "value + value"
run 0 unpack -o several/ several.rcpack
run 3 replay several 1
says err "several: was packed"
run 1 analyze several
