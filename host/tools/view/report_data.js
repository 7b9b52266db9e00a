/* SPDX-License-Identifier: Apache-2.0
 * The history of a run out of `run`, as report_history of report_html.c writes it: stays of allocations, their names,
 * DMA buffers. report_why.js explains it, here and in the page of web/.
 */
const bytes = n => n >= 1048576 ? (n / 1048576).toFixed(1) + " MB" :
                   n >= 1024 ? (n / 1024).toFixed(1) + " KB" : n + " B";
function words(text) {
  const raw = atob(text), out = new Uint32Array(raw.length >> 2);
  for (let i = 0; i < out.length; i++)
    out[i] = raw.charCodeAt(4 * i) | raw.charCodeAt(4 * i + 1) << 8 | raw.charCodeAt(4 * i + 2) << 16 |
             raw.charCodeAt(4 * i + 3) << 24;
  return out;
}
const raw = words(run.stays), stayCount = raw.length / 5 | 0, U = run.unit;
const stay = i => ({ index: i, begin: raw[5 * i] * U, end: raw[5 * i + 1] * U, known: raw[5 * i + 2] & 0xfffffff,
  again: raw[5 * i + 2] >>> 30 & 1, how: raw[5 * i + 2] >>> 28 & 3, page: raw[5 * i + 3],
  pages: raw[5 * i + 4] & 0xffffff, segment: raw[5 * i + 4] >>> 24 });
const nameOf = known => run.names[known] || "?";
const jobText = i => i >= 0 && i < run.jobs.length ? "DMA buffer " + run.jobs[i][0] + " of frame " + run.jobs[i][1]
                                                   : "a DMA buffer";
