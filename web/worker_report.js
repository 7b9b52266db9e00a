/* SPDX-License-Identifier: Apache-2.0
 * What the worker asks of the report's own scripts (host/tools/view/report_data.js and report_why.js), which the build
 * puts into a function after this file.
 */
"use strict";
function reportFace(report) {
  return {
    /* [kind, sentence] of a plan; one that there is not: nothing. */
    explain: plan => plan >= 0 && plan < report.planCount ? report.explain(plan) : [],
    /* Why the allocation is where it is: about its last stay. */
    explainAllocation(known) {
      const list = report.indexOfPlans().of.get(known) || [];
      if (!list.length) return [{ kind: "come", text: "It has been in no segment yet." }];
      const s = report.stay(list[list.length - 1]);
      const sentences = (s.again ? report.whyAgain(s) : [report.sayArrival(s)]).map(text => ({ kind: "come", text }));
      if (s.how == 1 && report.endedBy(s.index) != report.NO_PLAN)
        sentences.push({ kind: "evict", text: report.sayLeaving(s, report.endedBy(s.index)) });
      return sentences;
    },
  };
}
