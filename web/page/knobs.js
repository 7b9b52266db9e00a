/* SPDX-License-Identifier: Apache-2.0
 * The knobs. What they can be set to comes from the machine (`ready`); a change makes a new machine and goes to the
 * same frame. What contradicts itself is said in one line at the knob, and the machine before it goes on.
 */
const SLIDERS = [["segment1", "segment 1", "pages"], ["segment2", "segment 2", "pages"],
  ["aperture", "aperture", "pages"]];
let knobTimer = 0, knobsInTrouble = 0;

/* A slider's place and its number: sizes grow by quarters of an octave, so small segments can be set exactly. */
const sizes = (() => {
  const list = [];
  for (let n = 1; n <= 4096; n += n < 64 ? 1 : n < 256 ? 4 : n < 1024 ? 16 : 64) list.push(n);
  if (list[list.length - 1] != 4096) list.push(4096);
  return list;
})();
const nearest = n => sizes.reduce((best, size, i) => Math.abs(size - n) < Math.abs(sizes[best] - n) ? i : best, 0);
function knobBox(name, title, control, hint) {
  const box = document.createElement("div"), label = document.createElement("label"), wrong =
    document.createElement("p");
  box.className = "knob"; box.id = "knob-" + name;
  label.append(title, control);
  wrong.className = "wrong"; wrong.setAttribute("role", "alert"); wrong.hidden = true;
  box.append(label);
  if (hint) { const p = document.createElement("p"); p.className = "hint"; p.textContent = hint; box.append(p); }
  box.append(wrong);
  return box;
}
function element(tag, properties, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
}
/* A number by slider and, exactly, by keyboard. */
function sizeKnob(name, title) {
  const exact = element("input", { type: "number", min: 1, max: 4096, className: "value", id: "set-" + name });
  const slide = element("input", { type: "range", min: 0, max: sizes.length - 1, id: "slide-" + name });
  exact.setAttribute("aria-label", title + " in pages of 4 KB"); slide.setAttribute("aria-label", title + ", slider");
  slide.oninput = () => { exact.value = sizes[slide.value]; turn(name, +exact.value); };
  exact.onchange = () => { slide.value = nearest(+exact.value); turn(name, exact.value === "" ? NaN : +exact.value); };
  const box = knobBox(name, title + ", pages", exact);
  box.querySelector("label").after(slide);
  return box;
}
function choiceKnob(name, title, options, hint) {
  const select = element("select", { id: "set-" + name }, ...options.map(([value, text]) =>
    element("option", { value, textContent: text })));
  select.onchange = () => turn(name, typeof options[0][0] == "number" ? +select.value : select.value);
  return knobBox(name, title, select, hint);
}
function countKnob(name, title, max, hint) {
  const input = element("input", { type: "number", min: 0, max, className: "value", id: "set-" + name });
  input.onchange = () => turn(name, input.value === "" ? NaN : +input.value);
  const box = knobBox(name, title, input, hint);
  box.classList.add("count");
  return box;
}
function checkKnob(name, title, change) {
  const input = element("input", { type: "checkbox", id: "set-" + name });
  input.onchange = () => change(input.checked);
  const box = element("div", { className: "knob check", id: "knob-" + name }, element("label", {}, input, title));
  box.append(element("p", { className: "wrong", hidden: true }));
  return box;
}
function makeKnobs() {
  const ready = M.ready, list = at("knob-list");
  const force = ready.forces.map(f => checkKnob("force-" + f.name, f.text.replace(/\.$/, ""),
    isOn => turn("force", isOn ? [...new Set([...M.wanted.force, f.name])] : M.wanted.force.filter(n => n != f.name))));
  const more = element("details", { id: "forced" }, element("summary", { textContent: "Forced modes, for tests" }),
    ...force);
  const policies = ready.policies.map(p => [p.name, p.name]);
  list.replaceChildren(choiceKnob("scene", "scene", ready.scenes.map(s => [s.name, s.title])),
    element("p", { className: "hint", id: "scene-text" }),
    ...SLIDERS.map(([name, title]) => sizeKnob(name, title)),
    choiceKnob("policy", "policy: what has to leave", policies), element("p", { className: "hint", id: "policy-text" }),
    checkKnob("copyOnly", "copy every texture (no aperture)", isOn => turn("copyOnly", isOn)),
    countKnob("queued", "queued DMA buffers", 16, "0: as many as there is room for"),
    countKnob("splitCost", "split cost, pages", 1024, "0: as built"),
    choiceKnob("display", "display", [[0, "none"], [1, "flips, at the blank"], [2, "flips off: at once"]]),
    element("div", { id: "context-list" }), more);
}
function makeContextKnobs() {
  const scene = defaultsOf(M.wanted.scene), contexts = M.wanted.contexts || [];
  const names = scene.programs || [];
  at("context-list").replaceChildren(...(contexts.length > 1 ? contexts.map((context, i) => {
    const set = (member, value) => turn("contexts", M.wanted.contexts.map((c, k) => k == i ? { ...c, [member]: value } :
      c));
    const priority = element("input", { type: "number", min: -7, max: 7, value: context.priority, id: "priority-" +
      i });
    const budget = element("input", { type: "number", min: 0, max: 8192, value: context.budget, id: "budget-" + i });
    priority.onchange = () => set("priority", +priority.value); budget.onchange = () => set("budget", +budget.value);
    for (const input of [priority, budget]) input.className = "value";
    const box = element("div", { className: "knob count" }, element("b", { textContent: names[i] || "program " + i }),
      element("label", {}, "priority ", priority), element("label", {}, "budget, pages ", budget));
    return box;
  }) : []), element("p", { className: "wrong", id: "contexts-wrong", hidden: true }));
}
/* The controls as the knobs are. */
function showKnobs() {
  const k = M.wanted, scene = defaultsOf(k.scene);
  at("set-scene").value = k.scene; at("scene-text").textContent = M.file ? "Now: " + M.file : scene.text;
  for (const [name] of SLIDERS) { at("set-" + name).value = k[name]; at("slide-" + name).value = nearest(k[name]); }
  at("set-policy").value = k.policy;
  at("policy-text").textContent = (M.ready.policies.find(p => p.name == k.policy) || { text: "" }).text;
  at("set-copyOnly").checked = k.copyOnly; at("set-queued").value = k.queued; at("set-splitCost").value = k.splitCost;
  at("set-display").value = k.display;
  for (const f of M.ready.forces) at("set-force-" + f.name).checked = k.force.includes(f.name);
  makeContextKnobs();
}
const knobDefaults = scene => ({ scene: scene.name, seed: 1, frames: 8, segment1: scene.segment1,
  segment2: scene.segment2, aperture: 4096, policy: "lookahead", copyOnly: scene.copyOnly, queued: 0, splitCost: 0,
  display: 0, force: [], contexts: scene.contexts.map(c => ({ ...c })) });
/* One knob is turned: the machine is made again a moment later. */
function turn(name, value) {
  if (name == "scene") { M.wanted = knobDefaults(defaultsOf(value)); M.file = null; M.fileBytes = null; showKnobs(); }
  else M.wanted = { ...M.wanted, [name]: value };
  if (name == "policy") showKnobs();
  clearTimeout(knobTimer);
  knobTimer = setTimeout(() => applyKnobs().then(isDone => {
    if (isDone && name != "scene") tourMoves = tourAgain();
  }), 120);
}
function clearTrouble() {
  for (const p of document.querySelectorAll(".wrong")) { p.hidden = true; p.textContent = ""; }
  knobsInTrouble = 0;
}
/* What the device says where an allocation has no place at all. */
const STATUSES = { NO_SEGMENT: "The largest allocation fits into neither segment. Make one larger (a frame " +
    "buffer has 38 pages).",
  NO_PLACEMENT: "One group of patch locations needs more than these segments have. Make them larger." };
const plainStatus = text => STATUSES[(text.match(/^[A-Z_]+(?=:)/) || [""])[0]] || text;
function sayTrouble(error) {
  const name = error.message.match(/^(\w+)(?: is |: )/), plain = plainStatus(error.message);
  if (plain != error.message) { error.message = plain; error.knob = "segment2"; }
  else if (name && (at("knob-" + name[1]) || name[1] == "contexts")) error.knob = error.knob || name[1];
  const box = error.knob && (at("knob-" + error.knob) || at("knob-" + error.knob.replace(/\d+$/, "")));
  const place = error.knob == "contexts" ? at("contexts-wrong") : box && box.querySelector(".wrong");
  knobsInTrouble++;
  if (!place) { sayProblem(error.message); return; }
  if (place.closest("details")) place.closest("details").open = true;
  place.textContent = error.message; place.hidden = false;
}
/* What is no number at all is said here; everything else the machine judges. */
function badNumber() {
  const name = ["segment1", "segment2", "aperture", "queued", "splitCost"].find(name =>
    !Number.isInteger(M.wanted[name]));
  return name ? Object.assign(new Error("Write a whole number here."), { knob: name }) : null;
}
let knobsAt = Promise.resolve();
function applyKnobs(position) {
  clearTimeout(knobTimer);
  const wasPlaying = isPlaying, frame = M.state ? M.state.position.frame : 0;
  clearTrouble(); sayProblem("");
  const bad = badNumber();
  if (bad) { sayTrouble(bad); return knobsAt = Promise.resolve(false); }
  const message = M.fileBytes ? { type: "load", name: M.file, bytes: M.fileBytes.slice(0), knobs: M.wanted } :
    { type: "create", knobs: M.wanted };
  return knobsAt = client.ask(message, "state").then(() => {
    const to = position || (frame ? { unit: "frame", to: Math.min(frame, 2) } : null);
    return to ? client.ask({ type: "seek", ...to }, "state") : null;
  }).then(() => { if (wasPlaying) play(); noteLink(); return true; }, error => { sayTrouble(error); return false; });
}
