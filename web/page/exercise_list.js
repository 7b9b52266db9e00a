/* SPDX-License-Identifier: Apache-2.0
 * The exercises. A number is judged by running the machine with it and with its neighbour; a place by what the firmware
 * decides there. `solve` finds the answer as a reader could, by trying: the page's own test uses it.
 */
const CARDS_LITERAL = { policy: "literal" };
/* The least number from `low` to `high` for which it holds, if it holds from somewhere on. */
async function leastFor(low, high, holds) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await holds(middle)) high = middle; else low = middle + 1;
  }
  return low;
}
/* `n` does it and one less does not. */
async function isLeast(n, low, holds, texts) {
  if (!await holds(n)) return [false, texts.fails(n)];
  if (n > low && await holds(n - 1)) return [false, texts.isMore(n - 1)];
  return [true, texts.right(n)];
}
const splitsWith = async segment2 => {
  try { return (await measure("cards", { ...CARDS_LITERAL, segment2 }, 1)).splits; } catch { return Infinity; }
};
/* At a plan that has just been made, which is hidden: its list has a dashed line, or something has to leave. */
async function toPlan(wanted) {
  for (let i = 0; i < 3000; i++) {
    const state = await client.ask({ type: "step", unit: "operation", count: 1 }, "state");
    if (state.operation && state.operation.kind == "PLANNED" && wanted(state)) return true;
    if (state.known.complete && state.position.operation >= state.known.operation) return false;
  }
  return false;
}
const goingOf = state => state.segments.flatMap(s => s.ranges.filter(r => r.how == "going"));
const EXERCISES = [
  { kind: "entry", title: "Where will the line be?", scene: "cards", knobs: { ...CARDS_LITERAL, segment2: 56 },
    moves: [["seek", "frame", 1]], place: "patches", until: state => state.patch.cut >= 0,
    text: "Memory has 72 pages: 16 and 56. The frame buffer keeps 38 of them, a card needs 4. In front of which " +
      "card of " +
      "this [patch list] does the [portion] end?",
    ask: "Click the entry in front of which the dashed line will be (or choose it with the arrow keys and press " +
      "Enter).",
    judge: async ({ list, entry }) => {
      const cut = M.state.patch.cut;
      cellsOf(list);
      const isRight = list.tag == M.state.patch.tag && list.cellOf[entry] == list.cellOf[cut];
      const sentence = splitWhy(M.lists.find(l => l.tag == M.state.patch.tag), cut);
      const name = M.state.patch.entries.slice(cut).find(e => !e.unbind).name;
      return [isRight, "The firmware ends the portion in front of " + name + ". " + (sentence || "")];
    },
    solve: async isRight => {
      const list = M.lists.find(l => l.tag == M.state.patch.tag), cut = M.state.patch.cut;
      await answerEntry(list, isRight ? cut : cut - 2);
    } },
  { kind: "number", title: "The least memory without a line", scene: "cards", knobs: CARDS_LITERAL,
    moves: [["seek", "frame", 1], ["find", "split"]], least: 40, most: 512,
    text: "Segment 1 has 16 pages, the policy is literal. What is the smallest size of segment 2, in pages, with " +
      "which no " +
      "row of cards of frame 1 is [split]?",
    judge: n => isLeast(n, 40, async k => await splitsWith(k) == 0, {
      fails: k => "With " + k + " pages frame 1 is still split.", isMore: k => "With " + k +
        " pages it is not split either.",
      right: k => "With " + k + " pages frame 1 is not split, with " + (k - 1) + " it is." }),
    solve: () => leastFor(40, 512, async k => await splitsWith(k) == 0), wrong: right => [right - 1, right + 3] },
  { kind: "allocation", title: "Which one has to leave?", scene: "cards", knobs: { ...CARDS_LITERAL, segment2: 80 },
    moves: [["seek", "frame", 1], ["step", "buffer", 1]], place: "memory", until: state => goingOf(state).length > 0,
    text: "The literal policy evicts the card that was used longest ago ([LRU]); the row before this one used the " +
      "cards " +
      "in the order of its patch list. Which card has to leave now?",
    ask: "Click in the maps a card that will leave (or choose it with the arrow keys and press Enter).",
    judge: async number => {
      const going = goingOf(M.state);
      return [going.some(r => r.number == number), "These leave: " + going.map(r => r.name).join(", ") + "."];
    },
    solve: async isRight => {
      const going = goingOf(M.state).map(r => r.number);
      const others = M.segments.flatMap(s => s.ranges).filter(r => !going.includes(r.number));
      await answerPlace(isRight ? going[0] : others[0].number);
    } }
];
