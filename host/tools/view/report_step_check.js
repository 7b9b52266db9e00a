/* SPDX-License-Identifier: Apache-2.0
 * The part of the page's own test that steps through frames, and what report.html#history says.
 */
const pixelsOf = id => at(id).getContext("2d").getImageData(0, 0, at(id).width, at(id).height).data;
const differs = (a, b) => a.length != b.length || a.some((n, i) => n != b[i]);
const CHECKED = 6; // frames
/* The frame's picture file beside what its draws have left: how many pixels differ. */
async function unlikePicture(frame) {
  const number = detailed[frame.index].number, picture = pictures.find(p => p[0] == number);
  if (!picture) return 0;
  const image = new Image(), canvas = document.createElement("canvas"), s = surfaces[detailed[frame.index].surface];
  image.src = "data:image/png;base64," + picture[1];
  await image.decode();
  canvas.width = s.width; canvas.height = s.height;
  const g = canvas.getContext("2d");
  g.drawImage(image, 0, 0);
  const file = g.getImageData(0, 0, s.width, s.height).data;
  let count = 0;
  for (let i = 0; i < s.width * s.height; i += 3) {
    const [r, g2, b] = colourOf(s.format, unitAt(frame.last, s, i));
    count += file[4 * i] != r || file[4 * i + 1] != g2 || file[4 * i + 2] != b;
  }
  return count;
}
/* Units that a copy left and that are not its texture's, where a map by plain division finds them. What a filter makes
 * is no unit of it. */
function unlikeTexture(row) {
  const t = textures[row.texture], s = surfaces[row.surface], read = readBy(row);
  if (!isBlit(row) || !t || t.format != s.format || detail.modes[field(row, "MODE")] != "COPY" ||
      field(row, "COLOURED") || field(row, "BILINEAR")) return 0;
  const along = (name, x, y, first, count) => {
    const at = Math.floor((field(row, name) + x * field(row, name + "_X") + y * field(row, name + "_Y")) / 65536);
    return first + (field(row, "REPEAT") ? at - count * Math.floor(at / count) : clamp(at, 0, count - 1));
  };
  let count = 0;
  for (let i = 0; i < row.width * row.height; i += 3) {
    const x = i % row.width, y = Math.floor(i / row.width);
    if (row.written && !hasBit(row.written, i)) continue;
    const column = isAffine(row) ? along("U", x, y, read.x, read.w) : read.x + x;
    const line = isAffine(row) ? along("V", x, y, read.y, read.h) : read.y + y;
    for (let b = 0; b < s.unit; b++)
      count += t.units[line * t.pitch + column * s.unit + b] != row.after[i * s.unit + b];
  }
  return count;
}
async function checkPictures(check) {
  let whole = 0, unlike = 0, unwritten = 0, otherwise = 0;
  for (let i = 0; i < detailed.length && i < CHECKED; i++) {
    await goToFrame(i);
    whole += stepping.frame.isWhole;
    unlike += await unlikePicture(stepping.frame) > 0;
    for (const r of stepping.frame.rows) {
      unwritten += r.left + r.width > surfaces[r.surface].width || r.top + r.height > surfaces[r.surface].height;
      otherwise += unlikeTexture(r) > 0;
    }
  }
  check(whole == Math.min(detailed.length, CHECKED), "all bytes of a frame are its draws'");
  check(unlike == 0, "after its last draw a frame is the picture that the host has read");
  check(unwritten == 0, "every draw lies in its surface");
  check(otherwise == 0, "what a copy left is its texture's");
}
/* By hand: what each draw changes has to be what the pictures before and after it differ in, where it wrote. */
function checkHistory(check) {
  const frame = stepping.frame, index = stepping.surface, s = surfaces[index];
  let wrongOrder = 0, unseen = 0, tried = 0;
  for (let k = 0; k < 12; k++) {
    const x = k * 37 % s.width, y = k * 53 % s.height, list = historyOf(frame, index, x, y);
    const pixel = last => unitAt(unitsBehind(frame, index, last), s, y * s.width + x);
    for (const h of list.slice(-3)) {
      tried++;
      wrongOrder += pixel(h.row.index) != h.after || pixel(h.row.index - 1) != h.before;
    }
    unseen += list.length > 0 && list[list.length - 1].after != pixel(frame.rows.length - 1);
  }
  check(wrongOrder == 0 && unseen == 0 && (tried > 0 || frame.rows.length == 0),
    "the colours before and after a draw are those of the pictures");
}
async function checkSteps(check, key) {
  check(at("steps").hidden == !detail, "steps are shown if there are any");
  if (!detail) return;
  await openSteps();
  await checkPictures(check);
  await goToFrame(0);
  const frame = stepping.frame, rows = frame.rows;
  check(rows.length == detailed[0].rows && at("step-frame").options.length == detailed.length, "every draw is there");
  if (!rows.some(isDraw)) return;
  const said = () => at("step-said").textContent, last = said(), end = pixelsOf("step-picture");
  key("step-list-box", "Home");
  check(stepping.draw == 0 && said() != last && differs(pixelsOf("step-picture"), end), "the first draw by key");
  key("step-list-box", "ArrowDown");
  check(stepping.draw == Math.min(1, rows.length - 1) && at("step-list").querySelectorAll(".chosen").length == 1,
    "the next draw is marked in the list");
  at("step-after").click(); at("step-before").click();
  check(stepping.draw == Math.min(1, rows.length - 1), "and by button");
  const draw = rows.findLastIndex(r => isDraw(r) && r.surface == detailed[0].surface);
  goTo(draw);
  check(at("step-details").rows.length >= 5 && at("step-details").textContent.includes(hex(rows[draw].words[0])),
    "the words of the packet");
  const blit = rows.find(isBlit);
  if (blit) {
    goTo(blit.index);
    check(!at("step-texture").hidden && at("step-texture").width > 0 &&
      new Set(pixelsOf("step-texture")).size > 1, "its texture");
    goTo(draw);
  }
  const r = rows[draw], plain = pixelsOf("step-picture");
  choosePixel(r.left, r.top);
  check(differs(pixelsOf("step-picture"), plain), "a pixel is marked");
  if (wrote(r, r.left, r.top)) check([...at("step-history").querySelectorAll("button")].some(b =>
    b.textContent == r.index + ""), "the draw is among those that wrote it");
  key("step-picture", "ArrowRight");
  check(stepping.pixel.x == Math.min(r.left + 1, surfaces[stepping.surface].width - 1), "the next pixel by key");
  checkHistory(check);
  for (const look of ["writes", "bytes"]) {
    at("step-look").value = look; at("step-look").onchange();
    check(at("step-heat").textContent.includes("on average") && differs(pixelsOf("step-picture"), end),
      "heat: " + look);
  }
  const sums = burden(frame, stepping.surface, false);
  check(sums.reduce((a, b) => a + b, 0) >= rows.filter(q => isDraw(q) && !q.written && q.surface == stepping.surface)
    .reduce((a, q) => a + q.width * q.height, 0), "every write is counted");
  at("step-look").value = "picture"; at("step-look").onchange();
  key("step-picture", "Escape");
  check(stepping.pixel == null && at("step-history").rows.length == 0, "no pixel");
  at("step-frame-after").click(); at("step-frame-after").onclick();
  await goToFrame(Math.min(1, detailed.length - 1));
  check(stepping.frame.index == Math.min(1, detailed.length - 1), "another frame");
  await checkWrong(check);
}
async function checkWrong(check) {
  const wrong = detailed.findIndex(f => f.wrong);
  check(run.is_good ? wrong < 0 : true, "no frame of a good run is wrong");
  if (wrong < 0) return;
  await goToFrame(wrong);
  at("step-wrong").click();
  const list = historyOf(stepping.frame, stepping.surface, stepping.pixel.x, stepping.pixel.y);
  check(/it should be 0x/.test(at("step-pixel-said").textContent), "a wrong pixel says what it should be");
  check(!list.length || stepping.draw == list[list.length - 1].row.index, "the draw that wrote it last is chosen");
}
/* Lines "FRAME X Y: BEFORE>AFTER ...": for each draw that wrote the pixel, the units as the surface has them. */
async function sayHistory(wanted) {
  const lines = [];
  for (const [, number, points] of wanted.matchAll(/(\d+):([\d,;]+)/g)) {
    await goToFrame(detailed.findIndex(f => f.number == +number));
    for (const [, x, y] of points.matchAll(/(\d+),(\d+)/g)) {
      const list = historyOf(stepping.frame, stepping.surface, +x, +y).filter(h => isDraw(h.row));
      lines.push([number, x, y].join(" ") + ":" + list.map(h => " " + h.before.toString(16) + ">" +
        h.after.toString(16)).join(""));
    }
  }
  at("check").textContent = lines.join("\n");
  at("check").hidden = false;
}
if (location.hash.startsWith("#history=")) window.addEventListener("load", () =>
  openSteps().then(() => sayHistory(location.hash.slice(9))));
