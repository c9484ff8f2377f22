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

const count = (n, one, many = one + 's') => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
const placeOf = at => !at.file ? '?' : at.file + (at.line ? `:${at.line}${at.column ? `:${at.column}` : ''}` : '');
const baseName = path => path.slice(path.lastIndexOf('/') + 1);

/* --- what there is: one item per row of the list --- */

const kinds = {
  confirmed: 'shown on the program',
  predicted: 'proven by a schedule',
  unconfirmed: 'accepted by the checkers, not shown on the program',
  deadlock: 'threads wait for each other',
  crash: 'the program ended by a signal',
  known: 'in the baseline: in no count',
  suppressed: 'named by a file of suppressions: in no count',
  unproven: 'flagged by an order, no schedule was accepted',
};
const kindOf = status => status.startsWith('not-') ? 'unconfirmed' : status === 'undecided' ? 'unproven' : status;

const lineOf = new Map(data.timelines.map(line => [line.race, line]));
/* What is found and set aside: in the list where it is asked for. */
const ASIDE = ['known', 'suppressed'];

const raceOf = new Map([...report.races, ...report.unconfirmed, ...ASIDE.flatMap(kind => report[kind] || [])].map(race => [race.id, race]));

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
  const headline = (deadlock.threads.length ? `Threads ${threads} wait for each other` : 'Every thread waits for another') +
    (deadlock.status === 'recorded' ? ': the recorded run ended so' : deadlock.race ? `: the replay of race ${deadlock.race} ended so` : '');
  return {kind, headline, hash: `${kind === 'deadlock' ? '' : `${kind}-`}deadlock-${i + 1}`,
          deadlock, places: deadlock.threads};
}

function crashItem(crash, i, kind) {
  return {kind, headline: `${crash.signal}${crash.message ? `: ${crash.message}` : ''}`, hash: `${kind === 'crash' ? '' : `${kind}-`}crash-${i + 1}`,
          crash, places: []};
}

const items = [
  ...report.entries.map(entry => entryItem(entry)),
  ...report.deadlocks.map((deadlock, i) => deadlockItem(deadlock, i, 'deadlock')),
  ...(report.crashes || []).map((crash, i) => crashItem(crash, i, 'crash')),
  ...report.unconfirmed_entries.map(entry => entryItem(entry)),
  ...(report.unconfirmed_deadlocks || []).map((deadlock, i) => deadlockItem(deadlock, i, 'unconfirmed')),
  ...ASIDE.flatMap(kind => [
    ...(report[`${kind}_entries`] || []).map(entry => entryItem(entry, kind)),
    ...(report[`${kind}_deadlocks`] || []).map((deadlock, i) => deadlockItem(deadlock, i, kind)),
    ...(report[`${kind}_crashes`] || []).map((crash, i) => crashItem(crash, i, kind)),
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

const partOf = at => (sources.get(at.file) || []).find(part => at.line >= part.from && at.line < part.from + part.lines.length);
const hasSource = at => partOf(at) !== undefined;

/* The lines around a place; null where the source is not there. */
function excerpt(at) {
  const part = partOf(at);
  if (!part)
    return null;
  const rows = [];
  for (let line = Math.max(at.line - AROUND, part.from); line <= at.line + AROUND && line < part.from + part.lines.length; line++) {
    const text = part.lines[line - part.from];
    rows.push(make('div', line === at.line ? {className: 'here'} : {}, make('span', {className: 'number'}, String(line)),
                   make('span', {}, ...(line === at.line ? marked(text, at.column) : [text]))));
  }
  return make('div', {className: 'source', tabIndex: 0, role: 'group', ariaLabel: `Source at ${placeOf(at)}`}, rows);
}

/* A line of a stack, "function file:line:column", as a place: what it has of these. */
function frameOf(words) {
  const match = /^(.*) ([^ ]*?)(?::(\d+))?(?::(\d+))?$/s.exec(words);
  return match ? {function: match[1], file: match[2], line: Number(match[3] || 0), column: Number(match[4] || 0)} : {file: ''};
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
  return parts.length % 2 ? parts.map((part, i) => i % 2 ? make('code', {}, part) : part) : [words];
}

function lines(text) {
  return make('ol', {className: 'told'}, text.split('\n').filter(line => line).map(line => make('li', {}, line)));
}

function stackOf(stack) {
  return make('details', {}, make('summary', {}, `Called through ${count(stack.length - 1, 'frame')}`),
              make('ol', {className: 'told'}, stack.slice(1).map(frame => make('li', {}, make('code', {}, frame)))));
}

function side(access, other) {
  const locks = (access.holds || []).map(lock => {
    const taken = lock.stack.length ? `, taken at ${placeOf(frameOf(lock.stack[0]))}` : '';
    return make('p', {}, `holding ${lock.object === 'recursive' ? 'mutex' : lock.object} `, make('code', {}, lock.variable || 'lock'),
                `${lock.mode === 'shared' ? ' (shared)' : ''}${taken}`);
  });
  const none = !locks.length && other.holds && other.holds.length ? make('p', {}, 'holding no lock') : null;
  const own = ownPlace(access);
  return make('section', {className: 'side', ariaLabel: `${doesOf(access)} by ${threadOf(access)}`},
              make('p', {className: 'does'}, `${doesOf(access)}, ${threadOf(access)}`),
              make('p', {className: 'place'}, make('code', {}, placeOf(own)), own.function ? ' in ' : '',
                   own.function ? make('code', {}, own.function) : ''),
              own !== access ? make('p', {className: 'place'}, 'inside ', make('code', {}, access.function)) : null,
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
  const where = `${pair.size === 1 ? '1 byte' : `${pair.size} bytes`} at ${pair.address}`;
  const told = pair.replay || pair.shown;
  return [
    make('div', {className: 'sides'}, side(pair.accesses[0], pair.accesses[1]), side(pair.accesses[1], pair.accesses[0])),
    section('Why', make('p', {className: 'words'}, pair.why || 'No reason was kept.')),
    pair.cures && pair.cures.length ? section('What would cure it', lines(pair.cures.join('\n'))) : null,
    timelineView(pair),
    told ? section(pair.shown ? 'What the standard allows besides' : 'What either order leads to', lines(told)) : null,
    pair.id && report.command.length ? section('How to carry it out again', make('p', {}, make('code', {}, `recipe replay DIR ${pair.id}`),
      ', where DIR is the directory of the recording; with ', make('code', {}, '--gdb'), ' it stops before both accesses.')) : null,
    section('What it is', facts([
      ['Memory', make('span', {}, pair.variable ? make('code', {}, pair.variable) : 'without a name', `, ${where}`)],
      ['Allocated', pair.allocated ? make('code', {}, pair.allocated) : ''],
      ['Status', `${pair.status}: ${kinds[kindOf(pair.status)]}`],
      ['Suppressed by', pair.suppressed_by ? `${pair.suppressed_by.file}:${pair.suppressed_by.line}: ${pair.suppressed_by.suppression}` : ''],
      ['Models', pair.models.join(', ')],
      ['Instances', count(pair.instances, 'pair of events', 'pairs of events')],
      ['Events', pair.events.join(' and ')],
      ['Process', pair.process ? `${pair.process}: ${pair.command.join(' ')}` : ''],
      ['Fingerprint', make('code', {}, pair.fingerprint)],
    ])),
  ].flat();
}

function deadlockView(deadlock) {
  const wait = at => {
    const isEnd = at.waits_for === 'thread'; /* of the one that is said to hold it */
    const object = isEnd ? `the end of thread ${at.held_by || '?'}` : `${at.waits_for}${at.variable ? ` ${at.variable}` : ''}`;
    const how = [at.held_by && !isEnd ? `held by thread ${at.held_by}` : '', at.call ? `in ${at.call}()` : ''].filter(words => words).join(', ');
    return make('section', {className: 'side', ariaLabel: `Thread ${at.thread_name}`},
                make('p', {className: 'does'}, `thread ${at.thread_name} waits for ${object}`),
                make('p', {}, how),
                make('p', {className: 'place'}, make('code', {}, placeOf(at)), at.function ? ' in ' : '', at.function ? make('code', {}, at.function) : ''),
                at.stack && at.stack.length > 1 ? stackOf(at.stack) : null, excerpt(at));
  };
  return [
    make('div', {className: 'sides'}, deadlock.threads.map(wait)),
    deadlock.replay ? section('What carrying it out showed', lines(deadlock.replay)) : null,
    section('What it is', facts([
      ['Status', deadlock.status],
      ['Fingerprint', make('code', {}, deadlock.fingerprint || '')],
      ['Process', deadlock.process],
      ['Recording', deadlock.recording || ''],
    ])),
  ].flat();
}

function crashView(crash) {
  return section('What it is', facts([['Signal', crash.signal], ['The program said', crash.message], ['Recording', crash.recording],
    ['Fingerprint', make('code', {}, crash.fingerprint || '')]]));
}

let chosen = null; /* an item, and which of its pairs */
let chosenPair = 0;

function pairButtons(item) {
  if (item.pairs.length < 2)
    return null;
  const MOST = 40; /* more buttons than that help nobody: the keys go through all */
  const from = Math.max(0, Math.min(chosenPair - MOST / 2, item.pairs.length - MOST));
  const buttons = item.pairs.slice(from, from + MOST).map((pair, i) =>
    make('button', {type: 'button', ariaPressed: String(from + i === chosenPair), onclick: () => choosePair(from + i)},
         pair.id ? `${pair.id}` : String(from + i + 1)));
  return make('div', {className: 'pairs', role: 'group', ariaLabel: 'Pairs of accesses'},
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
  article.replaceChildren(
    make('h2', {}, sentence(item.headline)),
    make('p', {className: 'badges'}, kindBadge(item.kind), pair && pair.id ? make('span', {}, `race ${pair.id}`) : null,
         pair ? make('span', {}, `${pair.id ? 'proven' : 'flagged'} by ${pair.model}`) : null),
    ...[item.pairs ? pairButtons(item) : null].filter(row => row),
    ...(pair ? pairView(pair) : item.deadlock ? deadlockView(item.deadlock) : crashView(item.crash)).filter(part => part));
  article.scrollTop = 0;
}

function choosePair(n) {
  chosenPair = n;
  show();
}

/* --- the list --- */

const kindBadge = kind => make('span', {className: `kind ${kind}`, title: kinds[kind] || ''}, kind);
const wordsOf = item => [item.headline, item.kind, (item.deadlock || item.crash || {}).fingerprint, ...(item.pairs || []).flatMap(pair =>
  [pair.variable, pair.fingerprint, pair.allocated, pair.model, pair.process, pair.id ? `race ${pair.id}` : '']), ...item.places.flatMap(at =>
  [at.function, placeOf(at), at.thread_name ? `thread ${at.thread_name}` : ''])].join('\n').toLowerCase();

function rowOf(item) {
  if (item.row)
    return item.row;
  const files = [...new Set(item.places.filter(at => at.file).map(at => `${baseName(at.file)}:${at.line}`))];
  const more = [files.slice(0, 3).join(', ') + (files.length > 3 ? ', \u2026' : ''),
                item.pairs && item.pairs.length > 1 ? count(item.pairs.length, 'pair') : ''].filter(words => words).join(' \u00b7 ');
  item.link = make('a', {href: `#${item.hash}`}, kindBadge(item.kind), make('div', {className: 'headline'}, sentence(item.headline)),
                   make('div', {className: 'more headline'}, more));
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
  const more = (n, words, act) => n > 0 ? make('li', {className: 'rest'}, make('button', {type: 'button', onclick: act}, `${words} (${n.toLocaleString('en')})`)) : null;
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
  matching = items.filter(item => wanted.has(item.kind) && (file === '' || item.places.some(at => at.file === file)) &&
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
  if (event.ctrlKey || event.altKey || event.metaKey || (at.closest('.source, .grid') && event.key.startsWith('Arrow') && at.tabIndex === 0 && at.scrollWidth > at.clientWidth))
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
  const missing = gaps.filter(gap => gap.kind === 'refused' || gap.names.includes('events') || gap.names.includes('budget'))
    .reduce((most, gap) => Math.max(most, gap.count), 0);
  const share = events ? Math.floor(1000 * (events - Math.min(missing, events)) / events) / 10 : 100;
  const rest = gaps.length ? `; ${count(gaps.length, 'thing was', 'things were')} not looked at` : '; nothing was left out';
  return `Looked at ${share} % of ${count(events, 'event')} of ${count(report.trace.threads, 'thread')}${rest}.`;
}

function summary() {
  const n = kind => items.filter(item => item.kind === kind).length;
  const words = [count(n('confirmed') + n('predicted'), 'race'), `${n('confirmed')} confirmed`];
  if (n('deadlock'))
    words.push(count(n('deadlock'), 'deadlock'));
  if (n('crash'))
    words.push(count(n('crash'), 'crash', 'crashes'));
  for (const kind of ['unconfirmed', ...ASIDE])
    if (n(kind))
      words.push(`${n(kind)} ${kind}`);
  return words.join(', ');
}

function run() {
  const gaps = report.analysis.not_looked_at;
  const list = gaps.map(gap => make('li', {}, `${gap.reason} (${gap.count}${gap.names.length ? `: ${gap.names.join(', ')}` : ''})`));
  return facts([
    ['Command', report.command.length ? make('code', {}, report.command.join(' ')) : ''],
    ['Models', report.analysis.models.join(', ')],
    ['Trace', Object.entries(report.trace).map(([key, value]) => `${key.replace(/_/g, ' ')} ${value}`).join(', ')],
    ['Candidates', `${report.analysis.candidates}, of these ${report.analysis.pruned} ruled out, ${report.analysis.solved} decided, ${report.analysis.unknown} not`],
    ['Not looked at', list.length ? make('ul', {}, list) : 'nothing was left out'],
    ['Processes', (report.processes || []).length ? make('ul', {}, report.processes.map(p =>
      make('li', {}, `${p.name || 'the program'}: ${p.command.join(' ')} (${count(p.events, 'event')}, ${count(p.races.length, 'race')})`))) : ''],
    ['Seconds', String(report.analysis.seconds)],
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
    if (n)
      byId('kinds').append(make('label', {title: kinds[kind]},
        make('input', {type: 'checkbox', value: kind, checked: n === items.length || ![...ASIDE, 'unproven'].includes(kind)}), ' ', kindBadge(kind), ` ${n.toLocaleString('en')}`));
  }
  const files = [...new Set(items.flatMap(item => item.places.map(at => at.file)))].filter(file => file).sort();
  byId('files').querySelector('select').append(make('option', {value: ''}, 'all'), ...files.map(file => make('option', {value: file}, file)));
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
