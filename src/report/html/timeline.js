/* SPDX-License-Identifier: Apache-2.0 */
/* A finding's timeline: the recorded run and the schedule that leads to the race, beside each other. A lane per thread,
 * time goes down, a row per moment; critical sections and waits are bars in the lanes; runs of steps of one thread that
 * touch neither an object nor the racing memory are folded.
 *
 * What the moments are: src/report/timeline.h. Rows are {moment}, or {fold: how many events, rows: those of them that
 * can be unfolded, thread}, or {words}.
 */
'use strict';

const SHORTEST_FOLD = 4;

/* --- what moments say --- */

const eventsBetween = (a, b) => b.event - (a ? a.event + 1 : 0);
const lastOf = list => list[list.length - 1];

/* A number of 64 bits, which stands in the data as a string: as C would print it, large ones as addresses are. */
const number = digits => BigInt(digits) > 0xffffn ? `0x${BigInt(digits).toString(16)}` : digits;

const wakings = {timeout: 'times out at', spurious: 'wakes unsignalled at'};
const objectWords = {recursive: 'mutex', cond: 'condition', sem: 'semaphore'};

class Timeline {
  constructor(pair, line, trace) {
    Object.assign(this, {pair, line, trace});
    this.accesses = new Set(line.accesses.map(n => trace.moments[n]));
    const all = [...line.before, ...line.meanwhile, ...line.accesses, ...line.steps.flatMap(step => step.moments)];
    this.moments = [...new Set(all)].sort((a, b) => a - b).map(n => trace.moments[n]); /* numbers are in their order */
    this.lanes = [...new Set(this.moments.map(m => m.thread))].sort((a, b) => a - b);
    this.schedule = this.scheduleRows();
    this.recorded = this.fold(this.moments, eventsBetween);
    this.steps = this.schedule.filter(row => row.moment);
  }

  thread(t) { return this.trace.threads[t] || `T${t}`; }

  object(n) {
    const object = this.trace.objects[n], kind = objectWords[object.kind] || object.kind;
    return `${kind} ${object.variable || object.address}`;
  }

  /* What a thread does, without its name. `isRecorded`: the values are those of the recorded run. */
  does(m, isRecorded) {
    const object = m.object === undefined ? '' : this.object(m.object), failed = m.outcome === 'failed';
    const memory = m.variable || (m.size ? `${m.size} bytes at ${m.address}` : '');
    const atomic = m.order ? ` (${m.order})` : '';
    const value = (words, digits) => isRecorded && digits !== undefined ? `${words}${number(digits)}` : '';
    switch (m.kind) {
    case 'begin': return 'begins';
    case 'end': return 'ends';
    case 'fork': return `creates thread ${this.thread(m.child)}`;
    case 'join': return `${failed ? 'does not yet join' : 'joins'} thread ${this.thread(m.child)}`;
    case 'r': return `reads ${memory}${value(': ', m.value)}${atomic}`;
    case 'w': return `writes ${memory}${value(' = ', m.value)}${atomic}`;
    case 'rmw': return `updates ${memory}${value(': ', m.value)}${value(' \u2192 ', m.written)}${atomic}`;
    case 'fence': return `fence${atomic}`;
    case 'acq': return `${failed ? 'fails to lock' : 'locks'} ${object}${m.mode === 'shared' ? ' for reading' : ''}`;
    case 'rel': return `unlocks ${object}`;
    case 'wait': return `waits for ${object}`;
    case 'wake': return `${wakings[m.outcome] || 'is woken at'} ${object}`;
    case 'signal': return `signals ${object}`;
    case 'broadcast': return `wakes all at ${object}`;
    case 'post': return `posts ${object}`;
    case 'down': return `${failed ? 'finds nothing in' : 'takes'} ${object}`;
    case 'enter': return `comes to ${object}`;
    case 'leave': return `leaves ${object}`;
    case 'once-begin': return `begins the routine of ${object}`;
    case 'once-end': return `ends the routine of ${object}`;
    case 'once-skip': return `finds ${object} done`;
    case 'init': return `makes ${object}`;
    case 'destroy': return `destroys ${object}`;
    case 'alloc': return `allocates ${m.size} bytes`;
    case 'free': return `frees ${m.size} bytes`;
    case 'br': return 'decides a branch';
    case 'opaque-begin': return `calls ${m.callee || 'code outside'}`;
    case 'opaque-end': return `comes back from ${m.callee || 'code outside'}`;
    case 'exit': return 'ends the process';
    default: return m.kind;
    }
  }

  place(m) { return this.trace.places[m.place]; }

  /* Does it touch an object, a thread or the racing memory? What does not may be folded. */
  concerns(m) {
    if (this.accesses.has(m) || m.order || m.object !== undefined || m.child !== undefined)
      return true;
    if (!m.size)
      return ['begin', 'end', 'exit'].includes(m.kind);
    const at = BigInt(m.address), racing = BigInt(this.pair.address);
    return at < racing + BigInt(this.pair.size) && racing < at + BigInt(m.size);
  }

  /* --- rows --- */

  /* Those of moments that follow each other; `gap` says how many events lie between two, or before the first. */
  fold(moments, gap) {
    const rows = [];
    let run = {fold: 0, rows: []};
    const flush = () => {
      if (run.fold >= SHORTEST_FOLD || run.fold > run.rows.length)
        rows.push(run);
      else
        rows.push(...run.rows);
      run = {fold: 0, rows: []};
    };
    moments.forEach((m, i) => {
      const missing = gap(moments[i - 1], m);
      if (run.thread !== undefined && run.thread !== m.thread)
        flush();
      if (missing) {
        run.rows.push({fold: missing, rows: []});
        run.fold += missing;
      }
      if (this.concerns(m)) {
        flush();
        rows.push({moment: m});
      } else {
        run.thread = m.thread;
        run.rows.push({moment: m});
        run.fold++;
      }
    });
    flush();
    /* of events that are not in the page a fold says how many, and has nothing to unfold */
    return rows.map(row => row.fold && row.rows.every(r => r.fold) ? {fold: row.fold, rows: []} : row);
  }

  scheduleRows() {
    const {line, trace, pair} = this, of = list => list.map(n => trace.moments[n]);
    const rows = [], shown = new Set();
    const begun = pair.witness.recorded;
    if (begun) {
      const before = of(line.before);
      rows.push({words: `As recorded: the first ${count(begun, 'event')}`});
      rows.push(...this.fold(before, eventsBetween));
      const left = begun - 1 - (before.length ? lastOf(before).event : -1);
      if (left > 0)
        rows.push({fold: left, rows: []});
      before.forEach(m => shown.add(m));
    }
    if (line.left_out)
      rows.push({words: `\u2026 ${count(line.left_out, 'step')} before these`});
    for (const step of line.steps) {
      const moments = of(step.moments);
      rows.push({words: `Thread ${this.thread(step.thread)} runs`});
      rows.push(...this.fold(moments, (a, b) => b.position - (a ? a.position + 1 : step.from)));
      moments.forEach(m => shown.add(m));
    }
    const next = of(line.accesses).filter(m => !shown.has(m));
    if (next.length === 2)
      rows.push({words: 'Both accesses are next, in either order'});
    rows.push(...next.map(moment => ({moment})));
    this.executed = new Set([...shown, ...next]);
    return rows;
  }

  /* --- lanes --- */

  /* Which locks a thread has when the rows begin: those that it lets go without taking them, or holds at its access and
     takes nowhere. By thread: a list of objects. */
  heldBefore(moments) {
    const held = new Map(this.lanes.map(t => [t, []])), seen = new Set();
    for (const m of moments) {
      const lock = m.lock === undefined ? m.object : m.lock, key = `${m.thread} ${lock}`;
      if (!['acq', 'rel', 'wait', 'wake'].includes(m.kind) || seen.has(key))
        continue;
      seen.add(key);
      if (m.kind === 'rel' || m.kind === 'wait')
        held.get(m.thread).push(lock);
    }
    for (const access of this.pair.accesses)
      for (const lock of access.holds || []) {
        const isSame = object => object.address === lock.address && object.variable === lock.variable;
        const n = this.trace.objects.findIndex(isSame);
        if (n >= 0 && !seen.has(`${access.thread} ${n}`))
          held.get(access.thread).push(n);
      }
    return held;
  }

  /* Walks the rows, and says of each what is in the lanes there: {alive, waits, bars: [{object, begins, ends}]}. */
  states(rows) {
    const moments = rows.flatMap(row => row.moment ? [row.moment] : []);
    const held = this.heldBefore(moments);
    const begun = new Set(moments.filter(m => m.kind === 'begin').map(m => m.thread));
    const lanes = new Map(this.lanes.map(t => [
      t, {alive: !begun.has(t), waits: false, slots: held.get(t).map(object => ({object, levels: 1}))},
    ]));
    return rows.map(row => {
      const m = row.moment, lane = m && lanes.get(m.thread), over = [];
      let begins = null;
      if (m && m.kind === 'begin')
        lane.alive = true;
      const take = object => {
        const slot = lane.slots.find(s => s && s.object === object);
        if (slot) {
          slot.levels++;
          return;
        }
        const free = lane.slots.findIndex(s => !s), at = free < 0 ? lane.slots.length : free;
        lane.slots[at] = {object, levels: 1};
        begins = lane.slots[at];
      };
      const letGo = object => {
        const at = lane.slots.findIndex(s => s && s.object === object);
        if (at >= 0 && --lane.slots[at].levels === 0)
          over.push(at);
      };
      if (m && m.kind === 'acq' && m.outcome !== 'failed')
        take(m.object);
      else if (m && m.kind === 'wake')
        take(m.lock);
      else if (m && m.kind === 'rel')
        letGo(m.object);
      else if (m && m.kind === 'wait')
        letGo(m.lock);
      const state = this.lanes.map(t => {
        const {alive, waits, slots} = lanes.get(t);
        return {alive, waits, here: m !== undefined && m.thread === t, bars: slots.map((s, i) => s && {
          object: s.object, begins: s === begins, ends: m !== undefined && m.thread === t && over.includes(i)})};
      });
      if (m) {
        over.forEach(at => { lane.slots[at] = null; });
        lane.waits = ['wait', 'enter'].includes(m.kind) || (lane.waits && !['wake', 'leave'].includes(m.kind));
        lane.alive = lane.alive && m.kind !== 'end';
      }
      return state;
    });
  }

  /* --- the page --- */

  symbol(m) {
    if (this.accesses.has(m))
      return '\u25cf';
    if (m.kind === 'rel' || (m.kind === 'acq' && m.outcome !== 'failed'))
      return ''; /* the ends of bars */
    return {begin: '\u25bd', end: '\u25b3'}[m.kind] || (this.concerns(m) ? '\u25c6' : '\u00b7');
  }

  lane(state, row, thread) {
    const barOf = (bar, i) => bar && make('span', {
      className: listed(['bar', `slot${Math.min(i, 3)}`, bar.begins && 'begins', bar.ends && 'ends'], ' '),
      title: `thread ${this.thread(thread)} has ${this.object(bar.object)}`,
    });
    const className = listed(['lane', (state.alive || state.here) && 'alive', state.waits && 'waits'], ' ');
    const symbol = state.here ? this.symbol(row.moment) : '';
    const look = state.here && this.accesses.has(row.moment) ? 'symbol racing' : 'symbol';
    return make('td', {className, 'aria-hidden': 'true'}, state.bars.map(barOf).filter(bar => bar),
                symbol ? make('span', {className: look}, symbol) : '');
  }

  describe(row, isRecorded) {
    if (row.words !== undefined)
      return [row.words];
    if (row.fold) {
      const words = `\u2026 ${count(row.fold, 'step')}`;
      const properties = {className: 'unfold', 'aria-expanded': 'false'};
      return [row.rows.length ? button(words, () => this.unfold(row), properties) : words];
    }
    const m = row.moment, place = this.place(m), isSkipped = isRecorded && !this.executed.has(m);
    const hasValue = isRecorded || m.event < this.pair.witness.recorded;
    return [make('span', {className: 'who'}, this.thread(m.thread)), ' ', this.does(m, hasValue), ' ',
            place.line ? make('span', {className: 'at', title: placeOf(place)}, shortPlace(place)) : '',
            this.accesses.has(m) ? make('span', {className: 'note'}, 'races') : '',
            isSkipped ? make('span', {className: 'note'}, 'not in the schedule') : ''];
  }

  grid(title, rows, isRecorded) {
    const states = this.states(rows);
    const laneHead = t =>
      make('th', {scope: 'col', className: 'lane', title: `thread ${this.thread(t)}`}, this.thread(t));
    const head = make('tr', {}, this.lanes.map(laneHead), make('th', {scope: 'col'}, 'What happens'));
    const body = rows.map((row, i) => {
      const className = row.words ? 'words' : row.fold ? 'fold' : this.accesses.has(row.moment) ? 'race' : '';
      row.element = make('tr', {className},
                         this.lanes.map((t, k) => this.lane(states[i][k], row, t)),
                         make('td', {}, this.describe(row, isRecorded)));
      if (!isRecorded && row.moment)
        row.element.addEventListener('click', () => this.go(this.steps.indexOf(row)));
      return row.element;
    });
    return make('div', {className: 'grid'},
                make('table', {}, make('caption', {}, title), make('thead', {}, head), make('tbody', {}, body)));
  }

  /* A fold gives way to what is known of its events; in either grid. */
  unfold(row) {
    for (const rows of [this.schedule, this.recorded]) {
      const at = rows.indexOf(row);
      if (at >= 0)
        rows.splice(at, 1, ...row.rows);
    }
    const current = this.steps[this.step];
    this.steps = this.schedule.filter(r => r.moment);
    this.draw();
    this.go(this.steps.indexOf(current));
    this.buttons.find(button => !button.disabled).focus(); /* the button that was pressed is gone */
  }

  draw() {
    const {variant} = this.trace;
    const run = variant ? `The run that it is of (variants/${variant})` : 'The recorded run';
    this.grids.replaceChildren(this.grid(run, this.recorded, true),
                               this.grid('The schedule that leads to the race', this.schedule, false));
  }

  view() {
    const labelled = (words, label, act) => button(words, act, {'aria-label': label, title: label});
    this.buttons = [
      labelled('\u21e4', 'First step (Home)', () => this.go(0)),
      labelled('\u2190', 'Previous step (left arrow)', () => this.move(-1)),
      labelled('\u2192', 'Next step (right arrow)', () => this.move(1)),
      labelled('\u21e5', 'Last step (End)', () => this.go(this.steps.length - 1)),
    ];
    this.status = make('p', {className: 'status', role: 'status'});
    const first = this.steps.findIndex(row => hasSource(this.place(row.moment)));
    this.source = make('div', {className: first < 0 ? 'beside' : 'beside roomy'});
    this.grids = make('div', {className: 'grids'});
    this.draw();
    const element = make('div', {className: 'timeline'},
                         make('div', {className: 'stepper'},
                              make('div', {className: 'buttons', role: 'group', 'aria-label': 'Steps of the schedule'},
                                   this.buttons, this.status),
                              this.source),
                         this.grids);
    this.go(Math.max(0, first), true);
    return element;
  }

  /* --- stepping --- */

  go(step, isFirst = false) {
    if (!this.steps[step])
      return;
    this.step = step;
    const row = this.steps[step], m = row.moment, place = this.place(m);
    for (const other of [...this.recorded, ...this.schedule]) {
      other.element.removeAttribute('aria-current');
      if (other.moment !== m)
        continue;
      other.element.setAttribute('aria-current', 'step');
      if (!isFirst)
        other.element.scrollIntoView({block: 'nearest'}); /* the schedule's row last: it is seen for certain */
    }
    const isNext = this.accesses.has(m) && m.event >= this.pair.witness.recorded;
    const values = [m.value, m.written].filter(digits => digits !== undefined).map(number).join(' \u2192 ');
    const run = this.trace.variant ? 'that run' : 'the recorded run';
    const who = `thread ${this.thread(m.thread)}${isNext ? ' is next: it' : ''}`;
    this.status.textContent = `Step ${step + 1} of ${this.steps.length}: ${who} ${this.does(m, false)}` +
      (values ? ` (in ${run} ${values})` : '');
    const none = place.line ? `The source of ${placeOf(place)} is not in this page.` : '';
    this.source.replaceChildren(excerpt(place) || make('p', {className: 'place'}, none));
    this.buttons[0].disabled = this.buttons[1].disabled = step === 0;
    this.buttons[2].disabled = this.buttons[3].disabled = step === this.steps.length - 1;
  }

  move(by) { this.go(this.step + by); }
}
