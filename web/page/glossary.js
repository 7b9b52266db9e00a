/* SPDX-License-Identifier: Apache-2.0
 * The words of docs/glossary.md (WORDS, which words.awk makes of it), with the place of the source that each is about.
 */
const plainWord = word => word.toLowerCase().replace(/\s*\(.*\)/, "").trim();
const wordIndex = new Map(WORDS.flatMap(w => w.word.split(",").map(name => [plainWord(name), w])));
const findWord = name => wordIndex.get(plainWord(name)) || wordIndex.get(plainWord(name).replace(/s$/, ""));
/* From out/web/ inside the tree; elsewhere the path alone is of use. */
function sourceLink(word) {
  if (!word.path) return null;
  return element("a", { href: "../../" + word.path, textContent: word.path + ":" + word.line });
}
let bubbleFrom = null;
function openBubble(name, from) {
  const word = findWord(name);
  if (!word) return;
  bubbleFrom = from;
  at("bubble-word").textContent = word.word;
  at("bubble-text").textContent = word.text[0].toUpperCase() + word.text.slice(1) + ".";
  const link = sourceLink(word);
  at("bubble-source").replaceChildren(...(link ? ["In the source: ", link] : []));
  at("bubble").hidden = false;
  at("bubble-word").focus({ preventScroll: true });
}
function closeBubble() {
  if (at("bubble").hidden) return;
  at("bubble").hidden = true;
  if (bubbleFrom && bubbleFrom.isConnected) bubbleFrom.focus({ preventScroll: true });
}
function startGlossary() {
  const groups = [...new Set(WORDS.map(w => w.group))];
  at("words").replaceChildren(...groups.flatMap(group => {
    const list = document.createElement("dl");
    for (const w of WORDS.filter(w => w.group == group)) {
      const link = sourceLink(w), text = element("dd", {}, w.text + ".");
      if (link) text.append(" ", link);
      list.append(element("dt", { textContent: w.word }), text);
    }
    return [element("h3", { textContent: group[0].toUpperCase() + group.slice(1) }), list];
  }));
  at("bubble-close").onclick = closeBubble;
  at("bubble").onkeydown = event => { if (event.key == "Escape") closeBubble(); };
}
