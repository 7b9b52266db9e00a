/* SPDX-License-Identifier: Apache-2.0
 * What the scripts of both pages use, the report's and that of `tessera compare`: elements, numbers, rows of tables.
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
