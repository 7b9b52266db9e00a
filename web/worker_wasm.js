/* SPDX-License-Identifier: Apache-2.0
 * What the machine imports: files in memory, which the host's code opens by name, and a way out of the middle of a call
 * (model/unwind.h). There is no other file, no clock and no network.
 */
const files = new Map(); /* by path: { bytes, size } */
const opened = new Map(); /* by descriptor: { file, at } */
const ERRNO_NOENT = 44, ERRNO_BADF = 8, DIRECTORY = 3, FIRST_FILE = 4, TYPE_DIRECTORY = 3, TYPE_FILE = 4;
const CREATE = 1, TRUNCATE = 8;
let wasm = null, said = "";

const memory = () => new DataView(wasm.memory.buffer);
const bytesAt = (at, count) => new Uint8Array(wasm.memory.buffer, at, count);
const decoder = new TextDecoder(), encoder = new TextEncoder();
const textOf = (at, count) => decoder.decode(bytesAt(at, count));

function writeFile(path, bytes) { files.set(path, { bytes, size: bytes.length }); }
function readFile(path) {
  const file = files.get(path);
  return file ? file.bytes.slice(0, file.size) : null;
}
function grow(file, size) {
  if (size > file.bytes.length) {
    const larger = new Uint8Array(Math.max(size, 2 * file.bytes.length, 4096));
    larger.set(file.bytes.subarray(0, file.size));
    file.bytes = larger;
  }
  file.size = Math.max(file.size, size);
}
/* Each [address, bytes] of a list of buffers; the sum. */
function eachBuffer(list, count, use) {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const done = use(memory().getUint32(list + 8 * i, true), memory().getUint32(list + 8 * i + 4, true));
    sum += done.count;
    if (done.isEnd) break;
  }
  return sum;
}

const wasi = {
  fd_prestat_get(descriptor, at) {
    if (descriptor != DIRECTORY) return ERRNO_BADF;
    memory().setUint32(at, 0, true);
    memory().setUint32(at + 4, 1, true);
    return 0;
  },
  fd_prestat_dir_name(descriptor, at) {
    bytesAt(at, 1)[0] = 0x2f;
    return descriptor == DIRECTORY ? 0 : ERRNO_BADF;
  },
  fd_fdstat_get(descriptor, at) {
    if (descriptor >= FIRST_FILE && !opened.has(descriptor)) return ERRNO_BADF;
    bytesAt(at, 24).fill(0);
    bytesAt(at, 1)[0] = descriptor == DIRECTORY ? TYPE_DIRECTORY : TYPE_FILE;
    bytesAt(at + 8, 16).fill(0xff);
    return 0;
  },
  fd_fdstat_set_flags: () => 0,
  fd_filestat_get(descriptor, at) {
    if (descriptor >= FIRST_FILE && !opened.has(descriptor)) return ERRNO_BADF;
    bytesAt(at, 64).fill(0);
    bytesAt(at + 16, 1)[0] = descriptor == DIRECTORY ? TYPE_DIRECTORY : TYPE_FILE;
    return 0;
  },
  path_open(directory, lookup, path, length, flags, rights, inherited, mode, at) {
    const name = textOf(path, length);
    if (!files.has(name) && !(flags & CREATE)) return ERRNO_NOENT;
    if (!files.has(name) || flags & TRUNCATE) writeFile(name, new Uint8Array(0));
    let descriptor = FIRST_FILE;
    while (opened.has(descriptor)) descriptor++;
    opened.set(descriptor, { file: files.get(name), at: 0 });
    memory().setUint32(at, descriptor, true);
    return 0;
  },
  fd_close: descriptor => opened.delete(descriptor) ? 0 : ERRNO_BADF,
  fd_read(descriptor, list, count, at) {
    const open = opened.get(descriptor);
    if (!open) return ERRNO_BADF;
    const sum = eachBuffer(list, count, (to, room) => {
      const part = open.file.bytes.subarray(open.at, Math.min(open.at + room, open.file.size));
      bytesAt(to, part.length).set(part);
      open.at += part.length;
      return { count: part.length, isEnd: part.length < room };
    });
    memory().setUint32(at, sum, true);
    return 0;
  },
  fd_write(descriptor, list, count, at) {
    const open = opened.get(descriptor);
    if (!open && descriptor >= DIRECTORY) return ERRNO_BADF;
    const sum = eachBuffer(list, count, (from, length) => {
      if (open) {
        grow(open.file, open.at + length);
        open.file.bytes.set(bytesAt(from, length), open.at);
        open.at += length;
      } else said = (said + textOf(from, length)).slice(-1000);
      return { count: length, isEnd: false };
    });
    memory().setUint32(at, sum, true);
    return 0;
  },
  fd_seek(descriptor, offset, whence, at) {
    const open = opened.get(descriptor);
    if (!open) return ERRNO_BADF;
    open.at = Number(offset) + (whence == 0 ? 0 : whence == 1 ? open.at : open.file.size);
    memory().setBigUint64(at, BigInt(open.at), true);
    return 0;
  },
  /* Time stands still: what a run takes in seconds is nothing that its results may hold. */
  clock_time_get(clock, precision, at) {
    memory().setBigUint64(at, 0n, true);
    return 0;
  },
  proc_exit(status) { throw new Error("the machine ended with status " + status); },
};

/* A panic of the firmware leaves the function that unwind_call has called; the stack is as it was before. */
const LEAVE = new Error("left");
const unwind = {
  call(place, context) {
    const stack = wasm.__stack_pointer.value;
    try {
      wasm.__indirect_function_table.get(place)(context);
      return 1;
    } catch (error) {
      if (error !== LEAVE) throw error;
      wasm.__stack_pointer.value = stack;
      return 0;
    }
  },
  leave() { throw LEAVE; },
};
const imports = { wasi_snapshot_preview1: wasi, unwind };

async function startMachine(given) {
  if (typeof WebAssembly != "object")
    throw new Error("This browser has no WebAssembly, which the machine needs. Use another browser.");
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  const instance = await WebAssembly.instantiate(module, imports);
  wasm = instance.exports;
  wasm._initialize();
  return module;
}

/* A text for the machine, for the length of the call. */
function withText(text, use) {
  const bytes = encoder.encode(text + "\0"), at = wasm.web_room(bytes.length);
  bytesAt(at, bytes.length).set(bytes);
  try { return use(at); } finally { wasm.web_free(at); }
}
/* A C string of the machine's; null for NULL. */
function textFrom(at) {
  if (!at) return null;
  const all = new Uint8Array(wasm.memory.buffer);
  return decoder.decode(all.subarray(at, all.indexOf(0, at)));
}
const valueFrom = at => JSON.parse(textFrom(at));
