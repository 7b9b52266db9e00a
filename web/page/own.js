/* SPDX-License-Identifier: Apache-2.0
 * Files: a recording or a workload that is dropped on the page, and what can be saved of a run.
 */
const FILE_MOST = 512 << 20;
function saveFile(file) {
  const link = element("a", { href: URL.createObjectURL(new Blob([file.bytes], { type: file.mime })), download:
    file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  at("own-said").textContent = file.name + " has " + grouped(file.bytes.byteLength) + " bytes.";
}
function exportFile(what) {
  at("own-said").textContent = "One moment …";
  return client.ask({ type: "export", what }, "file").catch(error => { at("own-said").textContent = error.message; });
}
/* A promise of whether the machine took it. What is no recording and no workload the machine says itself. */
async function takeFile(file) {
  if (file.size > FILE_MOST) { sayProblem(file.name + " is larger than 512 MB."); return false; }
  const bytes = await file.arrayBuffer(), before = [M.file, M.fileBytes];
  pause();
  M.file = file.name; M.fileBytes = bytes;
  const isTaken = await applyKnobs({ unit: "operation", to: 0 });
  if (!isTaken) [M.file, M.fileBytes] = before; else play();
  showKnobs();
  return isTaken;
}
function startOwn() {
  at("export-report").onclick = () => exportFile("report");
  at("export-timeline").onclick = () => exportFile("timeline");
  at("file").onchange = () => { if (at("file").files[0]) takeFile(at("file").files[0]); at("file").value = ""; };
  const hasFile = event => [...event.dataTransfer.types].includes("Files");
  document.ondragover = event => { if (hasFile(event)) { event.preventDefault();
    document.body.classList.add("dropping"); } };
  document.ondragleave = event => { if (!event.relatedTarget) document.body.classList.remove("dropping"); };
  document.ondrop = event => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    if (event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
  };
}
