/* SPDX-License-Identifier: Apache-2.0
 * The worker of the chip: one run, which shows itself at most so often as a screen does.
 */
/* There is no environment. */
wasi.environ_sizes_get = (count, bytes) => { memory().setUint32(count, 0, true); memory().setUint32(bytes, 0, true);
  return 0; };
wasi.environ_get = () => 0;
let shown = 0;
const rtl = { show(cycle, render, paging) {
  if (performance.now() - shown < 16) return;
  shown = performance.now();
  postMessage({ cycle, render: textFrom(render), paging: textFrom(paging) });
} };
onmessage = async ({ data }) => {
  try {
    const { instance } = await WebAssembly.instantiate(data.wasm, { wasi_snapshot_preview1: wasi, rtl });
    wasm = instance.exports;
    writeFile("gpu.elf", data.firmware);
    wasm._initialize();
    const begin = performance.now(), wrong = wasm.rtl_run(data.frames, data.piece);
    const seconds = (performance.now() - begin) / 1000, cycles = wasm.rtl_cycles();
    if (wrong < 0) throw new Error(textFrom(wasm.rtl_message()) || "The chip could not be run. Load the page again.");
    const place = wasm.rtl_picture(data.frames - 1), pixels = wasm.memory.buffer.slice(place, place + 4 * 320 * 240);
    postMessage({ cycle: cycles, pixels, text: data.frames + (data.frames == 1 ? " frame" : " frames") + " in " +
      cycles + " cycles, " + seconds.toFixed(1) + " s: " + Math.round(cycles / seconds) + " cycles a second. " +
      (wrong ? wrong + " differ from what the golden model draws." :
        "All equals what the golden model draws, to the byte.") }, [pixels]);
  } catch (error) {
    postMessage({ text: error instanceof WebAssembly.RuntimeError ? "The chip has crashed: " +
      said.trim().split("\n").pop() : error.message });
  }
};
