/* SPDX-License-Identifier: Apache-2.0
 * Runs the chip in a worker, which says how far it is. It cannot be stopped in the middle of a run but by ending it.
 */
const at = id => document.getElementById(id), grouped = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, " ");
const bytesOf = id => Uint8Array.from(atob(at(id).textContent.trim()), c => c.charCodeAt(0));
let worker = null, begun = 0;
function show(facts) {
  at("facts").replaceChildren();
  for (const [name, value] of facts) {
    const row = at("facts").insertRow();
    row.insertCell().textContent = name; row.insertCell().textContent = value;
  }
}
function hear({ data }) {
  const seconds = (performance.now() - begun) / 1000;
  if (data.cycle !== undefined) show([["cycle", grouped(data.cycle)], ["render node", data.render || "nothing to do"],
    ["paging node", data.paging || "nothing to do"], ["cycles a second", grouped(data.cycle / seconds)]]);
  if (data.pixels) at("frame").getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(data.pixels), 320,
    240), 0, 0);
  if (data.text !== undefined) { at("said").textContent = data.text; stop(); }
}
function stop() { if (worker) worker.terminate(); worker = null; at("run").textContent = "▶ Run"; }
function run() {
  if (worker) { stop(); at("said").textContent = "Ended."; return; }
  worker = new Worker(URL.createObjectURL(new Blob([at("worker-source").textContent], { type: "text/javascript" })));
  worker.onmessage = hear;
  worker.onerror = event => { at("said").textContent = event.message; stop(); };
  begun = performance.now();
  at("run").textContent = "■ End"; at("said").textContent = "";
  worker.postMessage({ wasm: bytesOf("machine-base64").buffer, firmware: bytesOf("firmware-base64"),
    frames: +at("frames").value, piece: +at("piece").value });
}
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
if (typeof WebAssembly == "undefined")
  at("said").textContent = "This browser has no WebAssembly, which the chip needs. Use another browser.";
else { at("run").onclick = run; at("run").disabled = false; }
