import { createHash } from 'node:crypto';

/** Longest work that is looked at: with the answer it fits the 16 characters clients of the store send. */
const MAX_WORK_LENGTH = 11;

/** Says in the picture what work is asked: `data-work="18:challenge"`. Nothing where there is none. @param bits 0 asks for none */
export function withWork(svg: string, bits: number, challenge: string): string {
  return bits === 0 ? svg : svg.replace('<svg ', `<svg data-work="${bits}:${challenge}" `);
}

/**
 * Whether `work` makes the SHA-256 of `challenge:work` begin with `bits` zero bits: a browser finds such a text within a second,
 * a program that tries many captchas pays for each (hashcash).
 */
export function isWorkDone(challenge: string, work: string, bits: number): boolean {
  if (bits === 0) return true;
  if (work.length === 0 || work.length > MAX_WORK_LENGTH) return false;
  const hash = createHash('sha256').update(`${challenge}:${work}`).digest();
  return hash.readUInt32BE(0) >>> (32 - bits) === 0;
}
