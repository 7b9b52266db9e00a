/* SPDX-License-Identifier: Apache-2.0
 * The page's own test, run by #check: every control is worked as a reader would, and what is shown is held against what
 * the machine says. The result stands at the end of the page: lines "ok" and "FAIL", then the sum. #check=quick leaves
 * out what takes long: exercises and tour.
 */
const shownState = () => { const { id, type, picture, known, found, ...rest } = M.state; return JSON.stringify(rest,
  (name, value) => ["came", "sentences", "entries", "patches", "pixels"].includes(name) ? undefined : value); };
const settled = async () => {
  let before;
  do {
    before = [knobsAt, tourMoves, checkerAt];
    await Promise.allSettled(before);
    await new Promise(done => setTimeout(done, 20));
  } while (before[0] != knobsAt || before[1] != tourMoves || before[2] != checkerAt);
};
const press = (id, key, more) => at(id).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true,
  cancelable: true, ...more }));
const until = async (what, milliseconds) => {
  for (const end = performance.now() + milliseconds; !what() && performance.now() < end;)
    await new Promise(done => setTimeout(done, 10));
  return what();
};
/* A control is given a value as by hand, and the machine is waited for. */
async function setKnob(id, value) {
  const control = at(id);
  if (control.type == "checkbox") control.checked = value; else control.value = value;
  const before = knobsAt;
  control.dispatchEvent(new Event(control.type == "range" ? "input" : "change"));
  await until(() => knobsAt != before, 2000);
  return knobsAt;
}
/* ---------------------------------------------------------------- contrast, by WCAG 2 */
function luminance(colour) {
  const canvas = document.createElement("canvas"), g = canvas.getContext("2d");
  canvas.width = canvas.height = 1; g.fillStyle = colour; g.fillRect(0, 0, 1, 1);
  const [r, gr, b] = [...g.getImageData(0, 0, 1, 1).data].slice(0, 3).map(n => n / 255)
    .map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * gr + 0.0722 * b;
}
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
function checkContrast(check) {
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    const text = ["--text", "--dim", "--strong", "--good", "--bad"], backs = ["--panel", "--back", "--empty"];
    const pairs = text.flatMap(a => backs.map(b => [a, b])).concat([["--on-strong", "--strong"], ["--text", "--soft"],
      ["--strong", "--soft"]]);
    const worst = pairs.map(([a, b]) => [contrast(css(a), css(b)), a + " on " + b]).sort((x, y) => x[0] - y[0])[0];
    check(worst[0] >= 4.5, theme + ": text is readable, at least " + worst[0].toFixed(2) + " (" + worst[1] + ")");
    const edges = ["--edge", "--strong", "--bad", "--good"].map(a => contrast(css(a), css("--empty")));
    check(Math.min(...edges) >= 3, theme + ": edges and marks, at least " + Math.min(...edges).toFixed(2));
    let least = 99;
    for (let n = 0; n < 512; n++) least = Math.min(least, contrast(css("--ink"), colourOf(n, css("--light"))));
    check(least >= 4.5, theme + ": names in the boxes of the map, at least " + least.toFixed(2));
  }
  startTheme();
}
/* ---------------------------------------------------------------- the machine's controls */
async function checkSteps(check) {
  for (const unit of ["operation", "portion", "buffer", "frame"]) {
    await seekTo("operation", 0);
    const before = M.state.position[unit];
    document.querySelector("[data-step=" + unit + "]").click();
    await until(() => M.state.position[unit] == before + 1, 5000);
    check(M.state.position[unit] == before + 1, "one " + unit + " on");
    const here = shownState();
    document.querySelector("[data-step=" + unit + "]").click();
    await until(() => M.state.position[unit] == before + 2, 5000);
    document.querySelector("[data-back=" + unit + "]").click();
    await until(() => M.state.position[unit] == before + 1, 5000);
    check(shownState() == here, "one " + unit + " back is the state that was");
  }
  await seekTo("operation", 3);
  press("machine", "o"); await until(() => M.state.position.operation == 4, 3000);
  check(M.state.position.operation == 4, "an operation by key");
  press("machine", "O", { shiftKey: true }); await until(() => M.state.position.operation == 3, 3000);
  check(M.state.position.operation == 3, "and back");
  at("restart").click();
  check(await until(() => M.state.position.operation == 0 && /Nothing has happened/.test(at("now-text").textContent),
    3000), "from the start");
}
/* The sentence about what has just happened is whole, and nothing lies over it: also a long one, as decisions have. */
const LONG = "hearts king (4 pages of segment 1) was evicted: room was needed for spades 2 (4 pages). ".repeat(7);
async function checkNow(check) {
  const now = at("now"), text = at("now-text"), was = text.textContent;
  for (const said of [was, LONG.trim()]) {
    text.textContent = said;
    const box = now.getBoundingClientRect(), rows = [...text.getClientRects()], last = rows[rows.length - 1];
    const below = document.querySelector(".cols").getBoundingClientRect().top;
    check(now.scrollHeight <= now.clientHeight + 1 && last.bottom <= box.bottom + 1 && box.bottom <= below + 1 &&
      rows.every(r => r.left >= -1 && r.right <= window.innerWidth + 1), "the sentence is whole, " + said.length +
      " letters in " + Math.round(box.height) + " pixels");
  }
  text.textContent = was;
}
async function checkPlay(check) {
  await seekTo("operation", 0);
  at("speed").value = 3;
  press("machine", " ");
  check(isPlaying && at("run").textContent.includes("Pause"), "run by key");
  const has = await until(() => M.state.position.operation > 20, 5000);
  check(has, "it runs");
  at("run").click();
  await client.ask({ type: "ask" }, "state");
  const stands = M.state.position.operation;
  await new Promise(done => setTimeout(done, 300));
  check(!isPlaying && M.state.position.operation == stands, "pause");
}
async function checkFinds(check) {
  for (const [what, kind] of [["split", "SPLIT"], ["evict", "EVICT"]]) {
    await seekTo("operation", 0);
    document.querySelector("[data-find=" + what + "]").click();
    await until(() => M.state.operation && M.state.operation.kind == kind, 8000);
    check(M.state.operation && M.state.operation.kind == kind, "the next " + what + " is found");
    await until(() => at("now-kind").dataset.kind == what, 1000);
    check(at("now-kind").dataset.kind == what && at("now-text").textContent.length > 20,
      "and said: " + at("now-text").textContent);
    check(at("log").textContent.length > 20, "the decisions are listed");
  }
  await seekTo("frame", 99);
  const end = M.state.position.operation;
  document.querySelector("[data-find=split]").click();
  await until(() => /there is no split/.test(at("now-text").textContent), 8000);
  check(/there is no split/.test(at("now-text").textContent) && M.state.position.operation == end,
    "after the last one: " + at("now-text").textContent);
}
async function checkMaps(check) {
  await client.ask({ type: "ask" }, "state");
  drawAll();
  for (const [id, view] of mapViews) {
    const ranges = M.segments.find(s => s.id == id).ranges, canvas = view.canvas;
    if (!ranges.length) continue;
    canvas.focus();
    const key = name => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, cancelable: true }));
    key("Home");
    check(chosen == ranges[0].number && at("map-said").textContent.includes(ranges[0].name), "segment " + id +
      ": the first allocation by key");
    key("End"); check(chosen == ranges[ranges.length - 1].number, "segment " + id + ": the last one");
    const middle = ranges[ranges.length >> 1], grid = view.grid;
    const [x, y, w] = piecesOf(grid, middle.page, middle.pages)[0], box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x + w / 2, clientY: box.top + y + 3 }));
    check(chosen == middle.number, "segment " + id + ": what lies under the pointer");
    key("Escape"); check(chosen < 0, "segment " + id + ": nothing chosen");
  }
  const view = patchViews[0];
  check(view && view.buffer.entries.length > 0, "a patch list is shown");
  if (!view) return;
  const halves = [{ first: 0, count: 3 }, { first: 3, count: 2 }], five = { length: 5 };
  check(String(splitsOf({ portions: halves, entries: five })) == "3", "the end of a list is not a split");
  view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", cancelable: true }));
  view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", cancelable: true }));
  check(/^Entry \d+ of /.test(at("patch-said").textContent), "an entry by key: " + at("patch-said").textContent);
  leaveEntry(); view.canvas.blur();
  press("machine", "ArrowRight");
  check(document.activeElement == view.canvas && chosenEntry && chosenEntry.entry == view.buffer.cells[0],
    "an arrow of the page's goes to the first list");
  view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true }));
  at("memory-table").closest("details").open = true; fillMemoryTable();
  const rows = M.segments.reduce((sum, s) => sum + s.ranges.length, 0);
  check(at("memory-table").rows.length == rows + 1, "the maps as a table");
  at("memory-table").closest("details").open = false;
  const image = () => { drawAll(); return mapViews.get(2).canvas.toDataURL(); }, plain = image();
  at("theme").click(); check(image() != plain, "dark and light"); at("theme").click();
  at("paint").value = "program"; at("paint").onchange();
  check(M.segments.find(s => s.id == 2).ranges.length == 0 || image() != plain, "coloured by program");
  const owners = M.segments.flatMap(s => s.ranges.map(r => programOf(r.number)));
  check(owners.every(n => n >= -1 && n < M.programs.length) && at("programs").textContent == M.programs.map(p =>
    p.name).join(""), "every program has a colour and a name");
  at("paint").value = "name"; at("paint").onchange();
}
async function checkKnobs(check) {
  const known = { ...M.knobs };
  for (const [id, name, value] of [["set-segment1", "segment1", 20], ["set-segment2", "segment2", 40],
    ["set-aperture", "aperture", 256], ["set-policy", "policy", "literal"], ["set-queued", "queued", 2],
    ["set-splitCost", "splitCost", 8], ["set-copyOnly", "copyOnly", !known.copyOnly], ["set-display", "display", 1]]) {
    let isDone = true, took = Infinity; /* the machine may be busy with other things: the best of three counts */
    for (let n = 0; n < 3 && isDone && took >= 1000; n++) {
      const begin = performance.now();
      isDone = await setKnob(id, value);
      took = performance.now() - begin;
    }
    check(isDone && M.knobs[name] === value, "knob " + name);
    check(took < 1000, "knob " + name + " takes effect in " + Math.round(took) + " ms");
  }
  await setKnob("set-segment2", 400); /* room for both frame buffers */
  await seekTo("frame", 2);
  check(!at("display-part").hidden && at("display-said").textContent.includes("whole"), "what the display shows");
  await setKnob("set-display", 0);
  check(at("display-part").hidden, "no display");
  const slide = sizes.indexOf(24);
  check(await setKnob("slide-segment1", slide) && M.knobs.segment1 == 24 && at("set-segment1").value == "24",
    "a size by slider");
  for (const force of M.ready.forces.slice(0, 3)) {
    await setKnob("set-force-" + force.name, true);
    check(M.knobs.force.includes(force.name), "forced mode " + force.name);
    await setKnob("set-force-" + force.name, false);
  }
  const here = M.created;
  for (const [id, value] of [["set-segment1", "0"], ["set-segment2", "99999"], ["set-segment1", ""]]) {
    const isDone = await setKnob(id, value), line = at(id).closest(".knob").querySelector(".wrong");
    check(isDone === false && !line.hidden && line.textContent.length > 9 && !line.textContent.includes("\n"),
      "bad value '" + value + "' of " + id + ": " + line.textContent);
    check(M.created == here, "and the machine before it is still there");
    at(id).value = 24; M.wanted = { ...M.wanted, ...M.knobs }; showKnobs();
  }
  for (const scene of M.ready.scenes) {
    check(await setKnob("set-scene", scene.name) && M.created.scene == scene.name, "scene " + scene.name);
    if (scene.contexts.length < 2) continue;
    check(await setKnob("priority-0", 3) && M.knobs.contexts[0].priority == 3, "priority of a context");
    check(await setKnob("budget-1", 8) && M.knobs.contexts[1].budget == 8, "budget of a context");
    check(await setKnob("budget-1", 99999) === false && !at("contexts-wrong").hidden, "a budget that cannot be: " +
      at("contexts-wrong").textContent);
  }
  await setKnob("set-scene", FIRST_SCENE);
}
async function checkLink(check) {
  await setKnob("set-segment2", 40);
  await seekTo("operation", 25);
  const link = ownFragment, state = shownState(), knobs = JSON.stringify(M.knobs);
  check(link.includes("segment2=40") && link.includes("at=25"), "the link names the state: " + link);
  await setKnob("set-scene", M.ready.scenes[M.ready.scenes.length - 1].name);
  check(await restore(link) && shownState() == state && JSON.stringify(M.knobs) == knobs, "the link restores it");
  check(await restore("#scene=nothing") === false, "a link to nothing is refused");
}
async function checkFiles(check) {
  const before = M.created, bad = new File(["hello"], "letter.txt");
  check(await takeFile(bad) === false && !at("trouble").hidden && !at("trouble").textContent.includes("\n"),
    "a foreign file: " + at("trouble").textContent);
  check(M.created == before && !M.fileBytes, "and the machine before it is still there");
  sayProblem("");
  for (const what of ["report", "timeline"]) {
    const file = await exportFile(what);
    check(file && file.bytes.byteLength > 0 && at("own-said").textContent.includes(file.name), "export " + what +
      ": " + at("own-said").textContent);
  }
  await checkOwnWork(check);
  await setKnob("set-scene", FIRST_SCENE);
}
function checkReader(check) {
  check([...document.querySelectorAll("button,input,select,canvas[tabindex],summary,a")].every(e => e.tabIndex >= 0),
    "the keyboard gets to all");
  const nameless = [...document.querySelectorAll("button,input,select,canvas[role],img")].filter(e =>
    !((e.textContent || "").trim() || e.alt || e.ariaLabel || e.getAttribute("aria-label") || e.closest("label")));
  check(nameless.length == 0, "every control has a name" + nameless.map(e => " " + e.outerHTML.slice(0, 60)));
  check([...document.querySelectorAll("section")].every(e => e.getAttribute("aria-label") ||
    e.getAttribute("aria-labelledby")), "every section has a name");
  check(document.documentElement.scrollWidth <= window.innerWidth + 1, "the page is as wide as the window, " +
    window.innerWidth + " pixels");
}
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))];
/* For the test of this test: a page that shows every box a place further on. */
function lie() {
  const plain = piecesOf;
  piecesOf = (grid, page, pages) => plain(grid, page + pages, pages);
}
async function runCheck() {
  if (window.lies) lie();
  const lines = [], check = (good, what) => lines.push((good ? "ok    " : "FAIL  ") + what);
  const isQuick = location.hash == "#check=quick";
  try {
    check(at("trouble").hidden, "no trouble at the start " + at("trouble").textContent);
    check(M.state && M.segments.length >= 2, "a machine is shown");
    check(at("set-scene").options.length == M.ready.scenes.length, "every scene can be chosen");
    checkContrast(check);
    await checkSteps(check); await checkNow(check);
    await checkPlay(check); await checkFinds(check); await checkMaps(check);
    await checkKnobs(check); await checkLink(check); await checkFiles(check);
    if (!isQuick) {
      await checkTour(check); await checkHaste(check); await checkTourKnobs(check);
      await checkExercises(check);
    }
    checkMapNumbers(check);
    await checkLab(check, isQuick);
    checkWords(check);
    checkReader(check);
    const spentAt = share => quantile(Client.spent, share).toFixed(1) + " ms a message and " +
      quantile(drawAll.spent, share).toFixed(1) + " ms a picture";
    check(quantile(Client.spent, 0.5) + quantile(drawAll.spent, 0.5) < 16, "main thread: " + spentAt(0.5) +
      " for half of them, " + spentAt(0.95) + " for 95 of 100 (" + Client.spent.length + ", " + drawAll.spent.length +
        ")");
  } catch (error) { check(false, error.stack); }
  const failed = lines.filter(l => l.startsWith("FAIL")).length;
  lines.push("page ready after " + Math.round(window.shownAfter) + " ms", lines.length - failed + " passed, " + failed +
    " failed");
  at("check").textContent = lines.join("\n");
  at("check").hidden = false;
  document.title = "checked";
}
