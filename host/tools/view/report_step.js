/* SPDX-License-Identifier: Apache-2.0
 * Stepping through a frame: its draws, the picture and the texture of one of them, which draws wrote a pixel, heat
 * maps.
 */
const stepping = { frame: null, draw: 0, surface: 0, pixel: null, look: "picture", turn: 0 };
const SHOWN_ROWS = 60;
const nameOfKnown = known => known == NOTHING ? "unknown memory" : nameOf(known) != "?" ? nameOf(known) :
  detail.allocations[known] || "?";
const hex = (n, digits) => "0x" + (n >>> 0).toString(16).padStart(digits || 8, "0");
const placeOf = address => ["", "segment 1", "segment 2", "in place (aperture)"][address >>> 28] || "system memory";
const formatOf = pitch => detail.formats[pitch >>> 16] || "?";
const modeOf = row => !isDraw(row) ? "found" : !isBlit(row) ? "FILL" : (detail.modes[field(row, "MODE")] || "?") +
  (field(row, "KEYED") ? ", keyed" : "") + (field(row, "COLOURED") ? ", coloured" : "");
const packetOf = row => isAffine(row) ? "BLIT_AFFINE" : isBlit(row) ? "BLIT" : isDraw(row) ? "FILL_RECT" : "–";
/* The source's unit that is drawn at a pixel of the target. */
function sourceAt(row, pixel) {
  const { column, line } = sourceUnit(row), x = pixel.x - row.left, y = pixel.y - row.top;
  return { x: column(x, y), y: line(x, y) };
}
/* The map from the target's rectangle: which columns and rows of the source lie under its x and y. */
function mapText(row) {
  const term = (name, by) => { const n = field(row, name) / 65536; return n ? (n < 0 ? " − " : " + ") + +Math.abs(n)
    .toFixed(4) + by : ""; };
  const axis = name => +(field(row, name) / 65536).toFixed(4) + term(name + "_X", " x") + term(name + "_Y", " y");
  return "by the map column " + axis("U") + ", row " + axis("V");
}
const rectangle = (x, y, w, h) => w + "×" + h + " at " + x + ", " + y;
const sourceName = row => !isBlit(row) ? "" : nameOfKnown(row.source);
const bytesMoved = row => row.readLocal + row.readSystem + row.writeLocal + row.writeSystem;
const chosen = () => stepping.frame.rows[stepping.draw];
function button(text, label, action) {
  const b = document.createElement("button");
  b.type = "button"; b.textContent = text; b.onclick = action;
  if (label) b.setAttribute("aria-label", label);
  return b;
}

/* ---------------------------------------------------------------- pictures */
/* Pixels with marks over them; `mark`: rectangles, `cross`: a pixel. Light lines on dark ones are seen on anything. */
function paint(id, width, height, fill, mark, cross) {
  const canvas = at(id), scale = Math.max(1, Math.floor(800 / width)), g = canvas.getContext("2d");
  const small = document.createElement("canvas"), image = new ImageData(width, height);
  fill(image.data);
  small.width = width; small.height = height;
  small.getContext("2d").putImageData(image, 0, 0);
  canvas.width = width * scale; canvas.height = height * scale;
  g.imageSmoothingEnabled = false;
  g.drawImage(small, 0, 0, canvas.width, canvas.height);
  for (const [colour, line] of [["#000", 4], ["#ff0", 2]]) {
    g.strokeStyle = colour; g.lineWidth = line;
    if (mark) g.strokeRect(mark.x * scale - 1, mark.y * scale - 1, mark.w * scale + 2, mark.h * scale + 2);
    if (!cross) continue;
    const x = (cross.x + 0.5) * scale, y = (cross.y + 0.5) * scale, far = 14, near = 3 + scale / 2;
    g.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      g.moveTo(x + dx * near, y + dy * near); g.lineTo(x + dx * far, y + dy * far);
    }
    g.stroke();
  }
}
/* Units of a format as pixels; what is transparent lies on a chequered ground. */
function fillUnits(data, units, width, height, pitch, format, from) {
  const unit = unitBytes[format];
  for (let i = 0; i < width * height; i++) {
    const x = i % width, y = Math.floor(i / width), at = (from || 0) + y * pitch + x * unit;
    let u = 0;
    for (let b = unit - 1; b >= 0; b--) u = u * 256 + (units[at + b] || 0);
    const [r, g, b, a] = colourOf(format, u), ground = (x >> 3) + (y >> 3) & 1 ? 150 : 105;
    data[4 * i] = (r * a + ground * (255 - a)) / 255; data[4 * i + 1] = (g * a + ground * (255 - a)) / 255;
    data[4 * i + 2] = (b * a + ground * (255 - a)) / 255; data[4 * i + 3] = 255;
  }
}
/* From dark blue, nothing, over green to light yellow, most. */
function heat(share) {
  const stops = [[20, 20, 60], [30, 90, 140], [40, 160, 110], [190, 200, 50], [255, 245, 160]];
  const at = clamp(share, 0, 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  return stops[i].map((c, k) => c + (stops[i + 1][k] - c) * (at - i));
}
/* Per pixel of the surface, by all draws of the frame: how often written, or bytes moved for it. */
function burden(frame, index, isBytes) {
  const surface = surfaces[index], sums = new Float64Array(surface.width * surface.height);
  for (const row of frame.rows) {
    if (row.surface != index || !isDraw(row)) continue;
    let unwritten = 0;
    for (let i = 0; row.written && i < row.width * row.height; i++) unwritten += !hasBit(row.written, i);
    const each = isBytes ? bytesMoved(row) / Math.max(row.width * row.height - unwritten, 1) : 1;
    for (let i = 0; i < row.width * row.height; i++) {
      if (row.written && !hasBit(row.written, i)) continue;
      sums[(row.top + Math.floor(i / row.width)) * surface.width + row.left + i % row.width] += each;
    }
  }
  return sums;
}
function isWrong(i) {
  const surface = surfaces[stepping.surface], frame = stepping.frame;
  return frame.expected && stepping.surface == detailed[frame.index].surface &&
    unitAt(frame.last, surface, i) != unitAt(frame.expected, surface, i);
}
function fillPicture(data) {
  const s = surfaces[stepping.surface], frame = stepping.frame;
  if (stepping.look == "picture" || stepping.look == "wrong" || stepping.look == "expected") {
    const units = stepping.look == "picture" ? unitsBehind(frame, stepping.surface, stepping.draw) :
      stepping.look == "expected" && frame.expected ? frame.expected : frame.last;
    fillUnits(data, units, s.width, s.height, s.width * s.unit, s.format == 2 ? 3 : s.format);
    if (stepping.look == "wrong") for (let i = 0; i < s.width * s.height; i++) {
      const grey = (data[4 * i] + data[4 * i + 1] + data[4 * i + 2]) / 9 + 20, wrong = isWrong(i);
      data[4 * i] = wrong ? 255 : grey; data[4 * i + 1] = wrong ? 60 : grey; data[4 * i + 2] = wrong ? 60 : grey;
    }
    return "";
  }
  const sums = burden(frame, stepping.surface, stepping.look == "bytes");
  let most = 0, sum = 0;
  for (const n of sums) { most = Math.max(most, n); sum += n; }
  sums.forEach((n, i) => { data.set([...heat(n / Math.max(most, 1)), 255], 4 * i); });
  const what = stepping.look == "bytes" ? " bytes" : " times", mean = (sum / sums.length).toFixed(2);
  return "Dark blue: none; light yellow: " + +most.toFixed(1) + what + ", the most; " + mean + " on average.";
}
function drawStep() {
  const row = chosen(), s = surfaces[stepping.surface], isHere = row && row.surface == stepping.surface;
  let said = "";
  paint("step-picture", s.width, s.height, data => { said = fillPicture(data); },
    isHere ? { x: row.left, y: row.top, w: row.width, h: row.height } : null, stepping.pixel);
  at("step-picture").setAttribute("aria-label", s.name + " after draw " + stepping.draw + "; arrows choose a pixel");
  at("step-heat").textContent = said;
  drawTexture(row);
}
function drawTexture(row) {
  const states = new Map();
  if (row && row.sourceSurface != NOTHING)
    states.set(row.sourceSurface, { now: unitsBehind(stepping.frame, row.sourceSurface, row.index - 1) });
  const source = row && isBlit(row) ? sourceOf(row, states) : null;
  at("step-texture").hidden = !source;
  at("step-texture-said").textContent = !row || !isBlit(row) ? "This draw reads no texture." : !source ?
    "What was in the texture is not in this page." : "";
  if (!source) return;
  const width = Math.floor(source.pitch / source.unit), rows = Math.floor((source.units.length - source.from) /
    source.pitch), height = Math.max(1, Math.min(rows, 4096));
  const read = readBy(row), p = stepping.pixel;
  paint("step-texture", width, height, data => fillUnits(data, source.units, width, height, source.pitch,
    source.format, source.from), read,
    p && covers(row, p.x, p.y) && row.surface == stepping.surface ? sourceAt(row, p) : null);
  at("step-texture-said").textContent = sourceName(row) + ": " + width + "×" + height + ", " +
    detail.formats[source.format] + "; the rectangle that is drawn: " + rectangle(read.x, read.y, read.w, read.h) +
    (isAffine(row) ? ", " + mapText(row) : "") + ".";
}

/* ---------------------------------------------------------------- the list and one draw */
function fillList() {
  const rows = stepping.frame.rows, table = at("step-list"), first = clamp(stepping.draw - SHOWN_ROWS / 2, 0,
    Math.max(rows.length - SHOWN_ROWS, 0));
  table.replaceChildren();
  row(table, ["", "draw", "packet", "into", "rectangle", "from", "read", "mode", "portion", "cycles", "bytes"], "th");
  rows.slice(first, first + SHOWN_ROWS).forEach(r => {
    const hits = stepping.pixel && r.surface == stepping.surface && wrote(r, stepping.pixel.x, stepping.pixel.y);
    const line = row(table, [hits ? "●" : "", r.index, packetOf(r), isDraw(r) ? nameOfKnown(r.target) :
      surfaces[r.surface].name, rectangle(r.left, r.top, r.width, r.height), sourceName(r),
      isBlit(r) ? placeOf(r.sourceAddress) : "", isDraw(r) ? modeOf(r) : "found so: no draw wrote it",
      isDraw(r) ? r.portion : "", isDraw(r) && run.has_counters ? r.cycles : "", isDraw(r) ? bytesMoved(r) : ""]);
    line.onclick = () => goTo(r.index);
    if (r.index == stepping.draw) { line.className = "chosen"; line.setAttribute("aria-current", "true"); }
  });
  const box = at("step-list-box"), line = table.querySelector(".chosen");
  if (line) box.scrollTop = line.offsetTop - box.clientHeight / 2;
  at("step-list-said").textContent = rows.length ? "Rows " + first + " to " + (Math.min(first + SHOWN_ROWS,
    rows.length) - 1) + " of " + rows.length + "." + (stepping.pixel ? " ●: it wrote the pixel." : "") :
    "Nothing was drawn in this frame.";
}
function fillDetails() {
  const table = at("step-details"), r = chosen();
  table.replaceChildren();
  if (!r) return;
  const add = (name, value) => { row(table, [name, value]).children[1].className = ""; };
  if (!isDraw(r)) {
    add("no draw", "this is how the memory was found: written by the host, or by what lay here before");
    return;
  }
  const jobs = run.jobs[r.job];
  add("packet", packetOf(r) + ": " + [...r.words].slice(0, detail[packetOf(r)].words).map(w => hex(w)).join(" "));
  add("where", "command RAM " + hex(r.offset, 5) + ", portion " + grouped(r.portion) + (jobs ? ", " + jobText(r.job) :
    ""));
  add("into", "slot " + field(r, "TARGET") + ": " + nameOfKnown(r.target) + ", " + hex(r.targetAddress) + ", " +
    placeOf(r.targetAddress) + ", " + formatOf(r.targetPitch) + ", pitch " + (r.targetPitch & 0xffff));
  if (isBlit(r)) add("from", "slot " + field(r, "SOURCE") + ": " + sourceName(r) + ", " + hex(r.sourceAddress) + ", " +
    placeOf(r.sourceAddress) + ", " + formatOf(r.sourcePitch) + ", pitch " + (r.sourcePitch & 0xffff));
  const flags = isBlit(r) ? ["PREMULTIPLIED", "KEYED", "COLOURED", "TRUNCATED", "BY_256", "REVERSE", "TRANSPARENT",
    "BARRIER"].filter(f => field(r, f)) : [];
  add("mode", modeOf(r) + ", value " + hex(isBlit(r) ? field(r, "VALUE") : field(r, "COLOUR")) + (flags.length ? "; " +
    flags.join(", ") : ""));
  add("bytes", bytes(r.readLocal) + " read from local memory, " + bytes(r.readSystem) + " from system memory; " +
    bytes(r.writeLocal) + " written to local, " + bytes(r.writeSystem) +
    " to system memory, counted by units; a bus moves whole words");
  add("time", run.has_counters ? grouped(r.cycles) + " cycles" : "the golden model has no clock");
}

/* ---------------------------------------------------------------- which draws wrote this pixel */
function swatch(format, unit) {
  const [r, g, b] = colourOf(format, unit), box = document.createElement("span"), color = document.createElement("i");
  color.className = "swatch"; color.style.background = "rgb(" + r + "," + g + "," + b + ")";
  box.append(color, " " + hex(unit, 2 * unitBytes[format]));
  return box;
}
function fillHistory() {
  const table = at("step-history"), p = stepping.pixel, s = surfaces[stepping.surface];
  table.replaceChildren();
  if (!p) {
    at("step-pixel-said").textContent = "Click into the picture, or choose a pixel with the arrow keys.";
    return;
  }
  const list = historyOf(stepping.frame, stepping.surface, p.x, p.y), i = p.y * s.width + p.x;
  row(table, ["draw", "what", "from", "before", "after"], "th");
  for (const h of list) {
    const show = button(h.row.index + "", "show draw " + h.row.index, () => goTo(h.row.index));
    const unit = isBlit(h.row) ? sourceAt(h.row, p) : null;
    const texel = unit ? sourceName(h.row) + " at " + unit.x + ", " + unit.y : "";
    row(table, [show, modeOf(h.row), texel, swatch(s.format, h.before), swatch(s.format, h.after)]);
  }
  at("step-pixel-said").textContent = s.name + ", pixel " + p.x + ", " + p.y + ": " + (list.length ?
    list.filter(h => isDraw(h.row)).length + " draws wrote it." : "no draw of this frame wrote it.") +
    (isWrong(i) ? " At the end it is wrong: it should be " + hex(unitAt(stepping.frame.expected, s, i),
      2 * s.unit) + "." : "");
}
function choosePixel(x, y) {
  const s = surfaces[stepping.surface];
  stepping.pixel = { x: clamp(x, 0, s.width - 1), y: clamp(y, 0, s.height - 1) };
  showStep();
}
/* The next pixel that is not as it should be, and the draw that wrote it last. */
function nextWrong() {
  const frame = stepping.frame, shown = detailed[frame.index].surface;
  if (!frame.expected) return;
  stepping.surface = shown;
  const s = surfaces[shown], count = s.width * s.height, p = stepping.pixel;
  const from = p ? p.y * s.width + p.x + 1 : 0;
  for (let k = 0; k < count; k++) {
    const i = (from + k) % count;
    if (!isWrong(i)) continue;
    stepping.pixel = { x: i % s.width, y: Math.floor(i / s.width) };
    const list = historyOf(frame, shown, stepping.pixel.x, stepping.pixel.y);
    if (list.length) stepping.draw = list[list.length - 1].row.index;
    showStep();
    return;
  }
}

/* ---------------------------------------------------------------- all of it */
function showStep() {
  const r = chosen();
  at("step-draw").value = stepping.draw;
  at("step-surface").value = stepping.surface;
  at("step-look").value = stepping.look;
  drawStep(); fillList(); fillDetails(); fillHistory();
  at("step-said").textContent = "Frame " + detailed[stepping.frame.index].number + ", draw " + stepping.draw + " of " +
    stepping.frame.rows.length + (r && isDraw(r) ? ": " + modeOf(r) + " " + r.width + "×" + r.height + " into " +
    nameOfKnown(r.target) + (isBlit(r) ? " from " + sourceName(r) + ", read " + placeOf(r.sourceAddress)
      .replace(/^segment/, "from segment") : "") + "." : ".");
}
function goTo(draw) {
  const rows = stepping.frame.rows;
  stepping.draw = clamp(draw, 0, Math.max(rows.length - 1, 0));
  if (rows.length) stepping.surface = chosen().surface;
  showStep();
}
async function goToFrame(index) {
  const turn = ++stepping.turn, frame = await readFrame(clamp(index, 0, detailed.length - 1));
  if (turn != stepping.turn) return; /* the reader has gone on */
  const part = detailed[frame.index], shown = part.surface >= 0 ? part.surface : frame.rows.length ?
    frame.rows[frame.rows.length - 1].surface : 0;
  stepping.frame = frame;
  stepping.surface = shown;
  stepping.draw = Math.max(frame.rows.length - 1, 0);
  const s = surfaces[shown];
  if (stepping.pixel && (stepping.pixel.x >= s.width || stepping.pixel.y >= s.height)) stepping.pixel = null;
  frame.last = unitsBehind(frame, shown, frame.rows.length - 1);
  at("step-frame").value = frame.index;
  at("step-draw").max = stepping.draw;
  const used = [...new Set([shown, ...frame.rows.map(r => r.surface)])].sort((a, b) => a - b);
  at("step-surface").replaceChildren(...used.map(i => new Option(surfaces[i].name, i)));
  at("step-wrong").disabled = !frame.expected;
  if (!frame.expected && (stepping.look == "wrong" || stepping.look == "expected")) stepping.look = "picture";
  for (const option of at("step-look").options)
    option.disabled = (option.value == "wrong" || option.value == "expected") && !frame.expected;
  at("step-frame-said").textContent = (part.wrong ? "✗ " + grouped(part.wrong) + " pixels are not as they should be. " :
    "") + (part.later ? grouped(part.later) + " pixels were changed by something else than draws. " : "");
  showStep();
}
function listenSteps() {
  const by = (id, action) => { at(id).onclick = action; };
  by("step-frame-before", () => goToFrame(stepping.frame.index - 1));
  by("step-frame-after", () => goToFrame(stepping.frame.index + 1));
  by("step-before", () => goTo(stepping.draw - 1)); by("step-after", () => goTo(stepping.draw + 1));
  by("step-wrong", nextWrong);
  at("step-frame").onchange = () => goToFrame(+at("step-frame").value);
  at("step-draw").oninput = () => goTo(+at("step-draw").value);
  at("step-surface").onchange = () => {
    stepping.surface = +at("step-surface").value; stepping.pixel = null;
    showStep();
  };
  at("step-look").onchange = () => { stepping.look = at("step-look").value; showStep(); };
  const picture = at("step-picture");
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  picture.onclick = event => {
    const s = surfaces[stepping.surface], box = picture.getBoundingClientRect();
    choosePixel(Math.floor((event.clientX - box.left - picture.clientLeft) / picture.clientWidth * s.width),
      Math.floor((event.clientY - box.top - picture.clientTop) / picture.clientHeight * s.height));
  };
  picture.onkeydown = event => {
    const s = surfaces[stepping.surface], p = stepping.pixel || { x: s.width >> 1, y: s.height >> 1 };
    const move = keys[event.key], far = event.shiftKey ? 10 : 1;
    if (move) choosePixel(p.x + move[0] * far, p.y + move[1] * far);
    else if (event.key == "Escape") { stepping.pixel = null; showStep(); }
    else if (event.key == "," || event.key == ".") goTo(stepping.draw + (event.key == "." ? 1 : -1));
    else return;
    event.preventDefault();
  };
  at("step-list-box").onkeydown = event => {
    const to = { ArrowDown: stepping.draw + 1, ArrowUp: stepping.draw - 1, PageDown: stepping.draw + 20,
                 PageUp: stepping.draw - 20, Home: 0, End: Infinity }[event.key];
    if (to !== undefined) { goTo(to); event.preventDefault(); }
  };
}
/* The first frame, or the first that is wrong, is unpacked when it comes into view. */
let stepsReady = null;
function openSteps() {
  if (!stepsReady) stepsReady = goToFrame(Math.max(detailed.findIndex(f => f.wrong), 0));
  return stepsReady;
}
function startSteps() {
  at("steps").hidden = !detail;
  if (!detail) return;
  at("step-frame").append(...detailed.map((f, i) => new Option("frame " + f.number + (f.wrong ? " ✗" : ""), i)));
  at("step-range").textContent = "Here are frames " + detailed[0].number + " to " +
    detailed[detailed.length - 1].number + (detail.full ? "; the others up to " + detail.last +
    " did not fit into this page" : "") + " (--report-frames A..B).";
  listenSteps();
  document.body.classList.toggle("steps", location.hash == "#steps");
  if (location.hash == "#steps") openSteps().then(nextWrong);
  const seen = new IntersectionObserver(entries => { if (entries.some(e => e.isIntersecting)) openSteps(); });
  seen.observe(at("steps"));
}
