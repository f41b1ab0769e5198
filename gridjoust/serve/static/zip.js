// A zip archive without compression. Format: PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16.
// @ts-check

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});
const UTF8 = 0x0800; // flag of names
const VERSION = 20;
const DAY = 0x21; // 1 January 1980: equal files make equal archives

/** @param {Uint8Array} bytes @returns {number} */
export function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** Numbers as bytes, the lowest first. @param {[number, number][]} fields pairs of width in bytes and value @returns {Uint8Array} */
const packed = (fields) =>
  Uint8Array.from(fields.flatMap(([width, value]) => Array.from({ length: width }, (_, at) => (value >>> (8 * at)) & 255)));

/** @param {{path: string, file: Blob}[]} files @returns {Promise<Blob>} */
export async function zip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { path, file } of files) {
    const [name, bytes] = [new TextEncoder().encode(path), new Uint8Array(await file.arrayBuffer())];
    /** @type {[number, number][]} */
    const common = [[2, VERSION], [2, UTF8], [2, 0], [2, 0], [2, DAY], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    const local = packed([[4, 0x04034b50], ...common]);
    directory.push(packed([[4, 0x02014b50], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), name);
    parts.push(local, name, bytes);
    at += local.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = packed([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]]);
  return new Blob([...parts, ...directory, end]);
}
