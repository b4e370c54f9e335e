/** Shorter texts have no sketch: searching them is as cheap as checking a sketch. */
const MIN_LENGTH = 256;

let scratch = new Uint8Array(MIN_LENGTH);

/**
 * Bloom filter of the characters and character pairs of a text, one to two bytes per character. Long texts are only searched if they have
 * all pairs of the keyword. Stored as a byte string, which the garbage collector does not scan.
 *
 * @returns empty for a short text
 */
export function sketchOf(text: string): string {
  if (text.length < MIN_LENGTH) return '';
  let bytes = MIN_LENGTH;
  while (bytes < text.length) bytes *= 2;
  if (bytes > scratch.length) scratch = new Uint8Array(bytes);
  const bits = scratch.fill(0, 0, bytes);
  const last = bytes * 8 - 1;
  let before = text.charCodeAt(0);
  setBits(bits, hashOf(0, before), last);
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    setBits(bits, hashOf(0, unit), last);
    setBits(bits, hashOf(before, unit), last);
    before = unit;
  }
  return Buffer.from(bits.buffer, 0, bytes).toString('latin1');
}

/** Returns the hashes contained in the sketch of every text with this keyword. @param keyword not empty */
export function marksOf(keyword: string): Uint32Array {
  if (keyword.length === 1) return Uint32Array.of(hashOf(0, keyword.charCodeAt(0)));
  return Uint32Array.from({ length: keyword.length - 1 }, (_, at) => hashOf(keyword.charCodeAt(at), keyword.charCodeAt(at + 1)));
}

/** Tests a sketch for a keyword's hashes: false is certain, true means that the text may contain the keyword. */
export function mayHave(sketch: string, marks: Uint32Array): boolean {
  if (sketch.length === 0) return true;
  const last = sketch.length * 8 - 1;
  for (let at = 0; at < marks.length; at += 1) {
    const hash = marks[at]!;
    if (!isSet(sketch, hash & last) || !isSet(sketch, (hash >>> 16) & last)) return false;
  }
  return true;
}

/** Sets two bits per hash, one for each half. @param last highest bit */
function setBits(bits: Uint8Array, hash: number, last: number): void {
  const one = hash & last;
  const other = (hash >>> 16) & last;
  bits[one >>> 3]! |= 1 << (one & 7);
  bits[other >>> 3]! |= 1 << (other & 7);
}

function isSet(sketch: string, bit: number): boolean {
  return (sketch.charCodeAt(bit >>> 3) & (1 << (bit & 7))) !== 0;
}

/** Hashes two characters; the shifts move the mixed high bits down. */
function hashOf(one: number, other: number): number {
  const mixed = Math.imul((one << 16) | other, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
}
