/* SPDX-License-Identifier: Apache-2.0
 * The script of the page of `tessera compare`: pictures and tables from `both`, which compare_page.c wrote before it.
 */
/* A figure of run.json: most are whole. */
const figure = n => Number.isInteger(n) ? grouped(n) : grouped(parseInt(n.toFixed(3))) + n.toFixed(3).slice(-4);
const signed = n => (n > 0 ? "+" : n < 0 ? "−" : "") + figure(Math.abs(n));
const EQUAL = 0, DIFFERENT = 1, MISSING = 2;
const outcomes = ["equal", "different", "not there in both", "of different sizes"];
/* both.frames: number, outcome, width, height, pixels, largest, left, top, right, bottom, cycles of A and B (-1: not
   known), pictures of A and B (indices, -1: none). */
const frames = both.frames.map(f => ({ number: f[0], outcome: f[1], width: f[2], height: f[3], pixels: f[4],
  largest: f[5], left: f[6], top: f[7], right: f[8], bottom: f[9], cycles: [f[10], f[11]], picture: [f[12], f[13]] }));
const isTimed = frames.some(f => f.cycles[0] >= 0 && f.cycles[1] >= 0);
const shown = { frame: 0, x: -1, y: -1, data: [null, null, null] };

/* ---------------------------------------------------------------- tables and lists */
function list(id, lines) {
  at(id).hidden = lines.length == 0;
  for (const text of lines) {
    const item = document.createElement("li");
    item.textContent = spaced(text);
    at(id).querySelector("ul").append(item);
  }
}
const known = n => n === null ? "–" : figure(n);
function fillGroup([name, rows]) {
  const different = rows.filter(r => r[1] !== r[2]);
  const box = document.createElement("details"), said = document.createElement("summary");
  const table = document.createElement("table"), wide = document.createElement("div");
  said.textContent = name + ": " + (different.length ? different.length + " of " + rows.length + " differ"
                                                     : "all " + rows.length + " are the same");
  box.open = different.length > 0 && name != "counters";
  row(table, ["", "A", "B", "change", ""], "th");
  const order = [...different].sort((a, b) => name.includes("function") ? Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1])
                                                                        : 0);
  for (const [label, a, b] of order) {
    const change = a === null || b === null ? null : b - a;
    const line = row(table, [label, known(a), known(b), change === null ? "" : signed(change),
      change === null || !a ? "" : (change > 0 ? "+" : "−") + Math.abs(100 * change / a).toFixed(2) + " %"]);
    [...line.cells].slice(1).forEach(cell => { cell.className = "n"; });
    if (change && (name.startsWith("cycles") || label.includes("cycle")) && !/works/.test(label))
      line.cells[3].classList.add(change > 0 ? "more" : "less");
  }
  wide.className = "wide"; wide.append(table);
  box.append(said, wide);
  at("groups").append(box);
}
function fillDecisions() {
  const [same, left, right] = both.decisions, table = at("decisions");
  at("decisions-shown").hidden = !left.length && !right.length;
  if (at("decisions-shown").hidden) return;
  row(table, ["", "A decides", "B decides"], "th");
  for (let i = 0; i < Math.max(left.length, right.length); i++)
    row(table, [grouped(same + i), left[i] || "–", right[i] || "–"]);
}

/* ---------------------------------------------------------------- frame times */
function canvasOf(canvas, height) {
  const scale = window.devicePixelRatio || 1, width = canvas.clientWidth || 1000;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale);
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.font = "11px system-ui, 'DejaVu Sans', sans-serif"; g.textBaseline = "middle";
  return { g, width, height };
}
function drawTimes() {
  if (!frames.length) return;
  const { g, width, height } = canvasOf(at("times"), isTimed ? 150 : 40), base = height - 16, room = base - 14;
  const most = Math.max(1, ...frames.map(f => Math.max(...f.cycles))), step = width / frames.length;
  frames.forEach((f, i) => {
    const bar = Math.max(step / 2 - 1, .5);
    f.cycles.forEach((cycles, side) => {
      const h = Math.max(cycles, 0) / most * room;
      g.fillStyle = css(side ? "--strong" : "--dim"); g.fillRect(i * step + side * step / 2, base - h, bar, h);
    });
    if (f.outcome != EQUAL) { g.fillStyle = css("--bad"); g.fillRect(i * step, 2, Math.max(step - 1, 1), 5); }
    if (step > 26) { g.fillStyle = css("--ink"); g.fillText(f.number, i * step + 2, height - 7); }
    if (i == shown.frame) {
      g.strokeStyle = css("--ink"); g.lineWidth = 2; g.strokeRect(i * step + 1, 1, Math.max(step - 2, 2), height - 2);
    }
  });
}

/* ---------------------------------------------------------------- pictures */
function decode(index) {
  return new Promise(done => {
    if (index < 0) { done(null); return; }
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
      const g = canvas.getContext("2d");
      g.drawImage(image, 0, 0);
      done(g.getImageData(0, 0, canvas.width, canvas.height));
    };
    image.onerror = () => done(null);
    image.src = "data:image/png;base64," + both.pictures[index];
  });
}
/* What is equal, faint; what differs, in a colour of its own, at least so strong that one level is seen. */
function difference(a, b) {
  if (!a || !b || a.width != b.width || a.height != b.height) return null;
  const out = new ImageData(a.width, a.height);
  for (let i = 0; i < a.data.length; i += 4) {
    const most = Math.max(...[0, 1, 2].map(k => Math.abs(a.data[i + k] - b.data[i + k])));
    const grey = 40 + (a.data[i] + a.data[i + 1] + a.data[i + 2]) / 12;
    out.data.set(most ? [128 + most / 2, 0, 128 + most / 2, 255] : [grey, grey, grey, 255], i);
  }
  return out;
}
function drawPictures() {
  const times = +at("scale").value;
  for (let k = 0; k < 3; k++) {
    const data = shown.data[k], picture = at("picture-" + k), lens = at("lens-" + k);
    picture.parentNode.hidden = !data; lens.parentNode.hidden = !data;
    if (!data) continue;
    picture.width = data.width; picture.height = data.height;
    const g = picture.getContext("2d");
    g.putImageData(data, 0, 0);
    const side = Math.floor(128 / times), half = side >> 1;
    g.strokeStyle = "#ff00ff"; g.lineWidth = Math.max(1, data.width / 320);
    g.strokeRect(shown.x - half - .5, shown.y - half - .5, side + 1, side + 1);
    lens.width = lens.height = side * 16;
    const small = document.createElement("canvas");
    small.width = data.width; small.height = data.height;
    small.getContext("2d").putImageData(data, 0, 0);
    const l = lens.getContext("2d");
    l.imageSmoothingEnabled = false;
    l.fillStyle = css("--panel"); l.fillRect(0, 0, lens.width, lens.height);
    l.drawImage(small, shown.x - half, shown.y - half, side, side, 0, 0, lens.width, lens.height);
    l.strokeStyle = "#ff00ff"; l.lineWidth = 2; l.strokeRect(half * 16, half * 16, 16, 16);
  }
  sayPixel();
}
const pixel = data => data && shown.x < data.width && shown.y < data.height ?
  [0, 1, 2].map(k => data.data[4 * (shown.y * data.width + shown.x) + k]) : null;
function sayPixel() {
  const [a, b] = shown.data.map(pixel);
  at("pixel-said").textContent = !a && !b ? "" : "Pixel " + shown.x + ", " + shown.y + ": A " +
    (a ? a.join(" ") : "none") + ", B " + (b ? b.join(" ") : "none") + (a && b ? ", difference " +
    a.map((n, k) => b[k] - n).join(" ") : "");
}
function point(x, y) {
  const data = shown.data[0] || shown.data[1];
  if (!data) return;
  shown.x = clamp(Math.round(x), 0, data.width - 1); shown.y = clamp(Math.round(y), 0, data.height - 1);
  drawPictures();
}
function toFirst() {
  const [a, b] = shown.data;
  if (shown.data[2])
    for (let i = 0; i < a.data.length; i += 4)
      if ([0, 1, 2].some(k => a.data[i + k] != b.data[i + k])) {
        point(i / 4 % a.width, Math.floor(i / 4 / a.width));
        return;
      }
  point(0, 0);
}
function sayFrame() {
  const f = frames[shown.frame], [a, b] = f.cycles;
  at("frame-said").textContent = "Frame " + f.number + ": the pictures are " + outcomes[f.outcome] +
    (f.outcome == DIFFERENT ?
      ", in " + grouped(f.pixels) + " of " + grouped(f.width * f.height) +
      " pixels, by up to " + f.largest + " of 255 levels, within " + f.left + "," + f.top + " to " + f.right + "," +
      f.bottom : "") + ". " + (a >= 0 && b >= 0 ? "A took " + grouped(a) + " cycles, B " + grouped(b) + ": " +
    signed(b - a) + (a > 0 ?
      ", " + (b < a ? "−" : "+") + Math.abs(100 * (b - a) / a).toFixed(1) + " %" : "") + "." : "") +
    (f.picture[0] < 0 && f.picture[1] < 0 && f.outcome != MISSING ? " It is not in this page, which " +
      "would be too long." : "");
}
async function show(index) {
  shown.frame = clamp(index, 0, frames.length - 1);
  const f = frames[shown.frame];
  if (!f) return;
  at("frame").value = shown.frame;
  const data = await Promise.all(f.picture.map(decode));
  shown.data = [data[0], data[1], difference(data[0], data[1])];
  at("pictures").hidden = !data[0] && !data[1];
  sayFrame();
  drawTimes();
  if (f.outcome == DIFFERENT) toFirst();
  else point(shown.x < 0 ? f.width >> 1 : shown.x, shown.y < 0 ? f.height >> 1 : shown.y);
}
function nextDifferent() {
  for (let k = 1; k <= frames.length; k++) {
    const i = (shown.frame + k) % frames.length;
    if (frames[i].outcome != EQUAL) return show(i);
  }
  return show(shown.frame);
}

/* ---------------------------------------------------------------- the page */
function listen() {
  at("before").onclick = () => show(shown.frame - 1);
  at("after").onclick = () => show(shown.frame + 1);
  at("frame").oninput = () => show(+at("frame").value);
  at("next").onclick = nextDifferent;
  at("scale").onchange = drawPictures;
  at("times").onclick = event => show(Math.floor(event.offsetX / at("times").clientWidth * frames.length));
  at("times").onkeydown = event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { show(shown.frame + step); event.preventDefault(); }
  };
  for (let k = 0; k < 3; k++) {
    const picture = at("picture-" + k);
    picture.onpointermove = picture.onclick = event => point(event.offsetX / picture.clientWidth * picture.width - .5,
      event.offsetY / picture.clientHeight * picture.height - .5);
    picture.onkeydown = event => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      const by = event.shiftKey ? 10 : 1;
      if (move) point(shown.x + by * move[0], shown.y + by * move[1]);
      else if (event.key == "Home") toFirst();
      else return;
      event.preventDefault();
    };
  }
  at("theme").onclick = () => theme(document.documentElement.dataset.theme == "dark" ? "light" : "dark");
  window.onresize = () => { drawTimes(); drawPictures(); };
}
function theme(name) {
  document.documentElement.dataset.theme = name;
  at("theme").textContent = name == "dark" ? "Light" : "Dark";
  drawTimes();
  drawPictures();
}
function fill() {
  at("verdict").textContent = both.verdict;
  at("verdict").classList.add(both.is_equal ? "good" : "bad");
  row(at("runs"), ["", "run", "what", "device", "local memory", "policy"], "th");
  both.runs.forEach((cells, side) => row(at("runs"), ["AB"[side], ...cells]));
  for (const id of ["settings", "cannot", "moved", "decided"]) list(id, both[id]);
  fillDecisions();
  both.groups.forEach(fillGroup);
  at("frames").hidden = !frames.length;
  at("frames-said").textContent = frames.filter(f => f.outcome == EQUAL).length + " of " + frames.length +
    " are equal, pixel for pixel.";
  at("frame").max = Math.max(frames.length - 1, 0);
}
fill();
listen();
theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const ready = frames.length ? (frames.some(f => f.outcome != EQUAL) ? (shown.frame = -1, nextDifferent()) : show(0))
                            : Promise.resolve();
