/* SPDX-License-Identifier: Apache-2.0
 * The rings of both nodes: what the firmware has submitted and the node has not finished, oldest first, with the fences
 * by which one node waits for the other; and the counters against the least that is possible.
 */
function laneItem(packet) {
  const item = document.createElement("li"), text = packet.kind == "portion" ? "portion " + packet.fence :
    packet.kind == "paging" ? "copies " + packet.fence : packet.text || packet.kind;
  item.textContent = text + (packet.state == "waiting" ? " (waits)" : "");
  item.className = (packet.state == "executing" ? "active" : "") + (/WAIT/.test(packet.kind) ||
    packet.state == "waiting" ? " wait" : "") + (packet.kind == "FENCE" ? " fence" : "");
  item.title = packet.bytes ? bytesText(packet.bytes) + " of packets" : "";
  return item;
}
function nodeState(node) {
  const other = node.name == "render" ? "paging" : "render";
  return node.waits ? "waits for fence " + node.waits + " of the " + other + " node" : node.executing ||
    (node.queue.length ? "works" : "has nothing to do");
}
function drawLanes() {
  const lanes = at("lanes");
  if (lanes.children.length != M.state.nodes.length) lanes.replaceChildren(...M.state.nodes.map(node => {
    const lane = document.createElement("div"), name = document.createElement("div"), list =
      document.createElement("ol");
    const title = document.createElement("b"), said = document.createElement("div");
    title.textContent = node.name + " node"; said.className = "dim one-line";
    name.append(element("div", { className: "map-name" }, title, element("span", { className: "dim" })), said);
    lane.className = "lane"; lane.append(name, list);
    list.setAttribute("aria-label", "queue of the " + node.name + " node, first to last");
    list.tabIndex = 0;
    return lane;
  }));
  M.state.nodes.forEach((node, i) => {
    const list = lanes.children[i].querySelector("ol");
    const [passed, said] = lanes.children[i].querySelectorAll(".dim"), what = nodeState(node);
    put(passed, "fence " + node.fence + " passed" + (node.queue.length > 3 ? ", " + node.queue.length +
      " queued" : ""));
    if (said.textContent != what) said.title = said.textContent = what;
    const key = node.queue.slice(0, 24).map(p => p.kind + p.fence + p.state + p.text).join();
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const items = node.queue.slice(0, 24).map(laneItem), none = document.createElement("li");
    none.className = "none"; none.textContent = "empty";
    list.replaceChildren(...(items.length ? items : [none]));
  });
}

/* ---------------------------------------------------------------- counters */
const shownCounters = ["DMA_BUFFERS", "PORTIONS", "SPLITS", "EVICTIONS", "PAGES_IN", "PAGES_OUT", "PAGES_MOVED",
  "PAGES_MAPPED"];
const plainCounter = name => { const text = name.toLowerCase().replace(/_/g, " "); return text == "dma buffers" ?
  "DMA buffers" : text; };
const bar = (name, said, share, least) => [{ name, said, share, least }];
function makeBar() {
  const name = element("span", {}), said = element("span", {}), fill = element("i", {});
  const box = element("div", { className: "bar" }, fill);
  box.setAttribute("role", "img");
  return { name, said, fill, box, head: element("div", { className: "bar-name" }, name, said) };
}
const bars = [];
function showBars(list) {
  while (bars.length < list.length) bars.push(makeBar());
  list.forEach(({ name, said, share, least }, i) => {
    const { name: left, said: right, fill, box, head } = bars[i];
    put(left, name); put(right, said);
    box.setAttribute("aria-label", name + ": " + said);
    fill.style.width = clamp(100 * share, 0, 100).toFixed(1) + "%"; fill.className = least ? "least" : "";
    if (!head.isConnected) at("bound").append(head, box);
  });
  for (const { head, box } of bars.slice(list.length)) { head.remove(); box.remove(); }
}
/* Of the textures that every frame draws, what memory cannot hold at once has to come again, under any policy. */
function leastPages() {
  const k = M.created.knobs, textures = Math.ceil(M.created.footprint / 4096);
  return k.copyOnly && !M.fileBytes ? textures - k.segment1 - k.segment2 : 0;
}
const knobWords = { segment1: "segment 1", segment2: "segment 2", copyOnly: "copy every texture",
  queued: "queued buffers",
  splitCost: "split cost", display: "display", force: "forced modes", contexts: "budgets or priorities",
  policy: "policy" };
/* What came in up to the same frame with the knobs as they were before the last change. */
function besideBefore(last) {
  const was = M.before, sum = frames => frames.slice(0, last.frame + 1).reduce((all, f) => all + f.pages_in, 0);
  if (!last || !was || was.frames.length <= last.frame) return [];
  const isOther = name => JSON.stringify(was.knobs[name]) != JSON.stringify(M.created.knobs[name]);
  const valueOf = value => typeof value == "object" ? "" : " " + ({ true: "on", false: "off" }[value] || value);
  const names = Object.keys(was.knobs).filter(isOther).map(name => (knobWords[name] || name) +
    valueOf(was.knobs[name]));
  const now = sum(M.state.frames), before = sum(was.frames), most = Math.max(now, before, 1);
  const frames = last.frame ? "frames 0 to " + last.frame : "frame 0";
  return [...bar("pages in, " + frames, grouped(now), now / most), ...bar("before, with " + names.join(", "),
    grouped(before), before / most, true)];
}
/* Of each program: what it holds, and what it has had to give to others. */
function programRows() {
  if (M.state.programs.length < 2) return [];
  return M.state.programs.flatMap(p => [[p.name + ", pages in memory", p.resident, "its share is " +
    pagesText(p.share)], [p.name + ", pages it lost to the other", p.lost, ""]]);
}
/* Rows of a name, a number and an explanation: made again only where the names are others. */
function fillRows(table, rows) {
  const key = rows.map(([name]) => name).join();
  if (table.dataset.key !== key) {
    table.dataset.key = key;
    table.replaceChildren();
    for (const [name, number, title] of rows) row(table, [name, number]).title = title;
  }
  rows.forEach(([, number], i) => put(table.rows[i].cells[1], grouped(number)));
}
function drawCounters() {
  const state = M.state, list = [], pages = name => counterOf(state, name);
  const came = pages("PAGES_IN"), out = pages("PAGES_OUT"), mapped = pages("PAGES_MAPPED"), all = came + out || 1;
  const again = Math.min(state.traffic.in_again / 4096, came);
  list.push(...bar("copied into memory", bytesText(came * 4096), came / all));
  if (!mapped) list.push(...bar("of it, fetched again", bytesText(again * 4096), again / all, true));
  if (out) list.push(...bar("copied out", bytesText(out * 4096), out / all));
  if (mapped) list.push(...bar("read in place", bytesText(mapped * 4096), 1, true));
  const last = state.frames[state.frames.length - 1], least = leastPages();
  if (last && least > 0) {
    const most = Math.max(last.pages_in, least);
    list.push(...bar("pages in, frame " + last.frame, grouped(last.pages_in), last.pages_in / most));
    list.push(...bar("no policy needs fewer than", grouped(least), least / most, true));
  }
  list.push(...besideBefore(last));
  showBars(list);
  const rows = shownCounters.map(name => M.ready.counters.find(c => c.name == name)).filter(Boolean)
    .map(c => [plainCounter(c.name), counterOf(state, c.name), c.text]);
  fillRows(at("counters"), rows.concat(programRows()));
}
