/* SPDX-License-Identifier: Apache-2.0
 * The state as a link: the fragment has the knobs that are not the scene's own and the operation at which the machine
 * stands: #scene=deck&segment2=24&at=310, and tour=N for a step of the tour.
 */
function fragmentOf(knobs, operation, tour) {
  const defaults = knobDefaults(defaultsOf(knobs.scene)), parts = ["scene=" + encodeURIComponent(knobs.scene)];
  for (const name of Object.keys(defaults)) {
    if (name == "scene" || JSON.stringify(knobs[name]) == JSON.stringify(defaults[name])) continue;
    const value = name == "contexts" ? knobs.contexts.map(c => c.priority + ":" + c.budget).join(",") :
      name == "force" ? knobs.force.join(",") : knobs[name];
    parts.push(name + "=" + encodeURIComponent(value));
  }
  if (operation) parts.push("at=" + operation);
  if (tour) parts.push("tour=" + tour);
  return "#" + parts.join("&");
}
/* { knobs, operation, tour, run } of a fragment; null where it has no scene that there is. */
function readFragment(fragment) {
  const given = new Map(fragment.replace(/^#/, "").split("&").filter(Boolean).map(part => {
    const [name, ...value] = part.split("=");
    let text = value.join("=");
    try { text = decodeURIComponent(text); } catch { /* as it stands */ }
    return [name, text];
  }));
  const scene = M.ready.scenes.find(s => s.name == given.get("scene"));
  if (!scene) return null;
  const knobs = knobDefaults(scene);
  for (const [name, text] of given) {
    if (!(name in knobs) || name == "scene") continue;
    if (name == "force") knobs.force = text.split(",").filter(f => M.ready.forces.some(g => g.name == f));
    else if (name == "contexts") knobs.contexts = text.split(",").map(c => {
      const [priority, budget] = c.split(":");
      return { priority: +priority || 0, budget: +budget || 0 };
    });
    else if (name == "policy") knobs.policy = text;
    else if (name == "copyOnly") knobs.copyOnly = text == "true";
    else knobs[name] = +text;
  }
  return { knobs, operation: +given.get("at") || 0, tour: +given.get("tour") || 0 };
}
let ownFragment = "";
/* After every stop; an own file has no link. */
function noteLink() {
  if (!M.state || !M.created || M.fileBytes || isPlaying) return;
  ownFragment = fragmentOf(M.wanted, M.state.position.operation, at("tour").hidden ? 0 : tourStep + 1);
  if (!location.hash.startsWith("#check") && location.hash != ownFragment)
    try { history.replaceState(null, "", ownFragment); } catch { /* a page inside another one */ }
}
function copyLink() {
  noteLink();
  const link = location.href.replace(/#.*/, "") + ownFragment, said = () => { at("copy-link").textContent = "Copied";
    setTimeout(() => at("copy-link").textContent = "Copy link", 1500); };
  if (M.fileBytes) { sayProblem("A link cannot hold your own file. Send the file itself."); return; }
  if (navigator.clipboard) navigator.clipboard.writeText(link).then(said, () => window.prompt("The link:", link));
  else window.prompt("The link:", link);
}
/* Makes the state that a fragment names. A promise of whether it could be made. */
function restore(fragment) {
  const state = readFragment(fragment);
  if (!state) return Promise.resolve(false);
  pause();
  M.wanted = state.knobs; M.file = null; M.fileBytes = null;
  showKnobs();
  return applyKnobs({ unit: "operation", to: state.operation }).then(isDone => {
    if (isDone && state.tour) showTour(state.tour - 1);
    return isDone;
  });
}
