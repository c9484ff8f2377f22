#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The report as a page: the same findings as JSON, nothing that leaves the page, no name that becomes markup; and, where
# there is a Chromium (tools/setup.sh page), what it shows, its filters and its keys.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited
export PYTHONPATH=$RECIPE_SOURCE_DIR/tests

# page CODE DIR: ./page.html, the same twice, and ./data.json, what is in it.
page() {
    run "$1" report --format json -o json "$2"
    run "$1" report --format html -o page.html "$2"
    silent out
    run "$1" report --format html "$2"
    cmp out page.html || fail "$2: the page is not the same twice"
    python3 - <<'PY' || fail "$2: the page"
import json, re
page = open("page.html", encoding="utf-8").read()
begin, end = '<script id="data" type="application/json">', "</script>"
before, rest = page.split(begin)
block, after = rest.split(end, 1)
assert "<" not in block, "something in the data may end its block"
data = json.loads(block)
assert data["report"] == json.load(open("json")), "the page's data are not --format json's"
json.dump(data, open("data.json", "w"))
frame = before + after
assert "default-src 'none'" in frame and "{{" not in frame
assert frame.isascii() and not re.search(r"https?:|\bsrc=|@import|url\(|innerHTML|insertAdjacent|document\.write|\beval\b", frame)
PY
}

# --- a program with two entries, one of several pairs ---
cat >two.c <<'C'
#include <pthread.h>
static int total;
static struct { int first, last; } seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p) {
    total++;
    pthread_mutex_lock(&lock);
    seen.last = 1;
    pthread_mutex_unlock(&lock);
    return p;
}
static void *look(void *p) { return seen.last ? p : 0; }
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0), pthread_create(&c, 0, look, 0);
    pthread_join(a, 0), pthread_join(b, 0), pthread_join(c, 0);
    return 0;
}
C
"$RECIPE" cc -g two.c -o two -pthread
run 1 run --format html --report run.html -o two.d ./two
page 1 two.d
cmp run.html page.html || fail "'run' makes another page than 'report'"
jq -e '.sources | map(.file) == ["two.c"]' data.json >/dev/null || fail "no source: $(jq -c .sources data.json)"
jq -e '[.sources[0].parts[] | .from as $from | .lines | to_entries[] | select(.value == "    total++;") | .key + $from] == [6]' \
    data.json >/dev/null || fail "an excerpt: $(jq -c .sources data.json)"
mv page.html two.html
echo 'race:look' >known.txt
run 1 report --format html --suppressions known.txt -o suppressed.html two.d
run 0 report --format html --baseline json -o known.html two.d

# --- a schedule: what was recorded before it, its steps, both accesses, and what the recorded run did instead ---
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/examples/published.c" -o published -pthread
"$RECIPE" run --report - -o published.d ./published >out 2>err || [ $? = 1 ] || fail "published: $(cat err)"
page 1 published.d
# of each list what its moments are: thread, kind, and what of
jq -r '.traces[0] as $t | def told: $t.moments[.] | "\($t.threads[.thread]) \(.kind) \(.variable // (if .object then $t.objects[.object].variable else "" end))";
    .timelines[0] | (.before, (.steps[] | .moments), .accesses, .meanwhile) | map(told) | join(", ")' data.json >told
cat >want <<'TOLD'
0.1 begin , 0.1 acq m, 0.1 w ready, 0.1 rel m
0.2 begin , 0.2 acq m, 0.2 r ready, 0.2 rel m, 0.2 br 
0.1 w v, 0.2 r v
0.1 acq m, 0.1 w ready, 0.1 rel m, 0.1 end 
TOLD
cmp told want || fail "the timeline: $(cat told)"
jq -e '.report.races[0] as $race | .traces[0] as $t | .timelines[0] | (.accesses | map($t.moments[.].event)) == $race.events
    and (.steps | map({thread, event: $t.moments[.moments[-1]].event})) == ($race.witness.steps | map({thread, event}))' data.json >/dev/null ||
    fail "steps end elsewhere: $(jq -c .timelines data.json)"
mv page.html published.html

# --- a long one: sections that two locks keep, and in them accesses that nobody asked about ---
cat >long.c <<'C'
#include <pthread.h>
static int total, shared[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
    for (int i = 0; i < 400; i++) {
        pthread_mutex_lock(&lock);
        for (int k = 0; k < 20; k++)
            shared[k] += i;
        pthread_mutex_lock(&inner);
        shared[50]++;
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&lock);
    }
    total = 1;
    return p;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
    pthread_join(a, 0), pthread_join(b, 0);
    return 0;
}
C
"$RECIPE" cc -g long.c -o long -pthread
"$RECIPE" run --report - -o long.d ./long >out 2>err || [ $? = 1 ] || fail "long: $(cat err)"
page 1 long.d
[ "$(wc -c <page.html)" -lt 300000 ] || fail "a long schedule makes a long page: $(wc -c <page.html) bytes"
mv page.html long.html

# --- a wait, which lets its lock go ---
cat >waits.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static int go, x;
static sem_t waiting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void *wait(void *p) {
    pthread_mutex_lock(&lock);
    sem_post(&waiting);
    while (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    x = 1;
    return p;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, wait, 0);
    sem_wait(&waiting);
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    x = 2;
    pthread_join(a, 0);
    return 0;
}
C
"$RECIPE" cc -g waits.c -o waits -pthread
"$RECIPE" record -o waits.d ./waits 2>/dev/null
run 1 analyze waits.d
page 1 waits.d
mv page.html waits.html

# --- nothing else of the machine comes into the page: no file that is no source, nothing that is none ---
echo 'the secret' | tee secret.txt >secret
mkfifo pipe.c
mkdir folder.c
printf 'static int x;\0the secret\n' >plain.c
yes 'the source' 2>/dev/null | head -c 20000000 >huge.c || true
cat >others.txt <<'TRACE'
recipe trace 1
thread T1
thread T2
var x 0x1000 4 = 0
var y 0x1004 4 = 0
var z 0x1008 4 = 0
T1 w x = 1 @ secret.txt:1:1 in f
T1 w y = 1 @ pipe.c:1:1 in f
T1 w z = 1 @ huge.c:1:1 in f
T2 w x = 2 @ secret:1:1 in g
T2 w y = 2 @ folder.c:1:1 in g
T2 w z = 2 @ plain.c:1:1 in g
TRACE
run 0 trace import others.txt
run 1 analyze others.recipe
page 1 others.recipe
jq -e '.sources == [{file: "plain.c", parts: [{from: 1, lines: ["static int x;"]}]}]' data.json >/dev/null || fail "sources: $(jq -c .sources data.json)"
rm huge.c

# --- nothing found; a deadlock ---
printf 'recipe trace 1\n' >empty.txt
run 0 trace import empty.txt
run 0 analyze empty.recipe
page 0 empty.recipe
mv page.html empty.html
"$RECIPE" cc -g "$RECIPE_SOURCE_DIR/tests/programs/deadlock/kinds.c" -o kinds -pthread
"$RECIPE" run --report - -o kinds.d ./kinds abba >out 2>err || [ $? = 1 ] || fail "kinds: $(cat err)"
page 1 kinds.d
mv page.html deadlock.html

# --- many findings, of names that would like to be more than that ---
cat >names.py <<'PY'
NAMES = ["</script><script>document.title = 1</script>", "<!--<script>", "\"'`&quot;]]>", "<img src=x onerror=document.title=1>",
         "\u00e4\u20ac\U0001f600\u202e\u2028", "a\nb\tc\x01", "${x}{{data}}\\u003c", "javascript:alert(1)", "__proto__", "L" * 4096]
PY
n=$(few 10000 2000 "findings of a page")
python3 - "$n" <<'PY' >many.txt
import sys
from names import NAMES
def quote(name):
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\x01": "\\x01"}
    return '"' + "".join(escapes.get(letter, letter) for letter in name) + '"'
N = int(sys.argv[1])
def name(i, what): # the long ones of the first alone
    return quote(f"{what}{i} {NAMES[i % 10] if i < 100 else NAMES[i % 9]}")
lines = ["recipe trace 1", "fact program " + quote(NAMES[0]), "thread T1 " + quote(NAMES[3]), "thread T2 " + quote(NAMES[0])]
lines += [f"var v{i} {name(i, 'v')} {0x100000 + 8 * i:#x} 4 = 0" for i in range(N)]
lines += [f"mutex m {quote(NAMES[0])}", "T1 acq m"]
for thread in 1, 2:
    lines += [f"T{thread} w v{i} = {i} @ {quote(f'/{NAMES[i % 5]}/{i % 50}.c')}:{i + 1}:{thread} in {name(i, 'f')}" for i in range(N)]
print("\n".join(lines + ["T1 rel m"]))
PY
run 0 trace import many.txt
run 1 analyze --model hb many.recipe
page 1 many.recipe
[ "$(jq '.entries | length' json)" = "$n" ] || fail "there are $(jq '.entries | length' json) entries"
mv page.html many.html
mv json many.json

# --- as a browser shows it ---
python3 -c 'import browser, sys; sys.exit(not browser.PROGRAM)' || {
    echo "no Chromium here (tools/setup.sh page): nothing was looked at in a browser" >&2
    exit 0
}
python3 - <<'PY' || fail "in the browser"
import browser

def same(got, want, what):
    assert got == want, f"{what}: {got!r}, not {want!r}"

SHOWN = "matching.map(item => item.headline.match(/`(.*?)`/)[1]).join()"
HEADLINE = "document.querySelector('article h2').textContent"

with browser.Page("two.html") as page:
    same(page.ask(SHOWN), "total,seen.last", "the list")
    same(page.ask("document.querySelectorAll('#list [aria-current]').length"), 1, "chosen entries")
    assert page.ask(HEADLINE).startswith("total is written in add (two.c:6)"), page.ask(HEADLINE)
    assert "100 % of" in page.ask("document.getElementById('coverage').textContent")
    # both sides: what is done, by whom, and the line itself, which is marked
    same(page.ask("[...document.querySelectorAll('.side')].map(s => s.querySelector('.here').textContent).join('|')"),
         "6    total++;|6    total++;", "the source")
    assert page.ask("document.querySelector('.told').textContent").count("first:") == 2, "what either order leads to"
    # keys: through the list and back, the pairs of an entry, the search and out of it
    page.press("j")
    assert page.ask(HEADLINE).startswith("seen.last is "), page.ask(HEADLINE)
    assert "holding mutex lock, taken at two.c:7:5" in page.ask("document.querySelector('.sides').textContent")
    assert "write of seen.last, thread 0" in page.ask("document.querySelector('.sides').textContent")
    assert "writes seen.last = 1" in page.ask("document.querySelector('.grids').textContent")
    assert "holding no lock" in page.ask("document.querySelector('.sides').textContent")
    page.press("j", "k")
    assert page.ask(HEADLINE).startswith("total is ")
    first = page.ask("chosen.pairs[chosenPair].id")
    page.press("]")
    same(page.ask("document.querySelector('.badges').textContent.includes(`race ${chosen.pairs[1].id}`)"), True, "the second pair")
    page.press("[")
    same(page.ask("chosen.pairs[chosenPair].id"), first, "the first pair")
    # by the keyboard alone: a button that is drawn anew has the focus still, and the list its arrows
    page.ask("document.querySelector('.pairs [aria-pressed=false]').focus()")
    page.press("Enter")
    same(page.ask("document.activeElement.textContent"), page.ask("String(chosen.pairs[1].id)"), "the pair's button")
    page.ask("document.querySelector('#list a').focus()")
    page.press("ArrowDown")
    same(page.ask("document.activeElement.getAttribute('href')"), page.ask("'#' + matching[1].hash"), "the row below")
    page.press("ArrowUp")
    page.press("/")
    page.type("look LAST")
    same(page.ask(SHOWN), "seen.last", "a search for two words")
    same(page.ask("document.getElementById('shown').textContent"), "1 of 2 entries", "how many")
    assert page.ask(HEADLINE).startswith("seen.last is "), "what is shown is in the list"
    page.press("j")
    same(page.ask("document.getElementById('search').value"), "look LASTj", "a letter within the search")
    same(page.ask(SHOWN), "", "a search for what is nowhere")
    same(page.ask("document.querySelector('article').textContent"), "Nothing in the list.", "nothing to show")
    page.press("Escape")
    same(page.ask("document.getElementById('search').value + document.activeElement.tagName"), "BODY", "the search is left")
    same(page.ask(SHOWN), "total,seen.last", "and cleared")
    # by kind
    page.ask("document.querySelector('#kinds input').click()")
    same(page.ask(SHOWN), "", "no kind")
    page.ask("document.querySelector('#kinds input').click()")
    same(page.ask(SHOWN), "total,seen.last", "all kinds")
    # whatever can be clicked is reached by Tab, and has a name
    same(page.ask("[...document.querySelectorAll('button, input, select, a, summary')]"
                  ".filter(e => e.tabIndex < 0 || !(e.textContent.trim() || e.ariaLabel || e.labels && e.labels.length)).length"), 0, "nameless")
    same(page.complaints, [], "the console")
    same(len(page.requests), 1, "requests")

# the recorded run and the schedule beside each other, and steps through both
STATUS = "document.querySelector('.status').textContent"
ROWS = "[...document.querySelectorAll('.grid')].map(g => [...g.querySelectorAll('tbody tr')].map(r => r.lastChild.textContent.trim()))"
CURRENT = "[...document.querySelectorAll('tr[aria-current]')].map(r => r.lastChild.textContent.trim())"
with browser.Page("published.html") as page:
    recorded, schedule = page.ask(ROWS)
    assert "0.1 writes v = 42 published.c:19races" in recorded, recorded
    assert "0.1 writes ready = 49 published.c:13not in the schedule" in recorded, recorded
    same([row for row in schedule if row.startswith("Thread")], ["Thread 0.2 runs"], "who runs")
    same(schedule[-3:], ["Both accesses are next, in either order", "0.1 writes v published.c:19races", "0.2 reads v published.c:29races"], "its end")
    same(page.ask(CURRENT), ["0.1 locks mutex m published.c:12"] * 2, "the first step that has a source, in both")
    page.press("Home")
    same(page.ask(CURRENT), ["0.1 begins"] * 2, "the first step")
    page.press("ArrowRight", "ArrowRight")
    same(page.ask(STATUS), "Step 3 of 11: thread 0.1 writes ready (in the recorded run 17)", "the third step")
    same(page.ask("document.querySelector('.beside .here').textContent"), "13    ready = value;", "the source beside it")
    page.press("End")
    same(page.ask(CURRENT), ["0.2 reads v: 42 published.c:29races", "0.2 reads v published.c:29races"], "the last step, in both")
    page.press("ArrowRight", "ArrowLeft")
    assert page.ask(STATUS).startswith("Step 10 of 11: thread 0.1 is next: it writes v"), page.ask(STATUS)
    page.press("Home")
    assert page.ask(STATUS).startswith("Step 1 of 11"), page.ask(STATUS)
    page.ask("document.querySelector('[aria-label^=Next]').click()")
    assert page.ask(STATUS).startswith("Step 2 of 11"), page.ask(STATUS)
    # each critical section is a bar from its lock to its unlock
    same(page.ask("['begins', 'ends'].map(c => document.querySelectorAll(`.grid:first-child .bar.${c}`).length).join()"), "3,3", "bars")
    same(page.complaints, [], "the console")

with browser.Page("long.html") as page:
    recorded, schedule = page.ask(ROWS)
    assert len(schedule) < 200 and any(row.endswith(" steps") for row in schedule), schedule
    asked_for = lambda rows: [row for row in rows if "shared" in row and "shared+200" not in row] # two steps alone are not folded
    assert not asked_for(schedule), "steps that touch nothing of interest are not folded"
    rows = len(schedule)
    page.press("End")
    page.ask("document.querySelector('.grid:last-child .unfold').click()")
    recorded, schedule = page.ask(ROWS)
    assert len(schedule) > rows + 5 and asked_for(schedule), "what was folded"
    same(page.ask(CURRENT)[-1], schedule[-1], "the step stays")
    same(page.ask("document.querySelectorAll('.bar.slot1').length > 0"), True, "a section within another one")
    same(page.complaints, [], "the console")

with browser.Page("waits.html") as page:
    recorded, schedule = page.ask(ROWS)
    for words in "0.1 waits for condition changed", "0.1 is woken at condition changed", "0 signals condition changed":
        assert any(row.startswith(words) for row in recorded), (words, recorded)
    # the lock is had from its lock to the wait, and from its wake to its unlock; in between the lane says that it waits
    LANE = "[...document.querySelectorAll('.grid:first-child tbody tr')].map(r => [r.lastChild.textContent, r.children[1]])"
    states = page.ask(LANE + ".map(([words, lane]) => [words.split(' ').slice(0, 2).join(' '), lane.querySelectorAll('.bar').length, "
                      "lane.classList.contains('waits')]).filter(([words]) => words.startsWith('0'))")
    same([bars for words, bars, waits in states if words in ("0.1 locks", "0.1 waits", "0.1 is", "0.1 unlocks")], [1, 1, 1, 1], "its bars")
    same({(bars, waits) for words, bars, waits in states if words in ("0 locks", "0 writes", "0 signals")}, {(0, True)}, "while it waits")
    same(page.complaints, [], "the console")

# an address leads to a pair that is not the first of its entry
with browser.Page("two.html", fragment="#race-1") as page:
    same(page.ask("chosen.pairs[chosenPair].id"), 1, "#race-1")
with browser.Page("two.html", fragment="#race-2", width=400, dark=True) as page:
    same(page.ask("chosen.pairs[chosenPair].id"), 2, "#race-2")
    same(page.ask("document.documentElement.scrollWidth"), 400, "a narrow page")
    same(page.ask("getComputedStyle(document.body).backgroundColor"), "rgb(20, 23, 26)", "a dark page")
    same(page.complaints, [], "the console")

# what is suppressed, or known, is not in the list until it is asked for; unless there is nothing else
with browser.Page("known.html") as page:
    same(page.ask("document.getElementById('summary').textContent"), "0 races, 0 confirmed, 2 known", "the head")
    same(page.ask("matching.map(item => item.kind)"), ["known", "known"], "what is known")
    assert "known" in page.ask("document.querySelector('.badges').textContent")
    same(page.complaints, [], "the console")
with browser.Page("suppressed.html") as page:
    same(page.ask(SHOWN), "total", "what is not suppressed")
    page.ask("document.querySelector('#kinds input[value=suppressed]').click()")
    same(page.ask(SHOWN), "total,seen.last", "with what is")
    page.press("j")
    assert "known.txt:1: race:look" in page.ask("document.querySelector('article').textContent")
    same(page.complaints, [], "the console")

# ten thousand, in time; no name is more than a text, and none makes a page wide
import json
from names import NAMES
report = json.load(open("many.json"))
TAGS = "[...new Set([...document.querySelectorAll('*')].map(e => e.localName))].filter(t => !" + json.dumps(
    "html head meta title style body header h1 h2 h3 span p details summary dl dt dd kbd main nav div input fieldset legend label select option "
    "ol ul li a article section code noscript script button table caption thead tbody tr th td mark".split()) + ".includes(t))"
with browser.Page("many.html", width=400) as page:
    assert page.ask("performance.timing.loadEventEnd - performance.timing.responseStart") < 10000, "a page that is slow to load"
    same(page.ask("document.title.startsWith(" + json.dumps(NAMES[0]) + ")"), True, "the title")
    same(page.ask("document.scripts.length"), 2, "scripts")
    same(page.ask("[items.length, matching.length]"), [len(report["entries"])] * 2, "entries")
    assert page.ask("document.querySelectorAll('#list li').length") < 400, "rows for all"
    for i, name in enumerate(NAMES):
        race = next(race for race in report["races"] if race["variable"].startswith(f"v{i} "))
        same(race["variable"], f"v{i} {name}", "a name in JSON")
        page.ask(f"location.hash = '#race-{race['id']}'")
        page.ask("new Promise(done => setTimeout(done))")
        shown = page.ask("document.querySelector('article').textContent")
        assert all(words in shown for words in (race["variable"], race["accesses"][0]["function"], f"thread {NAMES[3]}", f"thread {NAMES[0]}")), shown
        same(page.ask("document.querySelectorAll('#list [aria-current]').length"), 1, "a row of it")
        same(page.ask(TAGS), [], "elements that nobody made")
        same(page.ask("[...document.querySelectorAll('*')].flatMap(e => [...e.attributes]).filter(a => /^on|^style$/.test(a.name)).length"), 0, "attributes")
        same(page.ask("document.documentElement.scrollWidth"), 400, f"the width, with {name[:20]!r}")
    page.press("/")
    page.type(f"v{len(report['entries']) - 1}")
    same(page.ask("matching.length"), 1, "a search among all")
    page.press("Escape")
    page.ask("choose(matching[0])")
    same(page.ask("document.querySelectorAll('#list a').length"), 300, "rows")
    page.ask("document.querySelector('#list .rest button').click()")
    same(page.ask("document.querySelectorAll('#list a').length"), min(600, len(report["entries"])), "more rows where they are asked for")
    same(page.complaints, [], "the console")
    same(len(page.requests), 1, "requests")

with browser.Page("empty.html") as page:
    same(page.ask("document.querySelector('article').textContent"), "No race was found.", "an empty report")
    same(page.complaints, [], "the console")
with browser.Page("deadlock.html", fragment="#deadlock-1") as page:
    same(page.ask("chosen.kind"), "deadlock", "a deadlock")
    assert "wait for each other: the recorded run ended so" in page.ask(HEADLINE), page.ask(HEADLINE)
    assert page.ask("document.querySelectorAll('.side .here').length") >= 2
    same(page.complaints, [], "the console")
PY
