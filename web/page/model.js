/* SPDX-License-Identifier: Apache-2.0
 * What the page knows of the machine: the newest `state` (web/protocol.md), put so that the views find what they draw.
 * Nothing here decides anything about memory; the next use of an allocation is looked up in the patch lists.
 */
const M = { ready: null, created: null, state: null, segments: [], allocations: new Map(), programs: [], lists: [],
  next: new Map(), before: null, frames: [], resident: new Set(), plans: new Map(), knobs: {}, isHidden: false,
  said: new Map(), last: new Map() };
/* While an exercise asks for a guess, what the newest plan has decided is not shown. */
const seenRanges = new Map(); /* segment:page:number -> when it was first seen */

const programOf = number => (M.allocations.get(number) || { program: -1 }).program; /* that named it last; -1: none */
const nextUse = number => M.next.has(number) ? M.next.get(number) : null;
const counterOf = (state, name) => {
  const i = M.ready.counters.findIndex(c => c.name == name);
  return i < 0 || !state ? 0 : state.counters[i];
};
const defaultsOf = name => M.ready.scenes.find(scene => scene.name == name) || M.ready.scenes[0];

function takeCreated(created) {
  keepBefore(created);
  M.created = created;
  M.knobs = created.knobs;
  M.plans.clear();
  M.said.clear();
  M.allocations = new Map(created.allocations.map(a => [a.number, { program: -1, ...a, ranges: [] }]));
  M.entries = new Map();
  seenRanges.clear();
  ghosts.length = 0;
  chosen = -1;
}
/* What the machine before did, to compare: of the same scene, with other knobs. */
function keepBefore(created) {
  const was = M.created, isSame = was && JSON.stringify(was.knobs) == JSON.stringify(created.knobs);
  if (!isSame) M.before = was && was.scene == created.scene ? { knobs: was.knobs, frames: M.frames } : null;
  M.frames = [];
}
/* A range is new when no state before had it at its place; one that is gone leaves a ghost for a moment. */
function noteRanges(isStep) {
  const now = performance.now(), seen = new Set();
  for (const segment of M.segments) for (const r of segment.ranges) {
    const key = segment.id + ":" + r.page + ":" + r.number;
    seen.add(key);
    if (!seenRanges.has(key)) seenRanges.set(key, { came: isStep ? now : -1e9, segment: segment.id, page: r.page,
      pages: r.pages });
    r.came = seenRanges.get(key).came;
  }
  for (const [key, range] of seenRanges) if (!seen.has(key)) {
    if (isStep && ghosts.length < 64) ghosts.push({ ...range, left: now });
    seenRanges.delete(key);
  }
}
/* Where each allocation is named next, counted in patch locations from the end of what is planned. */
function lookAhead() {
  M.next = new Map();
  let ahead = 0;
  for (const list of M.lists) {
    for (let i = list.next; i < list.entries.length; i++, ahead++)
      if (!M.next.has(list.entries[i].number)) M.next.set(list.entries[i].number, ahead);
  }
}
/* What becomes of a portion that has been submitted: the render node's fences say it. */
function portionState(state, fence) {
  const node = state.nodes[0], packet = node.queue.find(p => p.fence == fence);
  if (!packet) return (fence - node.fence | 0) <= 0 ? "done" : "queued";
  return { executing: "drawing", waiting: "waiting", queued: "queued" }[packet.state] || "queued";
}
/* The patch lists of all DMA buffers that the firmware holds; where there is none, of the one that was planned last. */
function takeLists(state) {
  for (const list of state.patches || []) if (list.entries) M.entries.set(list.tag, list.entries);
  const lists = (state.patches || []).filter(list => !list.is_over).map(list => ({ ...list }));
  if (state.patch && !lists.length) lists.push({ ...state.patch, isOver: true });
  for (const list of lists) {
    if (list.entries) M.entries.set(list.tag, list.entries);
    list.entries = M.entries.get(list.tag) || [];
    for (const e of list.entries)
      if (!e.unbind && M.allocations.has(e.number)) M.allocations.get(e.number).program = list.program;
    const buffer = state.buffers.find(b => b.tag == list.tag);
    list.state = buffer ? buffer.state : "done";
    list.portions = (list.portions || state.plans.filter(p => p.tag == list.tag)).map(p => ({ ...p, state:
      portionState(state, p.fence) }));
    const hand = state.patch && state.patch.tag == list.tag && state.patch.count ? state.patch : null;
    if (hand && !list.portions.some(p => p.first == hand.first))
      list.portions.push({ first: hand.first, count: hand.count, fence: 0, plan: -1, state: "planned" });
    if (hand && M.isHidden) list.portions.pop();
    const last = list.portions[list.portions.length - 1];
    list.next = buffer ? last ? last.first + last.count : 0 : list.entries.length;
  }
  M.lists = lists;
}
/* The last use of each allocation, of the portions that have been decided: the later, the larger `order`. */
function lookBack(state) {
  let order = 0;
  M.last = new Map();
  for (const plan of state.plans || []) {
    const entries = M.entries.get(plan.tag) || [];
    for (let i = plan.first; i < plan.first + plan.count && i < entries.length; i++)
      if (!entries[i].unbind) M.last.set(entries[i].number, { tag: plan.tag, cell: i, order: order++ });
  }
}
function takeState(state) {
  const before = M.state;
  const isStep = before && Math.abs(state.position.operation - before.position.operation) < 400;
  M.state = state;
  M.programs = state.programs;
  if (state.frames.length > M.frames.length) M.frames = state.frames;
  for (const a of M.allocations.values()) a.ranges = [];
  M.segments = state.segments.map(s => ({ ...s, is_aperture: s.kind == "aperture" }));
  M.resident = new Set();
  for (const segment of M.segments) for (const r of segment.ranges) {
    r.segment = segment.id;
    if (r.how == "here" || r.how == "coming") M.resident.add(r.number);
    if (!M.allocations.has(r.number))
      M.allocations.set(r.number, { number: r.number, handle: r.handle, name: r.name, pages: r.pages,
        program: -1, ranges: [] });
    const a = M.allocations.get(r.number);
    if (r.program >= 0) a.program = r.program;
    if (r.name) { a.name = r.name; a.handle = r.handle; }
    a.ranges.push(r);
  }
  noteRanges(isStep);
  takeLists(state);
  lookAhead();
  lookBack(state);
  if (state.decision) M.plans.set(state.decision.plan, state.decision);
}
/* Its content is in a segment, or mapped there, or on the way. */
const isResident = number => M.resident.has(number);
