import * as zlib from 'node:zlib';

/** `crc32` of Node 20.15 and newer, with a fallback for older versions based on the table of RFC 1952. */
export const crc32: (data: Uint8Array, value?: number) => number =
  (zlib as { crc32?: (data: Uint8Array, value?: number) => number })['crc32'] ?? ((data, value = 0) => computed(data, value));

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function computed(data: Uint8Array, value: number): number {
  let sum = ~value;
  for (const byte of data) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 255]!;
  return ~sum >>> 0;
}
