/* SPDX-License-Identifier: Apache-2.0
 * Exercises whose answers the machine checks: a number is tried by running it in a second machine, with that number and
 * with the one beside it; a guess of a place is compared with what the firmware decides next.
 */
let checker = null, checkerAt = Promise.resolve();
/* Another machine runs to the end of `frame`: what is counted in that frame, as differences of counters. */
function measure(scene, knobs, frame) {
  const run = async () => {
    if (!checker) { checker = new Client(() => 0); await checker.start(M.ready.module); }
    await checker.ask({ type: "create", knobs: { ...stepKnobs({ scene, knobs }), frames: frame + 2 } }, "state");
    const before = await checker.ask({ type: "seek", unit: "frame", to: frame }, "state");
    const after = await checker.ask({ type: "seek", unit: "frame", to: frame + 1 }, "state");
    const of = name => counterOf(after, name) - counterOf(before, name);
    return { splits: of("SPLITS"), evictions: of("EVICTIONS"), pagesIn: of("PAGES_IN"), portions: of("PORTIONS"),
      framePages: (after.frames.find(f => f.frame == frame) || { pages_in: NaN }).pages_in,
      lost: after.programs.map((p, i) => p.lost - before.programs[i].lost), failure: after.failure };
  };
  return checkerAt = checkerAt.then(run, run);
}
let asking = null; /* the exercise that waits for a place */
function verdict(exercise, isRight, text) {
  exercise.said.textContent = (isRight === null ? "" : isRight ? "✓ Right. " : "✗ Not yet. ") + text;
  exercise.said.className = "verdict " + (isRight === null ? "" : isRight ? "good" : "bad");
  exercise.isSolved = exercise.isSolved || isRight === true;
}
async function checkNumber(exercise) {
  const n = +exercise.input.value;
  if (exercise.input.value === "" || !Number.isInteger(n) || n < exercise.least || n > exercise.most) {
    verdict(exercise, false, "Write a whole number from " + exercise.least + " to " + exercise.most + ".");
    return;
  }
  verdict(exercise, null, "The machine runs …");
  exercise.button.disabled = true;
  try {
    const [isRight, text] = await exercise.judge(n);
    verdict(exercise, isRight, text);
  } catch (error) { verdict(exercise, false, error.message); }
  exercise.button.disabled = false;
}
/* The machine is put before a plan; the next click on a patch entry or an allocation is the answer. */
async function askPlace(exercise) {
  asking = null;
  verdict(exercise, null, "One moment …");
  let isReady = await goTo(exercise.scene, exercise.knobs, exercise.moves);
  M.isHidden = true;
  isReady = isReady && await toPlan(exercise.until);
  if (!isReady) {
    M.isHidden = false;
    verdict(exercise, false, "The machine could not go there. Press 'From the start' and try again.");
    return;
  }
  asking = exercise;
  exercise.at = M.state.position.operation;
  verdict(exercise, null, exercise.ask);
  drawAll.drawn = null; redraw();
  at(exercise.place).scrollIntoView({ block: "center" });
}
async function answer(kind, value) {
  const exercise = asking;
  if (!exercise || exercise.kind != kind) return;
  asking = null;
  M.isHidden = false;
  takeLists(M.state);
  const [isRight, text] = await exercise.judge(value);
  verdict(exercise, isRight, text);
  exercise.answered = M.state;
  drawAll.drawn = null; redraw();
}
const answerPlace = number => answer("allocation", number);
const answerEntry = (list, entry) => answer("entry", { list, entry });
/* A step on shows the answer: then the question is over. */
function tellExercises(state) {
  if (!asking || state.position.operation == asking.at) return;
  if (asking.at !== undefined) { verdict(asking, null, "The machine has moved on. Start the exercise again.");
    endAsking(); }
}
function endAsking() { if (asking) asking.at = undefined; asking = null; M.isHidden = false; }

/* ---------------------------------------------------------------- their places in the page */
function startExercises() {
  at("exercise-list").replaceChildren(...EXERCISES.map((exercise, i) => {
    const box = exercise.box = element("div", { className: "exercise" });
    const tools = element("div", { className: "tools" });
    exercise.said = element("p", { className: "verdict" });
    exercise.said.setAttribute("aria-live", "polite");
    if (exercise.kind == "number") {
      exercise.input = element("input", { type: "number", min: exercise.least, max: exercise.most, ariaLabel:
        "answer to exercise " + (i + 1) });
      exercise.button = element("button", { type: "button", textContent: "Check", onclick: () =>
        checkNumber(exercise) });
      exercise.input.onkeydown = event => { if (event.key == "Enter") checkNumber(exercise); };
      tools.append(element("button", { type: "button", textContent: "Set the knobs",
        onclick: () => goTo(exercise.scene, exercise.knobs, exercise.moves) }), exercise.input, exercise.button);
    } else tools.append(element("button", { type: "button", textContent: "Take me there",
      onclick: () => askPlace(exercise) }));
    box.append(element("h3", { textContent: (i + 1) + ". " + exercise.title }), element("p", {},
      ...withTerms(exercise.text)), tools, exercise.said);
    return box;
  }));
}
