/* SPDX-License-Identifier: Apache-2.0
 * The page: starts the machine, draws what it says once a frame of the screen, and joins the parts. First there is a
 * running machine; what is asked for by a link comes before that.
 */
let client = null, isDue = false, isWholeDue = false;

/* Once a frame of the screen; `isMoving`: only what comes and leaves has moved since. */
function redraw(isMoving) {
  if (!M.state) return;
  isWholeDue = isWholeDue || isMoving !== true;
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    const begin = performance.now(), isWhole = isWholeDue;
    isDue = isWholeDue = false;
    if (isWhole ? drawAll() : drawMaps(lookNow())) redraw(true);
    drawAll.spent.push(performance.now() - begin);
    if (drawAll.spent.length > 4096) drawAll.spent.splice(0, 2048);
  });
}
/* True while something is still coming or leaving. */
function drawAll() {
  const look = lookNow(), isMoving = drawMaps(look);
  drawPatches(look);
  if (drawAll.drawn != M.state) {
    drawAll.drawn = M.state;
    drawLanes(); drawCounters(); drawLog(); sayNow(); sayPosition(); fillMemoryTable();
  }
  return isMoving;
}
drawAll.spent = [];
function drawPicture(picture) {
  if (!picture) return;
  const canvas = at("frame");
  if (picture.pixels) {
    if (canvas.width != picture.width) canvas.width = picture.width;
    if (canvas.height != picture.height) canvas.height = picture.height;
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(picture.pixels), picture.width,
      picture.height), 0, 0);
  }
  const said = "Frame " + picture.number + ", as far as it is drawn.";
  if (at("frame-said").textContent != said) canvas.setAttribute("aria-label", at("frame-said").textContent = said);
}
/* What the display shows, where there is one. */
function drawDisplay(display) {
  const canvas = at("display"), g = canvas.getContext("2d"), isOn = M.knobs.display > 0, MARK = 14;
  at("display-part").hidden = !isOn;
  if (!isOn || !display) return;
  if (display.pixels) {
    g.putImageData(new ImageData(new Uint8ClampedArray(display.pixels), display.width, display.height), 0, 0);
    g.fillStyle = css("--bad");
    if (display.torn) for (const x of [0, display.width - MARK]) g.fillRect(x, display.torn - 1, MARK, 3);
  } else if (!display.picture) g.clearRect(0, 0, canvas.width, canvas.height);
  const said = !display.picture ? "The display has shown nothing yet." : "Picture " + display.picture +
    " of the display: " + (display.torn ? "torn. Above row " + display.torn +
    ", where the marks are, are rows of an older frame." : "whole.");
  if (at("display-said").textContent != said) canvas.setAttribute("aria-label", at("display-said").textContent = said);
}
function sayProblem(text) { at("trouble").textContent = text; at("trouble").hidden = !text; }
function sayLead() {
  const c = M.created, local = (M.wanted.segment1 + M.wanted.segment2) * 4096;
  if (c.footprint) at("lead").textContent = "A graphics memory manager at work: each frame needs " +
    bytesText(c.footprint) + " of textures, and there are " + bytesText(local) + " of video memory.";
}
function hear(message) {
  if (message.type == "created") {
    takeCreated(message);
    M.wanted = { ...M.wanted, ...message.knobs };
    showKnobs(); sayLead();
  } else if (message.type == "state") {
    const hadSegments = M.segments.map(s => s.id + ":" + s.pages).join();
    takeState(message);
    if (M.segments.map(s => s.id + ":" + s.pages).join() != hadSegments) makeMaps();
    for (const segment of M.segments) if (mapViews.has(segment.id)) mapViews.get(segment.id).segment = segment;
    drawPicture(message.picture);
    drawDisplay(message.display);
    tellExercises(message);
    redraw();
  } else if (message.type == "ended") { isPlaying = false; showPlaying(); noteLink(); }
  else if (message.type == "busy") at("position").textContent = message.doing + " …";
  else if (message.type == "file") saveFile(message);
  else if (message.type == "error") sayProblem(message.text);
}
function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement;
  const set = isDark => {
    root.dataset.theme = isDark ? "dark" : "light";
    at("theme").textContent = isDark ? "Light" : "Dark"; redraw();
  };
  set(system.matches);
  system.onchange = () => set(system.matches);
  at("theme").onclick = () => set(root.dataset.theme != "dark");
}
/* The state with which the page opens: a machine of which everything can be seen, running slowly. */
async function firstState() {
  if (location.hash && await restore(location.hash)) return;
  M.wanted = knobDefaults(M.ready.scenes.find(s => s.name == FIRST_SCENE) || M.ready.scenes[0]);
  showKnobs();
  await applyKnobs();
  if (!isStill() && !location.hash.startsWith("#check")) { at("speed").value = 1; play(); }
}
async function start() {
  startTheme(); startTransport(); startTour(); startGlossary(); startExercises(); startLab(); startOwn(); makeLegend();
  at("copy-link").onclick = copyLink;
  at("skip").onclick = () => at("machine").focus();
  at("go-exercises").onclick = () => at("exercises").scrollIntoView();
  at("go-lab").onclick = () => { at("lab").scrollIntoView(); at("h-lab").focus(); };
  at("go-glossary").onclick = () => { at("glossary").scrollIntoView(); at("h-glossary").focus(); };
  at("paint").onchange = at("log-kind").onchange = () => { drawAll.drawn = null; redraw(); };
  at("memory-table").closest("details").ontoggle = () => M.state && fillMemoryTable();
  window.onresize = () => redraw();
  window.onhashchange = () => { if (location.hash != ownFragment) restore(location.hash).then(isDone => {
    if (!isDone) sayProblem("This link names a scene that does not exist. Choose one in the settings."); }); };
  if (typeof WebAssembly == "undefined") {
    sayProblem("This browser has no WebAssembly, which the machine needs. Use another browser.");
    return; }
  client = new Client(hear);
  try {
    M.ready = await client.start(null);
    makeKnobs();
    await firstState();
    window.shownAfter = performance.now();
  } catch (error) { sayProblem("The machine could not be started: " + error.message); }
}
