/* SPDX-License-Identifier: Apache-2.0
 * The worker: messages of the page (protocol.md) become calls of the machine, and its state goes back. Nothing about
 * memory is decided or computed here.
 */
const UNITS = ["operation", "portion", "buffer", "frame"], TICK = 33;
const FINDS = { split: "SPLIT", evict: "EVICT", move: "MOVE", fault: "RECOVER" };
let position = 0, isOver = true, hasMachine = false, shown = null, timer = 0, ahead = 0;
let history = null, historyOf = -1, exportedOf = -1; /* how much of the tape they are about */

const post = (message, request, transfer) => {
  if (request && request.id !== undefined) message.id = request.id;
  postMessage(message, transfer || []);
};
const known = unit => wasm.web_known(unit);
const unitOf = name => {
  const unit = UNITS.indexOf(name);
  if (unit < 0) throw new Error("there is no unit '" + name + "'");
  return unit;
};
/* 64-bit arguments do not occur: positions are 32 bits, unsigned. */
const endOf = (unit, number) => wasm.web_end_of(unit, number) >>> 0;

/* ---------------------------------------------------------------- running */
function runFrame() {
  const result = wasm.web_run();
  isOver = result != 0;
  policyCheck();
  return result >= 0;
}
/* Run until so many of a unit have ended. */
function need(unit, number) {
  if (!isOver && known(unit) < number) post({ type: "busy", doing: "running a frame" });
  while (!isOver && (known(unit) >>> 0) < number) if (!runFrame()) return;
}
/* While nothing is asked for, one frame more than is shown. */
function runAhead() {
  ahead = 0;
  if (isOver || !hasMachine || known(3) > wasm.web_ended(3, position) + 1) return;
  guarded("machine", null, () => { runFrame(); planAhead(); });
}
function planAhead() { if (!ahead && hasMachine && !isOver) ahead = setTimeout(runAhead, 0); }

/* ---------------------------------------------------------------- what is said of decisions: the report's own words */
function reportNow() {
  if (historyOf != known(0)) {
    const run = valueFrom(wasm.web_history());
    for (const segment of run.segments) /* how many pages it has, beside the highest that was used */
      if (segment[0] < 3) segment.push(created.knobs["segment" + segment[0]]);
    history = reportOf(run);
    historyOf = known(0);
  }
  return history;
}
const said2 = list => list.map(([kind, text]) => ({ kind, text: isOver ? text : text.replace(/It did not come again\.$/,
  "In the frames that have been run it did not come again.") }));

/* ---------------------------------------------------------------- the state */
/* The rectangle in which two pictures differ; null: nowhere. */
function difference(before, now, width, height) {
  if (!before || before.length != now.length) return [0, 0, width, height];
  let top = height, bottom = -1, left = width, right = -1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (before[i] == now[i]) continue;
      if (y < top) top = y;
      bottom = y;
      if (x < left) left = x;
      if (x > right) right = x;
    }
  }
  return bottom < 0 ? null : [left, top, right - left + 1, bottom - top + 1];
}
function pictureAt(state) {
  if (!created.width) return { number: 0, width: 0, height: 0, changed: null, pixels: null };
  const at = wasm.web_picture(position), width = created.width, height = created.height;
  const now = new Uint32Array(wasm.memory.buffer.slice(at, at + 4 * width * height));
  const changed = difference(shown, now, width, height);
  const picture = { number: state.drawn.frame, width, height, changed, pixels: null };
  if (changed) {
    shown = now;
    picture.pixels = now.slice().buffer;
  }
  return picture;
}
/* What the display shows: pixels only if it is another picture than the one that was sent last. */
let shownPicture = 0;
function displayAt(display) {
  const isNew = display.picture != shownPicture, at = display.picture && isNew ? wasm.web_shown(position) : 0;
  shownPicture = display.picture;
  return { ...display, width: 320, height: 240, pixels: at ? wasm.memory.buffer.slice(at, at + 4 * 320 * 240) : null };
}
/* The lists of all that the firmware holds or has planned lately; one that has been sent is not sent again. */
const lists = new Map();
let sent = new Set();
function listsOf(state) {
  if (state.patch) lists.set(state.patch.tag, state.patch.entries);
  const held = new Set(state.buffers.map(b => b.tag)), before = new Set(state.plans.map(p => p.tag));
  const over = [...before].filter(tag => !held.has(tag)).map(tag => ({ tag, program: 0, frame: 0, is_over: true }));
  return over.concat(state.buffers).map(({ tag, program, frame, is_over = false }) => {
    if (!lists.has(tag)) {
      let found = valueFrom(wasm.web_list(tag, position));
      while (!is_over && !found.patch && !isOver && known(3) < wasm.web_ended(3, position) + 3) {
        if (!runFrame()) break;
        found = valueFrom(wasm.web_list(tag, position));
      }
      if (found.patch) lists.set(tag, found.patch.entries);
    }
    const entries = sent.has(tag) ? null : lists.get(tag) || null;
    if (entries) sent.add(tag);
    return { tag, program, frame, is_over, entries, portions: state.plans.filter(p => p.tag == tag) };
  });
}
let created = null;
function sendState(request, more) {
  const state = valueFrom(wasm.web_state(position));
  state.type = "state";
  state.patches = listsOf(state);
  if (state.decision) state.decision.sentences = said2(reportNow().explain(state.decision.plan));
  state.picture = pictureAt(state);
  delete state.drawn;
  state.display = displayAt(state.display);
  Object.assign(state, more || {});
  post(state, request, [state.picture.pixels, state.display.pixels].filter(Boolean));
  planAhead();
}

/* ---------------------------------------------------------------- moving */
function forward(unit, count) {
  const number = wasm.web_ended(unit, position) + count;
  need(unit, number);
  position = endOf(unit, number);
}
function back(unit, count) {
  if (position == 0) return;
  const number = wasm.web_ended(unit, position - 1) - (count - 1);
  position = number > 0 ? endOf(unit, number) : 0;
}
const move = (unit, count) => count < 0 ? back(unit, -count) : forward(unit, count);
function find(kind, direction) {
  for (;;) {
    const at = withText(kind, text => wasm.web_find(text, position, direction)) >>> 0;
    if (at != 0xffffffff) { position = at; return true; }
    if (direction < 0 || isOver) return false;
    need(3, known(3) + 1);
  }
}

/* ---------------------------------------------------------------- playing */
function stop() {
  clearInterval(timer);
  timer = 0;
}
function play(request) {
  const unit = unitOf(request.unit || "operation"), rate = request.rate > 0 ? +request.rate : 0;
  let due = performance.now();
  timer = setInterval(() => guarded("play", request, () => {
    const now = performance.now(), count = rate ? Math.floor((now - due) * rate / 1000) : 1;
    if (count < 1) return;
    due = rate ? due + count * 1000 / rate : now;
    if (now - due > 1000) due = now; /* it cannot keep up */
    const before = position;
    forward(unit, count);
    if (position != before) sendState(request);
    if (isOver && position == known(0)) {
      stop();
      post({ type: "ended" }, request);
    }
  }), TICK);
}

/* ---------------------------------------------------------------- messages */
/* What is missing has its default there. */
function linesOf(knobs) {
  let lines = "";
  for (const [name, value] of Object.entries(knobs || {})) {
    if (name == "force") for (const mode of value) lines += "force " + mode + "\n";
    else if (name == "contexts") value.forEach((c, i) => lines += "context " + i + " " + (c.priority | 0) + " " +
      (c.budget >>> 0) + "\n");
    else if (typeof value == "boolean") lines += name + " " + (value ? 1 : 0) + "\n";
    else lines += name + " " + String(value).replace(/\s+/g, "_") + "\n";
  }
  return lines;
}
/* What the machine before has written is not the next one's: it goes, unless there is no next one. */
function takeExported() {
  const exported = [...files].filter(([path]) => path.startsWith("out/"));
  for (const [path] of exported) files.delete(path);
  return exported;
}
function create(request, lines) {
  const begin = performance.now();
  stop();
  policyBegin();
  const exported = takeExported();
  const made = withText(lines, text => valueFrom(wasm.web_create(text)));
  if (!made) {
    for (const [path, file] of exported) files.set(path, file);
    throw new Error(textFrom(wasm.web_message()));
  }
  created = made;
  policyCheck();
  lists.clear(); sent = new Set();
  position = 0; isOver = wasm.web_is_over() != 0; hasMachine = true; shown = null; shownPicture = 0;
  historyOf = exportedOf = -1;
  post({ type: "created", ...made, milliseconds: Math.round(performance.now() - begin) }, request);
  sendState(request);
}
function explain(request) {
  const report = reportNow();
  if (request.handle === undefined)
    return post({ type: "explained", plan: request.plan, sentences: said2(report.explain(request.plan)) }, request);
  const number = wasm.web_history_number(request.handle) >>> 0;
  post({ type: "explained", handle: request.handle, sentences: report.explainAllocation(number) }, request);
}
function needMachine() {
  if (!hasMachine) throw new Error(policyTrouble || "There is no machine yet: create one first.");
}

/* The host's code opens what was dropped by this name. */
function load(request) {
  if (!(request.bytes instanceof ArrayBuffer)) throw new Error("This file cannot be read. Choose another one.");
  const name = String(request.name || "the file").replace(/^.*[/\\]/, "").replace(/[^ -~]|\s/g, "_").slice(-60);
  const knobs = { ...request.knobs };
  delete knobs.scene; delete knobs.contexts; delete knobs.queued; delete knobs.display;
  post({ type: "busy", doing: "reading and running " + name }, request);
  writeFile("in/file", new Uint8Array(request.bytes));
  try { create(request, linesOf(knobs) + "file " + name + "\n"); } finally { files.delete("in/file"); }
}
const EXPORTS = { report: ["report.html", "text/html"], timeline: ["trace.json", "application/json"],
  run: ["run.json", "application/json"] };
function exportFile(request) {
  if (!Object.hasOwn(EXPORTS, request.what)) throw new Error("'" + request.what +
    "' cannot be exported: report, timeline, run can.");
  const [name, mime] = EXPORTS[request.what];
  if (exportedOf != known(3)) {
    post({ type: "busy", doing: "running the frames once more, for " + name }, request);
    exportedOf = -1;
    if (wasm.web_export() != 0) throw new Error(textFrom(wasm.web_message()));
    exportedOf = known(3);
  }
  const bytes = readFile("out/" + name);
  if (!bytes || !bytes.length) throw new Error("There is no " + name + " of this run. Save its time line.");
  post({ type: "file", what: request.what, name, mime, bytes: bytes.buffer }, request, [bytes.buffer]);
}

const actions = {
  create(request) { create(request, linesOf(request.knobs)); },
  load,
  export: exportFile,
  step(request) {
    stop();
    move(unitOf(request.unit), request.count === undefined ? 1 : request.count | 0);
    sendState(request);
  },
  seek(request) {
    const unit = unitOf(request.unit);
    stop();
    need(unit, request.to >>> 0);
    position = endOf(unit, request.to >>> 0);
    sendState(request);
  },
  find(request) {
    stop();
    if (!FINDS[request.what]) throw new Error("'" + request.what + "' cannot be found: split, evict, move, fault can.");
    const direction = request.count < 0 ? -1 : 1;
    const found = find(FINDS[request.what], direction);
    sendState(request, { found });
  },
  play(request) { stop(); play(request); },
  pause(request) { stop(); post({ type: "paused" }, request); },
  policy(request) {
    if (request.future) policyFuture(); else policyTake(request.text);
    post({ type: "policy" }, request);
  },
  ask(request) { shown = null; shownPicture = 0; sendState(request); },
  explain,
  digest(request) {
    need(3, 0xffffffff);
    post({ type: "digest", operations: known(0), portions: known(1), buffers: known(2), frames: known(3),
      digest: (wasm.web_digest() >>> 0).toString(16).padStart(8, "0") }, request);
  },
};

function guarded(where, request, act) {
  try { act(); } catch (error) {
    stop();
    /* A trap of the machine's is its end; what it said last is the reason. */
    if (error instanceof WebAssembly.RuntimeError) { isOver = true; hasMachine = false; }
    const text = error instanceof WebAssembly.RuntimeError ? "The machine has crashed. Change a setting, or load the " +
      "page again. Its last words: " + (said.trim().split("\n").pop() || error.message) : error.message;
    if (!request && policyTrouble) return; /* nobody has asked: what is asked next is answered so */
    post({ type: "error", where, text: text.split("\n")[0] }, request);
  }
}

async function start(request) {
  try {
    let given = request.wasm;
    if (!given) {
      const answer = await fetch("tessera.wasm");
      if (!answer.ok) throw new Error("tessera.wasm cannot be read, the server answered " + answer.status +
        ". Load the page again.");
      given = await answer.arrayBuffer();
    }
    const module = await startMachine(given);
    post({ type: "ready", module, ...valueFrom(wasm.web_about()) }, request);
  } catch (error) {
    const text = typeof WebAssembly != "object" ? error.message :
      "The machine does not start in this browser: " + error.message;
    post({ type: "error", where: "start", text: text.split("\n")[0] }, request);
  }
}

onmessage = event => {
  const request = event.data || {};
  if (request.type == "start") { start(request); return; }
  guarded(request.type, request, () => {
    if (!wasm) throw new Error("The machine has not been started: send start first.");
    if (!Object.hasOwn(actions, request.type)) throw new Error("There is no message '" + request.type + "'.");
    if (!["create", "load", "policy"].includes(request.type) || request.future) needMachine();
    actions[request.type](request);
  });
};
