/* SPDX-License-Identifier: Apache-2.0
 * The page's own test, run by compare.html#check in a real browser: every control is worked as a user would, and what
 * it shows is held against the data. The result stands at the end of the page.
 */
const seen = id => at(id).toDataURL();
async function checkPictures(check, key) {
  const f = frames[shown.frame], [a, b, apart] = shown.data;
  if (!a || !b) return;
  let pixels = 0, most = 0, first = -1;
  for (let i = 0; i < a.data.length; i += 4) {
    const by = Math.max(...[0, 1, 2].map(k => Math.abs(a.data[i + k] - b.data[i + k])));
    if (by && first < 0) first = i / 4;
    pixels += by > 0; most = Math.max(most, by);
  }
  check(pixels == f.pixels && most == f.largest, "the browser sees the difference that was counted");
  check((f.outcome == DIFFERENT) == pixels > 0, "and the same verdict");
  check(!!apart && at("picture-2").width == f.width && at("picture-2").height == f.height,
    "a picture of the difference");
  if (first >= 0) {
    key("picture-0", "Home");
    check(shown.x == first % a.width && shown.y == Math.floor(first / a.width), "Home goes to the first difference");
    check(at("pixel-said").textContent.includes("difference") && !at("pixel-said").textContent.endsWith(" 0 0 0"),
      "whose colours are said");
  }
  point(a.width >> 1, a.height >> 1);
  const lens = seen("lens-0"), said = at("pixel-said").textContent, x = shown.x;
  key("picture-1", "ArrowRight");
  check(shown.x == x + 1 && at("pixel-said").textContent != said, "a pixel further by key");
  for (let i = 0; i < 40; i++) key("picture-1", "ArrowDown");
  check(seen("lens-0") != lens, "the magnifier follows");
  const eight = at("lens-0").width;
  at("scale").value = "4"; at("scale").onchange();
  check(at("lens-0").width > eight, "another magnification");
  at("scale").value = "8"; at("scale").onchange();
  for (let i = 0; i < 3 * a.width; i += 10)
    at("picture-2").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, cancelable: true }));
  check(shown.x == 0, "Shift goes by ten, and not past the edge");
  check(["lens-0", "lens-1", "lens-2"].every(id => at(id).width == at("lens-0").width), "three alike");
}
async function runCheck() {
  const lines = [], check = (good, what) => lines.push((good ? "ok    " : "FAIL  ") + what);
  const key = (id, name) => at(id).dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  await ready;
  check(at("verdict").textContent == both.verdict && both.verdict.length > 10, "the verdict is shown");
  check(at("runs").rows.length == 3, "both runs are named");
  for (const id of ["settings", "cannot", "moved", "decided"])
    check(at(id).querySelectorAll("li").length == both[id].length && at(id).hidden == (both[id].length == 0),
      "every line of: " + id);
  check(document.querySelectorAll("#groups details").length == both.groups.length, "every group has its table");
  const cells = [...document.querySelectorAll("td, li")].map(cell => cell.textContent);
  check(!cells.some(text => /(^|[^\w.])\d{5,}($|[^\w.]|\.\D|\.$)/.test(text)), "numbers are grouped");
  check(grouped(1234567) == "1 234 567" && figure(12345.5) == "12 345.500" && signed(-5) == "−5", "and rightly so");
  const wrong = [...document.querySelectorAll("#groups tr")].filter(line =>
    line.cells[3] && line.cells[3].textContent &&
    line.cells[3].tagName == "TD").filter(line => {
      const number = k => +line.cells[k].textContent.replace(/ /g, "").replace("−", "-");
      return Math.abs(number(2) - number(1) - number(3)) > .0021;
    });
  check(wrong.length == 0, "every change is the difference of its numbers");
  check(document.documentElement.scrollWidth <= window.innerWidth, "nothing is wider than the window");
  const name = document.documentElement.dataset.theme, back = css("--back");
  at("theme").onclick();
  check(document.documentElement.dataset.theme != name && css("--back") != back, "another theme");
  at("theme").onclick();
  if (frames.length) {
    const differ = frames.filter(f => f.outcome != EQUAL).length;
    check(at("frames-said").textContent.startsWith(frames.length - differ + " of " + frames.length),
      "frames are counted");
    if (differ) check(frames[shown.frame].outcome != EQUAL, "the first different picture is shown first");
    await checkPictures(check, key);
    await show(0);
    const said = at("frame-said").textContent, picture = seen("times");
    check(said.startsWith("Frame " + frames[0].number + ":"), "a frame is told of");
    await show(frames.length - 1);
    check(frames.length == 1 || (at("frame-said").textContent != said && seen("times") != picture), "so is another");
    key("times", "ArrowLeft");
    check(shown.frame == Math.max(frames.length - 2, 0), "the one before by key");
    if (isTimed) check(at("times").height >= 150, "times are drawn");
  }
  const failed = lines.filter(l => l.startsWith("FAIL")).length;
  lines.push(lines.length - failed + " passed, " + failed + " failed");
  at("check").textContent = lines.join("\n");
  at("check").hidden = false;
}
if (location.hash == "#check") window.addEventListener("load", () => runCheck().catch(error => {
  at("check").textContent = "FAIL  " + error.stack + "\n0 passed, 1 failed";
  at("check").hidden = false;
}));
