/* SPDX-License-Identifier: Apache-2.0
 * Frames draw by draw: what draws_encode.h has packed into run.draws, unpacked when a frame is looked at. The units are
 * those that the golden model wrote; here they are only put together. A frame is { rows, surfaces }: a row has its
 * fields, the units of its rectangle after it (`after`) and which of them it wrote (`written`, null: all).
 */
const NOTHING = 0xffffffff;
const columns = ["offset", "surface", "row", "target", "targetAddress", "targetPitch", "texture", "source",
  "sourceAddress", "sourcePitch", "sourceSurface", "sourceRow", "portion", "job", "begin", "cycles", "readLocal",
  "readSystem", "writeLocal", "writeSystem", "left", "top", "width", "height", "how", "again"];
const WORDS = run.draws ? run.draws.columns - columns.length : 0; // of the packet, in front of these
const FROM_NOTHING = 0, FROM_BEGIN = 2, FROM_SOURCE = 3, FROM_COLOUR = 4, FROM_AGAIN = 5, FROM_OVER = 6;
const HOW_EXACT = 8, HOW_MASKED = 16, HOW_SPARSE = 32;
const unitBytes = [1, 2, 4, 4, 3, 2, 1]; // FORMAT group
const detail = run.draws && run.draws.frames.length ? run.draws : null;
const detailed = detail ? detail.frames.map(f => ({ number: f[0], rows: f[1], begin: f[2], surface: f[3],
  later: f[4], wrong: f[5], draws: f[6], textures: f[7], expected: f[8] })) : [];
const surfaces = detail ? detail.surfaces.map(([name, width, height, format]) =>
  ({ name, width, height, format, unit: unitBytes[format] })) : [];
const textures = []; // by number: { format, pitch, known, units }
let texturesRead = 0;

async function inflate(text) {
  const raw = atob(text), packed = new Uint8Array(raw.length);
  for (let i = 0; i < packed.length; i++) packed[i] = raw.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
async function readTextures(frame) {
  for (; texturesRead <= frame; texturesRead++) {
    if (!detailed[texturesRead].textures) continue;
    const data = await inflate(detailed[texturesRead].textures), view = new DataView(data.buffer);
    for (let at = 0; at < data.length;) {
      const [number, format, pitch, bytes, known] = [0, 4, 8, 12, 16].map(i => view.getUint32(at + i, true));
      textures[number] = { format, pitch, known, units: data.subarray(at + 20, at + 20 + bytes) };
      at += 20 + bytes;
    }
  }
}

const hasBit = (mask, i) => mask[i >> 3] >> (i & 7) & 1;
/* The rectangle of a surface's units. */
function cut(units, surface, row) {
  const line = row.width * surface.unit, out = new Uint8Array(line * row.height);
  for (let y = 0; y < row.height; y++) {
    const from = ((row.top + y) * surface.width + row.left) * surface.unit;
    out.set(units.subarray(from, from + line), y * line);
  }
  return out;
}
function paste(units, surface, row) {
  const line = row.width * surface.unit;
  for (let y = 0; y < row.height; y++)
    units.set(row.after.subarray(y * line, (y + 1) * line), ((row.top + y) * surface.width + row.left) * surface.unit);
}
/* A field of the packet, as spec/gpu.def has it. */
function field(row, name) {
  const packet = [detail.BLIT, detail.BLIT_AFFINE, detail.FILL_RECT].find(p => p.opcode == (row.words[0] & 255));
  const f = packet && packet.fields.find(f => f[0] == name);
  return f ? row.words[f[1]] >>> f[2] & (f[3] == 32 ? -1 : (1 << f[3]) - 1) : 0;
}
const isAffine = row => (row.words[0] & 255) == detail.BLIT_AFFINE.opcode;
const isBlit = row => (row.words[0] & 255) == detail.BLIT.opcode || isAffine(row);
/* The rectangle that a draw reads, in units of its source. */
function readBy(row) {
  return { x: field(row, "SOURCE_X"), y: field(row, "SOURCE_Y"),
           w: isAffine(row) ? field(row, "SOURCE_WIDTH") : row.width,
           h: isAffine(row) ? field(row, "SOURCE_HEIGHT") : row.height };
}
/* Which unit of the source is drawn at (x, y) of the target's rectangle: functions { column, line } of these. A map's
 * coordinate is signed 16.16, modulo 2^32; where it lies outside the rectangle that is read, the nearest inside, or the
 * one that is repeated there. With a filter, the unit whose centre is the nearest. */
function sourceUnit(row) {
  const read = readBy(row), middle = field(row, "BILINEAR") ? 0x8000 : 0, axis = (name, first, count) => {
    const [start, stepX, stepY] = [name, name + "_X", name + "_Y"].map(n => field(row, n));
    return (x, y) => {
      const at = Math.floor(((start + Math.imul(x, stepX) + Math.imul(y, stepY) | 0) + middle) / 65536);
      return first + (field(row, "REPEAT") ? (at % count + count) % count : clamp(at, 0, count - 1));
    };
  };
  if (!isAffine(row)) return { column: x => read.x + x, line: (x, y) => read.y + y };
  return { column: axis("U", read.x, read.w), line: axis("V", read.y, read.h) };
}
const isDraw = row => row.words[0] != 0;
/* Where a source's units are: a texture, or a surface as it is at that draw. */
function sourceOf(row, states) {
  if (row.texture != NOTHING && textures[row.texture]) {
    const t = textures[row.texture];
    return { units: t.units, pitch: t.pitch, unit: unitBytes[t.format], format: t.format, from: 0 };
  }
  const surface = surfaces[row.sourceSurface], state = states.get(row.sourceSurface);
  if (!surface || !state) return null;
  return { units: state.now, pitch: surface.width * surface.unit, unit: surface.unit, format: surface.format,
           from: row.sourceRow * surface.width * surface.unit };
}
function predicted(row, surface, state, states, before) {
  const unit = surface.unit, out = new Uint8Array(row.width * row.height * unit), how = row.how & 7;
  if (how == FROM_NOTHING) return out;
  if (how == FROM_AGAIN) return before.rows[row.again].after;
  if (how == FROM_BEGIN) return cut(state.begin, surface, row);
  if (how == FROM_COLOUR) {
    for (let i = 0; i < out.length; i++) out[i] = row.words[3] >>> 8 * (i % unit);
    return out;
  }
  if (how != FROM_SOURCE && how != FROM_OVER) return cut(state.now, surface, row);
  const s = sourceOf(row, states), { column, line } = sourceUnit(row);
  for (let i = 0; i < row.width * row.height; i++) {
    const x = i % row.width, y = Math.floor(i / row.width);
    const from = s.from + line(x, y) * s.pitch + column(x, y) * s.unit;
    for (let b = 0; b < unit && b < s.unit; b++) out[i * unit + b] = s.units[from + b];
  }
  return how == FROM_OVER ? over(out, cut(state.now, surface, row), field(row, "PREMULTIPLIED")) : out;
}
/* See draws_encode.h, FROM_OVER; in place of `units`, the source's. */
function over(units, before, isPremultiplied) {
  for (let i = 0; i < units.length; i++) {
    const alpha = units[i | 3], weight = isPremultiplied ? 256 : alpha;
    units[i] = Math.min(255, units[i] * weight + before[i] * (256 - alpha) >> 8);
  }
  return units;
}
/* Applies a row to the state; returns how many bytes of data it took. */
function applyRow(row, data, states, before) {
  const surface = surfaces[row.surface], unit = surface.unit, count = row.width * row.height, bits = count + 7 >> 3;
  if (!states.has(row.surface)) {
    const empty = () => new Uint8Array(surface.width * surface.height * unit);
    states.set(row.surface, { now: empty(), begin: empty() });
  }
  const state = states.get(row.surface), sparse = row.how & HOW_SPARSE;
  let at = 0;
  if (row.how & HOW_MASKED) { row.written = data.subarray(0, bits); at += bits; }
  const guess = predicted(row, surface, state, states, before);
  const changed = sparse ? data.subarray(at, at += bits) : null;
  row.after = cut(state.now, surface, row);
  for (let i = 0; i < count; i++) {
    if (row.written && !hasBit(row.written, i) || changed && !hasBit(changed, i)) continue;
    for (let b = i * unit; b < (i + 1) * unit; b++) row.after[b] = guess[b] ^ (row.how & HOW_EXACT ? 0 : data[at++]);
  }
  paste(state.now, surface, row);
  if (row.how == FROM_NOTHING) state.begin.set(state.now);
  return at;
}
function makeRows(data, count, before) {
  const table = new Uint32Array(data.buffer.slice(0, 4 * count * detail.columns)), rows = [];
  for (let i = 0; i < count; i++) {
    const raw = before && i < before.rows.length ? before.rows[i].raw.slice() : new Uint32Array(detail.columns);
    for (let f = 0; f < detail.columns; f++) raw[f] ^= table[f * count + i];
    const row = { index: i, raw, words: raw.subarray(0, WORDS), written: null };
    columns.forEach((name, f) => { row[name] = raw[WORDS + f]; });
    rows.push(row);
  }
  return rows;
}

/* What comes after the frames decoded last, every so many frames and wherever the reader was. */
const SNAPSHOT = 16, snapshots = new Map();
const copyStates = states => new Map([...states].map(([k, s]) => [k, { now: s.now.slice(), begin: s.begin }]));
async function decodeOne(index, states, before) {
  await readTextures(index);
  const data = await inflate(detailed[index].draws), count = detailed[index].rows;
  const first = index % detail.key == 0 ? null : before;
  const rows = makeRows(data, count, first);
  for (const state of states.values()) state.begin = state.now.slice();
  let at = 4 * count * detail.columns;
  for (const row of rows) at += applyRow(row, data.subarray(at), states, first);
  return { index, rows, isWhole: at == data.length };
}
/* The frame with its rows, and `surfaces` as they were when it began. */
async function readFrame(index) {
  let from = index - index % detail.key, states = new Map(), before = null;
  for (const [at, snapshot] of snapshots)
    if (at < index && at >= from) { from = at + 1; states = copyStates(snapshot.states); before = snapshot.frame; }
  for (; from < index; from++) {
    before = await decodeOne(from, states, before);
    if (from % SNAPSHOT == SNAPSHOT - 1 || from == index - 1)
      snapshots.set(from, { states: copyStates(states), frame: before });
  }
  if (index % detail.key == 0) states = new Map();
  const start = new Map([...states].map(([k, s]) => [k, s.now.slice()]));
  const frame = await decodeOne(index, states, before);
  frame.surfaces = start;
  frame.expected = detailed[index].wrong ? await inflate(detailed[index].expected) : null;
  if (frame.expected) {
    const now = states.get(detailed[index].surface).now;
    for (let i = 0; i < now.length; i++) frame.expected[i] ^= now[i];
  }
  for (const at of [...snapshots.keys()]) if (at % SNAPSHOT != SNAPSHOT - 1 && at != index - 1) snapshots.delete(at);
  return frame;
}
/* A surface's units after row `last` of a frame; -1: when it began. */
function unitsBehind(frame, index, last) {
  const surface = surfaces[index], begin = frame.surfaces.get(index);
  const units = begin ? begin.slice() : new Uint8Array(surface.width * surface.height * surface.unit);
  for (const row of frame.rows) if (row.index <= last && row.surface == index) paste(units, surface, row);
  return units;
}
const covers = (row, x, y) => x >= row.left && x < row.left + row.width && y >= row.top && y < row.top + row.height;
const wrote = (row, x, y) => covers(row, x, y) &&
  (!row.written || hasBit(row.written, (y - row.top) * row.width + x - row.left));
/* The rows that wrote a pixel, in order: [{ row, before, after }], units. */
function historyOf(frame, index, x, y) {
  const surface = surfaces[index], list = [];
  let unit = unitAt(unitsBehind(frame, index, -1), surface, y * surface.width + x);
  for (const row of frame.rows) {
    if (row.surface != index || !wrote(row, x, y)) continue;
    const after = unitAt(row.after, surface, (y - row.top) * row.width + x - row.left);
    if (isDraw(row) || after != unit) list.push({ row, before: unit, after });
    unit = after;
  }
  return list;
}
function unitAt(units, surface, i) {
  let unit = 0;
  for (let b = surface.unit - 1; b >= 0; b--) unit = unit * 256 + units[i * surface.unit + b];
  return unit;
}
/* [red, green, blue, alpha] of a unit, for looking at. */
function colourOf(format, unit) {
  const five = lsb => { const c = unit >>> lsb & 31; return c << 3 | c >> 2; };
  if (format == 1) { const g = unit >>> 5 & 63; return [five(11), g << 2 | g >> 4, five(0), 255]; }
  if (format == 5) return [five(10), five(5), five(0), unit >>> 15 ? 255 : 0];
  if (format == 0 || format == 6 || format == 7) return [unit, unit, unit, 255];
  return [unit >>> 16 & 255, unit >>> 8 & 255, unit & 255, format == 2 ? unit >>> 24 : 255];
}
