/* SPDX-License-Identifier: Apache-2.0
 * The part of the page's own test that reads what it says of decisions.
 */
function checkWhy(check, key) {
  check(at("why").hidden == (planCount == 0) && rawPlansOf.length == 3 * stayCount, "plans are there");
  if (!planCount) return;
  let wrong = 0, evictions = 0, told = 0, splitsTold = 0;
  for (let i = 0; i < stayCount; i++) {
    const s = stay(i), from = planAt(Math.min(broughtBy(i), planCount - 1)), to = endedBy(i);
    wrong += broughtBy(i) < planCount && (s.begin < from.begin - U || s.begin > from.submitted + U);
    wrong += to < planCount && (s.end < planAt(to).begin - U || s.end > planAt(to).submitted + U || to < broughtBy(i));
    evictions += s.how == 1 && to < planCount;
  }
  check(run.cut || wrong == 0, "what a plan did happened in its time");
  for (let i = 0; i < planCount && i < 400; i++) {
    const list = explain(i), of = kind => list.filter(l => l[0] == kind).length;
    told += of("evict") == ended(i).filter(s => s.how == 1).length && list.every(l => !/undefined|NaN/.test(l[1]));
    splitsTold += of("split") == (planAt(i).split ? 1 : 0);
  }
  check(told == Math.min(planCount, 400) && splitsTold == told, "every eviction and every split has its sentence");
  showPlan(0);
  check(at("why-list").children.length == Math.min(explain(0).length, WHY_SENTENCES), "the first plan");
  if (evictions) {
    at("why-leaving").click();
    const said = [...at("why-list").children].filter(l => l.dataset.kind == "evict").map(l => l.textContent);
    const shape = /was evicted: .*segment \d had .* had to come into it\. .*(come|came) again/;
    check(said.length > 0 && said.every(t => shape.test(t)),
      "an eviction with its figures");
    check(said.every(t => (/was the cheapest room/.test(t)) == looksAhead()), "what the policy went by");
    const gone = ended(chosenPlan).find(s => s.how == 1), free = freeBefore(chosenPlan, gone.segment);
    check(said[0].includes(free.free ? pagesOf(free.free) + " free" : "no free page") && free.gap <= free.free,
      "they are those of the segment");
    const need = neededBy(gone, chosenPlan);
    check(need.every(s => broughtBy(s.index) == chosenPlan && s.segment == gone.segment), "room for what came");
  }
  for (let i = 0; i < stayCount; i++) {
    if (!stay(i).again) continue;
    select(i);
    check(/Why was it fetched again\?/.test(at("map-why").textContent) && /needed it again|left for the host/.test(
      at("map-why").textContent), "why it was fetched again");
    const button = at("map-why").querySelector("button");
    button.click();
    check(chosenPlan == broughtBy(i), "and the plan that brought it");
    break;
  }
  key("map", "Escape");
  check(at("map-why").textContent == "", "nothing selected, nothing explained");
}
