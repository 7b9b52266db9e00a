/* SPDX-License-Identifier: Apache-2.0
 * Decisions explained: what a plan of the firmware did, a sentence for each thing, with the figures of the segments
 * before it; and why an allocation was fetched again.
 */
const NO_PLAN = 0xffffffff, APERTURE = 3, WHY_SENTENCES = 200;
const rawPlans = words(run.plans), rawPlansOf = words(run.plans_of), planCount = rawPlans.length >> 3;
const planAt = i => ({ index: i, begin: rawPlans[8 * i] * U, planned: rawPlans[8 * i + 1] * U, submitted:
  rawPlans[8 * i + 2] * U, job: rawPlans[8 * i + 3], first: rawPlans[8 * i + 4], entries: rawPlans[8 * i + 5],
  split: rawPlans[8 * i + 6], buffers: rawPlans[8 * i + 7] });
const broughtBy = i => rawPlansOf[3 * i], endedBy = i => rawPlansOf[3 * i + 1];
/* What a policy that looks ahead knew of an allocation when it was evicted. */
const nextUse = i => rawPlansOf[3 * i + 2], NO_NEXT_USE = 0xffffffff;
function looksAhead() {
  for (let i = 0; i < stayCount; i++) if (nextUse(i) != NO_NEXT_USE) return true;
  return false;
}
let whyIndex = null, chosenPlan = 0;
/* Stays by the plan that brought and that ended them, and by allocation, each in order. */
function indexOfPlans() {
  if (whyIndex) return whyIndex;
  whyIndex = { brought: new Map(), ended: new Map(), of: new Map() };
  const add = (map, key, i) => { if (map.has(key)) map.get(key).push(i); else map.set(key, [i]); };
  for (let i = 0; i < stayCount; i++) {
    add(whyIndex.brought, broughtBy(i), i);
    if (endedBy(i) != NO_PLAN) add(whyIndex.ended, endedBy(i), i);
    add(whyIndex.of, raw[5 * i + 2] & 0xfffffff, i);
  }
  return whyIndex;
}
const brought = plan => (indexOfPlans().brought.get(plan) || []).map(stay);
const ended = plan => (indexOfPlans().ended.get(plan) || []).map(stay);
/* Free pages of a segment before a plan, and how many of them in one piece: of all that it has (`size`, the third
 * number where it is known), else of those that the run has used. */
function freeBefore(plan, segment) {
  const [, top, size = 0] = run.segments.find(s => s[0] == segment) || [0, 0], used = new Uint8Array(size || top);
  const begin = planAt(Math.min(plan, planCount - 1)).begin;
  for (let i = 0; i < stayCount; i++) {
    if (raw[5 * i + 4] >>> 24 != segment || endedBy(i) < plan) continue;
    const s = stay(i), came = broughtBy(i);
    if (came == NO_PLAN ? s.begin >= begin : came >= plan) continue;
    if (s.how != 0 && endedBy(i) == NO_PLAN && s.end < begin) continue; /* it left for the host */
    used.fill(1, s.page, s.page + s.pages);
  }
  let free = 0, gap = 0, length = 0;
  for (const u of used) { length = u ? 0 : length + 1; free += !u; gap = Math.max(gap, length); }
  return { free, gap, among: size ? "" : " among the " + grouped(top) + " that were ever used" };
}
const ordinal = n => n + (n % 100 >= 11 && n % 100 <= 13 ? "th" : ["th", "st", "nd", "rd"][n % 10] || "th");
const pagesOf = n => grouped(n) + (n == 1 ? " page" : " pages");
const freeText = (plan, segment) => {
  const f = freeBefore(plan, segment);
  return "segment " + segment + " had " + (f.free ? pagesOf(f.free) + " free, " + grouped(f.gap) +
    " of them in one piece" : "no free page") + f.among;
};
/* A few names, and how many more. */
function someNames(stays) {
  const shown = stays.slice(0, 3).map(s => nameOf(s.known) + " (" + pagesOf(s.pages) + ")");
  return shown.join(", ") + (stays.length > 3 ? " and " + (stays.length - 3) + " more (" +
    pagesOf(stays.slice(3).reduce((a, s) => a + s.pages, 0)) + ")" : "");
}
const overlaps = (a, b) => a.segment == b.segment && a.page < b.page + b.pages && b.page < a.page + a.pages;
/* Who needed the room: those that came to lie there, else all that came into the segment. */
function neededBy(gone, plan) {
  const came = brought(plan).filter(s => s.segment == gone.segment), there = came.filter(s => overlaps(s, gone));
  return there.length ? there : came;
}
const planJob = plan => jobText(plan < planCount && planAt(plan).job != NO_PLAN ? planAt(plan).job : -1);
function nextOf(s) {
  const list = indexOfPlans().of.get(s.known) || [];
  return list[list.indexOf(s.index) + 1];
}
/* The figures that the choice rested on: what is copied for it, per time until it is needed. */
function sayChoice(s) {
  const known = nextUse(s.index), ahead = known & 0x7fffffff;
  if (known == NO_NEXT_USE) return "";
  return "Its place was the cheapest room that could be made: " + (ahead ? "what is queued names it " +
    (ahead == 1 ? "at the next patch location" : grouped(ahead) + " patch locations further on") :
    "no list that the policy had read by then named it") + ", and its content " + (known >>> 31 ? "had" :
    "did not have") +
    " to be copied out. ";
}
function sayLeaving(s, plan) {
  const room = neededBy(s, plan), next = nextOf(s), later = next === undefined ? null : stay(next);
  const all = brought(plan).filter(a => a.segment == s.segment).reduce((a, b) => a + b.pages, 0);
  return nameOf(s.known) + " (" + pagesOf(s.pages) + " of segment " + s.segment + ") was evicted: " + (room.length ?
    "room was needed for " + someNames(room) : "nothing came into its pages in this plan") + "; " +
    freeText(plan, s.segment) + ", and " + (all ? pagesOf(all) : "none") + " had to come into it. " + sayChoice(s) +
    (later ? "It came again " + (run.has_clock ? grouped(later.begin - s.end) +
    " cycles later, for " : "for ") + planJob(broughtBy(next)) + "." : "It did not come again.");
}
function sayMove(s, plan) {
  const next = nextOf(s), to = next === undefined ? null : stay(next);
  const came = brought(plan).filter(a => a.segment == s.segment && a.known != s.known);
  return nameOf(s.known) + " (" + pagesOf(s.pages) + ") was moved inside segment " + s.segment + (to ? ", from page " +
    s.page + " to " + to.page : "") + ", so that free pages lie in one piece" + (came.length ? " for " +
    someNames(came) : "") + "; " + freeText(plan, s.segment) + ".";
}
function sayArrival(s) {
  const known = s.how == 0 ? run.reasons[s.known] : undefined;
  const times = (indexOfPlans().of.get(s.known) || []).indexOf(s.index) + 1;
  const reason = known === undefined ? "" : " The policy, asked at the end: " + run.reason_texts[known];
  if (s.segment == APERTURE) return nameOf(s.known) + " (" + pagesOf(s.pages) +
    ") was mapped, to be read where it lies; nothing was copied." + reason;
  return nameOf(s.known) + " (" + pagesOf(s.pages) + ") came into segment " + s.segment + ", from page " + s.page +
    " on, " + (times > 1 ? "for the " + ordinal(times) + " time" : "for the first time") + "." + reason;
}
/* A portion ends where the next group of patch entries finds no room beside it, or would make it longer than its share
 * of memory (docs/memory.md). Which it was shows in what the next portion had to do for its room. */
function saySplit(plan) {
  const follows = plan.index + 1 < planCount && planAt(plan.index + 1).job == plan.job;
  const next = follows ? brought(plan.index + 1).filter(s => s.segment != APERTURE) : [];
  const made = follows ? ended(plan.index + 1).length : 0;
  const local = run.segments.filter(s => s[0] != APERTURE).map(s => freeText(plan.index + 1, s[0])).join(", ");
  return "The DMA buffer was split at its byte " + grouped(plan.split) + ", after patch entry " + (plan.first +
    plan.entries - 1) + (!follows ? ". " : made ? ": what came next found no room beside this portion. " : ": room " +
    "was left: a portion keeps to its share of memory, so that one can be drawn while the next is fetched (a forced " +
    "mode cuts wherever the list allows it). ") +
    "After it " + local + (next.length ? "; the next portion brought " + someNames(next) + (made ? ", for which " +
    grouped(made) + " had to leave or move" : "") : "") + ".";
}
/* All of a plan: [kind, sentence]. */
function explain(index) {
  const plan = planAt(index), list = [], isMove = s => s.how == 2, moved = new Set(ended(index).filter(isMove)
    .map(s => nextOf(s)));
  for (const s of ended(index)) list.push(isMove(s) ? ["move", sayMove(s, index)] : ["evict", sayLeaving(s, index)]);
  for (const s of brought(index)) if (!moved.has(s.index))
    list.push([s.segment == APERTURE ? "map" : "come", sayArrival(s)]);
  if (plan.split) list.push(["split", saySplit(plan)]);
  return list;
}
/* Why this stay began although the allocation had been here before. */
function whyAgain(s) {
  const list = indexOfPlans().of.get(s.known) || [], at = list.indexOf(s.index);
  const before = at > 0 ? stay(list[at - 1]) : null;
  if (!before) return [];
  const plan = endedBy(before.index);
  const was = "It had been in segment " + before.segment +
    (run.has_clock ? " until cycle " + grouped(before.end) : "") + ". ";
  if (plan == NO_PLAN) return [was + "No plan evicted it: it left for the host, destroyed, locked or offered."];
  if (before.how == 2) return [was + "It was only moved."];
  return [was + "Then a portion of " + planJob(plan) + " was planned (plan " + plan + "): " + sayLeaving(before, plan),
    (run.has_clock ? grouped(s.begin - before.end) + " cycles later " : "Later ") +
    planJob(broughtBy(s.index)) + " (plan " + broughtBy(s.index) + ") needed it again: " + bytes(s.pages * 4096) +
    " more to move, the " + ordinal(at + 1) + " time."];
}
function sayWhy(index) {
  const box = at("map-why");
  box.replaceChildren();
  if (index < 0 || !planCount) return;
  const s = stay(index), add = text => { const p = document.createElement("p"); p.textContent = text; box.append(p); };
  if (s.again) {
    const head = document.createElement("h3");
    head.textContent = "Why was it fetched again?";
    box.append(head);
    whyAgain(s).forEach(add);
  } else add(sayArrival(s));
  if (s.how == 1) add(endedBy(index) != NO_PLAN ? sayLeaving(s, endedBy(index)) :
    "No plan evicted it: it left for the host, destroyed, locked or offered.");
  for (const [plan, text] of [[broughtBy(index), "the plan that brought it"],
                              [endedBy(index), "the plan that ended it"]])
    if (plan < planCount) box.append(button(text, text, () => { showPlan(plan); at("why").scrollIntoView(); }), " ");
}
function showPlan(index) {
  if (!planCount) return;
  chosenPlan = clamp(index, 0, planCount - 1);
  const plan = planAt(chosenPlan), list = explain(chosenPlan), said = at("why-list");
  at("why-plan").value = chosenPlan;
  at("why-said").textContent = "Plan " + chosenPlan + " of " + planCount + ", for " + planJob(chosenPlan) +
    ": patch entries " + plan.first + " to " + (plan.first + plan.entries - 1) + (run.has_counters ? ", planned in " +
    grouped(plan.planned - plan.begin) + " cycles" : "") + ", " + plan.buffers + " paging buffers. " +
    (list.length ? "" : "Everything it needs was there.");
  said.replaceChildren(...list.slice(0, WHY_SENTENCES).map(([kind, text]) => {
    const item = document.createElement("li");
    item.textContent = text; item.dataset.kind = kind;
    return item;
  }));
  const rest = list.length - WHY_SENTENCES;
  if (rest > 0) at("why-said").textContent += rest + " sentences are left out.";
}
function nextPlan(wanted) {
  for (let k = 1; k <= planCount; k++) {
    const i = (chosenPlan + k) % planCount;
    if (wanted(i)) { showPlan(i); return; }
  }
  at("why-said").textContent = "There is none.";
}
function startWhy() {
  at("why").hidden = planCount == 0;
  at("why-plan").max = Math.max(planCount - 1, 0);
  at("why-before").onclick = () => showPlan(chosenPlan - 1);
  at("why-after").onclick = () => showPlan(chosenPlan + 1);
  at("why-plan").onchange = () => showPlan(+at("why-plan").value);
  at("why-leaving").onclick = () => nextPlan(i => ended(i).some(s => s.how == 1));
  at("why-split").onclick = () => nextPlan(i => planAt(i).split != 0);
  at("why-show").onclick = () => {
    const plan = planAt(chosenPlan), wide = Math.max(plan.submitted - plan.begin, 256);
    look(plan.begin - wide / 5, plan.submitted + wide / 5);
    at("map").focus();
  };
  const seen = new IntersectionObserver(entries => {
    if (entries.some(e => e.isIntersecting) && !at("why-said").textContent) showPlan(0);
  });
  seen.observe(at("why"));
}
