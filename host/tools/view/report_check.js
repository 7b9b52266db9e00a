/* SPDX-License-Identifier: Apache-2.0
 * The page's own test, run by report.html#check in a real browser: every control is worked as a user would, and what it
 * shows is held against the data. The result stands at the end of the page: lines "ok" and "FAIL", then the sum.
 */
function checkFrames(check, key, image, whole) {
  check(frameTimes.length == run.frames.length && frameTimes.every((t, i) => t.to >= t.from &&
    (i == 0 || t.from == Math.max(run.frames[i - 1][1], 0))), "frame times follow one another");
  const over = frameTimes.filter(t => t.parts.reduce((a, b) => a + b, 0) > (t.to - t.from) * 1.02 + 64);
  check(over.length == 0, "what a frame's time went to is no more than its time");
  if (run.has_counters) check(frameTimes.some(t => t.parts.some(n => n > 0)), "it went to something");
  const bounds = frameTimes.map(t => t.bound), all = frameTimes.reduce((a, t) => a + t.to - t.from, 0);
  check(bounds.reduce((a, b) => a + b, 0) <= all, "the frames' bounds together are no more than their time");
  check(at("frames").rows[0].cells.length == (bounds.some(n => n > 0) ? 5 : run.has_clock ? 3 : 2),
    "bounds are in the table, if there are any");
  check(at("timing").hidden == !run.has_clock, "frame times are of a device that has a clock");
  if (!frameTimes.length || !run.has_clock) return;
  check(!run.clock_hz || clockMHz() * 1e6 == run.clock_hz, "the clock at which the chip is placed is chosen");
  key("map", "Home");
  key("times", "ArrowRight");
  const said = () => at("times-said").textContent, slow = said(), picture = image("times");
  check(chosenFrame == 0 && slow.startsWith("Frame " + run.first + ": " + grouped(frameTimes[0].to -
    frameTimes[0].from)), "a frame's time by key");
  at("clock").value = "100";
  at("clock").onchange();
  check(said() != slow && said().includes("100 MHz") && image("times") != picture, "another clock");
  at("clock").value = "50";
  at("clock").onchange();
  key("times", "Enter");
  const t = frameTimes[0];
  check(Math.abs(view.from - t.from) < 65 && (view.to - view.from < whole || run.frames.length == 1),
    "its time in the picture");
  key("map", "Home");
}
function checkPaces(check, key, image, whole) {
  const counted = run.summary.find(line => line[0] == "flips shown");
  check(at("pacing").hidden == !(run.has_clock && shown.length > 1), "frame pacing is of flips that a clock timed");
  check(rawBlanks.length % 2 == 0 && shown.every((s, i) => i == 0 || s.cycle >= shown[i - 1].cycle),
    "flips are in the order of time");
  if (counted) check(+counted[1].replace(/\D/g, "") == shown.length, "every flip that the device counted is there");
  if (counted) check(parseInt(counted[2]) == lateFlips, "so is every missed deadline");
  if (at("pacing").hidden) return;
  check(blankPeriod > 0 && paces.every(p => p.blanks > 0), "a blank or more lies between two flips");
  const said = () => at("pace-said").textContent, before = image("pace");
  key("pace", "ArrowRight");
  check(chosenPace == 0 && said().startsWith("Flip 1: shown at cycle " + grouped(paces[0].to)) &&
    image("pace") != before, "a flip by key");
  check(said().includes("Missed") == (paces[0].late > 0), "its deadline");
  key("pace", "Enter");
  check(Math.abs(view.from - paces[0].from) < 65 && (view.to - view.from < whole), "its time in the picture below");
  key("map", "Home");
}
function checkLooks(check) {
  const cells = id => [...at(id).querySelectorAll("td")].map(cell => cell.textContent);
  check(["summary", "frames", "functions", "decisions"].every(id => !cells(id).some(text =>
    /(^|[^\w.])\d{5,}($|[^\w.])/.test(text))), "numbers are grouped");
  check(spaced("12345 of 1234 at 0x12345678, 98765432") == "12 345 of 1234 at 0x12345678, 98 765 432",
    "and nothing else is");
  check(!cells("functions").some(text => /\.(constprop|lto_priv|part|isra)/.test(text)), "functions have their names");
  check([...document.querySelectorAll("td")].every(cell => !/^[\d.]+ %$/.test(cell.textContent) ||
    cell.className == "n"), "a share is not torn from its sign");
  const shown = splitsShown().length;
  if (splits.length > 1)
    check(areSplitsMany(shown, 1) && !areSplitsMany(shown, 1e9), "many splits become a band, few are lines");
}
function runCheck() {
  const lines = [], check = (good, what) => lines.push((good ? "ok    " : "FAIL  ") + what);
  const key = (id, name) => at(id).dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
  const span = () => view.to - view.from;
  const pixels = id => {
    const canvas = at(id), data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4 * 7) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    return seen.size;
  };
  const image = id => { draw(); return at(id).toDataURL(); };

  check(document.title == run.title && at("verdict").textContent.includes(run.verdict), "title and verdict are shown");
  check(at("summary").rows.length == run.summary.length, "every line of the summary is shown");
  check(at("frames").rows.length == run.frames.length + 1, "every frame is in the table");
  check(at("decisions").rows.length == run.decisions.length + 1, "every slow decision is in the table");
  check(at("functions").rows.length == (run.functions.length ? run.functions.length + 1 : 0), "so is every function");
  check(at("traffic").rows.length >= 7, "every cause of traffic is shown");
  check(raw.length == 5 * stayCount && stayCount > 0, "the stays decode");
  check(rawSplits.length % 3 == 0 && run.cycles > 0, "so do the splits");

  let wrong = 0, evictions = 0;
  for (let i = 0; i < stayCount; i++) {
    const s = stay(i), segment = run.segments.find(x => x[0] == s.segment);
    if (!segment || s.page + s.pages > segment[1] || s.pages == 0 || s.end < s.begin || s.end > end + U ||
        !(s.known in run.names)) wrong++;
    evictions += s.how == 1;
  }
  check(wrong == 0, "every stay lies in its segment, has a name and ends after it begins");
  check(run.cut || evictions > 0 || !run.jobs.some(j => j[7] > 0), "evictions are marked");

  draw();
  for (const id of ["map", "jobs", ...(run.has_clock ? ["times"] : []), ...(run.has_counters ? ["bus"] : [])])
    check(pixels(id) > 3, "the picture '" + id + "' is drawn");
  const whole = span();
  at("in").click();
  check(span() < whole * 0.51, "zoom in");
  const from = view.from;
  at("right").click();
  check(view.from > from, "later");
  at("left").click();
  check(Math.abs(view.from - from) < 2, "earlier");
  at("out").click();
  check(span() > whole * 0.99, "zoom out");
  key("map", "+"); key("map", "+");
  check(span() < whole * 0.26, "zoom by key");
  key("map", "ArrowRight");
  const later = view.from;
  key("map", "ArrowLeft");
  check(view.from < later, "pan by key");
  key("map", "Home");
  check(span() == whole, "all by key");

  const middle = stay(stayCount >> 1);
  look(middle.begin, middle.end);
  draw();
  const width = at("map").clientWidth - LEFT - 4, panel = panels.find(p => p.segment == middle.segment);
  const x = LEFT + xOf((middle.begin + middle.end) / 2, width);
  const y = panel.y + (middle.page + middle.pages / 2) / panel.pages * panel.h;
  const found = hit(x, y);
  check(found >= 0 && stay(found).known == middle.known && stay(found).page == middle.page,
    "what lies under the pointer is found");
  key("map", "Home");
  key("map", "ArrowDown");
  check(view.selected == 0 && at("map-said").textContent.includes(nameOf(stay(0).known)),
    "the first allocation by key");
  const plain = image("map");
  key("map", "ArrowDown");
  check(stayCount < 2 || (view.selected == 1 && image("map") != plain), "the next one is marked in the picture");
  key("map", "Enter");
  check(span() < whole || stay(view.selected).end - stay(view.selected).begin > whole / 2, "zoom to it");
  key("map", "Escape");
  check(view.selected < 0, "nothing selected");
  key("map", "Home");
  at("find").value = nameOf(middle.known);
  at("find").onchange();
  check(nameOf(view.known) == nameOf(middle.known) && /resident \d+ times/.test(at("map-said").textContent), "find");
  at("find").value = "no such allocation";
  at("find").onchange();
  check(view.known < 0 && at("map-said").textContent.includes("No allocation"), "find what is not there");

  key("map", "Home");
  if (splits.length) {
    const shown = image("map");
    at("splits").click();
    check(image("map") != shown, "splits can be hidden");
    at("splits").click();
    at("in").click(); view.from = 0; look(0, whole / 8);
    at("split-after").click();
    check(/Split of DMA buffer/.test(at("map-said").textContent), "the next split");
  }
  if (run.segments.length > 1) {
    const shown = image("map");
    at("segment").value = run.segments[1][0];
    at("segment").onchange();
    check(image("map") != shown && panels.length == 1, "one segment alone");
    at("segment").value = 0;
    at("segment").onchange();
  }
  key("map", "Home"); draw();
  check(at("work").hidden == !run.has_counters, "what the nodes wait for is shown if they wait");
  if (run.samples.length && run.has_counters) {
    sayBus(LEFT + 150);
    const said = run.has_clock ? /Cycles .*firmware/ : /firmware/;
    check(said.test(at("bus-said").textContent), "the use of the ports at the pointer");
  }
  if (run.jobs.length) {
    key("jobs", "ArrowRight");
    check(chosenJob == 0 && at("jobs-said").textContent.includes(jobText(0)), "a DMA buffer by key");
    key("jobs", "Enter");
    check(span() < whole || run.jobs.length == 1, "its time in the picture");
  }
  checkFrames(check, key, image, whole);
  checkPaces(check, key, image, whole);
  checkLooks(check);
  checkWhy(check, key);
  const before = document.documentElement.dataset.theme, light = image("map");
  at("theme").click();
  check(document.documentElement.dataset.theme != before && image("map") != light, "light and dark");
  at("theme").click();
  const column = i => [...at("decisions").rows].slice(1).map(r => +r.cells[i].textContent.replace(/\D/g, ""));
  const evictionsAt = run.has_clock ? 2 : 1;
  at("decisions").querySelectorAll("th button")[evictionsAt].click();
  check(column(evictionsAt).every((n, i, list) => i == 0 || list[i - 1] >= n), "decisions sorted by evictions");
  at("decisions").querySelectorAll("th button")[0].click();
  check(column(0).every((n, i, list) => i == 0 || list[i - 1] >= n), "and by cycles");
  key("map", "Home");
  const button = at("decisions").querySelector("td button");
  if (button) { button.click(); check(span() < whole && document.activeElement == at("map"), "a decision is shown"); }
  check([...document.querySelectorAll("button,input,select,canvas")].every(e => e.tabIndex >= 0),
    "the keyboard gets to all");
  check([...document.querySelectorAll("button,input,canvas,img")].every(e => (e.textContent || "").trim() || e.alt ||
    e.getAttribute("aria-label") || e.closest("label")), "every control has a name");

  check(at("frames").rows[1].cells[0].textContent == grouped(run.first),
    "frames are counted from the first one of the run");
  showFrame(pictures.length - 1);
  check(!pictures.length || (at("frame-said").textContent.includes("Frame " + pictures[pictures.length - 1][0]) &&
    at("picture").src.length > 100), "the last picture");
  key("map", "Home");
  return at("picture").decode().catch(() => 0).then(() => {
    check(!pictures.length || at("picture").naturalWidth > 0, "a picture decodes");
    showFrame(0);
    return checkSteps(check, key);
  }).then(() => {
    const failed = lines.filter(l => l.startsWith("FAIL")).length;
    const passed = lines.length - failed;
    lines.push("page shown after " + Math.round(window.shownAfter) + " ms", passed + " passed, " + failed + " failed");
    at("check").textContent = lines.join("\n");
    at("check").hidden = false;
  });
}
window.shownAfter = performance.now();
if (location.hash == "#check") window.addEventListener("load", () => runCheck().catch(error => {
  at("check").textContent = "FAIL  " + error.stack + "\n0 passed, 1 failed";
  at("check").hidden = false;
}));
