/* SPDX-License-Identifier: Apache-2.0
 * The patch lists of the DMA buffers that the firmware knows: a cell per entry, in the order in which the commands
 * need them. Filled: resident. Empty with a dashed edge: it has to come first. Pale: it has its place in a portion that
 * has been planned, and after that portion the place is another's. A bracket above is a portion, a dashed
 * line the end of a portion before the end of its buffer: a split. Small ticks below: where the buffer may be cut.
 */
const CELL_HIGH = 24, FOOT_HIGH = 8, ROWS_MAX = 8, LISTS_MAX = 6;
const patchViews = [];
let chosenEntry = null; /* { tag, entry } */

/* `band`: how high the brackets of portions are, where there are any. */
function patchGrid(width, count, band) {
  let wide = clamp(Math.floor(width / Math.max(count, 1)), count <= 40 ? 27 : 15, 74);
  const columns = Math.max(1, Math.floor(width / wide));
  return { columns, wide: count > columns ? width / columns : Math.min(74, width / Math.max(count, 1)),
    rows: Math.ceil(count / columns), band, high: band + CELL_HIGH + FOOT_HIGH };
}
/* Where the cell with number `k` is; cells are the entries that name an allocation, an emptied slot has none. */
const placeAt = (grid, k) => [(k % grid.columns) * grid.wide, (k / grid.columns | 0) * grid.high];
function cellsOf(b) {
  if (!b.cells || b.cells.of != b.entries) {
    b.cells = b.entries.map((e, i) => i).filter(i => !b.entries[i].unbind);
    b.cells.of = b.entries;
    b.cellOf = new Int32Array(b.entries.length + 1);
    for (let i = 0, k = 0; i <= b.entries.length; i++) { b.cellOf[i] = k; if (b.entries[i] &&
      !b.entries[i].unbind) k++; }
  }
  return b.cells;
}
const portionWords = { planned: "planned", queued: "in the queue", waiting: "waits for its copies",
  drawing: "being drawn", done: "drawn" };
const wordOf = portion => portionWords[portion.state] || portion.state || "";
function drawCell(g, grid, buffer, k, look) {
  const i = buffer.cells[k], entry = buffer.entries[i], [x, y0] = placeAt(grid, k), y = y0 + grid.band;
  const isChosen = entry.number == chosen, isOver = i < buffer.next, w = grid.wide;
  const isHeld = isResident(entry.number), isIn = isHeld || isOver;
  g.globalAlpha = (chosen >= 0 && !isChosen ? 0.5 : 1) * (!isOver ? 1 : isHeld ? 0.75 : 0.35);
  if (isIn) { g.fillStyle = fillOf(entry.number, look.light, look.paint); g.fillRect(x + 1, y, w - 2, CELL_HIGH); }
  g.strokeStyle = isIn ? look.ink : look.dim; g.lineWidth = isIn ? 0.7 : 1;
  const isSmall = w <= 22; /* of these there are many, and dashes cost time */
  if (!isIn && !isSmall) g.setLineDash([2, 2]);
  if (!isIn && isSmall) { g.fillStyle = look.dim; g.fillRect(x + 1, y + CELL_HIGH - 1, w - 2, 1); }
  else g.strokeRect(x + 1.5, y + 0.5, w - 3, CELL_HIGH - 1);
  if (!isIn && !isSmall) g.setLineDash([]);
  if (isChosen) { g.strokeStyle = look.strong; g.lineWidth = 3; g.strokeRect(x + 2, y + 1.5, w - 4, CELL_HIGH - 3); }
  const isHere = chosenEntry && chosenEntry.tag == buffer.tag && chosenEntry.entry == i;
  if (isHere) { g.fillStyle = look.strong; g.fillText("▲", x + w / 2 - 5, y + CELL_HIGH + 5); }
  if (isOver && !isHeld) g.globalAlpha *= 2;
  if (w > 22) {
    g.save(); g.beginPath(); g.rect(x + 2, y, w - 4, CELL_HIGH); g.clip();
    g.fillStyle = isIn ? look.ink : look.dim; g.fillText(nameFor(g, entry.name, w - 6), x + 4, y + CELL_HIGH / 2 + 1);
      g.restore();
  }
  g.globalAlpha = 1;
  const mayCut = k > 0 && buffer.entries[buffer.cells[k - 1]].split != entry.split;
  if (mayCut && !isHere) { g.fillStyle = look.dim; g.fillRect(x - 0.5, y + CELL_HIGH + 1, 1, 4); }
}
/* Above its cells: a line with ends, and what becomes of the portion. */
function drawPortion(g, grid, buffer, portion, look) {
  const first = buffer.cellOf[portion.first], last = buffer.cellOf[portion.first + portion.count] - 1;
  g.strokeStyle = g.fillStyle = look.ink; g.lineWidth = portion.state == "drawing" ? 3 : 1.2;
  for (let i = first; i <= last;) {
    const end = Math.min(last, (Math.floor(i / grid.columns) + 1) * grid.columns - 1);
    const [x, y] = placeAt(grid, i), right = placeAt(grid, end)[0] + grid.wide, isFirst = i == first;
    g.beginPath(); g.moveTo(x + 2, y + grid.band - 3); g.lineTo(right - 2, y + grid.band - 3);
    if (isFirst) { g.moveTo(x + 2, y + grid.band - 6); g.lineTo(x + 2, y + grid.band); }
    if (end == last) { g.moveTo(right - 2, y + grid.band - 6); g.lineTo(right - 2, y + grid.band); }
    g.stroke();
    if (isFirst) {
      g.save(); g.beginPath(); g.rect(x, y, right - x, grid.band); g.clip();
      const name = portion.fence ? "portion " + portion.fence : "next portion", whole = name + ": " + wordOf(portion);
      const text = [whole, name, portion.fence || ""].find(t => widthOf(g, t) < right - x - 8) || "";
      g.fillText(text, x + 5, y + 5); g.restore();
    }
    i = end + 1;
  }
}
function drawSplit(g, grid, k, look) {
  const [x, y] = placeAt(grid, k);
  g.strokeStyle = look.bad; g.lineWidth = 2.5; g.setLineDash([5, 3]);
  g.beginPath(); g.moveTo(x, y + 1); g.lineTo(x, y + grid.high); g.stroke(); g.setLineDash([]);
}
const bufferName = b => "DMA buffer " + b.tag + " of frame " + b.frame;
const splitsOf = b => b.portions.filter(p => p.first + p.count < b.entries.length).map(p => p.first + p.count);
/* How many entries there are, and what of it no portion has and memory has not. */
function bufferText(b) {
  if (!b.entries.length) return "waits; its list has not been examined yet";
  const missing = new Set(), cuts = splitsOf(b).length;
  for (let i = b.next; i < b.entries.length; i++)
    if (!b.entries[i].unbind && !isResident(b.entries[i].number)) missing.add(b.entries[i].number);
  return b.entries.length + " entries" + (b.state == "done" ? ", done" : missing.size ? ", " + missing.size +
    (missing.size == 1 ? " allocation is not in memory" : " allocations are not in memory") :
    ", all are in memory") + (cuts ? ", split " + (cuts == 1 ? "once" : cuts + " times") : "");
}
/* All that the picture of a list depends on. */
function pictureKey(b, width, look) {
  let held = "";
  for (const i of cellsOf(b)) held += isResident(b.entries[i].number) ? "1" : "0";
  return [b.tag, b.state, b.next, b.entries.length, held, ...b.portions.map(p => p.first + "+" + p.count + p.state +
    p.fence), width, look.light, look.paint, chosen, chosenEntry ? chosenEntry.tag + ":" + chosenEntry.entry : "",
    look.paint == "program" ? cellsOf(b).map(i => programOf(b.entries[i].number)).join("") : "",
    window.devicePixelRatio].join();
}
function drawBuffer(view, look, width) {
  const b = view.buffer, cells = cellsOf(b), key = pictureKey(b, width, look);
  if (view.key == key && view.entries == b.entries) return;
  view.key = key; view.entries = b.entries;
  const grid = view.grid = patchGrid(width, cells.length, b.portions.length ? 15 : 2);
  const { g } = inked(view.canvas, Math.min(grid.rows, ROWS_MAX) * grid.high, width);
  g.font = "10.5px system-ui, 'DejaVu Sans', sans-serif";
  for (let k = 0; k < cells.length; k++) drawCell(g, grid, b, k, look);
  for (const portion of b.portions) drawPortion(g, grid, b, portion, look);
  for (const entry of splitsOf(b)) drawSplit(g, grid, b.cellOf[entry], look);
  const text = bufferText(b), name = bufferName(b);
  put(view.said, text);
  put(view.name, name + (M.programs.length > 1 && M.programs[b.program] ? ", " + M.programs[b.program].name : ""));
  view.box.dataset.state = b.state;
  view.canvas.setAttribute("aria-label", "patch list of " + name + ", " + text + "; arrow keys go from entry to entry");
}
function drawPatches(look) {
  const shown = M.lists.slice(0, LISTS_MAX), width = at("patch-rows").clientWidth || 900;
  while (patchViews.length > shown.length) patchViews.pop().box.remove();
  shown.forEach((buffer, i) => {
    if (!patchViews[i]) patchViews.push(makePatchView());
    const view = patchViews[i];
    view.buffer = buffer;
    drawBuffer(view, look, width);
  });
  const more = M.lists.length - shown.length;
  put(at("patches-about"), (M.lists.length ? "" : "The firmware holds no DMA buffer now. ") +
    "Filled: in memory. Dashed: not in memory yet. Pale: in memory for a planned portion, and evicted after it. " +
    "Point at cells and boxes to read about them." + (more > 0 ?
      " " + more + (more == 1 ? " more list waits" : " more lists wait") + " after these." : ""));
}

/* ---------------------------------------------------------------- choosing an entry */
function sayEntry(b, i) {
  const entry = b.entries[i], p = b.portions.find(p => i >= p.first && i < p.first + p.count);
  const cut = splitsOf(b).includes(i), a = M.allocations.get(entry.number);
  const place = a && a.ranges.length ? "which is in " + segmentText(a.ranges[0].segment) : i < b.next ?
    "which is in memory for that portion, and evicted after it" : "which is in no segment yet";
  return "Entry " + i + " of " + bufferName(b) + " needs " + entry.name + " (" + pagesText(entry.pages) +
    "), " + place + (entry.written ? ", to write it" : "") + "; " + nextText(entry.number) + ". " + (p ?
    "It belongs to portion " +
    (p.fence || "at hand") + (wordOf(p) ? ", " + wordOf(p) : "") + ". " : b.state == "done" ? "" :
    "No portion has it yet. ") + (cut ? "The dashed line before it is a split. " + splitWhy(b, i) : "");
}
/* The firmware's reason, from the plan of the portion that ends at entry `i`. */
function splitWhy(b, i) {
  const portion = b.portions.find(p => p.first + p.count == i) || {};
  const plan = [...M.plans.values()].find(d => d.tag == b.tag && d.first == portion.first);
  const said = plan && plan.sentences.find(s => s.kind == "split");
  return said ? said.text : "";
}
/* By the number of its cell. */
function chooseEntry(view, k) {
  const b = view.buffer, to = cellsOf(b)[clamp(k, 0, b.cells.length - 1)], entry = b.entries[to];
  if (!entry || chosenEntry && chosenEntry.tag == b.tag && chosenEntry.entry == to) return;
  chosenEntry = { tag: b.tag, entry: to };
  choose(entry.number);
  at("patch-said").textContent = sayEntry(b, to);
  showChosen();
  redraw();
}
function leaveEntry() { chosenEntry = null; choose(-1); at("patch-said").textContent = ""; showChosen(); redraw(); }
function patchKey(view, key) {
  const b = view.buffer, entry = chosenEntry && chosenEntry.tag == b.tag ? chosenEntry.entry : -1;
  const now = entry < 0 ? -1 : b.cellOf[entry];
  const to = { ArrowRight: now + 1, ArrowLeft: Math.max(now - 1, 0), Home: 0, End: b.cells.length - 1,
    ArrowDown: now + view.grid.columns, ArrowUp: now - view.grid.columns }[key];
  if (key == "Escape") { leaveEntry(); return true; }
  if (key == "Enter") { if (entry >= 0) answerEntry(b, entry); return true; }
  if (to === undefined) return false;
  chooseEntry(view, to);
  return true;
}
function makePatchView() {
  const box = document.createElement("div"), head = document.createElement("p"), name = document.createElement("b");
  const said = document.createElement("span"), canvas = document.createElement("canvas");
  const view = { box, name, said, canvas, buffer: null, grid: null };
  box.className = "buffer"; head.className = "map-name"; said.className = "dim";
  head.append(name, said); box.append(head, canvas);
  canvas.tabIndex = 0; canvas.setAttribute("role", "application");
  const under = event => {
    const r = canvas.getBoundingClientRect(), column = Math.floor((event.clientX - r.left) / view.grid.wide);
    return Math.floor((event.clientY - r.top) / view.grid.high) * view.grid.columns + column;
  };
  canvas.onpointermove = event => { const k = under(event); if (k in view.buffer.cells) chooseEntry(view, k); };
  canvas.onpointerleave = () => { if (document.activeElement != canvas) leaveEntry() };
  canvas.onclick = event => { const k = under(event); if (k in view.buffer.cells) answerEntry(view.buffer,
    view.buffer.cells[k]); };
  canvas.onkeydown = event => { if (patchKey(view, event.key)) { event.preventDefault(); event.stopPropagation(); } };
  at("patch-rows").append(box);
  return view;
}
