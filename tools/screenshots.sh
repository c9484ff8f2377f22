#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of the report, as a terminal and as a browser have it, for whoever changes it to look at: tools/screenshots.sh [DIR]     (default: build/screenshots)
# terminal; wide, narrow, dark, a long schedule, a deadlock, and many entries. Needs build/release and a Chromium (tools/setup.sh page).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
to=${1:-$root/build/screenshots}
recipe=$root/build/release/recipe
[ -x "$recipe" ] || { echo "there is no $recipe: run 'make' first" >&2 && exit 1; }
export PYTHONPATH=$root/tests PYTHONDONTWRITEBYTECODE=1
python3 -c 'import browser, sys; sys.exit(not browser.PROGRAM)' || { echo "there is no Chromium: run 'tools/setup.sh page'" >&2 && exit 1; }
mkdir -p "$to"
to=$(realpath "$to")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# page NAME SOURCE ARG…: the program's report, in ./NAME.html.
page() {
    local name=$1 source=$2
    shift 2
    "$recipe" cc -g "$source" -o "$name" -pthread
    "$recipe" run --format html --report "$name.html" -o "$name.d" "./$name" "$@" >/dev/null 2>"$name.err" || [ $? = 1 ] || cat "$name.err" >&2
}

cp "$root/examples/published.c" .
page published published.c
cp "$root/tests/programs/deadlock/kinds.c" .
page kinds kinds.c abba

cat >long.c <<'C'
#include <pthread.h>
static int total, done, shared[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *work(void *p) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock);
        for (int k = 0; k < 40; k++)
            shared[k] += i;
        if (i % 3 == 0) {
            pthread_mutex_lock(&inner);
            shared[50]++;
            pthread_mutex_unlock(&inner);
        }
        pthread_mutex_unlock(&lock);
    }
    total++;
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return p;
}
int main(void) {
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_mutex_lock(&lock);
    while (done < 6)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    int seen = total;
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
    return seen != 6;
}
C
page long long.c

# Names as long as those of C++ are, and one that would like to be markup.
python3 - <<'PY' >many.txt
print("recipe trace 1\nfact program \"./server\"\nthread T1 \"accept\"\nthread T2 \"worker\"\nmutex m \"the_registry_of_all_sessions\"")
N = 1000
NAMES = ["sessions", "std::map<std::string, std::vector<net::Session*>>::value", r"<b>\"quoted\"</b>", "counters.requests"]
for i in range(N):
    print(f'var v{i} "{NAMES[i % 4]}{i}" {0x1000 + 8 * i:#x} 4 = 0')
print("T1 acq m")
for thread, file in (1, "accept"), (2, "worker"):
    for i in range(N):
        print(f'T{thread} w v{i} = {i} @ "src/net/{file}.cc":{i + 10}:9 in "net::Server::handle{i % 97}(net::Request const&)"')
print("T1 rel m")
PY
"$recipe" trace import many.txt >/dev/null 2>many.err || { cat many.err >&2 && exit 1; }
"$recipe" analyze --model hb many.recipe >/dev/null || [ $? = 1 ]
"$recipe" report --format html -o many.html many.recipe || [ $? = 1 ]

"$recipe" report --color always published.d >terminal.txt || [ $? = 1 ]

python3 - "$to" <<'PY'
import html, pathlib, re, sys
import browser
# A terminal's colours, as far as the report has any: a line of text stays one.
INK = {"0": "</b>", "1": "<b>", "1;31": "<b style='color:#f55'>", "1;32": "<b style='color:#5d5'>", "1;33": "<b style='color:#dd5'>"}
lines = re.sub("\x1b\\[([0-9;]*)m", lambda code: INK.get(code[1], "<b>"), html.escape(open("terminal.txt").read(), quote=False))
open("terminal.html", "w").write(f"<meta charset=utf-8><body style='background:#111;color:#ddd'><article><header></header><pre>{lines}</pre></article>")
to = pathlib.Path(sys.argv[1])
def picture(name, page, keys=(), whole=True, **how):
    with browser.Page(page, **how) as at:
        at.press(*keys)
        if whole: # the page as high as what is in it, instead of parts that scroll
            at.call("Emulation.setDeviceMetricsOverride", width=how.get("width", 1280), deviceScaleFactor=1, mobile=False,
                    height=min(4000, at.ask("Math.max(document.documentElement.scrollHeight, document.querySelector('article').scrollHeight + "
                                            "document.querySelector('header').offsetHeight)")))
        at.picture(to / f"{name}.png")
        for words in at.complaints:
            print(f"{name}: {words}", file=sys.stderr)
    print(to / f"{name}.png")
picture("terminal", "terminal.html", width=920)
picture("wide", "published.html", keys=["End"])
picture("dark", "published.html", keys=["ArrowRight"] * 6, dark=True)
picture("narrow", "published.html", width=400)
picture("narrow-dark", "long.html", width=400, dark=True, keys=["End"])
picture("long", "long.html", keys=["End"])
picture("long-scrolled", "long.html", keys=["End"], whole=False)
picture("deadlock", "kinds.html", fragment="#deadlock-1", whole=False)
picture("many", "many.html", keys=["j"] * 5, whole=False)
picture("many-narrow", "many.html", width=400, keys=["j"] * 2, whole=False)
PY
