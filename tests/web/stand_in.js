/* SPDX-License-Identifier: Apache-2.0
 * A stand-in for the worker: it says what web/protocol.md lets a machine say, about a made-up deck of cards, so that
 * the page can be looked at and tested where no machine has been built. It decides nothing as the firmware would: cards
 * come in order, and the oldest leaves.
 */
const CARDS = 12, PAGES = 4, FRAMES = 4;
let tape = [], at = 0, knobs = null, timer = 0, last = null;
const defaults = { scene: "cards", seed: 1, frames: FRAMES, segment1: 16, segment2: 20, aperture: 64, policy: "literal",
  copyOnly: true, queued: 0, splitCost: 0, display: 0, force: [], contexts: [{ priority: 0, budget: 0 }] };
const ready = { type: "ready", version: "stand-in", module: null,
  scenes: [{ name: "cards", title: "A deck of cards", text: "Twelve cards, and room for nine.", programs: ["deck"],
    segment1: 16, segment2: 20, copyOnly: true, contexts: [{ priority: 0, budget: 0 }] },
  { name: "two", title: "Two programs", text: "Both want all of it.", programs: ["left", "right"], segment1: 16,
    segment2: 20, copyOnly: true, contexts: [{ priority: 0, budget: 0 }, { priority: 1, budget: 8 }] }],
  policies: [{ name: "literal", text: "The one used longest ago leaves." }, { name: "lookahead", text:
    "By next use." }],
  forces: [{ name: "SPLIT", text: "Take every declared split point." }],
  counters: ["DMA_BUFFERS", "PORTIONS", "SPLITS", "EVICTIONS", "PAGES_IN", "PAGES_OUT"].map(name => ({ name, text:
    name })) };
const nameOf = n => "CARD" + (n + 1);
function makeTape() {
  const rooms = [1, 2].flatMap(id => Array.from({ length: knobs["segment" + id] / PAGES | 0 }, (_, i) => ({ id,
    page: i * PAGES, number: -1, since: 0 })));
  const counters = [0, 0, 0, 0, 0, 0];
  let plan = -1, fence = 0, now = 0;
  const position = { operation: 0, portion: 0, buffer: 0, frame: 0, cycle: 0 };
  tape = [];
  const note = (kind, text, number, more) => {
    if (kind) position.operation++;
    tape.push({ position: { ...position, cycle: 100 * position.operation }, counters: counters.slice(), rooms:
      rooms.map(r =>
      ({ ...r })), operation: kind && { by: "firmware", kind, text, handle: number >= 0 ? number + 256 : 0, plan,
      frame: position.frame }, ...more });
  };
  note(null);
  for (let frame = 0; frame < knobs.frames; frame++) {
    const order = Array.from({ length: CARDS }, (_, i) => (i * 5 + frame) % CARDS), tag = frame + 1;
    let first = 0, sentences = [], used = new Set();
    const list = extra => ({ tag, program: 0, frame, bytes: 400, cut: -1, split: 0, first, count: extra.count, entries:
      order.map((number, i) => ({ number, handle: number + 256, name: nameOf(number), pages: PAGES, slot: i % 4,
        split: 8 * i, written: false, unbind: false, where: 0, distance: 0 })) });
    const portions = [];
    const more = count => ({ list: list({ count }), portions: portions.map(p => ({ ...p })), used: new Set(used),
      decision: plan < 0 ? null : { plan, fence, tag, frame, first, entries: count, split: 0, evictions: 0, arrivals: 0,
        pages_in: 0, buffers: 1, begin: 0, planned: 0, submitted: 0, sentences: sentences.slice() } });
    plan++; sentences = []; used = new Set();
    for (let i = 0; i < CARDS; i++) {
      const n = order[i], has = rooms.find(r => r.number == n);
      now++;
      if (!has && used.size == rooms.length) {
        sentences.push({ kind: "split", text: "The DMA buffer was split at its byte " + 8 * i + ": no room." });
        counters[2]++; note("SPLIT", "split at byte " + 8 * i, -1, more(i - first));
        portions.push({ first, count: i - first, fence: ++fence, plan, state: "done" });
        counters[1]++; position.portion++; note("PORTION", "portion " + fence, -1, more(i - first));
        first = i; plan++; sentences = []; used = new Set();
      }
      used.add(n);
      if (has) { has.since = now; continue; }
      const room = rooms.find(r => r.number < 0) || rooms.filter(r => !used.has(r.number))
        .sort((a, b) => a.since - b.since)[0];
      if (room.number >= 0) {
        sentences.push({ kind: "evict", text: nameOf(room.number) + " (4 pages) was evicted: room was needed." });
        const gone = room.number;
        room.number = -1; counters[3]++; note("EVICT", "evict " + nameOf(gone), gone, more(i - first));
      }
      room.number = n; room.since = now; counters[4] += PAGES;
      sentences.push({ kind: "come", text: nameOf(n) + " (4 pages) came into segment " + room.id + "." });
      note("PAGE_IN", "page in " + nameOf(n), n, more(i + 1 - first));
    }
    portions.push({ first, count: CARDS - first, fence: ++fence, plan, state: "drawing" });
    counters[0]++; counters[1]++; position.portion++; position.buffer++;
    note("COMPLETE", "DMA buffer " + tag + " is complete", -1, more(CARDS - first));
    position.frame++; note("FENCE", "frame " + frame + " is read", -1, more(CARDS - first));
  }
}
function picture(t) {
  const pixels = new Uint8ClampedArray(320 * 240 * 4);
  for (let i = 0; i < 320 * 240; i++) {
    pixels[4 * i] = i % 320; pixels[4 * i + 1] = 20 * (t.position.operation % 12); pixels[4 * i + 3] = 255;
  }
  return { number: t.position.frame, width: 320, height: 240, changed: null, pixels: pixels.buffer };
}
/* The display: a picture for each frame that has been read; torn where the knob says so. */
function display(t) {
  const picture = knobs.display ? t.position.frame : 0;
  return { picture, torn: picture && knobs.display == 2 ? 100 : 0, width: 320, height: 240,
    pixels: picture ? new Uint8ClampedArray(320 * 240 * 4).fill(200).buffer : null };
}
function state(id, extra) {
  const t = tape[at], end = tape[tape.length - 1].position;
  const ranges = segment => t.rooms.filter(r => r.id == segment && r.number >= 0).map(r => ({ number: r.number, handle:
    r.number + 256, name: nameOf(r.number), page: r.page, pages: PAGES, how: "here", flags: r.number == 3 ? ["dirty"] :
    t.used && t.used.has(r.number) ? ["used"] : [] }));
  const segment = (n, name) => ({ id: n, name, kind: "memory", pages: knobs["segment" + n], used:
    ranges(n).length * PAGES,
    ranges: ranges(n) });
  postMessage({ type: "state", id, position: t.position, known: { ...end, complete: true }, operation: t.operation,
    segments: [segment(1, "segment 1"), segment(2, "segment 2"), { id: 3, name: "aperture", kind: "aperture",
      pages: knobs.aperture, used: 0, ranges: [] }],
    nodes: [{ name: "render", fence: t.position.portion, packets: 0, executing: "", waits: 0, queue: t.portions ?
      t.portions.map(p => ({ kind: "portion", text: "", fence: p.fence, tag: 1, frame: 0, plan: 0, bytes: 80,
        state: p.state == "drawing" ? "executing" : "queued" })) : [] },
    { name: "paging", fence: 0, packets: 0, executing: "", waits: 0, queue: [] }],
    buffers: t.list ? [{ tag: t.list.tag, program: 0, frame: t.list.frame, state: "planned", portions: 1, entries:
      CARDS,
      portion_first: t.list.first, priority: 0 }] : [],
    patch: t.list || null, patches: t.list ? [{ ...t.list, portions: t.portions }] : [], decision: t.decision || null,
    planning: false, counters: t.counters, traffic: { in: t.counters[4] * 4096, in_again: 0, out: 0, moved: 0, filled:
      0,
      mapped: 0 },
    frames: [], programs: ready.scenes.find(s => s.name == knobs.scene).programs.map((name, i) => ({ name,
      context: i, priority: 0, budget: 0, share: 0, resident: 0, lost: 0, taken: 0 })), picture: picture(t),
    display: display(t), failure: "",
    ...extra });
}
function move(unit, to) {
  at = Math.max(0, tape.findIndex(t => t.position[unit] >= to));
  if (to > tape[tape.length - 1].position[unit]) at = tape.length - 1;
}
const handlers = {
  start: m => postMessage({ ...ready, id: m.id }),
  create: (m, file) => {
    const wanted = { ...defaults, ...m.knobs };
    for (const name of ["segment1", "segment2"]) if (!(wanted[name] >= PAGES && wanted[name] <= 4096))
      return postMessage({ type: "error", id: m.id, where: "create", knob: name, text:
        "A segment has 4 to 4096 pages." });
    if (wanted.contexts.some(c => c.budget > 8192))
      return postMessage({ type: "error", id: m.id, where: "create", text:
        "contexts: a budget is at most 8192 pages." });
    knobs = wanted; makeTape(); at = 0;
    postMessage({ type: "created", id: m.id, knobs, scene: file || knobs.scene, milliseconds: 1, footprint:
      CARDS * PAGES * 4096,
      width: 320, height: 240, allocations: Array.from({ length: CARDS }, (_, n) => ({ number: n, handle: n + 256,
        name: nameOf(n), pages: PAGES, program: n % 2 })) });
    state(m.id);
  },
  load: m => {
    if (!new TextDecoder().decode(m.bytes).includes("pagesim-1"))
      return postMessage({ type: "error", id: m.id, where: "load", text: m.name +
        " is no recording and no workload." });
    handlers.create(m, m.name);
  },
  step: m => { move(m.unit, tape[at].position[m.unit] + (m.count || 1)); state(m.id); },
  seek: m => { move(m.unit, m.to); state(m.id); },
  find: m => {
    const kind = { split: "SPLIT", evict: "EVICT", move: "MOVE" }[m.what];
    const i = tape.findIndex((t, k) => k > at && t.operation && t.operation.kind == kind);
    if (i >= 0) at = i;
    state(m.id, { found: i >= 0 });
  },
  play: m => {
    timer = setInterval(() => {
      if (at + 1 >= tape.length) { clearInterval(timer); postMessage({ type: "ended", id: m.id }); return; }
      at++; state(m.id);
    }, m.rate ? 1000 / m.rate : 33);
  },
  pause: m => postMessage({ type: "paused", id: m.id }),
  policy: m => {
    try { if (!m.future) new Function("a", m.text); } catch (error) {
      return postMessage({ type: "error", id: m.id, where: "policy", text:
        "The policy is not valid JavaScript: " + error.message + "." });
    }
    postMessage({ type: "policy", id: m.id });
  },
  ask: m => state(m.id),
  explain: m => postMessage({ type: "explained", id: m.id, sentences: [{ kind: "come", text: "It came." }] }),
  export: m => postMessage({ type: "file", id: m.id, what: m.what, name: m.what + ".txt", mime: "text/plain",
    bytes: new ArrayBuffer(8) })
};
onmessage = event => {
  if (event.data.type != "explain" && event.data.type != "export") clearInterval(timer);
  handlers[event.data.type](event.data);
};
