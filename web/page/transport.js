/* SPDX-License-Identifier: Apache-2.0
 * Run and pause, steps on and back, speed, and the keys of the page.
 */
const SPEEDS = [["operation", 2], ["operation", 8], ["operation", 30], ["operation", 120], ["portion", 10],
  ["portion", 0]];
const UNITS = { o: "operation", p: "portion", b: "buffer", f: "frame" };
let isPlaying = false;

function showPlaying() {
  at("run").textContent = isPlaying ? "❚❚ Pause" : "▶ Run";
  at("run").setAttribute("aria-pressed", isPlaying);
}
function play() {
  const [unit, rate] = SPEEDS[at("speed").value];
  isPlaying = true;
  client.tell({ type: "play", unit, rate });
  showPlaying();
}
function pause() {
  if (isPlaying) client.tell({ type: "pause" });
  isPlaying = false;
  showPlaying(); noteLink();
  if (M.state) sayNow();
}
const isAtEnd = () => M.state && M.state.known.complete && M.state.position.operation >= M.state.known.operation;
function toggle() {
  if (isPlaying) { pause(); return; }
  if (isAtEnd()) client.ask({ type: "seek", unit: "operation", to: 0 }, "state").then(play); else play();
}
const stepBy = (unit, count) => { pause(); return client.ask({ type: "step", unit, count }, "state").then(noteLink); };
const seekTo = (unit, to) => { pause(); return client.ask({ type: "seek", unit, to }, "state").then(noteLink); };
function findNext(what) {
  pause();
  return client.ask({ type: "find", what, count: 1 }, "state").then(state => {
    if (state.found === false) M.notFound = { state, text: "From here to the end of the run there is no " + (what ==
      "evict" ? "eviction" : what) + "; the machine stays where it was." };
    noteLink();
    return state;
  });
}
function startTransport() {
  at("run").onclick = toggle;
  at("speed").oninput = () => { at("speed").setAttribute("aria-valuetext", speedText()); if (isPlaying) play(); };
  for (const button of document.querySelectorAll("[data-step]"))
    button.onclick = () => stepBy(button.dataset.step, 1);
  for (const button of document.querySelectorAll("[data-back]"))
    button.onclick = () => stepBy(button.dataset.back, -1);
  for (const button of document.querySelectorAll("[data-find]")) button.onclick = () => findNext(button.dataset.find);
  at("restart").onclick = () => seekTo("operation", 0);
  document.addEventListener("keydown", pageKey);
}
function speedText() {
  const [unit, rate] = SPEEDS[at("speed").value];
  return rate ? rate + " " + unit + "s a second" : "as fast as it goes";
}
/* Arrows that no map or list has taken go to the first patch list. */
function arrowKey(event) {
  const view = patchViews[0];
  if (!view || !["ArrowLeft", "ArrowRight"].includes(event.key)) return false;
  view.canvas.focus();
  return patchKey(view, event.key);
}
function pageKey(event) {
  if (!M.state) return;
  if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase(), isButton = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName);
  if (key == " " && !isButton) { toggle(); event.preventDefault(); }
  else if (UNITS[key]) stepBy(UNITS[key], event.shiftKey ? -1 : 1);
  else if (arrowKey(event)) event.preventDefault();
  else if (key == "t") openTour(tourStep);
  else if (key == "[" || key == "]") openTour(tourStep + (key == "]" ? 1 : -1));
  else if (key == "escape") closeBubble();
}
