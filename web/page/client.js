/* SPDX-License-Identifier: Apache-2.0
 * The worker that has the machine in it, and questions to it: ask() is a promise of the answer of a type. An answer
 * carries the question's id; what comes without being asked for goes to `heard`.
 */
class Client {
  constructor(heard) {
    this.heard = heard; this.waiting = new Map(); this.last = 0; this.worker = null; this.ready = null;
  }
  /* A promise of `ready`. `module`: of another client's `ready`, if there is one. */
  start(module) {
    const source = at("worker-source"), text = source ? source.textContent.trim() : "";
    this.worker = text ? new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))) :
      new Worker("worker.js");
    this.worker.onmessage = event => this.hear(event.data);
    const failed = new Promise((done, fail) => {
      this.worker.onerror = event => { event.preventDefault(); fail(new Error(event.message ||
        "the browser started no worker. Load the page again.")); };
    });
    const wasm = module || Client.bytes();
    return Promise.race([failed, this.ask({ type: "start", wasm }, "ready").then(ready => this.ready = ready)]);
  }
  /* What the page has inside, or null: then the worker fetches the file. */
  static bytes() {
    const element = at("machine-base64"), text = element ? element.textContent.trim() : "";
    if (!text) return null;
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes.buffer;
  }
  ask(message, type) {
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail, type });
      this.worker.postMessage({ ...message, id });
    });
  }
  tell(message) { this.worker.postMessage({ ...message, id: ++this.last }); }
  hear(message) {
    const begin = performance.now(), waits = this.waiting.get(message.id);
    if (message.type == "error" && waits) {
      this.waiting.delete(message.id);
      waits.fail(Object.assign(new Error(message.text), { knob: message.knob, where: message.where }));
    } else {
      this.heard(message);
      if (waits && waits.type == message.type) { this.waiting.delete(message.id); waits.done(message); }
    }
    Client.spent.push(performance.now() - begin);
    if (Client.spent.length > 4096) Client.spent.splice(0, 2048);
  }
  stop() { this.worker.terminate(); }
}
Client.spent = []; /* milliseconds of the page's thread for each message */
