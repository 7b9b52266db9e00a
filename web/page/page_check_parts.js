/* SPDX-License-Identifier: Apache-2.0
 * Parts of the page's own test that take long: tour, exercises, work of one's own; and the words.
 */
async function checkTour(check) {
  check(TOUR.length == 11, "the tour has eleven steps");
  at("tour-open").click();
  for (let i = 0; i < TOUR.length; i++) {
    await settled();
    const step = TOUR[i], name = "step " + (i + 1) + ", " + step.title;
    check(!at("tour").hidden && at("tour-title").textContent == step.title, name);
    check(M.state.found !== false && step.shows(M.state), name + ": the machine shows it");
    check(step.text.split(" ").length <= 70, name + ": is short"); /* in words: what is plain has short sentences */
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
  await openTour(TOUR.length - 2);
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
/* Policies that cannot be used, each with words of the sentence that says so. */
const BAD_POLICIES = [["  ", "is empty"], ["return (", "not valid JavaScript"],
  ["} , function() {", "not valid JavaScript"],
  ["a.age;", "returned undefined for "], ["return a.age / 0 * 0;", "returned NaN for "],
  ["return 'x';", 'returned "x" for '],
  ["return a.user.age;", "failed for "], ["return wasm.web_known(0);", "failed for "],
  ["return Date.now();", "failed for "],
  ["a.age = 3; return 1;", "failed for "], ["throw 5;", "failed for "], ["for (;;);", "endless loop"]];
const score = async text => { at("lab-code").value = text; at("lab-run").click(); await labAt; return lab.last; };
/* The map's arithmetic, at its edges. */
function checkMapNumbers(check) {
  const is = (what, value, wanted) => check(JSON.stringify(value) == JSON.stringify(wanted), what + ": " +
    JSON.stringify(value));
  const grid = { columns: 8, wide: 10, high: 5 }, before = M.segments;
  is("pages over three rows", piecesOf(grid, 6, 12), [[61, 1, 20, true, false], [1, 6, 80, false, false],
    [1, 11, 20, false, true]]);
  is("pages of a row", piecesOf(grid, 8, 8), [[1, 6, 80, true, true]]);
  const view = { grid, pages: Int32Array.from({ length: 20 }, (_, i) => i) };
  is("what is under the pointer", [[1, 1], [10.9, 1], [11, 1], [80.9, 1], [81, 1], [0.5, 1], [1, 0.5], [1, 5.9], [1, 6],
    [1, 16], [41, 11], [1, 21]].map(([x, y]) => mapAt(view, x, y)), [0, 0, 1, 7, -1, -1, -1, 0, 8, -1, -1, -1]);
  M.segments = [{ pages: 64 }, { pages: 9999, is_aperture: true }];
  is("a small segment", gridOf(M.segments[0], 600, 64), { columns: 64, rows: 1, high: 34, wide: 9.34375 });
  is("on a narrow page", gridOf(M.segments[0], 500, 64), { columns: 32, rows: 2, high: 34, wide: 15.5625 });
  M.segments[0].pages = 4096;
  is("the largest segment", gridOf(M.segments[0], 600, 4096), { columns: 128, rows: 32, high: 9, wide: 4.671875 });
  M.segments[0].pages = 300;
  is("one between", gridOf(M.segments[0], 600, 300), { columns: 64, rows: 5, high: 26, wide: 9.34375 });
  is("an aperture", [[600, 256], [499, 256], [600, 4096]].map(([wide, shown]) => gridOf(M.segments[1], wide, shown)),
    [{ columns: 128, rows: 2, high: 16, wide: 4.671875 }, { columns: 64, rows: 4, high: 16, wide: 7.765625 },
      { columns: 128, rows: 32, high: 5, wide: 4.671875 }]);
  M.segments = before;
  const aperture = { top: 0, segment: { is_aperture: true, pages: 1000, ranges: [{ page: 60, pages: 10 }] } };
  is("pages of an aperture that are shown", [pagesShown(aperture), (aperture.segment.ranges = [], pagesShown(aperture)),
    (aperture.segment.pages = 50, pagesShown(aperture)), pagesShown({ segment: { pages: 7 } })], [128, 128, 50, 7]);
  is("short names", ["ace", "hearts 10", "hearts queen", "big blue box 7", "card 12", "card back"].map(shortName),
    ["ace", "♥10", "♥Q", "bbb 7", "C12", "Cback"]);
  is("sizes", [pagesText(1), pagesText(2), bytesText(4096), bytesText(1536), bytesText(1048576), bytesText(1572864)],
    ["1 page", "2 pages", "4 KB", "2 KB", "1.0 MB", "1.5 MB"]);
  is("colours", [programColour(-1, "5%"), programColour(0, "9%"), programColour(1, "9%"), hueOf(0), hueOf(1),
    Math.round(hueOf(3))], ["hsl(0,0%,5%)", "hsl(210,45%,9%)", "hsl(0,45%,9%)", 0, 137.508, 53]);
}
/* What the lab's machine is asked for a score: the visitor's policy, and the others once. */
async function checkLabAsks(check) {
  const ask = lab.ask, sent = [], others = "own literal lookahead future own text";
  lab.ask = (message, type) => {
    if (message.type == "policy") sent.push(message.future ? "future" : "text");
    if (message.type == "create") sent.push(message.knobs.policy);
    return ask(message, type);
  };
  labScores.clear();
  for (const each of [others, "own text"]) {
    sent.length = 0;
    const sums = await score("return -a.age;"), rows = [...at("lab-rows").rows].map(row => [...row.cells].slice(1)
      .map(cell => +cell.textContent.replace(/\D/g, "")));
    check(sent.join(" ") == ["text", ...LAB_WORK.map(() => each)].join(" "), "the lab asks for " + sent.join(" "));
    check(sums && [sums.own, sums.literal, sums.lookahead, sums.belady].every((sum, column) => sum > 0 &&
      rows.slice(0, -1).reduce((all, row) => all + row[column], 0) == sum && rows[LAB_WORK.length][column] == sum),
      "rows and their sum: " + JSON.stringify(rows));
  }
  lab.ask = ask;
}
async function checkLab(check, isQuick) {
  const before = M.created;
  at("go-lab").click();
  lab.seconds = 2;
  for (const [text, words] of BAD_POLICIES.slice(isQuick ? 1 : 0, isQuick ? 3 : undefined)) {
    const isTaken = await score(text), said = at("lab-said").textContent;
    check(!isTaken && said.includes(words) && !said.includes("\n") && !at("lab-rows").rows.length &&
      !at("lab-run").disabled, "policy " + text + ": " + said);
  }
  lab.seconds = LAB_SECONDS;
  const scores = [];
  for (const button of [...at("lab-examples").children].slice(0, isQuick ? 1 : undefined)) {
    button.click();
    scores.push(await score(at("lab-code").value));
    check(lab.last && lab.last.own > 0 && at("lab-rows").rows.length == LAB_WORK.length + 1 &&
      /^Your policy copied/.test(at("lab-said").textContent), button.textContent + ": " + at("lab-said").textContent);
  }
  if (isQuick) await checkLabAsks(check);
  check(M.created == before, "the machine that is shown is the same");
  if (isQuick) return;
  const [oldest, , , last] = scores, { literal, lookahead, belady } = oldest;
  check(Math.abs(oldest.own - literal) < literal / 20, "the oldest first is what LRU does: " + oldest.own + ", " +
    literal);
  check(belady < lookahead && lookahead < literal, "the more is known the less is copied: " + belady + ", " +
    lookahead + ", " + literal);
  check(last.own >= belady && last.own < (literal + belady) / 2, "needed last, by the queued lists: " + last.own);
  const worst = await score("return a.next;");
  check(worst && worst.own > last.own && worst.own >= oldest.own, "what is needed next leaves first: " + worst.own);
  const told = await score("const isRight = a.came >= a.age && a.age >= 1 && a.uses >= 1 && " +
    "a.uses <= a.came - a.age + 1 && a.next >= 1 && a.pages > 0; if (!isRight) throw " +
    "JSON.stringify(a); return -a.next;");
  check(told && told.own == last.own, "what a policy is told agrees: " + at("lab-said").textContent);
  const some = await score("return Math.random();"), again = await score("return Math.random();");
  check(some.own == again.own && some.own != oldest.own, "chance is the same each time: " + some.own + ", " +
    again.own);
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
