/* SPDX-License-Identifier: Apache-2.0
 * The visitor's policy (own_policy.h): a function body of JavaScript that says what a resident is worth. Its answers
 * and failures are judged here. The page watches that it ends at all: it can end this worker.
 * Or the policy that knows the whole run, for comparison: the patch lists of a machine that has run before.
 */
const POLICY_MOST = 20000, POLICY_NEXT_UNKNOWN = 0xffff;
/* What would let it answer otherwise another time, or reach the machine. */
const HIDDEN = ["Date", "performance", "crypto", "self", "globalThis", "postMessage", "onmessage", "fetch", "Worker",
  "importScripts", "setTimeout", "setInterval", "XMLHttpRequest", "WebSocket", "indexedDB", "caches", "wasm", "files",
  "opened", "imports", "memory", "actions", "created"];
let policyText = "", policyWorth = null, policyTrouble = "", future = null;

/* Math with numbers that are the same in each run. */
function fixedMath() {
  let state = 1;
  const random = () => { state = Math.imul(state, 1664525) + 1013904223 >>> 0; return state / 2 ** 32; };
  return Object.freeze(Object.defineProperties({ random }, Object.fromEntries(Object.entries(
    Object.getOwnPropertyDescriptors(Math)).filter(([name]) => name != "random"))));
}
function policyMake(text) {
  try {
    new Function("a", '"use strict";\n' + text); /* it is a body by itself: it closes no bracket of ours */
    return new Function("Math", ...HIDDEN, '"use strict"; return function worth(a) {\n' + text + "\n};")(fixedMath());
  } catch (error) { throw new Error("The policy is not valid JavaScript: " + error.message + "."); }
}
function policyTake(text) {
  text = String(text === undefined ? "" : text);
  if (!text.trim()) throw new Error("The policy is empty: it must return a number, for example: return -a.age;");
  if (text.length > POLICY_MOST) throw new Error("The policy has " + text.length + " letters, at most " + POLICY_MOST +
    " are possible. Shorten it.");
  policyMake(text);
  policyText = text; future = null;
}
/* A machine begins: so does the policy. */
function policyBegin() {
  policyTrouble = "";
  policyWorth = future ? worthKnown : policyText ? policyMake(policyText) : null;
}
/* What went wrong in the machine's calls is said after them: a call cannot be left in its middle. */
function policyCheck() {
  if (!policyTrouble) return;
  isOver = true; hasMachine = false;
  throw new Error(policyTrouble);
}
const nameOfNumber = number => {
  const known = created && created.allocations.find(a => a.number == number);
  return known && known.name ? known.name : "allocation " + number;
};
function policyAnswer(a) {
  if (policyTrouble) return 0;
  let worth;
  try {
    if (!policyWorth) throw new Error("there is none");
    worth = policyWorth(a);
  } catch (error) {
    policyTrouble = "The policy failed for " + nameOfNumber(a.number) + ": " + (error && error.message || error) + ".";
    return 0;
  }
  if (typeof worth == "number" && !Number.isNaN(worth)) return worth;
  policyTrouble = "The policy returned " + (typeof worth == "object" && worth ? "an object" : typeof worth ==
    "string" ? JSON.stringify(worth.slice(0, 40)) : String(worth)) + " for " +
    nameOfNumber(a.number) + ": it must return a number. What has the lowest number leaves first.";
  return 0;
}
imports.policy = {
  worth: (number, pages, age, came, uses, next, isDirty, tag, entry) => policyAnswer(Object.freeze({ number, pages,
    age: age >>> 0, came, uses, next: next == POLICY_NEXT_UNKNOWN ? Infinity : next, dirty: isDirty != 0, tag,
    entry })),
};

/* ---------------------------------------------------------------- the policy that knows the whole run */
/* Where each allocation is named in the run of the machine that there is, in one count over all DMA buffers. */
function policyFuture() {
  need(3, 0xffffffff);
  const begins = new Map(), uses = new Map();
  let count = 0, from = 0;
  for (const [tag] of valueFrom(wasm.web_history()).jobs) {
    const found = valueFrom(wasm.web_list(tag, from));
    if (begins.has(tag) || !found.patch) continue;
    begins.set(tag, count);
    for (const entry of found.patch.entries) {
      if (!entry.unbind) uses.has(entry.number) ? uses.get(entry.number).push(count) : uses.set(entry.number, [count]);
      count++;
    }
  }
  future = { begins, uses };
}
/* Belady's rule: the further away the next use is, the sooner it leaves. */
function worthKnown(a) {
  const uses = future.uses.get(a.number) || [], now = (future.begins.get(a.tag) || 0) + a.entry;
  let low = 0, high = uses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (uses[middle] >= now) high = middle; else low = middle + 1;
  }
  return low < uses.length ? now - uses[low] : -Infinity;
}
