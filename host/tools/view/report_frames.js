/* SPDX-License-Identifier: Apache-2.0
 * Frame times: a bar per frame, from the picture before to its own, divided by what the render node did meanwhile, with
 * a line for the cycles that 60 frames a second allow at the clock that the reader chooses.
 */
const FRAMES_PER_SECOND = 60;
const frameParts = [ // in the order in which they are stacked; of the cycles of a sample
  ["draws", "--strong", s => s[5] - s[7]], ["waits for the paging node", "--dim", s => s[7]],
  ["waits for the firmware", "--bad", s => s[19]]];
/* Frames overlap, so the time of one is what passes between two pictures; of the first since its first submission. */
const frameTimes = run.frames.map((f, i) => {
  const from = i > 0 ? run.frames[i - 1][1] : f[0];
  const bound = run.has_counters ? run.frame_bounds[i] || 0 : 0;
  return { from, to: Math.max(f[1], from), bound, parts: [0, 0, 0], paging: 0, beats: [0, 0, 0] };
});
let firstSample = 0; /* both lists are in the order of time */
for (const t of frameTimes) {
  while (firstSample < run.samples.length && run.samples[firstSample][1] <= t.from) firstSample++;
  for (let k = firstSample; k < run.samples.length && run.samples[k][0] < t.to; k++) {
    const s = run.samples[k], share = (Math.min(s[1], t.to) - Math.max(s[0], t.from)) / Math.max(s[1] - s[0], 1);
    frameParts.forEach((part, p) => { t.parts[p] += share * Math.max(part[2](s), 0); });
    t.paging += share * s[11];
    for (let port = 0; port < 3; port++) t.beats[port] += share * s[2 + port] / 8;
  }
}
const clockMHz = () => +at("clock").value;
if (run.clock_hz) { // the chip's is chosen at first
  const placed = run.clock_hz / 1e6;
  if (![...at("clock").options].some(o => +o.value == placed)) at("clock").add(new Option(placed));
  at("clock").value = placed;
}
const milliseconds = cycles => (cycles / clockMHz() / 1000).toPrecision(3) + " ms";
/* How many times as long as the least for what the frame alone uses (bound_solve_frames, tools/bound/bound.h). */
const perBound = t => ((t.to - t.from) / t.bound).toFixed(2) + " ×";
let chosenFrame = -1;

function drawFrames() {
  const { g, width: full, height } = canvasOf("times", 190), width = full - LEFT - 4, count = frameTimes.length;
  if (!count) return;
  const bins = Math.min(count, Math.floor(width / 3)), base = height - 18, room = base - 12, ink = css("--ink");
  const budget = clockMHz() * 1e6 / FRAMES_PER_SECOND;
  const most = 1.05 * Math.max(budget, ...frameTimes.map(t => t.to - t.from), 1);
  for (let bin = 0; bin < bins; bin++) { // the longest of several where they are many
    const first = Math.floor(bin * count / bins), behind = Math.floor((bin + 1) * count / bins);
    let i = first;
    for (let k = first; k < behind; k++)
      if (frameTimes[k].to - frameTimes[k].from > frameTimes[i].to - frameTimes[i].from) i = k;
    const t = frameTimes[i], x = LEFT + bin * width / bins, w = Math.max(width / bins - (width / bins > 3 ? 1 : 0), 1);
    g.fillStyle = css("--line"); g.fillRect(x, base - (t.to - t.from) / most * room, w, (t.to - t.from) / most * room);
    let y = base;
    t.parts.forEach((cycles, p) => {
      const h = cycles / most * room;
      y -= h; g.fillStyle = css(frameParts[p][1]); g.fillRect(x, y, w, h);
    });
    if (t.bound) {
      g.strokeStyle = ink; g.lineWidth = 2;
      const line = base - t.bound / most * room, top = base - (t.to - t.from) / most * room;
      g.beginPath(); g.moveTo(x, line); g.lineTo(x + w, line); g.stroke();
      if (w > 34) { g.fillStyle = ink; g.fillText(perBound(t), x + 2, Math.max(top - 6, 6)); }
    }
    if (w > 26) { g.fillStyle = ink; g.fillText(i + run.first, x + 2, height - 8); }
    if (chosenFrame >= first && chosenFrame < behind) {
      g.strokeStyle = ink; g.lineWidth = 2; g.strokeRect(x - 1, 4, w + 2, height - 8);
    }
  }
  const y = base - budget / most * room;
  g.strokeStyle = ink; g.lineWidth = 1; g.setLineDash([4, 3]);
  g.beginPath(); g.moveTo(LEFT, y); g.lineTo(LEFT + width, y); g.stroke(); g.setLineDash([]);
  g.fillStyle = ink; g.fillText(FRAMES_PER_SECOND + " a second", 4, clamp(y, 14, base - 20));
  g.fillStyle = css("--dim"); g.fillText("up to " + milliseconds(most / 1.05), 4, base);
}
function sayTime(i) {
  chosenFrame = clamp(i, 0, frameTimes.length - 1);
  const t = frameTimes[chosenFrame];
  if (!t) return;
  const cycles = t.to - t.from, parts = run.has_counters ? frameParts.map(([name], p) =>
    name + " " + percent(t.parts[p], cycles)) : [], busiest = t.beats.indexOf(Math.max(...t.beats));
  const left = cycles - t.parts.reduce((a, b) => a + b, 0);
  at("times-said").textContent = "Frame " + (chosenFrame + run.first) + ": " + grouped(cycles) + " cycles, " +
    milliseconds(cycles) + " at " + clockMHz() + " MHz" + (cycles > 0 ? ", " +
    (clockMHz() * 1e6 / cycles).toFixed(1) + " a second" : "") + (t.bound ? "; " + perBound(t) + " its bound of " +
    grouped(t.bound) : "") + (run.has_counters ? ". The render node " +
    parts.join(", ") + ", has nothing queued " + percent(Math.max(left, 0), cycles) + "; the paging node is busy " +
    percent(t.paging, cycles) + "; the busiest port (" + lines[busiest][0].replace(" port", "") +
    ") carries data in " + percent(t.beats[busiest], cycles) + "." : ".");
  redraw();
}
function showTime(i) {
  const t = frameTimes[i];
  if (t) { look(t.from, t.to); at("map").focus(); }
}
function listenFrames() {
  const times = at("times");
  const under = x => Math.floor((x - LEFT) / (times.clientWidth - LEFT - 4) * frameTimes.length);
  times.onpointermove = event => sayTime(under(event.offsetX));
  times.onclick = event => { sayTime(under(event.offsetX)); showTime(chosenFrame); };
  times.onkeydown = event => {
    const todo = { ArrowLeft: () => sayTime(chosenFrame - 1), ArrowRight: () => sayTime(chosenFrame + 1),
                   Enter: () => showTime(chosenFrame) }[event.key];
    if (todo) { todo(); event.preventDefault(); }
  };
  at("clock").onchange = () => { if (chosenFrame >= 0) sayTime(chosenFrame); redraw(); };
}
