/* SPDX-License-Identifier: Apache-2.0
 * A page without a page: it starts the worker as the real one does, asks what tests/web/equal.py has put into `cases`,
 * and leaves the answers in `answers`.
 */
const answers = [];
let table = null;
function crc32(bytes) {
  if (!table) {
    table = new Uint32Array(256);
    for (let i = 0; i < 256; i++) {
      let value = i;
      for (let bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
      table[i] = value;
    }
  }
  let sum = -1;
  for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ sum >>> 8;
  return (~sum >>> 0).toString(16).padStart(8, "0");
}
const bytesOf = text => Uint8Array.from(atob(text), character => character.charCodeAt(0));
function startWorker() {
  const source = document.getElementById("worker-source").textContent;
  return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
}
/* Post the message; what comes of one of these types, or an error. */
const ask = (worker, message, ...types) => new Promise(done => {
  worker.onmessage = event => { if ([...types, "error"].includes(event.data.type)) done(event.data); };
  worker.postMessage(message);
});
function kept(message) {
  if (message.type == "file") return { type: "file", crc: crc32(new Uint8Array(message.bytes)) };
  if (message.type == "state") return { type: "state", position: message.position, known: message.known,
    pages_in: (message.traffic.in + message.traffic.in_again) / 4096 };
  return message.type == "ready" ? { type: "ready" } : message;
}
async function answer(worker, request) {
  const begin = performance.now(), message = { ...request };
  if (message.base64) message.bytes = bytesOf(message.base64).buffer;
  delete message.base64;
  const types = { create: "state", load: "state", export: "file", digest: "digest", policy: "policy" };
  const result = kept(await ask(worker, message, types[message.type] || "state"));
  return { ...result, milliseconds: performance.now() - begin };
}
async function work() {
  const nothing = new Uint8Array([0, 97, 115, 109, 9]).buffer;
  answers.push(await ask(startWorker(), { type: "start", wasm: nothing }, "ready"));
  const worker = startWorker(), begin = performance.now();
  const wasm = bytesOf(document.getElementById("machine-base64").textContent.trim()).buffer;
  const ready = await ask(worker, { type: "start", wasm }, "ready");
  answers.push({ ...kept(ready), milliseconds: performance.now() - begin });
  for (const request of cases) answers.push(await answer(worker, request));
  document.title = "done";
}
work().catch(error => { answers.push({ type: "thrown", text: String(error) }); document.title = "done"; });
