/* SPDX-License-Identifier: Apache-2.0
 * Decisions in sentences, as the firmware's trace has them: the one that has just been made, and those before it.
 */
const LOG_PLANS = 14;
const kindText = { evict: "evict", move: "move", come: "page in", map: "map", split: "split" };
const operationKinds = { EVICT: ["evict", "evict"], MOVE: ["move", "move"], PAGE_IN: ["page in", "page_in"],
  SPLIT: ["split", "split"], PLANNED: ["plan", "plan"], PLAN: ["plan", "plan"], PORTION: ["submit", "draw"],
  PAGING: ["paging", "page_in"], COMPLETE: ["complete", "done"], BLIT: ["draw", "draw"], FILL: ["fill", "draw"],
  FILL_2D: ["fill", "draw"], COPY_LIST: ["copy", "page_in"], COPY: ["copy", "page_in"], MAP_LIST: ["map", "map"],
  MAP: ["map", "map"], UNMAP: ["unmap", "evict"], FENCE: ["fence", "fence"], WAIT_FENCE: ["wait", "fence"],
  BIND: ["bind", "draw"], GUARD: ["guard", "fence"], RUN: ["run", "draw"], ACCEPT: ["accept", "done"] };
const subjects = { firmware: "The firmware", render: "The render node", paging: "The paging node",
  program: "The program" };
const kindOf = operation => operationKinds[operation.kind] || [operation.kind.toLowerCase().replace(/_/g, " "), ""];
/* The sentences of a plan. Of one that is still being carried out they are asked for, and shown when they come. */
function sentencesOf(plan) {
  if (M.said.has(plan)) return M.said.get(plan);
  if (M.plans.has(plan)) return M.plans.get(plan).sentences;
  const created = M.created;
  M.said.set(plan, []);
  client.ask({ type: "explain", plan }, "explained").then(answer => {
    if (M.created != created) return;
    M.said.set(plan, answer.sentences);
    if (M.state.operation && M.state.operation.plan == plan) sayNow();
  }).catch(() => 0);
  return [];
}
/* The reason of what has just happened, if the plan's sentences have one. */
function reasonOf(state) {
  const o = state.operation, kind = o && { EVICT: "evict", MOVE: "move", PAGE_IN: "come", SPLIT: "split" }[o.kind];
  if (!kind || o.plan < 0) return "";
  const a = [...M.allocations.values()].find(a => a.handle == o.handle && o.handle);
  const all = sentencesOf(o.plan).filter(s => s.kind == kind || kind == "come" && s.kind == "map");
  const one = kind == "split" ? all[0] : a && all.find(s => s.text.startsWith(a.name + " "));
  return one ? one.text : "";
}
function sayNow() {
  const state = M.state, o = state.operation;
  if (state.failure) { at("now-kind").textContent = "stopped"; at("now-text").textContent = plainStatus(state.failure);
    return; }
  if (M.isHidden) {
    at("now-kind").textContent = "?"; at("now-kind").dataset.kind = "";
    at("now-text").textContent = asking ? asking.text.replace(/\[([^\]|]+)[^\]]*\]/g, "$1") + " " + asking.ask : "";
    return;
  }
  const solved = EXERCISES.find(e => e.answered == state);
  if (solved) {
    at("now-kind").textContent = "answer"; at("now-kind").dataset.kind = "";
    at("now-text").textContent = solved.said.textContent;
    return;
  }
  if (M.notFound && M.notFound.state == state) {
    at("now-kind").textContent = "none"; at("now-kind").dataset.kind = "";
    at("now-text").textContent = at("now-quiet").textContent = M.notFound.text;
    return;
  }
  const [label, kind] = o ? kindOf(o) : ["start", ""];
  put(at("now-kind"), label); at("now-kind").dataset.kind = kind;
  const text = o ? reasonOf(state) || subjects[o.by] + " " + o.text +
    "." : "Nothing has happened yet: the allocations exist, and none is in " +
    "memory.";
  put(at("now-text"), spaced(text));
  if (!isPlaying) at("now-quiet").textContent = label + ": " + text;
}
function sayPosition() {
  const p = M.state.position, frames = M.created.knobs.frames;
  put(at("position"), "Finished: " + p.frame + (frames ? " of " + frames : "") + " frames, " + p.buffer +
    " DMA buffers, " + p.portion + " portions; operation " + grouped(p.operation) + ".");
}
let loggedKey = "", loggedAt = 0, logTimer = 0;
const logged = new Map(); /* plan -> its item, of those that are shown */
const LOG_MS = 250; /* while the machine runs: nobody reads faster */
function logItem(d, wanted) {
  const item = element("li", {}, element("b", { textContent: "Plan " + d.plan + ", DMA buffer " + d.tag + " of frame " +
    d.frame + ": entries " + d.first + " to " + (d.first + d.entries - 1) + ", " + d.arrivals + " come, " +
    d.evictions + " leave, " + d.pages_in + " pages to copy in." }));
  for (const s of d.sentences.filter(s => !wanted || s.kind == wanted).slice(0, 12)) {
    const mark = element("span", { className: "kind", textContent: kindText[s.kind] || s.kind });
    mark.dataset.kind = { come: "page_in" }[s.kind] || s.kind;
    item.append(element("p", {}, mark, " " + spaced(s.text)));
  }
  const rest = d.sentences.length - 12;
  if (!wanted && rest > 0) item.append("and " + rest + " more");
  return item;
}
function drawLog() {
  clearTimeout(logTimer);
  const due = loggedAt + LOG_MS - performance.now();
  if (isPlaying && due > 0) { logTimer = setTimeout(drawLog, due); return; }
  const wanted = at("log-kind").value, last = (M.state.decision ? M.state.decision.plan : -1) - (M.isHidden ? 1 : 0);
  const key = wanted + ":" + last + ":" + M.plans.size + ":" + (M.state.decision ?
    M.state.decision.sentences.length : 0);
  if (key == loggedKey) return;
  loggedKey = key; loggedAt = performance.now();
  const plans = [...M.plans.values()].filter(d => d.plan <= last && (!wanted || d.sentences.some(s => s.kind ==
    wanted)))
    .sort((a, b) => b.plan - a.plan).slice(0, LOG_PLANS);
  const items = plans.map(d => {
    const itemKey = d.plan + wanted + d.sentences.map(s => s.text).join();
    return [itemKey, logged.get(itemKey) || logItem(d, wanted)];
  });
  logged.clear();
  for (const [itemKey, item] of items) logged.set(itemKey, item);
  items.forEach(([, item], i) => { if (at("log").children[i] != item) at("log").insertBefore(item,
    at("log").children[i] || null); });
  while (at("log").children.length > items.length) at("log").lastChild.remove();
}
/* The newest sentence about its coming, of the plans that the page has seen. */
function whyHere(number) {
  const name = M.allocations.get(number).name + " ", last = M.state.decision ? M.state.decision.plan : -1;
  for (const plan of [...M.plans.keys()].filter(plan => plan <= last).sort((a, b) => b - a)) {
    const said = M.plans.get(plan).sentences.find(s => s.text.startsWith(name) && s.kind != "evict");
    if (said) return spaced(said.text);
  }
  return "";
}
