/* SPDX-License-Identifier: Apache-2.0
 * The script of out/report.html: pictures and tables from `run`, which report_html.c wrote before it. All pictures of
 * time share one window, `view`; whatever changes it calls redraw().
 */
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(1) + " %" : "–";
/* A function as the source calls it: not what the compiler made of it. */
const plainName = name => name.replace(/\.(constprop|lto_priv|part|isra|cold)(\.\d+)*/g, "");

/* ---------------------------------------------------------------- data */
const end = Math.max(run.cycles, 1);
const rawSplits = words(run.splits), splits = [];
for (let i = 0; i + 2 < rawSplits.length; i += 3)
  splits.push({ time: rawSplits[i] * U, job: rawSplits[i + 1], byte: rawSplits[i + 2] });
const pictures = run.pictures.filter(p => p.length == 2);

/* ---------------------------------------------------------------- window of time, shared */
const view = { from: 0, to: end, selected: -1, known: -1 };
let drawing = false;
function redraw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; draw(); });
}
function draw() { drawFrames(); drawPaces(); drawMap(); if (run.has_counters) drawBus(); drawJobs(); }
function look(from, to) {
  const width = clamp(to - from, 64, end);
  view.from = clamp(from, 0, end - width);
  view.to = view.from + width;
  redraw();
}
const zoom = (factor, middle) => {
  const m = middle === undefined ? (view.from + view.to) / 2 : middle;
  look(m - (m - view.from) * factor, m + (view.to - m) * factor);
};
const pan = share => look(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
const xOf = (time, width) => (time - view.from) / (view.to - view.from) * width;
const canvasOf = (id, height) => inked(at(id), height);

/* ---------------------------------------------------------------- the segments */
const LEFT = 86, TOP = 54;
let panels = [];
function layout(height) {
  const chosen = +at("segment").value, shown = run.segments.filter(s => chosen == 0 || s[0] == chosen);
  const room = height - TOP - 14 * shown.length, sum = shown.reduce((a, s) => a + Math.sqrt(s[1]), 0);
  let y = TOP;
  panels = shown.map(s => {
    const panel = { segment: s[0], pages: s[1], y, h: room * Math.sqrt(s[1]) / sum };
    y += panel.h + 14;
    return panel;
  });
}
const colours = new Map();
function colour(known, light) {
  const key = known + light;
  if (!colours.has(key)) colours.set(key, "hsl(" + known * 137.508 % 360 + ",45%," + light + ")");
  return colours.get(key);
}
function drawBox(g, s, panel, width, light, ink, marks) {
  const x = LEFT + Math.max(0, xOf(s.begin, width)), right = LEFT + Math.min(width, xOf(s.end, width));
  const y = panel.y + s.page / panel.pages * panel.h, h = s.pages / panel.pages * panel.h, w = right - x;
  const isDim = view.known >= 0 && view.known != s.known;
  if (isDim) g.globalAlpha = 0.25;
  g.fillStyle = colour(s.known, light);
  g.fillRect(x, y, Math.max(w, 0.6), h);
  if (w > 3 && h > 2) {
    g.strokeStyle = ink; g.lineWidth = 0.5;
    g.strokeRect(x + 0.25, y + 0.25, w - 0.5, h - 0.5);
    g.fillStyle = ink;
    if (s.again && w > 7 && s.begin >= view.from) g.fillRect(x, y, 2.5, h);
  }
  if (w > 9 && h >= 7 && s.how && s.end <= view.to && marks) {
    g.fillStyle = ink; g.fillText(s.how == 1 ? "×" : "→", right - 8, y + h / 2);
  }
  if (w > 26 && h >= 9) {
    g.save(); g.beginPath(); g.rect(x, y, w - 9, h); g.clip();
    g.fillStyle = ink; g.fillText(nameOf(s.known), x + 5, y + h / 2); g.restore();
  }
  if (isDim) g.globalAlpha = 1;
}
function drawTime(g, width, ink, dim) {
  g.fillStyle = dim;
  const step = Math.pow(10, Math.floor(Math.log10((view.to - view.from) / 4)));
  const stride = step * ((view.to - view.from) / step > 12 ? 5 : 1);
  for (let t = Math.ceil(view.from / stride) * stride; t <= view.to; t += stride) {
    g.fillRect(LEFT + xOf(t, width), 4, 1, 10);
    g.fillText(t >= 1e6 ? +(t / 1e6).toPrecision(9) + " M" : grouped(t), LEFT + xOf(t, width) + 3, 8);
  }
  run.frames.forEach((f, i) => {
    if (f[1] <= view.from || f[0] >= view.to || f[1] <= f[0]) return;
    const x = LEFT + Math.max(0, xOf(f[0], width)), right = LEFT + Math.min(width, xOf(f[1], width));
    const y = i % 2 ? 28 : 17;
    g.strokeStyle = dim; g.lineWidth = 1; g.strokeRect(x + 0.5, y + 0.5, Math.max(1, right - x - 1), 10);
    if (right - x > 52) { g.fillStyle = ink; g.fillText("frame " + (i + run.first), x + 4, y + 6); }
  });
}
/* A line each; where they would bury the picture, only a band of how many there are. */
const SPLIT_PIXELS = 12, BAND = 8;
const splitsShown = () => splits.filter(split => split.time >= view.from && split.time <= view.to);
const areSplitsMany = (count, width) => count * SPLIT_PIXELS > width;
function drawSplits(g, width, height, ink) {
  const shown = splitsShown();
  g.fillStyle = g.strokeStyle = ink; g.lineWidth = 1;
  if (areSplitsMany(shown.length, width)) {
    const bins = new Uint32Array(Math.ceil(width / BAND));
    for (const split of shown) bins[Math.min(Math.floor(xOf(split.time, width) / BAND), bins.length - 1)]++;
    const most = Math.max(...bins);
    bins.forEach((n, bin) => {
      g.globalAlpha = 0.7 * n / most; g.fillRect(LEFT + bin * BAND, TOP - 9, BAND, 8);
    });
    g.globalAlpha = 1; g.fillText("splits", 4, TOP - 5);
    return;
  }
  for (const split of shown) {
    const x = LEFT + xOf(split.time, width);
    g.setLineDash([4, 3]); g.beginPath(); g.moveTo(x, TOP); g.lineTo(x, height);
    g.stroke(); g.setLineDash([]); g.fillText("▼", x - 4, TOP - 3);
  }
}
function drawMap() {
  const tall = document.body.classList.contains("picture") ? 760 : 560;
  const { g, width: full, height } = canvasOf("map", tall);
  const width = full - LEFT - 4, ink = css("--ink"), dim = css("--dim"), light = css("--light");
  const marks = at("evictions").checked;
  layout(height);
  drawTime(g, width, ink, dim);
  const bySegment = {};
  for (const panel of panels) {
    bySegment[panel.segment] = panel;
    g.strokeStyle = dim; g.lineWidth = 1; g.strokeRect(LEFT, panel.y, width, panel.h);
    g.fillStyle = ink; g.fillText("segment " + panel.segment, 4, panel.y + 8);
    g.fillStyle = dim; g.fillText(panel.pages + " pages", 4, panel.y + 22);
    g.fillText("page 0 ↓", 4, panel.y + 36);
  }
  for (let i = 0; i < stayCount; i++) {
    if (raw[5 * i] * U >= view.to || raw[5 * i + 1] * U < view.from) continue;
    const s = stay(i), panel = bySegment[s.segment];
    if (panel) drawBox(g, s, panel, width, light, ink, marks);
  }
  if (at("splits").checked) drawSplits(g, width, height, ink);
  if (view.selected >= 0) {
    const s = stay(view.selected), panel = bySegment[s.segment];
    if (panel) {
      g.strokeStyle = css("--strong"); g.lineWidth = 3;
      g.strokeRect(LEFT + xOf(s.begin, width), panel.y + s.page / panel.pages * panel.h,
        Math.max(2, xOf(s.end, width) - xOf(s.begin, width)), s.pages / panel.pages * panel.h);
    }
  }
}
const endings = ["resident at the end", "evicted", "moved"];
function sayStay(s) {
  at("map-said").textContent = nameOf(s.known) + ": segment " + s.segment + ", pages " + s.page + " to " +
    (s.page + s.pages - 1) + " (" + bytes(s.pages * 4096) + "), " + (run.has_clock ? "from cycle " +
    grouped(s.begin) + " to " +
    grouped(s.end) + " (" + grouped(s.end - s.begin) + "), " : "") +
    (s.again ? "fetched again" : "here for the first time") + ", " + endings[s.how] + ".";
}
function select(index) {
  view.selected = index;
  if (index >= 0) {
    const s = stay(index), width = view.to - view.from;
    sayStay(s);
    if (s.begin < view.from || s.begin > view.to) look(s.begin - width / 3, s.begin - width / 3 + width);
  } else at("map-said").textContent = "";
  sayWhy(index);
  redraw();
}
function hit(x, y) {
  const width = at("map").clientWidth - LEFT - 4, panel = panels.find(p => y >= p.y && y < p.y + p.h);
  if (!panel || x < LEFT) return -1;
  const time = view.from + (x - LEFT) / width * (view.to - view.from), page = (y - panel.y) / panel.h * panel.pages;
  for (let i = stayCount - 1; i >= 0; i--) {
    if (raw[5 * i] * U > time || raw[5 * i + 1] * U < time || raw[5 * i + 4] >>> 24 != panel.segment) continue;
    if (raw[5 * i + 3] <= page && page < raw[5 * i + 3] + (raw[5 * i + 4] & 0xffffff)) return i;
  }
  return -1;
}
function toSplit(direction) {
  const middle = (view.from + view.to) / 2, width = Math.min(view.to - view.from, end / 4);
  const list = splits.filter(s => direction > 0 ? s.time > middle + 16 : s.time < middle - 16);
  const split = direction > 0 ? list[0] : list[list.length - 1];
  if (!split) { at("map-said").textContent = "There is no split " + (direction > 0 ? "later." : "earlier."); return; }
  look(split.time - width / 2, split.time + width / 2);
  at("map-said").textContent = "Split of " + jobText(split.job) + " at its byte " + grouped(split.byte) +
    (run.has_clock ? ", cycle " + grouped(split.time) : "") + ".";
}
function step(direction) {
  const chosen = +at("segment").value;
  let i = view.selected;
  if (i < 0) { for (i = 0; i < stayCount && raw[5 * i] * U < view.from; i++); i -= direction > 0 ? 1 : 0; }
  do i += direction;
  while (i >= 0 && i < stayCount && ((chosen && raw[5 * i + 4] >>> 24 != chosen) ||
         (view.known >= 0 && (raw[5 * i + 2] & 0xfffffff) != view.known)));
  if (i >= 0 && i < stayCount) select(i);
}
function find(text) {
  view.known = -1;
  for (const known in run.names) if (run.names[known].toLowerCase() == text.trim().toLowerCase()) view.known = +known;
  if (view.known >= 0) {
    let times = 0, first = -1;
    for (let i = 0; i < stayCount; i++)
      if ((raw[5 * i + 2] & 0xfffffff) == view.known) { times++; if (first < 0) first = i; }
    if (first >= 0) select(first);
    at("map-said").textContent += " It was resident " + times + " times.";
  } else if (text.trim() != "") at("map-said").textContent = "No allocation is called '" + text + "'.";
  redraw();
}

/* ---------------------------------------------------------------- ports, nodes, core */
const waitNames = ["busy", "waits for command words", "waits for a fence", "waits for read data",
                   "waits for the bus to take data", "waits for earlier writes"];
const lines = [ // what is busy, of how much; what waits for the firmware
  ["segment 1 port", s => s[2], 8], ["segment 2 port", s => s[3], 8], ["system memory port", s => s[4], 8],
  ["render node", s => s[5], 1, s => s[19]], ["paging node", s => s[11], 1, s => s[20]], ["firmware", s => s[17], 1]];
function drawBus() {
  const rows = run.has_counters ? lines : lines.slice(5), rowHeight = 46;
  const { g, width: full, height } = canvasOf("bus", rows.length * rowHeight + 4), width = full - LEFT - 4;
  const ink = css("--ink"), dim = css("--dim"), strong = css("--strong");
  rows.forEach(([name, value, scale, waits], r) => {
    const base = (r + 1) * rowHeight - 2, room = rowHeight - 12;
    let sum = 0, time = 0;
    g.globalAlpha = 0.6;
    for (const s of run.samples) {
      if (s[1] <= view.from || s[0] >= view.to) continue;
      const x = LEFT + Math.max(0, xOf(s[0], width)), right = LEFT + Math.min(width, xOf(s[1], width));
      const share = clamp(value(s) / (s[1] - s[0]) / scale, 0, 1);
      sum += value(s); time += s[1] - s[0];
      g.fillStyle = strong; g.fillRect(x, base - share * room, Math.max(right - x, 0.7), share * room);
      if (!waits) continue;
      const waiting = clamp(waits(s) / (s[1] - s[0]), 0, 1 - share);
      g.fillStyle = css("--bad");
      g.fillRect(x, base - (share + waiting) * room, Math.max(right - x, 0.7), waiting * room);
    }
    g.globalAlpha = 1;
    g.fillStyle = dim; g.fillRect(LEFT, base, width, 1);
    g.fillStyle = ink; g.fillText(name.replace(" port", ""), 4, base - room + 4);
    g.fillStyle = dim; g.fillText(time > 0 ? percent(sum / scale, time) : "–", 4, base - 8);
  });
}
function sayBus(x) {
  const width = at("bus").clientWidth - LEFT - 4;
  const time = view.from + clamp((x - LEFT) / width, 0, 1) * (view.to - view.from);
  const s = run.samples.find(s => s[0] <= time && time < s[1]);
  if (!s) return;
  const cycles = s[1] - s[0], parts = lines.filter((l, i) => run.has_counters || i == 5).map(([name, value, scale]) =>
    name + " " + percent(value(s) / scale, cycles));
  for (const [name, first, firmware] of run.has_counters ? [["render node", 5, 19], ["paging node", 11, 20]] : []) {
    for (let i = 1; i < 6; i++) if (s[first + i] > cycles / 50) parts.push(name + " " + waitNames[i] + " " +
      percent(s[first + i], cycles));
    if (s[firmware] > cycles / 50) parts.push(name + " waits for the firmware " + percent(s[firmware], cycles));
  }
  at("bus-said").textContent = (run.has_clock ? "Cycles " + grouped(s[0]) + " to " + grouped(s[1]) + ": " : "")
     + parts.join(", ") + "; " +
    s[18] + " DMA buffers in the firmware's queue.";
}

/* ---------------------------------------------------------------- DMA buffers */
let chosenJob = -1;
function drawJobs() {
  const { g, width: full, height } = canvasOf("jobs", 190);
  const width = full - LEFT - 4, count = Math.max(run.jobs.length, 1);
  const ink = css("--ink"), dim = css("--dim"), bins = Math.min(count, Math.floor(width / 3)), base = 110;
  const most = run.jobs.reduce((a, j) => [Math.max(a[0], j[6]), Math.max(a[1], j[7])], [1, 1]);
  g.fillStyle = ink; g.fillText("portions", 4, 14); g.fillText("evictions", 4, height - 10);
  g.fillStyle = dim; g.fillText("up to " + most[0], 4, 28); g.fillText("up to " + most[1], 4, height - 24);
  for (let bin = 0; bin < bins; bin++) {
    let portions = 0, evictions = 0, chosen = false, failed = false;
    for (let i = Math.floor(bin * count / bins); i < Math.floor((bin + 1) * count / bins) && i < run.jobs.length; i++) {
      portions = Math.max(portions, run.jobs[i][6]); evictions = Math.max(evictions, run.jobs[i][7]);
      chosen = chosen || i == chosenJob; failed = failed || run.jobs[i][10] != 0;
    }
    const x = LEFT + bin * width / bins, w = Math.max(width / bins - (width / bins > 3 ? 1 : 0), 1);
    g.fillStyle = css("--strong"); g.fillRect(x, base - portions / most[0] * 90, w, portions / most[0] * 90);
    g.fillStyle = ink;
    if (portions && w > 14) g.fillText(portions, x + w / 2 - 3, base - portions / most[0] * 90 - 6);
    g.fillStyle = dim; g.fillRect(x, base + 2, w, evictions / most[1] * 60);
    if (failed) { g.fillStyle = css("--bad"); g.fillText("!", x + w / 2 - 1, base - 4); }
    if (chosen) { g.strokeStyle = ink; g.lineWidth = 2; g.strokeRect(x - 1, 4, w + 2, height - 8); }
  }
}
function sayJob(i) {
  chosenJob = clamp(i, 0, run.jobs.length - 1);
  const j = run.jobs[chosenJob];
  if (!j) return;
  at("jobs-said").textContent = jobText(chosenJob) + ": " + bytes(j[5]) + " of commands, " + j[6] + " portions, " +
    j[7] + " evictions, " + j[8] + " pages in, " + j[9] + " out for room; " + (run.has_clock ?
    "submitted at cycle " + grouped(j[2]) + ", taken " + grouped(j[3] - j[2]) + " later, complete " +
    grouped(j[4] - j[2]) + " later, " : "") + "status " + j[10] + ".";
  redraw();
}
const showJob = i => { const j = run.jobs[i]; if (j) look(j[3] - (j[4] - j[3]) * 0.1, j[4] + (j[4] - j[3]) * 0.1); };

/* ---------------------------------------------------------------- tables */
function fillTraffic() {
  const t = run.traffic, table = at("traffic");
  const rows = [["page-in, first time", t.in_first, "content that had to come once"],
    ["page-in, again", t.in_again, "the price of evictions"], ["page-out", t.paging_out, "content the GPU had written"],
    ["moved inside local memory", t.moved, ""], ["filled", t.filled, "content that did not exist yet"],
    ["mapped in the aperture", t.mapped, "no copy"]];
  if (run.has_counters) rows.push(["drawing reads local memory", t.render_read_local, ""],
    ["drawing reads system memory", t.render_read_system, "through the aperture"],
    ["drawing writes local memory", t.render_write_local, ""],
    ["drawing writes system memory", t.render_write_system, ""]);
  const most = Math.max(1, ...rows.map(r => r[1]));
  row(table, ["cause", "bytes", "", ""], "th");
  for (const [name, value, note] of rows) {
    const bar = document.createElement("span");
    bar.className = "bar"; bar.style.width = (8 * value / most) + "rem";
    row(table, [name, bytes(value), bar, note]).children[1].className = "n";
  }
}
const reason = d => (d[7] == 0 ? "everything was resident" : d[7] + " allocations (" + d[8] + " pages) had to come" +
    (d[6] ? ", " + d[6] + " had to leave" : ", all into free room")) +
  (d[10] ? "; cut at byte " + grouped(d[10]) : "; to the end of the buffer");
function fillDecisions(by) {
  const table = at("decisions"), ofTime = list => run.has_clock ? list : [];
  const head = [...ofTime([["cycles", d => d[2] - d[1]]]), ["entries", d => d[5]], ["evictions", d => d[6]],
    ["arrivals", d => d[7]], ["paging buffers", d => d[9]], ...ofTime([["until submitted", d => d[3] - d[1]]])];
  const list = run.decisions.slice().sort((a, b) => head[by][1](b) - head[by][1](a));
  table.replaceChildren();
  row(table, [...head.map(([name], i) => {
    const button = document.createElement("button");
    button.textContent = name + (i == by ? " ▾" : ""); button.type = "button";
    button.setAttribute("aria-label", "sort by " + name); button.onclick = () => fillDecisions(i);
    return button;
  }), "of", "reason", ""], "th");
  for (const d of list) {
    const show = document.createElement("button");
    show.textContent = "show"; show.type = "button";
    show.onclick = () => { look(d[1] - (d[3] - d[1]) * 0.2, d[3] + (d[3] - d[1]) * 0.2); at("map").focus(); };
    row(table, [...head.map(h => h[1](d)), jobText(d[0]), reason(d), show]);
  }
  at("decisions-said").textContent = !run.has_counters ? grouped(run.decision_count) + " portions were planned. " +
    "The golden model has no clock: what is above is in the order of its turns." :
    grouped(run.decision_count) + " portions were planned in " + grouped(run.decision_cycles) + " cycles of the core" +
    (run.decision_count ? ", " +
    grouped(run.decision_cycles / run.decision_count) + " each on average" : "") + "; here are the " + list.length +
    " that took longest.";
}
function fillRest() {
  document.title = at("title").textContent = run.title;
  at("verdict").textContent = (run.is_good ? "✓ " : "✗ ") + run.verdict;
  at("verdict").classList.add(run.is_good ? "good" : "bad");
  for (const line of run.summary) row(at("summary"), line.map(spaced)).children[1].className = "n";
  const isBounded = frameTimes.some(t => t.bound);
  at("timing").hidden = !run.has_clock; /* a golden model has no clock */
  const ofTime = list => run.has_clock ? list : [];
  row(at("frames"), ["frame", ...ofTime(["cycles"]), "as expected",
    ...(isBounded ? ["bound", "time / bound"] : [])], "th");
  run.frames.forEach((f, i) => row(at("frames"), [i + run.first, ...ofTime([f[1] - f[0]]),
    f[2] < 0 ? "not judged" : f[2] ? "✓ yes" : "✗ NO",
    ...(isBounded ? [frameTimes[i].bound, frameTimes[i].bound ? perBound(frameTimes[i]) : "–"] : [])]));
  const total = run.functions.reduce((a, f) => a + f[3], 0);
  at("functions-said").textContent = run.functions.length ? "Cycles of its own, and with what it called; from the " +
    "retired program counters. profile.folded has the chains of callers." : "The golden model runs no instructions.";
  if (run.functions.length) row(at("functions"), ["function", "own cycles", "", "with callees", "calls"], "th");
  for (const f of run.functions) row(at("functions"), [plainName(f[0]), f[3], percent(f[3], total), f[4], f[1]]);
  at("work").hidden = !run.has_counters; /* a model has no nodes that wait */
  if (run.has_counters) {
    row(at("waits"), ["of " + grouped(end) + " cycles", "render node", "", "paging node", ""], "th");
    waitNames.forEach((name, i) => {
      const sum = first => run.samples.reduce((a, s) => a + s[first + i], 0);
      row(at("waits"), [name, sum(5), percent(sum(5), end), sum(11), percent(sum(11), end)]);
    });
    const waiting = place => run.samples.reduce((a, s) => a + s[place], 0);
    row(at("waits"), ["waits for the firmware", waiting(19), percent(waiting(19), end), waiting(20),
                      percent(waiting(20), end)]);
  }
  for (const s of run.segments) at("segment").append(new Option("segment " + s[0], s[0]));
  at("names").append(...[...new Set(Object.values(run.names))].sort().map(name => new Option(name, name)));
  if (run.cut || run.stays_lost) at("map-said").textContent = "The run was longer than this page holds: " +
    run.stays_lost + " stays at the end are left out.";
}
function showFrame(i) {
  const p = pictures[clamp(i, 0, pictures.length - 1)];
  if (!p) {
    at("frame-said").textContent = "There is no picture.";
    at("picture").alt = "no picture";
    at("picture").hidden = true;
    return;
  }
  const f = run.frames[p[0] - run.first];
  at("frame").value = i;
  at("picture").src = "data:image/png;base64," + p[1];
  at("picture").alt = "frame " + p[0];
  at("frame-said").textContent = "Frame " + p[0] + ": " + (run.has_clock ? grouped(f[1] - f[0]) +
    " cycles from its first submission to its picture, " : "") +
    (f[2] < 0 ? "not judged" : f[2] ? "as expected" : "NOT as expected") + "." +
    (pictures.length < run.frames.length ? " " + pictures.length + " of " + run.frames.length +
      " frames are in this page; the others lie beside it as PNG files." : "");
}

/* ---------------------------------------------------------------- controls */
function theme(name) {
  document.documentElement.dataset.theme = name;
  at("theme").textContent = name == "dark" ? "Light" : "Dark";
  redraw();
}
function listen() {
  const map = at("map"), keys = { ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "+": () => zoom(0.5),
    "=": () => zoom(0.5), "-": () => zoom(2), ArrowDown: () => step(1), ArrowUp: () => step(-1),
    Home: () => look(0, end),
    PageDown: () => toSplit(1), PageUp: () => toSplit(-1), Escape: () => { view.known = -1; select(-1); },
    Enter: () => { if (view.selected >= 0) { const s = stay(view.selected), w = s.end - s.begin;
      look(s.begin - w / 2, s.end + w / 2); } } };
  map.onkeydown = event => { if (keys[event.key]) { keys[event.key](); event.preventDefault(); } };
  let drag = null;
  map.onpointerdown = event => { drag = { x: event.clientX, from: view.from, to: view.to }; };
  map.onpointermove = event => {
    const width = map.clientWidth - LEFT - 4;
    if (drag && event.buttons) {
      const shift = (drag.x - event.clientX) / width * (drag.to - drag.from);
      look(drag.from + shift, drag.to + shift);
      return;
    }
    const i = hit(event.offsetX, event.offsetY);
    if (i >= 0 && view.selected < 0) sayStay(stay(i));
  };
  map.onpointerup = event => {
    if (drag && Math.abs(event.clientX - drag.x) < 3) { view.known = -1; select(hit(event.offsetX, event.offsetY)); }
    drag = null;
  };
  map.onwheel = event => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const part = (event.offsetX - LEFT) / (map.clientWidth - LEFT - 4);
    zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, view.from + part * (view.to - view.from));
  };
  at("in").onclick = () => zoom(0.5); at("out").onclick = () => zoom(2); at("all").onclick = () => look(0, end);
  at("left").onclick = () => pan(-0.5); at("right").onclick = () => pan(0.5);
  at("split-before").onclick = () => toSplit(-1); at("split-after").onclick = () => toSplit(1);
  at("segment").onchange = at("evictions").onchange = at("splits").onchange = redraw;
  at("find").onchange = () => find(at("find").value);
  at("bus").onpointermove = event => sayBus(event.offsetX);
  at("bus").onkeydown = map.onkeydown;
  const jobs = at("jobs");
  jobs.onpointermove = event =>
    sayJob(Math.floor((event.offsetX - LEFT) / (jobs.clientWidth - LEFT - 4) * run.jobs.length));
  jobs.onclick = () => showJob(chosenJob);
  jobs.onkeydown = event => {
    const todo = { ArrowLeft: () => sayJob(chosenJob - 1), ArrowRight: () => sayJob(chosenJob + 1),
                   Enter: () => showJob(chosenJob) }[event.key];
    if (todo) { todo(); event.preventDefault(); }
  };
  at("theme").onclick = () => theme(document.documentElement.dataset.theme == "dark" ? "light" : "dark");
  at("frame").max = Math.max(pictures.length - 1, 0);
  at("frame").oninput = () => showFrame(+at("frame").value);
  at("frame-before").onclick = () => showFrame(clamp(+at("frame").value - 1, 0, pictures.length - 1));
  at("frame-after").onclick = () => showFrame(clamp(+at("frame").value + 1, 0, pictures.length - 1));
  at("frame-show").onclick = () => {
    const f = run.frames[(pictures[+at("frame").value] || [run.first])[0] - run.first];
    look(f[0], f[1]);
  };
  window.onresize = redraw;
}

at("check").hidden = true;
document.body.classList.toggle("picture", location.hash == "#picture");
listen();
listenFrames();
listenPaces();
startSteps();
startWhy();
fillRest();
fillTraffic();
fillDecisions(0);
theme(location.hash != "#picture" && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
showFrame(0);
