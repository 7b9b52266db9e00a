/* SPDX-License-Identifier: Apache-2.0
 * The lab: the visitor writes what a resident is worth, and the firmware evicts by it, in a machine of its own. The
 * score is the pages that are copied, in and out, beside those of the policies that there are and of the one that knows
 * the whole run. Everything is counted by the machine.
 */
const LAB_SECONDS = 20, LAB_FRAMES = 6;
const LAB_WORK = [
  { title: "a deck of cards, 160 pages", scene: "cards", knobs: { segment2: 144 } },
  { title: "a deck of cards, 116 pages", scene: "cards", knobs: { segment2: 100 } },
  { title: "a collection of textures, copied", scene: "collection", knobs: { copyOnly: true } }
];
const LAB_OTHERS = [["literal", "LRU (literal)"], ["lookahead", "look-ahead"], ["belady", "Belady, knows all"]];
const LAB_EXAMPLES = [
  ["used longest ago", "return -a.age;"],
  ["came first", "return -a.came;"],
  ["used least often", "return a.uses;"],
  ["needed last", "return -a.next;"],
  ["your own idea", "// a clean one costs half: it is not copied out\nconst cost = a.pages * (a.dirty ? 2 : 1);\n" +
    "return cost / a.next;"]
];
let labClient = null, labScores = new Map(), labAt = Promise.resolve();

/* A promise of an answer of the lab's machine. One that does not come ends the machine. */
async function labAsk(message, type) {
  if (!labClient) { labClient = new Client(() => 0); await labClient.start(M.ready.module); }
  let timer = 0;
  const late = new Promise((done, fail) => { timer = setTimeout(() => {
    labClient.stop(); labClient = null;
    fail(new Error("The policy did not answer for " + lab.seconds + " seconds and was stopped. Look for an " +
      "endless loop."));
  }, 1000 * lab.seconds); });
  try { return await Promise.race([labClient.ask(message, type), late]); } finally { clearTimeout(timer); }
}
const lab = { seconds: LAB_SECONDS, ask: labAsk };
/* Pages copied in LAB_FRAMES frames, frame by frame, so that each answer comes soon. */
async function labRun(work, policy) {
  const knobs = { ...stepKnobs(work), frames: LAB_FRAMES, policy };
  let state = await lab.ask({ type: "create", knobs }, "state");
  for (let frame = 1; frame <= LAB_FRAMES; frame++)
    state = await lab.ask({ type: "seek", unit: "frame", to: frame }, "state");
  if (state.failure) throw new Error(plainStatus(state.failure));
  return counterOf(state, "PAGES_IN") + counterOf(state, "PAGES_OUT");
}
/* Of the others, which do not change: run once. The one that knows all is told by the run before. */
async function labOthers(work) {
  if (labScores.has(work)) return labScores.get(work);
  const scores = {};
  for (const [policy] of LAB_OTHERS) {
    if (policy == "belady") await lab.ask({ type: "policy", future: true }, "policy");
    scores[policy] = await labRun(work, policy == "belady" ? "own" : policy);
  }
  labScores.set(work, scores);
  return scores;
}
function labSay(text, isBad) {
  at("lab-said").textContent = text;
  at("lab-said").className = "verdict " + (isBad ? "bad" : "");
}
function labRow(title, own, scores) {
  const cells = [title, own, ...LAB_OTHERS.map(([name]) => scores[name])];
  const row = element("tr", {}, ...cells.map((cell, i) => element(i ? "td" : "th", { className: i ? "n" : "",
    textContent: i ? grouped(cell) : cell })));
  row.firstChild.scope = "row";
  at("lab-rows").append(row);
}
/* A sentence about all of it: beside LRU, and how far it is from the one that knows the run. */
function labVerdict(own, sums) {
  const percent = other => Math.round(100 * Math.abs(own - other) / other);
  const beside = (other, name) => own == other ? "as many as " + name : !percent(other) ? "nearly as many as " + name :
    percent(other) + " % " + (own < other ? "fewer than " : "more than ") + name;
  return "Your policy copied " + grouped(own) + " pages: " + beside(sums.literal, "LRU") + ", " +
    beside(sums.lookahead, "look-ahead") + ", " + beside(sums.belady, "Belady's rule") + ".";
}
async function labScore() {
  const sums = { literal: 0, lookahead: 0, belady: 0 }, text = at("lab-code").value;
  let all = 0;
  at("lab-run").disabled = true;
  at("lab-rows").replaceChildren();
  try {
    labSay("The machine reads it …");
    await lab.ask({ type: "policy", text }, "policy");
    for (const work of LAB_WORK) {
      labSay("The machine draws " + work.title + " …");
      const own = await labRun(work, "own"), scores = await labOthers(work);
      await lab.ask({ type: "policy", text }, "policy"); /* the one that knows all was in its place */
      labRow(work.title, own, scores);
      all += own;
      for (const name of Object.keys(sums)) sums[name] += scores[name];
    }
    labRow("all", all, sums);
    labSay(labVerdict(all, sums));
    lab.last = { own: all, ...sums };
  } catch (error) { lab.last = null; at("lab-rows").replaceChildren(); labSay(error.message, true); }
  at("lab-run").disabled = false;
}
function startLab() {
  at("lab-code").value = LAB_EXAMPLES[0][1];
  at("lab-examples").replaceChildren(...LAB_EXAMPLES.map(([name, text]) => element("button", { type: "button",
    textContent: name, onclick: () => { at("lab-code").value = text; labSay(""); } })));
  at("lab-head").replaceChildren(element("th", { textContent: "pages copied in " + LAB_FRAMES + " frames" }),
    element("th", { className: "n", textContent: "yours" }), ...LAB_OTHERS.map(([, name]) => element("th", { className:
      "n", textContent: name })));
  at("lab-run").onclick = () => labAt = labScore();
}
