/* SPDX-License-Identifier: Apache-2.0
 * The steps of the tour. `moves` lead to the state, from the beginning of a new machine; `shows` is what must be seen
 * there (the page's own test asks it); `does` is offered as a button.
 */
const FIRST_SCENE = "cards";
const operationIs = kind => state => state.operation !== null && state.operation.kind == kind;
const hasSplit = state => state.patch !== null && state.patch.cut >= 0;
const isMapped = state => state.segments.some(s => s.kind == "aperture" && s.used > 0);
const TOUR = [
  { title: "A texture does not fit", scene: "cards", knobs: { policy: "literal", queued: 1 }, moves: [["find",
    "evict"]],
    shows: operationIs("EVICT"),
    text: "Every frame draws 52 cards of 4 pages each, but the two [memory segments|memory segment] have 80 pages, " +
      "of " +
      "which the [frame buffer] takes 38. So a card has to leave before another can come: that is an [eviction].",
    try: "press Run and watch the maps. Then set segment 2 to 400 pages: does anything still have to leave?",
    does: { text: "Give it 400 pages", knobs: { segment2: 400 }, moves: [["seek", "frame", 1]], runs: 3,
      shows: state => counterOf(state, "EVICTIONS") == 0 } },
  { title: "Where a texture comes from", scene: "cards", knobs: { policy: "literal", queued: 1 }, moves: [["seek",
    "portion", 1]],
    shows: state => state.position.portion == 1 && state.segments.some(s => s.used > 0),
    text: "The program keeps each picture in pages of its own, the [backing pages]. An [allocation] is drawn only " +
      "while " +
      "it has addresses in a [segment], so the paging node copies it in first, page by page.",
    try: "point at a box in the maps, and read what it is and why it is there; then step on with the key O." },
  { title: "The program says what it needs", scene: "cards", knobs: { policy: "literal", queued: 1 },
    moves: [["seek", "buffer", 1]], shows: state => state.patch !== null && state.patch.entries.length > 10,
    text: "A [DMA buffer] is a list of commands, and its [patch list] says which allocation each of them needs: an " +
      "entry " +
      "is a [patch location], the word into which the address is written before the buffer runs. The firmware " +
      "walks this list from left to right before anything runs, and so does the row " +
      "of cells under the maps.",
    try: "go through the cells with the arrow keys: filled ones are in memory, those with a dashed edge have to " +
      "come." },
  { title: "Two engines at once", scene: "cards", knobs: {}, moves: [["seek", "buffer", 1], ["step", "portion", 2]],
    shows: state => state.nodes.length == 2 && state.position.portion > 2,
    text: "The render [node] draws and the paging node copies, each from a [ring] of its own. A [fence] is a " +
      "number that " +
      "one of them writes when it is done, and for which the other can wait: nothing else orders the two.",
    try: "step by operation and find a packet in the render node's queue that waits for a fence of the paging node." },
  { title: "The dashed line: a split", scene: "cards", knobs: { policy: "literal", queued: 1 },
    moves: [["find", "split"]], shows: state => operationIs("SPLIT")(state) && hasSplit(state),
    text: "Beside the frame buffer there are 42 pages, so ten cards of this row fit and the eleventh does not. " +
      "None of " +
      "the ten may leave, as the commands in front of the line still draw them: the [portion] ends here, is drawn, " +
      "and " +
      "only then its cards make room for the others. The dashed line is such a [split].",
    try: "13 cards of 4 pages and 38 for the frame buffer are 90 pages. With which size of segment 2 does the line " +
      "go?" },
  { title: "Where a line may be", scene: "cards", knobs: { policy: "literal", queued: 1, force: ["SPLIT"] },
    moves: [["seek", "portion", 6]], shows: hasSplit,
    text: "A buffer can be cut only where the patch list says so: in front of a [group], at the small ticks below " +
      "the " +
      "cells. Here a forced mode takes every place there is, and what a [slot] still holds behind a cut has to stay " +
      "where it is.",
    try: "look for a box with ▪: it is bound over the cuts. Then take the forced mode away again.",
    does: { text: "Only where it must be", knobs: { force: [] }, moves: [["find", "split"]],
      shows: hasSplit } },
  { title: "A line that nothing forces", scene: "cards", knobs: { queued: 1 }, moves: [["find", "split", 2]],
    shows: hasSplit,
    text: "The look-ahead [policy] ends a portion although there is room: one that uses all of memory leaves no " +
      "place " +
      "into which the next could be copied while it is drawn. Short portions keep both nodes at work, as long as a " +
      "split costs little; the [cost model] measures that.",
    try: "set the split cost to 1000 pages: now the line is where memory ends.",
    does: { text: "Make splits expensive", knobs: { splitCost: 1000 }, moves: [["find", "split"]] } },
  { title: "Read it where it lies", scene: "collection", knobs: {}, moves: [["seek", "frame", 1]], shows: isMapped,
    text: "Not everything has to be copied: through the [aperture] the GPU reads the program's own pages over the " +
      "bus. " +
      "400 textures are drawn here, four times what memory holds, and almost nothing is copied.",
    try: "tick 'copy every texture': watch the second map fill, and the count of pages that are fetched again.",
    does: { text: "Copy them all", knobs: { copyOnly: true }, moves: [["seek", "frame", 1]], runs: 4,
      shows: state => counterOf(state, "PAGES_IN") > 1000 } },
  { title: "Two programs, one memory", scene: "programs", knobs: {}, moves: [["seek", "frame", 1], ["find", "evict"]],
    shows: state => state.programs.length == 2,
    text: "Each of these programs would fill memory alone, so each [context] has a [share]: what is within it is " +
      "evicted " +
      "last. A budget sets it by hand.",
    try: "colour the maps by program, and give the left one a budget of 100 pages: what does the right one lose?",
    does: { text: "100 pages for the left one", knobs: { contexts: [{ priority: 0, budget: 100 }, { priority: 0,
      budget: 0 }] }, moves: [["seek", "frame", 2]] } },
  { title: "The patch list is the known future", scene: "cards", knobs: { segment2: 144 },
    moves: [["seek", "frame", 2], ["find", "evict"]], shows: operationIs("EVICT"),
    text: "Least recently used first ([LRU]) would evict just the card that comes next, since a deck is drawn " +
      "round and " +
      "round. But the lists that wait are the future, known before it happens: the look-ahead policy reads them, and " +
      "evicts what costs least to bring back at its next use ([eviction cost]).",
    try: "compare 'copied into memory' behind frame 3 with that of the literal policy.",
    does: { text: "The same with LRU", knobs: { segment2: 144, policy: "literal" }, moves: [["seek", "frame", 3]] } }
];
