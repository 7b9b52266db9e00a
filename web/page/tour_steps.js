/* SPDX-License-Identifier: Apache-2.0
 * The steps of the tour. `moves` lead to the state, from the beginning of a new machine; `shows` is what must be seen
 * there (the page's own test asks it); `does` is offered as a button.
 */
const FIRST_SCENE = "cards";
const operationIs = kind => state => state.operation !== null && state.operation.kind == kind;
const hasSplit = state => state.patch !== null && state.patch.cut >= 0;
const isMapped = state => state.segments.some(s => s.kind == "aperture" && s.used > 0);
const isCopying = state => state.operation !== null && state.operation.by == "paging" && state.operation.kind == "RUN";
const isTorn = state => state.display.torn > 0;
const isRenderWaiting = state => state.nodes[0].waits > 0;
/* A list of which no portion has been planned, some of it in memory and some not. */
const hasFreshList = () => M.lists.some(list => list.entries.length && !list.isOver && list.next == 0 &&
  cellsOf(list).slice(1).some(i => isResident(list.entries[i].number)) && cellsOf(list).some(i =>
  !isResident(list.entries[i].number)));
/* An eviction of which the policy knew when it will be needed again. */
async function isForeseen(state) {
  if (!operationIs("EVICT")(state)) return false;
  const { sentences } = await client.ask({ type: "explain", plan: state.operation.plan }, "explained");
  const gone = [...M.allocations.values()].find(a => a.handle == state.operation.handle);
  return sentences.some(s => s.kind == "evict" && gone && s.text.startsWith(gone.name + " ") &&
    /patch locations? further on/.test(s.text));
}
const TOUR = [
  { title: "A texture does not fit", scene: "cards", knobs: { policy: "literal", queued: 1 }, moves: [["find",
    "evict"]],
    shows: operationIs("EVICT"),
    text: "Every frame draws 52 cards of 4 pages each. The two [memory segments|memory segment] have 80 pages, and " +
      "the [frame buffer] takes 38 of them. So a card has to leave before another can come: an [eviction].",
    try: "press Run and watch the maps. Then set segment 2 to 400 pages and press 'to an eviction'. Is there still " +
      "one?",
    does: { text: "Give it 400 pages", knobs: { segment2: 400 }, moves: [["seek", "frame", 1]], runs: 3,
      shows: state => counterOf(state, "EVICTIONS") == 0 } },
  { title: "Where a texture comes from", scene: "cards", knobs: { policy: "literal", queued: 1 },
    moves: [["until", isCopying]], shows: isCopying,
    text: "The program keeps each picture in pages of its own, the [backing pages]. An [allocation] can be drawn " +
      "only while it is in a [segment]. So the paging node copies it in first. A box with a dashed edge is being " +
      "copied.",
    try: "point at a box in the maps, and read what it is and why it is there. Then step on with the key O: a card " +
      "is copied at each step, and after the paging node's fence all of them are there." },
  { title: "The program says what it needs", scene: "cards", knobs: { segment2: 144,
    queued: 1 },
    moves: [["seek", "buffer", 5], ["until", hasFreshList]], shows: () => hasFreshList(),
    text: "A [DMA buffer] is a list of commands. Its [patch list] says which allocation each of them needs. An " +
      "entry is a [patch location]: a word that needs the allocation's address before the buffer runs. The " +
      "program cannot know the address, because the allocation may not be in memory yet. So the firmware walks " +
      "the list from left to right, finds places, and writes the addresses.",
    try: "go through the cells with the arrow keys. Filled ones are in memory, those with a dashed edge are not. The " +
      "small triangle marks the entry that is described below." },
  { title: "Two engines at once", scene: "cards", knobs: {},
    moves: [["seek", "buffer", 1], ["until", isRenderWaiting]],
    shows: isRenderWaiting,
    text: "The render [node] draws and the paging node copies, each from a [ring] of its own. A [fence] is a " +
      "number that one of them writes when it is done. The other can wait for it. Nothing else orders the two.",
    try: "the first portion in the render node's queue waits. For which of the copies? Step with the key O until " +
      "it continues." },
  { title: "The dashed line: a split", scene: "cards", knobs: { policy: "literal", queued: 1 },
    moves: [["find", "split"]], shows: state => operationIs("SPLIT")(state) && hasSplit(state),
    text: "The frame buffer leaves 42 pages. So ten cards of this row fit, and the eleventh does not. None of the " +
      "ten may leave, because the commands before the line still draw them. So the [portion] ends here. After it " +
      "is drawn, its cards make room for the others. The dashed line is this [split].",
    try: "13 cards of 4 pages and 38 for the frame buffer are 90 pages. With which size of segment 2 does the line " +
      "disappear? Change the setting: the machine goes to this row again." },
  { title: "Where a line may be", scene: "cards", knobs: { policy: "literal", queued: 1, force: ["SPLIT"] },
    moves: [["find", "split", 8]], shows: hasSplit,
    text: "A buffer can be split only where the patch list allows it: before a [group], at the small ticks below the " +
      "cells. Here a forced mode splits at every such place, also after each card, where only its slot is " +
      "emptied (such a portion has no cell). What a [slot] holds across a split has to stay in its place.",
    try: "look for boxes with ▪: a slot holds them across the split. Then turn the forced mode off.",
    does: { text: "Only where it must be", knobs: { force: [] }, moves: [["find", "split"]],
      shows: hasSplit } },
  { title: "A line that nothing forces", scene: "cards", knobs: { queued: 1 }, moves: [["find", "split", 2]],
    shows: hasSplit,
    text: "The look-ahead [policy] ends a portion although there is room. A portion that uses all of memory leaves " +
      "no place for copies of the next one. Short portions keep both nodes busy, as long as a split costs " +
      "little. The [cost model] measures that.",
    try: "set the split cost to 1000 pages: now the line is where memory ends.",
    does: { text: "Make splits expensive", knobs: { splitCost: 1000 }, moves: [["find", "split"]] } },
  { title: "Read it in place", scene: "collection", knobs: {}, moves: [["seek", "frame", 1]], shows: isMapped,
    text: "Not everything has to be copied. Through the [aperture] the GPU reads the program's own pages over the " +
      "bus. 400 textures are drawn here, four times what memory holds, and almost nothing is copied.",
    try: "tick 'copy every texture': watch the second map fill, and the count of pages that are fetched again.",
    does: { text: "Copy them all", knobs: { copyOnly: true }, moves: [["seek", "frame", 1]], runs: 4,
      shows: state => counterOf(state, "PAGES_IN") > 1000 } },
  { title: "Two programs, one memory", scene: "programs", knobs: {}, moves: [["seek", "frame", 1], ["find", "evict"]],
    shows: state => state.programs.length == 2,
    text: "Each of these programs would fill memory alone. So each [context] has a [share]: what is within it is " +
      "evicted last. A budget sets the share by hand.",
    try: "colour the maps by program, and give the left one a budget of 100 pages. The rows below 'Copied so far' " +
      "say what each holds, and what it loses to the other.",
    does: { text: "100 pages for the left one", knobs: { contexts: [{ priority: 0, budget: 100 }, { priority: 0,
      budget: 0 }] }, moves: [["seek", "frame", 2]] } },
  { title: "The patch list is the known future", scene: "cards", knobs: { segment2: 144 },
    moves: [["seek", "frame", 2], ["until", isForeseen]], shows: operationIs("EVICT"),
    text: "Least recently used first ([LRU]) would evict exactly the card that is drawn next, because the deck is " +
      "drawn in a cycle. But the queued lists tell the future. The look-ahead policy reads them. It evicts what " +
      "costs least to bring back at its next use ([eviction cost]).",
    try: "read how far away the next use is. Then press 'frame ▶', and run the same with LRU. 'Copied so far' " +
      "shows the pages of both, one below the other.",
    does: { text: "The same with LRU", knobs: { segment2: 144, policy: "literal" }, moves: [["seek", "frame", 3]] } },
  { title: "Torn, or whole", scene: "cards", knobs: { segment2: 400, display: 2 },
    moves: [["seek", "frame", 3], ["until", isTorn]], shows: isTorn,
    text: "A display reads the picture row by row, 60 times a second. Here a new [frame buffer] takes the old one's " +
      "place at once, in the middle of a frame. So the rows above are of the older frame, and the rows below of the " +
      "newer one: the picture is torn.",
    try: "compare the cards above and below the two marks at the edges of 'The display'. They are of two frames. " +
      "A flip waits for the blank instead, the pause between two frames. " +
      "The frame buffer that is shown stays in memory, and the program draws into the other one.",
    does: { text: "Flip at the blank", knobs: { segment2: 400, display: 1 }, moves: [["seek", "frame", 4]],
      shows: state => state.display.picture > 0 && !isTorn(state) } }
];
