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
/* Pages that frame 2 of the deck copies in with LRU; the deck is 52 cards of 4 pages. */
const DECK_PAGES = 208;
const copiedWith = async segment2 => (await measure("cards", { ...CARDS_LITERAL, segment2 }, 2)).framePages;
const endsThrashing = async segment2 => await copiedWith(segment2) < DECK_PAGES / 2;
const goingOf = state => state.segments.flatMap(s => s.ranges.filter(r => r.how == "going"));
async function asGoodAs16() {
  const pages = async queued => (await measure("cards", { segment2: 144, queued }, 2)).framePages;
  const least = await pages(16);
  return async queued => await pages(queued) <= least;
}
const EXERCISES = [
  { kind: "entry", title: "Where will the line be?", scene: "cards", knobs: { ...CARDS_LITERAL, segment2: 56, queued:
    1 },
    moves: [["seek", "buffer", 5]], place: "patches", until: state => state.patch.cut >= 0,
    text: "Memory has 72 pages: 16 and 56. The frame buffer keeps 38 of them, a card needs 4. Before which " +
      "card of this [patch list] does the [portion] end?",
    ask: "Click the entry before which the dashed line will be (or choose it with the arrow keys and press Enter).",
    judge: async ({ list, entry }) => {
      const cut = M.state.patch.cut;
      cellsOf(list);
      const isRight = list.tag == M.state.patch.tag && list.cellOf[entry] == list.cellOf[cut];
      const sentence = splitWhy(M.lists.find(l => l.tag == M.state.patch.tag), cut);
      const name = M.state.patch.entries.slice(cut).find(e => !e.unbind).name;
      return [isRight, "The firmware ends the portion before " + name + ". " + (sentence || "")];
    },
    solve: async isRight => {
      const list = M.lists.find(l => l.tag == M.state.patch.tag), cut = M.state.patch.cut;
      await answerEntry(list, isRight ? cut : cut - 2);
    } },
  { kind: "number", title: "The least memory without a line", scene: "cards", knobs: CARDS_LITERAL,
    moves: [["seek", "frame", 1], ["find", "split"]], least: 40, most: 512,
    text: "Segment 1 has 16 pages, the policy is literal. What is the smallest size of segment 2, in pages, with " +
      "which no row of cards of frame 1 is [split]?",
    judge: n => isLeast(n, 40, async k => await splitsWith(k) == 0, {
      fails: k => "With " + k + " pages frame 1 is still split.", isMore: k => "With " + k +
        " pages it is not split either.",
      right: k => "With " + k + " pages frame 1 is not split, with " + (k - 1) + " it is." }),
    solve: () => leastFor(40, 512, async k => await splitsWith(k) == 0), wrong: right => [right - 1, right + 3] },
  { kind: "allocation", title: "Which one has to leave?", scene: "cards",
    knobs: { ...CARDS_LITERAL, segment2: 144, queued: 1 }, moves: [["seek", "buffer", 6]],
    place: "memory", until: state => goingOf(state).some(r => r.pages == 4),
    text: "The literal policy evicts first what was used longest ago ([LRU]). Only frame buffers have a higher " +
      "priority and stay. A box says which DMA buffer named it last. Which card has to leave for the next row?",
    ask: "Click in the maps a card that will leave (or choose it with the arrow keys and press Enter).",
    judge: async number => {
      const going = goingOf(M.state), tagOf = r => (M.last.get(r.number) || { tag: 0 }).tag;
      const said = [...new Set(going.map(tagOf))].sort().map(tag => going.filter(r => tagOf(r) == tag).map(r =>
        shortName(r.name)).join(" ") + " (last named by DMA buffer " + tag + ")");
      return [going.some(r => r.number == number), "These leave: " + said.join(", ") + "."];
    },
    solve: async isRight => {
      const cards = M.segments.flatMap(s => s.ranges).filter(r => r.pages == 4 && r.how != "planned");
      const byUse = cards.sort((a, b) => M.last.get(a.number).order - M.last.get(b.number).order);
      await answerPlace(isRight ? byUse[0].number : cards.find(r => r.how == "here").number);
    } },
  { kind: "number", title: "How much of the future is enough?", scene: "cards", knobs: { segment2: 144 },
    moves: [["seek", "frame", 2]], least: 1, most: 16,
    text: "The look-ahead [policy] knows the lists of the DMA buffers that are queued. What is the smallest number " +
      "of queued buffers with which frame 2 copies in no more pages than with 16 of them ('pages in, frame 2')?",
    judge: async n => isLeast(n, 1, await asGoodAs16(), {
      fails: k => "With " + k + " it copies more.", isMore: k => "With " + k + " it copies no more either.",
      right: k => "With " + k + " it knows all it can use; with " + (k - 1) + " it has to copy more." }),
    solve: async () => leastFor(1, 16, await asGoodAs16()), wrong: right => [right - 1, right + 1] },
  { kind: "number", title: "When does it stop thrashing?", scene: "cards", knobs: { ...CARDS_LITERAL, segment2: 200 },
    moves: [["seek", "frame", 2]], least: 56, most: 512,
    text: "Most of the deck fits into 16 and 200 pages. Yet with the literal policy ([LRU]) each frame copies " +
      "all 208 pages again. Every card is evicted just before it is drawn: this is [thrashing]. What is the " +
      "smallest size of segment 2, in pages, with which frame 2 copies less than half of the deck?",
    judge: async n => {
      const copied = "frame 2 copies " + await copiedWith(n) + " of " + DECK_PAGES + " pages";
      return isLeast(n, 56, endsThrashing, {
        fails: k => "With " + k + " pages it thrashes: " + copied + ".",
        isMore: k => "With " + k + " pages it does not thrash either.",
        right: k => "With " + k + " pages " + copied + ", with " + (k - 1) + " it thrashes: now the " +
          "working set fits." });
    },
    solve: () => leastFor(56, 512, endsThrashing), wrong: right => [right - 1, right + 3] }
];
