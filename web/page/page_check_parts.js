/* SPDX-License-Identifier: Apache-2.0
 * Parts of the page's own test that take long: tour, exercises, work of one's own; and the words.
 */
async function checkTour(check) {
  check(TOUR.length == 10, "the tour has ten steps");
  at("tour-open").click();
  for (let i = 0; i < TOUR.length; i++) {
    await settled();
    const step = TOUR[i], name = "step " + (i + 1) + ", " + step.title;
    check(!at("tour").hidden && at("tour-title").textContent == step.title, name);
    check(M.state.found !== false && step.shows(M.state), name + ": the machine shows it");
    check(step.text.split(/[.?!](?: |$)/).filter(Boolean).length <= 3, name + ": is short");
    const terms = [...at("tour").querySelectorAll(".term")];
    check(terms.length > 0, name + ": has terms");
    for (const term of terms) {
      term.click();
      check(!at("bubble").hidden && at("bubble-text").textContent.length > 5, name + ": " + term.textContent + ": " +
        at("bubble-word").textContent);
      at("bubble").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      check(at("bubble").hidden && document.activeElement == term, name + ": the bubble closes");
    }
    if (step.does) {
      at("tour-do").click();
      await settled();
      check(at("trouble").hidden && (!step.does.shows || step.does.shows(M.state)), name + ": " + step.does.text);
      pause();
    }
    if (i + 1 < TOUR.length) at("tour-after").click();
  }
  press("machine", "["); await settled();
  check(tourStep == TOUR.length - 2, "the step before by key");
  at("tour-dots").children[0].click(); await settled();
  check(tourStep == 0, "a step by its number");
  noteLink();
  check(ownFragment.includes("tour=1"), "a link names the step");
  at("tour-close").click();
  check(at("tour").hidden, "the tour closes");
}
/* Steps that are asked for one right after the other: the last one is shown, as if it had been the only one. */
async function checkHaste(check) {
  await openTour(4);
  const wanted = shownState();
  openTour(0); openTour(6);
  await openTour(4); await settled();
  check(shownState() == wanted && tourStep == 4, "steps in haste: the last one counts");
}
/* A knob that is turned by hand in a step goes to what the step is about; where that is not any more, past it. */
async function checkTourKnobs(check) {
  const splits = 4;
  await openTour(splits);
  const cut = M.state.patch.cut;
  await setKnob("set-segment2", 68); await settled();
  check(hasSplit(M.state) && M.state.patch.cut > cut, "a larger segment: the line is further on");
  await setKnob("set-segment2", 74); await settled();
  check(counterOf(M.state, "SPLITS") == 0 && M.state.position.portion > 0, "74 pages: no line");
  await openTour(TOUR.length - 1);
  await seekTo("frame", 3);
  doTour(); await settled(); drawAll();
  const [, now, before] = at("bound").textContent.match(/frames 0 to 2(\d+)before, with policy lookahead(\d+)/) || [];
  check(+now > +before, "least recently used beside look-ahead: " + now + " pages and " + before);
  at("tour-close").click();
}
async function checkExercises(check) {
  for (const exercise of EXERCISES) {
    if (exercise.kind == "number") {
      const right = await exercise.solve();
      for (const wrong of exercise.wrong(right)) {
        exercise.input.value = wrong;
        await checkNumber(exercise);
        check(!exercise.isSolved && /Not yet/.test(exercise.said.textContent), exercise.title + " " + wrong + ": " +
          exercise.said.textContent);
      }
      exercise.input.value = right;
      await checkNumber(exercise);
      check(exercise.isSolved && /Right/.test(exercise.said.textContent), exercise.title + " " + right + ": " +
        exercise.said.textContent);
    } else {
      for (const isRight of [false, true]) {
        await askPlace(exercise);
        check(asking == exercise, exercise.title + ": " + exercise.said.textContent);
        await exercise.solve(isRight);
        await until(() => /Right|Not yet/.test(exercise.said.textContent), 8000);
        check(exercise.isSolved == isRight, exercise.title + ": " + exercise.said.textContent);
      }
    }
  }
}
/* A small workload of our own, as the replay reads it: twenty allocations go round in memory for eight. */
const OWN_WORKLOAD = () => JSON.stringify({ format: "pagesim-1", name: "small", page: 4096, slots: 4,
  segments: [{ kind: "local", size: 131072 }],
  allocs: Array.from({ length: 20 }, () => ({ size: 16384, seg: 0, align: 4096, init: "backing", temp: false })),
  buffers: Array.from({ length: 6 }, (_, b) => ({ len: 320, times: Array(10).fill(100),
    patches: Array.from({ length: 10 }, (_, i) => [i % 4, (10 * b + i) % 20, 32 * i, false]) })) });
async function checkOwnWork(check) {
  const text = OWN_WORKLOAD();
  if (!text) return;
  const isTaken = await takeFile(new File([text], "small.json"));
  check(isTaken && M.created.scene == "small.json", "a workload is taken" + at("trouble").textContent);
  await until(() => M.state.position.operation > 3, 5000);
  check(M.state.position.operation > 3, "and runs");
  pause();
}
function checkWords(check) {
  check(WORDS.length > 30 && at("words").querySelectorAll("dt").length == WORDS.length, "every word of the glossary");
  check(WORDS.filter(w => w.path).every(w => w.line > 0), "places in the source have lines");
  for (const name of ["page fault", "working set", "thrashing", "Belady", "LRU"]) {
    openBubble(name, at("go-glossary"));
    check(!at("bubble").hidden && /Tessera/.test(at("bubble-text").textContent), name + ": " +
      at("bubble-text").textContent);
    closeBubble();
  }
  const named = [...TOUR.flatMap(s => [s.text, s.try]), ...EXERCISES.map(e => e.text)].join(" ")
    .match(/\[[^\]]+\]/g) || [];
  const unknown = named.map(t => t.slice(1, -1).split("|").pop()).filter(name => !findWord(name));
  check(unknown.length == 0, "every term is in the glossary" + unknown.map(name => " " + name));
}
