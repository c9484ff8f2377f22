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

const lastOf = list => list[list.length - 1];

/* A number of 64 bits, which stands in the data as a string: as C would print it, large ones as addresses are. */
const number = digits => BigInt(digits) > 0xffffn ? `0x${BigInt(digits).toString(16)}` : digits;

const wakings = {timeout: 'times out at', spurious: 'wakes unsignalled at'};
const objectWords = {recursive: 'mutex', cond: 'condition', sem: 'semaphore'};

class Timeline {
  constructor(pair, line, trace) {
    Object.assign(this, {pair, line, trace});
    this.accesses = new Set(line.accesses.map(n => trace.moments[n]));
    this.lanes = [...new Set([...line.before, ...line.meanwhile, ...line.accesses,
                              ...line.steps.flatMap(step => step.moments)].map(n => trace.moments[n].thread))].sort((a, b) => a - b);
    this.schedule = this.scheduleRows();
    this.recorded = this.recordedRows();
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
    case 'join': return failed ? `finds thread ${this.thread(m.child)} running` : `joins thread ${this.thread(m.child)}`;
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
    if (this.accesses.has(m) || m.order || m.object !== undefined || m.child !== undefined || ['begin', 'end', 'exit'].includes(m.kind))
      return true;
    if (!m.size)
      return false;
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
    return rows.map(row => row.fold && row.rows.every(r => r.fold) ? {fold: row.fold, rows: []} : row).filter(row => row.moment || row.fold);
  }

  scheduleRows() {
    const {line, trace, pair} = this, of = list => list.map(n => trace.moments[n]);
    const rows = [], shown = new Set();
    const begun = pair.witness.recorded;
    if (begun) {
      const before = of(line.before);
      rows.push({words: `As recorded: the first ${count(begun, 'event')}`});
      rows.push(...this.fold(before, (a, b) => a ? b.event - a.event - 1 : b.event));
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

  recordedRows() {
    const {line} = this;
    const all = new Set([...line.before, ...line.meanwhile, ...line.accesses, ...line.steps.flatMap(step => step.moments)]);
    const moments = [...all].sort((a, b) => a - b).map(n => this.trace.moments[n]); /* their numbers are in that order */
    return this.fold(moments, (a, b) => a ? b.event - a.event - 1 : b.event);
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
        const n = this.trace.objects.findIndex(object => object.address === lock.address && object.variable === lock.variable);
        if (n >= 0 && !seen.has(`${access.thread} ${n}`))
          held.get(access.thread).push(n);
      }
    return held;
  }

  /* Walks the rows, and says of each what is in the lanes there: {alive, waits, bars: [{object, begins, ends}]}. */
  states(rows) {
    const moments = rows.flatMap(row => row.moment ? [row.moment] : []);
    const held = this.heldBefore(moments), begun = new Set(moments.filter(m => m.kind === 'begin').map(m => m.thread));
    const lanes = new Map(this.lanes.map(t => [t, {alive: !begun.has(t), waits: false, slots: held.get(t).map(object => ({object, levels: 1}))}]));
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
        lane.waits = m.kind === 'wait' || m.kind === 'enter' || (lane.waits && m.kind !== 'wake' && m.kind !== 'leave');
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
    const bars = state.bars.map((bar, i) => bar && make('span', {
      className: `bar slot${Math.min(i, 3)}${bar.begins ? ' begins' : ''}${bar.ends ? ' ends' : ''}`, title: `thread ${this.thread(thread)} has ${this.object(bar.object)}`}));
    return make('td', {className: `lane${state.alive || state.here ? ' alive' : ''}${state.waits ? ' waits' : ''}`, ariaHidden: 'true'},
                bars.filter(bar => bar),
                state.here ? make('span', {className: this.accesses.has(row.moment) ? 'symbol racing' : 'symbol'}, this.symbol(row.moment)) : null);
  }

  describe(row, isRecorded) {
    if (row.words !== undefined)
      return [row.words];
    if (row.fold) {
      const words = `\u2026 ${count(row.fold, 'step')}`;
      return [row.rows.length ? make('button', {type: 'button', className: 'unfold', ariaExpanded: 'false', onclick: () => this.unfold(row)}, words) : words];
    }
    const m = row.moment, place = this.place(m), isSkipped = isRecorded && !this.executed.has(m);
    const hasValue = isRecorded || m.event < this.pair.witness.recorded;
    return [make('span', {className: 'who'}, this.thread(m.thread)), ' ', this.does(m, hasValue), ' ',
            place.line ? make('span', {className: 'at', title: placeOf(place)}, `${baseName(place.file)}:${place.line}`) : null,
            this.accesses.has(m) ? make('span', {className: 'note'}, 'races') : null,
            isSkipped ? make('span', {className: 'note'}, 'not in the schedule') : null];
  }

  grid(title, rows, isRecorded) {
    const states = this.states(rows);
    const head = make('tr', {}, this.lanes.map(t => make('th', {scope: 'col', className: 'lane', title: `thread ${this.thread(t)}`}, this.thread(t))),
                      make('th', {scope: 'col'}, 'What happens'));
    const body = rows.map((row, i) => {
      row.element = make('tr', {className: row.words !== undefined ? 'words' : row.fold ? 'fold' : this.accesses.has(row.moment) ? 'race' : ''},
                         this.lanes.map((t, k) => this.lane(states[i][k], row, t)),
                         make('td', {}, this.describe(row, isRecorded)));
      if (!isRecorded && row.moment)
        row.element.addEventListener('click', () => this.go(this.steps.indexOf(row)));
      return row.element;
    });
    return make('div', {className: 'grid'}, make('table', {}, make('caption', {}, title), make('thead', {}, head), make('tbody', {}, body)));
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
  }

  draw() {
    const {variant} = this.trace;
    this.grids.replaceChildren(this.grid(variant ? `The run that it is of (variants/${variant})` : 'The recorded run', this.recorded, true), this.grid('The schedule that leads to the race', this.schedule, false));
  }

  view() {
    const button = (words, label, act) => make('button', {type: 'button', ariaLabel: label, title: label, onclick: act}, words);
    this.buttons = [button('\u21e4', 'First step (Home)', () => this.go(0)), button('\u2190', 'Previous step (left arrow)', () => this.move(-1)),
                    button('\u2192', 'Next step (right arrow)', () => this.move(1)), button('\u21e5', 'Last step (End)', () => this.go(this.steps.length - 1))];
    this.status = make('p', {className: 'status', role: 'status'});
    this.source = make('div', {className: this.steps.some(row => hasSource(this.place(row.moment))) ? 'beside roomy' : 'beside'});
    this.grids = make('div', {className: 'grids'});
    this.draw();
    const element = make('div', {className: 'timeline'},
                         make('div', {className: 'stepper'}, make('div', {className: 'buttons', role: 'group', ariaLabel: 'Steps of the schedule'}, this.buttons, this.status),
                              this.source), this.grids);
    this.go(Math.max(0, this.steps.findIndex(row => hasSource(this.place(row.moment)))), true);
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
    const value = m.value === undefined ? '' : ` (in ${this.trace.variant ? 'that' : 'the recorded'} run ${number(m.value)}${m.written === undefined ? '' : ` \u2192 ${number(m.written)}`})`;
    this.status.textContent =
      `Step ${step + 1} of ${this.steps.length}: thread ${this.thread(m.thread)} ${isNext ? 'is next: it ' : ''}${this.does(m, false)}${value}`;
    this.source.replaceChildren(excerpt(place) || make('p', {className: 'place'}, place.line ? `The source of ${placeOf(place)} is not in this page.` : ''));
    this.buttons[0].disabled = this.buttons[1].disabled = step === 0;
    this.buttons[2].disabled = this.buttons[3].disabled = step === this.steps.length - 1;
  }

  move(by) { this.go(this.step + by); }
}
