/* SPDX-License-Identifier: Apache-2.0
 * What the scripts of the pages use, the report's, that of `tessera compare` and the machine's (web/page): elements,
 * numbers, rows of tables, what is drawn on.
 */
const at = id => document.getElementById(id);
const clamp = (n, low, high) => Math.max(low, Math.min(high, n));
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const grouped = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, " ");
/* Numbers of five digits and more inside a text, as everywhere else. */
const spaced = text => text.replace(/(?<![\w.])\d{5,}(?!\w|\.\d)/g, digits => grouped(+digits));
function row(table, cells, tag) {
  const line = table.insertRow();
  for (const cell of cells) {
    const box = document.createElement(tag || "td");
    if (cell instanceof Node) box.append(cell); else box.textContent = typeof cell === "number" ? grouped(cell) : cell;
    if (typeof cell === "number" || /^[\d.]+ %$/.test(cell)) box.className = "n";
    line.append(box);
  }
  return line;
}
/* A canvas as wide as its place and `height` high, in pixels of the screen; `wide`: its width, where it is known
 * already, as asking for it lays the page out. */
function inked(canvas, height, wide) {
  const scale = window.devicePixelRatio || 1, width = wide || canvas.clientWidth || 1000;
  if (canvas.style.height != height + "px") canvas.style.height = height + "px";
  if (canvas.width != Math.round(width * scale) || canvas.height != Math.round(height * scale)) {
    canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale);
  }
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "11px system-ui, 'DejaVu Sans', sans-serif"; g.textBaseline = "middle";
  return { g, width, height };
}
