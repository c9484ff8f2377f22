/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the findings that stand in this page as JSON (docs/report.md, 'HTML').
 *
 * Names come from files and programs that anybody may have written. They become text nodes in make(), the one place
 * that puts anything on the page; nothing here parses markup.
 */
const data = JSON.parse(document.getElementById('data').textContent);
const report = data.report;
const byId = id => document.getElementById(id);

/* An element. Properties that it does not have are attributes; children are elements or texts, those that are null or
   empty are left out. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element)
      element[key] = value;
    else
      element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== ''));
  return element;
}

const button = (words, act, properties = {}) => make('button', {type: 'button', onclick: act, ...properties}, words);
const code = words => make('code', {}, words);
const count = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
const placeOf = at => !at.file ? '?' : at.file + (at.line ? `:${at.line}${at.column ? `:${at.column}` : ''}` : '');
const listed = (list, by = ', ') => list.filter(words => words).join(by);
const baseName = path => path.slice(path.lastIndexOf('/') + 1);
const shortPlace = at => `${baseName(at.file)}:${at.line}`;

/* --- what there is: one item per row of the list --- */

const kinds = {
  confirmed: 'shown on the program',
  predicted: 'proven by a schedule',
  unconfirmed: 'accepted by the checkers, not shown on the program',
  deadlock: 'threads wait for each other',
  crash: 'the program ended by a signal',
  atomicity: 'another thread\u2019s section parts two that go together',
  known: 'in the baseline: in no count',
  suppressed: 'named by a file of suppressions: in no count',
  unproven: 'flagged by an order, no schedule was accepted',
};
const kindOf = status => status.startsWith('not-') ? 'unconfirmed' : status === 'undecided' ? 'unproven' : status;

const lineOf = new Map(data.timelines.map(line => [line.race, line]));
/* What is found and set aside: in the list where it is asked for. */
const ASIDE = ['known', 'suppressed'];

const numbered = [...report.races, ...report.unconfirmed, ...ASIDE.flatMap(kind => report[kind] || [])];
const raceOf = new Map(numbered.map(race => [race.id, race]));

function entryItem(entry, kind = kindOf(entry.status)) {
  const pairs = entry.races.map(id => raceOf.get(id));
  return {kind, headline: entry.headline, hash: `race-${entry.races[0]}`, pairs,
          places: pairs.flatMap(pair => pair.accesses)};
}

function unprovenItem(pair, i) {
  const [a, b] = pair.accesses;
  const headline = `${pair.variable || 'memory'}: ${doesOf(a)} at ${placeOf(a)}, ${doesOf(b)} at ${placeOf(b)}`;
  return {kind: 'unproven', headline, hash: `unproven-${i + 1}`, pairs: [pair], places: pair.accesses};
}

function deadlockItem(deadlock, i, kind) {
  const threads = deadlock.threads.map(wait => wait.thread_name).join(', ');
  const who = threads ? `Threads ${threads} wait for each other` : 'Every thread waits for another';
  const when = deadlock.status === 'recorded' ? ': the recorded run ended so'
    : deadlock.race ? `: the replay of race ${deadlock.race} ended so` : '';
  return {kind, headline: who + when, hash: `${kind === 'deadlock' ? '' : `${kind}-`}deadlock-${i + 1}`,
          deadlock, places: deadlock.threads};
}

function crashItem(crash, i, kind) {
  const headline = crash.signal + (crash.message ? `: ${crash.message}` : '');
  return {kind, headline, hash: `${kind === 'crash' ? '' : `${kind}-`}crash-${i + 1}`, crash, places: []};
}

function partedItem(parted, i, kind) {
  const [read, write] = parted.accesses;
  const headline = `${read.function} reads ${parted.variable}, and ${write.function} changes it before it is gone by`;
  return {kind, headline, hash: `${kind === 'atomicity' ? '' : `${kind}-`}atomicity-${i + 1}`, parted,
          places: parted.accesses};
}

const items = [
  ...report.entries.map(entry => entryItem(entry)),
  ...report.deadlocks.map((deadlock, i) => deadlockItem(deadlock, i, 'deadlock')),
  ...(report.crashes || []).map((crash, i) => crashItem(crash, i, 'crash')),
  ...(report.atomicity || []).map((parted, i) => partedItem(parted, i, 'atomicity')),
  ...report.unconfirmed_entries.map(entry => entryItem(entry)),
  ...(report.unconfirmed_deadlocks || []).map((deadlock, i) => deadlockItem(deadlock, i, 'unconfirmed')),
  ...ASIDE.flatMap(kind => [
    ...(report[`${kind}_entries`] || []).map(entry => entryItem(entry, kind)),
    ...(report[`${kind}_deadlocks`] || []).map((deadlock, i) => deadlockItem(deadlock, i, kind)),
    ...(report[`${kind}_crashes`] || []).map((crash, i) => crashItem(crash, i, kind)),
    ...(report[`${kind}_atomicity`] || []).map((parted, i) => partedItem(parted, i, kind)),
  ]),
  ...report.unproven.map(unprovenItem),
];

/* --- source --- */

const sources = new Map(data.sources.map(source => [source.file, source.parts]));
const AROUND = 4;

/* The word at a column, which counts bytes: of a line that has others than ASCII nothing is marked. */
function marked(text, column) {
  const word = column && /^[\x20-\x7e\t]*$/.test(text) ? /^(\w+|.)/.exec(text.slice(column - 1)) : null;
  if (!word)
    return [text];
  return [text.slice(0, column - 1), make('mark', {}, word[0]), text.slice(column - 1 + word[0].length)];
}

const endOf = part => part.from + part.lines.length;
const partOf = at => (sources.get(at.file) || []).find(part => at.line >= part.from && at.line < endOf(part));
const hasSource = at => partOf(at) !== undefined;

/* The lines around a place; null where the source is not there. */
function excerpt(at) {
  const part = partOf(at);
  if (!part)
    return null;
  const rows = [];
  const end = Math.min(at.line + AROUND + 1, endOf(part));
  for (let line = Math.max(at.line - AROUND, part.from); line < end; line++) {
    const text = part.lines[line - part.from], isHere = line === at.line;
    rows.push(make('div', isHere ? {className: 'here'} : {}, make('span', {className: 'number'}, String(line)),
                   make('span', {}, isHere ? marked(text, at.column) : text)));
  }
  return make('div', {className: 'source', tabIndex: 0, role: 'group', 'aria-label': `Source at ${placeOf(at)}`}, rows);
}

/* A line of a stack, "function file:line:column", as a place: what it has of these. */
function frameOf(words) {
  const match = /^(.*) ([^ ]*?)(?::(\d+))?(?::(\d+))?$/s.exec(words);
  if (!match)
    return {file: ''};
  return {function: match[1], file: match[2], line: Number(match[3] || 0), column: Number(match[4] || 0)};
}

/* Of an access the innermost frame whose source is there: what the C++ library does is done by whoever called it. */
function ownPlace(access) {
  const isLibrary = file => /\/c\+\+\/|\/stdcxx\//.test(file);
  if (!isLibrary(access.file))
    return access;
  return access.stack.map(frameOf).find(frame => sources.has(frame.file) && !isLibrary(frame.file)) || access;
}

/* --- a finding --- */

function doesOf(access) {
  if (access.does)
    return `${access.does} ${access.object}`;
  return `${access.atomic ? 'atomic ' : ''}${access.op === 'rmw' ? 'update' : access.op}`;
}

const threadOf = at => `thread ${at.thread_name || `T${at.thread}`}`;

function facts(rows) {
  return make('dl', {className: 'facts'}, rows.filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => [make('dt', {}, key), make('dd', {}, value)]));
}

/* What stands in backquotes is a name; of a name that has one itself nobody can tell. */
function sentence(words) {
  const parts = words.split('`');
  return parts.length % 2 ? parts.map((part, i) => i % 2 ? code(part) : part) : [words];
}

function lines(text) {
  return make('ol', {className: 'told'}, text.split('\n').filter(line => line).map(line => make('li', {}, line)));
}

function stackOf(stack) {
  return make('details', {}, make('summary', {}, `Called through ${count(stack.length - 1, 'frame')}`),
              make('ol', {className: 'told'}, stack.slice(1).map(frame => make('li', {}, code(frame)))));
}

const placeLine = at =>
  make('p', {className: 'place'}, code(placeOf(at)), at.function ? [' in ', code(at.function)] : []);

function side(access, other) {
  const locks = (access.holds || []).map(lock => {
    const taken = lock.stack.length ? `, taken at ${placeOf(frameOf(lock.stack[0]))}` : '';
    const kind = objectWords[lock.object] || lock.object;
    return make('p', {}, `holding ${kind} `, code(lock.variable || lock.address),
                `${lock.mode === 'shared' ? ' (shared)' : ''}${taken}`);
  });
  const none = !locks.length && other.holds && other.holds.length ? make('p', {}, 'holding no lock') : null;
  const own = ownPlace(access);
  return make('section', {className: 'side', 'aria-label': `${doesOf(access)} by ${threadOf(access)}`},
              make('p', {className: 'does'}, doesOf(access), access.member ? [' of ', code(access.member)] : [],
                   `, ${threadOf(access)}`),
              placeLine(own),
              own !== access ? make('p', {className: 'place'}, 'inside ', code(access.function)) : null,
              locks, none, access.stack.length > 1 ? stackOf(access.stack) : null, excerpt(own));
}

function section(title, ...children) {
  return [make('h3', {}, title), ...children];
}

let timeline = null; /* of the pair that is shown */

function timelineView(pair) {
  const line = lineOf.get(pair.id);
  timeline = line ? new Timeline(pair, line, data.traces[line.trace]) : null;
  return timeline ? section('How the threads come there', timeline.view()) : null;
}

function pairView(pair) {
  const [first, second] = pair.accesses;
  const told = pair.replay || pair.shown, by = pair.suppressed_by;
  const replay = make('p', {}, code(`recipe replay DIR ${pair.id}`),
                      ', where DIR is the directory of the recording; with ', code('--gdb'),
                      ' it stops before both accesses.');
  return [
    make('div', {className: 'sides'}, side(first, second), side(second, first)),
    section('Why', make('p', {className: 'words'}, pair.why || 'No reason was kept.')),
    pair.cures && pair.cures.length ? section('What would cure it', lines(pair.cures.join('\n'))) : null,
    timelineView(pair),
    told ? section(pair.shown ? 'What the standard allows besides' : 'What either order leads to', lines(told)) : null,
    pair.id && report.command.length ? section('How to carry it out again', replay) : null,
    section('What it is', facts([
      ['Memory', make('span', {}, pair.variable ? code(pair.variable) : 'without a name',
                      `, ${count(pair.size, 'byte')} at ${pair.address}`)],
      ['Allocated', pair.allocated ? code(pair.allocated) : ''],
      ['Status', `${pair.status}: ${kinds[kindOf(pair.status)]}`],
      ['Suppressed by', by ? `${by.file}:${by.line}: ${by.suppression}` : ''],
      ['Models', pair.models.join(', ')],
      ['Instances', count(pair.instances, 'pair of events', 'pairs of events')],
      ['Events', pair.events.join(' and ')],
      ['Test', pair.test || ''],
      ['Process', pair.process ? `${pair.process}: ${pair.command.join(' ')}` : ''],
      ['Fingerprint', code(pair.fingerprint)],
    ])),
  ].flat();
}

function deadlockView(deadlock) {
  const wait = at => {
    const isEnd = at.waits_for === 'thread'; /* of the one that is said to hold it */
    const object = isEnd ? `the end of thread ${at.held_by || '?'}` : `${at.waits_for} ${at.variable || ''}`;
    const how = [at.held_by && !isEnd ? `held by thread ${at.held_by}` : '', at.call ? `in ${at.call}()` : ''];
    return make('section', {className: 'side', 'aria-label': `Thread ${at.thread_name}`},
                make('p', {className: 'does'}, `thread ${at.thread_name} waits for ${object}`),
                make('p', {}, listed(how)),
                placeLine(at),
                at.stack && at.stack.length > 1 ? stackOf(at.stack) : null, excerpt(at));
  };
  return [
    make('div', {className: 'sides'}, deadlock.threads.map(wait)),
    deadlock.replay ? section('What carrying it out showed', lines(deadlock.replay)) : null,
    section('What it is', facts([
      ['Status', deadlock.status],
      ['Fingerprint', code(deadlock.fingerprint || '')],
      ['Process', deadlock.process],
      ['Recording', deadlock.recording || ''],
    ])),
  ].flat();
}

function crashView(crash) {
  return section('What it is', facts([
    ['Signal', crash.signal],
    ['The program said', crash.message],
    ['Recording', crash.recording],
    ['Fingerprint', code(crash.fingerprint || '')],
  ]));
}

/* The three accesses, in the order in which they were made. */
function partedView(parted) {
  const steps = ['and goes by that', 'in between', 'then'].map((when, i) => {
    const at = parted.accesses[i];
    return make('li', {}, `thread ${at.thread_name}: ${at.op} of ${parted.variable}, ${when}: `, code(at.stack.join(', ')));
  });
  const came = of => of ? [of.value && `${parted.variable} is ${of.value}`, `the program ${of.end}`].filter(is => is).join('; ')
    : 'can\u2019t be';
  return [
    section('What happens', make('p', {}, parted.why), make('ol', {}, ...steps)),
    section('What comes of it', facts([
      ['In between', came(parted.between)],
      ['The other thread first', came(parted.before)],
      ['The other thread last', came(parted.after)],
      ['Lock', parted.lock || parted.lock_address],
      ['Process', parted.process],
      ['Recording', parted.recording],
      ['Fingerprint', code(parted.fingerprint)],
    ])),
  ].flat();
}

let chosen = null; /* an item, and which of its pairs */
let chosenPair = 0;

function pairButtons(item) {
  if (!item.pairs || item.pairs.length < 2)
    return null;
  const MOST = 40; /* more buttons than that help nobody: the keys go through all */
  const from = Math.max(0, Math.min(chosenPair - MOST / 2, item.pairs.length - MOST));
  const buttons = item.pairs.slice(from, from + MOST).map((pair, i) =>
    button(String(pair.id || from + i + 1), () => choosePair(from + i),
           {'aria-pressed': String(from + i === chosenPair)}));
  return make('div', {className: 'pairs', role: 'group', 'aria-label': 'Pairs of accesses'},
              `${count(item.pairs.length, 'pair')} of accesses:`, buttons);
}

function show() {
  const article = byId('finding'), item = chosen;
  timeline = null;
  if (!item) {
    article.replaceChildren(make('p', {}, items.length ? 'Nothing in the list.' : 'No race was found.'));
    return;
  }
  const pair = item.pairs && item.pairs[chosenPair];
  const badges = !pair ? [] : pair.id ? [`race ${pair.id}`, `proven by ${pair.model}`] : [`flagged by ${pair.model}`];
  const parts = pair ? pairView(pair) : item.deadlock ? deadlockView(item.deadlock)
    : item.parted ? partedView(item.parted) : crashView(item.crash);
  article.replaceChildren(
    make('h2', {}, sentence(item.headline)),
    make('p', {className: 'badges'}, kindBadge(item.kind), badges.map(words => make('span', {}, words))),
    ...[pairButtons(item), ...parts].filter(part => part));
  article.scrollTop = 0;
}

function choosePair(n) {
  const hasFocus = document.activeElement.closest('.pairs');
  chosenPair = n;
  show();
  if (hasFocus)
    document.querySelector('.pairs [aria-pressed=true]').focus();
}

/* --- the list --- */

const kindBadge = kind => make('span', {className: `kind ${kind}`, title: kinds[kind] || ''}, kind);
/* What a search looks at. */
function wordsOf(item) {
  const ofPair = pair => [pair.variable, pair.fingerprint, pair.allocated, pair.model, pair.process, pair.test,
                          pair.id ? `race ${pair.id}` : ''];
  const ofPlace = at => [at.function, at.member || '', placeOf(at), at.thread_name ? `thread ${at.thread_name}` : ''];
  return [item.headline, item.kind, (item.deadlock || item.crash || item.parted || {}).fingerprint,
          ...(item.pairs || []).flatMap(ofPair), ...item.places.flatMap(ofPlace)].join('\n').toLowerCase();
}

function rowOf(item) {
  if (item.row)
    return item.row;
  const files = [...new Set(item.places.filter(at => at.file).map(shortPlace))];
  const more = [listed([...files.slice(0, 3), files.length > 3 ? '\u2026' : '']),
                item.pairs && item.pairs.length > 1 ? count(item.pairs.length, 'pair') : ''];
  item.link = make('a', {href: `#${item.hash}`}, kindBadge(item.kind),
                   make('div', {className: 'headline'}, sentence(item.headline)),
                   make('div', {className: 'more headline'}, listed(more, ' \u00b7 ')));
  item.row = make('li', {}, item.link);
  return item.row;
}

/* The items that the filters leave; and which of them have rows: with all of thousands a browser is slow. */
let matching = [];
const ROWS = 300;
let firstRow = 0, endRow = 0;

function showRows(first, end) {
  firstRow = Math.max(0, first);
  endRow = Math.min(matching.length, end);
  const more = (n, words, act) =>
    n > 0 ? make('li', {className: 'rest'}, button(`${words} (${n.toLocaleString('en')})`, act)) : null;
  byId('list').replaceChildren(...[
    more(firstRow, 'Those before', () => showRows(firstRow - ROWS, endRow)),
    ...matching.slice(firstRow, endRow).map(rowOf),
    more(matching.length - endRow, 'More', () => showRows(firstRow, endRow + ROWS)),
  ].filter(row => row));
}

function filter() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(word => word);
  const wanted = new Set([...byId('kinds').querySelectorAll('input:checked')].map(box => box.value));
  const file = byId('files').querySelector('select').value;
  matching = items.filter(item =>
    wanted.has(item.kind) && (file === '' || item.places.some(at => at.file === file)) &&
    words.every(word => (item.words ??= wordsOf(item)).includes(word)));
  showRows(0, ROWS);
  byId('shown').textContent = matching.length === items.length ? count(items.length, 'entry', 'entries')
    : `${matching.length.toLocaleString('en')} of ${count(items.length, 'entry', 'entries')}`;
  choose(matching.includes(chosen) ? chosen : matching[0] || null, matching.includes(chosen) ? chosenPair : 0);
}

function choose(item, pair = 0) {
  const at = matching.indexOf(item), isNew = item !== chosen || pair !== chosenPair || !item;
  if (chosen)
    rowOf(chosen).firstChild.removeAttribute('aria-current');
  chosen = item;
  chosenPair = pair;
  if (item) {
    if (at >= 0 && (at < firstRow || at >= endRow)) {
      const first = Math.max(0, at - ROWS / 2);
      showRows(first, first + ROWS);
    }
    rowOf(item).firstChild.setAttribute('aria-current', 'true');
    item.link.scrollIntoView({block: 'nearest'});
    history.replaceState(null, '', `#${item.hash}`);
  }
  if (isNew)
    show();
}

/* The item that the address names: the page can be linked to. A race that is not the first of its entry has that. */
function chooseByHash() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const race = /^race-(\d+)$/.exec(hash);
  for (const item of items) {
    const pair = race && item.pairs ? item.pairs.findIndex(p => p.id === Number(race[1])) : -1;
    if (item.hash === hash || pair >= 0)
      return choose(item, Math.max(pair, 0));
  }
  return choose(matching[0] || null);
}

function move(by) {
  if (matching.length)
    choose(matching[Math.max(0, Math.min(matching.length - 1, matching.indexOf(chosen) + by))]);
}

function movePair(by) {
  if (chosen && chosen.pairs && chosen.pairs[chosenPair + by])
    choosePair(chosenPair + by);
}

/* --- keys --- */

const step = act => () => timeline && act(timeline);
const keys = {
  'j': () => move(1),
  'k': () => move(-1),
  ']': () => movePair(1),
  '[': () => movePair(-1),
  'ArrowRight': step(line => line.move(1)),
  'ArrowLeft': step(line => line.move(-1)),
  'Home': step(line => line.go(0)),
  'End': step(line => line.go(line.steps.length - 1)),
  '/': () => byId('search').focus(),
};
/* In the list the arrows go through it; elsewhere they scroll. */
const listKeys = {ArrowDown: keys.j, ArrowUp: keys.k};

function leaveSearch(event) {
  event.preventDefault();
  event.target.blur();
  if (event.target === byId('search')) {
    event.target.value = '';
    filter();
  }
}

function onKey(event) {
  const at = event.target;
  const isScrolled = at.closest('.source') && event.key.startsWith('Arrow') && at.scrollWidth > at.clientWidth;
  if (event.ctrlKey || event.altKey || event.metaKey || isScrolled)
    return; /* what can be scrolled to the side keeps its arrows */
  if (at.matches('input, select')) {
    if (event.key === 'Escape')
      leaveSearch(event);
    return;
  }
  const inList = at.closest('#list') || at === document.body;
  const act = keys[event.key] || (inList && listKeys[event.key]);
  if (!act)
    return;
  event.preventDefault();
  act();
  if (at.closest('#list') && chosen)
    chosen.link.focus();
}

/* --- the page's head --- */

/* How much of the trace was looked at: what was left out says of how many events, or that nobody knows. */
function coverage() {
  const events = report.trace.events, gaps = report.analysis.not_looked_at;
  const isOfEvents = gap => gap.kind === 'refused' || gap.names.includes('events') || gap.names.includes('budget');
  const missing = Math.max(0, ...gaps.filter(isOfEvents).map(gap => gap.count));
  const share = events ? Math.floor(1000 * (events - Math.min(missing, events)) / events) / 10 : 100;
  const rest = gaps.length ? `${count(gaps.length, 'thing was', 'things were')} not looked at` : 'nothing was left out';
  return `Looked at ${share} % of ${count(events, 'event')} of ${count(report.trace.threads, 'thread')}; ${rest}.`;
}

function summary() {
  const n = kind => items.filter(item => item.kind === kind).length;
  const words = [count(n('confirmed') + n('predicted'), 'race'), `${n('confirmed')} confirmed`];
  if (n('deadlock'))
    words.push(count(n('deadlock'), 'deadlock'));
  if (n('crash'))
    words.push(count(n('crash'), 'crash', 'crashes'));
  if (n('atomicity'))
    words.push(count(n('atomicity'), 'atomicity violation'));
  for (const kind of ['unconfirmed', ...ASIDE])
    if (n(kind))
      words.push(`${n(kind)} ${kind}`);
  return words.join(', ');
}

/* What a hunt came to, and how far it was when. */
function hunt({classes, runs, turns_open, branches, branches_all, complete, curve}) {
  const points = curve.map(p => `after ${p.seconds.toFixed(1)} s ${count(p.runs, 'run')}, ` +
    `${count(p.classes, 'class', 'classes')}, ${p.branches} sides of branches, ${count(p.races, 'race')}`);
  return [`${complete ? 'All ' : ''}${count(classes, 'class', 'classes')} of runs in ${count(runs, 'run')}, ` +
    `${count(turns_open, 'turn')} open; ${branches} of ${branches_all} sides of branches that depend on others`, ...points];
}

function run() {
  const {analysis} = report;
  const list = of => of.length ? make('ul', {}, of.map(words => make('li', {}, words))) : '';
  const gaps = analysis.not_looked_at.map(gap => `${gap.reason} (${listed([String(gap.count), ...gap.names])})`);
  const processes = (report.processes || []).map(p =>
    `${p.name || 'the program'}: ${p.command.join(' ')} ` +
    `(${count(p.events, 'event')}, ${count(p.races.length, 'race')})`);
  return facts([
    ['Command', report.command.length ? code(report.command.join(' ')) : ''],
    ['Models', analysis.models.join(', ')],
    ['Trace', Object.entries(report.trace).map(([key, value]) => `${key.replace(/_/g, ' ')} ${value}`).join(', ')],
    ['Candidates', `${analysis.candidates}, of these ${analysis.pruned} ruled out at once, ` +
      `${analysis.solved} decided, ${analysis.unknown} not`],
    ['Hunt', list(report.hunt ? hunt(report.hunt) : [])],
    ['Not looked at', list(gaps) || 'nothing was left out'],
    ['Processes', list(processes)],
    ['Seconds', String(analysis.seconds)],
  ]);
}

function begin() {
  document.title = `${report.program}: ${summary()}`;
  byId('program').textContent = report.program;
  byId('summary').textContent = summary();
  byId('coverage').textContent = coverage();
  byId('run').append(run());
  for (const kind of Object.keys(kinds)) {
    const n = items.filter(item => item.kind === kind).length;
    const checked = n === items.length || ![...ASIDE, 'unproven'].includes(kind);
    if (n)
      byId('kinds').append(make('label', {title: kinds[kind]},
                                make('input', {type: 'checkbox', value: kind, checked}), ' ',
                                kindBadge(kind), ` ${n.toLocaleString('en')}`));
  }
  const files = [...new Set(items.flatMap(item => item.places.map(at => at.file)))].filter(file => file).sort();
  byId('files').querySelector('select').append(make('option', {value: ''}, 'all'),
                                               ...files.map(file => make('option', {value: file}, file)));
  byId('files').hidden = files.length < 2;
  byId('search').addEventListener('input', filter);
  byId('kinds').addEventListener('change', filter);
  byId('files').addEventListener('change', filter);
  document.addEventListener('keydown', onKey);
  addEventListener('hashchange', chooseByHash);
  const hash = location.hash;
  filter();
  if (hash) {
    history.replaceState(null, '', hash);
    chooseByHash();
  }
}

begin();
