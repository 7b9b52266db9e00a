/* SPDX-License-Identifier: Apache-2.0
 * Frame pacing: a bar per flip that the display showed, from the one before to its own, and vertical blanks between.
 */
const rawBlanks = words(run.blanks), blanks = [], shown = [];
for (let i = 0; i < rawBlanks.length; i += 2) {
  const cycle = rawBlanks[i] * U, late = rawBlanks[i + 1] - 1;
  if (late < 0) blanks.push(cycle); else shown.push({ cycle, late, blanks: blanks.length });
}
/* From one blank to the next: the middle of all. */
const blankGaps = blanks.slice(1).map((cycle, i) => cycle - blanks[i]).sort((a, b) => a - b);
const blankPeriod = blankGaps.length ? blankGaps[blankGaps.length >> 1] : 0;
const paces = shown.slice(1).map((s, i) => ({ number: i + 1, from: shown[i].cycle, to: s.cycle, late: s.late,
                                              blanks: s.blanks - shown[i].blanks }));
const lateFlips = shown.filter(s => s.late > 0).length;
let chosenPace = -1;

function drawPaces() {
  if (!paces.length) return;
  const { g, width: full, height } = canvasOf("pace", 140), width = full - LEFT - 4, count = paces.length;
  const bins = Math.min(count, Math.floor(width / 3)), base = height - 18, room = base - 12, ink = css("--ink");
  const most = 1.05 * Math.max(2 * blankPeriod, ...paces.map(p => p.to - p.from), 1);
  for (let bin = 0; bin < bins; bin++) { // the longest of several where they are many
    const first = Math.floor(bin * count / bins), behind = Math.floor((bin + 1) * count / bins);
    const some = paces.slice(first, behind), long = Math.max(...some.map(p => p.to - p.from));
    const x = LEFT + bin * width / bins, w = Math.max(width / bins - (width / bins > 3 ? 1 : 0), 1);
    g.fillStyle = css(some.some(p => p.late) ? "--bad" : "--strong");
    g.fillRect(x, base - long / most * room, w, long / most * room);
    if (w > 26) { g.fillStyle = ink; g.fillText(paces[first].number, x + 2, height - 8); }
    if (chosenPace >= first && chosenPace < behind) {
      g.strokeStyle = ink; g.lineWidth = 2; g.strokeRect(x - 1, 4, w + 2, height - 8);
    }
  }
  g.strokeStyle = ink; g.lineWidth = 1; g.setLineDash([4, 3]); g.fillStyle = ink;
  for (const many of [1, 2]) {
    const y = base - many * blankPeriod / most * room;
    if (!blankPeriod) break;
    g.beginPath(); g.moveTo(LEFT, y); g.lineTo(LEFT + width, y); g.stroke();
    g.fillText(many + (many > 1 ? " blanks" : " blank"), 4, y);
  }
  g.setLineDash([]);
}
function sayPace(i) {
  chosenPace = clamp(i, 0, paces.length - 1);
  const p = paces[chosenPace];
  if (!p) return;
  at("pace-said").textContent = "Flip " + p.number + ": shown at cycle " + grouped(p.to) + ", " +
    grouped(p.to - p.from) + " cycles (" + p.blanks + (p.blanks == 1 ? " blank" : " blanks") + " of " +
    grouped(blankPeriod) + ") after the one before. " + (p.late ? "Missed its deadline by " + p.late +
    (p.late == 1 ? " frame." : " frames.") : "At the frame that it asked for.") + " Of " + shown.length +
    " flips " + lateFlips + " missed their deadline.";
  redraw();
}
function listenPaces() {
  at("pacing").hidden = !run.has_clock || !paces.length;
  const pace = at("pace"), under = x => Math.floor((x - LEFT) / (pace.clientWidth - LEFT - 4) * paces.length);
  const show = () => { const p = paces[chosenPace]; if (p) { look(p.from, p.to); at("map").focus(); } };
  pace.onpointermove = event => sayPace(under(event.offsetX));
  pace.onclick = event => { sayPace(under(event.offsetX)); show(); };
  pace.onkeydown = event => {
    const todo = { ArrowLeft: () => sayPace(chosenPace - 1), ArrowRight: () => sayPace(chosenPace + 1),
                   Enter: show }[event.key];
    if (todo) { todo(); event.preventDefault(); }
  };
}
