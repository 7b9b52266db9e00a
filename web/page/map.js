/* SPDX-License-Identifier: Apache-2.0
 * The segments as maps: a row of pages after another, as text runs; an allocation is a box over its pages. Colour is
 * never the only sign: a box has its name, hatching means dirty, a thick edge the portion at hand, a cross what leaves.
 */
const GHOST_MS = 450, ARRIVAL_MS = 600, APERTURE_ROWS = 10;
const hueOf = number => number * 137.508 % 360;
const colourOf = (number, light) => "hsl(" + hueOf(number) + ",45%," + light + ")";
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pagesText = n => grouped(n) + (n == 1 ? " page" : " pages");
const bytesText = n => n >= 1048576 ? (n / 1048576).toFixed(1) + " MB" : grouped(Math.round(n / 1024)) + " KB";
let chosen = -1; /* number of the allocation that all views mark; -1: none */
const mapViews = new Map(), ghosts = [];

/* Rows of how many pages, and how high: the whole segment is seen, and a page is as wide in one as in another. */
function gridOf(segment, width, shown) {
  const most = Math.max(...M.segments.filter(s => !s.is_aperture).map(s => s.pages));
  if (segment.is_aperture) {
    const columns = width >= 500 ? 128 : 64, rows = Math.ceil(shown / columns);
    return { columns, rows, high: clamp(150 / rows | 0, 5, 16), wide: (width - 2) / columns };
  }
  let columns = clamp(most, 16, 64);
  while (columns > 16 && width / columns < 9) columns >>= 1;
  while (most / columns > 24 && width / (columns * 2) >= 4) columns *= 2;
  const rows = Math.ceil(shown / columns), high = clamp(Math.floor(300 / Math.ceil(most / columns)), 9,
    most <= 4 * columns ? 34 : 26);
  return { columns, rows, high, wide: (width - 2) / columns };
}
/* Of an aperture only what has been mapped so far. */
function pagesShown(view) {
  const segment = view.segment;
  if (!segment.is_aperture) return segment.pages;
  let top = Math.min(64, segment.pages);
  for (const r of segment.ranges) top = Math.max(top, r.page + r.pages);
  view.top = Math.min(segment.pages, Math.max(view.top, Math.ceil(top / 64) * 64));
  return view.top;
}
/* The pieces of rows that pages from `page` on fill: [x, y, width, isFirst, isLast]. */
function piecesOf(grid, page, pages) {
  const pieces = [];
  for (let at = page, end = page + pages; at < end;) {
    const column = at % grid.columns, count = Math.min(end - at, grid.columns - column);
    pieces.push([1 + column * grid.wide, 1 + (at / grid.columns | 0) * grid.high, count * grid.wide, at == page,
      at + count == end]);
    at += count;
  }
  return pieces;
}
function hatch(g, x, y, w, h, step) {
  g.save(); g.beginPath(); g.rect(x, y, w, h); g.clip(); g.beginPath();
  for (let t = -h; t < w; t += step) { g.moveTo(x + t, y + h); g.lineTo(x + t + h, y); }
  g.stroke(); g.restore();
}
const programColour = (program, light) => program < 0 ? "hsl(0,0%," + light + ")" :
  "hsl(" + (program * 150 + 210) % 360 + ",45%," + light + ")";
const fillOf = (number, light, paint) => paint == "program" ? programColour(programOf(number), light) :
  colourOf(number, light);
/* A name as long as its place: whole, or what tells it from its like. */
const SUITS = { diamonds: "♦", clubs: "♣", hearts: "♥", spades: "♠" };
function shortName(name) {
  const words = name.split(" "), last = words.pop();
  if (!words.length) return name;
  if (SUITS[words[0]]) return SUITS[words[0]] + (/^\d/.test(last) ? last : last[0].toUpperCase());
  return words.length > 1 ? words.map(word => word[0]).join("") + " " + last : words[0][0].toUpperCase() + last;
}
const widths = new Map();
function widthOf(g, text) {
  const key = g.font + text;
  if (!widths.has(key)) { if (widths.size > 8192) widths.clear(); widths.set(key, g.measureText(text).width); }
  return widths.get(key);
}
/* A text of the page's is written only where it is another: each one written lays the page out again. */
function put(element, text) { if (element.textContent !== text) element.textContent = text; }
/* "" where not even the short one has room: a number without its last digit is another number. */
const nameFor = (g, name, room) => [name, shortName(name)].find(text => widthOf(g, text) <= room) || "";
/* The outline of a range, row by row, open where it goes on in the next row. */
function outline(g, x, y, w, h, isFirst, isLast, thick) {
  const o = thick / 2;
  g.lineWidth = thick;
  g.beginPath();
  g.moveTo(x, y + o); g.lineTo(x + w, y + o); g.moveTo(x, y + h - o); g.lineTo(x + w, y + h - o);
  if (isFirst) { g.moveTo(x + o, y); g.lineTo(x + o, y + h); }
  if (isLast) { g.moveTo(x + w - o, y); g.lineTo(x + w - o, y + h); }
  g.stroke();
}
function cross(g, x, y, w, h) {
  const half = Math.min(w, h) / 2 - 2, mx = w > 30 ? x + w - half - 2 : x + w / 2, my = y + h / 2;
  g.beginPath(); g.moveTo(mx - half, my - half); g.lineTo(mx + half, my + half);
  g.moveTo(mx + half, my - half); g.lineTo(mx - half, my + half); g.stroke();
}
/* One range in all its states. `came`: when the page first showed it, for the moment in which it lights up. */
function drawRange(g, grid, r, look) {
  const pieces = piecesOf(grid, r.page, r.pages), has = flag => r.flags.includes(flag), isChosen = r.number == chosen;
  const age = isStill() ? 1 : clamp((look.now - r.came) / ARRIVAL_MS, 0, 1), isPlanned = r.how == "planned";
  const isDim = chosen >= 0 && !isChosen;
  const thick = Math.min(2.2, grid.high / 8);
  for (const [x, top, w, isFirst, isLast] of pieces) {
    const y = top + (isPlanned ? Math.floor(grid.high / 2) - 1 : 0), h = grid.high - 2 - (y - top);
    g.globalAlpha = (isDim ? 0.4 : 1) * (isPlanned ? 0.9 : r.how == "going" ? 0.55 : 0.4 + 0.6 * age);
    g.fillStyle = fillOf(r.number, look.light, look.paint); g.fillRect(x, y, w, h);
    g.globalAlpha = isDim ? 0.4 : 1;
    g.strokeStyle = look.ink; g.lineWidth = 0.7;
    if (has("dirty")) hatch(g, x, y, w, h, 6);
    if (isPlanned || r.how == "coming") g.setLineDash([3, 2]);
    outline(g, x, y, w, h, isFirst, isLast, has("used") || has("next") ? thick : 0.7);
    g.setLineDash([]);
    if (isFirst && (age < 1 || r.how == "coming")) { g.fillStyle = look.good; g.fillRect(x, y, 4, h); }
    if (r.how == "going") { g.strokeStyle = look.bad; g.lineWidth = 2; cross(g, x, y, w, h / 2 + 2); }
    if (isChosen) { g.strokeStyle = look.strong; g.lineWidth = 3; g.strokeRect(x + 1.5, y + 1.5, w - 3, h - 3); }
  }
  g.globalAlpha = isDim ? 0.6 : 1;
  const widest = pieces.reduce((best, piece) => piece[2] > best[2] ? piece : best);
  if (widest[2] > 20 && grid.high >= 12 && r.name) nameRange(g, grid, r, widest, look);
  g.globalAlpha = 1;
  return age < 1;
}
function nameRange(g, grid, r, [x, y, w], look) {
  const mark = r.flags.includes("bound") ? "▪" : "", isHalf = r.how == "planned" || r.how == "going";
  const h = isHalf ? grid.high / 2 - 1 : grid.high - 2;
  if (isHalf && h < 10) return;
  if (r.how == "planned") y += h;
  const text = mark + nameFor(g, r.name, w - (mark ? 16 : 8) - (r.how == "going" ? h : 0));
  g.save(); g.beginPath(); g.rect(x + 2, y, w - 4, h); g.clip();
  if (r.flags.includes("dirty")) {
    g.fillStyle = fillOf(r.number, look.light, look.paint);
    g.fillRect(x + 3, y + h / 2 - 6, widthOf(g, text) + 4, 12);
  }
  g.fillStyle = look.ink; g.fillText(text, x + 5, y + h / 2 + 1); g.restore();
}
function drawGhost(g, grid, ghost, look) {
  const age = (look.now - ghost.left) / GHOST_MS;
  if (age >= 1 || isStill()) return false;
  g.globalAlpha = 0.9 * (1 - age);
  g.strokeStyle = look.bad; g.lineWidth = 1.5;
  for (const [x, y, w] of piecesOf(grid, ghost.page, ghost.pages)) {
    g.strokeRect(x + 1, y + 1, w - 2, grid.high - 4); cross(g, x, y, w, grid.high - 2);
  }
  g.globalAlpha = 1;
  return true;
}
function lookNow() {
  return { now: performance.now(), light: css("--light"), ink: css("--ink"), strong: css("--strong"),
    good: css("--good"), bad: css("--bad"), grid: css("--grid"), dim: css("--dim"), paint: at("paint").value };
}
function drawSegment(view, look, room) {
  const shown = pagesShown(view), grid = view.grid = gridOf(view.segment, room, shown);
  const wide = Math.min(Math.ceil(Math.min(shown, grid.columns) * grid.wide + 4), room + 2);
  if (view.canvas.style.width != wide + "px") view.canvas.style.width = wide + "px";
  const { g } = inked(view.canvas, grid.rows * grid.high + 2, wide - 2);
  g.fillStyle = look.grid;
  for (let page = 0; page < shown && grid.wide > 6; page++)
    g.fillRect(1 + (page % grid.columns) * grid.wide, 1 + (page / grid.columns | 0) * grid.high, 1, grid.high - 2);
  let isMoving = false;
  view.pages = new Int32Array(shown).fill(-1);
  for (const r of view.segment.ranges) {
    if (!isShown(r)) continue;
    isMoving = drawRange(g, grid, M.isHidden ? { ...r, how: "here", flags: [] } : r, look) || isMoving;
    view.pages.fill(r.number, r.page, r.page + r.pages);
  }
  for (const ghost of ghosts) if (ghost.segment == view.segment.id)
    isMoving = drawGhost(g, grid, ghost, look) || isMoving;
  put(view.said, grouped(view.segment.used) + " of " + pagesText(view.segment.pages) +
    (view.segment.is_aperture ? " mapped" : " in use (" + bytesText(view.segment.pages * 4096) + ")"));
  return isMoving;
}
/* True while something is still coming or leaving. */
function drawMaps(look) {
  const room = at("maps").clientWidth - 2 || 600;
  let isMoving = false;
  for (const view of mapViews.values()) {
    const isIdle = view.segment.is_aperture && !view.segment.used && M.knobs.copyOnly;
    view.canvas.hidden = view.said.parentNode.hidden = isIdle;
  }
  for (const view of mapViews.values()) if (!view.canvas.hidden) isMoving = drawSegment(view, look, room) ||
    isMoving;
  while (ghosts.length && look.now - ghosts[0].left > GHOST_MS) ghosts.shift();
  paintLegend(look);
  return isMoving;
}

/* ---------------------------------------------------------------- choosing an allocation */
const segmentText = id => {
  const segment = M.segments.find(s => s.id == id);
  return segment ? segment.name : "no segment";
};
const howText = { here: "", coming: "on its way in", planned: "planned to come here, not copied yet",
  going: "planned to leave" };
const flagText = { dirty: "dirty: newer than the host's pages", locked: "locked by the host", offered: "offered: the " +
  "host can do without it", bound: "in a slot, from which commands draw",
  used: "used by a portion that is queued or drawn now",
  next: "needed by the portion that is planned" };
function nextText(number) {
  const ahead = nextUse(number);
  return ahead === null ? "no queued patch list names it again" : ahead == 0 ? "the next patch location names it" :
    "named again " + grouped(ahead) + " patch location" + (ahead == 1 ? "" : "s") + " further on";
}
function sayAllocation(number) {
  const a = M.allocations.get(number), parts = [a.name + ": " + pagesText(a.pages) + " (" +
    bytesText(a.pages * 4096) + ")"];
  if (M.programs.length > 1 && a.program >= 0) parts.push("of " + M.programs[a.program].name);
  const ranges = a.ranges.filter(isShown);
  if (!ranges.length) parts.push("in no segment: its content is in the host's pages");
  for (const r of ranges) {
    if (M.isHidden) { parts.push(segmentText(r.segment)); continue; }
    parts.push((howText[r.how] ? howText[r.how] + ": " : "") + segmentText(r.segment) + ", pages " + r.page + " to " +
      (r.page + r.pages - 1));
    for (const flag of r.flags) parts.push(flagText[flag] || flag);
  }
  const last = M.last.get(number);
  if (last) parts.push("last named by DMA buffer " + last.tag + ", entry " + last.cell);
  parts.push(nextText(number));
  return parts.join("; ") + ".";
}
/* The bar at the bottom of the window is there while something is chosen. */
function showChosen() { at("chosen").hidden = chosen < 0 && !chosenEntry; }
function choose(number) {
  const before = chosen;
  chosen = M.allocations.has(number) ? number : -1;
  if (chosen == before) return;
  at("map-said").textContent = chosen >= 0 && !chosenEntry ? sayAllocation(chosen) : "";
  at("map-why").textContent = chosen >= 0 && M.allocations.get(chosen).ranges.length ? whyHere(chosen) : "";
  showChosen();
  redraw();
}
function mapAt(view, x, y) {
  const grid = view.grid, column = Math.floor((x - 1) / grid.wide), row = Math.floor((y - 1) / grid.high);
  if (column < 0 || column >= grid.columns || row < 0) return -1;
  const number = view.pages[row * grid.columns + column];
  return number === undefined ? -1 : number;
}
/* What is shown of it: not a plan that an exercise asks for. */
const isShown = r => !M.isHidden || r.how != "planned";
const inSegment = id => (M.segments.find(s => s.id == id) || { ranges: [] }).ranges.filter(isShown);
/* Arrows go from box to box, up and down by rows; a key that is not one of these is left to the page. */
function mapKey(view, key) {
  const list = inSegment(view.segment.id), now = list.findIndex(r => r.number == chosen);
  if (key == "Escape") { choose(-1); return true; }
  if (key == "Enter") { if (chosen >= 0) answerPlace(chosen); return true; }
  if (!list.length) return false;
  let to = -1;
  if (key == "ArrowRight") to = now + 1;
  if (key == "ArrowLeft") to = now < 0 ? list.length - 1 : now - 1;
  if (key == "Home") to = 0;
  if (key == "End") to = list.length - 1;
  if (key == "ArrowDown" || key == "ArrowUp") {
    const step = key == "ArrowDown" ? view.grid.columns : -view.grid.columns, from = now < 0 ? 0 : list[now].page;
    const page = clamp(from + step, 0, view.segment.pages - 1);
    to = list.reduce((best, r, i) => r.page <= page ? i : best, 0);
  }
  if (to < 0 && !["ArrowLeft", "ArrowRight"].includes(key)) return false;
  choose(list[clamp(to, 0, list.length - 1)].number);
  return true;
}
function makeMaps() {
  at("maps").replaceChildren();
  mapViews.clear();
  for (const segment of M.segments) {
    const canvas = document.createElement("canvas"), head = document.createElement("p"), said =
      document.createElement("span"), name = document.createElement("b");
    const view = { segment, canvas, said, grid: null, pages: new Int32Array(0), top: 0 };
    head.className = "map-name"; name.textContent = segment.name; said.className = "dim";
    head.append(name, said);
    canvas.tabIndex = 0; canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", segment.name + ": its pages as a map; arrow keys go from allocation to " +
      "allocation");
    canvas.id = "map-" + segment.id;
    const under = event => {
      const box = canvas.getBoundingClientRect();
      return mapAt(view, event.clientX - box.left, event.clientY - box.top);
    };
    canvas.onpointermove = event => { chosenEntry = null; at("patch-said").textContent = ""; const number =
      under(event); if (number != chosen) choose(number); };
    canvas.onpointerleave = () => { if (document.activeElement != canvas) choose(-1); };
    canvas.onclick = event => { choose(under(event)); if (chosen >= 0) answerPlace(chosen); };
    canvas.onkeydown = event => { if (mapKey(view, event.key)) { event.preventDefault(); event.stopPropagation(); } };
    at("maps").append(head, canvas);
    mapViews.set(segment.id, view);
  }
}
function fillMemoryTable() {
  const table = at("memory-table");
  if (!table.closest("details").open) return;
  table.replaceChildren();
  row(table, ["allocation", "pages", "where", "from page", "next use", "state"], "th");
  for (const segment of M.segments) for (const r of segment.ranges)
    row(table, [r.name, r.pages, segment.name, r.page, nextText(r.number), [howText[r.how], ...r.flags].join(" ")]);
}
/* Only when the colours are others than before. */
function paintLegend(look) {
  const key = [look.paint, look.light, ...M.programs.map(p => p.name)].join();
  if (key == paintLegend.key) return;
  paintLegend.key = key;
  for (const span of at("legend").children) span.paint(look);
  at("programs").replaceChildren(...(look.paint == "program" ? M.programs : []).map((program, i) => {
    const swatch = element("i", {});
    swatch.style.background = programColour(i, look.light);
    return element("span", {}, swatch, program.name);
  }));
}
/* The signs of the map, drawn by the same functions as the map. */
function makeLegend() {
  const items = [["in use", { flags: ["used"] }], ["dirty", { flags: ["dirty"] }], ["coming", { how: "coming" }],
    ["planned to come", { how: "planned" }], ["has to leave", { how: "going" }], ["▪ in a slot", null]];
  at("legend").replaceChildren(...items.map(([text, sign]) => {
    const span = document.createElement("span"), canvas = document.createElement("canvas");
    span.append(...(sign ? [canvas] : []), text);
    canvas.setAttribute("aria-hidden", "true");
    canvas.width = 26; canvas.height = 14;
    span.paint = look => {
      if (!sign) return;
      const g = canvas.getContext("2d"), was = chosen;
      chosen = -1;
      g.clearRect(0, 0, 26, 14);
      drawRange(g, { columns: 1, rows: 1, high: 14, wide: 24 }, { number: 4, name: "", page: 0, pages: 1, came: -1e9,
        how: "here", flags: [], ...sign }, look);
      chosen = was;
    };
    return span;
  }));
}
