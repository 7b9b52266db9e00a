/* SPDX-License-Identifier: Apache-2.0
 * The tour: each step (tour_steps.js) is a state of the machine, two sentences and something to try. A state is named
 * by knobs and by what is looked for ("the first split of frame 1"), so it is found again when decisions change.
 */
let tourStep = 0, tourMoves = Promise.resolve();

/* Text with [word] or [word as written|word of the glossary] as terms that open the bubble. */
function withTerms(text) {
  return text.split(/(\[[^\]]+\])/).map(part => {
    if (!part.startsWith("[")) return part;
    const [shown, word] = part.slice(1, -1).split("|");
    return element("button", { type: "button", className: "term", textContent: shown,
      onclick: event => openBubble(word || shown, event.target) });
  });
}
/* By operations to the first state for which it holds. */
async function stepUntil(holds) {
  let state = M.state;
  for (let i = 0; i < 3000 && !await holds(state); i++) {
    if (state.known.complete && state.position.operation >= state.known.operation) break;
    state = await client.ask({ type: "step", unit: "operation", count: 1 }, "state");
  }
  return state;
}
/* The moves of a step, one after the other: ["seek", unit, to], ["find", what, count], ["step", unit, count],
 * ["until", holds(state)]. */
async function makeMoves(moves, isWanted = () => true) {
  let state = M.state;
  for (const [type, a, b] of moves) {
    if (!isWanted()) break;
    if (type == "seek") state = await client.ask({ type, unit: a, to: b }, "state");
    else if (type == "until") state = await stepUntil(a);
    else if (type == "find") for (let i = 0; i < (b || 1); i++)
      state = await client.ask({ type, what: a, count: 1 }, "state");
    else state = await client.ask({ type, unit: a, count: b }, "state");
  }
  return state;
}
const stepKnobs = step => ({ ...knobDefaults(defaultsOf(step.scene)), ...step.knobs });
function showTour(index) {
  tourStep = clamp(index, 0, TOUR.length - 1);
  const step = TOUR[tourStep];
  at("tour").hidden = false;
  at("tour-number").textContent = (tourStep + 1) + " of " + TOUR.length;
  at("tour-title").textContent = step.title;
  at("tour-text").replaceChildren(...withTerms(step.text));
  at("tour-try").replaceChildren(element("b", { textContent: "Try: " }), ...withTerms(step.try));
  at("tour-before").disabled = tourStep == 0;
  at("tour-after").textContent = tourStep == TOUR.length - 1 ? "To the exercises" : "Next ▶";
  [...at("tour-dots").children].forEach((dot, i) => {
    if (i == tourStep) dot.setAttribute("aria-current", "step"); else dot.removeAttribute("aria-current");
  });
  at("tour-do").hidden = !step.does;
  if (step.does) at("tour-do").textContent = step.does.text;
}
/* Shows a step and puts the machine into its state. */
function openTour(index) {
  if (!M.state) return Promise.resolve(); /* there is no machine yet */
  showTour(index);
  at("tour-title").focus({ preventScroll: true });
  at("tour").scrollIntoView({ block: "start" });
  return tourMoves = goTo(TOUR[tourStep].scene, TOUR[tourStep].knobs, TOUR[tourStep].moves, TOUR[tourStep].runs);
}
let goes = 0, lastGo = Promise.resolve();
/* One after the other: of several that were asked for quickly the last one counts. */
function goTo(...wish) {
  const mine = ++goes;
  pause();
  endAsking();
  return lastGo = lastGo.catch(() => 0).then(() => mine == goes && go(() => mine == goes, ...wish));
}
async function go(isWanted, scene, knobs, moves, runs) {
  M.wanted = stepKnobs({ scene, knobs }); M.file = null; M.fileBytes = null;
  showKnobs();
  if (!await applyKnobs({ unit: "operation", to: 0 })) return false;
  await makeMoves(moves, isWanted);
  if (!isWanted()) return false;
  noteLink();
  if (runs && !isStill()) { at("speed").value = runs; play(); }
  return true;
}
/* A knob was turned by hand while a step of the tour is shown: to what it is about, or, if that does not happen any
 * more, to the end of the first DMA buffer. */
async function tourAgain() {
  const step = TOUR[tourStep];
  if (at("tour").hidden || step.scene != M.wanted.scene || isPlaying || asking) return;
  await client.ask({ type: "seek", unit: "operation", to: 0 }, "state");
  const state = await makeMoves(step.moves);
  if (state.found === false) await client.ask({ type: "seek", unit: "buffer", to: 1 }, "state");
  noteLink();
}
/* What the step offers to do for the reader. */
function doTour() {
  const does = TOUR[tourStep].does, step = TOUR[tourStep];
  return tourMoves = goTo(does.scene || step.scene, { ...step.knobs, ...does.knobs }, does.moves || step.moves,
    does.runs);
}
function startTour() {
  at("tour-dots").replaceChildren(...TOUR.map((step, i) => element("button", { type: "button", textContent: i + 1,
    title: step.title, ariaLabel: "step " + (i + 1) + ": " + step.title, onclick: () => openTour(i) })));
  at("tour-open").onclick = () => openTour(0);
  at("tour-close").onclick = () => { at("tour").hidden = true; at("tour-open").focus(); noteLink(); };
  at("tour-before").onclick = () => openTour(tourStep - 1);
  at("tour-after").onclick = () => {
    if (tourStep < TOUR.length - 1) openTour(tourStep + 1); else at("exercises").scrollIntoView();
  };
  at("tour-do").onclick = doTour;
}
